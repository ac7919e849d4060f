//! The pose-blend lab: what goes wrong where poses are not blended a joint at a time in its parent's space, hard masks
//! against feathered ones, and additive bends that break an elbow.

mod arms;
mod masks;

use crate::{
    eval::blend::pose_lab::Arm,
    text::t,
    ui::{
        panel::{Panel, PanelContext},
        widgets::{DragField, FieldEdit, lab_section},
    },
};
use egui::{ScrollArea, Ui};
use std::f64::consts::FRAC_PI_2;

/// From this width on the lab stands in two columns, points.
const TWO_COLUMNS_PT: f32 = 620.0;

/// The lab.
#[derive(Debug)]
pub struct PoseLabPanel {
    /// The pose that is gone over to, from an arm that hangs down.
    to: Arm,
    t: f64,
    /// The bend that is added twice, radians, and its weight.
    bend: f64,
    weight: f64,
    masks: masks::Masks,
}

impl Default for PoseLabPanel {
    fn default() -> Self {
        let to = Arm { shoulder: 2.6, elbow: 0.9 };
        Self { to, t: 0.5, bend: FRAC_PI_2, weight: 1.0, masks: masks::Masks::default() }
    }
}

impl Panel for PoseLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        ScrollArea::vertical().id_salt("pose lab").auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(ui.available_width());
            if ui.available_width() < TWO_COLUMNS_PT {
                lab_section(ui, "pose_lab.ways", |ui| self.ways(ui, ctx));
                lab_section(ui, "pose_lab.masks", |ui| self.masks.show(ui, ctx));
                lab_section(ui, "pose_lab.bends", |ui| self.bends(ui, ctx));
                return;
            }
            ui.columns(2, |columns| {
                let [left, right] = columns else { return };
                lab_section(left, "pose_lab.ways", |ui| self.ways(ui, ctx));
                lab_section(right, "pose_lab.masks", |ui| self.masks.show(ui, ctx));
                lab_section(left, "pose_lab.bends", |ui| self.bends(ui, ctx));
            });
        });
    }
}

impl PoseLabPanel {
    fn ways(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        ui.horizontal_wrapped(|ui| {
            number(ui, "pose_lab.t", (&mut self.t, 1.0), ("", 2, 0.005), (0.0, 1.0));
            let degrees = 180.0 / std::f64::consts::PI;
            number(ui, "pose_lab.shoulder", (&mut self.to.shoulder, degrees), ("°", 0, 0.5), (-180.0, 180.0));
            number(ui, "pose_lab.elbow", (&mut self.to.elbow, degrees), ("°", 0, 0.5), (0.0, 150.0));
        });
        arms::ways(ui, ctx, &self.to, self.t);
    }

    fn bends(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        ui.horizontal_wrapped(|ui| {
            let degrees = 180.0 / std::f64::consts::PI;
            number(ui, "pose_lab.bend", (&mut self.bend, degrees), ("°", 0, 0.5), (0.0, 150.0));
            number(ui, "pose_lab.weight", (&mut self.weight, 1.0), ("", 2, 0.005), (0.0, 1.0));
        });
        arms::bends(ui, ctx, self.bend, self.weight);
    }
}

/// A field for a number, shown times a factor.
fn number(
    ui: &mut Ui,
    key: &str,
    (value, factor): (&mut f64, f64),
    (unit, decimals, speed): (&str, usize, f64),
    (low, high): (f64, f64),
) {
    let name = t(key);
    ui.weak(&*name);
    let field = DragField::new(&name, *value * factor).unit(unit).decimals(decimals).speed(speed).range(low, high);
    let (response, edits) = field.width(60.0).show(ui);
    response.on_hover_text(&*name);
    for edit in edits {
        if let FieldEdit::Change(wanted) = edit
            && wanted.is_finite()
        {
            *value = wanted / factor;
        }
    }
}

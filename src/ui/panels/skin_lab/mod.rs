//! The skin lab: a limb by linear blend and by dual quaternions side by side, with its radius and volume.

mod limb;
mod picture;
mod plot;

use crate::{
    eval::skin::lab::{Limb, Posed, Tube, posed, radii, volume},
    math::Affine,
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        widgets::{DragField, FieldEdit, drag_field::number_text, lab_section},
    },
};
use egui::Ui;
use std::f64::consts::PI;

/// From this width on the lab stands in two columns, points.
const TWO_COLUMNS_PT: f32 = 620.0;
/// Pieces along a tube: one a ring.
const TUBE_PIECES: usize = 41;
/// Pieces along a mesh's limb.
const MESH_PIECES: usize = 24;

/// The lab.
#[derive(Debug)]
pub struct SkinLabPanel {
    /// Whether the limb of the selected joint is shown, not the tube.
    of_joint: bool,
    /// Of the tube, radians.
    bend: f64,
    twist: f64,
    spread: f64,
    /// From where the pictures are seen, radians to the side and above.
    seen: [f64; 2],
}

impl Default for SkinLabPanel {
    fn default() -> Self {
        Self { of_joint: false, bend: 0.0, twist: PI, spread: 0.4, seen: [0.5, 0.35] }
    }
}

/// What is shown.
struct Subject {
    limb: Limb,
    maps: Vec<Affine>,
    pieces: usize,
}

/// A limb both ways, measured.
struct Measured {
    limb: Limb,
    posed: Posed,
    linear: Vec<(f64, f64)>,
    dual: Vec<(f64, f64)>,
}

impl Measured {
    fn new(subject: Subject) -> Self {
        let posed = posed(&subject.limb, &subject.maps);
        let linear = radii(&subject.limb, &posed.linear, subject.pieces);
        let dual = radii(&subject.limb, &posed.dual, subject.pieces);
        Self { limb: subject.limb, posed, linear, dual }
    }

    /// The least radius and where; 1 where there is none.
    fn least(radii: &[(f64, f64)]) -> (f64, f64) {
        radii.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.5, 1.0))
    }

    /// Both volumes, of that at rest.
    fn volumes(&self) -> Option<[f64; 2]> {
        let rest = volume(&self.limb.rest, &self.limb.triangles);
        let ratio = |places| volume(places, &self.limb.triangles) / rest;
        (self.limb.closed && rest.abs() > 1e-12).then(|| [ratio(&self.posed.linear), ratio(&self.posed.dual)])
    }
}

impl Panel for SkinLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            self.controls(ui);
            let subject = if self.of_joint { limb::of_selection(ctx) } else { Some(self.tube()) };
            let Some(subject) = subject else {
                ui.weak(t("skin_lab.no_joint"));
                return;
            };
            let measured = Measured::new(subject);
            if ui.available_width() < TWO_COLUMNS_PT {
                lab_section(ui, "skin_lab.side", |ui| picture::both(ui, ctx, &measured, &mut self.seen));
                lab_section(ui, "skin_lab.radius", |ui| self.numbers(ui, ctx, &measured));
                return;
            }
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    lab_section(left, "skin_lab.side", |ui| picture::both(ui, ctx, &measured, &mut self.seen));
                    lab_section(right, "skin_lab.radius", |ui| self.numbers(ui, ctx, &measured));
                }
            });
        });
    }
}

impl SkinLabPanel {
    fn tube(&self) -> Subject {
        let tube = Tube { length: 1.0, radius: 0.11, spread: self.spread };
        Subject { limb: tube.limb(), maps: Tube::maps(self.bend, self.twist).to_vec(), pieces: TUBE_PIECES }
    }

    fn controls(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            for (of_joint, key) in [(false, "skin_lab.tube"), (true, "skin_lab.of_joint")] {
                let response = ui.selectable_label(self.of_joint == of_joint, t(key));
                if response.on_hover_text(t(&format!("{key}_hint"))).clicked() {
                    self.of_joint = of_joint;
                }
            }
            if self.of_joint {
                return;
            }
            ui.separator();
            for (key, bend, twist) in [("skin_lab.candy", 0.0, PI), ("skin_lab.elbow", PI / 2.0, 0.0)] {
                if ui.button(t(key)).on_hover_text(t(&format!("{key}_hint"))).clicked() {
                    (self.bend, self.twist) = (bend, twist);
                }
            }
            ui.separator();
            degrees(ui, "skin_lab.bend", &mut self.bend, 170.0);
            degrees(ui, "skin_lab.twist", &mut self.twist, 180.0);
            let name = t("skin_lab.spread");
            let field = DragField::new(&name, self.spread).decimals(2).speed(0.005).range(0.02, 1.0);
            for edit in field.width(64.0).show(ui).1 {
                if let FieldEdit::Change(spread) = edit {
                    self.spread = spread;
                }
            }
            ui.weak(name);
        });
    }

    fn numbers(&self, ui: &mut Ui, ctx: &PanelContext<'_>, measured: &Measured) {
        plot::show(ui, ctx, &measured.linear, &measured.dual);
        egui::Grid::new("skin_lab").num_columns(3).spacing([16.0, 4.0]).striped(true).show(ui, |ui| {
            ui.weak("");
            ui.strong(t("skin_lab.linear"));
            ui.strong(t("skin_lab.dual"));
            ui.end_row();
            let (linear, dual) = (Measured::least(&measured.linear), Measured::least(&measured.dual));
            ui.label(t("skin_lab.least"));
            ui.label(number_text(linear.1, 3));
            ui.label(number_text(dual.1, 3));
            ui.end_row();
            if let Some([linear, dual]) = measured.volumes() {
                ui.label(t("skin_lab.volume"));
                ui.label(number_text(linear, 3));
                ui.label(number_text(dual, 3));
                ui.end_row();
            }
        });
        if self.of_joint {
            ui.weak(t("skin_lab.of_joint_hint"));
            return;
        }
        let angle = |radians: f64| number_text(radians.to_degrees(), 1);
        let cos = |radians: f64| number_text((radians / 2.0).cos().abs(), 3);
        if self.twist.abs() > 1e-9 {
            let numbers: [(&str, &dyn std::fmt::Display); 2] =
                [("angle", &angle(self.twist)), ("cos", &cos(self.twist))];
            ui.label(fill("skin_lab.candy_is", &numbers));
        }
        if self.bend.abs() > 1e-9 {
            let numbers: [(&str, &dyn std::fmt::Display); 2] = [("angle", &angle(self.bend)), ("cos", &cos(self.bend))];
            ui.label(fill("skin_lab.elbow_is", &numbers));
        }
    }
}

fn degrees(ui: &mut Ui, key: &str, radians: &mut f64, most: f64) {
    let name = t(key);
    let field = DragField::new(&name, radians.to_degrees()).unit("°").decimals(0).speed(0.5).range(-most, most);
    for edit in field.width(64.0).show(ui).1 {
        if let FieldEdit::Change(degrees) = edit {
            *radians = degrees.to_radians();
        }
    }
    ui.weak(name);
}

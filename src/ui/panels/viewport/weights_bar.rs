//! The bar of the weight brush, and what the colours of weights mean.

use super::bar;
use crate::{
    command::CommandId,
    edit::skins::paint::{Falloff, Paint},
    eval::skin::weights::without_weight,
    interact::{
        brush_prefs::BrushPrefs,
        view_state::{ToolId, ViewChange},
    },
    model::{Skin, Target},
    style::{UNWEIGHTED, heat},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        shell::hint_of,
        theme::colour,
        widgets::{DragField, FieldEdit, set_name},
    },
};
use egui::{Color32, Rect, Sense, Ui, pos2, vec2};
use std::sync::Arc;

/// Size of the legend's ramp, points.
const RAMP_PT: [f32; 2] = [96.0, 12.0];
/// Pieces of the ramp.
const STEPS: u16 = 24;

/// The legend's numbers of one skin.
#[derive(Debug, Default)]
pub(super) struct Counted {
    of: Option<(Arc<Skin>, usize)>,
}

impl Counted {
    fn of(&mut self, skin: &Arc<Skin>) -> usize {
        match &self.of {
            Some((known, count)) if Arc::ptr_eq(known, skin) => *count,
            _ => {
                let count = without_weight(skin).len();
                self.of = Some((skin.clone(), count));
                count
            }
        }
    }
}

/// Shows the bar below another one while weights are painted or seen, and gives its place.
pub(super) fn show(
    ui: &mut Ui,
    panel: Rect,
    above: Rect,
    ctx: &PanelContext<'_>,
    counted: &mut Counted,
) -> Option<Rect> {
    let painting = ctx.view.tool == ToolId::PaintWeights;
    if !painting && !ctx.view.viewport.weights {
        return None;
    }
    Some(bar::show(ui, (panel, bar::below(above)), ctx, None, |ui| {
        if painting {
            brush(ui, ctx);
            ui.separator();
        }
        legend(ui, ctx, counted);
    }))
}

fn brush(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let prefs = ctx.view.brush;
    let set = |brush: BrushPrefs| ctx.commands.view(ViewChange::Brush(brush));
    for (paint, key) in
        [(Paint::Add, "weights.add"), (Paint::Remove, "weights.remove"), (Paint::Smooth, "weights.smooth")]
    {
        let response = ui.selectable_label(prefs.paint == paint, t(key));
        if response.on_hover_text(t(&format!("{key}_hint"))).clicked() {
            set(BrushPrefs { paint, ..prefs });
        }
    }
    ui.separator();
    let first = BrushPrefs::default();
    let field = |ui: &mut Ui, key: &str, [value, rest]: [f64; 2], unit: &str, (low, high): (f64, f64), speed: f64| {
        let name = t(key);
        ui.weak(&*name);
        let decimals = if high > 1.0 { 0 } else { 2 };
        let field = DragField::new(&name, value).unit(unit).decimals(decimals).speed(speed).range(low, high);
        let (response, edits) = field.width(76.0).rests_at(rest).show(ui);
        response.on_hover_text(t(&format!("{key}_hint")).into_owned());
        edits.into_iter().fold(None, |last, edit| if let FieldEdit::Change(value) = edit { Some(value) } else { last })
    };
    if let Some(radius) = field(ui, "weights.radius", [prefs.radius, first.radius], "pt", BrushPrefs::RADIUS, 0.5) {
        set(BrushPrefs { radius, ..prefs });
    }
    if let Some(strength) = field(ui, "weights.strength", [prefs.strength, first.strength], "", (0.0, 1.0), 0.005) {
        set(BrushPrefs { strength, ..prefs });
    }
    let falloffs = [
        (Falloff::Smooth, "weights.falloff_smooth"),
        (Falloff::Linear, "weights.falloff_linear"),
        (Falloff::Constant, "weights.falloff_constant"),
    ];
    let shown = falloffs.iter().find(|(own, _)| *own == prefs.falloff).map_or("", |(_, key)| *key);
    ui.name_inputs(t("weights.falloff"), |ui| {
        egui::ComboBox::from_id_salt("falloff").selected_text(t(shown)).width(80.0).show_ui(ui, |ui| {
            for (falloff, key) in falloffs {
                if ui.selectable_label(prefs.falloff == falloff, t(key)).clicked() {
                    set(BrushPrefs { falloff, ..prefs });
                }
            }
        });
    });
    let mut mirror = prefs.mirror;
    if ui.checkbox(&mut mirror, t("weights.mirror")).on_hover_text(t("weights.mirror_hint")).changed() {
        set(BrushPrefs { mirror, ..prefs });
    }
    let mut seen = ctx.view.viewport.weights;
    let id = CommandId::ToggleWeights;
    if ui.checkbox(&mut seen, t("weights.seen")).on_hover_text(hint_of(id)).changed() {
        ctx.commands.run(id);
    }
}

/// The ramp from 0 to 1, whose weights it shows, and how many vertices have none at all.
fn legend(ui: &mut Ui, ctx: &PanelContext<'_>, counted: &mut Counted) {
    let targets = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    let joint = targets.filter_map(|target| match target {
        Target::Joint(object, joint) => Some((object, joint)),
        _ => None,
    });
    let Some((object, joint)) = joint.into_iter().next() else {
        ui.weak(t("weights.no_joint"));
        return;
    };
    let rig = ctx.document.object(object).and_then(|object| object.as_rig());
    let name = rig.and_then(|rig| rig.skeleton.joint(joint)).map_or(String::new(), |joint| joint.name.clone());
    ui.label(name);
    ui.weak("0");
    let (rect, response) = ui.allocate_exact_size(vec2(RAMP_PT[0], RAMP_PT[1]), Sense::hover());
    set_name(ui, &response, &t("weights.ramp"));
    for step in 0..STEPS {
        let part = f32::from(step) / f32::from(STEPS);
        let left = rect.left() + rect.width() * part;
        let own =
            Rect::from_min_size(pos2(left, rect.top()), vec2(rect.width() / f32::from(STEPS) + 0.5, rect.height()));
        let [r, g, b, _] = heat(f64::from(step) / f64::from(STEPS - 1)).0;
        ui.painter().rect_filled(own, 0.0, Color32::from_rgb(r, g, b));
    }
    ui.weak("1");
    let joint = crate::model::Parent::Joint(object, joint);
    let skins = ctx.document.objects.values().filter_map(|object| object.as_mesh()?.skin.as_ref());
    let Some(skin) = skins.into_iter().find(|skin| skin.joints.iter().any(|own| own.joint == joint)) else {
        ui.weak(t("weights.follows_nothing"));
        return;
    };
    let none = counted.of(skin);
    if none > 0 {
        let (rect, _) = ui.allocate_exact_size(vec2(RAMP_PT[1], RAMP_PT[1]), Sense::hover());
        ui.painter().rect_filled(rect, 2.0, colour(UNWEIGHTED));
        ui.label(fill("weights.none_at", &[("count", &none)]));
    }
}

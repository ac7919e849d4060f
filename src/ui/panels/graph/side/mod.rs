//! The strip beside the curves: what runs through their keys, the numbers of the selected keys' eases, the tween slider,
//! operations with their numbers, and the active curve's modifiers.

mod ease;
pub(super) mod modifiers;
mod picture;
mod presets;
pub(super) mod scheme;
mod tcb;
mod tools;

pub(in crate::ui) use presets::all_built_in;
pub(in crate::ui) use scheme::name as scheme_name;
pub(super) use tcb::{send as send_shape, shape_numbers};
pub(super) use tools::ToolNumbers;

use super::{canvas::Canvas, channels::ChannelState, steps::tell_converted};
use crate::{
    edit::{CurveRef, Gesture},
    interact::tools::{
        graph_curve::GraphCurve,
        graph_edits::{Editing, GraphEdit},
    },
    text::t,
    ui::{
        continuity,
        panel::PanelContext,
        widgets::{DragField, FieldEdit, section},
    },
};
use egui::{ScrollArea, Ui};

/// Width of a number's field, points.
const FIELD_PT: f32 = 76.0;

/// Shows the strip.
pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    canvas: &Canvas,
    channels: &mut ChannelState,
    numbers: &mut ToolNumbers,
) {
    let Some(clip) = canvas.clip else {
        ui.weak(t("graph.no_keys").into_owned());
        return;
    };
    let editing = Editing { curves: &canvas.curves, clip };
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // First what is chosen from: what a choice brings with it comes below and moves none of it.
        presets::show(ui, ctx, &editing, &mut numbers.presets);
        scheme::show(ui, ctx, &editing, channels);
        tcb::show(ui, ctx, &editing, channels);
        ease::show(ui, ctx, &editing);
        section(ui, &t("continuity.title"));
        continuity::buttons(ui, ctx);
        tools::show(ui, ctx, &editing, numbers);
        if let Some(curve) = active(&editing, channels) {
            let at = CurveRef { clip, path: curve.path };
            section(ui, &t("graph.modifiers"));
            modifiers::show(ui, ctx, at, curve);
        }
    });
}

/// The active curve, else the first with selected keys, else the only one.
fn active<'a>(editing: &Editing<'a>, channels: &ChannelState) -> Option<&'a GraphCurve> {
    let own = |curve: &&GraphCurve| curve.lane == 0;
    let active = editing.curves.iter().filter(own).find(|curve| Some(curve.path) == channels.active);
    active
        .or_else(|| editing.curves.iter().filter(own).find(|curve| !curve.selected.is_empty()))
        .or_else(|| editing.curves.iter().find(own).filter(|_| editing.curves.len() == 1))
}

/// A number with its name before it, changed as one gesture.
struct Field<'a> {
    /// The text key of its name.
    name: &'a str,
    /// Its name in the history.
    label: &'static str,
    value: f64,
    unit: &'a str,
    range: (f64, f64),
    speed: f64,
}

impl Field<'_> {
    fn show(&self, ui: &mut Ui, ctx: &PanelContext<'_>, edit: impl Fn(f64) -> Option<GraphEdit>) {
        ui.horizontal(|ui| {
            let name = t(self.name);
            let field = DragField::new(&name, self.value).unit(self.unit).decimals(3).speed(self.speed);
            let (_, edits) = field.range(self.range.0, self.range.1).width(FIELD_PT).show(ui);
            ui.label(name.as_ref());
            for change in edits {
                match change {
                    FieldEdit::Begin => ctx.commands.gesture(Gesture::Begin { label: self.label }),
                    FieldEdit::Change(value) => {
                        if let Some(GraphEdit { edit, converted }) = edit(value) {
                            ctx.commands.gesture(Gesture::Update(edit));
                            tell_converted(ctx, converted);
                        }
                    }
                    FieldEdit::Commit => ctx.commands.gesture(Gesture::Commit),
                    FieldEdit::Cancel => ctx.commands.gesture(Gesture::Cancel),
                }
            }
        });
    }
}

//! The tween slider and operations with their numbers.

use super::{Editing, FIELD_PT};
use crate::{
    command::CommandId,
    edit::Gesture,
    interact::tools::{graph_curve::GraphCurve, graph_edits::GraphEdit, graph_shape::Tween},
    text::t,
    ui::{
        panel::PanelContext,
        panels::graph::{channels::unit_name, steps::tell_converted},
        shell::hint_of,
        widgets::{DragField, FieldEdit, section},
    },
};
use egui::Ui;

/// The numbers that operations work with.
#[derive(Clone, Debug)]
pub(in crate::ui::panels::graph) struct ToolNumbers {
    /// How far a simplified curve may be off, displayed units.
    pub error: f64,
    /// How far keys are pushed past the one before, as a part of the way.
    pub past: f64,
    /// How much keys are exaggerated.
    pub exaggerate: f64,
    /// Frames of overlap a joint.
    pub overlap: f64,
    /// Frames that are put in at the playhead.
    pub insert: f64,
    /// What is chosen about presets.
    pub(super) presets: super::presets::PresetState,
    /// What the tween slider does.
    pub tween: Tween,
    /// Where the slider is while it is dragged, -1..1 and beyond.
    amount: f64,
    /// The curves as they were when the drag began: each change is the whole change.
    base: Vec<GraphCurve>,
}

impl Default for ToolNumbers {
    fn default() -> Self {
        Self {
            error: 0.1,
            past: 0.2,
            exaggerate: 1.25,
            overlap: 2.0,
            insert: 5.0,
            presets: super::presets::PresetState::default(),
            tween: Tween::default(),
            amount: 0.0,
            base: Vec::new(),
        }
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, numbers: &mut ToolNumbers) {
    section(ui, &t("graph.tween"));
    tween(ui, ctx, editing, numbers);
    section(ui, &t("graph.operations"));
    let any = !ctx.selection.keys.is_empty();
    // Of the first curve with selected keys.
    let first = editing.curves.iter().find(|curve| !curve.selected.is_empty());
    let unit = first.map_or("", |curve| unit_name(curve.path, ctx.document.settings.length_unit));
    let with_number = |ui: &mut Ui, id: CommandId, name: &str, value: &mut f64, unit: &str, range: (f64, f64)| {
        ui.horizontal_wrapped(|ui| {
            let title = t(name);
            let field = DragField::new(&title, *value).decimals(3).speed(0.01).unit(unit);
            let field = field.range(range.0, range.1).width(FIELD_PT);
            let (response, edits) = field.show(ui);
            response.on_hover_text(title.as_ref());
            for edit in edits {
                if let FieldEdit::Change(new) = edit {
                    *value = new.clamp(range.0, range.1);
                }
            }
            button(ui, ctx, id, any);
        });
    };
    with_number(ui, CommandId::SimplifyCurves, "graph.simplify_error", &mut numbers.error, unit, (0.0, 1e9));
    // Kept as parts, shown in percent.
    let (mut past, mut exaggerate) = (numbers.past * 100.0, numbers.exaggerate * 100.0);
    with_number(ui, CommandId::Anticipate, "graph.anticipate_part", &mut past, "%", (0.0, 1e3));
    with_number(ui, CommandId::Exaggerate, "graph.exaggerate_factor", &mut exaggerate, "%", (-1e3, 1e3));
    (numbers.past, numbers.exaggerate) = (past / 100.0, exaggerate / 100.0);
    with_number(ui, CommandId::OverlapKeys, "graph.overlap_frames", &mut numbers.overlap, "f", (-1e4, 1e4));
    button(ui, ctx, CommandId::CompareTiming, true);
    with_number(ui, CommandId::RippleInsert, "graph.insert_frames", &mut numbers.insert, "f", (0.0, 1e6));
    ui.horizontal_wrapped(|ui| {
        for id in [
            CommandId::RippleDelete,
            CommandId::SmoothKeys,
            CommandId::FlattenKeys,
            CommandId::BakeCurves,
            CommandId::ConvertBezier,
            CommandId::ConvertHermite,
        ] {
            button(ui, ctx, id, any);
        }
    });
}

/// A command's explanation, else its title.
fn explained(id: CommandId) -> String {
    let hint = hint_of(id);
    if hint.is_empty() { t(id.spec().title).into_owned() } else { hint }
}

pub(super) fn button(ui: &mut Ui, ctx: &PanelContext<'_>, id: CommandId, any: bool) {
    let spec = id.spec();
    let enabled = any || spec.needs != crate::command::Needs::Keys;
    let response = ui.add_enabled(enabled, egui::Button::new(t(&format!("graph.{}", id.name())).into_owned()));
    if response.on_hover_text(explained(id)).clicked() {
        ctx.commands.run(id);
    }
}

fn tween(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, numbers: &mut ToolNumbers) {
    // A long name goes below, and leaves the strip as wide as it is.
    ui.horizontal_wrapped(|ui| {
        let title = t("graph.tween_amount");
        let field =
            DragField::new(&title, numbers.amount * 100.0).decimals(0).speed(0.5).unit("%").range(-300.0, 300.0);
        let (response, edits) = field.width(FIELD_PT).show(ui);
        response.on_hover_text(t("graph.tween_hint").into_owned());
        for edit in edits {
            match edit {
                FieldEdit::Begin => {
                    numbers.base = editing.curves.to_vec();
                    ctx.commands.gesture(Gesture::Begin { label: "history.tween" });
                }
                FieldEdit::Change(percent) => {
                    numbers.amount = percent / 100.0;
                    let base = Editing { curves: &numbers.base, clip: editing.clip };
                    if let Some(GraphEdit { edit, converted }) = base.tween(numbers.tween, numbers.amount) {
                        ctx.commands.gesture(Gesture::Update(edit));
                        tell_converted(ctx, converted);
                    }
                }
                FieldEdit::Commit | FieldEdit::Cancel => {
                    numbers.amount = 0.0;
                    numbers.base.clear();
                    let done = if edit == FieldEdit::Commit { Gesture::Commit } else { Gesture::Cancel };
                    ctx.commands.gesture(done);
                }
            }
        }
        ui.menu_button(t(numbers.tween.name()).into_owned(), |ui| {
            for kind in Tween::ALL {
                if ui.selectable_label(kind == numbers.tween, t(kind.name()).into_owned()).clicked() {
                    numbers.tween = kind;
                    ui.close();
                }
            }
        });
    });
}

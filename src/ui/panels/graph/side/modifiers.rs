//! The stack of modifiers of the active curve.

use super::{Editing, Field, active};
use crate::{
    command::{Command, CommandId},
    edit::{CurveEdit, CurveRef, Edit},
    eval::curve::convert::bake_any,
    interact::{
        plot_view::ValueMap,
        tools::{graph_curve::GraphCurve, graph_edits::GraphEdit},
    },
    model::{Curve, FrameRate, Modifier, ModifierKind},
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::graph::{
            channels::{ChannelState, unit_name},
            run_tools::clip_range,
            steps::apply,
        },
        widgets::{IconButton, section},
    },
};
use egui::Ui;
use std::sync::Arc;

const LABEL: &str = "history.modifiers";

const fn name(kind: &ModifierKind) -> &'static str {
    match kind {
        ModifierKind::Noise { .. } => "graph.modifier_noise",
        ModifierKind::Cycles { .. } => "graph.modifier_cycles",
        ModifierKind::Limits { .. } => "graph.modifier_limits",
        ModifierKind::Stepped { .. } => "graph.modifier_stepped",
        ModifierKind::Smoothing { .. } => "graph.modifier_smoothing",
    }
}

/// How large new noise is: this part of how far the curve's values go; where they do not, a few displayed units.
const NOISE_PART: f64 = 0.1;

/// What a new modifier of each kind starts with: `span` is the curve's time.
fn fresh(span: (f64, f64), curve: &GraphCurve, rate: FrameRate) -> [ModifierKind; 5] {
    let frame = rate.frame_secs();
    let (start, end) = (span.0, span.1.max(span.0 + frame));
    let goes = curve.extent.high - curve.extent.low;
    let size = if goes.is_finite() && goes > 0.0 { NOISE_PART * goes } else { NOISE_PART / curve.unit.scale.abs() };
    [
        ModifierKind::Noise { size, frequency: 2.0, octaves: 2, seed: 1 },
        ModifierKind::Cycles { start, end, before: true, after: true, offset: false, mirror: false },
        ModifierKind::Limits { low: None, high: None },
        ModifierKind::Stepped { step: 2.0 * frame, offset: 0.0 },
        ModifierKind::Smoothing { radius: 4.0 * frame },
    ]
}

/// The kind of modifier a command adds, by its place among the kinds.
const fn added_by(command: CommandId) -> Option<usize> {
    Some(match command {
        CommandId::ModifierNoise => 0,
        CommandId::ModifierCycles => 1,
        CommandId::ModifierLimits => 2,
        CommandId::ModifierStepped => 3,
        CommandId::ModifierSmoothing => 4,
        _ => return None,
    })
}

/// Carries out a command about modifiers, on the curves with selected keys, else on the active one; false where it is
/// another command.
pub(in crate::ui::panels::graph) fn run(
    command: CommandId,
    ctx: &PanelContext<'_>,
    editing: &Editing<'_>,
    channels: &ChannelState,
) -> bool {
    let added = added_by(command);
    if added.is_none() && !matches!(command, CommandId::ModifiersApply | CommandId::ModifiersRemove) {
        return false;
    }
    let own = |curve: &&GraphCurve| curve.lane == 0 && curve.editable && curve.has_values;
    let with_keys: Vec<&GraphCurve> =
        editing.curves.iter().filter(own).filter(|curve| !curve.selected.is_empty()).collect();
    let chosen =
        if with_keys.is_empty() { active(editing, channels).filter(own).into_iter().collect() } else { with_keys };
    let rate = ctx.document.settings.rate;
    let mut edits = Vec::new();
    for shown in &chosen {
        let at = editing.at(shown);
        let Some(curve) = at.find(ctx.document) else { continue };
        let mut modifiers = curve.modifiers().to_vec();
        let edit = match (added, command) {
            (Some(kind), _) => {
                modifiers.push(Modifier::new(fresh(curve.span().unwrap_or_default(), shown, rate)[kind]));
                CurveEdit::SetModifiers { curve: at, modifiers }
            }
            (None, _) if modifiers.is_empty() => continue,
            (None, CommandId::ModifiersApply) => {
                let Some(baked) = bake_any(curve, rate, clip_range(ctx, at.clip)) else { continue };
                CurveEdit::Replace { curves: vec![(at, Arc::new(baked))] }
            }
            (None, _) => CurveEdit::SetModifiers { curve: at, modifiers: Vec::new() },
        };
        edits.push(edit.into());
    }
    if edits.is_empty() {
        let why = if chosen.is_empty() { "graph.modifier_no_curve" } else { "graph.modifier_none" };
        ctx.commands.send(Command::Tell(Notice::warn(t(why))));
    } else {
        apply(ctx, LABEL, Some(GraphEdit { edit: Edit::Batch(edits), converted: 0 }));
    }
    true
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, at: CurveRef, shown: &GraphCurve) {
    let Some(curve) = at.find(ctx.document) else { return };
    if matches!(**curve, Curve::Rotation(_)) {
        ui.weak(t("graph.no_modifiers_here").into_owned());
        return;
    }
    let (stack, rate) = (curve.modifiers().to_vec(), ctx.document.settings.rate);
    let send = |stack: Vec<Modifier>| apply(ctx, LABEL, Some(Editing::modifiers(at, stack)));
    ui.horizontal(|ui| {
        ui.menu_button(t("graph.add_modifier").into_owned(), |ui| {
            for kind in fresh(curve.span().unwrap_or_default(), shown, rate) {
                if ui.button(t(name(&kind)).into_owned()).clicked() {
                    let mut stack = stack.clone();
                    stack.push(Modifier::new(kind));
                    send(stack);
                    ui.close();
                }
            }
        });
        let button = egui::Button::new(t("graph.apply_modifiers").into_owned());
        if ui.add_enabled(!stack.is_empty(), button).on_hover_text(t("graph.apply_modifiers_hint")).clicked()
            && let Some(baked) = bake_any(curve, rate, clip_range(ctx, at.clip))
        {
            let edit = CurveEdit::Replace { curves: vec![(at, Arc::new(baked))] };
            apply(ctx, LABEL, Some(GraphEdit { edit: edit.into(), converted: 0 }));
        }
    });
    for (index, modifier) in stack.iter().enumerate() {
        ui.push_id(index, |ui| row(ui, ctx, at, &stack, index, modifier, shown.unit));
    }
}

fn row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    at: CurveRef,
    stack: &[Modifier],
    index: usize,
    modifier: &Modifier,
    map: ValueMap,
) {
    let title = t(name(&modifier.kind));
    section(ui, &format!("{}. {title}", index + 1));
    let changed = |change: &dyn Fn(&mut Vec<Modifier>)| {
        let mut stack = stack.to_vec();
        change(&mut stack);
        Some(Editing::modifiers(at, stack))
    };
    let with = |new: Modifier| {
        changed(&|stack: &mut Vec<Modifier>| {
            if let Some(slot) = stack.get_mut(index) {
                *slot = new;
            }
        })
    };
    ui.horizontal(|ui| {
        let named = |key: &str| fill(key, &[("name", &title)]);
        let icon = if modifier.muted { Icon::EyeOff } else { Icon::Eye };
        if IconButton::new(icon, &named("graph.mute_modifier")).show(ui).clicked() {
            apply(ctx, LABEL, with(Modifier { muted: !modifier.muted, ..*modifier }));
        }
        let up = |ui: &mut Ui| IconButton::new(Icon::ChevronUp, &named("graph.modifier_up")).show(ui).clicked();
        if ui.add_enabled_ui(index > 0, up).inner && index > 0 {
            apply(ctx, LABEL, changed(&|stack| stack.swap(index, index - 1)));
        }
        if IconButton::new(Icon::Delete, &named("graph.remove_modifier")).show(ui).clicked() {
            apply(ctx, LABEL, changed(&|stack| *stack = [&stack[..index], &stack[index + 1..]].concat()));
        }
    });
    let field = |name, value: f64, unit: &'static str, range: (f64, f64), speed: f64| Field {
        name,
        label: LABEL,
        value,
        unit,
        range,
        speed,
    };
    field("graph.influence", modifier.influence * 100.0, "%", (0.0, 100.0), 0.5)
        .show(ui, ctx, |percent| with(Modifier { influence: (percent / 100.0).clamp(0.0, 1.0), ..*modifier }));
    let of_kind = |kind: ModifierKind| with(Modifier { kind, ..*modifier });
    kind_fields(ui, ctx, modifier, (map, unit_name(at.path, ctx.document.settings.length_unit)), &of_kind);
    range_fields(ui, ctx, modifier, &with);
}

/// The numbers of the kind.
fn kind_fields(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    modifier: &Modifier,
    (map, unit): (ValueMap, &'static str),
    with: &dyn Fn(ModifierKind) -> Option<GraphEdit>,
) {
    let rate = ctx.document.settings.rate;
    let frame = rate.frame_secs();
    let field =
        |name, value: f64, range: (f64, f64), speed: f64| Field { name, label: LABEL, value, unit: "", range, speed };
    const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
    match modifier.kind {
        ModifierKind::Noise { size, frequency, octaves, seed } => {
            let noise = |size, frequency, octaves, seed| with(ModifierKind::Noise { size, frequency, octaves, seed });
            Field { unit, ..field("graph.noise_size", size * map.scale, ANY, 0.05) }
                .show(ui, ctx, |v| noise(v / map.scale, frequency, octaves, seed));
            field("graph.noise_frequency", frequency, (1e-3, 1e3), 0.02)
                .show(ui, ctx, |v| noise(size, v.clamp(1e-3, 1e3), octaves, seed));
            field("graph.noise_octaves", f64::from(octaves), (1.0, 8.0), 0.02)
                .show(ui, ctx, |v| noise(size, frequency, v.round().clamp(1.0, 8.0) as u32, seed));
            field("graph.noise_seed", f64::from(seed), (0.0, 1e6), 0.1)
                .show(ui, ctx, |v| noise(size, frequency, octaves, v.round().clamp(0.0, 1e6) as u32));
        }
        ModifierKind::Cycles { start, end, before, after, offset, mirror } => {
            let cycles = |start, end, flags: [bool; 4]| {
                let [before, after, offset, mirror] = flags;
                (end - start >= 1e-6)
                    .then(|| with(ModifierKind::Cycles { start, end, before, after, offset, mirror }))?
            };
            let flags = [before, after, offset, mirror];
            field("graph.from_frame", rate.frame_f64(start), ANY, 0.1).show(ui, ctx, |v| cycles(v * frame, end, flags));
            field("graph.to_frame", rate.frame_f64(end), ANY, 0.1).show(ui, ctx, |v| cycles(start, v * frame, flags));
            let names = ["graph.cycles_before", "graph.cycles_after", "graph.cycles_offset", "graph.cycles_mirror"];
            for (at, name) in names.into_iter().enumerate() {
                let mut on = flags[at];
                if ui.checkbox(&mut on, t(name).as_ref()).clicked() {
                    let mut flags = flags;
                    flags[at] = on;
                    apply(ctx, LABEL, cycles(start, end, flags));
                }
            }
        }
        ModifierKind::Limits { low, high } => {
            let limits = |low: Option<f64>, high: Option<f64>| {
                let ordered = low.zip(high).is_none_or(|(low, high)| low <= high);
                ordered.then(|| with(ModifierKind::Limits { low, high }))?
            };
            for (name, bound, is_low) in [("graph.limit_low", low, true), ("graph.limit_high", high, false)] {
                let set = |bound: Option<f64>| if is_low { limits(bound, high) } else { limits(low, bound) };
                let mut on = bound.is_some();
                if ui.checkbox(&mut on, t(name).as_ref()).clicked() {
                    let start = if is_low { high.unwrap_or(0.0).min(0.0) } else { low.unwrap_or(0.0).max(0.0) };
                    apply(ctx, LABEL, set(on.then_some(start)));
                }
                if let Some(bound) = bound {
                    let field = Field { unit, ..field(name, map.shown(bound), ANY, 0.1) };
                    field.show(ui, ctx, |v| set(Some(map.own(v))));
                }
            }
        }
        ModifierKind::Stepped { step, offset } => {
            let stepped = |step: f64, offset| with(ModifierKind::Stepped { step: step.max(1e-6), offset });
            field("graph.step_frames", step / frame, (1e-3, 1e6), 0.02).show(ui, ctx, |v| stepped(v * frame, offset));
            field("graph.step_offset", offset / frame, ANY, 0.02).show(ui, ctx, |v| stepped(step, v * frame));
        }
        ModifierKind::Smoothing { radius } => {
            field("graph.smooth_radius", radius / frame, (0.01, 1e4), 0.05)
                .show(ui, ctx, |v| with(ModifierKind::Smoothing { radius: (v * frame).max(1e-6) }));
        }
    }
}

/// Where the modifier acts, and how it comes and goes.
fn range_fields(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    modifier: &Modifier,
    with: &dyn Fn(Modifier) -> Option<GraphEdit>,
) {
    let settings = &ctx.document.settings;
    let (rate, frame) = (settings.rate, settings.rate.frame_secs());
    let mut limited = modifier.range.is_some();
    if ui.checkbox(&mut limited, t("graph.modifier_range").as_ref()).clicked() {
        let play = settings.play_range;
        let whole = (rate.secs(play.first), rate.secs(play.last.max(play.first + 1)));
        apply(ctx, LABEL, with(Modifier { range: limited.then_some(whole), ..*modifier }));
    }
    let Some((start, end)) = modifier.range else { return };
    let field = |name, value: f64, range: (f64, f64)| Field { name, label: LABEL, value, unit: "", range, speed: 0.1 };
    const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
    let range =
        |start: f64, end: f64| (start < end).then(|| with(Modifier { range: Some((start, end)), ..*modifier }))?;
    field("graph.from_frame", rate.frame_f64(start), ANY).show(ui, ctx, |v| range(v * frame, end));
    field("graph.to_frame", rate.frame_f64(end), ANY).show(ui, ctx, |v| range(start, v * frame));
    let (come, go) = modifier.blend;
    field("graph.blend_in", come / frame, (0.0, 1e6))
        .show(ui, ctx, |v| with(Modifier { blend: ((v * frame).max(0.0), go), ..*modifier }));
    field("graph.blend_out", go / frame, (0.0, 1e6))
        .show(ui, ctx, |v| with(Modifier { blend: (come, (v * frame).max(0.0)), ..*modifier }));
}

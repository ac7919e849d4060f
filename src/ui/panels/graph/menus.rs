//! The graph's menus at the pointer: interpolation, handles, extrapolation, and all of them by the right button.

use super::{canvas::Canvas, channels::ChannelState, steps::apply};
use crate::{
    command::{Act, CommandId},
    edit::HandleKind,
    interact::tools::{graph_curve::GraphCurve, graph_edits::Editing},
    model::{Extrapolation, Interpolation},
    text::t,
    ui::panel::PanelContext,
};
use egui::{Align, Layout, PopupCloseBehavior, PopupKind, SetOpenCommand, Ui, containers::menu::menu_style};

/// A menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Popup {
    Interpolation,
    Handles,
    Context,
}

/// Those of rotation tracks.
const ROTATIONS: [CommandId; 4] =
    [CommandId::RotationNlerp, CommandId::RotationSlerp, CommandId::RotationSquad, CommandId::RotationCubic];

/// The interpolations, group by group.
pub(in crate::ui::panels) fn interpolations(ui: &mut Ui, ctx: &PanelContext<'_>) {
    for group in Interpolation::GROUPS {
        let group: Vec<CommandId> = group.iter().filter_map(|kind| Act::Interpolation(*kind).command()).collect();
        kinds(ui, ctx, &group);
        ui.separator();
    }
    ui.menu_button(t("graph.rotations").into_owned(), |ui| kinds(ui, ctx, &ROTATIONS));
}

/// The kinds of handles.
pub(super) fn handles(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let all: Vec<CommandId> = HandleKind::ALL.into_iter().filter_map(|kind| Act::Handles(kind).command()).collect();
    kinds(ui, ctx, &all);
}

/// The forms a rotation is held in.
const FORMS: [CommandId; 7] = [
    CommandId::RotationAsXyz,
    CommandId::RotationAsXzy,
    CommandId::RotationAsYxz,
    CommandId::RotationAsYzx,
    CommandId::RotationAsZxy,
    CommandId::RotationAsZyx,
    CommandId::RotationAsQuaternion,
];

/// What the right button offers besides.
const CONTEXT: [CommandId; 16] = [
    CommandId::GrabMove,
    CommandId::DuplicateKeys,
    CommandId::CopyKeys,
    CommandId::PasteKeys,
    CommandId::SnapKeys,
    CommandId::MirrorKeys,
    CommandId::LevelKeys,
    CommandId::EulerFilter,
    CommandId::SmoothKeys,
    CommandId::FlattenKeys,
    CommandId::SimplifyCurves,
    CommandId::BakeCurves,
    CommandId::ConvertBezier,
    CommandId::RippleDelete,
    CommandId::DeleteKeys,
    CommandId::FrameSelected,
];

/// Shows the menu that is open, if one is.
pub(super) fn show(ui: &Ui, ctx: &PanelContext<'_>, canvas: &mut Canvas, channels: &ChannelState) {
    let Some((popup, at)) = canvas.popup else { return };
    let fresh = std::mem::take(&mut canvas.popup_is_new);
    if fresh {
        // What had the focus would keep the arrows; without it they go to the menu's entries.
        ui.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    }
    let id = ui.scope_id().with("graph menu");
    // Open in egui's memory, so that keys know of it as of every other menu.
    egui::Popup::new(id, ui.ctx().clone(), at, ui.layer_id())
        .kind(PopupKind::Menu)
        .layout(Layout::top_down_justified(Align::Min))
        .style(menu_style)
        .gap(0.0)
        .close_behavior(PopupCloseBehavior::CloseOnClick)
        .open_memory(fresh.then_some(SetOpenCommand::Bool(true)))
        .show(|ui| {
            ui.set_min_width(180.0);
            match popup {
                Popup::Interpolation => interpolations(ui, ctx),
                Popup::Handles => handles(ui, ctx),
                Popup::Context => context(ui, ctx, canvas, channels),
            }
        });
    if !egui::Popup::is_id_open(ui.ctx(), id) {
        canvas.popup = None;
    }
}

fn context(ui: &mut Ui, ctx: &PanelContext<'_>, canvas: &Canvas, channels: &ChannelState) {
    ui.menu_button(t("graph.menu_interpolation").into_owned(), |ui| interpolations(ui, ctx));
    ui.menu_button(t("graph.menu_handles").into_owned(), |ui| handles(ui, ctx));
    ui.menu_button(t("graph.menu_before").into_owned(), |ui| extrapolations(ui, ctx, canvas, channels, true));
    ui.menu_button(t("graph.menu_after").into_owned(), |ui| extrapolations(ui, ctx, canvas, channels, false));
    ui.menu_button(t("graph.rotation_form").into_owned(), |ui| commands(ui, ctx, &FORMS))
        .response
        .on_hover_text(t("graph.rotation_form_hint").into_owned());
    ui.separator();
    commands(ui, ctx, &CONTEXT);
}

/// Buttons that run commands for a kind, under the kind's short name.
pub(super) fn kinds(ui: &mut Ui, ctx: &PanelContext<'_>, ids: &[CommandId]) {
    for id in ids {
        let button = named_button(ctx, &t(&format!("graph.{}", id.name())), *id);
        if ui.add_enabled(!ctx.selection.keys.is_empty(), button).clicked() {
            ctx.commands.run(*id);
            ui.close();
        }
    }
}

/// A button of a menu; without a shortcut its name is not followed by a blank.
fn named_button(ctx: &PanelContext<'_>, name: &str, id: CommandId) -> egui::Button<'static> {
    let (button, keys) = (egui::Button::new(name.to_owned()), ctx.keymap.text(id));
    if keys.is_empty() { button } else { button.shortcut_text(keys) }
}

/// Buttons that run commands, with their shortcuts.
fn commands(ui: &mut Ui, ctx: &PanelContext<'_>, ids: &[CommandId]) {
    for id in ids {
        let title = t(id.spec().title);
        let enabled = id.spec().needs != crate::command::Needs::Keys || !ctx.selection.keys.is_empty();
        let button = named_button(ctx, &title, *id);
        if ui.add_enabled(enabled, button).clicked() {
            ctx.commands.run(*id);
            ui.close();
        }
    }
}

/// The curves whose ends a change is for: those with selected keys, else the active one, else all.
fn concerned(canvas: &Canvas, channels: &ChannelState) -> impl Fn(&GraphCurve) -> bool {
    let by_keys = canvas.curves.iter().any(|curve| !curve.selected.is_empty());
    let active = channels.active.filter(|active| canvas.curves.iter().any(|curve| curve.path == *active));
    move |curve| if by_keys { !curve.selected.is_empty() } else { active.is_none_or(|active| curve.path == active) }
}

/// Choices of what curves do beyond their keys.
pub(super) fn extrapolations(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    canvas: &Canvas,
    channels: &ChannelState,
    before: bool,
) {
    let Some(clip) = canvas.clip else { return };
    for kind in Extrapolation::ALL {
        if ui.button(t(extrapolation_name(kind)).into_owned()).clicked() {
            let editing = Editing { curves: &canvas.curves, clip };
            let (pre, post) = if before { (Some(kind), None) } else { (None, Some(kind)) };
            let edit = editing.extrapolate(concerned(canvas, channels), pre, post);
            apply(ctx, "history.extrapolation", edit);
            ui.close();
        }
    }
}

const fn extrapolation_name(kind: Extrapolation) -> &'static str {
    match kind {
        Extrapolation::Constant => "graph.extrapolation_constant",
        Extrapolation::Linear => "graph.extrapolation_linear",
        Extrapolation::Cycle => "graph.extrapolation_cycle",
        Extrapolation::CycleOffset => "graph.extrapolation_cycle_offset",
        Extrapolation::Mirror => "graph.extrapolation_mirror",
    }
}

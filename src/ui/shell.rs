//! What frames the panels: menu bar with workspaces, tool column, status bar.

use super::{
    icons::Icon,
    panel::PanelContext,
    theme::{BODY_PT, GRID_PT, TOOL_PT},
    widgets::{IconButton, tooltip},
};
use crate::{
    command::{Act, Available, COMMANDS, Command, CommandId, CommandSpec, Section, Workspace},
    interact::view_state::ToolId,
    notice::Notice,
    text::{fill, t},
};
use egui::{Align, Layout, RichText, Ui};
use std::path::PathBuf;

/// What the frame shows besides what panels see.
#[derive(Clone, Copy, Debug)]
pub struct ShellState<'a> {
    /// What commands there is ground for.
    pub available: Available,
    /// The workspace in front.
    pub workspace: Workspace,
    /// Files opened lately.
    pub recent: &'a [PathBuf],
    /// The document's name.
    pub name: &'a str,
    /// Whether it is a file.
    pub has_file: bool,
    /// What a click would do.
    pub hint: &'a str,
    /// What runs beside the window: its name, its finished part where known.
    pub job: Option<(&'a str, Option<f64>)>,
}

/// What the frame was asked for that is no command of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellAction {
    /// Another workspace.
    Workspace(Workspace),
    /// The job that runs is to stop.
    CancelJob,
}

/// What a menu leaves of the window's height for the bar and its own frame, points.
const MENU_MARGIN_PT: f32 = 48.0;
/// Commands before which a menu has a line.
const LINES: &[CommandId] = &[
    CommandId::Save,
    CommandId::ExportBvh,
    CommandId::Quit,
    CommandId::SelectAll,
    CommandId::SelectParent,
    CommandId::Palette,
    CommandId::CameraFromView,
    CommandId::AddLattice,
    CommandId::AddBox,
    CommandId::FollowPath,
    CommandId::ToggleSoft,
    CommandId::ShowLatticeLab,
    CommandId::ShowFaceBoard,
    CommandId::BindSkin,
    CommandId::ShowSkinLab,
    CommandId::MakeChain,
    CommandId::SetDrivenKey,
    CommandId::DeleteJoints,
    CommandId::CycleAutoKey,
    CommandId::ClearTranslation,
    CommandId::GrabMove,
    CommandId::ToolSelect,
    CommandId::CycleSpace,
    CommandId::InterpolationStep,
    CommandId::HandlesAuto,
    CommandId::ToggleSnapFrames,
    CommandId::StepBack,
    CommandId::RangeStartHere,
    CommandId::ToggleLoop,
    CommandId::ViewFront,
    CommandId::Hide,
    CommandId::ToggleGrid,
    CommandId::WorkspacePose,
];

/// Commands that open a list at the pointer: they are of no use in a menu.
const NOT_IN_MENUS: &[CommandId] = &[CommandId::InterpolationMenu, CommandId::HandlesMenu];

/// Commands that lie in a menu of their own, by what their names start with, and the title of that menu: one after the other
/// they are more than a small window is high.
const SUBMENUS: &[(&[&str], &str)] = &[
    (&["new_character_"], "menu.new_character"),
    (&["open_sample", "open_moves"], "menu.samples"),
    (&["interpolation_"], "graph.menu_interpolation"),
    (&["handles_"], "graph.menu_handles"),
    (&["simplify_", "bake_curves", "smooth_keys", "flatten_", "convert_", "chebyshev_", "ripple_"], "graph.operations"),
    (&["anticipate", "exaggerate", "overlap_", "compare_timing"], "graph.principles"),
    (&["modifier"], "graph.modifiers"),
    (&["scheme_"], "graph.scheme"),
    (&["plot_", "curve_tools"], "menu.plot"),
    (&["pace_"], "follow.paces"),
    (&["panel_", "show_fk_lab", "show_solver_lab", "show_rotation_lab", "show_retarget"], "menu.panels"),
    (&["make_c"], "history.continuity"),
    (&["mute_curves", "lock_curves", "isolate_curves", "show_curves"], "graph.menu_curves"),
    (&["rotation_"], "graph.rotation"),
    (
        &["select_keys_", "select_previous_", "select_next_", "extend_previous_", "extend_next_", "nudge_"],
        "graph.menu_keys",
    ),
    (&["kind_"], "graph.menu_kinds"),
    (&["clear_translation", "clear_rotation", "clear_scale", "clear_to_rest"], "menu.clear"),
    (&["mirror_clip", "cycle_in_place", "cycle_travel"], "menu.whole_clip"),
    (&["roll_"], "menu.roll"),
    (&["tool_"], "menu.tools"),
    (&["pin_", "plant_", "split_pin", "key_pin", "unpin"], "menu.pins"),
    (
        &[
            "hold_limb",
            "release_limbs",
            "toggle_body_help",
            "toggle_hold_",
            "toggle_balance",
            "toggle_ground",
            "toggle_soft_reach",
            "toggle_limits",
            "toggle_hands_",
            "toggle_head_",
            "toggle_snap_grid",
        ],
        "menu.dragging",
    ),
];

/// The text key of the menu of its own that a command lies in, if any.
#[must_use]
pub fn submenu_of(spec: &CommandSpec) -> Option<&'static str> {
    let starts = |(starts, _): &&(&[&str], _)| starts.iter().any(|start| name_of(spec.title).starts_with(start));
    SUBMENUS.iter().find(starts).map(|(_, title)| *title)
}

/// A command's name in its title's key.
fn name_of(title: &str) -> &str {
    title.split_once('.').map_or(title, |(_, name)| name)
}

/// The menu bar with the workspaces at its right.
pub fn menu_bar(ui: &mut Ui, ctx: &PanelContext<'_>, state: &ShellState<'_>) -> Option<ShellAction> {
    let mut action = None;
    egui::MenuBar::new().ui(ui, |ui| {
        ui.set_min_height(ui.available_height());
        for section in Section::ALL {
            ui.menu_button(t(section.title()).into_owned(), |ui| {
                ui.set_min_width(220.0);
                // A menu longer than the window is high is scrolled.
                let height = (ui.ctx().content_rect().height() - MENU_MARGIN_PT).max(100.0);
                egui::ScrollArea::vertical()
                    .max_height(height)
                    .min_scrolled_height(height)
                    .show(ui, |ui| menu(ui, ctx, state, section));
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for workspace in Workspace::ALL.into_iter().rev() {
                let chosen = workspace == state.workspace;
                if ui.selectable_label(chosen, t(workspace.title()).into_owned()).clicked() && !chosen {
                    action = Some(ShellAction::Workspace(workspace));
                }
            }
            ui.add_space(GRID_PT);
            ui.weak(t("workspace.label").into_owned());
        });
    });
    action
}

fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, state: &ShellState<'_>, section: Section) {
    let in_menu = COMMANDS.iter().filter(|spec| spec.section == section && !NOT_IN_MENUS.contains(&spec.id));
    let mut specs = in_menu.peekable();
    while let Some(spec) = specs.next() {
        if LINES.contains(&spec.id) {
            ui.separator();
        }
        if let Some(title) = submenu_of(spec) {
            let mut inner = vec![spec.id];
            while let Some(next) = specs.next_if(|next| submenu_of(next) == Some(title)) {
                inner.push(next.id);
            }
            ui.menu_button(t(title).into_owned(), |ui| {
                for id in &inner {
                    menu_item(ui, ctx, state, *id);
                }
            });
            continue;
        }
        menu_item(ui, ctx, state, spec.id);
        if spec.id == CommandId::Open {
            recent_menu(ui, ctx, state);
        }
    }
}

fn menu_item(ui: &mut Ui, ctx: &PanelContext<'_>, state: &ShellState<'_>, id: CommandId) {
    let title = t(id.spec().title);
    let (button, keys) = (egui::Button::new(&*title).selected(is_on(ctx, state, id)), ctx.keymap.text(id));
    // An empty text would still be a part of the row's name.
    let button = if keys.is_empty() { button } else { button.shortcut_text(keys) };
    let response = ui.add_enabled(id.spec().needs.met(state.available), button);
    let hint = hint_of(id);
    let response = if hint.is_empty() { response } else { response.on_hover_text(hint) };
    if response.clicked() {
        ctx.commands.run(id);
        ui.close();
    }
}

/// The line that explains a command; empty where its title says all.
#[must_use]
pub fn hint_of(id: CommandId) -> String {
    let key = format!("{}_hint", id.spec().title);
    if crate::text::has(&key) { t(&key).into_owned() } else { String::new() }
}

/// Whether a command that switches something shows as on.
fn is_on(ctx: &PanelContext<'_>, state: &ShellState<'_>, id: CommandId) -> bool {
    let view = ctx.view;
    match id {
        CommandId::ToggleGrid => view.viewport.grid,
        CommandId::ToggleBones => view.viewport.bones,
        CommandId::ToggleMannequin => view.viewport.mannequin,
        CommandId::ToggleMesh => view.viewport.mesh,
        CommandId::ToggleNames => view.viewport.names,
        CommandId::ToggleFollow => view.viewport.follow,
        CommandId::ToggleLoop => view.looping,
        CommandId::ToggleDropFrames => view.drop_policy == crate::interact::view_state::DropPolicy::DropFrames,
        CommandId::ToggleSnapFrames => view.snap.frames,
        CommandId::ToggleBodyHelp => view.drag.help,
        CommandId::ToggleHoldFeet => view.drag.hold_feet,
        CommandId::ToggleHoldHands => view.drag.hold_hands,
        CommandId::ToggleBalance => view.drag.balance,
        CommandId::ToggleGround => view.drag.ground,
        CommandId::ToggleSoftReach => view.drag.soft,
        CommandId::ToggleLimits => view.drag.limits,
        CommandId::ToggleHandsInWorld => view.drag.hands_in_world,
        CommandId::ToggleHeadLooks => view.drag.head_looks,
        CommandId::ToggleSnapGrid => view.drag.to_grid,
        CommandId::ToggleRest => view.rest.on,
        CommandId::Isolate => view.isolated.is_some(),
        other => match other.spec().act {
            Some(Act::Workspace(workspace)) => workspace == state.workspace,
            _ => tool_of(other).is_some_and(|tool| tool == view.tool),
        },
    }
}

fn recent_menu(ui: &mut Ui, ctx: &PanelContext<'_>, state: &ShellState<'_>) {
    ui.menu_button(t("menu.recent").into_owned(), |ui| {
        if state.recent.is_empty() {
            ui.weak(t("menu.recent_none").into_owned());
        }
        for path in state.recent {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            if ui.button(&*name).on_hover_text(path.display().to_string()).clicked() {
                ctx.commands.send(Command::Open(path.clone()));
                ui.close();
            }
        }
    });
}

const fn tool_of(id: CommandId) -> Option<ToolId> {
    match id {
        CommandId::ToolSelect => Some(ToolId::Select),
        CommandId::ToolDragLimb => Some(ToolId::DragLimb),
        CommandId::ToolMove => Some(ToolId::Move),
        CommandId::ToolRotate => Some(ToolId::Rotate),
        CommandId::ToolDrawPath => Some(ToolId::DrawPath),
        CommandId::ToolPull => Some(ToolId::Pull),
        CommandId::ToolMask => Some(ToolId::Mask),
        CommandId::ToolPaintWeights => Some(ToolId::PaintWeights),
        CommandId::ToolPaintMask => Some(ToolId::PaintMask),
        _ => None,
    }
}

/// The command that takes a tool in hand, and its icon.
#[must_use]
pub const fn tool_command(tool: ToolId) -> (CommandId, Icon) {
    match tool {
        ToolId::Select => (CommandId::ToolSelect, Icon::Select),
        ToolId::DragLimb => (CommandId::ToolDragLimb, Icon::DragLimb),
        ToolId::Move => (CommandId::ToolMove, Icon::Move),
        ToolId::Rotate => (CommandId::ToolRotate, Icon::Rotate),
        ToolId::DrawPath => (CommandId::ToolDrawPath, Icon::Path),
        ToolId::Pull => (CommandId::ToolPull, Icon::Pull),
        ToolId::Mask => (CommandId::ToolMask, Icon::Brush),
        ToolId::PaintWeights => (CommandId::ToolPaintWeights, Icon::Weights),
        ToolId::PaintMask => (CommandId::ToolPaintMask, Icon::PaintMask),
    }
}

/// The column of tools.
pub fn tool_column(ui: &mut Ui, ctx: &PanelContext<'_>) {
    ui.spacing_mut().item_spacing.y = GRID_PT / 2.0;
    for tool in ToolId::ALL {
        let (command, icon) = tool_command(tool);
        let button = IconButton::new(icon, &t(command.spec().title))
            .selected(ctx.view.tool == tool)
            .side(TOOL_PT)
            .shortcut(&ctx.keymap.text(command))
            .hint(&hint_of(command))
            .show(ui);
        if button.clicked() {
            ctx.commands.run(command);
        }
    }
}

/// The status bar.
pub fn status_bar(ui: &mut Ui, ctx: &PanelContext<'_>, state: &ShellState<'_>) -> Option<ShellAction> {
    let mut action = None;
    if let Some(text) = crate::ui::widgets::drag_field::take_refused(ui) {
        let shown: String = text.chars().take(40).collect();
        ctx.commands.send(Command::Tell(Notice::warn(fill("edit.no_number", &[("text", &shown)]))));
    }
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            saved(ui, ctx, state);
            if let Some(fps) = ctx.playing.achieved_fps {
                ui.separator();
                ui.weak(fill("status.fps", &[("fps", &format!("{fps:.0}"))]));
            }
            if let Some((name, fraction)) = state.job {
                ui.separator();
                if ui.small_button(t("status.cancel").into_owned()).clicked() {
                    action = Some(ShellAction::CancelJob);
                }
                let bar =
                    egui::ProgressBar::new(fraction.unwrap_or(0.0) as f32).desired_width(96.0).desired_height(6.0);
                ui.add(bar.fill(ctx.colours.accent));
                ui.weak(name);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(
                    egui::Label::new(RichText::new(state.hint).size(BODY_PT - 1.0).color(ctx.colours.weak)).truncate(),
                );
            });
        });
    });
    action
}

fn saved(ui: &mut Ui, ctx: &PanelContext<'_>, state: &ShellState<'_>) {
    let (key, colour) = match (ctx.session.is_modified(), state.has_file) {
        (true, _) => ("status.unsaved", ctx.colours.text),
        (false, true) => ("status.saved", ctx.colours.weak),
        (false, false) => ("status.no_file", ctx.colours.weak),
    };
    let text = fill(key, &[("name", &state.name)]);
    let response = ui.label(RichText::new(text).size(BODY_PT - 1.0).color(colour));
    response.on_hover_ui(|ui| tooltip(ui, state.name, &ctx.keymap.text(CommandId::Save), ""));
}

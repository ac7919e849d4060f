//! The small bar in the view's corner: the gizmos' axes, what is drawn, where it is seen from.

use super::bar;
use super::{onion, rest, trails};
use crate::{
    command::{CommandId, PanelId},
    interact::{
        projection::Projection,
        view_state::{ToolId, TransformSpace, ViewChange, ViewState, ViewportOptions},
    },
    text::t,
    ui::{
        about,
        icons::Icon,
        panel::PanelContext,
        shell::hint_of,
        widgets::{DragField, FieldEdit, IconButton, set_name},
    },
};
use egui::{ComboBox, Rect, Ui, Vec2};

/// Shows the bar in the top left corner, in two rows where one is too long, and gives its place.
pub(super) fn show(ui: &mut Ui, panel: Rect, ctx: &PanelContext<'_>) -> Rect {
    bar::show(ui, (panel, panel.min + Vec2::splat(8.0)), ctx, None, |ui| contents(ui, ctx))
}

fn contents(ui: &mut Ui, ctx: &PanelContext<'_>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    space(ui, ctx);
    ui.separator();
    let options = ctx.view.viewport;
    let toggle = |ui: &mut Ui, icon: Icon, id: CommandId, on: bool, flipped: ViewportOptions| {
        let name = t(id.spec().title);
        let (shortcut, hint) = (ctx.keymap.text(id), hint_of(id));
        if IconButton::new(icon, &name).shortcut(&shortcut).hint(&hint).selected(on).show(ui).clicked() {
            ctx.commands.view(ViewChange::Viewport(flipped));
        }
    };
    let (mannequin, bones) = (options.mannequin, options.bones);
    toggle(
        ui,
        Icon::Mannequin,
        CommandId::ToggleMannequin,
        mannequin,
        ViewportOptions { mannequin: !mannequin, ..options },
    );
    let mesh = options.mesh;
    toggle(ui, Icon::Mesh, CommandId::ToggleMesh, mesh, ViewportOptions { mesh: !mesh, ..options });
    toggle(ui, Icon::Bones, CommandId::ToggleBones, bones, ViewportOptions { bones: !bones, ..options });
    toggle(ui, Icon::Grid, CommandId::ToggleGrid, options.grid, ViewportOptions { grid: !options.grid, ..options });
    toggle(
        ui,
        Icon::Names,
        CommandId::ToggleNames,
        options.names,
        ViewportOptions { names: !options.names, ..options },
    );
    onion::show(ui, ctx);
    trails::show(ui, ctx);
    if ctx.view.tool == ToolId::DrawPath {
        ui.separator();
        draw_within(ui, ctx);
    }
    ui.separator();
    rest::switch(ui, ctx);
    level_hands(ui, ctx);
    drag_menu(ui, ctx);
    view_menu(ui, ctx);
    about::button(ui, ctx, PanelId::Viewport);
}

/// How near a path drawn freehand stays to the stroke.
fn draw_within(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let name = t("path.within");
    let (low, high) = ViewState::DRAW_WITHIN;
    let field = DragField::new(&name, ctx.view.draw_within).unit("pt").decimals(1).speed(0.05).range(low, high);
    let (response, edits) = field.width(64.0).rests_at(ViewState::default().draw_within).show(ui);
    response.on_hover_text(t("path.within_hint").into_owned());
    for edit in edits {
        if let FieldEdit::Change(points) = edit {
            ctx.commands.view(ViewChange::DrawWithin(points));
        }
    }
}

/// Switches of the drag; a gap before each group.
const DRAG: &[&[CommandId]] = &[
    &[CommandId::ToggleBodyHelp, CommandId::ToggleBalance],
    &[CommandId::ToggleHoldFeet, CommandId::ToggleHoldHands, CommandId::HoldLimb, CommandId::ReleaseLimbs],
    &[CommandId::ToggleLimits, CommandId::ToggleHandsInWorld, CommandId::ToggleHeadLooks],
    &[CommandId::ToggleGround, CommandId::ToggleSoftReach, CommandId::ToggleSnapGrid],
];

/// Whether hands keep their rotation in the world: of the drag's switches the one that is turned most often.
fn level_hands(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let id = CommandId::ToggleHandsInWorld;
    let (name, shortcut, hint) = (t(id.spec().title), ctx.keymap.text(id), hint_of(id));
    let button = IconButton::new(Icon::LevelHand, &name).shortcut(&shortcut).hint(&hint);
    if button.selected(ctx.view.drag.hands_in_world).show(ui).clicked() {
        ctx.commands.run(id);
    }
}

fn drag_menu(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let drag = &ctx.view.drag;
    let response = ui.menu_button(t("viewport.drag"), |ui| {
        for (index, group) in DRAG.iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            for &id in *group {
                let on = match id {
                    CommandId::ToggleBodyHelp => Some(drag.help),
                    CommandId::ToggleBalance => Some(drag.balance),
                    CommandId::ToggleHoldFeet => Some(drag.hold_feet),
                    CommandId::ToggleHoldHands => Some(drag.hold_hands),
                    CommandId::ToggleGround => Some(drag.ground),
                    CommandId::ToggleSoftReach => Some(drag.soft),
                    CommandId::ToggleLimits => Some(drag.limits),
                    CommandId::ToggleHandsInWorld => Some(drag.hands_in_world),
                    CommandId::ToggleHeadLooks => Some(drag.head_looks),
                    CommandId::ToggleSnapGrid => Some(drag.to_grid),
                    _ => None,
                };
                let title = t(id.spec().title);
                let shown = match on {
                    Some(mut on) => ui.checkbox(&mut on, title),
                    None => ui.button(title),
                };
                if shown.on_hover_text(hint_of(id)).clicked() {
                    ctx.commands.run(id);
                    ui.close();
                }
            }
        }
    });
    response.response.on_hover_text(t("viewport.drag_hint"));
}

fn space(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let key = |space: TransformSpace| match space {
        TransformSpace::Local => "space.local",
        TransformSpace::Parent => "space.parent",
        TransformSpace::World => "space.world",
    };
    let now = ctx.view.space;
    let combo = ComboBox::from_id_salt("space").width(76.0).selected_text(t(key(now)));
    let response = combo.show_ui(ui, |ui| {
        for space in TransformSpace::ALL {
            if ui.selectable_label(space == now, t(key(space))).clicked() {
                ctx.commands.view(ViewChange::Space(space));
            }
        }
    });
    set_name(ui, &response.response, &t("viewport.space"));
    response.response.on_hover_text(t("viewport.space_hint"));
}

/// Commands of the view's menu; a gap before each group.
const VIEW: &[&[CommandId]] = &[
    &[CommandId::FrameAll, CommandId::FrameSelected],
    &[
        CommandId::ViewFront,
        CommandId::ViewBack,
        CommandId::ViewRight,
        CommandId::ViewLeft,
        CommandId::ViewTop,
        CommandId::ViewBottom,
    ],
    &[CommandId::TogglePerspective, CommandId::ToggleFollow],
];

fn view_menu(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let title = match ctx.view.camera.projection {
        Projection::Perspective => "viewport.perspective",
        Projection::Orthographic => "viewport.orthographic",
    };
    ui.menu_button(t(title), |ui| {
        for (index, group) in VIEW.iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            for &id in *group {
                let on = id == CommandId::ToggleFollow && ctx.view.viewport.follow;
                let button = egui::Button::selectable(on, t(id.spec().title)).shortcut_text(ctx.keymap.text(id));
                if ui.add(button).on_hover_text(hint_of(id)).clicked() {
                    ctx.commands.run(id);
                    ui.close();
                }
            }
        }
    });
}

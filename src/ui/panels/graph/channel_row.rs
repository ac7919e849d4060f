//! A channel's row in the tree: its colour and letter, and what it can be: muted, locked, hidden, alone.

use super::{
    channels::{ChannelState, Listing, full_name, letter, property_name},
    tree::{SMALL_PT, lane_colour},
};
use crate::{
    edit::{CurveEdit, CurveRef},
    interact::view_state::ViewChange,
    model::{ChannelPath, ClipId, Component},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        theme::{GRID_PT, ROW_PT},
        widgets::IconButton,
    },
};
use egui::{Align2, Color32, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

/// How a channel's row looks.
#[derive(Clone, Copy)]
struct Look {
    active: bool,
    hidden: bool,
    muted: bool,
    captured: bool,
}

/// Shows the row.
pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    (listing, state): (&Listing, &mut ChannelState),
    path: ChannelPath,
    captured: bool,
) {
    let name = full_name(ctx.document, path);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), ROW_PT - 2.0), Sense::hover());
    let own = rect.with_max_x(rect.right() - 3.0 * SMALL_PT);
    let response = ui.interact(own, ui.scope_id().with("row"), Sense::click());
    let active = state.active == Some(path);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, active, &name));
    if response.clicked() {
        state.active = Some(path);
    }
    let response = if captured { response.on_hover_text(t("graph.captured_hint")) } else { response };
    let seen = &ctx.view.curves;
    let look = Look { active, hidden: seen.hidden.contains(&path), muted: is_muted(ctx, listing, path), captured };
    paint(ui, ctx, &response, rect, path, look);
    let over = ui.rect_contains_pointer(rect);
    let button = |ui: &mut Ui, place: f32, icon: Icon, key: &str, on: bool| {
        let corner = pos2(rect.right() - place * SMALL_PT, rect.top());
        let rect = Rect::from_min_size(corner, Vec2::new(SMALL_PT, rect.height()));
        let (name, hint) = (fill(key, &[("name", &name)]), t(&format!("{key}_hint")));
        let builder = egui::UiBuilder::new().max_rect(rect).id_salt(key);
        // What is off shows with the pointer near, but can be reached by keyboard at any time.
        let colour = if on || over { ctx.colours.text } else { Color32::TRANSPARENT };
        let button = IconButton::new(icon, &name).hint(&hint).side(SMALL_PT).colour(colour);
        ui.scope_builder(builder, |ui| button.show(ui)).inner.clicked()
    };
    if button(ui, 3.0, Icon::Muted, "graph.mute", look.muted) {
        mute(ctx, listing, &[path], !look.muted);
    }
    let locked = seen.locked.contains(&path);
    if button(ui, 2.0, if locked { Icon::Lock } else { Icon::Unlock }, "graph.lock", locked) {
        ctx.commands.view(ViewChange::Curves(seen.with_locked([path], !locked)));
    }
    if button(ui, 1.0, if look.hidden { Icon::EyeOff } else { Icon::Eye }, "graph.eye", true) {
        if ui.input(|input| input.modifiers.alt) {
            isolate(ctx, listing, &[path]);
        } else {
            ctx.commands.view(ViewChange::Curves(seen.with_hidden([path], !look.hidden)));
        }
    }
}

/// Whether a channel's curve is switched off.
pub(super) fn is_muted(ctx: &PanelContext<'_>, listing: &Listing, path: ChannelPath) -> bool {
    if listing.clip == ClipId::DRIVERS {
        return ctx.document.driver_of(path).is_some_and(|driver| driver.muted);
    }
    ctx.document.clip(listing.clip).is_some_and(|clip| clip.muted.contains(&path))
}

/// Switches curves off or on.
pub(super) fn mute(ctx: &PanelContext<'_>, listing: &Listing, paths: &[ChannelPath], muted: bool) {
    let curves = paths.iter().map(|path| CurveRef { clip: listing.clip, path: *path }).collect();
    let label = if muted { "history.mute_curves" } else { "history.unmute_curves" };
    ctx.commands.apply(label, CurveEdit::Mute { curves, muted }.into());
}

/// Shows some channels alone; all again where they are alone already.
pub(super) fn isolate(ctx: &PanelContext<'_>, listing: &Listing, paths: &[ChannelPath]) {
    let listed: Vec<ChannelPath> = listing.channels.iter().map(|(path, _)| *path).collect();
    ctx.commands.view(ViewChange::Curves(ctx.view.curves.isolated(&listed, paths)));
}

fn paint(ui: &Ui, ctx: &PanelContext<'_>, response: &egui::Response, rect: Rect, path: ChannelPath, look: Look) {
    let colours = ctx.colours;
    let fill = if look.active {
        colours.accent_ground
    } else if response.hovered() {
        colours.button
    } else {
        Color32::TRANSPARENT
    };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 3.0, fill);
    if response.has_focus() {
        painter.rect_stroke(rect, 3.0, ui.visuals().selection.stroke, egui::StrokeKind::Inside);
    }
    let weak = look.hidden || look.muted;
    let colour = if weak { colours.weak } else { lane_colour(ctx, path.component, 0) };
    let text = match (look.active, weak) {
        (true, _) => colours.accent_text,
        (false, true) => colours.weak,
        (false, false) => colours.text,
    };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut at = pos2(rect.left() + GRID_PT + 44.0, rect.center().y);
    let named = if path.component == Component::Whole {
        painter.text(at, Align2::LEFT_CENTER, t("graph.quaternion"), font.clone(), text)
    } else {
        let dot = Rect::from_center_size(pos2(at.x - 6.0, at.y), Vec2::splat(8.0));
        painter.rect_filled(dot, 2.0, colour);
        let name = match path.component {
            Component::Only => property_name(path.property),
            component => letter(component, 0).to_owned(),
        };
        // A long name ends before the buttons.
        let room = painter.with_clip_rect(painter.clip_rect().with_max_x(rect.right() - 3.0 * SMALL_PT));
        room.text(at + Vec2::new(4.0, 0.0), Align2::LEFT_CENTER, name, font.clone(), text)
    };
    if look.muted {
        let y = named.center().y;
        painter.hline(named.left() - 14.0..=named.right() + 2.0, y, egui::Stroke::new(1.0, colours.weak));
    }
    at = named.right_center();
    if look.captured {
        let small = egui::TextStyle::Small.resolve(ui.style());
        // The buttons that are not shown leave their room; a cut word says nothing, so dots stand for it.
        let shown = if look.muted || ui.rect_contains_pointer(rect) { 3.0 } else { 1.0 };
        let room = rect.right() - shown * SMALL_PT - at.x - 8.0;
        let whole = painter.layout_no_wrap(t("graph.captured").into_owned(), small.clone(), colours.weak);
        let badge =
            if whole.size().x <= room { whole } else { painter.layout_no_wrap("…".into(), small, colours.weak) };
        let corner = pos2(at.x + 8.0, at.y - badge.size().y / 2.0);
        painter.galley(corner, badge, colours.weak);
    }
}

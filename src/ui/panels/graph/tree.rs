//! The channel tree beside the graph: joints, properties, components; search, eyes, locks.

use super::channels::{ChannelState, Listing, full_name, letter, property_name, target_name};
use crate::{
    model::{ChannelPath, Component, Property, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        theme::{GRID_PT, ROW_PT},
        widgets::{IconButton, search_field, tree::Row},
    },
};
use egui::{Align2, Color32, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

/// With more targets than this, all but the active one are folded at first.
const OPEN_TARGETS: usize = 4;
/// Side of a row's small buttons, points.
const SMALL_PT: f32 = 18.0;

/// One row of the tree.
#[derive(Clone, Debug)]
enum Line {
    Target { target: Target, open: bool },
    Property { target: Target, property: Property },
    Channel { path: ChannelPath, captured: bool },
}

/// Shows the tree.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, listing: Option<&Listing>, state: &mut ChannelState) {
    search_field(ui, &t("graph.search"), &mut state.filter);
    ui.add_space(2.0);
    let Some(listing) = listing.filter(|listing| !listing.channels.is_empty()) else {
        let key = if state.filter.is_empty() { "graph.no_channels" } else { "graph.not_found" };
        ui.add(egui::Label::new(egui::RichText::new(fill(key, &[("filter", &state.filter)])).weak()).wrap());
        return;
    };
    let lines = lines(listing, ctx, state);
    ui.spacing_mut().item_spacing.y = 0.0;
    let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]);
    scroll.show_rows(ui, ROW_PT - 2.0, lines.len(), |ui, range| {
        for line in lines.get(range).unwrap_or_default() {
            match line {
                Line::Target { target, open } => {
                    ui.push_id(target, |ui| target_row(ui, ctx, listing, state, *target, *open));
                }
                Line::Property { target, property } => {
                    ui.push_id((target, property), |ui| property_row(ui, listing, state, *target, *property));
                }
                Line::Channel { path, captured } => {
                    ui.push_id(path, |ui| channel_row(ui, ctx, state, *path, *captured));
                }
            }
        }
    });
}

fn lines(listing: &Listing, ctx: &PanelContext<'_>, state: &ChannelState) -> Vec<Line> {
    let mut targets: Vec<Target> = listing.channels.iter().map(|(path, _)| path.target).collect();
    targets.dedup();
    let mut lines = Vec::new();
    let (mut target, mut property) = (None, None);
    let mut open = true;
    for (path, curve) in &listing.channels {
        if target != Some(path.target) {
            target = Some(path.target);
            property = None;
            let by_rule = targets.len() <= OPEN_TARGETS || ctx.selection.active == Some(path.target);
            open = by_rule != state.toggled.contains(&path.target) || !state.filter.is_empty();
            lines.push(Line::Target { target: path.target, open });
        }
        if !open {
            continue;
        }
        if property != Some(path.property) {
            property = Some(path.property);
            lines.push(Line::Property { target: path.target, property: path.property });
        }
        lines.push(Line::Channel { path: *path, captured: curve.is_sampled() });
    }
    lines
}

fn target_row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    listing: &Listing,
    state: &mut ChannelState,
    target: Target,
    open: bool,
) {
    let name = target_name(ctx.document, target);
    let icon = if target.joint().is_some() { Icon::Joint } else { Icon::Rig };
    let of_target = |path: &ChannelPath| path.target == target;
    let weak = all(listing, of_target, |path| state.hidden.contains(path));
    let row = Row { name: &name, icon, depth: 0, open: Some(open), selected: false, weak, right: SMALL_PT }.show(ui);
    if row.toggled || row.row.clicked() {
        toggle(&mut state.toggled, target);
    }
    eye(ui, row.right, &name, listing, of_target, state);
}

fn property_row(ui: &mut Ui, listing: &Listing, state: &mut ChannelState, target: Target, property: Property) {
    let name = property_name(property);
    let icon = match property {
        Property::Translation => Icon::Move,
        Property::Rotation => Icon::Rotate,
        Property::Scale => Icon::Select,
        Property::Influence => Icon::Pin,
        _ => Icon::Path,
    };
    let of_property = |path: &ChannelPath| path.target == target && path.property == property;
    let weak = all(listing, of_property, |path| state.hidden.contains(path));
    let row = Row { name: &name, icon, depth: 1, open: None, selected: false, weak, right: SMALL_PT }.show(ui);
    eye(ui, row.right, &name, listing, of_property, state);
}

fn channel_row(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut ChannelState, path: ChannelPath, captured: bool) {
    let name = full_name(ctx.document, path);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), ROW_PT - 2.0), Sense::hover());
    let buttons = Rect::from_min_max(pos2(rect.right() - 2.0 * SMALL_PT, rect.top()), rect.max);
    let own = rect.with_max_x(buttons.left());
    let response = ui.interact(own, ui.scope_id().with("row"), Sense::click());
    let active = state.active == Some(path);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, active, &name));
    if response.clicked() {
        state.active = Some(path);
    }
    let hidden = state.hidden.contains(&path);
    paint_channel(ui, ctx, &response, rect, path, (active, hidden, captured));
    let eye = Rect::from_min_size(pos2(rect.right() - SMALL_PT, rect.top()), Vec2::new(SMALL_PT, rect.height()));
    let response =
        small_button(ui, eye, if hidden { Icon::EyeOff } else { Icon::Eye }, &fill("graph.eye", &[("name", &name)]));
    if response.clicked() {
        if ui.input(|input| input.modifiers.alt) {
            isolate(state, path, ctx);
        } else {
            toggle(&mut state.hidden, path);
        }
    }
    let locked = state.locked.contains(&path);
    let lock = eye.translate(Vec2::new(-SMALL_PT, 0.0));
    if locked || ui.rect_contains_pointer(rect) {
        let icon = if locked { Icon::Lock } else { Icon::Unlock };
        if small_button(ui, lock, icon, &fill("graph.lock", &[("name", &name)])).clicked() {
            toggle(&mut state.locked, path);
        }
    }
}

fn paint_channel(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    response: &egui::Response,
    rect: Rect,
    path: ChannelPath,
    (active, hidden, captured): (bool, bool, bool),
) {
    let colours = ctx.colours;
    let fill = if active {
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
    let colour = lane_colour(ctx, path.component, 0);
    let colour = if hidden { colours.weak } else { colour };
    let text = match (active, hidden) {
        (true, _) => colours.accent_text,
        (false, true) => colours.weak,
        (false, false) => colours.text,
    };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut at = pos2(rect.left() + GRID_PT + 44.0, rect.center().y);
    if path.component == Component::Whole {
        at = painter.text(at, Align2::LEFT_CENTER, t("graph.quaternion"), font.clone(), text).right_center();
    } else {
        let dot = Rect::from_center_size(pos2(at.x - 6.0, at.y), Vec2::splat(8.0));
        painter.rect_filled(dot, 2.0, colour);
        at = painter
            .text(at + Vec2::new(4.0, 0.0), Align2::LEFT_CENTER, letter(path.component, 0), font.clone(), text)
            .right_center();
    }
    if captured {
        let small = egui::TextStyle::Small.resolve(ui.style());
        painter.text(at + Vec2::new(8.0, 0.0), Align2::LEFT_CENTER, t("graph.captured"), small, colours.weak);
    }
}

/// The colour of a component, or of a lane of a rotation track.
pub(super) fn lane_colour(ctx: &PanelContext<'_>, component: Component, lane: usize) -> Color32 {
    let axis = component.axis().unwrap_or(lane);
    ctx.colours.axes.get(axis).copied().unwrap_or(ctx.colours.warn)
}

fn small_button(ui: &mut Ui, rect: Rect, icon: Icon, name: &str) -> egui::Response {
    let builder = egui::UiBuilder::new().max_rect(rect).id_salt((name, "small"));
    ui.scope_builder(builder, |ui| IconButton::new(icon, name).side(SMALL_PT).show(ui)).inner
}

/// A group's eye: shows all of its channels, or hides all where none is hidden.
fn eye(
    ui: &mut Ui,
    rect: Rect,
    name: &str,
    listing: &Listing,
    of_group: impl Fn(&ChannelPath) -> bool,
    state: &mut ChannelState,
) {
    let any_hidden = listing.channels.iter().any(|(path, _)| of_group(path) && state.hidden.contains(path));
    let icon = if any_hidden { Icon::EyeOff } else { Icon::Eye };
    if small_button(ui, rect, icon, &fill("graph.eye", &[("name", &name)])).clicked() {
        for (path, _) in listing.channels.iter().filter(|(path, _)| of_group(path)) {
            if any_hidden {
                state.hidden.remove(path);
            } else {
                state.hidden.insert(*path);
            }
        }
    }
}

/// Shows one channel alone; all again where it is alone already.
fn isolate(state: &mut ChannelState, path: ChannelPath, ctx: &PanelContext<'_>) {
    let Some(listing) = Listing::new(ctx, state) else { return };
    let alone = listing.channels.iter().all(|(other, _)| (*other == path) != state.hidden.contains(other));
    state.hidden.clear();
    if !alone {
        state.hidden.extend(listing.channels.iter().map(|(other, _)| *other).filter(|other| *other != path));
    }
}

fn all(listing: &Listing, of: impl Fn(&ChannelPath) -> bool, is: impl Fn(&ChannelPath) -> bool) -> bool {
    listing.channels.iter().filter(|(path, _)| of(path)).all(|(path, _)| is(path))
}

fn toggle<T: Ord>(set: &mut std::collections::BTreeSet<T>, item: T) {
    if !set.remove(&item) {
        set.insert(item);
    }
}

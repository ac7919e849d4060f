//! The channel tree beside the graph: joints, properties, components; search, eyes, locks.

use super::{
    channel_row,
    channels::{ChannelState, Listing, property_name, target_name},
};
use crate::{
    interact::view_state::ViewChange,
    model::{ChannelPath, Component, Property, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::outliner::icon_of,
        theme::ROW_PT,
        widgets::{IconButton, search_field, tree::Row},
    },
};
use egui::{Color32, Rect, Ui};

/// With more targets than this, all but the active one are folded at first.
const OPEN_TARGETS: usize = 4;
/// Side of a row's small buttons, points.
pub(super) const SMALL_PT: f32 = 18.0;

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
        let key = match (state.filter.is_empty(), ctx.view.drive.graph) {
            (true, false) => "graph.no_channels",
            (true, true) => "graph.no_drivers",
            (false, _) => "graph.not_found",
        };
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
                    ui.push_id((target, property), |ui| property_row(ui, ctx, listing, *target, *property));
                }
                Line::Channel { path, captured } => {
                    ui.push_id(path, |ui| channel_row::show(ui, ctx, (listing, state), *path, *captured));
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
            open = state.opened.get(&path.target).copied().unwrap_or(by_rule) || !state.filter.is_empty();
            lines.push(Line::Target { target: path.target, open });
        }
        if !open {
            continue;
        }
        // What has one number is one row: its property would be called the same.
        if property != Some(path.property) && path.component != Component::Only {
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
    let icon = match target {
        _ if target.joint().is_some() => Icon::Joint,
        _ => ctx.document.object(target.object()).map_or(Icon::Rig, |object| icon_of(object)),
    };
    let of_target = |path: &ChannelPath| path.target == target;
    let weak = all(listing, of_target, |path| ctx.view.curves.hidden.contains(path));
    let row =
        Row { name: &name, icon, depth: 0, open: Some(open), selected: false, weak, right: SMALL_PT, ..Row::default() }
            .show(ui);
    if row.toggled || row.row.clicked() {
        state.opened.insert(target, !open);
    }
    eye(ui, ctx, row.right, &name, listing, of_target);
}

fn property_row(ui: &mut Ui, ctx: &PanelContext<'_>, listing: &Listing, target: Target, property: Property) {
    let name = property_name(property);
    let icon = match property {
        Property::Translation => Icon::Move,
        Property::Rotation => Icon::Rotate,
        Property::Scale => Icon::Select,
        Property::Influence => Icon::Pin,
        _ => Icon::Path,
    };
    let of_property = |path: &ChannelPath| path.target == target && path.property == property;
    let weak = all(listing, of_property, |path| ctx.view.curves.hidden.contains(path));
    let row = Row { name: &name, icon, depth: 1, open: None, selected: false, weak, right: SMALL_PT, ..Row::default() }
        .show(ui);
    eye(ui, ctx, row.right, &name, listing, of_property);
}

/// The colour of a component, or of a lane of a rotation track.
pub(super) fn lane_colour(ctx: &PanelContext<'_>, component: Component, lane: usize) -> Color32 {
    let axis = component.axis().unwrap_or(lane);
    ctx.colours.axes.get(axis).copied().unwrap_or(ctx.colours.warn)
}

pub(super) fn small_button(ui: &mut Ui, rect: Rect, icon: Icon, name: &str) -> egui::Response {
    let builder = egui::UiBuilder::new().max_rect(rect).id_salt((name, "small"));
    ui.scope_builder(builder, |ui| IconButton::new(icon, name).side(SMALL_PT).show(ui)).inner
}

/// A group's eye: shows all of its channels, or hides all where none is hidden.
fn eye(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    rect: Rect,
    name: &str,
    listing: &Listing,
    of_group: impl Fn(&ChannelPath) -> bool,
) {
    let seen = &ctx.view.curves;
    let group = || listing.channels.iter().map(|(path, _)| *path).filter(|path| of_group(path));
    let any_hidden = group().any(|path| seen.hidden.contains(&path));
    let icon = if any_hidden { Icon::EyeOff } else { Icon::Eye };
    if small_button(ui, rect, icon, &fill("graph.eye", &[("name", &name)])).clicked() {
        ctx.commands.view(ViewChange::Curves(seen.with_hidden(group(), !any_hidden)));
    }
}

fn all(listing: &Listing, of: impl Fn(&ChannelPath) -> bool, is: impl Fn(&ChannelPath) -> bool) -> bool {
    listing.channels.iter().filter(|(path, _)| of(path)).all(|(path, _)| is(path))
}

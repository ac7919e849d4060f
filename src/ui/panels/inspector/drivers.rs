//! What drives the selected thing's channels: set-driven keys, how much of each acts, where each stands now.

use super::{labelled, send};
use crate::{
    command::{CommandId, CommandQueue},
    edit::{
        DriverEdit,
        channels::{channels_of, parts_of, parts_with},
        drivers::{driver_point, shown_value},
    },
    interact::{drive::DriveDesk, view_state::ViewChange},
    model::{ChannelPath, Document, Driver, ObjectId, Property, Target, driver::can_be_driven, names},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::graph::{full_name, target_name, unit_map, unit_name, with_unit},
        shell::hint_of,
        widgets::{Chooser, DragField, IconButton, drag_field::number_text},
    },
};
use egui::Ui;
use std::sync::Arc;

/// Width of a list to choose from, points.
const COMBO_PT: f32 = 140.0;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    if matches!(target, Target::Pin(..)) {
        return;
    }
    let parts = parts_with(ctx.document, target);
    let Some(object) = ctx.document.object(target.object()) else { return };
    let own: Vec<&Arc<Driver>> = object.drivers.iter().filter(|driver| parts.contains(&driver.driven.target)).collect();
    ui.add_space(6.0);
    let header = egui::CollapsingHeader::new(t("drivers.title").into_owned()).id_salt("drivers.title");
    header.default_open(!own.is_empty()).show_unindented(ui, |ui| {
        for driver in own {
            ui.push_id(driver.driven, |ui| row(ui, ctx, driver));
            ui.separator();
        }
        make(ui, ctx, target, &parts);
    });
}

/// A channel's value as it is read: with its unit.
fn value_text(ctx: &PanelContext<'_>, path: ChannelPath) -> String {
    let unit = ctx.document.settings.length_unit;
    let value = shown_value(ctx.document, path, ctx.view.secs).map(|own| unit_map(path, unit).shown(own));
    value.map_or_else(String::new, |value| with_unit(&number_text(value, 3), unit_name(path, unit)))
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, driver: &Arc<Driver>) {
    let (driven, source) = (full_name(ctx.document, driver.driven), full_name(ctx.document, driver.source));
    ui.horizontal(|ui| {
        let shown = ctx.view.drive.graph;
        if IconButton::new(Icon::Graph, &t("drivers.graph"))
            .hint(&t("drivers.graph_hint"))
            .selected(shown)
            .show(ui)
            .clicked()
        {
            let desk = DriveDesk { graph: !shown, ..ctx.view.drive };
            ctx.commands.view(ViewChange::Drive(desk));
        }
        let text = fill("drivers.row", &[("driven", &driven), ("source", &source)]);
        let size = egui::vec2((ui.available_width() - 56.0).max(40.0), ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(egui::Label::new(&text).truncate()).on_hover_text(&text);
        });
        let (icon, key) =
            if driver.muted { (Icon::EyeOff, "constraint.unmute") } else { (Icon::Eye, "constraint.mute") };
        let button = |ui: &mut Ui, icon, key| {
            let label = fill(key, &[("name", &t("drivers.one"))]);
            IconButton::new(icon, &label).colour(ctx.colours.weak).show(ui).clicked()
        };
        if button(ui, icon, key) {
            let set = Driver { muted: !driver.muted, ..(**driver).clone() };
            ctx.commands.apply("history.driver_mute", DriverEdit::Set { driver: Arc::new(set) }.into());
        }
        if button(ui, Icon::Delete, "constraint.delete") {
            ctx.commands.apply("history.driver_delete", DriverEdit::Delete { driven: vec![driver.driven] }.into());
        }
    });
    let name = t("pins.influence");
    labelled(ui, &name, |ui| {
        let field = DragField::new(&name, driver.influence).range(0.0, 1.0).speed(0.005).decimals(3);
        let (_, edits) = field.show(ui);
        send(ctx, "history.driver_influence", edits, |influence| {
            let base = ctx.session.base().driver_of(driver.driven).unwrap_or(driver);
            let set = Driver { influence, ..(**base).clone() };
            Ok(DriverEdit::Set { driver: Arc::new(set) }.into())
        });
    });
    here(ui, ctx, driver);
}

/// The point of the curve at what the source is now: changed, it is set.
fn here(ui: &mut Ui, ctx: &PanelContext<'_>, driver: &Arc<Driver>) {
    let Some(at) = shown_value(ctx.document, driver.source, ctx.view.secs) else { return };
    let unit = ctx.document.settings.length_unit;
    let map = unit_map(driver.driven, unit);
    let keys = driver.keys();
    let on_curve = keys.and_then(|keys| crate::eval::curve::value(keys, at));
    let value = on_curve.or_else(|| shown_value(ctx.document, driver.driven, ctx.view.secs)).unwrap_or(0.0);
    let name = fill("drivers.at", &[("value", &value_text(ctx, driver.source))]);
    labelled(ui, &name, |ui| {
        let title = t("drivers.point");
        let field = DragField::new(&title, map.shown(value)).unit(unit_name(driver.driven, unit));
        let (response, edits) = field.decimals(3).show(ui);
        response.on_hover_text(t("drivers.point_hint").into_owned());
        send(ctx, "history.driven_key", edits, |shown| Ok(driver_point(driver.driven, at, map.own(shown))));
        let count = keys.map_or(0, |keys| keys.keys.len());
        let key = if count == 1 { "drivers.one_point" } else { "drivers.points" };
        ui.weak(fill(key, &[("count", &count)]));
    });
}

/// What is to be driven and by what, and the button that sets a point.
fn make(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target, parts: &[Target]) {
    let desk = ctx.view.drive;
    let offered: Vec<ChannelPath> =
        parts.iter().flat_map(|part| channels_of(ctx.document, *part)).filter(|path| can_be_driven(*path)).collect();
    let driven = driven_channel(ctx.document, desk, target);
    let set = |desk| ctx.commands.view(ViewChange::Drive(desk));
    labelled(ui, &t("drivers.drive"), |ui| {
        let label = |path: &ChannelPath| channel_label(ctx.document, target, *path);
        if let Some(path) = choose(ui, "drivers.drive", &offered, driven.as_ref(), label) {
            set(DriveDesk { driven: Some(path), ..desk });
        }
    });
    let source = source_channel(ctx, desk, target);
    sources(ui, ctx, source);
    ui.horizontal(|ui| {
        let id = CommandId::SetDrivenKey;
        let button = egui::Button::new(t(id.spec().title));
        let ready = driven.is_some() && source.is_some();
        if ui.add_enabled(ready, button).on_hover_text(hint_of(id)).clicked() {
            set(DriveDesk { driven, source, ..desk });
            ctx.commands.run(id);
        }
        if let Some(source) = source {
            ui.weak(fill("drivers.now", &[("value", &value_text(ctx, source))]));
        }
    });
}

/// The object, the part of it and the channel that drive.
fn sources(ui: &mut Ui, ctx: &PanelContext<'_>, source: Option<ChannelPath>) {
    let (document, desk) = (ctx.document, ctx.view.drive);
    let take = |commands: &CommandQueue, part: Target| {
        if let Some(path) = first_channel(document, part, source) {
            commands.view(ViewChange::Drive(DriveDesk { source: Some(path), ..desk }));
        }
    };
    let objects: Vec<ObjectId> = document.objects.keys().copied().collect();
    let now = source.map(|source| source.target.object());
    labelled(ui, &t("drivers.by"), |ui| {
        let label = |id: &ObjectId| names::object_name(document, *id).unwrap_or_default();
        if let Some(object) = choose(ui, "drivers.object", &objects, now.as_ref(), label) {
            take(ctx.commands, Target::Object(object));
        }
    });
    let Some(source) = source else { return };
    let parts = parts_of(document, source.target.object());
    if parts.len() > 1 {
        labelled(ui, "", |ui| {
            let label = |part: &Target| target_name(document, *part);
            if let Some(part) = choose(ui, "drivers.part", &parts, Some(&source.target), label) {
                take(ctx.commands, part);
            }
        });
    }
    labelled(ui, "", |ui| {
        let label = |path: &ChannelPath| channel_label(document, source.target, *path);
        let channels = channels_of(document, source.target);
        if let Some(path) = choose(ui, "drivers.channel", &channels, Some(&source), label) {
            ctx.commands.view(ViewChange::Drive(DriveDesk { source: Some(path), ..desk }));
        }
    });
}

/// The channel of a part that is like another, else its first rotation, else its first.
fn first_channel(document: &Document, part: Target, like: Option<ChannelPath>) -> Option<ChannelPath> {
    let channels = channels_of(document, part);
    // Of joints it is the rotation that is meant, whatever was chosen of something else.
    let like = like.filter(|like| part.joint().is_none() || like.property == Property::Rotation);
    let same = |path: &&ChannelPath| {
        like.is_some_and(|like| (path.property, path.component) == (like.property, like.component))
    };
    let turns = |path: &&ChannelPath| part.joint().is_some() && path.property == Property::Rotation;
    channels.iter().find(same).or_else(|| channels.iter().find(turns)).or_else(|| channels.first()).copied()
}

/// The channel that is laid ready to be driven, where it is one of the target; else the first that can be.
fn driven_channel(document: &Document, desk: DriveDesk, target: Target) -> Option<ChannelPath> {
    let parts = parts_with(document, target);
    let exists = |path: &ChannelPath| parts.contains(&path.target) && channels_of(document, path.target).contains(path);
    desk.driven.filter(exists).or_else(|| {
        let like = desk.driven.filter(|driven| driven.property.is_of_transform());
        first_channel(document, target, like)
    })
}

/// The channel that drives: one of what is selected besides, as far as that goes the one laid ready; without anything else
/// selected the one laid ready, where it exists.
fn source_channel(ctx: &PanelContext<'_>, desk: DriveDesk, target: Target) -> Option<ChannelPath> {
    let document = ctx.document;
    let others: Vec<Target> = ctx.selection.targets.iter().copied().filter(|other| *other != target).collect();
    let exists = |path: &ChannelPath| channels_of(document, path.target).contains(path);
    let laid = desk.source.filter(exists);
    match (laid, others.last()) {
        (Some(laid), None) => Some(laid),
        (Some(laid), Some(_)) if others.contains(&laid.target) => Some(laid),
        (laid, Some(other)) => first_channel(document, *other, laid),
        (None, None) => None,
    }
}

/// A channel's name: without its target's where that is the one shown.
fn channel_label(document: &Document, target: Target, path: ChannelPath) -> String {
    let name = full_name(document, path);
    if path.target != target {
        return name;
    }
    let own = target_name(document, target);
    name.strip_prefix(&own).map_or(name.clone(), |rest| rest.trim_start().to_owned())
}

/// A list; what was chosen, where it is another than now.
fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    key: &str,
    all: &[T],
    now: Option<&T>,
    label: impl Fn(&T) -> String,
) -> Option<T> {
    let name = t(key);
    let text = now.map_or_else(|| t("drivers.choose").into_owned(), &label);
    let width = (ui.available_width() - 8.0).clamp(60.0, COMBO_PT);
    let rows = || all.iter().map(|item| (*item, label(item))).collect();
    Chooser::new(key, &name, text).width(width).show(ui, now, rows).1
}

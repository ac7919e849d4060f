//! What puts an object on a path: how far it is, how it gets there, how it is turned.

use super::{folding, labelled, send};
use crate::{
    command::CommandId,
    edit::{
        ConstraintEdit, Edit, EditError,
        follow::{OnPath, Pace, arrive, by_distance, by_speed, mend, pace, set_follow},
        numbers::{key_number, number_edit},
    },
    eval::{
        follow::{Travel, driven_by},
        sample::{Stage, number},
    },
    model::{
        ChannelPath, Constraint, Drive, Follow, FollowOrientation, Forward, ObjectId, Property, Target,
        names::object_name,
    },
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        widgets::{DragField, IconButton, drag_field::number_text, set_name},
    },
};
use egui::{ComboBox, Ui};
use std::sync::Arc;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let object = target.object();
    let Some(found) = ctx.document.object(object) else { return };
    let paths = ctx.document.objects.iter().any(|(id, other)| *id != object && other.as_path().is_some());
    let follows = found.constraints.iter().any(|constraint| constraint.as_follow().is_some());
    let of_object = matches!(target, Target::Object(_));
    if !of_object && (!follows || target.joint().is_some()) || !follows && (!paths || found.as_path().is_some()) {
        return;
    }
    folding(ui, "follow.title", |ui| {
        for constraint in &found.constraints {
            if let Some(follow) = constraint.as_follow() {
                ui.push_id(constraint.id, |ui| one(ui, ctx, object, (constraint, follow)));
            }
        }
        if !follows && ui.button(t("command.follow_path").into_owned()).clicked() {
            ctx.commands.run(CommandId::FollowPath);
        }
    });
}

/// Applies an edit, or says why not.
fn ask(ctx: &PanelContext<'_>, label: &'static str, edit: Result<Edit, EditError>) {
    match edit {
        Ok(edit) => ctx.commands.apply(label, edit),
        Err(error) => {
            let notice = Notice::warn(fill("edit.refused", &[("error", &error)]));
            ctx.commands.send(crate::command::Command::Tell(notice));
        }
    }
}

fn one(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, (constraint, follow): (&Arc<Constraint>, &Follow)) {
    let length = ctx.frame.path(follow.path).map_or(0.0, |path| path.curve.length());
    let on = OnPath { object, constraint: constraint.id, length };
    heading(ui, ctx, on, (constraint, follow));
    super::influence_row(ui, ctx, (object, constraint.id), &t("follow.influence"), constraint.influence);
    drive(ui, ctx, on, follow);
    numbers(ui, ctx, on, follow);
    where_it_is(ui, ctx, on, follow);
    paces(ui, ctx, on, follow);
    arrivals(ui, ctx, on, follow);
    turning(ui, ctx, on, follow);
}

fn heading(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, (constraint, follow): (&Arc<Constraint>, &Follow)) {
    let object = on.object;
    ui.horizontal(|ui| {
        let name_of = |id| object_name(ctx.document, id).unwrap_or_default();
        let combo = ComboBox::from_id_salt("path followed").width(130.0).selected_text(name_of(follow.path));
        let response = combo.show_ui(ui, |ui| {
            for (id, _) in ctx.document.objects.iter().filter(|(id, o)| **id != object && o.as_path().is_some()) {
                if ui.selectable_label(*id == follow.path, name_of(*id)).clicked() && *id != follow.path {
                    ask(ctx, "history.follow", set_follow(ctx.document, on, |follow| follow.path = *id));
                }
            }
        });
        set_name(ui, &response.response, &t("follow.path"));
        let (key, icon) = if constraint.muted { ("follow.unmute", Icon::EyeOff) } else { ("follow.mute", Icon::Eye) };
        if IconButton::new(icon, &t(key)).colour(ctx.colours.weak).show(ui).clicked() {
            let changed = Constraint { muted: !constraint.muted, ..(**constraint).clone() };
            let edit = ConstraintEdit::Set { object, constraint: Arc::new(changed) };
            ctx.commands.apply("history.follow_mute", edit.into());
        }
        if IconButton::new(Icon::Delete, &t("follow.delete")).colour(ctx.colours.weak).show(ui).clicked() {
            let edit = ConstraintEdit::Delete { object, constraint: on.constraint };
            ctx.commands.apply("history.follow_delete", edit.into());
        }
    });
}

fn channel(on: OnPath, property: Property) -> ChannelPath {
    ChannelPath::constraint(on.object, on.constraint, property)
}

fn value_of(ctx: &PanelContext<'_>, on: OnPath, property: Property) -> f64 {
    let clip = ctx.document.clip_of(on.object).and_then(|clip| ctx.document.clip(clip));
    let path = channel(on, property);
    number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown).unwrap_or(0.0)
}

const fn drive_key(drive: Drive) -> &'static str {
    match drive {
        Drive::Distance => "follow.by_distance",
        Drive::Speed => "follow.by_speed",
        Drive::Acceleration => "follow.by_acceleration",
    }
}

fn drive(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, follow: &Follow) {
    labelled(ui, &t("follow.drive"), |ui| {
        let combo = ComboBox::from_id_salt("drive").width(112.0).selected_text(t(drive_key(follow.drive)).into_owned());
        let response = combo.show_ui(ui, |ui| {
            for wanted in [Drive::Distance, Drive::Speed, Drive::Acceleration] {
                let same = wanted == follow.drive;
                if ui.selectable_label(same, t(drive_key(wanted)).into_owned()).clicked() && !same {
                    let edit = match wanted {
                        // What drove it before is kept as the same way.
                        Drive::Distance => by_distance(ctx.document, on),
                        Drive::Speed => by_speed(ctx.document, on),
                        Drive::Acceleration => set_follow(ctx.document, on, |follow| follow.drive = wanted),
                    };
                    ask(ctx, "history.follow_drive", edit);
                    tell_way(ctx, on, wanted);
                }
            }
        });
        set_name(ui, &response.response, &t("follow.drive"));
    });
    let mut tied = follow.tied;
    if ui.checkbox(&mut tied, t("follow.tied")).on_hover_text(t("follow.tied_hint").into_owned()).changed() {
        ask(ctx, "history.follow", set_follow(ctx.document, on, |follow| follow.tied = tied));
    }
}

fn numbers(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, follow: &Follow) {
    let tied_distance = follow.tied;
    let rows: &[(Property, &str, &str)] = match follow.drive {
        Drive::Distance => &[(Property::Distance, "follow.distance", "m")],
        Drive::Speed => &[(Property::Speed, "follow.by_speed", "m/s"), (Property::Distance, "follow.start", "m")],
        Drive::Acceleration => &[
            (Property::Acceleration, "follow.by_acceleration", "m/s²"),
            (Property::Speed, "follow.start_speed", "m/s"),
            (Property::Distance, "follow.start", "m"),
        ],
    };
    for &(property, key, unit) in rows {
        let drives = property == driven_by(follow.drive);
        labelled(ui, &t(key), |ui| {
            let name = t(key);
            let percent = tied_distance && property == Property::Distance;
            let (factor, unit) = if percent { (100.0, "%") } else { (1.0, unit) };
            let fixed = match property {
                Property::Speed => follow.speed,
                Property::Distance => follow.distance,
                _ => follow.acceleration,
            };
            let value = if drives { value_of(ctx, on, property) } else { fixed };
            let field = DragField::new(&name, value * factor).unit(unit).decimals(3).speed(0.02 * factor);
            let (response, edits) = field.width(96.0).show(ui);
            response.on_hover_text(&*name);
            send(ctx, "history.follow_number", edits, |wanted| {
                let (path, wanted) = (channel(on, property), wanted / factor);
                if drives {
                    number_edit(ctx.session.base(), path, ctx.view.secs, wanted, ctx.view.auto_key)
                } else {
                    crate::edit::numbers::static_edit(ctx.session.base(), path, wanted)
                }
            });
            let keyed = t("follow.key");
            if drives && IconButton::new(Icon::Key, &keyed).show(ui).clicked() {
                let edit = key_number(ctx.document, channel(on, property), &[(ctx.view.secs, value)]);
                ask(ctx, "history.follow_key", edit);
            }
        });
    }
}

/// Where it is now, and whether it goes back though it may not.
fn where_it_is(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, follow: &Follow) {
    let Some(travel) = Travel::new(ctx.document, on.object, on.constraint, on.length) else { return };
    if !(on.length > 0.0 && on.length.is_finite()) {
        ui.add(egui::Label::new(egui::RichText::new(t("follow.no_length")).color(ctx.colours.warn)).wrap());
    }
    let report = ctx.frame.follows.iter().find(|r| (r.object, r.constraint) == (on.object, on.constraint));
    if let Some(report) = report {
        let speed = number_text(travel.speed(ctx.view.secs), 3);
        let (at, length) = (number_text(report.distance, 3), number_text(on.length, 3));
        ui.weak(fill("follow.now", &[("at", &at), ("length", &length), ("speed", &speed)]));
    }
    let mut reversing = follow.reversing;
    let hint = t("follow.reversing_hint").into_owned();
    if ui.checkbox(&mut reversing, t("follow.reversing")).on_hover_text(hint).changed() {
        ask(ctx, "history.follow", set_follow(ctx.document, on, |follow| follow.reversing = reversing));
    }
    if follow.reversing {
        return;
    }
    if let Some((from, to)) = travel.goes_back() {
        let rate = ctx.document.settings.rate;
        let frame = |secs: f64| number_text(rate.frame_f64(secs), 1);
        let text = fill("follow.goes_back", &[("from", &frame(from)), ("to", &frame(to))]);
        ui.colored_label(ctx.colours.warn, text);
        if ui.button(t("follow.mend").into_owned()).on_hover_text(t("follow.mend_hint").into_owned()).clicked() {
            ask(ctx, "history.follow_mend", mend(ctx.document, on));
        }
    }
}

const fn pace_key(pace: Pace) -> &'static str {
    match pace {
        Pace::Constant => "follow.constant",
        Pace::EaseIn => "follow.ease_in",
        Pace::EaseOut => "follow.ease_out",
        Pace::EaseInOut => "follow.ease_in_out",
    }
}

/// Says what became of a follower's way when something else drives it.
fn tell_way(ctx: &PanelContext<'_>, on: OnPath, wanted: Drive) {
    let had = Travel::new(ctx.document, on.object, on.constraint, on.length);
    if had.is_some_and(|travel| !travel.key_times().is_empty()) {
        let key = if wanted == Drive::Acceleration { "follow.way_new" } else { "follow.way_kept" };
        ctx.commands.send(crate::command::Command::Tell(Notice::info(t(key))));
    }
}

/// Says that a follower is driven by distance from now on, where something else drove it.
fn tell_driven(ctx: &PanelContext<'_>, before: Drive) {
    if before != Drive::Distance {
        let text = fill("follow.now_by_distance", &[("before", &t(drive_key(before)).to_lowercase())]);
        ctx.commands.send(crate::command::Command::Tell(Notice::info(text)));
    }
}

fn paces(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, follow: &Follow) {
    let settings = &ctx.document.settings;
    let range = (settings.rate.secs(settings.play_range.first), settings.rate.secs(settings.play_range.last));
    ui.label(t("follow.paces").into_owned()).on_hover_text(t("follow.paces_hint").into_owned());
    ui.horizontal_wrapped(|ui| {
        for wanted in Pace::ALL {
            if ui.button(t(pace_key(wanted)).into_owned()).clicked() {
                ask(ctx, "history.follow_pace", pace(ctx.document, on, wanted, range));
                if follow.drive == Drive::Acceleration {
                    tell_driven(ctx, follow.drive);
                }
            }
        }
    });
}

/// How many points get a button.
const BUTTONS_MOST: usize = 40;

fn arrivals(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, follow: &Follow) {
    let Some(path) = ctx.frame.path(follow.path) else { return };
    let rate = ctx.document.settings.rate;
    let (frame, start) = (ctx.view.frame(rate), rate.secs(ctx.document.settings.play_range.first));
    ui.label(fill("follow.arrive", &[("frame", &frame)])).on_hover_text(t("follow.arrive_hint").into_owned());
    ui.horizontal_wrapped(|ui| {
        let count = path.places.len() + usize::from(path.closed && path.places.len() > 1);
        for index in 0..count.min(BUTTONS_MOST) {
            // On a closed path the first point comes again at its end.
            let number = index % path.places.len().max(1) + 1;
            let button = ui.small_button(format!("{number}"));
            let name = fill("follow.arrive_at", &[("number", &number)]);
            set_name(ui, &button, &name);
            if button.on_hover_text(&name).clicked() {
                let metres = path.distance_of(index);
                ask(ctx, "history.follow_arrive", arrive(ctx.document, on, metres, ctx.view.secs, start));
                tell_driven(ctx, follow.drive);
            }
        }
    });
}

const fn orientation_key(orientation: FollowOrientation) -> &'static str {
    match orientation {
        FollowOrientation::Fixed => "follow.fixed",
        FollowOrientation::Tangent => "follow.tangent",
        FollowOrientation::Minimal => "follow.minimal",
    }
}

fn turning(ui: &mut Ui, ctx: &PanelContext<'_>, on: OnPath, follow: &Follow) {
    labelled(ui, &t("follow.orientation"), |ui| {
        let text = t(orientation_key(follow.orientation)).into_owned();
        let response = ComboBox::from_id_salt("orientation").width(150.0).selected_text(text).show_ui(ui, |ui| {
            for wanted in FollowOrientation::ALL {
                let same = wanted == follow.orientation;
                if ui.selectable_label(same, t(orientation_key(wanted)).into_owned()).clicked() && !same {
                    ask(ctx, "history.follow", set_follow(ctx.document, on, |follow| follow.orientation = wanted));
                }
            }
        });
        set_name(ui, &response.response, &t("follow.orientation"));
    });
    if follow.orientation == FollowOrientation::Fixed {
        return;
    }
    labelled(ui, &t("follow.twist"), |ui| {
        let name = t("follow.twist");
        let field = DragField::new(&name, follow.twist.to_degrees()).unit("°").decimals(1).speed(1.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(t("follow.twist_hint").into_owned());
        send(ctx, "history.follow", edits, |degrees| {
            set_follow(ctx.session.base(), on, |follow| follow.twist = degrees.to_radians())
        });
    });
    let mut back = follow.forward == Forward::Back;
    if ui.checkbox(&mut back, t("follow.backwards")).on_hover_text(t("follow.backwards_hint").into_owned()).changed() {
        let forward = if back { Forward::Back } else { Forward::Front };
        ask(ctx, "history.follow", set_follow(ctx.document, on, |follow| follow.forward = forward));
    }
    if follow.orientation == FollowOrientation::Minimal
        && let Some(path) = ctx.frame.path(follow.path).filter(|path| path.closed)
    {
        let turned = number_text(path.frames().turned().to_degrees(), 2);
        ui.weak(fill("follow.spread", &[("angle", &turned)]));
    }
}

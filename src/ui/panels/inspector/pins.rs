//! The pins of the object in question: named, weighed, muted, held in another space, deleted.

use super::{folding, labelled, send};
use crate::{
    edit::{Edit, PinEdit, Selection, orientation_numbers},
    eval::pins::{PinChain, influence, space_in_world},
    model::{ClipId, Document, JointId, ObjectId, Pin, PinSpace, Rig, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        subject,
        theme::ROW_PT,
        widgets::{Chooser, DragField, IconButton, drag_field::number_text, text_field},
    },
};
use egui::Ui;
use std::collections::BTreeSet;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let Some((clip, found)) = subject::clip(ctx.document, ctx.selection) else { return };
    if found.pins.is_empty() {
        return;
    }
    folding(ui, "pins.title", |ui| {
        for pin in &found.pins {
            ui.push_id(pin.id, |ui| row(ui, ctx, clip, pin));
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin) {
    let id = pin.id;
    let name = subject::pin_name(ctx.document, pin);
    let target = Target::Joint(pin.object, pin.joint);
    let chosen = ctx.selection.contains(target);
    ui.horizontal(|ui| {
        let pick = fill("pins.pick", &[("name", &name)]);
        if IconButton::new(Icon::Pin, &pick).selected(chosen).show(ui).clicked() {
            let mut selection = Selection { correction: ctx.selection.correction, ..Selection::default() };
            selection.insert(target);
            ctx.commands.select(selection);
        }
        let width = (ui.available_width() - ROW_PT * 2.0 - 72.0).max(60.0);
        let (_, renamed) = text_field(ui, &t("pins.name"), &name, width);
        if let Some(name) = renamed {
            let edit = PinEdit::Rename { clip, pin: id, name: name.trim().to_owned() };
            ctx.commands.apply("history.pin_rename", edit.into());
        }
        weight(ui, ctx, clip, pin, &name);
        let key = if pin.muted { "pins.unmute" } else { "pins.mute" };
        let mute = fill(key, &[("name", &name)]);
        let icon = if pin.muted { Icon::EyeOff } else { Icon::Eye };
        if IconButton::new(icon, &mute).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.pin_mute", PinEdit::Mute { clip, pin: id, muted: !pin.muted }.into());
        }
        let delete = fill("pins.delete", &[("name", &name)]);
        if IconButton::new(Icon::Delete, &delete).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.pin_delete", PinEdit::Delete { clip, pin: id }.into());
        }
    });
    if chosen {
        details(ui, ctx, clip, pin, &name);
    }
}

/// The influence: where it has a curve a key is set.
fn weight(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin, name: &str) {
    let Some(found) = ctx.document.clip(clip) else { return };
    let path = crate::model::ChannelPath::influence(pin.object, pin.id);
    let name = fill("pins.influence_of", &[("name", &name)]);
    let value = influence(found, pin, ctx.view.secs) * 100.0;
    let field = DragField::new(&name, value).decimals(0).speed(0.5).unit("%").range(0.0, 100.0);
    let (response, edits) = field.width(56.0).rests_at(100.0).show(ui);
    response.on_hover_text(&name);
    let keyed = found.channels.contains_key(&path);
    send(ctx, "history.pin_influence", edits, |percent| {
        let value = percent / 100.0;
        if !keyed {
            return Ok(PinEdit::SetInfluence { clip, pin: pin.id, influence: value }.into());
        }
        let curve = crate::edit::CurveRef { clip, path };
        let values = vec![(ctx.view.secs, crate::model::Value::Scalar(value))];
        Ok(crate::edit::KeyEdit::Set { curve, values }.into())
    });
}

fn details(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin, name: &str) {
    when(ui, ctx, clip, pin, name);
    let mut turns = pin.orientation.is_some();
    if ui.checkbox(&mut turns, t("pins.with_rotation")).changed()
        && let Some(edit) = with_rotation(ctx, clip, pin, turns)
    {
        ctx.commands.apply("history.pin_orientation", edit);
    }
    let label = fill("pins.space", &[("name", &name)]);
    let rows = || spaces(ctx, pin).into_iter().map(|space| (space, space_name(ctx.document, space))).collect();
    let chooser = Chooser::new("pin space", &label, space_name(ctx.document, pin.space));
    let (_, chosen) = chooser.width(ui.available_width().min(220.0)).show(ui, Some(&pin.space), rows);
    if let Some(edit) = chosen.and_then(|space| in_space(ctx, clip, pin, space)) {
        ctx.commands.apply("history.pin_space", edit);
    }
    let report = ctx.frame.pins.iter().find(|report| (report.object, report.pin) == (pin.object, pin.id));
    if let Some(report) = report {
        if report.waits_for_itself {
            ui.colored_label(ctx.colours.warn, t("pins.waits"));
        } else if report.gap > 1e-4 {
            let mm = number_text(report.gap * 1e3, 1);
            ui.colored_label(ctx.colours.warn, fill("pins.gap", &[("mm", &mm)]));
        }
    }
}

/// The frames over which a pin holds, and those over which it comes and goes.
fn when(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin, name: &str) {
    let rate = ctx.document.settings.rate;
    let id = pin.id;
    let field = |ui: &mut Ui, key: &str, secs: f64, range: (f64, f64)| {
        let title = fill(key, &[("name", &name)]);
        let field = DragField::new(&title, rate.frame_f64(secs)).decimals(1).speed(0.2).range(range.0, range.1);
        let (response, edits) = field.unit("fr").width(56.0).show(ui);
        response.on_hover_text(&title);
        edits
    };
    let at = |frame: f64| rate.snap(frame * rate.frame_secs());
    let ((start, end), (comes, goes)) = (pin.range, pin.ease);
    labelled(ui, &t("pins.frames"), |ui| {
        let range = |range| Ok(PinEdit::SetRange { clip, pin: id, range }.into());
        let first = field(ui, "pins.first", start, (f64::NEG_INFINITY, rate.frame_f64(end)));
        send(ctx, "history.pin_range", first, |frame| range((at(frame).min(end), end)));
        let last = field(ui, "pins.last", end, (rate.frame_f64(start), f64::INFINITY));
        send(ctx, "history.pin_range", last, |frame| range((start, at(frame).max(start))));
    });
    labelled(ui, &t("pins.eases"), |ui| {
        let ease = |ease| Ok(PinEdit::SetEase { clip, pin: id, ease }.into());
        let into = field(ui, "pins.comes", comes, (0.0, f64::INFINITY));
        send(ctx, "history.pin_ease", into, |frames| ease((frames * rate.frame_secs(), goes)));
        let out = field(ui, "pins.goes", goes, (0.0, f64::INFINITY));
        send(ctx, "history.pin_ease", out, |frames| ease((comes, frames * rate.frame_secs())));
    });
}

/// What a pin can be held in: the world, objects, the joints that it does not move.
fn spaces(ctx: &PanelContext<'_>, pin: &Pin) -> Vec<PinSpace> {
    let mut spaces = vec![PinSpace::World];
    spaces.extend(ctx.document.objects.keys().map(|id| PinSpace::Object(*id)));
    for (id, _, rig) in ctx.document.rigs() {
        let moved = if id == pin.object { moved(ctx, rig, pin) } else { BTreeSet::new() };
        let joints = rig.skeleton.joints().iter().enumerate();
        let joints = joints.filter(|(index, joint)| !joint.is_end() && !moved.contains(index));
        spaces.extend(joints.map(|(_, joint)| PinSpace::Joint(id, joint.id)));
    }
    spaces
}

/// The joints of its rig that a pin moves: those it turns, and what hangs on
/// them.
fn moved(ctx: &PanelContext<'_>, rig: &Rig, pin: &Pin) -> BTreeSet<usize> {
    let chain = || {
        let limbs = ctx.evaluator.limbs(ctx.document, pin.object)?;
        Some(PinChain::of(rig, &limbs, rig.skeleton.index_of(pin.joint)?))
    };
    chain().map(|chain| rig.skeleton.below(chain.first())).unwrap_or_default()
}

fn space_name(document: &Document, space: PinSpace) -> String {
    let joint_name = |object: ObjectId, joint: JointId| {
        let rig = document.object(object).and_then(|object| object.as_rig());
        rig.and_then(|rig| crate::model::names::joint_name(&rig.skeleton, joint)).unwrap_or_default()
    };
    let object_name = |object| crate::model::names::object_name(document, object).unwrap_or_default();
    match space {
        PinSpace::World => t("pins.in_world").into_owned(),
        PinSpace::Object(object) => object_name(object),
        PinSpace::Joint(object, joint) => format!("{} / {}", object_name(object), joint_name(object, joint)),
    }
}

/// The edit that holds a pin in another space, where it is now.
fn in_space(ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin, space: PinSpace) -> Option<Edit> {
    let from = space_in_world(ctx.document, ctx.frame, pin.space)?;
    let to = space_in_world(ctx.document, ctx.frame, space)?;
    let place = to.try_inverse()?.point(&from.point(&pin.place));
    let turned = pin.orientation.map(|rotation| to.rotation().inverse() * from.rotation() * rotation);
    let orientation = orientation_numbers(turned);
    Some(PinEdit::SetSpace { clip, pin: pin.id, space, place, orientation }.into())
}

/// The edit that holds the joint's rotation as it is now, or leaves it to the limb.
fn with_rotation(ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin, turns: bool) -> Option<Edit> {
    let index = ctx.document.object(pin.object)?.as_rig()?.skeleton.index_of(pin.joint)?;
    let space = space_in_world(ctx.document, ctx.frame, pin.space)?;
    let joint = ctx.frame.joint_world(pin.object, index)?;
    let rotation = turns.then(|| space.rotation().inverse() * joint.rotation());
    let orientation = orientation_numbers(rotation);
    Some(PinEdit::SetPlace { clip, pin: pin.id, place: pin.place, orientation }.into())
}

//! The pins of the object in question: named, weighed, muted, held in another space, deleted.

use super::{folding, send};
use crate::{
    edit::{Edit, PinEdit, Selection, orientation_numbers},
    eval::pins::{influence, space_in_world},
    model::{ClipId, Document, JointId, ObjectId, Pin, PinSpace, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        subject,
        theme::ROW_PT,
        widgets::{DragField, IconButton, drag_field::number_text, text_field},
    },
};
use egui::{ComboBox, Ui};

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
    let (response, edits) = field.width(56.0).show(ui);
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
    let rate = ctx.document.settings.rate;
    let frame = |secs: f64| number_text(rate.frame_f64(secs), 1);
    ui.horizontal(|ui| {
        let (first, last) = (frame(pin.range.0), frame(pin.range.1));
        ui.weak(fill("inspector.frames", &[("first", &first), ("last", &last)]));
        let mut turns = pin.orientation.is_some();
        if ui.checkbox(&mut turns, t("pins.with_rotation")).changed()
            && let Some(edit) = with_rotation(ctx, clip, pin, turns)
        {
            ctx.commands.apply("history.pin_orientation", edit);
        }
    });
    let label = fill("pins.space", &[("name", &name)]);
    let combo = ComboBox::from_id_salt("pin space").width(ui.available_width().min(220.0));
    let response = combo.selected_text(space_name(ctx.document, pin.space)).show_ui(ui, |ui| {
        for space in spaces(ctx, pin) {
            if ui.selectable_label(space == pin.space, space_name(ctx.document, space)).clicked()
                && let Some(edit) = in_space(ctx, clip, pin, space)
            {
                ctx.commands.apply("history.pin_space", edit);
            }
        }
    });
    crate::ui::widgets::set_name(ui, &response.response, &label);
    response.response.on_hover_text(&label);
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

/// What a pin can be held in: the world, objects, the joints of its rig that it does not move.
fn spaces(ctx: &PanelContext<'_>, pin: &Pin) -> Vec<PinSpace> {
    let mut spaces = vec![PinSpace::World];
    spaces.extend(ctx.document.objects.keys().map(|id| PinSpace::Object(*id)));
    for (id, _, rig) in ctx.document.rigs() {
        let joints = rig.skeleton.joints().iter().filter(|joint| !joint.is_end());
        spaces.extend(joints.map(|joint| PinSpace::Joint(id, joint.id)).filter(|s| *s != own(pin)));
    }
    spaces
}

const fn own(pin: &Pin) -> PinSpace {
    PinSpace::Joint(pin.object, pin.joint)
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

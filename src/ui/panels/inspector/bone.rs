//! A joint's bone at rest: how long the one that leads to it is, and how its axes roll about the one that leads on.

use super::{folding, labelled, send};
use crate::{
    edit::{
        EditError,
        skeleton::{Animation, SkeletonEdit, lengthened, rolled},
    },
    model::{Joint, ObjectId, Target},
    text::t,
    ui::{panel::PanelContext, widgets::DragField},
};
use egui::Ui;

/// Whether a joint, and with it all that are selected in its rig, leaves out its parent's scale.
fn own_scale(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, joint: &Joint) {
    if joint.parent.is_none() || joint.is_end() {
        return;
    }
    let mut on = joint.own_scale;
    let response = ui.checkbox(&mut on, t("inspector.own_scale").into_owned());
    if response.on_hover_text(t("inspector.own_scale_hint").into_owned()).changed() {
        let selected = ctx.selection.targets.iter().filter(|target| target.object() == object);
        let joints = selected.filter_map(|target| target.joint()).chain([joint.id]).collect();
        ctx.commands.apply("history.own_scale", SkeletonEdit::SetOwnScale { object, joints, own_scale: on }.into());
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let Target::Joint(object, joint) = target else { return };
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    let Some(found) = rig.skeleton.joint(joint) else { return };
    // Out of the rest pose's own mode curves follow: a figure is mended, and its motion shall look as before.
    let animation = if ctx.view.rest.on { ctx.view.rest.animation } else { Animation::Follows };
    let (length, base) = (found.rest.translation.norm(), ctx.session.base());
    let has_roll = rolled(base, object, joint, 0.0, animation).is_some();
    if !has_roll && found.parent.is_none() {
        return;
    }
    folding(ui, "inspector.bone", |ui| {
        own_scale(ui, ctx, object, found);
        if lengthened(base, object, joint, length, animation).is_some() {
            let title = t("inspector.bone_length");
            labelled(ui, &title, |ui| {
                let field = DragField::new(&title, length).decimals(4).unit("m").range(0.0, 1e6).speed(0.002);
                let (response, edits) = field.show(ui);
                response.on_hover_text(t("inspector.bone_length_hint"));
                send(ctx, "history.bone", edits, |length| {
                    let edit = lengthened(base, object, joint, length, animation);
                    edit.map(Into::into).ok_or(EditError::NoBone(object, joint))
                });
            });
        } else if found.parent.is_some() {
            ui.add(egui::Label::new(egui::RichText::new(t("inspector.bone_none")).color(ctx.colours.warn)).wrap());
        }
        if has_roll {
            let title = t("inspector.bone_roll");
            labelled(ui, &title, |ui| {
                let field = DragField::new(&title, 0.0).decimals(1).unit("°").range(-360.0, 360.0).speed(0.5);
                let (response, edits) = field.as_change().show(ui);
                response.on_hover_text(t("inspector.bone_roll_hint"));
                send(ctx, "history.bone", edits, |degrees| {
                    let edit = rolled(base, object, joint, degrees.to_radians(), animation);
                    edit.map(Into::into).ok_or(EditError::NoBone(object, joint))
                });
            });
        }
    });
}

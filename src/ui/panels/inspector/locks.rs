//! The locks of a joint: which of its numbers nothing done by hand changes.

use super::transform::{AXES, LOCK_PT};
use crate::{
    edit::RigEdit,
    model::{JointId, Locks, ObjectId, Property, Target},
    text::{fill, t},
    ui::{icons::Icon, panel::PanelContext, widgets::IconButton},
};
use egui::Ui;

/// A button beside the numbers of a property: what of it is locked is chosen in its list, for all selected joints of the rig.
pub(super) fn button(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target, property: Property, title: &str) {
    let Target::Joint(object, joint) = target else { return };
    let now = ctx.document.locks(target).copied().unwrap_or_default().of(property);
    let any = now != [false; 3];
    let name = fill("inspector.locks", &[("property", &title)]);
    let colour = if any { ctx.colours.text } else { ctx.colours.weak };
    let icon = if any { Icon::Lock } else { Icon::Unlock };
    let response = IconButton::new(icon, &name).hint(&t("inspector.locks_hint")).side(LOCK_PT).colour(colour).show(ui);
    egui::Popup::menu(&response).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        for (axis, letter) in AXES.iter().enumerate() {
            let mut on = now[axis];
            let label = fill("inspector.component", &[("property", &title), ("axis", letter)]);
            if ui.checkbox(&mut on, label).changed() {
                let mut wanted = now;
                wanted[axis] = on;
                set(ctx, (object, joint), property, wanted);
            }
        }
        let all = now == [true; 3];
        let key = if all { "inspector.unlock_all" } else { "inspector.lock_all" };
        if ui.button(t(key).into_owned()).clicked() {
            set(ctx, (object, joint), property, [!all; 3]);
            ui.close();
        }
    });
}

fn set(ctx: &PanelContext<'_>, (object, joint): (ObjectId, JointId), property: Property, wanted: [bool; 3]) {
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    let mut joints: Vec<JointId> = ctx.selection.joints(object).collect();
    if !joints.contains(&joint) {
        joints.push(joint);
    }
    joints.retain(|id| rig.skeleton.joint(*id).is_some_and(|joint| !joint.is_end()));
    let locks = joints.into_iter().map(|id| {
        let mut locks = rig.locks.get(&id).copied().unwrap_or_default();
        if let Some(of) = Locks::of_mut(&mut locks, property) {
            *of = wanted;
        }
        (id, locks)
    });
    ctx.commands.apply("history.locks", RigEdit::SetLocks { object, locks: locks.collect() }.into());
}

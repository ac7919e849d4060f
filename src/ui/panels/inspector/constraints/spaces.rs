//! What constraints look at and what chains are held in: named, and chosen from a list.

use crate::{
    model::{Document, JointId, ObjectId, PinSpace, names},
    text::t,
    ui::{panel::PanelContext, widgets::Chooser},
};
use egui::Ui;

/// The name of a space.
pub(super) fn space_name(document: &Document, space: PinSpace) -> String {
    match space {
        PinSpace::World => t("pins.in_world").into_owned(),
        PinSpace::Object(object) => names::object_name(document, object).unwrap_or_default(),
        PinSpace::Joint(object, joint) => joint_name(document, object, joint),
    }
}

pub(super) fn joint_name(document: &Document, object: ObjectId, joint: JointId) -> String {
    let rig = document.object(object).and_then(|object| object.as_rig());
    rig.and_then(|rig| names::joint_name(&rig.skeleton, joint)).unwrap_or_default()
}

/// The world, all objects and all joints.
fn all(document: &Document) -> Vec<PinSpace> {
    let mut spaces = vec![PinSpace::World];
    spaces.extend(document.objects.keys().map(|id| PinSpace::Object(*id)));
    for (id, _, rig) in document.rigs() {
        let joints = rig.skeleton.joints().iter().filter(|joint| !joint.is_end());
        spaces.extend(joints.map(|joint| PinSpace::Joint(id, joint.id)));
    }
    spaces
}

/// A list of spaces; what was chosen, where it is another than now.
pub(super) fn choose(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    label: &str,
    now: Option<PinSpace>,
    width: f32,
) -> Option<PinSpace> {
    let text = now.map_or_else(|| t("chains.mixed").into_owned(), |now| space_name(ctx.document, now));
    let rows = || {
        let several = ctx.document.rigs().count() > 1;
        let name = |space| match space {
            PinSpace::Joint(object, _) if several => {
                let of = names::object_name(ctx.document, object).unwrap_or_default();
                format!("{of} / {}", space_name(ctx.document, space))
            }
            _ => space_name(ctx.document, space),
        };
        all(ctx.document).into_iter().map(|space| (space, name(space))).collect()
    };
    Chooser::new(label, label, text).width(width).show(ui, now.as_ref(), rows).1
}

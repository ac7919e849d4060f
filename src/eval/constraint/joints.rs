//! The constraints of a rig's joints on its pose.

use super::{Stand, held, numbers, solved_space};
use crate::{
    eval::{drag::pose::Pose, pipeline::ObjectFrame},
    math::{Affine, Transform, Vec3},
    model::{Document, Object, ObjectId, PinSpace, constraint_order::ConstraintOrder},
};
use std::collections::BTreeMap;

/// Whether an object has a constraint of a joint that is on.
#[must_use]
pub fn moves_joints(object: &Object) -> bool {
    object.constraints.iter().any(|constraint| constraint.joint.is_some() && !constraint.muted)
}

/// The pose of a rig with the constraints of its joints, in the order of [`ConstraintOrder`]; none where none acts. Joints
/// below go with those that are moved. `world` is from the rig object to the world, `solved` the other objects.
#[must_use]
pub fn constrained_joints(
    document: &Document,
    id: ObjectId,
    secs: f64,
    (world, locals): (&Affine, &[Transform]),
    solved: &BTreeMap<ObjectId, ObjectFrame>,
) -> Option<Vec<Transform>> {
    let object = document.object(id)?;
    let rig = object.as_rig()?;
    let skeleton = &rig.skeleton;
    let mut pose: Option<Pose<'_>> = None;
    for place in ConstraintOrder::new(id, object).joints {
        let Some(constraint) = object.constraints.get(place).filter(|constraint| !constraint.muted) else { continue };
        let (weight, source) = numbers(document, id, constraint, secs);
        let Some(joint) = constraint.joint.and_then(|joint| skeleton.index_of(joint)).filter(|_| weight > 0.0) else {
            continue;
        };
        let pose = pose.get_or_insert_with(|| Pose::new(skeleton.tree(), locals, world));
        let find = |space: PinSpace| match space {
            PinSpace::Object(object) if object == id => Some(*world),
            PinSpace::Joint(object, joint) if object == id => Some(pose.world(skeleton.index_of(joint)?)),
            space => solved_space(document, solved, space),
        };
        let own = Stand { rotation: pose.rotation(joint), ..Stand::of(&pose.world(joint)) };
        if let Some(to) = held(&constraint.kind, &own, source, &find) {
            bring(pose, joint, &own, &own.toward(&to, weight));
        }
    }
    Some(pose?.into_locals())
}

/// Gives a joint what differs from what it has.
fn bring(pose: &mut Pose<'_>, joint: usize, own: &Stand, to: &Stand) {
    if to.rotation != own.rotation {
        pose.set_rotation(joint, &to.rotation);
    }
    if to.place != own.place {
        pose.shift(joint, &(to.place - own.place));
    }
    if to.scale != own.scale {
        let stretch = |axis: usize| if own.scale[axis] > 0.0 { to.scale[axis] / own.scale[axis] } else { 1.0 };
        pose.stretch(joint, &Vec3::new(stretch(0), stretch(1), stretch(2)));
    }
}

//! From new local transforms to the edit of the rest pose that makes them so.

use crate::{
    edit::{
        Edit, SkeletonEdit,
        skeleton::{Carry, Counterparts, JointRest, counterparts},
    },
    interact::rest_mode::RestMode,
    math::{Transform, Vec3},
    model::{Document, JointId, ObjectId},
};
use std::collections::BTreeSet;

/// The edit that gives joints of one rig other rest poses, and where the mode is symmetric their counterparts too.
#[must_use]
pub fn rest_edit(
    document: &Document,
    object: ObjectId,
    changes: &[(JointId, Transform)],
    mode: &RestMode,
    children: Carry,
) -> Edit {
    let rests = changes.iter().map(|(joint, rest)| JointRest { joint: *joint, rest: *rest }).collect();
    let set = SkeletonEdit::SetRest { object, rests, children, animation: mode.animation };
    let Some(sides) = mode.symmetry else { return set.into() };
    let mut joints: BTreeSet<JointId> = changes.iter().map(|(joint, _)| *joint).collect();
    // What stays behind on this side stays behind on the other.
    if children == Carry::Behind
        && let Some(rig) = document.object(object).and_then(|object| object.as_rig())
    {
        let below = rig.skeleton.joints().iter();
        let below = below.filter(|joint| joint.parent.is_some_and(|parent| joints.contains(&parent)));
        let below: Vec<JointId> = below.map(|joint| joint.id).collect();
        joints.extend(below);
    }
    // By place they are counterparts before the change only.
    let by = Counterparts::Given(counterparts(document, object, &sides.counterparts()));
    let mirror = SkeletonEdit::Mirror { object, joints, make: false, by, animation: mode.animation };
    Edit::Batch(vec![set.into(), mirror.into()])
}

/// The edit that lets a joint grow out of another at an offset in its space, metres, and where the mode is symmetric one out of
/// its counterpart too.
#[must_use]
pub fn grown_edit(
    document: &Document,
    (object, parent): (ObjectId, JointId),
    name: &str,
    offset: Vec3,
    mode: &RestMode,
) -> Edit {
    let grown: Edit = SkeletonEdit::Extrude { object, parent, name: name.to_owned(), offset }.into();
    let fresh = document.object(object).and_then(|found| found.as_rig()).map(|rig| rig.skeleton.fresh_id());
    let (Some(sides), Some(fresh)) = (mode.symmetry, fresh) else { return grown };
    let pairs = counterparts(document, object, &sides.counterparts());
    if !pairs.contains_key(&parent) {
        return grown;
    }
    let (joints, by) = ([fresh].into(), Counterparts::Given(pairs));
    let mirror = SkeletonEdit::Mirror { object, joints, make: true, by, animation: mode.animation };
    Edit::Batch(vec![grown, mirror.into()])
}

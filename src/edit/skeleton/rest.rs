//! The rest pose: set, and kept while joints are hung elsewhere.

use super::{
    Animation, Carry, JointRest, SkeletonEdit,
    grow::become_joint,
    tree::{Above, above_in, all_there, bone_of, replace, rest_model, skeleton_of},
};
use crate::{
    edit::EditError,
    math::{Affine, Transform, Vec3, rotation::from_axis_angle},
    model::{Document, JointId, ObjectId},
};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn set(
    document: &mut Document,
    object: ObjectId,
    rests: &[JointRest],
    children: Carry,
    animation: Animation,
) -> Result<(), EditError> {
    let skeleton = skeleton_of(document, object)?;
    all_there(&skeleton, object, rests.iter().map(|rest| &rest.joint))?;
    for JointRest { rest, .. } in rests {
        let numbers = rest.translation.iter().chain(rest.rotation.coords.iter()).chain(rest.scale.iter());
        if let Some(value) = numbers.copied().find(|number| !number.is_finite()) {
            return Err(EditError::BadNumber { what: "a rest pose", value });
        }
    }
    let given: BTreeMap<JointId, Transform> = rests.iter().map(|rest| (rest.joint, rest.rest)).collect();
    let (before, mut now) = (rest_model(&skeleton), BTreeMap::<JointId, (Affine, Vec3)>::new());
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints {
        let parent = joint.parent.and_then(|parent| now.get(&parent));
        let above = Above::new(joint, parent.map(|(place, scale)| (place, scale)));
        if let Some(rest) = given.get(&joint.id) {
            joint.rest = *rest;
        } else if children == Carry::Behind
            && joint.parent.is_some_and(|parent| given.contains_key(&parent))
            && let Some(world) = before.get(&joint.id)
        {
            joint.rest = above.local(world).ok_or(EditError::NoRestSpace(object, joint.id))?;
        }
        now.insert(joint.id, (above.model(&joint.rest), joint.rest.scale));
    }
    replace(document, object, joints, animation)
}

pub(super) fn reparent(
    document: &mut Document,
    object: ObjectId,
    moved: &BTreeSet<JointId>,
    parent: Option<JointId>,
    animation: Animation,
) -> Result<(), EditError> {
    let skeleton = skeleton_of(document, object)?;
    all_there(&skeleton, object, moved.iter().chain(parent.iter()))?;
    let model = rest_model(&skeleton);
    let mut joints = skeleton.joints().to_vec();
    if let Some(parent) = parent {
        let above = std::iter::successors(Some(parent), |id| skeleton.joint(*id)?.parent);
        if let Some(own) = above.into_iter().find(|id| moved.contains(id)) {
            return Err(EditError::OwnChild(object, own, parent));
        }
        if let Some(index) = skeleton.index_of(parent) {
            become_joint(&skeleton, &mut joints, index);
        }
    }
    for joint in joints.iter_mut().filter(|joint| moved.contains(&joint.id) && joint.parent != parent) {
        let Some(world) = model.get(&joint.id) else { continue };
        joint.parent = parent;
        let rest = above_in(&skeleton, &model, joint).local(world);
        joint.rest = rest.ok_or(EditError::NoRestSpace(object, joint.id))?;
    }
    replace(document, object, joints, animation)
}

pub(super) fn set_own_scale(
    document: &mut Document,
    object: ObjectId,
    changed: &BTreeSet<JointId>,
    own_scale: bool,
) -> Result<(), EditError> {
    let skeleton = skeleton_of(document, object)?;
    all_there(&skeleton, object, changed)?;
    let mut joints = skeleton.joints().to_vec();
    for joint in joints.iter_mut().filter(|joint| changed.contains(&joint.id)) {
        joint.own_scale = own_scale;
    }
    replace(document, object, joints, Animation::Stays)
}

/// The edit that turns a joint's axes about its bone by an angle, radians; the joints under it stay where they are. None where
/// the joint has no bone.
#[must_use]
pub fn rolled(
    document: &Document,
    object: ObjectId,
    joint: JointId,
    angle: f64,
    animation: Animation,
) -> Option<SkeletonEdit> {
    let skeleton = skeleton_of(document, object).ok()?;
    let index = skeleton.index_of(joint)?;
    let mut rest = skeleton.joints().get(index)?.rest;
    rest.rotation *= from_axis_angle(&bone_of(&skeleton, index)?, angle);
    let rests = vec![JointRest { joint, rest }];
    Some(SkeletonEdit::SetRest { object, rests, children: Carry::Behind, animation })
}

/// The edit that gives the bone that leads to a joint another length, metres, not negative; what hangs on the joint goes
/// along. None where the joint is a root or lies on what it hangs on, so that the bone has no direction.
#[must_use]
pub fn lengthened(
    document: &Document,
    object: ObjectId,
    joint: JointId,
    length: f64,
    animation: Animation,
) -> Option<SkeletonEdit> {
    let skeleton = skeleton_of(document, object).ok()?;
    let found = skeleton.joint(joint).filter(|found| found.parent.is_some())?;
    let along = found.rest.translation.try_normalize(1e-12)?;
    let rest = Transform { translation: along * length.max(0.0), ..found.rest };
    let rests = vec![JointRest { joint, rest }];
    Some(SkeletonEdit::SetRest { object, rests, children: Carry::Along, animation })
}

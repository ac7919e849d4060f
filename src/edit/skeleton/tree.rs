//! Skeletons taken apart and put together again.

use super::{Animation, following};
use crate::{
    edit::{EditError, rigs::rig_mut},
    eval::fk,
    math::{Affine, Mat3, Quat, Transform, Vec3},
    model::{Document, Joint, JointId, ObjectId, Skeleton},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A turn smaller than this is rounding, radians.
const NO_TURN: f64 = 1e-12;

/// A rig's skeleton.
pub(super) fn skeleton_of(document: &Document, object: ObjectId) -> Result<Arc<Skeleton>, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    found.as_rig().map(|rig| Arc::clone(&rig.skeleton)).ok_or(EditError::NotARig(object))
}

/// An error where one of the joints is not there.
pub(super) fn all_there<'a>(
    skeleton: &Skeleton,
    object: ObjectId,
    joints: impl IntoIterator<Item = &'a JointId>,
) -> Result<(), EditError> {
    let missing = joints.into_iter().find(|joint| skeleton.index_of(**joint).is_none());
    missing.map_or(Ok(()), |missing| Err(EditError::NoJoint(object, *missing)))
}

/// Where the joints are at rest, in the rig's space, by id.
pub(super) fn rest_model(skeleton: &Skeleton) -> BTreeMap<JointId, Affine> {
    let locals: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.tree(), &locals, &Affine::IDENTITY, &mut model);
    skeleton.joints().iter().map(|joint| joint.id).zip(model).collect()
}

/// What a joint stands in at rest.
pub(super) struct Above {
    /// What its place is in.
    place: Affine,
    /// What its rotation and its scale act in.
    linear: Mat3,
}

impl Above {
    /// Under a parent at a place with a scale of its own; under none in the rig's space.
    pub(super) fn new(joint: &Joint, parent: Option<(&Affine, &Vec3)>) -> Self {
        let Some((place, scale)) = parent else { return Self { place: Affine::IDENTITY, linear: Mat3::identity() } };
        let linear = if joint.own_scale { fk::without_scale(&place.linear, scale) } else { place.linear };
        Self { place: *place, linear }
    }

    /// Where a local transform puts the joint.
    pub(super) fn model(&self, local: &Transform) -> Affine {
        Affine { linear: self.linear * local.to_affine().linear, translation: self.place.point(&local.translation) }
    }

    /// The local transform that puts the joint at a place: exact but where it would shear, then the nearest without. None under
    /// a parent without size.
    pub(super) fn local(&self, world: &Affine) -> Option<Transform> {
        let local = Affine {
            linear: self.linear.try_inverse()? * world.linear,
            translation: self.place.try_inverse()?.point(&world.translation),
        };
        let length = |axis: usize| {
            let length = local.linear.column(axis).norm();
            if (length - 1.0).abs() < NO_TURN { 1.0 } else { length }
        };
        let turn = local.rotation();
        let rotation = if turn.angle() < NO_TURN { Quat::identity() } else { turn };
        Some(Transform { translation: local.translation, rotation, scale: Vec3::new(length(0), length(1), length(2)) })
    }
}

/// What a joint stands in when its parent rests as it does in a skeleton.
pub(super) fn above_in(skeleton: &Skeleton, model: &BTreeMap<JointId, Affine>, joint: &Joint) -> Above {
    let parent = joint.parent.and_then(|parent| Some((model.get(&parent)?, &skeleton.joint(parent)?.rest.scale)));
    Above::new(joint, parent)
}

/// Joints with every parent before its children, otherwise in their order.
fn ordered(joints: Vec<Joint>) -> Vec<Joint> {
    let mut seen = BTreeSet::new();
    if joints.iter().all(|joint| {
        seen.insert(joint.id);
        joint.parent.is_none_or(|parent| seen.contains(&parent))
    }) {
        return joints;
    }
    let mut children: BTreeMap<Option<JointId>, Vec<JointId>> = BTreeMap::new();
    for joint in &joints {
        children.entry(joint.parent).or_default().push(joint.id);
    }
    let mut by_id: BTreeMap<JointId, Joint> = joints.into_iter().map(|joint| (joint.id, joint)).collect();
    let mut open: Vec<JointId> = children.remove(&None).unwrap_or_default().into_iter().rev().collect();
    let mut sorted = Vec::with_capacity(by_id.len());
    while let Some(id) = open.pop() {
        sorted.extend(by_id.remove(&id));
        open.extend(children.remove(&Some(id)).unwrap_or_default().into_iter().rev());
    }
    sorted
}

/// The direction of a joint's bone in its own space: to its first child that is apart from it; none where no child is.
pub(super) fn bone_of(skeleton: &Skeleton, index: usize) -> Option<Vec3> {
    let mut offsets = skeleton.children(index).filter_map(|child| Some(skeleton.joints().get(child)?.rest.translation));
    offsets.find_map(|offset| offset.try_normalize(1e-12))
}

/// Gives a rig other joints: curves of those whose rest pose changed follow or stay, skins stay bound, words about what is
/// gone go.
pub(super) fn replace(
    document: &mut Document,
    object: ObjectId,
    joints: Vec<Joint>,
    animation: Animation,
) -> Result<(), EditError> {
    let old = skeleton_of(document, object)?;
    let new = Skeleton::new(ordered(joints)).map_err(|error| EditError::Skeleton(object, error))?;
    let (before_model, after_model) = (rest_model(&old), rest_model(&new));
    if animation == Animation::Follows {
        // What hangs on a joint that rolls stays in its place, and does not roll itself.
        let is_turned = |joint: JointId| match (before_model.get(&joint), after_model.get(&joint)) {
            (Some(before), Some(after)) => (before.linear - after.linear).norm() > 1e-9,
            _ => false,
        };
        for joint in new.joints() {
            if let Some(before) = old.joint(joint.id).filter(|before| before.rest != joint.rest) {
                let index = old.index_of(joint.id).filter(|_| is_turned(joint.id));
                let bone = index.and_then(|index| bone_of(&old, index));
                following::follow(document, object, before, &joint.rest, bone.as_ref());
            }
        }
    }
    following::rebind(document, object, &before_model, &after_model);
    let rig = rig_mut(document, object)?;
    rig.skeleton = Arc::new(new);
    rig.forget_missing();
    Ok(())
}

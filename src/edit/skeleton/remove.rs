//! Joints deleted.

use super::{
    Animation, Children, forgetting,
    tree::{above_in, all_there, replace, rest_model, skeleton_of},
};
use crate::{
    edit::EditError,
    model::{Document, JointId, ObjectId, Skeleton},
};
use std::collections::BTreeSet;

pub(super) fn delete(
    document: &mut Document,
    object: ObjectId,
    joints: &BTreeSet<JointId>,
    children: Children,
) -> Result<(), EditError> {
    let skeleton = skeleton_of(document, object)?;
    all_there(&skeleton, object, joints)?;
    let gone = gone(&skeleton, joints, children);
    let model = rest_model(&skeleton);
    let mut kept = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints().iter().filter(|joint| !gone.contains(&joint.id)) {
        let mut joint = joint.clone();
        if joint.parent.is_some_and(|parent| gone.contains(&parent)) {
            joint.parent = heir(&skeleton, &gone, joint.id);
            if let Some(world) = model.get(&joint.id) {
                let rest = above_in(&skeleton, &model, &joint).local(world);
                joint.rest = rest.ok_or(EditError::NoRestSpace(object, joint.id))?;
            }
        }
        kept.push(joint);
    }
    forgetting::forget(document, object, &gone, |joint| heir(&skeleton, &gone, joint), &model);
    replace(document, object, kept, Animation::Follows)
}

/// All that goes: a bone's tip that would hang on nothing goes too.
pub(super) fn gone(skeleton: &Skeleton, joints: &BTreeSet<JointId>, children: Children) -> BTreeSet<JointId> {
    let mut gone = joints.clone();
    for joint in skeleton.joints() {
        let orphan = joint.parent.is_some_and(|parent| gone.contains(&parent));
        if orphan && (children == Children::Deleted || (joint.is_end() && heir(skeleton, &gone, joint.id).is_none())) {
            gone.insert(joint.id);
        }
    }
    gone
}

/// The nearest joint above one that stays.
fn heir(skeleton: &Skeleton, gone: &BTreeSet<JointId>, joint: JointId) -> Option<JointId> {
    let above = std::iter::successors(skeleton.joint(joint)?.parent, |id| skeleton.joint(*id)?.parent);
    above.into_iter().find(|id| !gone.contains(id))
}

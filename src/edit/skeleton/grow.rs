//! Joints added, put between others, and renamed.

use super::{
    Animation,
    tree::{replace, skeleton_of},
};
use crate::{
    edit::{EditError, error::finite},
    math::Vec3,
    model::{Document, Joint, JointId, JointKind, ObjectId, Skeleton, names::joint_name},
};
use std::sync::Arc;

fn sound(name: &str, place: &Vec3) -> Result<(), EditError> {
    if name.trim().is_empty() {
        return Err(EditError::BadName(name.to_owned()));
    }
    place.iter().try_for_each(|number| finite("a joint's place", *number).map(|_| ()))
}

pub(super) fn add(
    document: &mut Document,
    object: ObjectId,
    parent: Option<JointId>,
    name: &str,
    place: &Vec3,
) -> Result<(), EditError> {
    sound(name, place)?;
    let skeleton = skeleton_of(document, object)?;
    let mut joints = skeleton.joints().to_vec();
    if let Some(parent) = parent {
        let index = skeleton.index_of(parent).ok_or(EditError::NoJoint(object, parent))?;
        become_joint(&skeleton, &mut joints, index);
    }
    joints.push(Joint::new(skeleton.fresh_id(), name.trim(), parent, *place));
    replace(document, object, joints, Animation::Stays)
}

/// A bone's tip that something shall hang on is a joint; one without a name is called after what it hangs on.
pub(super) fn become_joint(skeleton: &Skeleton, joints: &mut [Joint], index: usize) {
    let above = skeleton.parents().get(index).copied().flatten().and_then(|parent| skeleton.joints().get(parent));
    let Some(joint) = joints.get_mut(index).filter(|joint| joint.is_end()) else { return };
    joint.kind = JointKind::Joint;
    if joint.name.is_empty() {
        joint.name = above.map_or_else(|| "tip".to_owned(), |above| format!("{} tip", above.name));
    }
}

pub(super) fn split(
    document: &mut Document,
    object: ObjectId,
    joint: JointId,
    at: f64,
    name: &str,
) -> Result<(), EditError> {
    sound(name, &Vec3::zeros())?;
    let skeleton = skeleton_of(document, object)?;
    let index = skeleton.index_of(joint).ok_or(EditError::NoJoint(object, joint))?;
    let mut joints = skeleton.joints().to_vec();
    let below = &mut joints[index];
    let parent = below.parent.ok_or(EditError::NoBone(object, joint))?;
    if !(0.0..=1.0).contains(&at) {
        return Err(EditError::BadNumber { what: "the part of a bone to split at", value: at });
    }
    let whole = below.rest.translation;
    let mut between = Joint::new(skeleton.fresh_id(), name.trim(), Some(parent), whole * at);
    below.rest.translation = whole - between.rest.translation;
    // What leaves its parent's scale out goes on doing so by way of the new joint; the rest of the bone is unscaled there.
    between.own_scale = below.own_scale;
    if let Some(scale) = skeleton.joint(parent).map(|parent| parent.rest.scale).filter(|_| below.own_scale) {
        below.rest.translation.component_mul_assign(&scale);
    }
    below.parent = Some(between.id);
    joints.insert(index, between);
    // The curves of the joint below are of its place under the new one now.
    replace(document, object, joints, Animation::Follows)
}

pub(super) fn rename(document: &mut Document, object: ObjectId, joint: JointId, name: &str) -> Result<(), EditError> {
    sound(name, &Vec3::zeros())?;
    let skeleton = skeleton_of(document, object)?;
    let index = skeleton.index_of(joint).ok_or(EditError::NoJoint(object, joint))?;
    let before = joint_name(&skeleton, joint);
    let mut joints = skeleton.joints().to_vec();
    name.trim().clone_into(&mut joints[index].name);
    replace(document, object, joints, Animation::Stays)?;
    let after = joint_name(&*skeleton_of(document, object)?, joint);
    if let (Some(before), Some(after)) = (before, after) {
        rename_in_poses(document, &before, &after);
    }
    Ok(())
}

/// Poses name joints of any rig: they follow the new name, and keep the old one where another rig has such a joint.
fn rename_in_poses(document: &mut Document, before: &str, after: &str) {
    let still = document.rigs().any(|(_, _, rig)| {
        rig.skeleton.joints().iter().any(|joint| joint_name(&rig.skeleton, joint.id).as_deref() == Some(before))
    });
    let follows = |pose: &crate::model::Pose| pose.joints.contains_key(before) && !pose.joints.contains_key(after);
    if before == after || !document.poses.values().any(|pose| follows(pose)) {
        return;
    }
    for pose in Arc::make_mut(&mut document.poses).values_mut().filter(|pose| follows(pose)) {
        let pose = Arc::make_mut(pose);
        if let Some(joint) = pose.joints.get(before).copied() {
            pose.joints.insert(after.to_owned(), joint);
            if !still {
                pose.joints.remove(before);
            }
        }
    }
}

/// A name for a joint that grows out of another: the other's, counted on, its side kept; one that no joint has.
#[must_use]
pub fn free_name(skeleton: &Skeleton, parent: JointId) -> String {
    let parent = skeleton.joint(parent).map(|parent| parent.name.trim()).filter(|name| !name.is_empty());
    let name = parent.unwrap_or("joint");
    let side = [".l", ".r", "_l", "_r", ".L", ".R", "_L", "_R"].into_iter().find(|side| name.ends_with(side));
    let (stem, side) = side.and_then(|side| Some((name.strip_suffix(side)?, side))).unwrap_or((name, ""));
    let bare = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let count = stem.strip_prefix(bare).and_then(|digits| digits.parse::<u32>().ok());
    let bare = if count.is_none() && !bare.is_empty() { format!("{bare} ") } else { bare.to_owned() };
    let taken: std::collections::BTreeSet<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    let from = count.unwrap_or(1);
    // One of so many is free.
    let mut names = (1..=u32::try_from(taken.len() + 1).unwrap_or(u32::MAX))
        .map(|more| format!("{bare}{}{side}", from.saturating_add(more)));
    names.find(|name| !taken.contains(name.as_str())).unwrap_or_else(|| format!("{name} tip"))
}

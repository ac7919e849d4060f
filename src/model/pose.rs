//! Poses by joint name: what the library keeps and what copying takes.

use super::{
    curve::unit_quaternion,
    id::JointId,
    names::{find_joint, joint_name},
    skeleton::Skeleton,
};
use crate::math::{Quat, Transform, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How near to the rest pose a length or a scale counts as at rest, metres or 1.
const AT_REST: f64 = 1e-9;

/// A pose that fits any rig with joints of these names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// What it is called; need not be unique.
    pub name: String,
    /// The joints by name, as [`joint_name`] tells them apart.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joints: BTreeMap<String, JointPose>,
}

/// One joint of a pose, in its parent's space. What is at rest is not said, so that a body of other proportions keeps its
/// own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointPose {
    /// Rotation in the parent's space.
    #[serde(with = "unit_quaternion")]
    pub rotation: Quat,
    /// Translation in the parent's space, metres; none for that of the rest pose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<Vec3>,
    /// Scale; none for that of the rest pose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec3>,
}

impl JointPose {
    /// A joint's pose beside its rest pose.
    #[must_use]
    pub fn new(local: &Transform, rest: &Transform) -> Self {
        let unlike = |value: Vec3, rest: Vec3| Some(value).filter(|value| (value - rest).amax() > AT_REST);
        Self {
            rotation: local.rotation,
            translation: unlike(local.translation, rest.translation),
            scale: unlike(local.scale, rest.scale),
        }
    }

    /// The local transform on a joint with this rest pose.
    #[must_use]
    pub fn on(&self, rest: &Transform) -> Transform {
        Transform {
            translation: self.translation.unwrap_or(rest.translation),
            rotation: self.rotation,
            scale: self.scale.unwrap_or(rest.scale),
        }
    }

    /// Whether all numbers are finite and the rotation is one.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let parts = self.translation.iter().chain(&self.scale);
        parts.flat_map(|part| part.iter()).all(|number| number.is_finite()) && (self.rotation.norm() - 1.0).abs() < 1e-6
    }
}

impl Pose {
    /// The pose of some joints of a rig whose local transforms, one a joint, are `locals`. Bone tips and joints that do not
    /// exist are left out.
    #[must_use]
    pub fn taken(name: &str, skeleton: &Skeleton, locals: &[Transform], of: impl IntoIterator<Item = JointId>) -> Self {
        let joints = of.into_iter().filter_map(|id| {
            let index = skeleton.index_of(id)?;
            let joint = skeleton.joints().get(index).filter(|joint| !joint.is_end())?;
            Some((joint_name(skeleton, id)?, JointPose::new(locals.get(index)?, &joint.rest)))
        });
        Self { name: name.to_owned(), joints: joints.collect() }
    }

    /// The joints of a rig that the pose names, by index, with their local transforms; in order of the skeleton.
    #[must_use]
    pub fn on(&self, skeleton: &Skeleton) -> Vec<(usize, Transform)> {
        let mut found: Vec<(usize, Transform)> = self
            .joints
            .iter()
            .filter_map(|(name, pose)| {
                let index = skeleton.index_of(find_joint(skeleton, name)?)?;
                let joint = skeleton.joints().get(index).filter(|joint| !joint.is_end())?;
                Some((index, pose.on(&joint.rest)))
            })
            .collect();
        found.sort_by_key(|(index, _)| *index);
        // `a` and `a#1` are two names of one joint.
        found.dedup_by_key(|(index, _)| *index);
        found
    }
}

//! The pose library, and poses brought onto a rig: pasted, mirrored, blended.

use super::{AutoKey, Edit, EditError, clips::take_id, pose::pose_edit_into};
use crate::{
    eval::mirror::Mirror,
    math::{
        Transform, Vec3,
        rotation::{align, pow_short},
    },
    model::{CorrectionId, Document, JointId, ObjectId, Pose, PoseId, Skeleton},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

/// An edit of the pose library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PoseEdit {
    /// Adds a pose.
    Add {
        /// Its id, from [`Document::next_id`].
        id: PoseId,
        /// The pose.
        pose: Arc<Pose>,
    },
    /// Renames a pose.
    Rename {
        /// The pose.
        pose: PoseId,
        /// The name.
        name: String,
    },
    /// Gives a pose other joints; it keeps its name and its place.
    Replace {
        /// The pose.
        pose: PoseId,
        /// Where the joints come from.
        with: Arc<Pose>,
    },
    /// Deletes a pose.
    Delete {
        /// The pose.
        pose: PoseId,
    },
}

impl From<PoseEdit> for Edit {
    fn from(edit: PoseEdit) -> Self {
        Self::Pose(edit)
    }
}

impl PoseEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Add { id, pose } => {
                check(pose)?;
                take_id(document, id.0)?;
                Arc::make_mut(&mut document.poses).insert(*id, pose.clone());
            }
            Self::Rename { pose, name } => {
                let found = Arc::make_mut(&mut document.poses).get_mut(pose).ok_or(EditError::NoPose(*pose))?;
                Arc::make_mut(found).name.clone_from(name);
            }
            Self::Replace { pose, with } => {
                check(with)?;
                let found = Arc::make_mut(&mut document.poses).get_mut(pose).ok_or(EditError::NoPose(*pose))?;
                Arc::make_mut(found).joints.clone_from(&with.joints);
            }
            Self::Delete { pose } => {
                Arc::make_mut(&mut document.poses).remove(pose).ok_or(EditError::NoPose(*pose))?;
            }
        }
        Ok(())
    }
}

fn check(pose: &Pose) -> Result<(), EditError> {
    let sound = pose.joints.values().all(crate::model::JointPose::is_sound);
    if sound { Ok(()) } else { Err(EditError::BadNumber { what: "a pose", value: f64::NAN }) }
}

/// Where and how a pose is brought onto a rig.
#[derive(Clone, Copy, Debug)]
pub struct PoseTarget<'a> {
    /// The document as it was before.
    pub document: &'a Document,
    /// The rig object.
    pub object: ObjectId,
    /// When, seconds.
    pub secs: f64,
    /// The rig's local transforms as shown then, one a joint.
    pub present: &'a [Transform],
    /// The joints that take it; empty for all.
    pub only: &'a BTreeSet<JointId>,
    /// What posing writes.
    pub auto_key: AutoKey,
    /// The correction that captured motion is corrected in, where one is selected.
    pub correction: Option<CorrectionId>,
}

impl PoseTarget<'_> {
    fn skeleton(&self) -> Result<&Skeleton, EditError> {
        let object = self.document.object(self.object).ok_or(EditError::NoObject(self.object))?;
        Ok(&object.as_rig().ok_or(EditError::NotARig(self.object))?.skeleton)
    }

    fn mirror(&self) -> Result<Mirror, EditError> {
        Mirror::of_object(self.document, self.object).ok_or(EditError::NotARig(self.object))
    }

    fn edit(&self, wanted: impl Iterator<Item = (usize, Transform)>) -> Result<Edit, EditError> {
        let joints = self.skeleton()?.joints();
        let changes: Vec<(JointId, Transform)> = wanted
            .filter_map(|(index, local)| Some((joints.get(index).filter(|joint| !joint.is_end())?.id, local)))
            .filter(|(joint, _)| self.only.is_empty() || self.only.contains(joint))
            .collect();
        pose_edit_into(self.document, self.object, self.secs, &changes, self.auto_key, self.correction)
    }

    /// The edit that brings a pose on, joints by name: `amount` of the way from the present pose, by the short arc. 0 leaves
    /// all as it is, 1 gives the pose, less or more goes as far the other way or beyond.
    ///
    /// # Errors
    /// Where the object is no rig, or a number is not finite.
    pub fn blend(&self, pose: &Pose, amount: f64) -> Result<Edit, EditError> {
        self.toward(pose.on(self.skeleton()?).into_iter(), amount)
    }

    fn toward(&self, wanted: impl Iterator<Item = (usize, Transform)>, amount: f64) -> Result<Edit, EditError> {
        self.edit(wanted.filter_map(|(index, wanted)| {
            let present = self.present.get(index)?;
            Some((index, if amount == 1.0 { wanted } else { blended(present, &wanted, amount) }))
        }))
    }

    /// The edit that brings a pose on as a mirror shows it: what it says of a left joint goes to the right one.
    ///
    /// # Errors
    /// Where the object is no rig, or a number is not finite.
    pub fn mirrored(&self, pose: &Pose) -> Result<Edit, EditError> {
        self.blend_mirrored(pose, 1.0)
    }

    /// [`Self::blend`] towards the pose as a mirror shows it.
    ///
    /// # Errors
    /// Where the object is no rig, or a number is not finite.
    pub fn blend_mirrored(&self, pose: &Pose, amount: f64) -> Result<Edit, EditError> {
        let (wanted, mirror) = (pose.on(self.skeleton()?), self.mirror()?);
        let mirrored = |(index, local): (usize, Transform)| (mirror.partner(index), mirror.mirrored(index, &local));
        self.toward(wanted.into_iter().map(mirrored), amount)
    }

    /// The edit that mirrors the present pose in place: of the given joints and their partners, or of all.
    ///
    /// # Errors
    /// Where the object is no rig.
    pub fn mirror_in_place(&self) -> Result<Edit, EditError> {
        let (skeleton, mirror) = (self.skeleton()?, self.mirror()?);
        let both: BTreeSet<JointId> = other_side(skeleton, &mirror, self.only).union(self.only).copied().collect();
        let wanted = mirror.pose(self.present);
        PoseTarget { only: &both, ..*self }.edit(wanted.into_iter().enumerate())
    }
}

/// The joints of the other side.
#[must_use]
pub fn other_side(skeleton: &Skeleton, mirror: &Mirror, joints: &BTreeSet<JointId>) -> BTreeSet<JointId> {
    let partner = |id: &JointId| Some(skeleton.joints().get(mirror.partner(skeleton.index_of(*id)?))?.id);
    joints.iter().filter_map(partner).collect()
}

/// From one transform towards another: the rotation by the short arc, translation on the line, scale by its ratio where
/// neither changes sign, else on the line.
fn blended(from: &Transform, to: &Transform, amount: f64) -> Transform {
    let turn = pow_short(&(from.rotation.inverse() * align(&to.rotation, &from.rotation)), amount);
    let scale = from.scale.zip_map(&to.scale, |from, to| {
        if from > 0.0 && to > 0.0 { from * (to / from).powf(amount) } else { from + (to - from) * amount }
    });
    let translation: Vec3 = from.translation + (to.translation - from.translation) * amount;
    Transform { translation, rotation: from.rotation * turn, scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, rotation::from_axis_angle};

    #[test]
    fn a_blend_turns_by_the_short_arc_in_proportion() {
        let from = Transform { scale: Vec3::repeat(1.0), ..Transform::IDENTITY };
        let turn = |angle: f64| from_axis_angle(&Vec3::z(), angle);
        let to = Transform {
            translation: Vec3::x(),
            rotation: Quat::new_unchecked(-turn(0.8).into_inner()),
            scale: Vec3::repeat(2.0),
        };
        for amount in [-1.0, 0.0, 0.25, 1.0, 2.0] {
            let got = blended(&from, &to, amount);
            assert!(got.rotation.angle_to(&turn(0.8 * amount)) < 1e-12);
            assert!((got.translation - Vec3::x() * amount).norm() < 1e-15);
            assert!((got.scale - Vec3::repeat(2_f64.powf(amount))).norm() < 1e-12);
        }
    }
}

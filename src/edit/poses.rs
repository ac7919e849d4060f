//! The pose library, and poses brought onto a rig: pasted, mirrored, blended.

use super::{AutoKey, Edit, EditError, clips::take_id, pose::pose_edit_into};
use crate::{
    eval::mirror::{Mirror, is_moved},
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

/// What becomes of where a figure stands and which way it faces as it takes a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ground {
    /// It stays where it is; height and lean are the pose's.
    #[default]
    Stays,
    /// It goes where the pose was taken.
    Taken,
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
    /// Where the figure stands then.
    pub ground: Ground,
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
        let mut wanted = pose.on(self.skeleton()?);
        if self.ground == Ground::Stays {
            self.stand(&self.mirror()?, &mut wanted, self.present, &[])?;
        }
        self.toward(wanted.into_iter(), amount)
    }

    /// Brings what is wanted to where the figure stands with the joints as in `as_in`, one a joint. `before` are the joints
    /// before they were mirrored.
    fn stand(
        &self,
        mirror: &Mirror,
        wanted: &mut [(usize, Transform)],
        as_in: &[Transform],
        before: &[(usize, Transform)],
    ) -> Result<(), EditError> {
        let of = |pose: &[(usize, Transform)], joint: usize, rest: &Transform| {
            pose.iter().any(|(index, local)| *index == joint && is_moved(local, rest))
        };
        let moved = |joint: usize, rest: &Transform| {
            let now = self.present.get(joint).is_some_and(|local| is_moved(local, rest));
            now || of(wanted, joint, rest) || of(before, joint, rest)
        };
        let Some(standing) = mirror.standing(self.document, self.object, moved) else { return Ok(()) };
        if let Some(to) = as_in.get(standing.carrier()) {
            standing.bring(wanted, self.skeleton()?.parents(), to);
        }
        Ok(())
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

    /// [`Self::blend`] towards the pose as a mirror shows it that stands in the figure's own plane: it stands and faces as
    /// the figure does, or as the pose did.
    ///
    /// # Errors
    /// Where the object is no rig, or a number is not finite.
    pub fn blend_mirrored(&self, pose: &Pose, amount: f64) -> Result<Edit, EditError> {
        let (pose, mirror) = (pose.on(self.skeleton()?), self.mirror()?);
        let mirrored = |(index, local): &(usize, Transform)| (mirror.partner(*index), mirror.mirrored(*index, local));
        let mut wanted: Vec<(usize, Transform)> = pose.iter().map(mirrored).collect();
        let mut stands = self.present.to_vec();
        if self.ground == Ground::Taken {
            for (joint, local) in &pose {
                if let Some(place) = stands.get_mut(*joint) {
                    *place = *local;
                }
            }
        }
        self.stand(&mirror, &mut wanted, &stands, &pose)?;
        self.toward(wanted.into_iter(), amount)
    }

    /// The edit that mirrors the present pose about the figure's own plane, so that it stays where it stands: of the given
    /// joints and their partners, or of all.
    ///
    /// # Errors
    /// Where the object is no rig.
    pub fn mirror_in_place(&self) -> Result<Edit, EditError> {
        let (skeleton, mirror) = (self.skeleton()?, self.mirror()?);
        let both: BTreeSet<JointId> = other_side(skeleton, &mirror, self.only).union(self.only).copied().collect();
        let mut wanted: Vec<(usize, Transform)> = mirror.pose(self.present).into_iter().enumerate().collect();
        self.stand(&mirror, &mut wanted, self.present, &[])?;
        PoseTarget { only: &both, ..*self }.edit(wanted.into_iter())
    }
}

/// The joints that an edit of a pose leaves otherwise than it would without locks. `make` is that edit on a document.
#[must_use]
pub fn left_locked(
    (document, object, secs): (&Document, ObjectId, f64),
    make: &dyn Fn(&Document) -> Result<Edit, EditError>,
) -> Vec<JointId> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()).filter(|rig| !rig.locks.is_empty())
    else {
        return Vec::new();
    };
    let locked: Vec<JointId> = rig.locks.keys().copied().collect();
    let mut free = document.clone();
    if let Some(found) = free.object_mut(object)
        && let crate::model::ObjectKind::Rig(rig) = &mut found.kind
    {
        std::sync::Arc::make_mut(rig).locks.clear();
    }
    let evaluator = crate::eval::Evaluator::new();
    let pose = |of: &Document| {
        let mut after = of.clone();
        make(of).ok()?.apply(&mut after).ok()?;
        Some(evaluator.rig_frame(&after, object, secs)?.local.clone())
    };
    let Some((held, free)) = pose(document).zip(pose(&free)) else { return Vec::new() };
    let differs = |joint: &JointId| {
        let at = rig.skeleton.index_of(*joint);
        let both = at.and_then(|at| Some((held.get(at)?, free.get(at)?)));
        both.is_some_and(|(a, b)| {
            let moved = (a.translation - b.translation).norm() + (a.scale - b.scale).norm();
            moved > 1e-6 || a.rotation.angle_to(&b.rotation) > 1e-6
        })
    };
    locked.into_iter().filter(differs).collect()
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

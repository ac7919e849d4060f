//! Finding the limbs of any skeleton, so that a character can be posed by dragging without a rig.
//!
//! Names are read first (English, Japanese, and the styles of Mixamo, CMU, MakeHuman, Rokoko, Poser, Unreal); what they do
//! not say is found from symmetry and proportion alone. Neither the up axis nor the facing is known beforehand: both are
//! inferred from how the limbs hang together. Twist, split and helper joints stay inside a limb and move rigidly with
//! its upper or lower part. The functions work on plain slices, joints parents first.

mod adapter;
mod assemble;
mod body;
mod correct;
pub mod foot;
pub mod hand;
mod limits;
mod names;
mod pairs;
mod segments;
mod tree;

pub use crate::model::{Role, Side};
pub use adapter::{first_pose, of_object, of_rig, of_skeleton};
pub use assemble::find;
pub use body::BodyFrame;
pub use limits::{limit_of, limits, role_limits};

use crate::{
    math::{Transform, Vec3},
    model::Skeleton,
};
use std::collections::BTreeMap;

/// A skeleton to look at. All slices have one entry a joint, parents before children; `posed` may be empty.
#[derive(Clone, Copy, Debug)]
pub struct SkeletonView<'a> {
    /// The parent of each joint, an earlier index; none for roots.
    pub parents: &'a [Option<usize>],
    /// Names as in the file; may repeat, may be empty.
    pub names: &'a [&'a str],
    /// Whether a joint is only the tip of a bone (a BVH End Site).
    pub tips: &'a [bool],
    /// Positions in the rest pose, any unit.
    pub rest: &'a [Vec3],
    /// Positions in some natural pose, such as the first frame of a clip; used where the rest pose is none that a body
    /// could take (files whose zero pose folds everything along one axis). Ignored where its bone lengths differ.
    pub posed: &'a [Vec3],
}

/// A chain of joints that moves as one part of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limb {
    /// What it is for.
    pub role: Role,
    /// Which side it is on.
    pub side: Side,
    /// All joints from the limb's root to its end, both included, each the parent of the next.
    pub joints: Vec<usize>,
    /// The joint of `joints` where the limb bends (elbow, knee); none where no single joint does.
    pub middle: Option<usize>,
    /// Joints between the branch that the limb hangs from and its root (collar bone, pelvis), in order from the branch.
    pub lead: Vec<usize>,
}

impl Limb {
    /// The joint the limb turns about: shoulder, hip, first vertebra.
    #[must_use]
    pub fn root(&self) -> usize {
        self.joints.first().copied().unwrap_or_default()
    }

    /// The joint at the limb's end: wrist, ankle, head, chest, tip.
    #[must_use]
    pub fn end(&self) -> usize {
        self.joints.last().copied().unwrap_or_default()
    }

    /// Place of the middle joint in `joints`.
    #[must_use]
    pub fn middle_place(&self) -> Option<usize> {
        self.joints.iter().position(|j| Some(*j) == self.middle)
    }
}

/// What was found on one skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limbs {
    /// All limbs: arms and legs first, left before right, then spine, neck, tail, fingers, toes, other chains.
    pub limbs: Vec<Limb>,
    /// The joint that carries legs and trunk; none where there are neither legs nor a trunk with arms.
    pub hips: Option<usize>,
    /// The joint that carries the arms; none without arms.
    pub chest: Option<usize>,
    /// The head joint; none where none was found.
    pub head: Option<usize>,
    /// Whether it stands on four legs.
    pub four_legged: bool,
    /// Whether the pose looked at is the posed one, because the rest pose is none that a body could take.
    pub by_posed: bool,
    /// The pose looked at where it is the posed one: each joint in its parent's space. Empty where it is the rest pose.
    pub posed: Vec<Transform>,
    /// Up and forward in the pose looked at, in the coordinates of the input.
    pub frame: BodyFrame,
    /// The ways that limbs are said to bend, by the joint at their end: unit directions in the same coordinates, in the rest
    /// pose.
    pub bends: BTreeMap<usize, Vec3>,
}

impl Limbs {
    /// The limb of a role on a side.
    #[must_use]
    pub fn limb(&self, role: Role, side: Side) -> Option<&Limb> {
        self.limbs.iter().find(|limb| limb.role == role && limb.side == side)
    }

    /// Each joint in its parent's space as the body stands when it is looked at: in its rest pose, or where that is none
    /// that a body could take, in its clip's first frame. What is measured from a natural stance is measured from this.
    #[must_use]
    pub fn stance(&self, skeleton: &Skeleton) -> Vec<Transform> {
        if self.by_posed && self.posed.len() == skeleton.len() {
            return self.posed.clone();
        }
        skeleton.joints().iter().map(|joint| joint.rest).collect()
    }

    /// All limbs of a role.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = &Limb> {
        self.limbs.iter().filter(move |limb| limb.role == role)
    }

    /// The limb that a joint belongs to: the one it is the end of, else the one it lies in, its lead included.
    #[must_use]
    pub fn containing(&self, joint: usize) -> Option<&Limb> {
        let ends_here = self.limbs.iter().find(|limb| limb.end() == joint);
        ends_here
            .or_else(|| self.limbs.iter().find(|limb| limb.joints.contains(&joint)))
            .or_else(|| self.limbs.iter().find(|limb| limb.lead.contains(&joint)))
    }
}

#[cfg(test)]
mod tests;

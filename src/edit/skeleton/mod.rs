//! Edits of skeletons: joints added, split, renamed, hung elsewhere, deleted and mirrored, and the rest pose itself.
//!
//! What is decided for all of them:
//! - **Skins stay bound.** Where the rest pose of a joint changes, its inverse bind matrices change with it, so that every
//!   mesh stays as it is at rest: `B' = G'^-1 G B`. A deleted joint's weights go to the joint it hung on, else to the rig
//!   object itself.
//! - **Animation follows** means that curves and waiting edits keep their offset from the rest pose: translations are
//!   shifted (in their parent's axes), rotations turned by `rest' rest^-1`, scales left alone. Corrections are offsets already.
//!   **Animation stays** leaves the absolute values as they are.
//! - **Joints made by a mirror** get the limits, locks and drivers of those they were made of, as the mirror shows them.
//! - **Everything that names a joint goes with it**: curves, waiting values, corrections, pins, constraints, retimes, snapshots, sets,
//!   limits, limbs and chains. Objects that hung on it hang on what it hung on, and stay where they are at rest.

pub(in crate::edit) mod following;
mod forgetting;
mod grow;
mod mirror;
mod mirrored;
mod remove;
mod rest;
#[cfg(test)]
mod tests;
mod tree;

pub use forgetting::lost;
pub use grow::free_name;
pub use mirror::counterparts;
pub use rest::{lengthened, rolled};

use super::{Edit, EditError, constraints::no_cycle};
use crate::{
    math::{Transform, Vec3},
    model::{Document, JointId, ObjectId, object::transform_parts},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An edit of a rig's joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SkeletonEdit {
    /// Adds a joint that hangs on none; its id is the skeleton's fresh one.
    AddRoot {
        /// The rig object.
        object: ObjectId,
        /// Its name.
        name: String,
        /// Where it is at rest, in the rig's space, metres.
        place: Vec3,
    },
    /// Adds a child; its id is the skeleton's fresh one. A bone's tip that gets one becomes a joint.
    Extrude {
        /// The rig object.
        object: ObjectId,
        /// What it hangs on.
        parent: JointId,
        /// Its name.
        name: String,
        /// Where it is at rest, in the parent's space, metres.
        offset: Vec3,
    },
    /// Puts a joint on the bone that leads to a joint; nothing moves, at rest or in a clip. Its id is the skeleton's fresh one.
    Split {
        /// The rig object.
        object: ObjectId,
        /// The joint at the bone's end.
        joint: JointId,
        /// How far along the bone, 0..1.
        at: f64,
        /// Its name.
        name: String,
    },
    /// Renames a joint; poses of the library that name it follow.
    Rename {
        /// The rig object.
        object: ObjectId,
        /// The joint.
        joint: JointId,
        /// Its name, not empty.
        name: String,
    },
    /// Hangs joints elsewhere; at rest nothing moves, but where the new parent's scale shears them.
    Reparent {
        /// The rig object.
        object: ObjectId,
        /// The joints.
        joints: BTreeSet<JointId>,
        /// What they hang on from now on; none makes them roots.
        parent: Option<JointId>,
        /// What their curves do.
        animation: Animation,
    },
    /// Deletes joints with what names them.
    Delete {
        /// The rig object.
        object: ObjectId,
        /// The joints.
        joints: BTreeSet<JointId>,
        /// What hangs on them.
        children: Children,
    },
    /// Gives the other side of the body the rest pose of these joints. Where a joint and its counterpart are both named, the first in the skeleton's order is the model.
    Mirror {
        /// The rig object.
        object: ObjectId,
        /// The joints.
        joints: BTreeSet<JointId>,
        /// Whether joints without a counterpart get one.
        make: bool,
        /// How counterparts are found.
        #[serde(default)]
        by: Counterparts,
        /// What the curves of changed joints do.
        animation: Animation,
    },
    /// Lets joints leave out their parents' scale, or take it. At rest nothing that has scale 1 above it moves.
    SetOwnScale {
        /// The rig object.
        object: ObjectId,
        /// The joints.
        joints: BTreeSet<JointId>,
        /// Whether they leave it out.
        own_scale: bool,
    },
    /// Sets rest poses.
    SetRest {
        /// The rig object.
        object: ObjectId,
        /// The joints and their rest poses.
        rests: Vec<JointRest>,
        /// What becomes of joints that hang on them.
        children: Carry,
        /// What the curves of changed joints do.
        animation: Animation,
    },
}

/// A joint's rest pose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointRest {
    /// The joint.
    pub joint: JointId,
    /// Its rest pose in its parent's space.
    #[serde(with = "transform_parts")]
    pub rest: Transform,
}

/// What curves do when the rest pose changes under them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Animation {
    /// They keep their offset from the rest pose.
    #[default]
    Follows,
    /// They keep their absolute values.
    Stays,
}

/// How the joints of the body's two sides are told to belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counterparts {
    /// By name, then by limb, then by place.
    #[default]
    Found,
    /// By names that differ in their side only.
    Named,
    /// By places at rest that mirror each other.
    Placed,
    /// As they are given.
    Given(BTreeMap<JointId, JointId>),
}

/// What becomes of joints under one that is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Children {
    /// They hang on what it hung on, in their places, and keep their curves' offsets from rest.
    #[default]
    Kept,
    /// They go too.
    Deleted,
}

/// What becomes of joints under one whose rest pose changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carry {
    /// They go along.
    #[default]
    Along,
    /// They stay where they are.
    Behind,
}

impl From<SkeletonEdit> for Edit {
    fn from(edit: SkeletonEdit) -> Self {
        Self::Skeleton(edit)
    }
}

impl SkeletonEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::AddRoot { object, name, place } => grow::add(document, *object, None, name, place),
            Self::Extrude { object, parent, name, offset } => grow::add(document, *object, Some(*parent), name, offset),
            Self::Split { object, joint, at, name } => grow::split(document, *object, *joint, *at, name),
            Self::Rename { object, joint, name } => grow::rename(document, *object, *joint, name),
            Self::Reparent { object, joints, parent, animation } => {
                rest::reparent(document, *object, joints, *parent, *animation)?;
                no_cycle(document)
            }
            Self::Delete { object, joints, children } => remove::delete(document, *object, joints, *children),
            Self::Mirror { object, joints, make, by, animation } => {
                mirror::mirror(document, *object, joints, (by, *make), *animation)
            }
            Self::SetOwnScale { object, joints, own_scale } => {
                rest::set_own_scale(document, *object, joints, *own_scale)
            }
            Self::SetRest { object, rests, children, animation } => {
                rest::set(document, *object, rests, *children, *animation)
            }
        }
    }
}

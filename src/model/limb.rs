//! What parts of a body there are, and what a user has said about those that were found.

use super::{curve::is_default, id::JointId};
use serde::{Deserialize, Serialize};

/// What a limb is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Shoulder, elbow, wrist.
    Arm,
    /// Hip, knee, ankle; the forelegs of four-legged animals too.
    Leg,
    /// From above the hips to the chest.
    Spine,
    /// Neck and head; the limb's end is the head joint.
    Neck,
    /// A tail.
    Tail,
    /// A finger or thumb.
    Finger,
    /// A toe, or the ball of the foot.
    Toe,
    /// Any other chain from a branch to a leaf: hair, a tentacle, a jaw.
    Chain,
}

impl Role {
    /// All roles, in the order they are offered.
    pub const ALL: [Self; 8] =
        [Self::Arm, Self::Leg, Self::Spine, Self::Neck, Self::Tail, Self::Finger, Self::Toe, Self::Chain];
}

/// Which side of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
    /// On the middle plane, or not known.
    #[default]
    Middle,
}

impl Side {
    /// All sides, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Middle];
}

/// A direction of the body in its rest pose: the way the middle joint of a straight limb goes when it bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BendToward {
    /// Where the body looks.
    Forward,
    /// Against it.
    Back,
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
    /// From the feet to the head.
    Up,
    /// Against it.
    Down,
}

impl BendToward {
    /// All directions, in the order they are offered.
    pub const ALL: [Self; 6] = [Self::Forward, Self::Back, Self::Left, Self::Right, Self::Up, Self::Down];
}

/// A limb as the user says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimbSpec {
    /// What it is for.
    pub role: Role,
    /// Which side it is on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub side: Side,
    /// The joint it turns about.
    pub root: JointId,
    /// Where it bends: a joint between root and end; none where no single joint does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<JointId>,
    /// The joint at its end, under the root.
    pub end: JointId,
    /// Which way its middle goes; none for what is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend: Option<BendToward>,
}

/// What the user has said about a limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimbSetting {
    /// It is none.
    Removed,
    /// It is this.
    Limb(LimbSpec),
}

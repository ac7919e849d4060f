//! Additive clips: what a clip is a difference from, and in which axes.

use super::{curve::is_default, id::ClipId};
use serde::{Deserialize, Serialize};

/// In whose axes the turns of an additive clip are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AdditiveSpace {
    /// Those of what the joint hangs on: `D = Q_add * Q_ref^-1`, `Q = D^w * Q_base`.
    Parent,
    /// The joint's own: `D = Q_ref^-1 * Q_add`, `Q = Q_base * D^w`.
    #[default]
    Bone,
    /// The rig's, whatever the joints above do: what aims.
    Mesh,
}

impl AdditiveSpace {
    /// All spaces.
    pub const ALL: [Self; 3] = [Self::Parent, Self::Bone, Self::Mesh];
}

/// What a clip is a difference from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AdditiveReference {
    /// The rest pose.
    #[default]
    Rest,
    /// One of its own frames, at the document's rate.
    Frame(i64),
    /// Another clip at the same time.
    Clip(ClipId),
}

/// How a clip is added where a layer adds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Additive {
    /// What it is a difference from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reference: AdditiveReference,
    /// In whose axes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub space: AdditiveSpace,
}

//! Editing the rest pose: while it is on, figures stand at rest and the tools change how they do.

use crate::edit::skeleton::{Animation, Carry, Counterparts};
use serde::{Deserialize, Serialize};

/// Whether the rest pose is shown and edited, and what goes with a change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RestMode {
    /// Whether it is on.
    #[serde(skip)]
    pub on: bool,
    /// What becomes of joints that hang on one that is moved. What is turned takes them along always.
    pub children: Carry,
    /// What the curves of changed joints do.
    pub animation: Animation,
    /// Whether the other side of the body is changed alike, and how its joints are found.
    pub symmetry: Option<Sides>,
}

impl Default for RestMode {
    fn default() -> Self {
        Self { on: false, children: Carry::Behind, animation: Animation::Follows, symmetry: None }
    }
}

/// How the joints of the other side are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sides {
    /// By name, then by limb, then by place.
    Found,
    /// By name only.
    Named,
    /// By place at rest only.
    Placed,
}

impl Sides {
    /// All ways, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Found, Self::Named, Self::Placed];

    /// How an edit is told so.
    #[must_use]
    pub const fn counterparts(self) -> Counterparts {
        match self {
            Self::Found => Counterparts::Found,
            Self::Named => Counterparts::Named,
            Self::Placed => Counterparts::Placed,
        }
    }
}

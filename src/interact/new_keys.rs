//! What the user has set for keys that are yet to be made.

use crate::model::Interpolation;
use serde::{Deserialize, Serialize};

/// How the segments that start at new keys run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NewKeys {
    /// As those of the keys before them.
    #[default]
    AsBefore,
    /// They hold: for blocking.
    Step,
    /// Straight.
    Linear,
    /// Bezier with auto-clamped handles.
    AutoClamped,
}

impl NewKeys {
    /// All kinds, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::AsBefore, Self::Step, Self::Linear, Self::AutoClamped];

    /// The interpolation; none for that of the key before.
    #[must_use]
    pub const fn interpolation(self) -> Option<Interpolation> {
        match self {
            Self::AsBefore => None,
            Self::Step => Some(Interpolation::Step),
            Self::Linear => Some(Interpolation::Linear),
            Self::AutoClamped => Some(Interpolation::Bezier),
        }
    }

    /// The text key of its name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::AsBefore => "new_keys.as_before",
            Self::Step => "new_keys.step",
            Self::Linear => "new_keys.linear",
            Self::AutoClamped => "new_keys.auto_clamped",
        }
    }
}

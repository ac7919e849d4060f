//! Constraints that hold objects and joints by others: at a place, turned, as if they hung there, aimed, copied, limited.
//!
//! Places, rotations and offsets are in the world and free of scale: of what they look at the nearest rotation counts
//! ([`crate::math::Affine::rotation`]).

use super::{
    curve::{finite, is_default},
    object::transform_parts,
    pin::PinSpace,
};
use crate::math::{Transform, Vec3};
use serde::{Deserialize, Serialize};

/// One of several things that a constraint looks at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is.
    pub space: PinSpace,
    /// How much it counts beside the others, >= 0.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub weight: f64,
}

impl Source {
    /// A source that counts as one.
    #[must_use]
    pub const fn new(space: PinSpace) -> Self {
        Self { space, weight: 1.0 }
    }
}

/// Brings to the weighted mean of places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointHold {
    /// Where; without weight in sum it leaves things as they are.
    pub sources: Vec<Source>,
    /// From there to the place, metres in the world.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::vector")]
    pub offset: Vec3,
}

/// Turns as another is turned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrientHold {
    /// The other.
    pub source: PinSpace,
    /// What comes after its rotation, in its space; only the rotation counts.
    #[serde(default, skip_serializing_if = "is_default", with = "transform_parts")]
    pub offset: Transform,
}

/// One of the parents of a [`ParentHold`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldBy {
    /// The parent.
    pub space: PinSpace,
    /// The inverse of the parent where it was bound, without scale: what is held moves by `parent * offset`.
    #[serde(default, skip_serializing_if = "is_default", with = "transform_parts")]
    pub offset: Transform,
}

/// Moves as if it hung on one of several parents; which one is a channel. A switch adds the parent with the offset that
/// keeps everything in place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParentHold {
    /// The parents, not empty.
    pub parents: Vec<HeldBy>,
    /// Which one holds where its channel has no curve: its place among them, the nearest whole number.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub source: f64,
}

impl ParentHold {
    /// The parent that a number chooses: rounded, within the list. None where the list is empty.
    #[must_use]
    pub fn chosen(&self, number: f64) -> Option<&HeldBy> {
        let last = self.parents.len().checked_sub(1)?;
        let nearest = (0..last).find(|place| number < *place as f64 + 0.5).unwrap_or(last);
        self.parents.get(nearest)
    }
}

/// Turns so that +Z looks at another and +Y is as near as can be to a direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aim {
    /// What is looked at; at the same place nothing is turned.
    pub target: PinSpace,
    /// Which way is up in the world, not zero. Where it is along the way looked, any perpendicular serves.
    #[serde(default = "Vec3::y", skip_serializing_if = "is_y", deserialize_with = "finite::vector")]
    pub up: Vec3,
}

/// Takes over parts of another's transform in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copy {
    /// The other.
    pub source: PinSpace,
    /// Which coordinates of its place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub place: [bool; 3],
    /// Which of its angles about X, Y and Z, as a rotation of X, then Y, then Z within; all three are the rotation itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: [bool; 3],
    /// Which of its scales along its own axes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scale: [bool; 3],
}

/// Keeps a place within a box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceLimit {
    /// The space of the box; the object itself or what it carries is refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub space: PinSpace,
    /// Least and greatest by axis, metres; none leaves the axis free.
    pub ranges: [Option<(f64, f64)>; 3],
}

impl PlaceLimit {
    /// Whether every range is of finite numbers, least first.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.ranges.iter().flatten().all(|(least, most)| least.is_finite() && most.is_finite() && least <= most)
    }
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

fn is_y(up: &Vec3) -> bool {
    *up == Vec3::y()
}

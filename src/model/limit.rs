//! Limits of joints: how far a joint may turn when it is dragged.

use super::curve::{is_default, unit_quaternion};
use crate::math::Quat;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// How far a joint may turn from its rest pose.
///
/// A rotation from the middle of the limits is a swing of the bone, a rotation vector `(x, 0, z)` in the limits' axes, after
/// a twist about the bone, their Y axis. One form serves hinges (a range about X, next to nothing about Z), ranges about
/// each axis, and cones. Limits steer drags and the IK chains that keep to them: keys, pins and typed values are never cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// From the joint's rest rotation to the one in which swing and twist are none, in the joint's rest space.
    #[serde(default, skip_serializing_if = "is_default", with = "unit_quaternion")]
    pub centre: Quat,
    /// The limits' axes in the joint's space: Y along the bone, X and Z those it swings about.
    #[serde(default, skip_serializing_if = "is_default", with = "unit_quaternion")]
    pub axes: Quat,
    /// Least and greatest swing about X, radians, -pi..pi.
    #[serde(deserialize_with = "range")]
    pub x: (f64, f64),
    /// Least and greatest twist about the bone, radians, -pi..pi.
    #[serde(deserialize_with = "range")]
    pub twist: (f64, f64),
    /// Least and greatest swing about Z, radians, -pi..pi.
    #[serde(deserialize_with = "range")]
    pub z: (f64, f64),
    /// How the two swings go together.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shape: SwingShape,
    /// How long before a limit a drag begins to feel it, radians, 0 (a hard stop) to [`Limit::SOFTEST`]; at most half the
    /// way from the middle.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "super::curve::finite::number")]
    pub softness: f64,
}

/// What the ranges of the two swings enclose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SwingShape {
    /// Each swing has its own range, whatever the other.
    #[default]
    Ranges,
    /// The bone stays in a cone: the ranges are its half axes to either side, so that 0 lies in each of them.
    Cone,
}

/// What a document says about the limits of a joint. A joint it says nothing about has those of its role.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LimitSetting {
    /// It has none.
    Off,
    /// These.
    Own(Limit),
}

impl Limit {
    /// Limits that limit nothing: half a turn to every side.
    #[must_use]
    pub fn free() -> Self {
        let all = (-PI, PI);
        let identity = Quat::identity();
        Self { centre: identity, axes: identity, x: all, twist: all, z: all, shape: SwingShape::Ranges, softness: 0.2 }
    }

    /// The greatest softness, radians.
    pub const SOFTEST: f64 = 1.0;

    /// Whether every number is finite and within its range, and least does not exceed greatest.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let unit = |q: &Quat| (q.norm() - 1.0).abs() < 1e-6;
        let ordered = |(least, greatest): (f64, f64)| -PI <= least && least <= greatest && greatest <= PI;
        let round = |(least, greatest): (f64, f64)| least <= 0.0 && greatest >= 0.0;
        let shape = self.shape == SwingShape::Ranges || (round(self.x) && round(self.z));
        unit(&self.centre)
            && unit(&self.axes)
            && [self.x, self.twist, self.z].into_iter().all(ordered)
            && shape
            && (0.0..=Self::SOFTEST).contains(&self.softness)
    }
}

fn range<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<(f64, f64), D::Error> {
    let (least, greatest) = <(f64, f64)>::deserialize(deserializer)?;
    if least.is_finite() && greatest.is_finite() {
        Ok((least, greatest))
    } else {
        Err(serde::de::Error::custom("a range must be of finite numbers"))
    }
}

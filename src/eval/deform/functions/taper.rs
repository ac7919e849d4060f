//! Tapering along the axis (Barr 1984).

use super::{ASIDE, no_length, number};
use crate::math::Vec3;

/// A point with its distances from the Y axis multiplied by a factor that goes evenly from `from` at height 0 to `to` at `length`;
/// beyond an end it is that of the end (SPEC E-DEF-2). Without length it is `from`.
#[must_use]
pub fn tapered((from, to): (f64, f64), length: f64, at: &Vec3) -> Vec3 {
    let part = if length > 0.0 { (at.y / length).clamp(0.0, 1.0) } else { 0.0 };
    let scale = from + (to - from) * part;
    Vec3::new(at.x * scale, at.y, at.z * scale)
}

/// From 1 at the low end to the factor at the high one.
pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    let (low, high) = (number(numbers, 1), number(numbers, 2));
    let out = tapered((1.0, number(numbers, 0)), high - low, &Vec3::new(at.x, at.y - low, at.z));
    Vec3::new(out.x, at.y, out.z)
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 1.0 || no_length(numbers)
}

/// Beside the axis' end, as far out as it is wide.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    let (low, high) = (number(numbers, 1), number(numbers, 2));
    Vec3::new(ASIDE * (high - low) * number(numbers, 0), high, 0.0)
}

pub(super) fn pulled(numbers: &[f64], at: &Vec3) -> f64 {
    at.x / (ASIDE * (number(numbers, 2) - number(numbers, 1)))
}

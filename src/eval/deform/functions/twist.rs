//! Twisting about the axis (Barr 1984).

use super::{ASIDE, between, near_turn, no_length, number};
use crate::math::Vec3;

/// A point turned by `turn` radians as the books write it, `x cos - z sin, x sin + z cos`: about +Y by the right hand that is
/// `-turn` (SPEC E-DEF-2).
#[must_use]
pub fn turned(turn: f64, at: &Vec3) -> Vec3 {
    let (sin, cos) = turn.sin_cos();
    Vec3::new(at.x * cos - at.z * sin, at.y, at.x * sin + at.z * cos)
}

/// From no turn at the low end to the whole angle at the high one, by the right hand about Y.
pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    let (along, length) = between(numbers, at.y);
    turned(-number(numbers, 0) * along / length, at)
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 0.0 || no_length(numbers)
}

/// Beside the axis' end, turned with it.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    let (low, high) = (number(numbers, 1), number(numbers, 2));
    turned(-number(numbers, 0), &Vec3::new(ASIDE * (high - low), high, 0.0))
}

pub(super) fn pulled(numbers: &[f64], at: &Vec3) -> f64 {
    near_turn((-at.z).atan2(at.x), number(numbers, 0))
}

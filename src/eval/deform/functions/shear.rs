//! Shear: sideways along X in proportion to the height between the ends.

use super::{between, no_length, number};
use crate::math::Vec3;

pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    let (along, _) = between(numbers, at.y);
    Vec3::new(at.x + number(numbers, 0) * along, at.y, at.z)
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 0.0 || no_length(numbers)
}

/// The axis' end, where it is moved to.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    moved(numbers, &Vec3::new(0.0, number(numbers, 2), 0.0))
}

pub(super) fn pulled(numbers: &[f64], at: &Vec3) -> f64 {
    at.x / (number(numbers, 2) - number(numbers, 1))
}

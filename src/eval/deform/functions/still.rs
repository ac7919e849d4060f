//! What landmarks do is not these numbers' alone: without them nothing moves. See [`crate::eval::deform::landmarks`].

use crate::math::Vec3;

pub(super) fn moved(_numbers: &[f64], at: &Vec3) -> Vec3 {
    *at
}

pub(super) const fn rests(_numbers: &[f64]) -> bool {
    true
}

/// The radius, to the side.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    Vec3::x() * super::number(numbers, 0)
}

pub(super) fn pulled(_numbers: &[f64], at: &Vec3) -> f64 {
    at.norm()
}

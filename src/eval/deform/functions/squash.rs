//! Squash and stretch: longer by a factor along the axis, narrower across, so that the volume stays.

use super::number;
use crate::math::Vec3;
use std::f64::consts::TAU;

/// The factor across where it is `along` along: its root in space (`sides` 2), itself in the plane (1). Not positive gives 1.
#[must_use]
pub fn across(along: f64, sides: i32) -> f64 {
    if along > 0.0 { along.powf(-1.0 / f64::from(sides.max(1))) } else { 1.0 }
}

/// A point stretched along Y about a centre, the volume kept; a factor that is not positive moves nothing.
#[must_use]
pub fn stretched(factor: f64, centre: &Vec3, at: &Vec3) -> Vec3 {
    if !(factor > 0.0) {
        return *at;
    }
    let (sides, from) = (across(factor, 2), at - centre);
    centre + Vec3::new(from.x * sides, from.y * factor, from.z * sides)
}

/// A factor that swings about 1 and comes to rest: `1 + amplitude sin(2 pi frequency secs) e^(-damping secs)`; 1 before 0 s
/// (SPEC E-EAS-5: the amplitude must be below 1 for the factor to stay positive).
#[must_use]
pub fn bounce(amplitude: f64, frequency: f64, damping: f64, secs: f64) -> f64 {
    let after = secs.max(0.0);
    1.0 + amplitude * (TAU * frequency * after).sin() * (-damping * after).exp()
}

pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    stretched(number(numbers, 0), &Vec3::zeros(), at)
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 1.0
}

/// How far up the handle stands at rest, metres.
const UP: f64 = 0.5;

/// On the axis, as far up as it is long.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    Vec3::y() * (UP * number(numbers, 0))
}

pub(super) fn pulled(_numbers: &[f64], at: &Vec3) -> f64 {
    at.y / UP
}

//! Bending along an arc with the thickness kept: Barr, Global and local deformations of solid primitives, 1984, with the radius
//! of each fibre (SPEC E-DEF-1).

use super::{near_turn, no_length, number};
use crate::math::Vec3;

/// Bends what lies along X from 0 to `length` so that its tangent turns from +X towards +Z by `angle`, radians: the fibre at
/// depth z lies on an arc of radius `length / angle - z`. Before 0 nothing moves, beyond the length it goes on along the
/// tangent. Without length nothing moves; as the angle goes to 0 nothing does.
#[must_use]
pub fn along_x(length: f64, angle: f64, at: &Vec3) -> Vec3 {
    if !(length > 0.0) {
        return *at;
    }
    let along = at.x.clamp(0.0, length);
    let turn = angle * along / length;
    let (sin, cos) = turn.sin_cos();
    // The point of the axis, by quotients that stay exact as the turn goes to nothing.
    let (x, z) = (along * sinc(turn), along * (turn / 2.0) * sinc(turn / 2.0).powi(2));
    let beyond = at.x - along;
    if beyond < 0.0 {
        return *at;
    }
    Vec3::new(x - at.z * sin + beyond * cos, at.y, z + at.z * cos + beyond * sin)
}

fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { x.sin() / x }
}

/// Along Y from the low end to the high one, towards +X.
pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    let (angle, low, high) = (number(numbers, 0), number(numbers, 1), number(numbers, 2));
    // X, Y, Z of the arc are Y, Z, X here: the same hand.
    let bent = along_x(high - low, angle, &Vec3::new(at.y - low, at.z, at.x));
    if at.y <= low { *at } else { Vec3::new(bent.z, bent.x + low, bent.y) }
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 0.0 || no_length(numbers)
}

/// The axis' end, where it is bent to.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    moved(numbers, &Vec3::new(0.0, number(numbers, 2), 0.0))
}

/// The chord to the end of an arc leans half as far as the arc turns.
pub(super) fn pulled(numbers: &[f64], at: &Vec3) -> f64 {
    2.0 * near_turn(at.x.atan2(at.y - number(numbers, 1)), number(numbers, 0) / 2.0)
}

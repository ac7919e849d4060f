//! A bulge: outwards from the axis, most in the middle between the ends and nothing at them, smoothly. What a muscle does when it
//! shortens.

use super::{between, no_length, number};
use crate::math::Vec3;

/// How much of the bulge there is at a part of the length, 0..1: a bell that is level at both ends.
fn bell(part: f64) -> f64 {
    let t = 4.0 * part * (1.0 - part);
    t * t
}

pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    let (along, length) = between(numbers, at.y);
    let factor = 1.0 + number(numbers, 0) * bell(along / length);
    Vec3::new(at.x * factor, at.y, at.z * factor)
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 0.0 || no_length(numbers)
}

/// How far from the axis what the handle rides on is, in parts of the length.
const SIDE: f64 = 0.25;

fn side(numbers: &[f64]) -> f64 {
    let length = number(numbers, 2) - number(numbers, 1);
    if length > 0.0 { SIDE * length } else { SIDE }
}

/// On the bulge's greatest ring.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    let middle = (number(numbers, 1) + number(numbers, 2)) / 2.0;
    Vec3::new(side(numbers) * (1.0 + number(numbers, 0)), middle, 0.0)
}

pub(super) fn pulled(numbers: &[f64], at: &Vec3) -> f64 {
    at.x / side(numbers) - 1.0
}

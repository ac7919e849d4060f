//! The geometric Jacobian of hinges against finite differences of the end's place.

use crate::eval::ik::jacobian::columns;
use crate::math::{Vec3, rotation::from_axis_angle};

/// How a difference is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// `(x(t + h) - x(t)) / h`: its error falls with `h`.
    Forward,
    /// `(x(t + h) - x(t - h)) / 2 h`: its error falls with the square of `h`.
    Central,
}

/// The column of every joint but the last, for hinges about one axis (unit, world): `axis x (end - joint)`, length a radian.
#[must_use]
pub fn geometric(positions: &[Vec3], axis: &Vec3) -> Vec<Vec3> {
    let Some((end, joints)) = positions.split_last() else { return Vec::new() };
    let mut out = Vec::new();
    columns(joints, &vec![*axis; joints.len()], end, &mut out);
    out
}

/// The same columns by differences with a step of `h` radians (`> 0`).
#[must_use]
pub fn finite(positions: &[Vec3], axis: &Vec3, h: f64, difference: Difference) -> Vec<Vec3> {
    let Some((end, joints)) = positions.split_last() else { return Vec::new() };
    let moved = |joint: &Vec3, by: f64| joint + from_axis_angle(axis, by) * (end - joint);
    let column = |joint: &Vec3| match difference {
        Difference::Forward => (moved(joint, h) - end) / h,
        Difference::Central => (moved(joint, h) - moved(joint, -h)) / (2.0 * h),
    };
    joints.iter().map(column).collect()
}

/// The greatest distance between a geometric column and its difference; 0 for a chain without bones.
#[must_use]
pub fn greatest_error(positions: &[Vec3], axis: &Vec3, h: f64, difference: Difference) -> f64 {
    let pairs = geometric(positions, axis).into_iter().zip(finite(positions, axis, h, difference));
    pairs.map(|(exact, near)| (exact - near).norm()).fold(0.0, f64::max)
}

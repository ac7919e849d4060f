//! Axis and angle: quaternions, Rodrigues' formula, rotation vectors.

use super::unit;
use crate::math::{Mat3, Quat, Vec3, trig::sin_cos};

/// The rotation by `angle` radians about `axis`, which may have any length. A zero or non-finite axis gives no rotation.
#[must_use]
pub fn from_axis_angle(axis: &Vec3, angle: f64) -> Quat {
    let Some(n) = axis.try_normalize(0.0).filter(|n| n.iter().all(|v| v.is_finite())) else { return Quat::identity() };
    let (sin, cos) = sin_cos(0.5 * angle);
    unit(n.x * sin, n.y * sin, n.z * sin, cos)
}

/// The matrix of the cross product: `skew(a) * b = a x b`.
#[must_use]
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The rotation matrix about a unit axis by Rodrigues' formula, `I + sin(angle) K + (1 - cos(angle)) K^2`, K the axis's
/// cross product matrix.
#[must_use]
pub fn rodrigues(unit_axis: &Vec3, angle: f64) -> Mat3 {
    let k = skew(unit_axis);
    let half = (0.5 * angle).sin();
    // 1 - cos as twice a square: no cancellation at small angles.
    Mat3::identity() + k * angle.sin() + k * k * (2.0 * half * half)
}

/// The angle of a rotation, radians in 0..=pi; by an arc tangent of two, so accurate at both ends.
#[must_use]
pub fn rotation_angle(q: &Quat) -> f64 {
    2.0 * q.imag().norm().atan2(q.w.abs())
}

/// The principal rotation vector: axis times angle, of length at most pi. At half a turn both signs of the axis are the
/// same rotation and the one stored in `q` is taken.
#[must_use]
pub fn rotation_vector(q: &Quat) -> Vec3 {
    let v = q.imag();
    let sin = v.norm();
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    if sin < 1e-150 {
        return v * (2.0 * sign);
    }
    v * (sign * rotation_angle(q) / sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_axis_is_no_rotation() {
        assert_eq!(from_axis_angle(&Vec3::zeros(), 1.0), Quat::identity());
        assert_eq!(from_axis_angle(&Vec3::new(f64::NAN, 0.0, 0.0), 1.0), Quat::identity());
    }

    #[test]
    fn rodrigues_agrees_with_the_quaternion() {
        for i in 0..200 {
            let f = f64::from(i);
            let axis = Vec3::new((1.3 * f).sin(), (0.7 * f).cos(), (0.9 * f + 1.0).sin()).normalize();
            let angle = 0.07 * f - 7.0;
            let by_quaternion = from_axis_angle(&axis, angle).to_rotation_matrix();
            assert!((rodrigues(&axis, angle) - by_quaternion.matrix()).norm() < 1e-14);
        }
    }

    #[test]
    fn rotation_vectors_are_short_and_exact_for_tiny_angles() {
        let tiny = from_axis_angle(&Vec3::y(), 1e-12);
        assert!((rotation_vector(&tiny) - Vec3::new(0.0, 1e-12, 0.0)).norm() < 1e-26);
        let long = from_axis_angle(&Vec3::z(), 4.0);
        assert!((rotation_vector(&long).z - (4.0 - std::f64::consts::TAU)).abs() < 1e-14);
        assert_eq!(rotation_vector(&Quat::identity()), Vec3::zeros());
    }
}

//! The shortest arc between two directions, and the split of a rotation into swing and twist.

use super::{try_unit, unit};
use crate::math::{Quat, Vec3};

/// A unit vector perpendicular to `v`, the same one for the same input: the cross product with the axis `v` is farthest
/// from. A zero vector gives X.
#[must_use]
pub fn perpendicular(v: &Vec3) -> Vec3 {
    let a = v.abs();
    let axis = if a.x <= a.y && a.x <= a.z {
        Vec3::x()
    } else if a.y <= a.z {
        Vec3::y()
    } else {
        Vec3::z()
    };
    v.cross(&axis).try_normalize(0.0).unwrap_or_else(Vec3::x)
}

/// The smallest rotation that takes direction `from` to direction `to`; their lengths do not matter.
///
/// Opposite directions have many: the axis is then `perpendicular(from)`, and close to opposite the answer still takes
/// `from` to `to` to machine precision. A zero vector gives no rotation.
#[must_use]
pub fn shortest_arc(from: &Vec3, to: &Vec3) -> Quat {
    let (Some(a), Some(b)) = (from.try_normalize(0.0), to.try_normalize(0.0)) else { return Quat::identity() };
    let (sum, difference) = (a + b, a - b);
    // Half the lengths of sum and difference are the cosine and the sine of half the angle.
    let (cos, sin) = (0.5 * sum.norm(), 0.5 * difference.norm());
    let cross = a.cross(&b);
    let axis = if cos > 0.1 {
        cross.try_normalize(0.0)
    } else {
        // The cross product has lost digits: only what is perpendicular to the (large) difference is kept.
        let d = difference / (2.0 * sin);
        let rough = cross.try_normalize(4e-16).unwrap_or_else(|| perpendicular(&d));
        (rough - d * d.dot(&rough)).try_normalize(0.0)
    };
    let Some(axis) = axis else { return Quat::identity() };
    try_unit(axis.x * sin, axis.y * sin, axis.z * sin, cos).unwrap_or_else(Quat::identity)
}

/// Splits `q` into `(swing, twist)` with `q = swing * twist` (up to sign): the twist turns about `unit_axis`, the swing
/// about an axis perpendicular to it. The twist has `w >= 0`.
///
/// A half turn about an axis perpendicular to `unit_axis` leaves the twist undefined: it is then none.
#[must_use]
pub fn swing_twist(q: &Quat, unit_axis: &Vec3) -> (Quat, Quat) {
    let along = q.imag().dot(unit_axis);
    let norm = along.hypot(q.w);
    if norm < 1e-15 {
        return (*q, Quat::identity());
    }
    let scale = if q.w < 0.0 { -1.0 / norm } else { 1.0 / norm };
    let v = unit_axis * (along * scale);
    let twist = unit(v.x, v.y, v.z, q.w * scale);
    (q * twist.inverse(), twist)
}

/// The signed angle of the twist of `q` about `unit_axis`, radians in (-pi, pi]; 0 where it is undefined.
#[must_use]
pub fn twist_angle(q: &Quat, unit_axis: &Vec3) -> f64 {
    let along = q.imag().dot(unit_axis);
    if along.hypot(q.w) < 1e-15 {
        return 0.0;
    }
    if q.w < 0.0 { 2.0 * (-along).atan2(-q.w) } else { 2.0 * along.atan2(q.w) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::from_axis_angle;

    fn direction(i: u32) -> Vec3 {
        let f = f64::from(i);
        Vec3::new((1.1 * f).sin(), (2.3 * f).cos(), (0.7 * f + 0.3).sin())
    }

    #[test]
    fn shortest_arc_reaches_its_target_at_every_distance_from_opposite() {
        for i in 1..40 {
            let a = direction(i).normalize();
            let side = perpendicular(&direction(i + 50)).cross(&a).normalize();
            for exponent in 0..18 {
                for (centre, name) in [(a, "same"), (-a, "opposite")] {
                    let b = (centre + side * 10f64.powi(-exponent)).normalize();
                    let q = shortest_arc(&(a * 3.0), &(b * 0.01));
                    assert!((q * a - b).norm() < 4e-16 * 4.0, "{name} 1e-{exponent}: {}", (q * a - b).norm());
                    assert!((q.norm() - 1.0).abs() < 1e-15);
                }
            }
            let q = shortest_arc(&a, &-a);
            assert!((q * a + a).norm() < 1e-15 && q.w.abs() < 1e-15);
        }
    }

    #[test]
    fn zero_vectors_give_no_rotation() {
        assert_eq!(shortest_arc(&Vec3::zeros(), &Vec3::x()), Quat::identity());
        assert_eq!(shortest_arc(&Vec3::x(), &Vec3::x()), Quat::identity());
    }

    #[test]
    fn swing_and_twist_rebuild_the_rotation_and_have_the_right_axes() {
        for i in 0..60 {
            let q = from_axis_angle(&direction(i), 0.2 * f64::from(i) - 6.0);
            let axis = direction(i + 7).normalize();
            let (swing, twist) = swing_twist(&q, &axis);
            assert!((swing * twist).angle_to(&q) < 1e-7);
            assert!(swing.imag().dot(&axis).abs() < 1e-15);
            assert!(twist.imag().cross(&axis).norm() < 1e-15 && twist.w >= 0.0);
            let rebuilt = from_axis_angle(&axis, twist_angle(&q, &axis));
            assert!(rebuilt.coords.dot(&twist.coords).abs() > 1.0 - 1e-15);
        }
        let (swing, twist) = swing_twist(&from_axis_angle(&Vec3::x(), std::f64::consts::PI), &Vec3::y());
        assert_eq!(twist_angle(&swing, &Vec3::y()), 0.0);
        assert!((swing * Vec3::y() + Vec3::y()).norm() < 1e-15 && twist.w > 0.99);
    }
}

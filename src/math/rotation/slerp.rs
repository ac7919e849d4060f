//! Interpolation between two rotations.

use super::{align, try_unit};
use crate::math::{Quat, trig::sin_cos};
use nalgebra::Unit;

/// Spherical linear interpolation along the short arc, at constant angular speed: `from` at 0, `to` (up to sign) at 1,
/// beyond them outside. The result's sign follows `from`. Rotations exactly half a turn apart have two equal arcs: the one
/// that the stored signs say is taken.
///
/// Source: K. Shoemake, *Animating rotation with quaternion curves*, SIGGRAPH 1985, with the sign test and the limits he
/// leaves out.
#[must_use]
pub fn slerp(from: &Quat, to: &Quat, t: f64) -> Quat {
    slerp_unaligned(from, &align(to, from), t)
}

/// [`slerp`] between the quaternions as they are, without the sign test: for tracks made sign-continuous beforehand and
/// for the inner steps of squad. Exactly opposite quaternions (the same rotation) give `from`.
#[must_use]
pub fn slerp_unaligned(from: &Quat, to: &Quat, t: f64) -> Quat {
    let (a, b) = (&from.coords, &to.coords);
    let chord2 = (b - a).norm_squared();
    let (wa, wb) = if chord2 < SERIES_CHORD2 && (0.0..=1.0).contains(&t) {
        (series_weight(1.0 - t, chord2), series_weight(t, chord2))
    } else {
        match trig_weights(chord2, (a + b).norm_squared(), t) {
            Some(weights) => weights,
            None => return *from,
        }
    };
    Unit::new_unchecked(nalgebra::Quaternion::from(a * wa + b * wb))
}

/// Squared chord below which the series is used: an angle of 0.3 between the quaternions, 0.6 of the rotations.
/// Neighbouring samples of motion lie far below it.
const SERIES_CHORD2: f64 = 0.09;

/// `sin(t h) / sin(h)` for `0 <= t <= 1`, h the angle between unit quaternions whose difference has this square, as a
/// series in `1 - cos(h)` (its terms' ratios are `(n^2 - t^2) (1 - cos h) / (n (2 n + 1))`). Nine terms leave less than
/// 1e-16 below [`SERIES_CHORD2`]. No square root, no arc tangent, no sine.
/// Source: D. Eberly, *A fast and accurate algorithm for computing SLERP*, 2011.
#[inline]
fn series_weight(t: f64, chord2: f64) -> f64 {
    const TERMS: usize = 9;
    let (y, t2) = (0.5 * chord2, t * t);
    let mut sum = 1.0;
    let mut n = TERMS;
    while n > 0 {
        let f = n as f64;
        sum = 1.0 + sum * (f * f - t2) * y * (1.0 / (f * (2.0 * f + 1.0)));
        n -= 1;
    }
    t * sum
}

/// The weights by their definition; the angle as twice an arc tangent of two lengths, accurate at every size. None for
/// exactly opposite quaternions.
fn trig_weights(chord2: f64, sum2: f64, t: f64) -> Option<(f64, f64)> {
    let angle = 2.0 * chord2.sqrt().atan2(sum2.sqrt());
    let sin = sin_cos(angle).0;
    if sum2 < 1e-28 {
        return None;
    }
    if sin < 1e-150 {
        return Some((1.0 - t, t));
    }
    Some((sin_cos((1.0 - t) * angle).0 / sin, sin_cos(t * angle).0 / sin))
}

/// Normalised linear interpolation along the short arc: the same path as [`slerp`], faster in the middle. The result's
/// sign follows `from`.
#[must_use]
pub fn nlerp(from: &Quat, to: &Quat, t: f64) -> Quat {
    let b = align(to, from);
    let c = from.coords * (1.0 - t) + b.coords * t;
    try_unit(c.x, c.y, c.z, c.w).unwrap_or(*from)
}

/// The angle between two rotations, radians, 0..=pi: exact for tiny ones too, where an arc cosine knows nothing below 1e-8.
#[must_use]
pub fn chord_angle(a: &Quat, b: &Quat) -> f64 {
    let sign = if a.coords.dot(&b.coords) < 0.0 { -1.0 } else { 1.0 };
    4.0 * ((a.coords - b.coords * sign).norm() / 2.0).min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::rotation::{from_axis_angle, pow_short};

    fn opposite(q: &Quat) -> Quat {
        Unit::new_unchecked(-q.into_inner())
    }

    #[test]
    fn slerp_is_the_constant_speed_path_at_every_distance() {
        let a = from_axis_angle(&Vec3::new(0.3, -1.0, 0.7), 1.9);
        for i in 0..400 {
            let angle = std::f64::consts::PI * 10f64.powf(-f64::from(i) / 25.0);
            let step = from_axis_angle(&Vec3::new(1.0, 0.2, -0.4), angle * 0.999);
            let b = a * step;
            for t in [-0.3, 0.0, 0.1, 0.5, 0.77, 1.0, 1.6] {
                let wanted = a * pow_short(&step, t);
                for to in [b, opposite(&b)] {
                    let got = slerp(&a, &to, t);
                    assert!(
                        (got.coords - wanted.coords).norm() < 2e-15,
                        "{angle} {t} {}",
                        (got.coords - wanted.coords).norm()
                    );
                }
            }
        }
    }

    #[test]
    fn equal_and_opposite_inputs_are_finite() {
        let a = from_axis_angle(&Vec3::new(0.3, -1.0, 0.7), 1.9);
        assert_eq!(slerp(&a, &a, 0.4), a);
        assert_eq!(slerp(&a, &opposite(&a), 0.4).coords.dot(&a.coords).signum(), 1.0);
        assert_eq!(slerp_unaligned(&a, &opposite(&a), 0.4), a);
        let half_turn = slerp(&Quat::identity(), &super::super::unit(1.0, 0.0, 0.0, 0.0), 0.5);
        assert!((half_turn.coords.x - 0.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(nlerp(&a, &a, 0.2).coords.norm(), 1.0);
    }
}

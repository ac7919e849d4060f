//! Logarithm, exponential and powers of unit quaternions.

use super::{align, unit};
use crate::math::{Quat, Vec3, trig::sin_cos};

/// The logarithm of `q = [n sin h, cos h]`: `n h`, h the half angle in 0..=pi. Of `-1`, which has no axis of its own, it
/// is pi about X, so that `exp` gives it back.
#[must_use]
pub fn log(q: &Quat) -> Vec3 {
    let v = q.imag();
    let sin = v.norm();
    if sin < 1e-150 {
        return if q.w < 0.0 { Vec3::x() * std::f64::consts::PI } else { v };
    }
    v * (sin.atan2(q.w) / sin)
}

/// The exponential of a half-angle vector `n h`: `[n sin h, cos h]`, the inverse of [`log()`].
#[must_use]
pub fn exp(half_angle_vector: &Vec3) -> Quat {
    let h = half_angle_vector.norm();
    // sin(h) / h; below this the series' next term is under a rounding error.
    let (sin, cos) = sin_cos(h);
    let ratio = if h < 1e-8 { 1.0 } else { sin / h };
    let v = half_angle_vector * ratio;
    unit(v.x, v.y, v.z, cos)
}

/// `q` to a real power, `exp(power * log q)`, along the arc that `q`'s own sign says: of a `q` with `w < 0` that is the
/// long one.
#[must_use]
pub fn pow(q: &Quat, power: f64) -> Quat {
    exp(&(log(q) * power))
}

/// The rotation of `q` scaled by `amount` along the short arc, whatever sign it is stored with: what a weight on a
/// difference of poses means. 0 gives none, 1 the rotation itself.
#[must_use]
pub fn pow_short(q: &Quat, amount: f64) -> Quat {
    pow(&align(q, &Quat::identity()), amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{from_axis_angle, rotation_angle};

    #[test]
    fn exp_undoes_log_for_every_sign_and_size() {
        for i in 0..200 {
            let f = f64::from(i);
            let q = from_axis_angle(&Vec3::new((1.3 * f).sin(), f.cos(), 0.2), 0.0628 * f);
            assert!((exp(&log(&q)).coords - q.coords).norm() < 1e-15);
        }
        for q in [unit(0.0, 0.0, 0.0, 1.0), unit(0.0, 0.0, 0.0, -1.0), unit(1e-170, 0.0, 0.0, 1.0)] {
            assert!((exp(&log(&q)).coords - q.coords).norm() < 1e-15);
        }
        let tiny = Vec3::new(3e-9, 0.0, -4e-9);
        assert!((log(&exp(&tiny)) - tiny).norm() < 1e-24);
    }

    #[test]
    fn a_weight_takes_the_short_arc_whatever_the_sign() {
        let delta = from_axis_angle(&Vec3::z(), 300f64.to_radians());
        assert!((rotation_angle(&pow_short(&delta, 0.5)) - 30f64.to_radians()).abs() < 1e-14);
        assert!((rotation_angle(&pow(&delta, 0.5)) - 150f64.to_radians()).abs() < 1e-14);
        assert!((pow(&delta, 2.0) * pow(&delta, -2.0)).w.abs() > 1.0 - 1e-15);
    }
}

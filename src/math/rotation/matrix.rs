//! Rotation matrices to quaternions.

use super::try_unit;
use crate::math::{Mat3, Quat};
use nalgebra::{Rotation3, UnitQuaternion};

/// The quaternion of a proper rotation matrix, by Shepperd's choice of the largest part, so accurate for every one
/// (half turns too). The sign is such that the largest part is positive.
///
/// A matrix that is not quite a rotation gives one near it; for the nearest see [`nearest_rotation`]. A zero or
/// non-finite matrix gives no rotation.
#[must_use]
pub fn from_matrix(m: &Mat3) -> Quat {
    let (xx, yy, zz) = (m[(0, 0)], m[(1, 1)], m[(2, 2)]);
    let (x, y, z) = (m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
    let (xy, xz, yz) = (m[(0, 1)] + m[(1, 0)], m[(0, 2)] + m[(2, 0)], m[(1, 2)] + m[(2, 1)]);
    let trace = xx + yy + zz;
    let parts = if trace >= xx && trace >= yy && trace >= zz {
        [x, y, z, 1.0 + trace]
    } else if xx >= yy && xx >= zz {
        [1.0 + xx - yy - zz, xy, xz, x]
    } else if yy >= zz {
        [xy, 1.0 + yy - xx - zz, yz, y]
    } else {
        [xz, yz, 1.0 + zz - xx - yy, z]
    };
    try_unit(parts[0], parts[1], parts[2], parts[3]).unwrap_or_else(Quat::identity)
}

/// The proper rotation nearest a matrix, in the Frobenius norm. A non-finite matrix gives no rotation.
#[must_use]
pub fn nearest_rotation(linear: &Mat3) -> Quat {
    if !linear.iter().all(|v| v.is_finite()) {
        return Quat::identity();
    }
    let svd = linear.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Quat::identity() };
    let mut flip = Mat3::identity();
    if (u * v_t).determinant() < 0.0 {
        // Singular values come sorted: the last is the cheapest to turn over.
        flip[(2, 2)] = -1.0;
    }
    let rotation = u * flip * v_t;
    if rotation.iter().all(|v| v.is_finite()) {
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation))
    } else {
        Quat::identity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::rotation::{from_axis_angle, rodrigues};

    #[test]
    fn every_angle_and_axis_comes_back() {
        for i in 0..400 {
            let f = f64::from(i);
            let axis = Vec3::new((1.3 * f).sin(), (0.7 * f).cos(), (0.9 * f + 1.0).sin()).normalize();
            for angle in [0.0, 1e-9, 0.4, 2.0, 3.1, std::f64::consts::PI] {
                let (got, wanted) = (from_matrix(&rodrigues(&axis, angle)), from_axis_angle(&axis, angle));
                assert!(1.0 - got.coords.dot(&wanted.coords).abs() < 1e-15, "{axis} {angle}");
            }
        }
    }

    #[test]
    fn the_nearest_rotation_ignores_scale_and_bad_input() {
        let q = from_axis_angle(&Vec3::new(1.0, 2.0, 3.0), 2.0);
        let scaled = q.to_rotation_matrix().matrix() * 3.0;
        assert!(1.0 - nearest_rotation(&scaled).coords.dot(&q.coords).abs() < 1e-15);
        assert_eq!(nearest_rotation(&Mat3::from_element(f64::NAN)), Quat::identity());
        assert!(nearest_rotation(&-Mat3::identity()).coords.norm() > 0.99);
        assert_eq!(from_matrix(&Mat3::from_element(f64::NAN)), Quat::identity());
    }
}

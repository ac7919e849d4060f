//! Skinning: vertices follow joints. Functions over slices; they own nothing.
//!
//! Linear blend (Magnenat-Thalmann, Laperriere, Thalmann 1988; Lewis, Cordner, Fong 2000): `v' = sum w_i M_i v` with
//! `M_i = current_i * bind_i^-1`. Dual quaternions (Kavan, Collins, Zara, O'Sullivan 2007): the rigid parts are blended as
//! dual quaternions, each turned to the hemisphere of the joint with the largest weight, and divided by the length of the
//! real part (SPEC E-SKN-3).
//!
//! Double precision is the truth; single precision ([`bulk`]) is for what is drawn, and agrees within 1e-5.

pub mod bulk;

use crate::math::{Affine, Mat3, Quat, Vec3};
use nalgebra::Quaternion;

/// A point blended linearly: `influences` are joints and their shares, which sum to 1. Joints beyond `skinning` count for
/// nothing; a point that follows none stays where it is.
#[must_use]
pub fn linear_blend(point: &Vec3, influences: impl Iterator<Item = (usize, f64)>, skinning: &[Affine]) -> Vec3 {
    let mut out = Vec3::zeros();
    let mut any = false;
    for (joint, share) in influences {
        if let Some(map) = skinning.get(joint) {
            out += map.point(point) * share;
            any = true;
        }
    }
    if any { out } else { *point }
}

/// The blend of the linear parts: what turns a normal, up to its length.
#[must_use]
pub fn blended_linear(influences: impl Iterator<Item = (usize, f64)>, skinning: &[Affine]) -> Mat3 {
    influences.filter_map(|(joint, share)| Some(skinning.get(joint)?.linear * share)).sum()
}

/// A point blended by dual quaternions: of each joint's map the nearest rotation and the translation act. Shares sum to 1;
/// a point that follows no joint stays where it is.
#[must_use]
pub fn dual_quaternion(
    point: &Vec3,
    influences: impl Iterator<Item = (usize, f64)> + Clone,
    skinning: &[Affine],
) -> Vec3 {
    let Some(pivot) = influences.clone().max_by(|a, b| a.1.total_cmp(&b.1)).and_then(|(joint, _)| skinning.get(joint))
    else {
        return *point;
    };
    let pivot = pivot.rotation();
    let (mut real, mut dual) = (Quaternion::default(), Quaternion::default());
    for (joint, share) in influences {
        let Some(map) = skinning.get(joint) else { continue };
        let rotation = map.rotation();
        let share = if rotation.coords.dot(&pivot.coords) < 0.0 { -share } else { share };
        let t = Quaternion::from_parts(0.0, map.translation);
        real += rotation.into_inner() * share;
        dual += t * rotation.into_inner() * (0.5 * share);
    }
    let length = real.norm();
    if !(length > 1e-12) {
        return *point;
    }
    let (real, dual) = (real / length, dual / length);
    let translation = (dual * real.conjugate()).imag() * 2.0;
    Quat::new_unchecked(real) * point + translation
}

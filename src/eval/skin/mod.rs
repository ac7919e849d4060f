//! Skinning: vertices follow joints. Functions over slices; they own nothing.
//!
//! Linear blend (Magnenat-Thalmann, Laperriere, Thalmann 1988; Lewis, Cordner, Fong 2000): `v' = sum w_i M_i v` with
//! `M_i = current_i * bind_i^-1`. Dual quaternions ([`dual_blend`]) keep the volume of
//! bends and twists.
//!
//! Double precision is the truth; single precision ([`bulk`]) is for what is drawn, and agrees within 1e-5.

pub mod bind;
pub mod bulk;
mod dual;
pub mod lab;
pub mod surface;
pub mod weights;

pub use dual::{DualMap, dual_blend};

use crate::math::{Affine, Mat3, Vec3};

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

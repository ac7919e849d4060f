//! Whole poses by weights.

use super::packed::{Eight, PackedPose};
use crate::math::lanes::Lanes;
use pulp::{Arch, Simd, WithSimd};

/// A square of a length below which opposite rotations have no middle.
const NOTHING: f32 = 1e-12;

/// Blends poses of one skeleton into `out`: translations and scales as weighted means, rotations as the weighted mean of
/// quaternions on the side of the heaviest input's, brought to length 1. Weights that are not above 0 are left out, the others
/// brought to sum 1; where none is left, `out` stays as it is. Joints that an input lacks are not blended.
///
/// What [`crate::eval::blend::pose::blend`] is in double precision for [`crate::model::RotationBlend::Nlerp`].
pub fn blend_packed(inputs: &[(f32, &PackedPose)], out: &mut PackedPose) {
    let acting = || inputs.iter().filter(|(weight, _)| *weight > 0.0 && weight.is_finite());
    let Some((_, pivot)) = acting().reduce(|best, next| if next.0 > best.0 { next } else { best }) else { return };
    let sum: f32 = acting().map(|(weight, _)| weight).sum();
    let count = acting().map(|(_, pose)| pose.groups.len()).fold(out.groups.len(), usize::min);
    let inputs: Vec<(f32, &[Eight])> = acting().map(|(weight, pose)| (weight / sum, &pose.groups[..count])).collect();
    Arch::new().dispatch(Blend { inputs: &inputs, pivot: &pivot.groups[..count], out: &mut out.groups[..count] });
}

struct Blend<'a> {
    /// Weights of sum 1.
    inputs: &'a [(f32, &'a [Eight])],
    pivot: &'a [Eight],
    out: &'a mut [Eight],
}

impl WithSimd for Blend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let zero = Lanes::splat(0.0f32);
        for (at, (out, pivot)) in self.out.iter_mut().zip(self.pivot).enumerate() {
            let mut sum = Eight { translation: [zero; 3], rotation: [zero; 4], scale: [zero; 3] };
            for (weight, groups) in self.inputs {
                let Some(group) = groups.get(at) else { continue };
                let weight = Lanes::splat(*weight);
                for axis in 0..3 {
                    sum.translation[axis] = sum.translation[axis] + group.translation[axis] * weight;
                    sum.scale[axis] = sum.scale[axis] + group.scale[axis] * weight;
                }
                let side = dot(&group.rotation, &pivot.rotation);
                let signed = weight.with(&side, |weight, side| if side < 0.0 { -weight } else { weight });
                for part in 0..4 {
                    sum.rotation[part] = sum.rotation[part] + group.rotation[part] * signed;
                }
            }
            let length2 = dot(&sum.rotation, &sum.rotation);
            let scale = length2.map(|length2| 1.0 / length2.sqrt());
            for part in 0..4 {
                let unit = sum.rotation[part] * scale;
                let mut own = pivot.rotation[part];
                for ((own, unit), length2) in own.0.iter_mut().zip(&unit.0).zip(&length2.0) {
                    *own = if *length2 > NOTHING { *unit } else { *own };
                }
                sum.rotation[part] = own;
            }
            *out = sum;
        }
    }
}

/// The dot products of quaternions.
#[inline(always)]
pub(super) fn dot(a: &[Lanes<f32>; 4], b: &[Lanes<f32>; 4]) -> Lanes<f32> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

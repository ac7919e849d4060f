//! From joints in their parents' spaces to joints in the rig's.

use super::packed::PackedPose;
use crate::math::{
    Affine, Mat3, Vec3,
    lanes::{LANES, Lanes},
};
use pulp::{Arch, Simd, WithSimd};

/// A joint's map in single precision: three columns and the translation, the fourth number of each of no meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Place([[f32; 4]; 4]);

impl Place {
    /// Where all begins.
    pub const IDENTITY: Self =
        Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]);

    /// The same in double precision.
    #[must_use]
    pub fn to_affine(&self) -> Affine {
        let column = |at: usize| Vec3::from_fn(|row, _| f64::from(self.0[at][row]));
        Affine { linear: Mat3::from_columns(&[column(0), column(1), column(2)]), translation: column(3) }
    }

    #[inline(always)]
    fn times(&self, other: &[[f32; 4]; 4]) -> Self {
        let [x, y, z, translation] = &self.0;
        let mut out = Self([[0.0; 4]; 4]);
        for (to, column) in out.0.iter_mut().zip(other) {
            for (row, to) in to.iter_mut().enumerate() {
                *to = x[row] * column[0] + y[row] * column[1] + z[row] * column[2];
            }
        }
        for (to, translation) in out.0[3].iter_mut().zip(translation) {
            *to += translation;
        }
        out
    }
}

/// The place of every joint in the rig object's space, `parent * T * R * S`, parents first: `parents[i] < i`, and a parent that
/// does not come before its child counts as none. `places` is resized to the joints; its storage is used again.
///
/// What [`crate::eval::fk::model_from_locals`] is in double precision where no joint leaves its parent's scale out.
pub fn model_from_packed(parents: &[Option<usize>], pose: &PackedPose, places: &mut Vec<Place>) {
    let count = parents.len().min(pose.len());
    places.resize(count, Place::IDENTITY);
    Arch::new().dispatch(Run { parents: &parents[..count], pose, places });
}

struct Run<'a> {
    parents: &'a [Option<usize>],
    pose: &'a PackedPose,
    places: &'a mut [Place],
}

impl WithSimd for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (group, (parents, eight)) in self.parents.chunks(LANES).zip(&self.pose.groups).enumerate() {
            let columns = columns(&eight.rotation, &eight.scale);
            let translation = &eight.translation;
            for (lane, parent) in parents.iter().enumerate() {
                let joint = group * LANES + lane;
                let column = |of: &[Lanes<f32>; 3]| [of[0].0[lane], of[1].0[lane], of[2].0[lane], 0.0];
                let own = [column(&columns[0]), column(&columns[1]), column(&columns[2]), column(translation)];
                let place = match parent.filter(|parent| *parent < joint).and_then(|parent| self.places.get(parent)) {
                    Some(parent) => parent.times(&own),
                    None => Place(own),
                };
                if let Some(to) = self.places.get_mut(joint) {
                    *to = place;
                }
            }
        }
    }
}

/// The columns of `R * S` of eight joints.
#[inline(always)]
fn columns([x, y, z, w]: &[Lanes<f32>; 4], scale: &[Lanes<f32>; 3]) -> [[Lanes<f32>; 3]; 3] {
    let one = Lanes::splat(1.0f32);
    let (x2, y2, z2) = (*x + *x, *y + *y, *z + *z);
    let (xx, yy, zz) = (*x * x2, *y * y2, *z * z2);
    let (xy, xz, yz) = (*x * y2, *x * z2, *y * z2);
    let (wx, wy, wz) = (*w * x2, *w * y2, *w * z2);
    let [sx, sy, sz] = *scale;
    [
        [(one - yy - zz) * sx, (xy + wz) * sx, (xz - wy) * sx],
        [(xy - wz) * sy, (one - xx - zz) * sy, (yz + wx) * sy],
        [(xz + wy) * sz, (yz - wx) * sz, (one - xx - yy) * sz],
    ]
}

//! Skinning of whole meshes in single precision, for drawing: within 1e-5 of the double precision of [`super`].

use crate::math::Affine;

/// A map in single precision: three rows of `[x, y, z, translation]`.
pub type Rows = [[f32; 4]; 3];

/// The rows of a map.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
pub fn rows(map: &Affine) -> Rows {
    let (m, t) = (&map.linear, &map.translation);
    std::array::from_fn(|row| [m[(row, 0)], m[(row, 1)], m[(row, 2)], t[row]].map(|value| value as f32))
}

/// Vertices and what they follow.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// Positions at rest.
    pub positions: &'a [[f32; 3]],
    /// Normals at rest: one a vertex, or none.
    pub normals: &'a [[f32; 3]],
    /// Influences a vertex, at least 1.
    pub per_vertex: usize,
    /// Joints, `per_vertex` a vertex.
    pub influences: &'a [u16],
    /// Weights, `per_vertex` a vertex, of any sum: they are divided by it.
    pub weights: &'a [f32],
}

/// Blends positions, and normals where there are any (of about unit length), into `positions` and `normals`, whose
/// storage is used again. A vertex without weight follows its first joint.
pub fn linear_blend(bound: &Bound<'_>, skinning: &[Rows], positions: &mut Vec<[f32; 3]>, normals: &mut Vec<[f32; 3]>) {
    positions.clear();
    normals.clear();
    positions.reserve(bound.positions.len());
    normals.reserve(bound.normals.len());
    let each = bound.per_vertex.max(1);
    let influences = bound.influences.chunks_exact(each).zip(bound.weights.chunks_exact(each));
    for (vertex, (position, (joints, weights))) in bound.positions.iter().zip(influences).enumerate() {
        let map = blend(joints, weights, skinning);
        positions.push(map.map(|row| row[0] * position[0] + row[1] * position[1] + row[2] * position[2] + row[3]));
        if let Some(normal) = bound.normals.get(vertex) {
            normals.push(map.map(|row| row[0] * normal[0] + row[1] * normal[1] + row[2] * normal[2]));
        }
    }
}

/// The blended map of one vertex.
#[inline]
fn blend(joints: &[u16], weights: &[f32], skinning: &[Rows]) -> Rows {
    let sum: f32 = weights.iter().sum();
    if !(sum > 0.0) {
        let first = joints.first().map_or(0, |joint| usize::from(*joint));
        return skinning.get(first).copied().unwrap_or([
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
    }
    let scale = 1.0 / sum;
    let mut out = [[0.0; 4]; 3];
    for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        if let Some(map) = skinning.get(usize::from(*joint)) {
            let share = weight * scale;
            for (out, row) in out.iter_mut().zip(map) {
                for (out, value) in out.iter_mut().zip(row) {
                    *out += share * value;
                }
            }
        }
    }
    out
}

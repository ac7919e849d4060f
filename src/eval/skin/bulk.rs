//! Skinning of whole meshes in single precision, for drawing: within 1e-5 of the double precision of [`super`].

use super::DualMap;
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

/// A joint's map in two parts, in single precision: rotation and dual part as x, y, z, w; rows of what acts before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    real: [f32; 4],
    dual: [f32; 4],
    stretch: [[f32; 3]; 3],
}

/// A map in single precision.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
pub fn dual(map: &DualMap) -> Dual {
    let of = |q: &nalgebra::Quaternion<f64>| [q.i, q.j, q.k, q.w].map(|value| value as f32);
    let stretch = std::array::from_fn(|row| std::array::from_fn(|column| map.stretch[(row, column)] as f32));
    Dual { real: of(&map.real), dual: of(&map.dual), stretch }
}

/// As [`linear_blend`], by dual quaternions.
pub fn dual_blend(bound: &Bound<'_>, maps: &[Dual], positions: &mut Vec<[f32; 3]>, normals: &mut Vec<[f32; 3]>) {
    positions.clear();
    normals.clear();
    positions.reserve(bound.positions.len());
    normals.reserve(bound.normals.len());
    let each = bound.per_vertex.max(1);
    let influences = bound.influences.chunks_exact(each).zip(bound.weights.chunks_exact(each));
    for (vertex, (position, (joints, weights))) in bound.positions.iter().zip(influences).enumerate() {
        let normal = bound.normals.get(vertex);
        match blended(joints, weights, maps) {
            Some(map) => {
                positions.push(map.point(position));
                normals.extend(normal.map(|normal| map.vector(normal)));
            }
            None => {
                positions.push(*position);
                normals.extend(normal.copied());
            }
        }
    }
}

impl Dual {
    fn vector(&self, v: &[f32; 3]) -> [f32; 3] {
        turned(&self.real, &self.stretch.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]))
    }

    fn point(&self, p: &[f32; 3]) -> [f32; 3] {
        let ([a, b, c, d], [x, y, z, w]) = (self.dual, self.real);
        // The vector part of 2 dual * conjugate(real).
        let by = [
            2.0 * (a * w - d * x + c * y - b * z),
            2.0 * (b * w - d * y + a * z - c * x),
            2.0 * (c * w - d * z + b * x - a * y),
        ];
        let own = self.vector(p);
        std::array::from_fn(|axis| own[axis] + by[axis])
    }
}

/// A vector turned by a unit quaternion: v + 2 w (q x v) + 2 q x (q x v).
fn turned([x, y, z, w]: &[f32; 4], v: &[f32; 3]) -> [f32; 3] {
    let cross = |v: &[f32; 3]| [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
    let once = cross(v);
    let twice = cross(&once);
    std::array::from_fn(|axis| v[axis] + 2.0 * (w * once[axis] + twice[axis]))
}

/// The blended map of one vertex: without weight that of its first joint; none where it has none.
fn blended(joints: &[u16], weights: &[f32], maps: &[Dual]) -> Option<Dual> {
    let sum: f32 = weights.iter().sum();
    if !(sum > 0.0) {
        return maps.get(usize::from(*joints.first()?)).copied();
    }
    let own =
        || joints.iter().zip(weights).filter_map(|(joint, weight)| Some((maps.get(usize::from(*joint))?, *weight)));
    // As in double precision the last of several that weigh most.
    let (pivot, _) = own().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut out = Dual { real: [0.0; 4], dual: [0.0; 4], stretch: [[0.0; 3]; 3] };
    for (map, weight) in own().filter(|(_, weight)| *weight > 0.0) {
        let share = weight / sum;
        let along: f32 = map.real.iter().zip(&pivot.real).map(|(a, b)| a * b).sum();
        let signed = if along < 0.0 { -share } else { share };
        for k in 0..4 {
            out.real[k] += signed * map.real[k];
            out.dual[k] += signed * map.dual[k];
        }
        for (out, row) in out.stretch.iter_mut().flatten().zip(map.stretch.iter().flatten()) {
            *out += share * row;
        }
    }
    let length = out.real.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !(length > 1e-6) {
        return None;
    }
    out.real = out.real.map(|value| value / length);
    out.dual = out.dual.map(|value| value / length);
    Some(out)
}

//! Skinning of whole meshes in single precision, for drawing: within 1e-5 of the double precision of [`super`].
//!
//! Linear blend and dual quaternions are one loop with two kinds of map. A map lies in memory as it is summed: with the processor's
//! wide instructions, chosen when the program runs, the sum of four takes some ten of them. Vertices are shared out to the cores.

use super::DualMap;
use crate::math::Affine;
use pulp::{Arch, Simd, WithSimd};
use std::thread;

/// A map in single precision: three rows of `[x, y, z, translation]`.
pub type Rows = [[f32; 4]; 3];

/// Fewer vertices than this are not worth a second thread: it takes about as long to begin one.
const ALONE: usize = 16_384;
/// The most threads that one mesh takes.
const MOST_THREADS: usize = 8;

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
    let maps: Vec<Columns> = skinning.iter().map(Columns::new).collect();
    blend(bound, &maps, positions, normals);
}

/// As [`linear_blend`], by dual quaternions.
pub fn dual_blend(bound: &Bound<'_>, maps: &[Dual], positions: &mut Vec<[f32; 3]>, normals: &mut Vec<[f32; 3]>) {
    blend(bound, maps, positions, normals);
}

/// What joints' maps can do: be blended, and carry.
trait Map: Copy + Send + Sync {
    /// The blend of one vertex: without weight the map of its first joint; none where it has none.
    fn blended<S: Simd>(simd: S, joints: &[u16], weights: &[f32], maps: &[Self]) -> Option<Self>;

    /// A place carried.
    fn point(&self, at: &[f32; 3]) -> [f32; 3];

    /// A direction carried.
    fn vector(&self, v: &[f32; 3]) -> [f32; 3];
}

/// All vertices, those of a large mesh on all cores.
fn blend<M: Map>(bound: &Bound<'_>, maps: &[M], positions: &mut Vec<[f32; 3]>, normals: &mut Vec<[f32; 3]>) {
    let each = bound.per_vertex.max(1);
    let count = bound.positions.len().min(bound.influences.len() / each).min(bound.weights.len() / each);
    let with_normals = bound.normals.len().min(count);
    positions.resize(count, [0.0; 3]);
    normals.resize(with_normals, [0.0; 3]);
    let threads = if count < ALONE { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    let share = count.div_ceil(threads.min(MOST_THREADS)).max(1);
    let arch = Arch::new();
    let run = |first: usize, positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]| {
        let own = Bound {
            positions: bound.positions.get(first..).unwrap_or_default(),
            normals: bound.normals.get(first..).unwrap_or_default(),
            per_vertex: each,
            influences: bound.influences.get(first * each..).unwrap_or_default(),
            weights: bound.weights.get(first * each..).unwrap_or_default(),
        };
        arch.dispatch(Run { bound: own, maps, positions, normals });
    };
    if share >= count {
        return run(0, positions, normals);
    }
    thread::scope(|scope| {
        let mut normals = normals.as_mut_slice();
        let (mut first, mut chunks) = (0, positions.chunks_mut(share).peekable());
        while let Some(chunk) = chunks.next() {
            let (own, rest) = std::mem::take(&mut normals).split_at_mut(chunk.len().min(normals.len()));
            normals = rest;
            let begin = first;
            first += chunk.len();
            // The last is this thread's own.
            if chunks.peek().is_some() {
                let run = &run;
                scope.spawn(move || run(begin, chunk, own));
            } else {
                run(begin, chunk, own);
            }
        }
    });
}

/// Some vertices, one after the other.
struct Run<'a, M> {
    bound: Bound<'a>,
    maps: &'a [M],
    positions: &'a mut [[f32; 3]],
    normals: &'a mut [[f32; 3]],
}

impl<M: Map> WithSimd for Run<'_, M> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (joints, weights) = (self.bound.influences, self.bound.weights);
        // Four is what most have: loops of a known length are worth twice the speed.
        if self.bound.per_vertex == 4 {
            let (joints, weights) = (joints.as_chunks::<4>().0, weights.as_chunks::<4>().0);
            self.each(simd, joints.iter().map(|own| &own[..]).zip(weights.iter().map(|own| &own[..])));
        } else {
            let each = self.bound.per_vertex;
            self.each(simd, joints.chunks_exact(each).zip(weights.chunks_exact(each)));
        }
    }
}

impl<M: Map> Run<'_, M> {
    #[inline(always)]
    fn each<'b, S: Simd>(self, simd: S, of: impl Iterator<Item = (&'b [u16], &'b [f32])>) {
        let rest = self.bound.positions.iter().zip(self.positions);
        let mut turned = self.bound.normals.iter().zip(self.normals);
        for ((joints, weights), (from, to)) in of.zip(rest) {
            let map = M::blended(simd, joints, weights, self.maps);
            *to = map.map_or(*from, |map| map.point(from));
            if let Some((from, to)) = turned.next() {
                *to = map.map_or(*from, |map| map.vector(from));
            }
        }
    }
}

/// A linear map by columns of four, the fourth number of each of no meaning.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Columns([f32; 16]);

impl Columns {
    fn new(rows: &Rows) -> Self {
        Self(std::array::from_fn(|at| rows.get(at % 4).map_or(0.0, |row| row[at / 4])))
    }
}

impl Map for Columns {
    #[inline(always)]
    fn blended<S: Simd>(simd: S, joints: &[u16], weights: &[f32], maps: &[Self]) -> Option<Self> {
        let sum: f32 = weights.iter().sum();
        if !(sum > 0.0) {
            return maps.get(usize::from(*joints.first()?)).copied();
        }
        // As many as a map has numbers: of the widest instructions only the first two.
        let mut sums = [simd.splat_f32s(0.0); 16];
        let scale = 1.0 / sum;
        for (joint, weight) in joints.iter().zip(weights) {
            // A weight of zero counts for nothing even where its joint is at no finite place.
            let Some(map) = maps.get(usize::from(*joint)).filter(|_| *weight > 0.0) else { continue };
            let share = simd.splat_f32s(*weight * scale);
            for (sum, own) in sums.iter_mut().zip(S::as_simd_f32s(&map.0).0) {
                *sum = simd.mul_add_e_f32s(*own, share, *sum);
            }
        }
        let mut out = Self([0.0; 16]);
        for (out, sum) in S::as_mut_simd_f32s(&mut out.0).0.iter_mut().zip(sums) {
            *out = sum;
        }
        Some(out)
    }

    #[inline(always)]
    fn point(&self, at: &[f32; 3]) -> [f32; 3] {
        let m = &self.0;
        let sum: [f32; 4] =
            std::array::from_fn(|row| m[row] * at[0] + m[4 + row] * at[1] + m[8 + row] * at[2] + m[12 + row]);
        [sum[0], sum[1], sum[2]]
    }

    #[inline(always)]
    fn vector(&self, v: &[f32; 3]) -> [f32; 3] {
        let m = &self.0;
        let sum: [f32; 4] = std::array::from_fn(|row| m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2]);
        [sum[0], sum[1], sum[2]]
    }
}

/// A joint's map in two parts, in single precision: rotation and dual part as x, y, z, w, then what acts before, by columns of
/// four, the fourth of each and the last column of no meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Dual([f32; 24]);

/// A map in single precision.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
pub fn dual(map: &DualMap) -> Dual {
    let (real, dual) = (&map.real, &map.dual);
    let parts = [real.i, real.j, real.k, real.w, dual.i, dual.j, dual.k, dual.w];
    Dual(std::array::from_fn(|at| match at {
        0..8 => parts[at] as f32,
        _ if at % 4 == 3 || at >= 20 => 0.0,
        _ => map.stretch[(at % 4, at / 4 - 2)] as f32,
    }))
}

impl Map for Dual {
    #[inline(always)]
    fn blended<S: Simd>(simd: S, joints: &[u16], weights: &[f32], maps: &[Self]) -> Option<Self> {
        let sum: f32 = weights.iter().sum();
        if !(sum > 0.0) {
            return maps.get(usize::from(*joints.first()?)).copied();
        }
        let own =
            || joints.iter().zip(weights).filter_map(|(joint, weight)| Some((maps.get(usize::from(*joint))?, *weight)));
        // As in double precision the last of several that weigh most.
        let (pivot, _) = own().reduce(|most, next| if next.1 >= most.1 { next } else { most })?;
        let pivot: [f32; 4] = [pivot.0[0], pivot.0[1], pivot.0[2], pivot.0[3]];
        let mut sums = [simd.splat_f32s(0.0); 24];
        let scale = 1.0 / sum;
        for (map, weight) in own().filter(|(_, weight)| *weight > 0.0) {
            let along = map.0[0] * pivot[0] + map.0[1] * pivot[1] + map.0[2] * pivot[2] + map.0[3] * pivot[3];
            let share = weight * scale;
            // Rotation and dual part have eight numbers; the stretch has no sign.
            let (turn, keep) = (simd.splat_f32s(if along < 0.0 { -share } else { share }), simd.splat_f32s(share));
            let own = S::as_simd_f32s(&map.0).0;
            let signed = own.len() / 3;
            for (at, (sum, own)) in sums.iter_mut().zip(own).enumerate() {
                *sum = simd.mul_add_e_f32s(*own, if at < signed { turn } else { keep }, *sum);
            }
        }
        let mut out = Self([0.0; 24]);
        for (out, sum) in S::as_mut_simd_f32s(&mut out.0).0.iter_mut().zip(sums) {
            *out = sum;
        }
        let length = out.0[..4].iter().map(|value| value * value).sum::<f32>().sqrt();
        if !(length > 1e-6) {
            return None;
        }
        let scale = 1.0 / length;
        out.0[..8].iter_mut().for_each(|value| *value *= scale);
        Some(out)
    }

    #[inline(always)]
    fn point(&self, at: &[f32; 3]) -> [f32; 3] {
        let [x, y, z, w, a, b, c, d, ..] = self.0;
        // The vector part of 2 dual * conjugate(real).
        let by = [
            2.0 * (a * w - d * x + c * y - b * z),
            2.0 * (b * w - d * y + a * z - c * x),
            2.0 * (c * w - d * z + b * x - a * y),
        ];
        let own = self.vector(at);
        std::array::from_fn(|axis| own[axis] + by[axis])
    }

    #[inline(always)]
    fn vector(&self, v: &[f32; 3]) -> [f32; 3] {
        let m = &self.0[8..];
        let stretched: [f32; 3] = std::array::from_fn(|row| m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2]);
        let [x, y, z, w, ..] = self.0;
        turned(&[x, y, z, w], &stretched)
    }
}

/// A vector turned by a unit quaternion: v + 2 w (q x v) + 2 q x (q x v).
#[inline(always)]
fn turned([x, y, z, w]: &[f32; 4], v: &[f32; 3]) -> [f32; 3] {
    let cross = |v: &[f32; 3]| [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
    let once = cross(v);
    let twice = cross(&once);
    std::array::from_fn(|axis| v[axis] + 2.0 * (w * once[axis] + twice[axis]))
}

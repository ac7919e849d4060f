//! Deformers on whole meshes in single precision, on all cores: for drawing, within 1e-5 of [`super::Step::moved`].
//!
//! A lattice is applied in two parts. [`Embedding`] finds for each vertex within the box its parameters, once for a mesh and a
//! box; vertices of one cell of the bases lie one after the other. [`Embedding::apply`] sums the points' offsets eight vertices
//! at a time in the processor's widest instructions, chosen when the program runs: dragging a point does only this.

use super::{Acting, LatticeShape, Step, masked, reached};
use crate::{
    math::{Affine, Vec3, lattice::Basis},
    model::Mesh,
};
use pulp::{Arch, Simd, WithSimd};
use std::thread;

/// A vertex, single precision.
type Point = [f32; 3];

/// How many vertices are moved together.
const GROUP: usize = 8;
/// Fewer vertices than this are not worth a second thread: it takes about as long to begin one.
const ALONE: usize = 16_384;

/// The number of threads for so many vertices.
fn threads(vertices: usize) -> usize {
    if vertices < ALONE { 1 } else { thread::available_parallelism().map_or(1, usize::from).min(8) }
}

/// Moves vertices by a map of the deformer's space; `masks` are how much it acts on each, all where there are none.
pub(in crate::eval) fn mapped(
    step: &Step,
    map: impl Fn(&Vec3) -> Vec3 + Sync,
    masks: Option<&[f32]>,
    positions: &mut [Point],
) {
    let count = positions.len();
    let share = count.div_ceil(threads(count)).max(1);
    let map = &map;
    let one = |first: usize, chunk: &mut [Point]| {
        for (index, position) in chunk.iter_mut().enumerate() {
            let mask = masks.map_or(1.0, |masks| masks.get(first + index).copied().map_or(0.0, f64::from));
            let amount = step.influence * mask;
            if !(amount > 0.0) {
                continue;
            }
            let at = wide(position);
            let own = step.inverse.point(&at);
            let amount = amount * step.fade(&own);
            if !(amount > 0.0) {
                continue;
            }
            let to = map(&own);
            if to != own {
                *position = narrow(&(at + step.place.vector(&(to - own)) * amount));
            }
        }
    };
    if share >= count {
        return one(0, positions);
    }
    thread::scope(|scope| {
        for (index, chunk) in positions.chunks_mut(share).enumerate() {
            scope.spawn(move || one(index * share, chunk));
        }
    });
}

fn wide(point: &Point) -> Vec3 {
    Vec3::from(point.map(f64::from))
}

#[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
fn narrow(point: &Vec3) -> Point {
    [point.x as f32, point.y as f32, point.z as f32]
}

/// How much a step acts on each vertex by its mask; none for all alike.
pub(in crate::eval) fn masks(mesh: &Mesh, step: &Step) -> Option<Vec<f32>> {
    #[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
    step.mask.map(|mask| (0..mesh.len()).map(|vertex| masked(mesh, mask, vertex) as f32).collect())
}

/// The vertices within a lattice's box with their parameters. It depends on where vertices and box are, not on the lattice's
/// points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedding {
    /// How many vertices of the mesh are one part: what a thread moves.
    share: usize,
    /// The group after the last one of each part.
    parts: Vec<usize>,
    /// The vertices, part by part in groups of [`GROUP`] of one cell; places that fill a group up are [`FILLING`].
    vertices: Vec<u32>,
    /// The parameters within the cell, an axis after the other.
    local: [Vec<f32>; 3],
    /// How much each is moved: mask and fade.
    amount: Vec<f32>,
    /// The first point that counts along each axis, a group.
    cells: Vec<[u8; 3]>,
}

/// What stands for no vertex.
const FILLING: u32 = u32::MAX;

/// A vertex within the box.
struct Inside {
    cell: [u8; 3],
    vertex: u32,
    local: [f32; 3],
    amount: f32,
}

impl Embedding {
    /// Finds the vertices within the box of a lattice whose space is reached by `inverse`.
    #[must_use]
    pub fn new(positions: &[Point], inverse: &Affine, lattice: &LatticeShape, masks: Option<&[f32]>) -> Self {
        Self::within(positions, (inverse, 0.0), lattice, masks)
    }

    /// The same of a step, which may reach so far only.
    #[must_use]
    pub fn within(
        positions: &[Point],
        (inverse, reach): (&Affine, f64),
        lattice: &LatticeShape,
        masks: Option<&[f32]>,
    ) -> Self {
        let share = positions.len().div_ceil(threads(positions.len())).max(1);
        let one_cell = (0..3).all(|axis| lattice.bases[axis].cells(lattice.counts[axis]) == 1);
        let find = |first: usize, chunk: &[Point]| -> Vec<Inside> {
            let each = chunk.iter().enumerate();
            let found = each.filter_map(|(index, at)| inside(first + index, at, (inverse, reach), lattice, masks));
            let mut found: Vec<Inside> = found.collect();
            if !one_cell {
                found.sort_by_key(|one| (one.cell, one.vertex));
            }
            found
        };
        let found: Vec<Vec<Inside>> = if share >= positions.len() {
            vec![find(0, positions)]
        } else {
            thread::scope(|scope| {
                let chunks = positions.chunks(share).enumerate();
                let tasks: Vec<_> =
                    chunks.map(|(index, chunk)| scope.spawn(move || find(index * share, chunk))).collect();
                // A thread that is gone found nothing; finding does not fail.
                tasks.into_iter().map(|task| task.join().unwrap_or_default()).collect()
            })
        };
        let mut out = Self { share, ..Self::default() };
        out.reserve(found.iter().map(Vec::len).sum::<usize>() + GROUP * found.len());
        for part in found {
            for run in part.chunk_by(|a, b| a.cell == b.cell) {
                for one in run {
                    out.push(one.vertex, one.local, one.amount);
                }
                while !out.vertices.len().is_multiple_of(GROUP) {
                    out.push(FILLING, [0.0; 3], 0.0);
                }
                out.cells.resize(out.vertices.len() / GROUP, run[0].cell);
            }
            out.parts.push(out.cells.len());
        }
        out
    }

    fn reserve(&mut self, count: usize) {
        self.vertices.reserve(count);
        self.amount.reserve(count);
        self.local.iter_mut().for_each(|axis| axis.reserve(count));
    }

    fn push(&mut self, vertex: u32, local: [f32; 3], amount: f32) {
        self.vertices.push(vertex);
        self.amount.push(amount);
        for (axis, value) in self.local.iter_mut().zip(local) {
            axis.push(value);
        }
    }

    /// How many vertices are within the box.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vertices.iter().filter(|vertex| **vertex != FILLING).count()
    }

    /// Whether no vertex is within the box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Moves the vertices found by a lattice of the same box. `linear` brings its offsets to the space of the points.
    pub fn apply(&self, lattice: &LatticeShape, linear: impl Fn(&Vec3) -> Vec3, positions: &mut [Point]) {
        if self.is_empty() {
            return;
        }
        let moved: Vec<Point> = lattice.offsets.iter().map(|offset| narrow(&linear(offset))).collect();
        let mut controls: [Vec<f32>; 3] = std::array::from_fn(|axis| moved.iter().map(|m| m[axis]).collect());
        controls.iter_mut().for_each(|axis| axis.resize(lattice.counts.iter().product(), 0.0));
        let grid = Grid { counts: lattice.counts, bases: lattice.bases, controls: &controls };
        let mut begun = 0;
        let tasks = positions.chunks_mut(self.share.max(1)).zip(&self.parts).enumerate();
        let mut tasks = tasks.map(|(part, (positions, end))| {
            let groups = std::mem::replace(&mut begun, *end)..*end;
            Sum { grid: &grid, embedding: self, groups, first: part * self.share, positions }
        });
        let Some(own) = tasks.next() else { return };
        thread::scope(|scope| {
            for task in tasks {
                scope.spawn(move || Arch::new().dispatch(task));
            }
            Arch::new().dispatch(own);
        });
    }
}

#[expect(clippy::cast_possible_truncation, reason = "fewer than 16 cells, single precision")]
fn inside(
    vertex: usize,
    at: &Point,
    (inverse, reach): (&Affine, f64),
    lattice: &LatticeShape,
    masks: Option<&[f32]>,
) -> Option<Inside> {
    let mask = masks.map_or(1.0, |masks| masks.get(vertex).copied().unwrap_or(0.0));
    if !(mask > 0.0) {
        return None;
    }
    let own = inverse.point(&wide(at));
    let parameters = lattice.parameters(&own)?;
    let (mut cell, mut local) = ([0; 3], [0.0; 3]);
    for axis in 0..3 {
        let (first, within) = lattice.bases[axis].cell(lattice.counts[axis], parameters[axis]);
        (cell[axis], local[axis]) = (first as u8, within as f32);
    }
    let amount = mask * (lattice.fade(&parameters) * reached(reach, &own)) as f32;
    Some(Inside { cell, vertex: u32::try_from(vertex).ok()?, local, amount })
}

/// A lattice's points as the sums need them.
struct Grid<'a> {
    counts: [usize; 3],
    bases: [Basis; 3],
    /// By axis, X fastest.
    controls: &'a [Vec<f32>; 3],
}

/// The sums of one part's groups of vertices, added where the vertices are.
struct Sum<'a> {
    grid: &'a Grid<'a>,
    embedding: &'a Embedding,
    groups: std::ops::Range<usize>,
    /// The first vertex.
    first: usize,
    positions: &'a mut [Point],
}

/// Numbers of a group as they lie in memory.
#[repr(align(32))]
struct Lanes([f32; GROUP]);

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { grid, embedding, groups, first, positions } = self;
        let reach = |axis: usize| grid.bases[axis].reach(grid.counts[axis]);
        let alike = if reach(0) == reach(1) && reach(1) == reach(2) { reach(0) } else { 0 };
        let mut out = [const { Lanes([0.0; GROUP]) }; 3];
        for group in groups {
            let Some(cell) = embedding.cells.get(group) else { return };
            let slots = group * GROUP..(group + 1) * GROUP;
            if slots.end > embedding.amount.len() {
                return;
            }
            let [x, y, z] = &embedding.local;
            let (x, y, z) = (&x[slots.clone()], &y[slots.clone()], &z[slots.clone()]);
            let local = [S::as_simd_f32s(x).0, S::as_simd_f32s(y).0, S::as_simd_f32s(z).0];
            let amount = S::as_simd_f32s(&embedding.amount[slots.clone()]).0;
            for (vector, amount) in amount.iter().enumerate() {
                let at = [local[0][vector], local[1][vector], local[2][vector]];
                let sum = match alike {
                    2 => summed_of::<S, 2>(simd, grid, *cell, at),
                    3 => summed_of::<S, 3>(simd, grid, *cell, at),
                    4 => summed_of::<S, 4>(simd, grid, *cell, at),
                    5 => summed_of::<S, 5>(simd, grid, *cell, at),
                    6 => summed_of::<S, 6>(simd, grid, *cell, at),
                    _ => Some(summed(simd, grid, *cell, at)),
                };
                let sum = sum.unwrap_or([simd.splat_f32s(0.0); 3]);
                for (out, sum) in out.iter_mut().zip(sum) {
                    let to = S::as_mut_simd_f32s(&mut out.0).0;
                    to[vector] = simd.mul_f32s(sum, *amount);
                }
            }
            let [x, y, z] = &out;
            for (lane, vertex) in embedding.vertices[slots].iter().enumerate() {
                // What fills a group up is beyond all vertices.
                if let Some(to) = positions.get_mut((*vertex as usize).wrapping_sub(first)) {
                    *to = [to[0] + x.0[lane], to[1] + y.0[lane], to[2] + z.0[lane]];
                }
            }
        }
    }
}

/// [`summed`] where `N` points count along each axis: everything stays in registers, which makes it many times as fast. None where the
/// cell is not within the grid.
#[inline(always)]
fn summed_of<S: Simd, const N: usize>(
    simd: S,
    grid: &Grid<'_>,
    cell: [u8; 3],
    at: [S::f32s; 3],
) -> Option<[S::f32s; 3]> {
    let zero = simd.splat_f32s(0.0);
    let [s, t, u] = at;
    let [bx, by, bz] = grid.bases;
    let [nx, ny, nz] = grid.counts;
    let (x, y, z) =
        (basis_of::<S, N>(simd, bx, nx, s), basis_of::<S, N>(simd, by, ny, t), basis_of::<S, N>(simd, bz, nz, u));
    let [first_x, first_y, first_z] = cell.map(usize::from);
    let [controls_x, controls_y, controls_z] = grid.controls;
    let (mut sum_x, mut sum_y, mut sum_z) = (zero, zero, zero);
    for (k, z) in z.into_iter().enumerate() {
        let (mut layer_x, mut layer_y, mut layer_z) = (zero, zero, zero);
        for (j, y) in y.into_iter().enumerate() {
            let row = first_x + nx * (first_y + j + ny * (first_z + k));
            let own_x: &[f32; N] = controls_x.get(row..row + N)?.try_into().ok()?;
            let own_y: &[f32; N] = controls_y.get(row..row + N)?.try_into().ok()?;
            let own_z: &[f32; N] = controls_z.get(row..row + N)?.try_into().ok()?;
            let (mut line_x, mut line_y, mut line_z) = (zero, zero, zero);
            for (i, x) in x.into_iter().enumerate() {
                line_x = simd.mul_add_e_f32s(simd.splat_f32s(own_x[i]), x, line_x);
                line_y = simd.mul_add_e_f32s(simd.splat_f32s(own_y[i]), x, line_y);
                line_z = simd.mul_add_e_f32s(simd.splat_f32s(own_z[i]), x, line_z);
            }
            layer_x = simd.mul_add_e_f32s(line_x, y, layer_x);
            layer_y = simd.mul_add_e_f32s(line_y, y, layer_y);
            layer_z = simd.mul_add_e_f32s(line_z, y, layer_z);
        }
        sum_x = simd.mul_add_e_f32s(layer_x, z, sum_x);
        sum_y = simd.mul_add_e_f32s(layer_y, z, sum_y);
        sum_z = simd.mul_add_e_f32s(layer_z, z, sum_z);
    }
    Some([sum_x, sum_y, sum_z])
}

/// A basis of which `N` points count, at parameters within a cell.
#[inline(always)]
fn basis_of<S: Simd, const N: usize>(simd: S, basis: Basis, count: usize, t: S::f32s) -> [S::f32s; N] {
    let one = simd.splat_f32s(1.0);
    let mut out = [simd.splat_f32s(0.0); N];
    if N == 4 {
        let values = four(simd, basis, count, t);
        out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
        return out;
    }
    // Two points of a linear basis are those of a Bernstein one.
    let s = simd.sub_f32s(one, t);
    if let Some(first) = out.first_mut() {
        *first = one;
    }
    for degree in 1..N {
        let mut saved = simd.splat_f32s(0.0);
        for value in out.iter_mut().take(degree) {
            let own = *value;
            *value = simd.mul_add_e_f32s(s, own, saved);
            saved = simd.mul_f32s(t, own);
        }
        out[degree] = saved;
    }
    out
}

/// A basis of which four points count, at parameters within a cell.
#[inline(always)]
fn four<S: Simd>(simd: S, basis: Basis, count: usize, t: S::f32s) -> [S::f32s; 4] {
    let s = simd.sub_f32s(simd.splat_f32s(1.0), t);
    let (ss, tt) = (simd.mul_f32s(s, s), simd.mul_f32s(t, t));
    let (sss, ttt) = (simd.mul_f32s(ss, s), simd.mul_f32s(tt, t));
    if basis.of(count) == Basis::BSpline {
        let sixth = simd.splat_f32s(1.0 / 6.0);
        let (half, one, most) = (simd.splat_f32s(0.5), simd.splat_f32s(-1.0), simd.splat_f32s(4.0 / 6.0));
        // (3 v^3 - 6 v^2 + 4) / 6 of t and of 1 - t.
        let first = simd.mul_add_e_f32s(tt, simd.mul_add_e_f32s(t, half, one), most);
        let second = simd.mul_add_e_f32s(ss, simd.mul_add_e_f32s(s, half, one), most);
        return [simd.mul_f32s(sss, sixth), first, second, simd.mul_f32s(ttt, sixth)];
    }
    let three = simd.splat_f32s(3.0);
    [sss, simd.mul_f32s(three, simd.mul_f32s(ss, t)), simd.mul_f32s(three, simd.mul_f32s(s, tt)), ttt]
}

/// The offsets at parameters within a cell, summed along X, then Y, then Z.
#[inline(always)]
fn summed<S: Simd>(simd: S, grid: &Grid<'_>, cell: [u8; 3], at: [S::f32s; 3]) -> [S::f32s; 3] {
    let zero = simd.splat_f32s(0.0);
    let [(x, x_count), (y, y_count), (z, z_count)] =
        [0, 1, 2].map(|axis| weights(simd, grid.bases[axis], grid.counts[axis], at[axis]));
    let [first_x, first_y, first_z] = cell.map(usize::from);
    let mut sum = [zero; 3];
    for (k, z) in z.iter().enumerate().take(z_count) {
        let mut layer = [zero; 3];
        for (j, y) in y.iter().enumerate().take(y_count) {
            let row = first_x + grid.counts[0] * (first_y + j + grid.counts[1] * (first_z + k));
            for (layer, controls) in layer.iter_mut().zip(grid.controls) {
                let own = controls.get(row..row + x_count).unwrap_or_default();
                let mut line = zero;
                for (control, weight) in own.iter().zip(&x) {
                    line = simd.mul_add_e_f32s(simd.splat_f32s(*control), *weight, line);
                }
                *layer = simd.mul_add_e_f32s(line, *y, *layer);
            }
        }
        for (sum, layer) in sum.iter_mut().zip(layer) {
            *sum = simd.mul_add_e_f32s(layer, *z, *sum);
        }
    }
    sum
}

/// The basis at parameters within a cell, and how many points count there: as [`Basis::weights`], several vertices at a time.
#[inline(always)]
fn weights<S: Simd>(simd: S, basis: Basis, count: usize, t: S::f32s) -> ([S::f32s; 16], usize) {
    let one = simd.splat_f32s(1.0);
    let mut out = [simd.splat_f32s(0.0); 16];
    let reach = basis.reach(count).min(out.len());
    let s = simd.sub_f32s(one, t);
    match basis.of(count) {
        _ if count < 2 => out[0] = one,
        Basis::Linear => (out[0], out[1]) = (s, t),
        Basis::BSpline => {
            let number = |value: f32| simd.splat_f32s(value);
            let sixth = number(1.0 / 6.0);
            let cube = |v: S::f32s| simd.mul_f32s(simd.mul_f32s(v, v), simd.mul_f32s(v, sixth));
            // (3 v^3 - 6 v^2 + 4) / 6 of t and of 1 - t.
            let middle = |v: S::f32s| {
                let inner = simd.mul_add_e_f32s(v, number(0.5), number(-1.0));
                simd.mul_add_e_f32s(simd.mul_f32s(v, v), inner, number(4.0 / 6.0))
            };
            (out[0], out[1], out[2], out[3]) = (cube(s), middle(t), middle(s), cube(t));
        }
        Basis::Bernstein => {
            out[0] = one;
            for degree in 1..reach {
                let mut saved = simd.splat_f32s(0.0);
                for value in out.iter_mut().take(degree) {
                    let own = *value;
                    *value = simd.mul_add_e_f32s(s, own, saved);
                    saved = simd.mul_f32s(t, own);
                }
                out[degree] = saved;
            }
        }
    }
    (out, reach)
}

/// Moves all vertices of a mesh by a step, without remembering anything.
pub fn apply(mesh: &Mesh, step: &Step, positions: &mut [Point]) {
    let masks = masks(mesh, step);
    match &step.acting {
        Acting::Function(one) => mapped(step, |at| one.moved(at), masks.as_deref(), positions),
        Acting::Landmarks(shape) => mapped(step, |at| shape.moved(at), masks.as_deref(), positions),
        Acting::Lattice(lattice) => {
            let embedding = Embedding::within(positions, (&step.inverse, step.reach), lattice, masks.as_deref());
            embedding.apply(lattice, |offset| step.place.vector(offset) * step.influence, positions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::deform::Function,
        math::{Mat3, Quat},
        model::{DeformerKind, Geometry, Lattice, MeshPart},
    };
    use std::sync::Arc;

    /// A cloud of points in and around a box of 2.
    fn cloud(count: u32) -> Mesh {
        let mut seed = 7_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(seed >> 16).unwrap()) / 65_535.0 * 3.0 - 1.5
        };
        let positions: Vec<Point> = (0..count).map(|_| [next(), next(), next()]).collect();
        let geometry = Geometry { positions: Arc::from(positions), ..Geometry::default() };
        let parts = [count / 2, count - count / 2].map(|vertices| MeshPart { vertices, indices: 0, material: None });
        Mesh { geometry: Arc::new(geometry), parts: parts.to_vec(), ..Mesh::default() }
    }

    fn step(acting: Acting, mask: Option<crate::model::Mask>) -> Step {
        let turn = Quat::from_euler_angles(0.3, -0.7, 1.1);
        let linear = turn.to_rotation_matrix().matrix() * Mat3::from_diagonal(&Vec3::new(1.3, 0.8, -1.1));
        let place = Affine { linear, translation: Vec3::new(0.2, -0.1, 0.3) };
        Step {
            before_skin: false,
            place,
            inverse: place.try_inverse().unwrap(),
            influence: 0.8,
            mask,
            reach: 0.0,
            acting,
        }
    }

    fn moved_lattice(counts: [u8; 3], basis: Basis) -> LatticeShape {
        let lattice =
            Lattice { counts, bases: [basis; 3], size: Vec3::repeat(2.0), falloff: 0.1, ..Lattice::default() };
        let offset = |(_, [i, j, k]): (_, [usize; 3])| {
            let wave = |n: usize| ((n * 7 + 3) % 11) as f64 / 11.0 - 0.5;
            Vec3::new(wave(i + 2 * j), wave(j + 3 * k), wave(k + 5 * i)) * 0.6
        };
        LatticeShape::new(&lattice, lattice.points().map(offset).collect())
    }

    fn agrees(mesh: &Mesh, step: &Step) {
        let mut drawn = mesh.geometry.positions.to_vec();
        apply(mesh, step, &mut drawn);
        let mut changed = 0;
        for (vertex, (drawn, own)) in drawn.iter().zip(&*mesh.geometry.positions).enumerate() {
            let truth = step.moved(mesh, vertex, &wide(own));
            assert!((wide(drawn) - truth).norm() < 1e-5, "{vertex}: {drawn:?} is not {truth:?}");
            if truth == wide(own) {
                assert_eq!(drawn, own);
            } else {
                changed += 1;
            }
        }
        assert!(changed > mesh.len() / 10);
    }

    #[test]
    fn single_precision_agrees_with_double_for_every_basis_and_mask() {
        let mesh = cloud(3000);
        for basis in Basis::ALL {
            for counts in [[2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5], [6, 6, 6], [7, 5, 3], [16, 1, 4]] {
                let acting = Acting::Lattice(moved_lattice(counts, basis));
                agrees(&mesh, &step(acting.clone(), None));
                agrees(&mesh, &step(acting, Some(crate::model::Mask::Part(1))));
            }
        }
        for kind in DeformerKind::ALL.into_iter().filter(|kind| !kind.has_landmarks()) {
            let numbers = kind.parameters().iter().map(|p| if p.resting == 1.0 { 1.4 } else { p.resting + 0.3 });
            agrees(&mesh, &step(Acting::Function(Function { kind, numbers: numbers.collect() }), None));
        }
    }

    #[test]
    fn several_threads_give_the_bits_of_one() {
        let mesh = cloud(40_000);
        let own = step(Acting::Lattice(moved_lattice([5, 4, 4], Basis::BSpline)), None);
        let mut together = mesh.geometry.positions.to_vec();
        apply(&mesh, &own, &mut together);
        for (first, chunk) in mesh.geometry.positions.chunks(999).enumerate() {
            let mut alone = chunk.to_vec();
            let Acting::Lattice(lattice) = &own.acting else { panic!() };
            let embedding = Embedding::new(&alone, &own.inverse, lattice, None);
            embedding.apply(lattice, |offset| own.place.vector(offset) * own.influence, &mut alone);
            assert_eq!(alone, together[first * 999..][..chunk.len()]);
        }
    }

    #[test]
    fn a_mask_that_fits_nothing_moves_nothing() {
        let mesh = cloud(100);
        for mask in [
            crate::model::Mask::Part(9),
            crate::model::Mask::Joint(crate::model::Parent::Object(crate::model::ObjectId(3))),
        ] {
            let mut drawn = mesh.geometry.positions.to_vec();
            apply(&mesh, &step(Acting::Lattice(moved_lattice([4; 3], Basis::Bernstein)), Some(mask)), &mut drawn);
            assert_eq!(drawn, mesh.geometry.positions.to_vec());
        }
    }
}

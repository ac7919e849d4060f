//! Meshes in the world in single precision, stage by stage: each is worked out anew only where what it depends on is another.
//!
//! What is kept is compared by identity and by value, never by history: with or without it the result is the same to the bit.

use super::{MeshState, PosedMesh, normals::turned, smooth_normals};
use crate::{
    eval::{
        deform::{Acting, Step, bulk as deform},
        skin::bulk,
    },
    math::{Affine, Vec3},
    model::Mesh,
};
use std::sync::Arc;

type Points = Arc<Vec<[f32; 3]>>;

/// Poses one mesh again and again: dragging a point of a lattice does not morph, skin and embed anew.
#[derive(Debug, Default)]
pub struct Poser {
    morphed: Option<(Arc<Mesh>, Vec<f64>, Surface)>,
    bound: Stack,
    skinned: Option<(Surface, Vec<Affine>, f64, Surface)>,
    world: Stack,
}

/// Positions and normals after a stage. Two are one where they are the very same arrays.
#[derive(Clone, Debug)]
struct Surface {
    positions: Points,
    normals: Points,
}

impl Surface {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.positions, &other.positions) && Arc::ptr_eq(&self.normals, &other.normals)
    }
}

impl Poser {
    /// Positions and normals in the world; the very same arrays again where nothing changed.
    pub fn pose(&mut self, mesh: &Arc<Mesh>, state: &MeshState) -> (Points, Points) {
        let known = self.morphed.as_ref().is_some_and(|(of, _, _)| Arc::ptr_eq(of, mesh));
        if !known {
            *self = Self::default();
        }
        let morphed = match &self.morphed {
            Some((_, weights, surface)) if *weights == state.weights => surface.clone(),
            _ => {
                let surface = morphed(mesh, &state.weights);
                self.morphed = Some((mesh.clone(), state.weights.clone(), surface.clone()));
                surface
            }
        };
        let (before, after): (Vec<&Step>, Vec<&Step>) = state.steps.iter().partition(|step| step.before_skin);
        let bound = self.bound.run(mesh, &before, &morphed);
        let skinned = match &self.skinned {
            Some((from, maps, dual, surface)) if from.is(&bound) && *maps == state.maps && *dual == state.dual => {
                surface.clone()
            }
            _ => {
                let surface = placed(mesh, state, &bound);
                self.skinned = Some((bound, state.maps.clone(), state.dual, surface.clone()));
                surface
            }
        };
        let Surface { positions, normals } = self.world.run(mesh, &after, &skinned);
        (positions, normals)
    }
}

/// The mesh in the world, without remembering anything.
#[must_use]
pub fn posed(mesh: &Arc<Mesh>, state: &MeshState) -> PosedMesh {
    let (positions, normals) = Poser::default().pose(mesh, state);
    PosedMesh { positions: Arc::unwrap_or_clone(positions), normals: Arc::unwrap_or_clone(normals) }
}

fn morphed(mesh: &Mesh, weights: &[f64]) -> Surface {
    let geometry = &mesh.geometry;
    let mut positions = geometry.positions.to_vec();
    let mut normals = geometry.normals.to_vec();
    for (morph, weight) in mesh.morphs.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        #[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
        let weight = *weight as f32;
        add_scaled(&mut positions, &morph.positions, weight);
        if !geometry.normals.is_empty() {
            add_scaled(&mut normals, &morph.normals, weight);
        }
    }
    if geometry.normals.is_empty() {
        normals = smooth_normals(&positions, &geometry.indices);
    }
    Surface { positions: Arc::new(positions), normals: Arc::new(normals) }
}

fn add_scaled(to: &mut [[f32; 3]], deltas: &[[f32; 3]], weight: f32) {
    for (to, delta) in to.iter_mut().zip(deltas) {
        for (to, delta) in to.iter_mut().zip(delta) {
            *to += weight * delta;
        }
    }
}

/// On its joints, or where its object is.
fn placed(mesh: &Mesh, state: &MeshState, from: &Surface) -> Surface {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    match &mesh.skin {
        Some(skin) => {
            let maps: Vec<bulk::Rows> = state.maps.iter().map(bulk::rows).collect();
            let bound = bulk::Bound {
                positions: &from.positions,
                normals: &from.normals,
                per_vertex: skin.per_vertex as usize,
                influences: &skin.influences,
                weights: &skin.weights,
            };
            if state.dual >= 1.0 {
                let maps: Vec<bulk::Dual> = state.dual_maps.iter().map(bulk::dual).collect();
                bulk::dual_blend(&bound, &maps, &mut positions, &mut normals);
            } else {
                bulk::linear_blend(&bound, &maps, &mut positions, &mut normals);
                if state.dual > 0.0 {
                    toward_dual(&bound, state, &mut positions, &mut normals);
                }
            }
        }
        None => {
            let map = state.maps.first().copied().unwrap_or_default();
            let (place, turn) = (bulk::rows(&map), bulk::rows(&normal_map(&map)));
            let dot = |row: &[f32; 4], v: &[f32; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
            positions = from.positions.iter().map(|p| place.map(|row| dot(&row, p) + row[3])).collect();
            normals = from.normals.iter().map(|n| turn.map(|row| dot(&row, n))).collect();
        }
    }
    Surface { positions: Arc::new(positions), normals: Arc::new(normals) }
}

/// Brings what was blended linearly towards what dual quaternions make of it.
fn toward_dual(bound: &bulk::Bound<'_>, state: &MeshState, positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
    let maps: Vec<bulk::Dual> = state.dual_maps.iter().map(bulk::dual).collect();
    let (mut to, mut turned) = (Vec::new(), Vec::new());
    bulk::dual_blend(bound, &maps, &mut to, &mut turned);
    #[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
    let amount = state.dual as f32;
    let mix = |from: &mut [[f32; 3]], to: &[[f32; 3]]| {
        for (from, to) in from.as_flattened_mut().iter_mut().zip(to.as_flattened()) {
            *from += amount * (to - *from);
        }
    };
    mix(positions, &to);
    mix(normals, &turned);
}

/// What carries normals where a map carries points: its cofactors, scaled to keep a uniformly scaled normal's length.
fn normal_map(map: &Affine) -> Affine {
    let (x, y, z) = (map.linear.column(0), map.linear.column(1), map.linear.column(2));
    let cofactors = crate::math::Mat3::from_columns(&[y.cross(&z), z.cross(&x), x.cross(&y)]);
    let det = cofactors.column(0).dot(&x);
    let size = det.abs().powf(2.0 / 3.0) * det.signum();
    let scale = if size.abs() > 1e-30 { 1.0 / size } else { 1.0 };
    Affine { linear: cofactors * scale, translation: Vec3::zeros() }
}

/// The part of a stack before or after the skin.
#[derive(Debug, Default)]
struct Stack {
    cells: Vec<Cell>,
    normals: Option<Turned>,
}

/// A step with what it made of what.
#[derive(Debug)]
struct Cell {
    step: Step,
    masks: Option<Arc<Vec<f32>>>,
    embedding: Option<Arc<deform::Embedding>>,
    from: Points,
    to: Points,
}

/// Normals after a stack, and the smooth ones before it.
#[derive(Debug)]
struct Turned {
    from: Surface,
    smooth: Points,
    to: Surface,
}

impl Stack {
    fn run(&mut self, mesh: &Mesh, steps: &[&Step], from: &Surface) -> Surface {
        self.cells.truncate(steps.len());
        if steps.is_empty() {
            self.normals = None;
            return from.clone();
        }
        let mut positions = from.positions.clone();
        for (at, step) in steps.iter().enumerate() {
            let known = (at < self.cells.len()).then(|| self.cells.remove(at));
            let cell = Cell::new(mesh, step, positions, known);
            positions = cell.to.clone();
            self.cells.insert(at, cell);
        }
        let indices = &mesh.geometry.indices;
        match &self.normals {
            Some(known) if known.from.is(from) && Arc::ptr_eq(&known.to.positions, &positions) => known.to.clone(),
            known => {
                let same = known.as_ref().filter(|known| known.from.is(from)).map(|known| known.smooth.clone());
                let smooth = same.unwrap_or_else(|| Arc::new(smooth_normals(&from.positions, indices)));
                let normals = Arc::new(turned(&from.normals, &smooth, &smooth_normals(&positions, indices)));
                let to = Surface { positions, normals };
                self.normals = Some(Turned { from: from.clone(), smooth, to: to.clone() });
                to
            }
        }
    }
}

impl Cell {
    /// A step done; what another, known one found is used again where it fits.
    fn new(mesh: &Mesh, step: &Step, from: Points, known: Option<Self>) -> Self {
        let known = match known {
            Some(known) if Arc::ptr_eq(&known.from, &from) && known.step == *step => return known,
            known => known.filter(|known| known.step.mask == step.mask),
        };
        let masks = match &known {
            Some(known) => known.masks.clone(),
            None => deform::masks(mesh, step).map(Arc::new),
        };
        let mut to = from.to_vec();
        let mut embedding = None;
        match &step.acting {
            Acting::Function(one) => {
                deform::mapped(step, |at| one.moved(at), masks.as_deref().map(Vec::as_slice), &mut to);
            }
            Acting::Landmarks(shape) => {
                deform::mapped(step, |at| shape.moved(at), masks.as_deref().map(Vec::as_slice), &mut to);
            }
            Acting::Lattice(lattice) => {
                let same = known.filter(|known| {
                    let stands = known.step.place == step.place && known.step.reach == step.reach;
                    Arc::ptr_eq(&known.from, &from) && stands
                });
                let same = same.and_then(|known| match &known.step.acting {
                    Acting::Lattice(before) if before.same_box(lattice) => known.embedding,
                    _ => None,
                });
                let found = same.unwrap_or_else(|| {
                    let masks = masks.as_deref().map(Vec::as_slice);
                    Arc::new(deform::Embedding::within(&from, (&step.inverse, step.reach), lattice, masks))
                });
                found.apply(lattice, |offset| step.place.vector(offset) * step.influence, &mut to);
                embedding = Some(found);
            }
        }
        Self { step: step.clone(), masks, embedding, from, to: Arc::new(to) }
    }
}

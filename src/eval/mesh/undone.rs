//! Back through the skin: how vertices at rest would have to lie for their joints alone to bring them where a stack does.

use super::{MeshState, carried, vertex_position};
use crate::{
    math::{Affine, Mat3, Vec3},
    model::Mesh,
    progress::on_cores,
};

/// A thread is worth starting for so many vertices.
const LEAST: usize = 8_192;

/// How each vertex of a morphed mesh at rest must be moved so that the skin alone, or the object's placement, brings it to where
/// the whole stack does; none of those whose joints flatten them to nothing. `linear`: the skin that is to do it blends linearly,
/// whatever the mesh's own does.
#[must_use]
pub fn offsets_at_rest(mesh: &Mesh, state: &MeshState, linear: bool) -> Vec<Vec3> {
    let mut bare = MeshState { steps: Vec::new(), ..state.clone() };
    if linear {
        (bare.dual, bare.dual_maps) = (0.0, Vec::new());
    }
    let parts = mesh.len().div_ceil(LEAST).max(1);
    let share = mesh.len().div_ceil(parts);
    let ranges = (0..parts).map(|part| part * share..((part + 1) * share).min(mesh.len())).collect();
    let one = |vertex| offset(mesh, (state, &bare), vertex).unwrap_or_default();
    let found: Vec<Vec<Vec3>> = on_cores(ranges, parts, |range: std::ops::Range<usize>| range.map(one).collect());
    found.concat()
}

fn offset(mesh: &Mesh, (state, bare): (&MeshState, &MeshState), vertex: usize) -> Option<Vec3> {
    let (to, from) = (vertex_position(mesh, state, vertex)?, vertex_position(mesh, bare, vertex)?);
    if to == from {
        return None;
    }
    // The skin is affine in the place of a vertex, whatever blends it.
    let skin = |at: &Vec3| carried(mesh, bare, vertex, at);
    let origin = skin(&Vec3::zeros());
    let column = |axis| skin(&Vec3::ith(axis, 1.0)) - origin;
    let map = Affine { linear: Mat3::from_columns(&[column(0), column(1), column(2)]), translation: origin };
    let by = map.try_inverse()?.vector(&(to - from));
    by.iter().all(|number| number.is_finite()).then_some(by)
}

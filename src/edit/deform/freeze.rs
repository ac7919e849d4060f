//! What a deformer stack makes of a mesh, kept without the stack: as its shape at rest, or as a morph target.

use super::DeformEdit;
use crate::{
    edit::{Edit, EditError, MeshEdit},
    eval::{
        EvaluatedFrame,
        mesh::{MeshState, carried, mesh_state, turned_normals, vertex_position},
    },
    math::{Affine, Mat3, Vec3},
    model::{Document, Mesh, MorphId, MorphTarget, ObjectId},
};
use std::sync::Arc;

/// What a stack is frozen to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FreezeTo {
    /// The shape at rest.
    Mesh,
    /// A new morph target of this name, at weight 1.
    Morph(String),
}

/// The edit that keeps what a mesh object's stack does at a frame's time and takes the stack off. On its joints, as they are then,
/// every vertex stays where it is; in other poses it follows them from there. A vertex whose joints flatten it to nothing keeps its
/// place at rest.
///
/// # Errors
/// Where the object is no mesh.
pub fn freeze(document: &Document, frame: &EvaluatedFrame, object: ObjectId, to: &FreezeTo) -> Result<Edit, EditError> {
    let mesh = document.object(object).and_then(|found| found.as_mesh()).ok_or(EditError::NotAMesh(object))?;
    let state = mesh_state(document, frame, object).ok_or(EditError::NotAMesh(object))?;
    let rest: Vec<Vec3> = mesh.geometry.positions.iter().map(|at| Vec3::from(at.map(f64::from))).collect();
    let bare = MeshState { steps: Vec::new(), ..state.clone() };
    let by: Vec<Vec3> =
        (0..mesh.len()).map(|vertex| offset(mesh, (&state, &bare), vertex).unwrap_or_default()).collect();
    let mut edits: Vec<Edit> =
        mesh.stack.iter().map(|entry| DeformEdit::DeleteEntry { object, entry: entry.id }.into()).collect();
    let moved: Vec<[f32; 3]> = rest.iter().zip(&by).map(|(rest, by)| narrow(&(rest + by))).collect();
    let normals = turned_normals(&mesh.geometry, &moved);
    edits.push(match to {
        FreezeTo::Mesh => {
            let mut geometry = (*mesh.geometry).clone();
            geometry.positions = moved.into();
            geometry.normals = normals.into();
            MeshEdit::SetGeometry { object, geometry: Arc::new(geometry) }.into()
        }
        FreezeTo::Morph(name) => {
            let turned = normals.iter().zip(&*mesh.geometry.normals);
            let normals: Vec<[f32; 3]> =
                turned.map(|(to, from)| std::array::from_fn(|axis| to[axis] - from[axis])).collect();
            let positions: Vec<[f32; 3]> = by.iter().map(narrow).collect();
            let morph = MorphTarget {
                id: fresh_morph(mesh),
                name: name.clone(),
                weight: 1.0,
                positions: positions.into(),
                normals: normals.into(),
            };
            MeshEdit::AddMorph { object, morph: Arc::new(morph) }.into()
        }
    });
    Ok(Edit::Batch(edits))
}

/// A morph target's id not in use.
fn fresh_morph(mesh: &Mesh) -> MorphId {
    MorphId(mesh.morphs.iter().map(|morph| morph.id.0).max().map_or(0, |last| last.saturating_add(1)))
}

/// How a vertex at rest must be moved so that the skin alone brings it to where the stack does.
fn offset(mesh: &Mesh, (state, bare): (&MeshState, &MeshState), vertex: usize) -> Option<Vec3> {
    let skin = |at: &Vec3| carried(mesh, state, vertex, at);
    // The skin is affine in the place of a vertex, whatever blends it.
    let origin = skin(&Vec3::zeros());
    let column = |axis| skin(&Vec3::ith(axis, 1.0)) - origin;
    let map = Affine { linear: Mat3::from_columns(&[column(0), column(1), column(2)]), translation: origin };
    let (to, from) = (vertex_position(mesh, state, vertex)?, vertex_position(mesh, bare, vertex)?);
    let by = if to == from { Vec3::zeros() } else { map.try_inverse()?.vector(&(to - from)) };
    by.iter().all(|number| number.is_finite()).then_some(by)
}

#[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
fn narrow(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

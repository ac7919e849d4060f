//! What a deformer stack makes of a mesh, kept without the stack: as its shape at rest, or as a morph target.

use super::DeformEdit;
use crate::{
    edit::{Edit, EditError, MeshEdit},
    eval::{
        EvaluatedFrame,
        mesh::{mesh_state, offsets_at_rest, turned_normals},
    },
    math::Vec3,
    model::{Document, MorphTarget, ObjectId},
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
    let by = offsets_at_rest(mesh, &state, false);
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
                weight: 1.0,
                normals: normals.into(),
                ..MorphTarget::new(mesh.fresh_morph_id(), name, positions.into())
            };
            MeshEdit::AddMorph { object, morph: Arc::new(morph) }.into()
        }
    });
    Ok(Edit::Batch(edits))
}

#[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
fn narrow(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

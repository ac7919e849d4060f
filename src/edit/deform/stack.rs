//! From a mesh to what deforms it: placed around it, and put in its stack.

use super::DeformEdit;
use crate::{
    edit::{Edit, EditError, ImportEdit},
    eval::{
        EvaluatedFrame,
        deform::masked,
        mesh::{mesh_state, positions},
    },
    math::{Affine, Quat, Transform, Vec3},
    model::{DeformerKind, Document, Mask, Object, ObjectId, ObjectKind, Parent, Property, StackEntry},
};
use std::sync::Arc;

/// How much larger than a mesh the box around it is, in parts of its greatest edge: its outermost vertices are inside.
const ROOM: f64 = 0.01;

/// The box around some points in a space that `inverse` leads to: its middle and its edges; none without points.
fn bounds(points: impl Iterator<Item = Vec3>, inverse: &Affine) -> Option<(Vec3, Vec3)> {
    let mut found: Option<(Vec3, Vec3)> = None;
    for point in points.map(|point| inverse.point(&point)).filter(|point| point.iter().all(|x| x.is_finite())) {
        let (low, high) = found.unwrap_or((point, point));
        found = Some((low.inf(&point), high.sup(&point)));
    }
    found.map(|(low, high)| ((low + high) / 2.0, high - low))
}

/// Vertices that a mask lets act by less than this are not what a deformer is put around.
const MOSTLY: f64 = 0.5;

/// The vertices of meshes as they are in a frame, world: those that a mask mostly lets act.
fn vertices(document: &Document, frame: &EvaluatedFrame, meshes: &[ObjectId], mask: Option<Mask>) -> Vec<Vec3> {
    let mut points = Vec::new();
    for id in meshes {
        let mesh = document.object(*id).and_then(|object| object.as_mesh());
        if let (Some(mesh), Some(state)) = (mesh, mesh_state(document, frame, *id)) {
            let all = positions(mesh, &state).into_iter().enumerate();
            let acts = |vertex: usize| mask.is_none_or(|mask| masked(mesh, mask, vertex) >= MOSTLY);
            points.extend(all.filter(|(vertex, _)| acts(*vertex)).map(|(_, at)| at));
        }
    }
    points
}

/// The edges of the box around vertices of meshes, turned as a parent is; none where there is no vertex.
#[must_use]
pub fn edges_of(
    document: &Document,
    frame: &EvaluatedFrame,
    meshes: &[ObjectId],
    mask: Option<Mask>,
    parent: Option<Parent>,
) -> Option<Vec3> {
    let turned = turned_as(document, frame, parent);
    bounds(vertices(document, frame, meshes, mask).into_iter(), &turned.try_inverse()?).map(|(_, edges)| edges)
}

/// The place and the turn of a parent, without its scale.
fn turned_as(document: &Document, frame: &EvaluatedFrame, parent: Option<Parent>) -> Affine {
    let above = parent.and_then(|parent| world_of(document, frame, parent)).unwrap_or(Affine::IDENTITY);
    Affine { linear: *above.rotation().to_rotation_matrix().matrix(), translation: above.translation }
}

/// An object that deforms, put around what it deforms: a lattice's box, or a deformer's ends, about the vertices of meshes as
/// they are in a frame; a squash and stretch at their lowest, where they stand. It hangs on `parent`, turned as that is, or as the world.
#[must_use]
pub fn fitted(
    document: &Document,
    frame: &EvaluatedFrame,
    (meshes, mask): (&[ObjectId], Option<Mask>),
    mut object: Object,
    parent: Option<Parent>,
) -> Object {
    let above = parent.and_then(|parent| world_of(document, frame, parent)).unwrap_or(Affine::IDENTITY);
    let turned = turned_as(document, frame, parent);
    let Some(inverse) = turned.try_inverse() else { return object };
    let found = bounds(vertices(document, frame, meshes, mask).into_iter(), &inverse);
    let (mut middle, edges) = found.unwrap_or((Vec3::zeros(), Vec3::repeat(1.0)));
    let room = edges.max() * ROOM;
    match &mut object.kind {
        ObjectKind::Lattice(lattice) => {
            let lattice = Arc::make_mut(lattice);
            lattice.size = Vec3::from_fn(|axis, _| {
                // A flat mesh has no thickness; a planar lattice reaches as far as need be.
                if lattice.count(axis) > 1 { (edges[axis] + room).max(1e-3) } else { 0.0 }
            });
        }
        ObjectKind::Deformer(deformer) => {
            if deformer.kind == DeformerKind::Squash {
                // What is squashed stays on the ground.
                middle.y -= edges.y / 2.0;
            }
            if deformer.number(Property::Low).is_some() {
                let half = (edges.y / 2.0).max(1e-3);
                deformer.numbers.insert(Property::Low, -half);
                deformer.numbers.insert(Property::High, half);
            }
            if deformer.number(Property::Wavelength).is_some() {
                deformer.numbers.insert(Property::Wavelength, edges.x.max(1e-3));
            }
        }
        _ => {}
    }
    let place = turned.point(&middle);
    let local = above.try_inverse().map_or(place, |inverse| inverse.point(&place));
    let scale = above.linear.column_iter().map(|column| column.norm()).collect::<Vec<_>>();
    let scale = Vec3::from_fn(|axis, _| if scale[axis] > 1e-9 { 1.0 / scale[axis] } else { 1.0 });
    object.parent = parent;
    object.transform = Transform { translation: local, rotation: Quat::identity(), scale };
    object
}

fn world_of(document: &Document, frame: &EvaluatedFrame, parent: Parent) -> Option<Affine> {
    match parent {
        Parent::Object(object) => Some(frame.objects.get(&object)?.world),
        Parent::Joint(object, joint) => {
            let index = document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
            frame.joint_world(object, index)
        }
    }
}

/// The edit that adds an object that deforms to the document and to the stacks of meshes; its id is the document's next.
///
/// # Errors
/// Where one of the objects is no mesh.
pub fn add_to_stack(
    document: &Document,
    object: Object,
    (meshes, mask): (&[ObjectId], Option<Mask>),
) -> Result<(ObjectId, Edit), EditError> {
    let id = ObjectId(document.next_id);
    let added = ImportEdit { objects: vec![(id, Arc::new(object))], ..ImportEdit::default() };
    let mut edits = vec![added.into()];
    for mesh in meshes {
        let own = document.object(*mesh).ok_or(EditError::NoObject(*mesh))?;
        let own = own.as_mesh().ok_or(EditError::NotAMesh(*mesh))?;
        let entry = StackEntry { mask, ..StackEntry::new(own.fresh_deformer_id(), id) };
        edits.push(DeformEdit::AddEntry { object: *mesh, entry }.into());
    }
    Ok((id, Edit::Batch(edits)))
}

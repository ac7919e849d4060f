//! How much points of a lattice move the vertices of a mesh.

use super::{Acting, LatticeShape, Step, masked, step_of};
use crate::{
    eval::{
        mesh::{MeshState, mesh_state, vertex_position},
        pipeline::EvaluatedFrame,
    },
    math::{Affine, Vec3},
    model::{Document, Lattice, Mesh, ObjectId, PointId},
};
use std::{collections::BTreeSet, sync::Arc};

/// Where the vertices of a mesh are in the box of a lattice that deforms it. Two are equal where the same vertices are at the same
/// places of the same box, wherever the lattice's points are.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    mesh: Arc<Mesh>,
    /// The mesh as the lattice finds it.
    before: MeshState,
    /// The lattice with its points at rest.
    step: Step,
    lattice: Arc<Lattice>,
}

/// Where a vertex is before an entry of a mesh object's stack moves it, and the map from the deformer's space to the one that place is
/// in: the world, or the mesh's own where the entry acts before the skin. None where there is no such entry or vertex.
#[must_use]
pub fn place_before(
    document: &Document,
    frame: &EvaluatedFrame,
    object: ObjectId,
    entry: usize,
    vertex: usize,
) -> Option<(Vec3, Affine)> {
    let mesh = document.object(object)?.as_mesh()?;
    let own = mesh.stack.get(entry)?;
    let before = before(document, frame, (object, mesh), entry)?;
    let world = frame.objects.get(&own.by)?.world;
    let bound = own.before_skin && mesh.skin.is_some();
    let space = if bound { frame.objects.get(&object)?.world.try_inverse()? * world } else { world };
    Some((vertex_position(mesh, &before, vertex)?, space))
}

/// The state of a mesh as an entry of its stack finds it.
fn before(
    document: &Document,
    frame: &EvaluatedFrame,
    (object, mesh): (ObjectId, &Mesh),
    at: usize,
) -> Option<MeshState> {
    let bare = Mesh { stack: mesh.stack.get(..at)?.to_vec(), ..mesh.clone() };
    let mut before = mesh_state(document, frame, object)?;
    before.steps = super::steps(document, frame, object, &bare);
    if mesh.stack.get(at)?.before_skin && mesh.skin.is_some() {
        before.steps.retain(|step| step.before_skin);
        before.maps.fill(Affine::IDENTITY);
        (before.dual, before.dual_maps) = (0.0, Vec::new());
    }
    Some(before)
}

impl Probe {
    /// The first entry of a mesh object's stack that is a lattice; none where there is none, or the lattice has no room.
    #[must_use]
    pub fn new(document: &Document, frame: &EvaluatedFrame, object: ObjectId, lattice: ObjectId) -> Option<Self> {
        let mesh = document.object(object)?.as_mesh()?;
        let at = mesh.stack.iter().position(|entry| entry.by == lattice)?;
        let model = document.object(lattice)?.as_lattice()?;
        let acting = Acting::Lattice(LatticeShape::new(model, Vec::new()));
        let step = step_of(document, frame, (object, mesh), mesh.stack.get(at)?, acting)?;
        let before = before(document, frame, (object, mesh), at)?;
        Some(Self { mesh: mesh.clone(), before, step, lattice: model.clone() })
    }

    fn shape(&self) -> Option<&LatticeShape> {
        match &self.step.acting {
            Acting::Lattice(shape) => Some(shape),
            Acting::Function(_) | Acting::Landmarks(_) => None,
        }
    }

    /// The parameters of a vertex in the box, 0..1; none for one outside or one that does not exist.
    #[must_use]
    pub fn parameters(&self, vertex: usize) -> Option<Vec3> {
        let at = vertex_position(&self.mesh, &self.before, vertex)?;
        self.shape()?.parameters(&self.step.inverse.point(&at))
    }

    /// How much of their offset points carry a vertex by, all together, 0..1: bases, fade, mask and influence.
    #[must_use]
    pub fn share(&self, vertex: usize, points: &BTreeSet<PointId>) -> f64 {
        let at = vertex_position(&self.mesh, &self.before, vertex).map(|at| self.step.inverse.point(&at));
        let (Some(at), Some(shape)) = (at, self.shape()) else { return 0.0 };
        let Some(parameters) = shape.parameters(&at) else { return 0.0 };
        let [x, y, z] = shape.weights(&parameters);
        let places = points.iter().filter_map(|point| self.lattice.place_of(*point));
        let sum: f64 = places.map(|[i, j, k]| x.of(i) * y.of(j) * z.of(k)).sum();
        let mask = self.step.mask.map_or(1.0, |mask| masked(&self.mesh, mask, vertex));
        sum * shape.fade(&parameters) * self.step.fade(&at) * mask * self.step.influence
    }

    /// [`Self::share`] of every vertex.
    #[must_use]
    pub fn shares(&self, points: &BTreeSet<PointId>) -> Vec<f64> {
        (0..self.mesh.len()).map(|vertex| self.share(vertex, points)).collect()
    }

    /// How many vertices are within the box.
    #[must_use]
    pub fn within(&self) -> usize {
        (0..self.mesh.len()).filter(|vertex| self.parameters(*vertex).is_some()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::Evaluator,
        math::Transform,
        model::{DeformerId, Geometry, MeshPart, Object, ObjectKind, StackEntry},
    };

    #[test]
    fn the_shares_of_all_points_sum_to_one_within_the_box() {
        let places = vec![[0.1, 0.2, -0.3], [0.5, 0.5, 0.5], [2.0, 0.0, 0.0]];
        let geometry = Geometry { positions: Arc::from(places), ..Geometry::default() };
        let parts = vec![MeshPart { vertices: 3, indices: 0, material: None }];
        let mut document = Document::default();
        let lattice = Lattice { counts: [3, 4, 5], ..Lattice::default() };
        let all: BTreeSet<PointId> = lattice.points().map(|(point, _)| point).collect();
        let lattice = document.add_object(Object::new("lattice", ObjectKind::Lattice(Arc::new(lattice))));
        let stack = vec![StackEntry::new(DeformerId(0), lattice)];
        let mesh = Mesh { geometry: Arc::new(geometry), parts, stack, ..Mesh::default() };
        let mesh = document.add_object(Object::new("mesh", ObjectKind::Mesh(Arc::new(mesh))));
        let probe = |document: &Document| {
            let frame = Evaluator::new().frame(document, 0.0);
            Probe::new(document, &frame, mesh, lattice).unwrap()
        };
        let one = probe(&document);
        let shares = one.shares(&all);
        assert!((shares[0] - 1.0).abs() < 1e-12 && (shares[1] - 1.0).abs() < 1e-12 && shares[2] == 0.0);
        assert_eq!(one.share(1, &BTreeSet::from([Lattice::id_at([2, 3, 4])])), 1.0);
        assert_eq!((one.within(), one.parameters(2)), (2, None));
        document.object_mut(lattice).unwrap().transform = Transform::from_translation(Vec3::new(2.0, 0.0, 0.0));
        let moved = probe(&document);
        assert!(moved != one && moved.within() == 1);
        assert!(Probe::new(&document, &Evaluator::new().frame(&document, 0.0), lattice, lattice).is_none());
    }
}

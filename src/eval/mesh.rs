//! Meshes at one time: morphed, then on their joints, in the world.

use super::{
    pipeline::EvaluatedFrame,
    sample::{Stage, number},
    skin::{self, bulk},
};
use crate::{
    math::{Affine, Vec3},
    model::{ChannelPath, Component, Document, Mesh, ObjectId, Parent, Property, Target},
};

/// What a mesh object's shape depends on at one time, besides the mesh itself.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshState {
    /// How much of each morph target acts, in their order.
    pub weights: Vec<f64>,
    /// From the mesh's space to the world for each joint of its skin; one map alone for a mesh without a skin.
    pub maps: Vec<Affine>,
    /// Whether there is a skin.
    pub skinned: bool,
}

/// A mesh in the world, in single precision, for drawing and picking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PosedMesh {
    /// Positions, world, metres.
    pub positions: Vec<[f32; 3]>,
    /// Normals, world, of about unit length: one a vertex.
    pub normals: Vec<[f32; 3]>,
}

/// The state of a mesh object in a frame of its document; none where the object is no mesh. A skinned mesh stands where
/// its joints are: its own object's transform does not act (glTF 2.0, 3.7.3.3).
#[must_use]
pub fn mesh_state(document: &Document, frame: &EvaluatedFrame, object: ObjectId) -> Option<MeshState> {
    let mesh = document.object(object)?.as_mesh()?;
    let own = frame.objects.get(&object)?.world;
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip)).map(|clip| &**clip);
    let weight = |morph: &crate::model::MorphTarget| {
        let target = Target::Morph(object, morph.id);
        let path = ChannelPath { target, property: Property::Weight, component: Component::Only };
        number(document, clip, path, frame.secs, Stage::Shown).unwrap_or(morph.weight)
    };
    let weights = mesh.morphs.iter().map(|morph| weight(morph)).collect();
    let maps = match &mesh.skin {
        None => vec![own],
        Some(skin) => {
            let map = |joint: &crate::model::SkinJoint| {
                joint_world(document, frame, joint.joint).unwrap_or(own) * joint.inverse_bind()
            };
            skin.joints.iter().map(map).collect()
        }
    };
    Some(MeshState { weights, maps, skinned: mesh.skin.is_some() })
}

/// From a joint's or an object's space to the world.
fn joint_world(document: &Document, frame: &EvaluatedFrame, joint: Parent) -> Option<Affine> {
    match joint {
        Parent::Object(object) => Some(frame.objects.get(&object)?.world),
        Parent::Joint(object, joint) => {
            let index = document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
            frame.joint_world(object, index)
        }
    }
}

/// The vertices in the world, in double precision: what exports and tests go by.
#[must_use]
pub fn positions(mesh: &Mesh, state: &MeshState) -> Vec<Vec3> {
    (0..mesh.len()).filter_map(|vertex| vertex_position(mesh, state, vertex)).collect()
}

/// One vertex in the world, in double precision; none where there is no such vertex.
#[must_use]
pub fn vertex_position(mesh: &Mesh, state: &MeshState, vertex: usize) -> Option<Vec3> {
    let point = |p: &[f32; 3]| Vec3::new(f64::from(p[0]), f64::from(p[1]), f64::from(p[2]));
    let mut morphed = point(mesh.geometry.positions.get(vertex)?);
    for (morph, weight) in mesh.morphs.iter().zip(&state.weights) {
        if let Some(delta) = morph.positions.get(vertex).filter(|_| *weight != 0.0) {
            morphed += point(delta) * *weight;
        }
    }
    Some(match (&mesh.skin, state.maps.first()) {
        (Some(skin), _) => skin::linear_blend(&morphed, skin.vertex(vertex), &state.maps),
        (None, Some(map)) => map.point(&morphed),
        (None, None) => morphed,
    })
}

/// The mesh in the world, in single precision.
#[must_use]
pub fn posed(mesh: &Mesh, state: &MeshState) -> PosedMesh {
    let geometry = &mesh.geometry;
    let mut morphed = geometry.positions.to_vec();
    let mut normals = if geometry.normals.is_empty() {
        smooth_normals(&morphed, &geometry.indices)
    } else {
        geometry.normals.to_vec()
    };
    for (morph, weight) in mesh.morphs.iter().zip(&state.weights).filter(|(_, weight)| **weight != 0.0) {
        #[expect(clippy::cast_possible_truncation, reason = "single precision is what is drawn")]
        let weight = *weight as f32;
        add_scaled(&mut morphed, &morph.positions, weight);
        if !geometry.normals.is_empty() {
            add_scaled(&mut normals, &morph.normals, weight);
        }
    }
    if geometry.normals.is_empty() && state.weights.iter().any(|weight| *weight != 0.0) {
        normals = smooth_normals(&morphed, &geometry.indices);
    }
    let mut out = PosedMesh::default();
    match &mesh.skin {
        Some(skin) => {
            let maps: Vec<bulk::Rows> = state.maps.iter().map(bulk::rows).collect();
            let bound = bulk::Bound {
                positions: &morphed,
                normals: &normals,
                per_vertex: skin.per_vertex as usize,
                influences: &skin.influences,
                weights: &skin.weights,
            };
            bulk::linear_blend(&bound, &maps, &mut out.positions, &mut out.normals);
        }
        None => {
            let map = state.maps.first().copied().unwrap_or_default();
            let (place, turn) = (bulk::rows(&map), bulk::rows(&normal_map(&map)));
            let dot = |row: &[f32; 4], v: &[f32; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
            out.positions = morphed.iter().map(|p| place.map(|row| dot(&row, p) + row[3])).collect();
            out.normals = normals.iter().map(|n| turn.map(|row| dot(&row, n))).collect();
        }
    }
    out
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

fn add_scaled(to: &mut [[f32; 3]], deltas: &[[f32; 3]], weight: f32) {
    for (to, delta) in to.iter_mut().zip(deltas) {
        for (to, delta) in to.iter_mut().zip(delta) {
            *to += weight * delta;
        }
    }
}

/// A normal a vertex: the sum of those of the triangles around it, weighted by their areas.
#[must_use]
pub fn smooth_normals(positions: &[[f32; 3]], indices: &[u32]) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0_f32; 3]; positions.len()];
    let at = |vertex: u32| positions.get(vertex as usize).copied().unwrap_or_default();
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
        let (u, v): ([f32; 3], [f32; 3]) = (std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for vertex in triangle {
            if let Some(normal) = normals.get_mut(*vertex as usize) {
                normal.iter_mut().zip(n).for_each(|(normal, n)| *normal += n);
            }
        }
    }
    for normal in &mut normals {
        let length = normal.iter().map(|x| x * x).sum::<f32>().sqrt();
        *normal = if length > 1e-30 { normal.map(|x| x / length) } else { [0.0, 1.0, 0.0] };
    }
    normals
}

//! Meshes at one time: morphed, deformed where they were bound, on their joints, deformed in the world.

mod normals;
mod poser;
mod twins;
mod undone;
mod weights;

pub use normals::smooth_normals;
pub use poser::{Poser, posed};
pub use twins::twins;
pub use undone::offsets_at_rest;
pub use weights::{acting_weights, blended, cancelled};

use super::{
    deform::{Step, steps},
    pipeline::EvaluatedFrame,
    sample::{Stage, number},
    skin::{self, DualMap},
};
use crate::{
    math::{Affine, Vec3},
    model::{ChannelPath, Component, Document, Geometry, Mesh, ObjectId, Parent, Property, Target},
};

/// What a mesh object's shape depends on at one time, besides the mesh itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshState {
    /// How much of each morph target's shape acts, in their order: mixtures and correctives worked out.
    pub weights: Vec<f64>,
    /// From the mesh's space to the world for each joint of its skin; one map alone for a mesh without a skin.
    pub maps: Vec<Affine>,
    /// Whether there is a skin.
    pub skinned: bool,
    /// How much of the skin acts by dual quaternions, 0..1.
    pub dual: f64,
    /// The maps for that; none where nothing does.
    pub dual_maps: Vec<DualMap>,
    /// What deforms it, in order; what moves nothing is left out.
    pub steps: Vec<Step>,
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
    let channels: Vec<f64> = mesh.morphs.iter().map(|morph| weight(morph)).collect();
    let weights = acting_weights(mesh, &channels);
    let maps = match &mesh.skin {
        None => vec![own],
        Some(skin) => {
            let map = |joint: &crate::model::SkinJoint| {
                joint_world(document, frame, joint.joint).unwrap_or(own) * joint.inverse_bind()
            };
            skin.joints.iter().map(map).collect()
        }
    };
    let steps = steps(document, frame, object, mesh);
    let path = ChannelPath::object(object, Property::Blend, Component::Only);
    let dual = if mesh.skin.is_some() { number(document, clip, path, frame.secs, Stage::Shown) } else { None };
    let dual = dual.unwrap_or(0.0).clamp(0.0, 1.0);
    let dual_maps = if dual > 0.0 { maps.iter().map(DualMap::new).collect() } else { Vec::new() };
    Some(MeshState { weights, maps, skinned: mesh.skin.is_some(), dual, dual_maps, steps })
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
    let shapes = mesh.morphs.iter().zip(&state.weights).filter(|(_, weight)| **weight != 0.0);
    let shapes = shapes.filter_map(|(morph, weight)| Some((point(morph.positions.get(vertex)?), *weight)));
    let mut morphed = blended(&point(mesh.geometry.positions.get(vertex)?), shapes);
    for step in state.steps.iter().filter(|step| step.before_skin) {
        morphed = step.moved(mesh, vertex, &morphed);
    }
    let mut placed = carried(mesh, state, vertex, &morphed);
    for step in state.steps.iter().filter(|step| !step.before_skin) {
        placed = step.moved(mesh, vertex, &placed);
    }
    Some(placed)
}

/// Where the joints of a mesh, or its object, carry a place of its space that belongs to a vertex: neither morphed nor deformed.
#[must_use]
pub fn carried(mesh: &Mesh, state: &MeshState, vertex: usize, at: &Vec3) -> Vec3 {
    match (&mesh.skin, state.maps.first()) {
        (Some(skin), _) => {
            let linear = skin::linear_blend(at, skin.vertex(vertex), &state.maps);
            if state.dual > 0.0 {
                let dual = skin::dual_blend(at, skin.vertex(vertex), &state.dual_maps);
                linear + (dual - linear) * state.dual
            } else {
                linear
            }
        }
        (None, Some(map)) => map.point(at),
        (None, None) => *at,
    }
}

/// The normals of a mesh at rest with its vertices elsewhere, turned as its triangles are; none where it has none.
#[must_use]
pub fn turned_normals(geometry: &Geometry, moved: &[[f32; 3]]) -> Vec<[f32; 3]> {
    if geometry.normals.is_empty() {
        return Vec::new();
    }
    let before = smooth_normals(&geometry.positions, &geometry.indices);
    normals::turned(&geometry.normals, &before, &smooth_normals(moved, &geometry.indices))
}

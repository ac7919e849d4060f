//! Skins made and changed: binding to a rig, weights painted, mirrored, limited, set by number.

pub mod paint;

use super::{Edit, EditError, MeshEdit};
use crate::{
    eval::{
        Evaluator,
        at_rest::AtRest,
        mirror::Mirror,
        skin::{
            bind::{Binding, Bone, bind},
            surface::Surface,
            weights::Table,
        },
    },
    math::{Affine, Vec3},
    model::{Document, ObjectId, Parent, Skin, SkinJoint},
    progress::Progress,
};
use std::sync::Arc;

/// A joint without bones gets one that goes on from the bone before it, as long as this part of it.
const TIP: f64 = 0.5;

/// A mesh bound to a rig: its vertices follow the joints whose bones are near where both are at rest; one that follows the rig
/// already, where it was bound to it before. Its triangles count, not its normals; what it followed before is forgotten. Joints that are only a bone's tip carry nothing.
///
/// # Errors
/// Where there is no such mesh or rig, the rig has no joint, or the work is cancelled.
pub fn bound(
    document: &Arc<Document>,
    (mesh_object, rig_object): (ObjectId, ObjectId),
    binding: &Binding,
    secs: f64,
    progress: &Progress,
) -> Result<Edit, EditError> {
    let mesh =
        document.object(mesh_object).and_then(|object| object.as_mesh()).ok_or(EditError::NotAMesh(mesh_object))?;
    let rig = document.object(rig_object).and_then(|object| object.as_rig()).ok_or(EditError::NotARig(rig_object))?;
    let still = AtRest::default().of(document);
    let frame = Evaluator::new().frame(&still, secs);
    let place = frame.objects.get(&mesh_object).map_or(Affine::IDENTITY, |at| at.world);
    let inverse = place.try_inverse().unwrap_or_default();
    let joints = rig.skeleton.joints();
    let parents = rig.skeleton.parents();
    let known = |id| {
        let of = |own: &&SkinJoint| own.joint == Parent::Joint(rig_object, id);
        mesh.skin.as_ref()?.joints.iter().find(of)?.inverse_bind().try_inverse()
    };
    // From each joint's space to the mesh's.
    let mut places: Vec<Affine> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let above = parents[index].and_then(|parent| places.get(parent).copied()).filter(|_| mesh.skin.is_some());
        let below = || above.map(|above| above * joint.rest.to_affine());
        let here = || inverse * frame.joint_world(rig_object, index).unwrap_or_default();
        places.push(known(joint.id).or_else(below).unwrap_or_else(here));
    }
    let carrying: Vec<usize> = (0..joints.len()).filter(|at| !joints[*at].is_end()).collect();
    if carrying.is_empty() || carrying.len() > usize::from(u16::MAX) {
        return Err(EditError::NotARig(rig_object));
    }
    let at = |joint: usize| -> [f64; 3] { places[joint].translation.into() };
    let bones = bones(parents, &carrying, &at);
    let surface = Surface::new(&mesh.geometry.positions, &mesh.geometry.indices);
    let Ok(found) = bind(&surface, &bones, binding, progress) else { return Err(EditError::Stopped) };
    let joint = |index: &usize| SkinJoint {
        joint: Parent::Joint(rig_object, joints[*index].id),
        joint_from_mesh: SkinJoint::rows(&places[*index].try_inverse().unwrap_or_default()),
    };
    let skin = Skin {
        name: String::new(),
        joints: carrying.iter().map(joint).collect(),
        per_vertex: u32::try_from(found.per_vertex).unwrap_or(1),
        influences: found.joints.into(),
        weights: found.weights.into(),
    };
    Ok(MeshEdit::SetSkin { object: mesh_object, skin: Some(Arc::new(skin)) }.into())
}

/// The bones of the joints that carry: from each to all that hang on it; one without gets a bone of its own.
fn bones(parents: &[Option<usize>], carrying: &[usize], at: &impl Fn(usize) -> [f64; 3]) -> Vec<Bone> {
    let mut bones = Vec::new();
    for (slot, joint) in carrying.iter().enumerate() {
        let slot = u16::try_from(slot).unwrap_or(u16::MAX);
        let from = at(*joint);
        let children: Vec<usize> = (0..parents.len()).filter(|child| parents[*child] == Some(*joint)).collect();
        if children.is_empty() {
            let before = parents[*joint].map_or(from, at);
            let on = Vec3::from(from) + (Vec3::from(from) - Vec3::from(before)) * TIP;
            bones.push(Bone { joint: slot, from, to: on.into() });
        }
        bones.extend(children.into_iter().map(|child| Bone { joint: slot, from, to: at(child) }));
    }
    bones
}

/// The joints of a skin on the other side of the body, in the skin's order: each itself where it has none.
#[must_use]
pub fn other_side(document: &Document, skin: &Skin) -> Vec<u16> {
    let mirrors: std::collections::BTreeMap<ObjectId, Option<Mirror>> = skin
        .joints
        .iter()
        .map(|joint| joint.joint.object())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .map(|rig| (rig, Mirror::of_object(document, rig)))
        .collect();
    let partner = |own: Parent| -> Option<Parent> {
        let Parent::Joint(object, joint) = own else { return None };
        let skeleton = &document.object(object)?.as_rig()?.skeleton;
        let other = mirrors.get(&object)?.as_ref()?.partner(skeleton.index_of(joint)?);
        Some(Parent::Joint(object, skeleton.joints().get(other)?.id))
    };
    let slot = |(at, own): (usize, &SkinJoint)| {
        let other = partner(own.joint).and_then(|other| skin.joints.iter().position(|own| own.joint == other));
        u16::try_from(other.unwrap_or(at)).unwrap_or(0)
    };
    skin.joints.iter().enumerate().map(slot).collect()
}

/// A skin whose right side (of negative X) has the weights of the left, for the joints there. Vertices in the middle get both sides'
/// alike, and those without a twin stay as they are. None where the object is no mesh.
#[must_use]
pub fn mirrored(document: &Document, mesh: ObjectId, skin: &Skin) -> Option<Skin> {
    let positions = &document.object(mesh)?.as_mesh()?.geometry.positions;
    let joints = other_side(document, skin);
    let from = Table::new(skin, 1);
    let mut to = Table::new(skin, 4);
    for (vertex, (at, twin)) in positions.iter().zip(paint::twins(positions)).enumerate() {
        let Some(twin) = twin.map(|twin| twin as usize) else { continue };
        let swapped = |vertex: usize| {
            let other = |joint: u16| joints.get(usize::from(joint)).copied().unwrap_or(joint);
            from.shares(vertex).into_iter().map(move |(joint, share)| (other(joint), share))
        };
        if twin == vertex {
            let mut both: std::collections::BTreeMap<u16, f32> = std::collections::BTreeMap::new();
            let halves = from.shares(vertex).into_iter().chain(swapped(vertex));
            halves.for_each(|(joint, share)| *both.entry(joint).or_default() += share / 2.0);
            to.replace(vertex, &both.into_iter().collect::<Vec<_>>());
        } else if at[0] < 0.0 {
            to.replace(vertex, &swapped(twin).collect::<Vec<_>>());
        }
    }
    Some(to.on(skin))
}

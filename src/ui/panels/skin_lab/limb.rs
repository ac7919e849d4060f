//! The limb of the selected joint, out of the mesh that follows it.

use super::{MESH_PIECES, Subject};
use crate::{
    eval::{mesh::mesh_state, skin::lab::Limb},
    math::Vec3,
    model::{Mesh, Parent, Skin, Target},
    ui::panel::PanelContext,
};

/// More triangles than this are not worked out in double precision a frame.
const MOST_TRIANGLES: usize = 40_000;

/// The part of a mesh that follows the selected joint and its parent, where it is now; none where nothing follows it.
pub(super) fn of_selection(ctx: &PanelContext<'_>) -> Option<Subject> {
    let all = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    let (rig, joint) = all
        .filter_map(|target| match target {
            Target::Joint(object, joint) => Some((object, joint)),
            _ => None,
        })
        .next()?;
    let skeleton = &ctx.document.object(rig)?.as_rig()?.skeleton;
    let parent = skeleton.joint(joint)?.parent?;
    let own = |at: Parent| at == Parent::Joint(rig, joint) || at == Parent::Joint(rig, parent);
    let follows = |mesh: &Mesh| {
        let skin = mesh.skin.as_ref();
        skin.is_some_and(|skin| skin.joints.iter().any(|at| at.joint == Parent::Joint(rig, joint)))
    };
    let (object, mesh) = ctx.document.objects.iter().find_map(|(id, object)| {
        let mesh = object.as_mesh().filter(|mesh| follows(mesh))?;
        Some((*id, mesh))
    })?;
    let skin = mesh.skin.as_ref()?;
    let slots: Vec<bool> = skin.joints.iter().map(|at| own(at.joint)).collect();
    let slot = |of| skin.joints.iter().position(|at| at.joint == Parent::Joint(rig, of));
    let place = |at: usize| skin.joints[at].inverse_bind().try_inverse().map(|bind| bind.translation);
    let (here, before) = (place(slot(joint)?)?, slot(parent).and_then(place));
    let state = mesh_state(ctx.document, ctx.frame, object)?;
    let limb = part(mesh, skin, &slots, (before.unwrap_or(here), here))?;
    Some(Subject { limb, maps: state.maps, pieces: MESH_PIECES })
}

/// The triangles all of whose corners follow mostly the joints in question, along the way from the parent over the joint and on.
fn part(mesh: &Mesh, skin: &Skin, slots: &[bool], (from, to): (Vec3, Vec3)) -> Option<Limb> {
    let own = |vertex: u32| {
        let shares = skin.vertex(vertex as usize);
        shares.filter(|(at, _)| slots.get(*at).copied().unwrap_or(false)).map(|(_, share)| share).sum::<f64>() > 0.5
    };
    let inside: Vec<bool> = (0..mesh.len()).map(|vertex| u32::try_from(vertex).is_ok_and(own)).collect();
    let all = mesh.geometry.indices.as_chunks::<3>().0.iter();
    let kept = all.filter(|corners| corners.iter().all(|at| inside.get(*at as usize).copied().unwrap_or(false)));
    let kept: Vec<[u32; 3]> = kept.copied().take(MOST_TRIANGLES).collect();
    if kept.is_empty() {
        return None;
    }
    let mut number = vec![u32::MAX; mesh.len()];
    let mut limb = Limb::default();
    for corners in kept {
        let corners = corners.map(|at| {
            let at = at as usize;
            if number[at] == u32::MAX {
                number[at] = u32::try_from(limb.rest.len()).unwrap_or(u32::MAX);
                limb.rest.push(Vec3::from(mesh.geometry.positions[at].map(f64::from)));
                limb.influences.push(skin.vertex(at).collect());
            }
            number[at]
        });
        limb.triangles.push(corners);
    }
    let axis = (to - from).try_normalize(1e-9).unwrap_or_else(Vec3::y);
    let far: Vec<f64> = limb.rest.iter().map(|at| (at - from).dot(&axis)).collect();
    let (low, high) = far.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let length = (high - low).max(1e-9);
    limb.along = far.into_iter().map(|x| (x - low) / length).collect();
    Some(limb)
}

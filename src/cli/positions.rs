//! Where the vertices of all meshes are at some times of each clip: what another program's reading is compared with.

use crate::{
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    model::{Document, ObjectId, Parent, names},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// For each clip, and for the document at rest where it has none, the world positions of every mesh's vertices, metres, at
/// `count` times within it. Meshes in the order of their file's nodes.
pub(super) fn of_clips(document: &Document, count: u32) -> Value {
    let in_file = document.node_order.iter().filter_map(|node| match node {
        Parent::Object(id) => Some(*id),
        Parent::Joint(..) => None,
    });
    let mut meshes: Vec<ObjectId> = Vec::new();
    for id in in_file.chain(document.objects.keys().copied()) {
        if document.object(id).is_some_and(|object| object.as_mesh().is_some()) && !meshes.contains(&id) {
            meshes.push(id);
        }
    }
    let mut document = document.clone();
    let objects: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| object.clip.is_some()).map(|(id, _)| *id).collect();
    for id in objects {
        if let Some(object) = document.object_mut(id) {
            object.clip = None;
        }
    }
    let clips: Vec<_> = document.clips.keys().copied().map(Some).collect();
    let clips = if clips.is_empty() { vec![None] } else { clips };
    let of_clip = |clip: Option<_>| {
        Arc::make_mut(&mut document.settings).clip = clip;
        let found = clip.and_then(|clip| document.clip(clip));
        let spans = found.into_iter().flat_map(|clip| clip.channels.values()).filter_map(|curve| curve.span());
        let end = spans.fold(0.0, |end: f64, span| end.max(span.1));
        let evaluator = Evaluator::new();
        // Off the keys by an odd part: on a step's very moment single precision decides.
        let times = (0..count).map(|n| end * (f64::from(n) + 0.37) / f64::from(count));
        let frames = times.map(|secs| {
            let frame = evaluator.frame(&document, secs);
            let of_mesh = |id: &ObjectId| {
                let mesh = document.object(*id)?.as_mesh()?;
                let placed = positions(mesh, &mesh_state(&document, &frame, *id)?);
                let vertices: Vec<[f64; 3]> = placed.into_iter().map(Into::into).collect();
                Some(json!({ "mesh": names::object_name(&document, *id), "vertices": vertices }))
            };
            json!({ "secs": secs, "meshes": meshes.iter().filter_map(of_mesh).collect::<Vec<_>>() })
        });
        let name = clip.and_then(|clip| names::clip_name(&document, clip));
        json!({ "clip": name, "times": frames.collect::<Vec<_>>() })
    };
    Value::Array(clips.into_iter().map(of_clip).collect())
}

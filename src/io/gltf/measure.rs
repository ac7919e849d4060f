//! How far a written file's motion is from the document's.

use super::{
    export::{GltfExportError, Nodes},
    import::{GltfFile, to_parts},
    own_scale,
    tracks::shift_of,
};
use crate::{
    io::{
        channel_error::{ChannelError, node_name},
        played::{Played, target_of},
        report::Report,
    },
    math::rotation::chord_angle,
    model::{ChannelPath, ClipId, Component, Document, Parent, Property, Target},
    progress::Progress,
};
use std::sync::Arc;

/// How many times a clip is compared at.
const COMPARED: f64 = 2000.0;

/// How far the channels of a written file are from the document's: it is read again, and both are evaluated densely.
pub(super) fn measured(
    document: &Document,
    nodes: &Nodes,
    clips: &[ClipId],
    file: &GltfFile,
    progress: &Progress,
) -> Result<Vec<ChannelError>, GltfExportError> {
    let parts = to_parts(file, "", 1, &mut Report::new());
    let Ok(parts) = parts else { return Ok(Vec::new()) };
    let again = Document {
        objects: Arc::new(parts.objects.into_iter().collect()),
        clips: Arc::new(parts.clips.into_iter().collect()),
        next_id: parts.next_id,
        ..Document::default()
    };
    let ids: Vec<ClipId> = again.clips.keys().copied().collect();
    let mut errors = Vec::new();
    for (id, own) in clips.iter().zip(ids) {
        let (Some(source), Some(written)) = (Played::new(document, *id), Played::new(&again, own)) else { continue };
        let span = source.span();
        let shift = shift_of(&source.clip);
        let rate = document.settings.rate;
        let step = (rate.frame_secs() / 4.0).max((span.1 - span.0) / COMPARED);
        // Off the grid by an odd part: on a step's very moment single precision decides.
        let count = ((span.1 - span.0) / step).floor().max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most some thousand")]
        let times: Vec<f64> = (0..=count as u32).map(|n| span.0 + (f64::from(n) + 0.37) * step).collect();
        for (index, (&node, &read)) in nodes.list.iter().zip(&parts.node_order).enumerate() {
            if index % 16 == 0 {
                progress.check()?;
            }
            let target = target_of(read);
            let moves = |property: Property| {
                written.clip.channels.keys().any(|path| path.target == target && path.property == property)
            };
            let properties: Vec<Property> = Property::ALL.into_iter().filter(|property| moves(*property)).collect();
            let mut worst = vec![0.0_f64; properties.len()];
            for &secs in times.iter().filter(|_| !properties.is_empty()) {
                let (a, b) = (own_scale::written(&source, node, secs), written.local(read, secs + shift));
                for (worst, property) in worst.iter_mut().zip(&properties) {
                    *worst = worst.max(match property {
                        Property::Translation => (a.translation - b.translation).norm(),
                        Property::Rotation => chord_angle(&a.rotation, &b.rotation),
                        _ => own_scale::scale_error(&source, node, secs, &b),
                    });
                }
            }
            let name = node_name(document, node);
            for (property, error) in properties.into_iter().zip(worst) {
                let channel = format!("{name}/{}", property.name());
                errors.push(ChannelError { clip: source.clip.name.clone(), channel, property, error });
            }
        }
        weight_errors((&source, nodes), (&written, &parts.node_order), &times, shift, &mut errors);
    }
    Ok(errors)
}

fn weight_errors(
    (source, nodes): (&Played, &Nodes),
    (written, order): (&Played, &[Parent]),
    times: &[f64],
    shift: f64,
    errors: &mut Vec<ChannelError>,
) {
    for (node, read) in nodes.list.iter().zip(order) {
        let (Parent::Object(a), Parent::Object(b)) = (*node, *read) else { continue };
        let (Some(mesh), Some(other)) = (
            source.document.object(a).and_then(|object| object.as_mesh()),
            written.document.object(b).and_then(|object| object.as_mesh()),
        ) else {
            continue;
        };
        for (own, read) in mesh.morphs.iter().zip(&other.morphs) {
            let path = |object, id| ChannelPath {
                target: Target::Morph(object, id),
                property: Property::Weight,
                component: Component::Only,
            };
            let (from, to) = (path(a, own.id), path(b, read.id));
            if !written.clip.channels.contains_key(&to) {
                continue;
            }
            let off = |secs: &f64| (source.number(from, *secs) - written.number(to, *secs + shift)).abs();
            let error = times.iter().map(off).fold(0.0, f64::max);
            let name = if own.name.is_empty() { own.id.to_string() } else { own.name.clone() };
            let channel = format!("{}/{name}/weight", node_name(&source.document, *node));
            errors.push(ChannelError { clip: source.clip.name.clone(), channel, property: Property::Weight, error });
        }
    }
}

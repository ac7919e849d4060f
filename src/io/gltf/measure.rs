//! How far a written file's motion is from the document's.

use super::{
    export::{GltfExportError, Nodes},
    import::{GltfFile, to_parts},
    own_scale::{Local, Wanted, WantedMotion},
    tracks::shift_of,
};
use crate::{
    io::{
        channel_error::{ChannelError, NodeNames},
        played::{OwnMotion, Played, target_of},
        report::Report,
    },
    math::rotation::chord_angle,
    model::{ChannelPath, ClipId, Component, Document, Parent, Property, Target},
    progress::{Progress, on_cores},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

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
        progress.check()?;
        if source.has_frames() {
            source.prepare(&times, progress, nodes.list.len() as u64)?;
        }
        let (name, names) = (&source.clip.name, NodeNames::new(document));
        for (node, found) in node_errors((&source, nodes), (&written, &parts.node_order), &times, shift, progress) {
            progress.check()?;
            let node = names.of(node);
            errors.extend(found.into_iter().map(|(property, error)| {
                let channel = format!("{node}/{}", property.name());
                ChannelError { clip: name.clone(), channel, property, error }
            }));
        }
        weight_errors((&source, nodes), (&written, &parts.node_order), &times, shift, &mut errors);
    }
    Ok(errors)
}

/// What one node's written channels are off by.
type NodeErrors = (Parent, Vec<(Property, f64)>);

/// How far each node's transform is from the one wanted, the nodes on as many cores as there are.
fn node_errors(
    (source, nodes): (&Played, &Nodes),
    (written, order): (&Played, &[Parent]),
    times: &[f64],
    shift: f64,
    progress: &Progress,
) -> Vec<NodeErrors> {
    let mut moved: BTreeMap<Target, BTreeSet<Property>> = BTreeMap::new();
    for path in written.clip.channels.keys() {
        moved.entry(path.target).or_default().insert(path.property);
    }
    let properties = |read: Parent| {
        let of = moved.get(&target_of(read));
        let all = Property::ALL.into_iter().filter(|property| of.is_some_and(|of| of.contains(property)));
        all.collect::<Vec<_>>()
    };
    let pairs = nodes.list.iter().zip(order).map(|(node, read)| (*node, *read, properties(*read)));
    let pairs = pairs.filter(|(.., properties)| !properties.is_empty());
    let (mut alone, mut framed) = (Vec::new(), Vec::new());
    for (place, (node, read, properties)) in pairs.enumerate() {
        let wanted = WantedMotion::new(source, node);
        // What was read has neither pins nor constraints.
        let own = written.own_motion(read);
        match wanted.alone() {
            Some(wanted) => alone.push((place, node, wanted, own, properties)),
            None => framed.push((place, node, wanted, own, properties)),
        }
    }
    let worth = alone.len() * times.len() / LEAST_TIMES;
    let mut found = on_cores(alone, worth, |(place, node, wanted, own, properties)| {
        (place, (node, worst(&wanted, own, &properties, times, shift, progress)))
    });
    found.extend(framed.into_iter().map(|(place, node, wanted, own, properties)| {
        (place, (node, worst(&wanted, own, &properties, times, shift, progress)))
    }));
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, found)| found).collect()
}

/// A thread is worth starting for so many comparisons.
const LEAST_TIMES: usize = 2_000;

/// The largest error of each property over the times; over some of them once it is to stop.
fn worst<M: Local>(
    wanted: &Wanted<M>,
    written: OwnMotion<'_>,
    properties: &[Property],
    times: &[f64],
    shift: f64,
    progress: &Progress,
) -> Vec<(Property, f64)> {
    let mut worst: Vec<(Property, f64)> = properties.iter().map(|property| (*property, 0.0)).collect();
    for &secs in times {
        if progress.is_cancelled() {
            break;
        }
        let (moment, b) = (wanted.moment(secs), written.local(secs + shift));
        let a = moment.written();
        for (property, worst) in &mut worst {
            *worst = worst.max(match property {
                Property::Translation => (a.translation - b.translation).norm(),
                Property::Rotation => chord_angle(&a.rotation, &b.rotation),
                _ => moment.scale_error(&b),
            });
        }
    }
    progress.advance(1);
    worst
}

fn weight_errors(
    (source, nodes): (&Played, &Nodes),
    (written, order): (&Played, &[Parent]),
    times: &[f64],
    shift: f64,
    errors: &mut Vec<ChannelError>,
) {
    let names = NodeNames::new(&source.document);
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
            let channel = format!("{}/{name}/weight", names.of(*node));
            errors.push(ChannelError { clip: source.clip.name.clone(), channel, property: Property::Weight, error });
        }
    }
}

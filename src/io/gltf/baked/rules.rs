//! Mixtures and correctives: glTF has neither, so the weights that they make are written for the shapes themselves.

use super::{Moving, curve, mesh_of, part};
use crate::{
    io::{gltf::export::GltfExportError, report::Report},
    model::{
        ChannelPath, ClipId, Component, Curve, Document, MorphRule, MorphTarget, ObjectId, Property, ScalarCurve,
        Target,
    },
    progress::Progress,
};
use std::sync::Arc;

/// Between two times it is looked up to so often halved where a straight line is not near enough.
const MOST_HALVINGS: u32 = 8;

/// The document with no morph target that is made of others: their weights, and those of what they add to, written out. `tolerance`
/// is how far a weight may be off.
pub(super) fn without_rules(
    document: &mut Document,
    tolerance: f64,
    progress: &Progress,
    report: &mut Report,
) -> Result<(), GltfExportError> {
    let ruled = |id: &ObjectId| {
        let mesh = document.object(*id).and_then(|object| object.as_mesh());
        mesh.is_some_and(|mesh| mesh.morphs.iter().any(|morph| morph.rule != MorphRule::Own))
    };
    let meshes: Vec<ObjectId> = document.objects.keys().copied().filter(ruled).collect();
    for id in meshes {
        let before = document.clone();
        let morphs: Vec<Arc<MorphTarget>> =
            before.object(id).and_then(|object| object.as_mesh()).map(|mesh| mesh.morphs.clone()).unwrap_or_default();
        let still = Moving::still(&before, id, false).state(0.0).map(|state| state.weights).unwrap_or_default();
        let clips: Vec<ClipId> = before.clips.keys().copied().collect();
        for clip in clips {
            progress.check()?;
            let Some(moving) = Moving::new(&before, clip, id, false) else { continue };
            let (times, rows) = sampled(&moving, tolerance, progress)?;
            let Some(own) = document.clip_mut(clip) else { continue };
            for (at, morph) in morphs.iter().enumerate() {
                let path = ChannelPath {
                    target: Target::Morph(id, morph.id),
                    property: Property::Weight,
                    component: Component::Only,
                };
                own.channels.remove(&path);
                let value = |row: &Vec<f64>| row.get(at).copied().unwrap_or(0.0);
                let curve = curve(&times, rows.iter().map(value));
                let same = still.get(at).copied().unwrap_or(0.0);
                if !morph.is_mix() && !curve.keys.iter().all(|key| key.value == same) {
                    own.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
                }
            }
        }
        if let Some(object) = document.object_mut(id) {
            object.drivers.retain(|driver| !matches!(driver.driven.target, Target::Morph(..)));
        }
        if let Some(mesh) = mesh_of(document, id) {
            for (morph, weight) in mesh.morphs.iter_mut().zip(&still) {
                let morph = Arc::make_mut(morph);
                morph.weight = *weight;
                if !morph.is_mix() {
                    morph.rule = MorphRule::Own;
                }
            }
            mesh.morphs.retain(|morph| !morph.is_mix());
        }
        let found = "morph targets that mix or correct others";
        report.info("weights", part(&before, id), found, format!("their weights written out, within {tolerance}"));
    }
    Ok(())
}

/// Weights at as many times as it takes.
fn sampled(moving: &Moving, tolerance: f64, progress: &Progress) -> Result<(Vec<f64>, Vec<Vec<f64>>), GltfExportError> {
    let weights = |secs: f64| moving.state(secs).map(|state| state.weights).unwrap_or_default();
    let (mut times, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    let mut waiting: Vec<(f64, Vec<f64>, u32)> = Vec::new();
    for secs in &moving.times {
        progress.check()?;
        waiting.push((*secs, weights(*secs), 0));
        while let Some((secs, row, depth)) = waiting.pop() {
            if let (Some(from), Some(before)) = (times.last().copied(), rows.last()) {
                let middle = (from + secs) / 2.0;
                let between = weights(middle);
                let off = before.iter().zip(&row).zip(&between).map(|((a, b), c)| ((a + b) / 2.0 - c).abs());
                if depth < MOST_HALVINGS && off.fold(0.0, f64::max) > tolerance {
                    waiting.push((secs, row, depth + 1));
                    waiting.push((middle, between, depth + 1));
                    continue;
                }
            }
            times.push(secs);
            rows.push(row);
        }
    }
    Ok((times, rows))
}

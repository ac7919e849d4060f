//! What deformer stacks do, as glTF can say it: morph targets whose weights are animated, or the shape of one moment.

mod clip;
mod error;
mod rules;

use super::export::{DeformersOut, GltfExport, GltfExportError};
use crate::{
    eval::{
        Evaluator,
        deform::modes::{Modes, Offsets},
        mesh::{MeshState, mesh_state, offsets_at_rest, turned_normals},
    },
    io::report::{Place, Report},
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, Key, KeyedCurve, Mesh, MorphId, MorphRule, MorphTarget,
        Object, ObjectId, Property, ScalarCurve, Target,
    },
    progress::Progress,
};
use clip::{Moving, Sampled};
use std::{collections::BTreeSet, sync::Arc};

/// More morph targets than this are not made of one stack: what is off then is measured and told.
const MOST_TARGETS: usize = 64;

/// So much is kept to find the first directions from: numbers of single precision, and samples.
const LEARNT: (usize, usize) = (48_000_000, 96);

/// The document with every stack as its options want it in a file.
///
/// # Errors
/// Where someone asked to stop.
pub(super) fn without_stacks(
    document: &Document,
    options: &GltfExport,
    progress: &Progress,
    report: &mut Report,
) -> Result<Document, GltfExportError> {
    let ruled = |object: &Arc<Object>| {
        object.as_mesh().is_some_and(|mesh| mesh.morphs.iter().any(|morph| morph.rule != MorphRule::Own))
    };
    let mut out = document.clone();
    if document.objects.values().any(ruled) {
        rules::without_rules(&mut out, options.tolerance, progress, report)?;
    }
    let plain = out.clone();
    let document = &plain;
    let meshes: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| acts(object, options)).map(|(id, _)| *id).collect();
    if meshes.is_empty() || options.deformers == DeformersOut::Leave {
        return Ok(out);
    }
    for id in &meshes {
        let Some(mesh) = document.object(*id).and_then(|object| object.as_mesh()) else { continue };
        match options.deformers {
            DeformersOut::Bake => bake(document, (*id, mesh), options, &mut out, (progress, report))?,
            DeformersOut::Apply { secs } => apply(document, (*id, mesh), secs, &mut out, report),
            DeformersOut::Leave => {}
        }
    }
    forget_channels(document, (&meshes.iter().copied().collect(), options.bake_dual), &mut out);
    Ok(out)
}

/// Whether a mesh is not written as it is because something deforms it.
fn acts(object: &Object, options: &GltfExport) -> bool {
    let Some(mesh) = object.as_mesh().filter(|mesh| !mesh.geometry.indices.is_empty()) else { return false };
    mesh.stack.iter().any(|entry| !entry.muted) || options.bake_dual && mesh.skin.is_some()
}

/// The shape of one moment for the shape at rest.
fn apply(document: &Document, (id, mesh): (ObjectId, &Arc<Mesh>), secs: f64, out: &mut Document, report: &mut Report) {
    let frame = Evaluator::new().frame(document, secs);
    let Some(state) = mesh_state(document, &frame, id) else { return };
    let by = offsets_at_rest(mesh, &state, false);
    let positions = mesh.geometry.positions.iter().zip(&by).map(|(rest, by)| sum(rest, by)).collect::<Vec<_>>();
    let normals = turned_normals(&mesh.geometry, &positions);
    if let Some(own) = mesh_of(out, id) {
        let geometry = Arc::make_mut(&mut own.geometry);
        (geometry.positions, geometry.normals) = (positions.into(), normals.into());
        own.stack.clear();
    }
    let done = format!("its shape at {secs:.3} s is written for all times");
    report.info("deformer", part(document, id), "the deformer stack", done);
}

#[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
fn sum(rest: &[f32; 3], by: &crate::math::Vec3) -> [f32; 3] {
    std::array::from_fn(|axis| (f64::from(rest[axis]) + by[axis]) as f32)
}

fn mesh_of(document: &mut Document, id: ObjectId) -> Option<&mut Mesh> {
    match &mut document.object_mut(id)?.kind {
        crate::model::ObjectKind::Mesh(mesh) => Some(Arc::make_mut(mesh)),
        _ => None,
    }
}

fn part(document: &Document, id: ObjectId) -> Place {
    Place::Part(document.object(id).map(|object| object.name.clone()).unwrap_or_default())
}

/// Morph targets for what a stack does in any clip, and their weights in each.
fn bake(
    document: &Document,
    (id, mesh): (ObjectId, &Arc<Mesh>),
    options: &GltfExport,
    out: &mut Document,
    (progress, report): (&Progress, &mut Report),
) -> Result<(), GltfExportError> {
    progress.start(format!("Baking {}", document.object(id).map_or("", |object| &object.name)), 0);
    let linear = options.bake_dual;
    let clips: Vec<ClipId> = document.clips.keys().copied().collect();
    let still = Moving::still(document, id, linear);
    let moving: Vec<Moving> = clips.iter().filter_map(|clip| Moving::new(document, *clip, id, linear)).collect();
    let all = || moving.iter().chain([&still]);
    // A scaled object, or a scaled joint, makes more of an offset than it is.
    let scale = all().map(Moving::scale).fold(0.0, f64::max).max(1e-9);
    let tolerance = options.shape_tolerance / scale;
    let mut modes = Modes::new(MOST_TARGETS);
    learn(&mut modes, mesh, all(), tolerance * 0.4, progress)?;
    let mut sampled = Vec::new();
    for one in all() {
        sampled.push(Sampled::new(one, &mut modes, tolerance, progress)?);
    }
    let largest: Vec<f64> = (0..modes.len())
        .map(|at| sampled.iter().flat_map(|one| &one.weights).fold(0.0, |most: f64, w| most.max(at_of(w, at).abs())))
        .collect();
    let Some(rest) = sampled.pop() else { return Ok(()) };
    let first = mesh.fresh_morph_id();
    let targets = targets(mesh, &modes, &largest, first, rest.weights.first().map_or(&[][..], Vec::as_slice));
    let ids: Vec<MorphId> = targets.iter().map(|target| target.id).collect();
    let count = targets.len();
    if let Some(own) = mesh_of(out, id) {
        own.morphs.extend(targets.into_iter().map(Arc::new));
        own.stack.clear();
        if linear {
            own.dual = 0.0;
        }
    }
    for (moving, sampled) in moving.iter().zip(&sampled) {
        let Some(clip) = moving.clip.and_then(|clip| out.clip_mut(clip)) else { continue };
        for (at, morph) in ids.iter().enumerate() {
            let target = Target::Morph(id, *morph);
            let path = ChannelPath { target, property: Property::Weight, component: Component::Only };
            let size = at_of(&largest, at).max(f64::MIN_POSITIVE);
            let curve = curve(&sampled.times, sampled.weights.iter().map(|weights| at_of(weights, at) / size));
            let same = rest.weights.first().map_or(0.0, |weights| at_of(weights, at) / size);
            if !curve.keys.iter().all(|key| key.value == same) {
                clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
            }
        }
    }
    error::tell(document, out, (id, count), &moving, options, (progress, report))
}

/// A number of a list; 0 beyond it: a direction found later was not needed before.
fn at_of(list: &[f64], at: usize) -> f64 {
    list.get(at).copied().unwrap_or(0.0)
}

/// The first directions, from samples spread over all clips.
fn learn<'a>(
    modes: &mut Modes,
    mesh: &Mesh,
    all: impl Iterator<Item = &'a Moving>,
    tolerance: f64,
    progress: &Progress,
) -> Result<(), GltfExportError> {
    let most = (LEARNT.0 / (mesh.len().max(1) * 3)).clamp(2, LEARNT.1);
    let all: Vec<(&Moving, f64)> = all.flat_map(|one| one.times.iter().map(move |secs| (one, *secs))).collect();
    let step = all.len().div_ceil(most).max(1);
    let mut samples: Vec<Offsets> = Vec::new();
    for (moving, secs) in all.into_iter().step_by(step) {
        progress.check()?;
        samples.push(moving.offsets(mesh, secs));
    }
    modes.learn(&samples, tolerance);
    Ok(())
}

/// The morph targets, each of such a size that its weights are within -1..1.
fn targets(mesh: &Mesh, modes: &Modes, largest: &[f64], first: MorphId, rest: &[f64]) -> Vec<MorphTarget> {
    let one = |at: usize| {
        let size = at_of(largest, at).max(f64::MIN_POSITIVE);
        let positions = modes.shape(at, size);
        let moved: Vec<[f32; 3]> = mesh.geometry.positions.iter().zip(&positions).map(|(a, b)| add(a, b)).collect();
        let turned = turned_normals(&mesh.geometry, &moved);
        let normals: Vec<[f32; 3]> =
            turned.iter().zip(&*mesh.geometry.normals).map(|(to, from)| add(to, &from.map(|x| -x))).collect();
        let id = MorphId(first.0.saturating_add(u32::try_from(at).unwrap_or(u32::MAX)));
        MorphTarget {
            weight: at_of(rest, at) / size,
            normals: normals.into(),
            ..MorphTarget::new(id, &format!("deformed {}", at + 1), positions.into())
        }
    };
    (0..modes.len()).map(one).collect()
}

fn add(a: &[f32; 3], b: &[f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn curve(times: &[f64], values: impl Iterator<Item = f64>) -> KeyedCurve {
    let keys = times
        .iter()
        .zip(values)
        .map(|(time, value)| Key { interpolation: crate::model::Interpolation::Linear, ..Key::new(*time, value) });
    KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
}

/// What moves only lattices and deformers that are baked is in the weights, and is not told as left out.
fn forget_channels(document: &Document, (baked, dual): (&BTreeSet<ObjectId>, bool), out: &mut Document) {
    let deforms = |id: ObjectId| document.object(id).is_some_and(|object| object.deforms());
    let gone = |path: &ChannelPath| match path.target {
        Target::Point(object, _) => deforms(object),
        Target::Deformer(object, _) => baked.contains(&object),
        Target::Object(object) => {
            let blend = dual && path.property == Property::Blend && baked.contains(&object);
            blend || deforms(object) && !path.property.is_of_transform()
        }
        _ => false,
    };
    let ids: Vec<ClipId> =
        out.clips.iter().filter(|(_, clip)| clip.channels.keys().any(gone)).map(|(id, _)| *id).collect();
    for id in ids {
        if let Some(clip) = out.clip_mut(id) {
            clip.channels.retain(|path, _| !gone(path));
        }
    }
}

/// The state of a mesh object at a time of what plays.
fn state_at(evaluator: &Evaluator, document: &Document, id: ObjectId, secs: f64) -> Option<MeshState> {
    mesh_state(document, &evaluator.frame(document, secs), id)
}

/// Times of a clip's keys, each once; the moment before where a key holds the value before it.
fn key_times(clip: &Clip) -> Vec<f64> {
    let mut times = Vec::new();
    for curve in clip.channels.values() {
        if let Curve::Scalar(ScalarCurve::Keyed(curve)) = &**curve {
            for key in curve.keys.iter() {
                times.push(key.time);
                if key.interpolation == crate::model::Interpolation::Step {
                    times.push(key.time - 1e-5);
                }
            }
        }
    }
    times
}

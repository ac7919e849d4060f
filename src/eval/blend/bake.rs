//! What layers play as a clip of its own: sampled at the document's rate, then reduced to keys if wanted.

use super::layers::plays_layers;
use crate::{
    eval::{
        Evaluator,
        curve::{simplify::simplify, simplify_rotation::simplify_rotation},
        sample::{place_angles, read_angles},
    },
    math::{
        EulerOrder, Quat, Transform, Vec3,
        rotation::{align, nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, Joint, LoopMode, ObjectId, Property,
        RotationCurve, RotationMode, RotationSamples, Samples, ScalarCurve, Target,
    },
    progress::{Cancelled, Progress},
};
use std::{borrow::Cow, sync::Arc};

/// A clip of what the joints of a rig object do over frames, whatever plays: layers with the pins of their clips, or a clip;
/// without its constraints, which go on acting on the clip. A sample a frame; only channels that leave the rest pose. None
/// where the object is no rig.
///
/// # Errors
/// [`Cancelled`] where that was asked for.
pub fn baked_clip(
    document: &Document,
    object: ObjectId,
    frames: FrameRange,
    name: &str,
    progress: &Progress,
) -> Result<Option<Clip>, Cancelled> {
    let rate = document.settings.rate;
    baked_at(document, object, (frames, &|frame| rate.secs(frame)), name, progress)
}

/// A clip of one cycle of what the joints of a rig object do from a time on, `cycle` seconds long: so many frames that one
/// lasts as nearly as can be what a frame lasts, the last frame being where the cycle is at its begin again. It loops, begins
/// where the root rests over the ground, and travels where the root is elsewhere at the end. None where the object is no rig or the cycle no length.
///
/// # Errors
/// [`Cancelled`] where that was asked for.
pub fn baked_loop(
    document: &Document,
    object: ObjectId,
    (from, cycle): (f64, f64),
    name: &str,
    progress: &Progress,
) -> Result<Option<Clip>, Cancelled> {
    if !(cycle > 0.0 && cycle <= LONGEST_CYCLE) {
        return Ok(None);
    }
    let rate = document.settings.rate;
    let last = rate.nearest_frame(cycle).max(1);
    let at = |frame: i64| from + cycle * (frame as f64 / last as f64);
    let clip = baked_at(document, object, (FrameRange::new(0, last), &at), name, progress)?;
    Ok(clip.map(|mut clip| {
        clip.loop_mode = LoopMode::Loop;
        clip.travels = brought_home(document, object, &mut clip);
        clip
    }))
}

/// Brings the root of a sampled clip over the ground to where it rests at the first frame; whether it is elsewhere at the last.
fn brought_home(document: &Document, object: ObjectId, clip: &mut Clip) -> bool {
    let Some(found) = document.object(object) else { return false };
    let Some(root) = found.as_rig().and_then(|rig| rig.skeleton.joints().first()) else { return false };
    let up = found.transform.rotation.inverse() * Vec3::y();
    let on_ground = |v: Vec3| v - up * up.dot(&v);
    let path = |component| ChannelPath::joint(object, root.id, Property::Translation, component);
    let samples = |clip: &Clip, component| match clip.channels.get(&path(component)).map(|curve| &**curve) {
        Some(Curve::Scalar(ScalarCurve::Sampled(samples))) => Some(samples.clone()),
        _ => None,
    };
    let mut ends = [root.rest.translation; 2];
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        if let Some(samples) = samples(clip, component) {
            for (end, value) in ends.iter_mut().zip([samples.values.first(), samples.values.last()]) {
                end[axis] = value.copied().unwrap_or(end[axis]);
            }
        }
    }
    let away = on_ground(ends[0] - root.rest.translation);
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        if let Some(mut samples) = samples(clip, component) {
            samples.values = samples.values.iter().map(|value| value - away[axis]).collect();
            clip.channels.insert(path(component), Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        }
    }
    on_ground(ends[1] - ends[0]).norm() > STILL
}

/// The longest cycle that is baked as a loop, seconds.
const LONGEST_CYCLE: f64 = 3600.0;

/// How far over the ground a root may be at the end of a cycle and still stand, metres.
const STILL: f64 = 1e-4;

/// A clip of what the joints of a rig object do, each frame read at a time of its own.
fn baked_at(
    document: &Document,
    object: ObjectId,
    (frames, at): (FrameRange, &dyn Fn(i64) -> f64),
    name: &str,
    progress: &Progress,
) -> Result<Option<Clip>, Cancelled> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return Ok(None) };
    let mut bare = document.clone();
    if let Some(object) = bare.object_mut(object) {
        object.constraints.clear();
        object.drivers.retain(|driver| driver.driven.target.joint().is_none());
    }
    let evaluator = Evaluator::new();
    let rate = document.settings.rate;
    progress.start("Baking", frames.len());
    let mut poses = Vec::new();
    for frame in frames.first..=frames.last {
        progress.check()?;
        let Some(posed) = evaluator.rig_frame(&bare, object, at(frame)) else { return Ok(None) };
        poses.push(posed);
        progress.advance(1);
    }
    let mut clip = Clip::new(name, frames);
    let start = rate.secs(frames.first);
    for (index, joint) in rig.skeleton.joints().iter().enumerate().filter(|(_, joint)| !joint.is_end()) {
        let locals: Vec<Transform> = poses.iter().map(|pose| pose.local[index]).collect();
        let target = Target::Joint(object, joint.id);
        let mut put = |property, component, curve| {
            clip.channels.insert(ChannelPath { target, property, component }, Arc::new(curve));
        };
        let sampled = |values: Vec<f64>| Curve::Scalar(ScalarCurve::Sampled(Samples::new(start, rate, values.into())));
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let moves = |of: fn(&Transform) -> &crate::math::Vec3| {
                let values: Vec<f64> = locals.iter().map(|local| of(local)[axis]).collect();
                values.iter().any(|value| *value != of(&joint.rest)[axis]).then_some(values)
            };
            if let Some(values) = moves(|local| &local.translation) {
                put(Property::Translation, component, sampled(values));
            }
            if let Some(values) = moves(|local| &local.scale) {
                put(Property::Scale, component, sampled(values));
            }
        }
        let rotations: Vec<Quat> = locals.iter().map(|local| local.rotation).collect();
        if rotations.iter().all(|rotation| *rotation == joint.rest.rotation) {
            continue;
        }
        match joint.rotation {
            RotationMode::Quaternion => {
                let samples = RotationSamples { start, rate, values: continuous(rotations).into() };
                put(Property::Rotation, Component::Whole, Curve::Rotation(RotationCurve::Sampled(samples)));
            }
            RotationMode::Euler(order) => {
                for (component, values) in Component::AXES.into_iter().zip(angles(order, joint, &rotations)) {
                    put(Property::Rotation, component, sampled(values));
                }
            }
        }
    }
    Ok(Some(clip))
}

/// Rotations with signs that follow each other.
fn continuous(mut rotations: Vec<Quat>) -> Vec<Quat> {
    for index in 1..rotations.len() {
        rotations[index] = align(&rotations[index], &rotations[index - 1]);
    }
    rotations
}

/// The angles of rotations by axis, each triple the nearest to the one before, the first to the rest pose's.
fn angles(order: EulerOrder, joint: &Joint, rotations: &[Quat]) -> [Vec<f64>; 3] {
    let mut columns: [Vec<f64>; 3] = std::array::from_fn(|_| Vec::with_capacity(rotations.len()));
    let mut before = place_angles(order, read_angles(order, to_euler(order, &joint.rest.rotation)));
    for rotation in rotations {
        before = nearest_euler(order, rotation, before);
        for (column, angle) in columns.iter_mut().zip(read_angles(order, before)) {
            column.push(angle);
        }
    }
    columns
}

/// A sampled clip with keys in the place of samples, each channel within an error of its own: metres of translations, radians
/// of rotations, a factor of scales. A channel that cannot be followed stays sampled.
#[must_use]
pub fn reduced(clip: &Clip, translation: f64, rotation: f64, scale: f64) -> Clip {
    let mut reduced = clip.clone();
    for (path, curve) in &mut reduced.channels {
        let bound = match path.property {
            Property::Translation => translation,
            Property::Rotation => rotation,
            _ => scale,
        };
        let simpler = match &**curve {
            Curve::Scalar(scalar) => {
                let step = scalar_step(scalar);
                simplify(scalar, step, bound).map(|found| Curve::Scalar(ScalarCurve::Keyed(found.curve)))
            }
            Curve::Rotation(track) => {
                let step = if let RotationCurve::Sampled(samples) = track { samples.rate.frame_secs() } else { 0.01 };
                simplify_rotation(track, step, bound).map(|found| Curve::Rotation(RotationCurve::Keyed(found.curve)))
            }
        };
        if let Some(simpler) = simpler {
            *curve = Arc::new(simpler);
        }
    }
    reduced
}

fn scalar_step(curve: &ScalarCurve) -> f64 {
    match curve {
        ScalarCurve::Sampled(samples) => samples.rate.frame_secs(),
        ScalarCurve::Keyed(_) => 0.01,
    }
}

/// The document with a clip more for each object that plays layers: what they play over the play range. The document itself
/// where none does.
///
/// # Errors
/// [`Cancelled`] where that was asked for.
pub fn with_layer_clips<'a>(document: &'a Document, progress: &Progress) -> Result<Cow<'a, Document>, Cancelled> {
    let mut with = Cow::Borrowed(document);
    for (id, object) in document.objects.iter().filter(|(id, _)| plays_layers(document, **id)) {
        let name = format!("{} layers", object.name);
        if let Some(clip) = baked_clip(document, *id, document.settings.play_range, &name, progress)? {
            with.to_mut().add_clip(clip);
        }
    }
    Ok(with)
}

/// The document with what an object's layers play as the clip it plays, over frames: what files that know no layers are
/// written from. The document itself where the object has none.
///
/// # Errors
/// [`Cancelled`] where that was asked for.
pub fn without_layers<'a>(
    document: &'a Document,
    object: ObjectId,
    frames: FrameRange,
    progress: &Progress,
) -> Result<Cow<'a, Document>, Cancelled> {
    if !plays_layers(document, object) {
        return Ok(Cow::Borrowed(document));
    }
    let Some(clip) = baked_clip(document, object, frames, "Layers", progress)? else {
        return Ok(Cow::Borrowed(document));
    };
    let mut plain = document.clone();
    let id = ClipId(plain.take_id());
    Arc::make_mut(&mut plain.clips).insert(id, Arc::new(clip));
    if let Some(object) = plain.object_mut(object) {
        object.layers.clear();
        object.clip = Some(id);
    }
    Ok(Cow::Owned(plain))
}

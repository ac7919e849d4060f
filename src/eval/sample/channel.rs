//! Single channels and poses, without a cache.

use super::{
    binding::{angles_at, axis_curves, override_channel, set_scalar},
    euler::{axis_slot, place_angles, read_angles},
    track::SampledAngles,
    value::{rotation_value, scalar_value},
};
use crate::{
    eval::{
        blend::layers::{Player, plays_layers},
        corrections::{correct_rotation, correct_scalar},
        drive::{angle_order, drive_local, drive_pose, driven_value},
        pins::influence,
    },
    math::{
        EulerOrder, Quat, Transform,
        rotation::{from_euler, nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, JointId, ObjectId, Plays, Property, RotationMode,
        Target, Value,
    },
};

/// How far a value has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The clip's own curves.
    Curves,
    /// With the corrections: what is played and exported.
    Corrected,
    /// With the edits that wait at exactly this time: what is shown.
    Shown,
}

/// What a target is where nothing moves it, and how its rotation is held. None where there is no such target.
#[must_use]
pub fn rest_of(document: &Document, target: Target) -> Option<(Transform, RotationMode)> {
    let object = document.object(target.object())?;
    let place = |translation| (Transform { translation, ..Transform::IDENTITY }, RotationMode::default());
    let rest = match target {
        Target::Object(_) => object.transform,
        Target::Joint(_, joint) => object.as_rig()?.skeleton.joint(joint)?.rest,
        Target::Point(_, point) => return Some(place(object.point_value(point)?)),
        Target::Constraint(_, id) => return Some(place(object.constraint(id)?.as_chain()?.target)),
        Target::Pole(_, id) => return Some(place(object.pole(id)?.place)),
        Target::Pin(..) | Target::Morph(..) | Target::Deformer(..) | Target::Layer(..) | Target::Sample(..) => {
            return None;
        }
    };
    Some((rest, document.rotation_mode(target)?))
}

/// The rotation of the clip's own curves, and the triple they stand for where it is held as one.
fn raw_rotation(
    clip: &Clip,
    target: Target,
    rest: &Quat,
    mode: RotationMode,
    secs: f64,
) -> (Quat, Option<(EulerOrder, [f64; 3])>) {
    let path = ChannelPath { target, property: Property::Rotation, component: Component::Whole };
    match mode {
        RotationMode::Quaternion => match clip.acting(&path).map(|curve| &**curve) {
            Some(Curve::Rotation(curve)) => (rotation_value(curve, secs).unwrap_or(*rest), None),
            _ => (*rest, None),
        },
        RotationMode::Euler(order) => {
            let curves = axis_curves(clip, target, Property::Rotation);
            let rest_angles = read_angles(order, to_euler(order, rest));
            let triple = place_angles(order, angles_at(&curves, rest_angles, secs));
            let rotation = if curves.iter().all(Option::is_none) {
                *rest
            } else if let Some(angles) = SampledAngles::new(order, &curves, rest_angles) {
                angles.value(secs).unwrap_or(*rest)
            } else {
                from_euler(order, triple)
            };
            (rotation, Some((order, triple)))
        }
    }
}

/// A target's local transform in a clip (none: at rest) at a time: absolute, in its parent's space; beyond the clip's own
/// curves with what drives it. None where there is no such target.
#[must_use]
pub fn clip_local(
    document: &Document,
    clip: Option<&Clip>,
    target: Target,
    secs: f64,
    stage: Stage,
) -> Option<Transform> {
    let mut local = own_local(document, clip, target, secs, stage)?;
    if document.object(target.object()).is_some_and(|object| !object.drivers.is_empty()) {
        drive_local(document, target, secs, stage, &mut local);
    }
    Some(local)
}

/// [`clip_local`] without what drives it.
fn own_local(document: &Document, clip: Option<&Clip>, target: Target, secs: f64, stage: Stage) -> Option<Transform> {
    let (rest, mode) = rest_of(document, target)?;
    let Some(clip) = clip.filter(|clip| may_move(clip, target)) else { return Some(rest) };
    let source = clip.source_secs(target, secs);
    let mut local = rest;
    for property in [Property::Translation, Property::Scale] {
        for (axis, curve) in axis_curves(clip, target, property).into_iter().enumerate() {
            if let Some(Curve::Scalar(curve)) = curve.as_deref()
                && let Some(value) = scalar_value(curve, source)
            {
                set_scalar(&mut local, property, axis, value);
            }
        }
    }
    let (rotation, raw) = raw_rotation(clip, target, &rest.rotation, mode, source);
    local.rotation = rotation;
    if stage >= Stage::Corrected {
        correct(clip, target, source, &mut local);
    }
    if stage >= Stage::Shown
        && let Some(frame) = clip.unkeyed_at(secs)
    {
        let before = raw.map_or([0.0; 3], |(_, triple)| triple);
        for (path, value) in frame.values.iter().filter(|(path, _)| path.target == target) {
            override_channel(&mut local, *path, mode, *value, |rotation, order| nearest_euler(order, rotation, before));
        }
    }
    Some(local)
}

/// Whether anything in a clip may move a target: most objects have no channel, and are asked for at every frame.
fn may_move(clip: &Clip, target: Target) -> bool {
    let first = ChannelPath { target, property: Property::Translation, component: Component::X };
    let last = ChannelPath { target, property: Property::Scale, component: Component::Whole };
    !clip.corrections.is_empty() || !clip.unkeyed.is_empty() || clip.channels.range(first..=last).next().is_some()
}

fn correct(clip: &Clip, target: Target, secs: f64, local: &mut Transform) {
    if clip.corrections.is_empty() {
        return;
    }
    let path = |property, component| ChannelPath { target, property, component };
    let rotation = path(Property::Rotation, Component::Whole);
    local.rotation = correct_rotation(&clip.corrections, rotation, secs, local.rotation);
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        let translation = path(Property::Translation, component);
        local.translation[axis] = correct_scalar(&clip.corrections, translation, secs, local.translation[axis]);
        let scale = path(Property::Scale, component);
        local.scale[axis] = correct_scalar(&clip.corrections, scale, secs, local.scale[axis]);
    }
}

/// A joint's local transform in the clip its object plays, at a time; where it plays layers and all is asked for that is
/// shown, in those. None where there is no such joint.
#[must_use]
pub fn joint_local(
    document: &Document,
    object: ObjectId,
    joint: JointId,
    secs: f64,
    stage: Stage,
) -> Option<Transform> {
    if stage == Stage::Shown && plays_layers(document, object) {
        let index = document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
        return rig_pose(document, object, secs)?.get(index).copied();
    }
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    clip_local(document, clip.map(|clip| &**clip), Target::Joint(object, joint), secs, stage)
}

/// An object's transform in its parent's space, in the clip it plays, at a time. None where there is no such object.
#[must_use]
pub fn object_local(document: &Document, object: ObjectId, secs: f64, stage: Stage) -> Option<Transform> {
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    clip_local(document, clip.map(|clip| &**clip), Target::Object(object), secs, stage)
}

/// The local transforms of a rig object's joints at a time, as shown, by joint index; none where it is no rig.
#[must_use]
pub fn rig_pose(document: &Document, object: ObjectId, secs: f64) -> Option<Vec<Transform>> {
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let found = document.object(object)?;
    let skeleton = &found.as_rig()?.skeleton;
    if plays_layers(document, object) {
        let mut pose = Player::new(document, object, None)?.pose(document, secs).0;
        drive_pose(document, found, secs, skeleton, &mut pose);
        return Some(pose);
    }
    let pose = skeleton.joints().iter().map(|joint| {
        clip_local(document, clip.map(|clip| &**clip), Target::Joint(object, joint.id), secs, Stage::Shown)
            .unwrap_or(joint.rest)
    });
    Some(pose.collect())
}

/// The value of one channel in a clip at a time, as far as `stage`; a channel without a curve has its static value. An
/// Euler angle of a corrected rotation is that of the triple nearest the curves' own. None where the target does not exist
/// or has no such channel.
#[must_use]
pub fn channel_value(document: &Document, clip: ClipId, path: ChannelPath, secs: f64, stage: Stage) -> Option<Value> {
    let clip = document.clip(clip)?;
    if let Target::Pin(_, pin) = path.target {
        return Some(Value::Scalar(influence(clip, clip.pin(pin)?, secs)));
    }
    if path.component == Component::Only {
        return number(document, Some(clip), path, secs, stage).map(Value::Scalar);
    }
    if path.component == Component::Whole {
        let local = clip_local(document, Some(clip), path.target, secs, stage)?;
        return (path.property == Property::Rotation).then_some(Value::Rotation(local.rotation));
    }
    if !document.holds_form(path) {
        return None;
    }
    let driven = driven_value(document, path, secs, stage);
    driven.or_else(|| axis_value(document, Some(clip), path, secs, stage)).map(Value::Scalar)
}

/// One number of a transform in a clip without what drives it.
fn axis_value(document: &Document, clip: Option<&Clip>, path: ChannelPath, secs: f64, stage: Stage) -> Option<f64> {
    let (rest, mode) = rest_of(document, path.target)?;
    let local = own_local(document, clip, path.target, secs, stage)?;
    let axis = path.component.axis()?;
    match path.property {
        Property::Translation => Some(local.translation[axis]),
        Property::Scale => Some(local.scale[axis]),
        Property::Rotation => {
            let RotationMode::Euler(order) = mode else {
                let order = angle_order(document, path.target);
                return Some(to_euler(order, &local.rotation)[axis_slot(order, axis)]);
            };
            let Some(clip) = clip else {
                return Some(to_euler(order, &local.rotation)[axis_slot(order, axis)]);
            };
            // A waiting angle is shown as it was typed, whatever its turns.
            if stage >= Stage::Shown
                && let Some(Value::Scalar(value)) = clip.unkeyed_at(secs).and_then(|frame| frame.values.get(&path))
            {
                return Some(*value);
            }
            let source = clip.source_secs(path.target, secs);
            let (raw_rotation, raw) = raw_rotation(clip, path.target, &rest.rotation, mode, source);
            let triple = raw.map_or([0.0; 3], |(_, triple)| triple);
            // Between samples the rotation is slerped while the angle runs straight: the angle shown is the curve's own.
            let untouched = raw_rotation.coords == local.rotation.coords;
            let triple = if untouched { triple } else { nearest_euler(order, &local.rotation, triple) };
            Some(triple[axis_slot(order, axis)])
        }
        _ => None,
    }
}

/// The value of a channel of one number in the clip that its object plays, without what drives it; of a rotation that is
/// held as a quaternion the angle of X, then Y, then Z within. None where there is no such channel, and for pins.
#[must_use]
pub fn own_value(document: &Document, path: ChannelPath, secs: f64, stage: Stage) -> Option<f64> {
    let clip = document.clip_of_target(path.target).and_then(|clip| document.clip(clip)).map(|clip| &**clip);
    match path.component {
        Component::Only => own_number(document, clip, path, secs, stage),
        Component::Whole => None,
        _ => axis_value(document, clip, path, secs, stage),
    }
}

/// The value of a channel that is one number (but the influence of a pin, which [`influence`] knows) in a clip at a time, as
/// far as `stage`, with what drives it; without a curve its static value. None where there is no such channel.
#[must_use]
pub fn number(document: &Document, clip: Option<&Clip>, path: ChannelPath, secs: f64, stage: Stage) -> Option<f64> {
    driven_value(document, path, secs, stage).or_else(|| own_number(document, clip, path, secs, stage))
}

fn own_number(document: &Document, clip: Option<&Clip>, path: ChannelPath, secs: f64, stage: Stage) -> Option<f64> {
    let fixed = static_number(document, path)?;
    let Some(clip) = clip else { return Some(fixed) };
    if stage >= Stage::Shown
        && let Some(Value::Scalar(waiting)) = clip.unkeyed_at(secs).and_then(|frame| frame.values.get(&path))
    {
        return Some(*waiting);
    }
    match clip.acting(&path).map(|curve| &**curve) {
        Some(Curve::Scalar(curve)) => Some(scalar_value(curve, secs).unwrap_or(fixed)),
        _ => Some(fixed),
    }
}

/// What a channel that is one number is where no clip has a curve for it. None where there is no such channel, and for the
/// influence of a pin, which is a clip's matter.
#[must_use]
pub fn static_number(document: &Document, path: ChannelPath) -> Option<f64> {
    let object = document.object(path.target.object())?;
    match (path.target, path.property) {
        (Target::Object(_), Property::FieldOfView) => Some(object.as_camera()?.fov_y),
        (Target::Object(_), Property::Intensity) => Some(object.as_light()?.intensity),
        (Target::Object(_), Property::Red) => Some(object.as_light()?.color[0]),
        (Target::Object(_), Property::Green) => Some(object.as_light()?.color[1]),
        (Target::Object(_), Property::Blue) => Some(object.as_light()?.color[2]),
        (Target::Object(_), property) if Property::DEFORMER.contains(&property) => {
            object.as_deformer()?.number(property)
        }
        (Target::Object(_), Property::Blend) => Some(object.as_mesh()?.dual),
        (Target::Deformer(_, entry), Property::Influence) => Some(object.as_mesh()?.entry(entry)?.influence),
        (Target::Layer(_, layer), property) => {
            let layer = object.layer(layer)?;
            match property {
                Property::Weight => Some(layer.weight),
                Property::Horizontal => Some(layer.point[0]),
                Property::Vertical => Some(layer.point[1]),
                _ => None,
            }
        }
        (Target::Sample(_, layer, place), Property::Weight) => {
            let Plays::Space(space) = object.layer(layer)?.plays else { return None };
            Some(document.blend_spaces.get(&space)?.samples.get(usize::try_from(place).ok()?)?.weight)
        }
        (Target::Morph(_, morph), Property::Weight) => Some(object.as_mesh()?.morph(morph)?.weight),
        (Target::Constraint(_, constraint), property) => {
            let constraint = object.constraint(constraint)?;
            match property {
                Property::Influence => Some(constraint.influence),
                Property::Distance => Some(constraint.as_follow()?.distance),
                Property::Speed => Some(constraint.as_follow()?.speed),
                Property::Acceleration => Some(constraint.as_follow()?.acceleration),
                Property::Source => Some(constraint.as_parent()?.source),
                _ => None,
            }
        }
        _ => None,
    }
}

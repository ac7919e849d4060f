//! Motion written as dense keys over a stretch of time.

use crate::{
    edit::{CurveRef, Edit, EditError, KeyEdit, KeySelection, numbers::made_keys, pose::clip_for},
    eval::{
        corrections::{uncorrect_rotation, uncorrect_scalar},
        sample::{read_angles, rest_of},
    },
    math::{
        Quat, Transform,
        rotation::{align, nearest_euler},
    },
    model::{
        ChannelPath, Clip, Component, Curve, Document, Interpolation, Key, ObjectId, Property, RotationCurve,
        RotationMode, ScalarCurve, Target, Value, clip::SAME_TIME_SECS,
    },
};

/// What a target is to be over a stretch of time.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) target: Target,
    /// Which properties are written.
    pub(super) properties: Vec<Property>,
    /// Times shown, seconds, rising, and the local transform then.
    pub(super) poses: Vec<(f64, Transform)>,
}

/// The edits that write courses of one object's targets as keys of these times; other keys between the first and the last go.
/// Captured curves become keys first.
pub(super) fn write(document: &Document, object: ObjectId, courses: &[Course]) -> Result<Vec<Edit>, EditError> {
    let (id, clip, mut edits) = clip_for(document, object);
    for course in courses {
        for property in &course.properties {
            for (path, values) in values(document, &clip, course, *property) {
                if clip.muted.contains(&path) {
                    return Err(EditError::Muted(path));
                }
                let curve = CurveRef { clip: id, path };
                edits.extend(made_keys(&clip, curve));
                let others = others(&clip, path, &values);
                edits.push(keys(curve, values).into());
                if !others.is_empty() {
                    edits.push(KeyEdit::Delete { keys: KeySelection::of(curve, &others) }.into());
                }
            }
        }
    }
    Ok(edits)
}

/// The edit that puts keys there; numbers as whole keys: a key that was there may have a slope that was meant for other
/// neighbours.
fn keys(curve: CurveRef, values: Vec<(f64, Value)>) -> KeyEdit {
    let number = |(secs, value): &(f64, Value)| match value {
        Value::Scalar(number) => Some(Key::new(*secs, *number)),
        Value::Rotation(_) => None,
    };
    match values.iter().map(number).collect() {
        Some(keys) => KeyEdit::Insert { curve, keys },
        None => KeyEdit::SetAs { curve, values, interpolation: Interpolation::Bezier },
    }
}

/// The times of a curve's keys within the stretch that are none of the new ones.
fn others(clip: &Clip, path: ChannelPath, values: &[(f64, Value)]) -> Vec<f64> {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return Vec::new() };
    let times = clip.channels.get(&path).map(|curve| key_times(curve)).unwrap_or_default();
    let is_new = |time: f64| {
        let next = values.partition_point(|(secs, _)| *secs < time - SAME_TIME_SECS);
        values.get(next).is_some_and(|(secs, _)| (secs - time).abs() <= SAME_TIME_SECS)
    };
    times.into_iter().filter(|time| (first.0..=last.0).contains(time) && !is_new(*time)).collect()
}

/// The times of a curve's keys; of a captured one those of its samples.
pub(super) fn key_times(curve: &Curve) -> Vec<f64> {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => curve.keys.times().collect(),
        Curve::Rotation(RotationCurve::Keyed(curve)) => curve.keys.times().collect(),
        Curve::Scalar(ScalarCurve::Sampled(samples)) => sample_times(samples.start, samples.rate, samples.values.len()),
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            sample_times(samples.start, samples.rate, samples.values.len())
        }
    }
}

fn sample_times(start: f64, rate: crate::model::FrameRate, count: usize) -> Vec<f64> {
    (0..count).map(|index| start + index as f64 * rate.frame_secs()).collect()
}

/// The channels' values under the corrections, at the times the curves are read; angles and quaternions without a jump from
/// one to the next.
fn values(
    document: &Document,
    clip: &Clip,
    course: &Course,
    property: Property,
) -> Vec<(ChannelPath, Vec<(f64, Value)>)> {
    let Course { target, poses, .. } = course;
    let path = |component| ChannelPath { target: *target, property, component };
    let sources: Vec<f64> = poses.iter().map(|(secs, _)| clip.source_secs(*target, *secs)).collect();
    let along = |numbers: &dyn Fn(usize) -> Value| -> Vec<(f64, Value)> {
        sources.iter().enumerate().map(|(index, source)| (*source, numbers(index))).collect()
    };
    let axes = Component::AXES.into_iter().enumerate();
    if property != Property::Rotation {
        let number = |index: usize, axis: usize| {
            let (_, pose) = &poses[index];
            let wanted = if property == Property::Scale { pose.scale[axis] } else { pose.translation[axis] };
            uncorrect_scalar(&clip.corrections, path(Component::AXES[axis]), sources[index], wanted)
        };
        return axes
            .map(|(axis, component)| (path(component), along(&|index| Value::Scalar(number(index, axis)))))
            .collect();
    }
    let whole = path(Component::Whole);
    let mut rotations: Vec<Quat> = Vec::with_capacity(poses.len());
    for ((_, pose), source) in poses.iter().zip(&sources) {
        let under = uncorrect_rotation(&clip.corrections, whole, *source, pose.rotation);
        rotations.push(rotations.last().map_or(under, |before| align(&under, before)));
    }
    let Some((rest, RotationMode::Euler(order))) = rest_of(document, *target) else {
        return vec![(whole, along(&|index| Value::Rotation(rotations[index])))];
    };
    let mut before = nearest_euler(order, &rest.rotation, [0.0; 3]);
    let angles: Vec<[f64; 3]> = rotations
        .iter()
        .map(|rotation| {
            before = nearest_euler(order, rotation, before);
            read_angles(order, before)
        })
        .collect();
    axes.map(|(axis, component)| (path(component), along(&|index| Value::Scalar(angles[index][axis])))).collect()
}

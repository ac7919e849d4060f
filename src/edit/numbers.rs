//! From a number that was set by hand to the edit that makes it so: channels that are one number.

use super::{
    ConstraintEdit, CurveEdit, CurveRef, DeformEdit, Edit, EditError, KeyEdit, MeshEdit, ObjectEdit, UnkeyedEdit,
    curves::target_of,
    error::finite,
    held_back::not_driven,
    pose::{AutoKey, clip_for_target},
};
use crate::model::{ChannelPath, Clip, Component, ConstraintKind, Document, Property, Target, Value};
use std::sync::Arc;

/// The edit that gives a channel of one number (of an object or a constraint) a value at a time: one with a curve is keyed, or
/// waits where auto-key is off; one without changes its static value, or is keyed if auto-key is whole pose.
///
/// # Errors
/// Where there is no such channel or the number is not finite.
pub fn number_edit(
    document: &Document,
    path: ChannelPath,
    secs: f64,
    value: f64,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    numbers_edit(document, path, &[(secs, value)], auto_key)
}

/// The same at several times, as a number is told while the time runs: of one without a curve the last counts.
///
/// # Errors
/// As [`number_edit`].
pub fn numbers_edit(
    document: &Document,
    path: ChannelPath,
    values: &[(f64, f64)],
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    for (_, value) in values {
        finite("a number", *value)?;
    }
    not_driven(document, path)?;
    let has_curve = document
        .clip_of_target(path.target)
        .and_then(|clip| document.clip(clip))
        .is_some_and(|clip| clip.channels.contains_key(&path));
    if has_curve && auto_key == AutoKey::Off {
        target_of(document, path)?;
        let (clip, _, _) = clip_for_target(document, path.target);
        let waits = |(secs, value): &(f64, f64)| UnkeyedEdit::Set {
            clip,
            secs: *secs,
            values: vec![(path, Value::Scalar(*value))],
        };
        return Ok(Edit::Batch(values.iter().map(|value| waits(value).into()).collect()));
    }
    if has_curve || auto_key == AutoKey::WholePose {
        return key_number(document, path, values);
    }
    match values.last() {
        Some((_, value)) => static_edit(document, path, *value),
        None => Ok(Edit::Batch(Vec::new())),
    }
}

/// The edit that keys a channel of one number at times, making the curve and the clip if need be. What waits there goes.
///
/// # Errors
/// As [`number_edit`].
pub fn key_number(document: &Document, path: ChannelPath, values: &[(f64, f64)]) -> Result<Edit, EditError> {
    target_of(document, path)?;
    let (clip_id, clip, mut edits) = clip_for_target(document, path.target);
    if clip.muted.contains(&path) {
        return Err(EditError::Muted(path));
    }
    edits.extend(made_keys(&clip, CurveRef { clip: clip_id, path }));
    let set = values.iter().map(|(secs, value)| (*secs, Value::Scalar(*value))).collect();
    edits.push(KeyEdit::Set { curve: CurveRef { clip: clip_id, path }, values: set }.into());
    for (secs, _) in values {
        if clip.unkeyed_at(*secs).is_some_and(|frame| frame.values.contains_key(&path)) {
            edits.push(UnkeyedEdit::Remove { clip: clip_id, secs: *secs, paths: vec![path] }.into());
        }
    }
    Ok(Edit::Batch(edits))
}

/// The edit that keys channels of one number at a time, all in one step.
///
/// # Errors
/// As [`number_edit`].
pub fn key_numbers(document: &Document, values: &[(ChannelPath, f64)], secs: f64) -> Result<Edit, EditError> {
    let mut base = document.clone();
    let mut edits = Vec::with_capacity(values.len());
    for (path, value) in values {
        let edit = key_number(&base, *path, &[(secs, *value)])?;
        edit.apply(&mut base)?;
        edits.push(edit);
    }
    Ok(Edit::Batch(edits))
}

/// The edit that makes keys of a curve's samples, one a sample, where it is captured: a number that is not a joint's has no
/// corrections, it is edited itself.
#[must_use]
pub fn made_keys(clip: &Clip, at: CurveRef) -> Option<Edit> {
    let captured = clip.channels.get(&at.path).is_some_and(|curve| curve.is_sampled());
    captured.then(|| CurveEdit::ConvertToKeys { curves: vec![at] }.into())
}

/// The edit that changes a channel's static value.
///
/// # Errors
/// As [`number_edit`].
pub fn static_edit(document: &Document, path: ChannelPath, value: f64) -> Result<Edit, EditError> {
    let wrong = || EditError::WrongKind(path);
    if path.component != Component::Only {
        return Err(wrong());
    }
    match path.target {
        Target::Object(object) if path.property == Property::FieldOfView => {
            Ok(ObjectEdit::SetFieldOfView { object, fov_y: value }.into())
        }
        Target::Object(object) if Property::LIGHT.contains(&path.property) => {
            Ok(MeshEdit::SetLight { object, property: path.property, value }.into())
        }
        Target::Object(object) if Property::DEFORMER.contains(&path.property) => {
            Ok(DeformEdit::SetNumber { object, property: path.property, value }.into())
        }
        Target::Object(object) if path.property == Property::Blend => {
            Ok(MeshEdit::SetDual { object, dual: value }.into())
        }
        Target::Deformer(object, entry) if path.property == Property::Influence => {
            Ok(DeformEdit::SetInfluence { object, entry, influence: value }.into())
        }
        Target::Layer(object, id) if Property::LAYER.contains(&path.property) => {
            super::blend::layer_number(document, object, id, path.property, value)
        }
        Target::Sample(object, layer, place) if path.property == Property::Weight => {
            super::blend::sample_weight(document, (object, layer), place, value)
        }
        Target::Morph(object, morph) if path.property == Property::Weight => {
            Ok(MeshEdit::SetWeight { object, morph, weight: value }.into())
        }
        Target::Constraint(object, id) => {
            let found = document.object(object).ok_or(EditError::NoObject(object))?.constraint(id);
            let mut constraint = (**found.ok_or(EditError::NoConstraint(object, id))?).clone();
            match (path.property, &mut constraint.kind) {
                (Property::Influence, _) => constraint.influence = value.clamp(0.0, 1.0),
                (Property::Distance, ConstraintKind::Follow(follow)) => follow.distance = value,
                (Property::Speed, ConstraintKind::Follow(follow)) => follow.speed = value,
                (Property::Acceleration, ConstraintKind::Follow(follow)) => follow.acceleration = value,
                (Property::Source, ConstraintKind::Parent(hold)) => hold.source = value,
                _ => return Err(wrong()),
            }
            Ok(ConstraintEdit::Set { object, constraint: Arc::new(constraint) }.into())
        }
        _ => Err(wrong()),
    }
}

//! Edits of corrections.

use super::{
    Edit, EditError,
    clips::clip_mut,
    curves::{empty_curve, target_of},
    error::finite,
    keys::{check_kind, set_key},
};
use crate::{
    math::Quat,
    model::{
        ChannelPath, Clip, ClipId, Component, Correction, CorrectionId, Curve, Document, Interpolation, Key,
        KeyedCurve, KeyedRotation, Property, RotationCurve, RotationInterpolation, RotationKey, ScalarCurve, Value,
        clip::SAME_TIME_SECS,
    },
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a clip's corrections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CorrectionEdit {
    /// Adds a correction after the others.
    Add {
        /// The clip.
        clip: ClipId,
        /// The correction; its id must be new in the clip.
        correction: Arc<Correction>,
    },
    /// Deletes a correction.
    Delete {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
    },
    /// Renames a correction.
    Rename {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// The name.
        name: String,
    },
    /// Switches a correction off or on.
    Mute {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// Whether it is off.
        muted: bool,
    },
    /// Sets how much of a correction acts.
    SetScale {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// 0..2; 1 is as made.
        scale: f64,
    },
    /// Sets where a correction acts: its neutral ends move, its keys between stay. Refused where it would not hold a key.
    SetRange {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// Start and end, seconds.
        range: (f64, f64),
    },
    /// Gives a correction's curves keys at a time within its range; curves it lacks are made, neutral at both ends.
    SetKeys {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// The time, seconds, strictly inside the range.
        secs: f64,
        /// What the curves are to add then, at scale 1.
        deltas: Vec<(ChannelPath, Value)>,
    },
}

impl From<CorrectionEdit> for Edit {
    fn from(edit: CorrectionEdit) -> Self {
        Self::Correction(edit)
    }
}

impl CorrectionEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Add { clip, correction } => {
                let clip = clip_mut(document, *clip)?;
                if clip.correction(correction.id).is_some() {
                    return Err(EditError::IdInUse(correction.id.0));
                }
                clip.corrections.push(correction.clone());
            }
            Self::Delete { clip, correction } => {
                let at = place(clip_mut(document, *clip)?, *clip, *correction)?;
                clip_mut(document, *clip)?.corrections.remove(at);
            }
            Self::Rename { clip, correction, name } => {
                correction_mut(document, *clip, *correction)?.name.clone_from(name);
            }
            Self::Mute { clip, correction, muted } => correction_mut(document, *clip, *correction)?.muted = *muted,
            Self::SetScale { clip, correction, scale } => {
                if !(0.0..=2.0).contains(scale) {
                    return Err(EditError::BadNumber { what: "a correction's scale", value: *scale });
                }
                correction_mut(document, *clip, *correction)?.scale = *scale;
            }
            Self::SetRange { clip, correction, range } => {
                set_range(correction_mut(document, *clip, *correction)?, *range)?;
            }
            Self::SetKeys { clip, correction, secs, deltas } => {
                for (path, value) in deltas {
                    target_of(document, *path)?;
                    check_kind(*path, *value)?;
                    if path.property == Property::Rotation && path.component != Component::Whole {
                        return Err(EditError::WrongKind(*path));
                    }
                }
                set_keys(correction_mut(document, *clip, *correction)?, *secs, deltas)?;
            }
        }
        Ok(())
    }
}

fn place(clip: &Clip, id: ClipId, correction: CorrectionId) -> Result<usize, EditError> {
    let at = clip.corrections.iter().position(|c| c.id == correction);
    at.ok_or(EditError::NoCorrection(id, correction))
}

fn correction_mut(document: &mut Document, id: ClipId, correction: CorrectionId) -> Result<&mut Correction, EditError> {
    let clip = clip_mut(document, id)?;
    let at = place(clip, id, correction)?;
    clip.corrections.get_mut(at).map(Arc::make_mut).ok_or(EditError::NoCorrection(id, correction))
}

/// A correction that adds something at one time and is neutral at both ends of its range.
pub(super) fn make(
    id: CorrectionId,
    name: String,
    range: (f64, f64),
    secs: f64,
    deltas: &[(ChannelPath, Value)],
) -> Result<Correction, EditError> {
    let mut correction =
        Correction { id, name, muted: false, scale: 1.0, range, deltas: std::collections::BTreeMap::new() };
    set_keys(&mut correction, secs, deltas)?;
    Ok(correction)
}

fn set_keys(correction: &mut Correction, secs: f64, deltas: &[(ChannelPath, Value)]) -> Result<(), EditError> {
    let (start, end) = correction.range;
    if !(start < secs && secs < end) {
        return Err(EditError::BadNumber { what: "a time within the correction's range", value: secs });
    }
    for (path, value) in deltas {
        check_kind(*path, *value)?;
        let curve = correction.deltas.entry(*path).or_insert_with(|| Arc::new(neutral(*path, start, end)));
        match (Arc::make_mut(curve), value) {
            (Curve::Scalar(ScalarCurve::Keyed(curve)), Value::Scalar(value)) => {
                set_key(&mut curve.keys, secs, |key| Key { value: *value, ..*key }, |_| scalar_key(secs, *value));
            }
            (Curve::Rotation(RotationCurve::Keyed(curve)), Value::Rotation(rotation)) => {
                let rotation = *rotation;
                set_key(
                    &mut curve.keys,
                    secs,
                    |key| RotationKey { rotation, ..*key },
                    |_| rotation_key(secs, rotation),
                );
            }
            // A merged correction is sampled: its curves take no keys.
            _ => return Err(EditError::Sampled(*path)),
        }
    }
    Ok(())
}

const fn rotation_key(time: f64, rotation: Quat) -> RotationKey {
    RotationKey { time, rotation, interpolation: RotationInterpolation::Smooth }
}

fn scalar_key(time: f64, value: f64) -> Key {
    Key { interpolation: Interpolation::Smooth, ..Key::new(time, value) }
}

/// A curve that adds nothing, with a key at both ends.
fn neutral(path: ChannelPath, start: f64, end: f64) -> Curve {
    match empty_curve(path) {
        Curve::Rotation(_) => {
            let keys = [start, end].map(|time| rotation_key(time, Quat::identity())).into_iter().collect();
            Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys }))
        }
        Curve::Scalar(_) => {
            let keys = [start, end].map(|time| scalar_key(time, 0.0)).into_iter().collect();
            Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }))
        }
    }
}

fn set_range(correction: &mut Correction, range: (f64, f64)) -> Result<(), EditError> {
    let (start, end) = (finite("a range", range.0)?, finite("a range", range.1)?);
    if start >= end {
        return Err(EditError::BadNumber { what: "the end of a range", value: end });
    }
    let before = correction.range;
    let is_end = |time: f64| (time - before.0).abs() <= SAME_TIME_SECS || (time - before.1).abs() <= SAME_TIME_SECS;
    let outside = |time: f64| EditError::BadNumber { what: "a range without the key", value: time };
    for (path, curve) in &mut correction.deltas {
        let mut new = neutral(*path, start, end);
        match (&**curve, &mut new) {
            (Curve::Scalar(ScalarCurve::Keyed(old)), Curve::Scalar(ScalarCurve::Keyed(new))) => {
                for key in old.keys.iter().filter(|key| !is_end(key.time)) {
                    if !(start < key.time && key.time < end) {
                        return Err(outside(key.time));
                    }
                    new.keys.insert(key);
                }
            }
            (Curve::Rotation(RotationCurve::Keyed(old)), Curve::Rotation(RotationCurve::Keyed(new))) => {
                for key in old.keys.iter().filter(|key| !is_end(key.time)) {
                    if !(start < key.time && key.time < end) {
                        return Err(outside(key.time));
                    }
                    new.keys.insert(key);
                }
            }
            _ => return Err(EditError::Sampled(*path)),
        }
        *curve = Arc::new(new);
    }
    correction.range = (start, end);
    Ok(())
}

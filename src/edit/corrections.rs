//! Edits of corrections.

use super::{
    Edit, EditError,
    clips::clip_mut,
    curves::{empty_curve, target_of},
    error::finite,
    key_lists::set_key,
    keys::check_kind,
};
use crate::{
    eval::curve::sampled,
    math::Quat,
    model::{
        ChannelPath, Clip, ClipId, Component, Correction, CorrectionId, Curve, Document, Interpolation, Key,
        KeyedCurve, KeyedRotation, Property, RotationCurve, RotationInterpolation, RotationKey, RotationSamples,
        Samples, ScalarCurve, Value, clip::SAME_TIME_SECS,
    },
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

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
    /// Sets where a correction acts: its neutral ends move, its keys between stay. Refused where it would not hold a key. A
    /// sampled one has no keys: it is stretched.
    SetRange {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// Start and end, seconds.
        range: (f64, f64),
    },
    /// Moves a correction in time, its range with its keys and samples.
    Shift {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// By how many seconds.
        dt: f64,
    },
    /// Puts a correction elsewhere in the list: those before it act before it.
    Reorder {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// Its index then; beyond the end is the end.
        to: usize,
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
    /// Gives a correction what its limbs turn by besides, as [`limbs::solved`](super::limbs::solved) finds it; what it had
    /// goes. Setting keys or a range drops it: it was found for those before.
    SetSolved {
        /// The clip.
        clip: ClipId,
        /// The correction.
        correction: CorrectionId,
        /// The rotations by joint.
        solved: Vec<(ChannelPath, Arc<Curve>)>,
    },
}

impl From<CorrectionEdit> for Edit {
    fn from(edit: CorrectionEdit) -> Self {
        Self::Correction(edit)
    }
}

impl CorrectionEdit {
    /// The correction that is changed in such a way that its limbs are to be solved anew; none for other edits.
    pub(super) fn subject(&self) -> Option<(ClipId, CorrectionId)> {
        match self {
            Self::Add { clip, correction } => Some((*clip, correction.id)),
            Self::SetRange { clip, correction, .. }
            | Self::Shift { clip, correction, .. }
            | Self::SetKeys { clip, correction, .. } => Some((*clip, *correction)),
            _ => None,
        }
    }

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
            Self::Shift { clip, correction, dt } => {
                finite("a move in time", *dt)?;
                shift(correction_mut(document, *clip, *correction)?, |time| time + dt);
            }
            Self::Reorder { clip, correction, to } => {
                let at = place(clip_mut(document, *clip)?, *clip, *correction)?;
                let list = &mut clip_mut(document, *clip)?.corrections;
                let moved = list.remove(at);
                list.insert((*to).min(list.len()), moved);
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
            Self::SetSolved { clip, correction, solved } => {
                for (path, _) in solved {
                    target_of(document, *path)?;
                }
                set_solved(correction_mut(document, *clip, *correction)?, solved)?;
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
    let (deltas_of, solved) = (BTreeMap::new(), BTreeMap::new());
    let mut correction = Correction { id, name, muted: false, scale: 1.0, range, deltas: deltas_of, solved };
    set_keys(&mut correction, secs, deltas)?;
    Ok(correction)
}

fn set_keys(correction: &mut Correction, secs: f64, deltas: &[(ChannelPath, Value)]) -> Result<(), EditError> {
    let (start, end) = correction.range;
    if !(start < secs && secs < end) {
        return Err(EditError::BadNumber { what: "a time within the correction's range", value: secs });
    }
    correction.solved.clear();
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

fn set_solved(correction: &mut Correction, solved: &[(ChannelPath, Arc<Curve>)]) -> Result<(), EditError> {
    let (start, end) = correction.range;
    correction.solved.clear();
    for (path, curve) in solved {
        let whole = path.property == Property::Rotation && path.component == Component::Whole;
        if !whole || !matches!(**curve, Curve::Rotation(_)) {
            return Err(EditError::WrongKind(*path));
        }
        correction.deltas.entry(*path).or_insert_with(|| Arc::new(neutral(*path, start, end)));
        correction.solved.insert(*path, curve.clone());
    }
    Ok(())
}

const fn rotation_key(time: f64, rotation: Quat) -> RotationKey {
    RotationKey::new(time, rotation, RotationInterpolation::Smooth)
}

fn scalar_key(time: f64, value: f64) -> Key {
    Key { interpolation: Interpolation::Smooth, ..Key::new(time, value) }
}

/// A curve that adds nothing, with a key at both ends.
pub(super) fn neutral(path: ChannelPath, start: f64, end: f64) -> Curve {
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
            (old, new) => *new = stretched(old, before, (start, end)),
        }
        *curve = Arc::new(new);
    }
    correction.solved.clear();
    correction.range = (start, end);
    Ok(())
}

/// A correction whose time was changed: its range given, each key where its time goes (none: gone), each sampled curve by
/// `sampled`. The range gives way to keys that would lie at its ends or beyond, by a frame. None where no key is left.
pub(super) fn retimed(
    correction: &Correction,
    range: (f64, f64),
    frame_secs: f64,
    time: impl Fn(f64) -> Option<f64>,
    sampled: impl Fn(&Curve) -> Curve,
) -> Option<Correction> {
    let ends = correction.range;
    let is_end = |time: f64| (time - ends.0).abs() <= SAME_TIME_SECS || (time - ends.1).abs() <= SAME_TIME_SECS;
    let inner = |secs: f64| if is_end(secs) { None } else { time(secs) };
    let mut inside = Vec::new();
    for curve in correction.deltas.values() {
        match &**curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                inside.extend(curve.keys.iter().filter_map(|key| inner(key.time)));
            }
            Curve::Rotation(RotationCurve::Keyed(curve)) => {
                inside.extend(curve.keys.iter().filter_map(|key| inner(key.time)));
            }
            old => inside.extend(sampled(old).span().map(|(start, end)| f64::midpoint(start, end))),
        }
    }
    let first = inside.iter().copied().reduce(f64::min)?;
    let last = inside.iter().copied().reduce(f64::max)?;
    let start = if range.0 < first - SAME_TIME_SECS { range.0 } else { first - frame_secs };
    let end = if range.1 > last + SAME_TIME_SECS { range.1 } else { last + frame_secs };
    let mut new = Correction { range: (start, end), ..correction.clone() };
    for (path, curve) in &mut new.deltas {
        let mut changed = neutral(*path, start, end);
        match (&**curve, &mut changed) {
            (Curve::Scalar(ScalarCurve::Keyed(old)), Curve::Scalar(ScalarCurve::Keyed(new))) => {
                let keys = old.keys.iter().filter_map(|key| Some(Key { time: inner(key.time)?, ..key }));
                keys.for_each(|key| {
                    new.keys.insert(key);
                });
            }
            (Curve::Rotation(RotationCurve::Keyed(old)), Curve::Rotation(RotationCurve::Keyed(new))) => {
                let keys = old.keys.iter().filter_map(|key| Some(RotationKey { time: inner(key.time)?, ..key }));
                keys.for_each(|key| {
                    new.keys.insert(key);
                });
            }
            (old, new) => *new = sampled(old),
        }
        *curve = Arc::new(changed);
    }
    for curve in new.solved.values_mut() {
        *curve = Arc::new(sampled(curve));
    }
    Some(new)
}

/// The most samples a stretched curve gets, an hour at 240 a second: more would be a slip of the hand.
const MOST_SAMPLES: i64 = 1 << 20;

/// A sampled curve that ran over one range, over another; any other curve as it is.
fn stretched(curve: &Curve, from: (f64, f64), to: (f64, f64)) -> Curve {
    let old = |secs: f64| from.0 + (secs - to.0) / (to.1 - to.0) * (from.1 - from.0);
    let count = |rate: crate::model::FrameRate| {
        // Both ends have a sample: they are neutral.
        let steps = (rate.frame_f64(to.1 - to.0) - 1e-6).ceil() as i64;
        steps.clamp(1, MOST_SAMPLES) + 1
    };
    match curve {
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            let rate = samples.rate;
            let value = |i: i64| sampled::value(samples, old(to.0 + rate.secs(i)).min(from.1)).unwrap_or_default();
            let values = (0..count(rate)).map(value).collect();
            Curve::Scalar(ScalarCurve::Sampled(Samples::new(to.0, rate, values)))
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            let rate = samples.rate;
            let value = |i: i64| sampled::rotation(samples, old(to.0 + rate.secs(i)).min(from.1)).unwrap_or_default();
            let values = (0..count(rate)).map(value).collect();
            Curve::Rotation(RotationCurve::Sampled(RotationSamples { start: to.0, rate, values }))
        }
        keyed => keyed.clone(),
    }
}

/// Moves everything of a correction in time.
fn shift(correction: &mut Correction, time: impl Fn(f64) -> f64) {
    correction.range = (time(correction.range.0), time(correction.range.1));
    for curve in correction.deltas.values_mut().chain(correction.solved.values_mut()).map(Arc::make_mut) {
        match curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                curve.keys = curve.keys.iter().map(|key| Key { time: time(key.time), ..key }).collect();
            }
            Curve::Rotation(RotationCurve::Keyed(curve)) => {
                curve.keys = curve.keys.iter().map(|key| RotationKey { time: time(key.time), ..key }).collect();
            }
            Curve::Scalar(ScalarCurve::Sampled(samples)) => samples.start = time(samples.start),
            Curve::Rotation(RotationCurve::Sampled(samples)) => samples.start = time(samples.start),
        }
    }
}

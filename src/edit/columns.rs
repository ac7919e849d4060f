//! Keys of many curves that share times: copied as one, spread anew as one.

use super::{
    CurveRef, EditError, KeySelection,
    curves::existing_curve_mut,
    error::finite,
    key_lists::{no_key, put, take},
    keys::clock_of,
};
use crate::eval::follow::has_say;
use crate::model::{
    ChannelPath, ClipId, Curve, Document, Handle, Key, KeyedCurve, KeyedRotation, Keys, ObjectId, RotationCurve,
    RotationKey, ScalarCurve, keys::Timed,
};

/// How near two keys' times are to stand in one column, seconds: below a thousandth of any frame there is.
pub const COLUMN_SECS: f64 = 1e-6;

/// All keys of an object (none: of any) in a clip that are shown at some times. Channels without a say are left out.
#[must_use]
pub fn keys_at(document: &Document, id: ClipId, object: Option<ObjectId>, times: &[f64]) -> KeySelection {
    let mut found = KeySelection::new();
    let Some(clip) = document.clip(id) else { return found };
    let concerns =
        |path: ChannelPath| object.is_none_or(|object| path.target.object() == object) && has_say(document, path);
    for (path, curve) in clip.channels.iter().filter(|(path, _)| concerns(**path)) {
        let at = CurveRef { clip: id, path: *path };
        let clock = clip.clock(path.target);
        for secs in times {
            for time in times_near(curve, clock.source(*secs)) {
                found.insert(at, time);
            }
        }
    }
    found
}

fn times_near(curve: &Curve, secs: f64) -> Vec<f64> {
    fn of<K: Timed>(keys: &Keys<K>, secs: f64) -> Vec<f64> {
        let (first, end) = (keys.count_at_or_before(secs - COLUMN_SECS), keys.count_at_or_before(secs + COLUMN_SECS));
        (first..end).filter_map(|index| keys.get(index).map(|key| key.time())).collect()
    }
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => of(&curve.keys, secs),
        Curve::Rotation(RotationCurve::Keyed(curve)) => of(&curve.keys, secs),
        Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => Vec::new(),
    }
}

/// The distinct times at which keys are shown, in order.
#[must_use]
pub fn times_of(document: &Document, keys: &KeySelection) -> Vec<f64> {
    let mut times = Vec::new();
    for (at, own) in keys.curves() {
        let clock = clock_of(document, at);
        times.extend(own.iter().map(|time| clock.shown(*time)));
    }
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() <= COLUMN_SECS);
    times
}

/// Where a time goes; as it is where nothing is said of it.
pub(super) fn mapped(times: &[(f64, f64)], secs: f64) -> f64 {
    let near = times.iter().find(|(from, _)| (from - secs).abs() <= COLUMN_SECS);
    near.map_or(secs, |(_, to)| *to)
}

/// Puts keys to the times that theirs map to; handles set by hand grow with the spread.
pub(super) fn spread(
    document: &mut Document,
    selected: &KeySelection,
    times: &[(f64, f64)],
    stretch: f64,
) -> Result<(), EditError> {
    for number in times.iter().flat_map(|(from, to)| [*from, *to]).chain([stretch]) {
        finite("a time", number)?;
    }
    if stretch <= 0.0 {
        return Err(EditError::BadNumber { what: "a scale in time", value: stretch });
    }
    let handle = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) => Handle::Aligned(dt * stretch, dv),
        Handle::Free(dt, dv) => Handle::Free(dt * stretch, dv),
        derived => derived,
    };
    for (at, from) in selected.curves() {
        let clock = clock_of(document, at);
        let to = |time: f64| clock.moved(time, |shown| mapped(times, shown));
        match existing_curve_mut(document, at)? {
            Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, .. })) => {
                let moved = take(keys, at, from)?.into_iter().map(|key| Key {
                    time: to(key.time),
                    handle_in: handle(key.handle_in),
                    handle_out: handle(key.handle_out),
                    ..key
                });
                put(keys, moved.collect());
            }
            Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys })) => {
                let moved = take(keys, at, from)?.into_iter();
                put(keys, moved.map(|key| RotationKey { time: to(key.time), ..key }).collect());
            }
            Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {
                return Err(EditError::Sampled(at.path));
            }
        }
    }
    Ok(())
}

/// Puts copies of keys to where a change of the time at which they are shown leads; keys that are there go.
pub(super) fn duplicate(
    document: &mut Document,
    selected: &KeySelection,
    change: impl Fn(f64) -> f64,
) -> Result<(), EditError> {
    fn copies<K: Timed>(keys: &Keys<K>, at: CurveRef, times: &[f64]) -> Result<Vec<K>, EditError> {
        let key = |secs: &f64| keys.index_at(*secs).and_then(|index| keys.get(index));
        times.iter().map(|secs| key(secs).ok_or_else(|| no_key(at, *secs))).collect()
    }
    for (at, from) in selected.curves() {
        let clock = clock_of(document, at);
        let time = |time: f64| clock.moved(time, &change);
        match existing_curve_mut(document, at)? {
            Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, .. })) => {
                let new = copies(keys, at, from)?;
                put(keys, new.into_iter().map(|key| Key { time: time(key.time), ..key }).collect());
            }
            Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys })) => {
                let new = copies(keys, at, from)?;
                put(keys, new.into_iter().map(|key| RotationKey { time: time(key.time), ..key }).collect());
            }
            Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {
                return Err(EditError::Sampled(at.path));
            }
        }
    }
    Ok(())
}

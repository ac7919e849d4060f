//! Edits of keys: set, delete, move, scale, shape.

use super::{
    CurveRef, Edit, EditError, KeySelection, columns,
    curves::{channel_of, curve_mut, existing_curve_mut, remove_if_empty},
    error::finite,
    key_interpolation::set_interpolation,
    key_lists::{change_keys, put, set_key, take},
    place,
    rotation_keys::set_rotation,
};
use crate::model::{
    ChannelPath, Clock, Component, Curve, Document, EaseShape, FrameRate, Handle, Interpolation, Key, KeyKind,
    KeyedCurve, KeyedRotation, Keys, RotationCurve, RotationInterpolation, RotationKey, ScalarCurve, Value,
    clip::SAME_TIME_SECS,
};
use serde::{Deserialize, Serialize};

/// An edit of keys. Captured curves are refused: they are converted first ([`super::CurveEdit::ConvertToKeys`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum KeyEdit {
    /// Gives a curve values at times, making the curve if need be. A key that is there keeps everything but its value; a
    /// new one continues the interpolation of the key before it.
    Set {
        /// The curve.
        curve: CurveRef,
        /// Times (seconds) and values.
        values: Vec<(f64, Value)>,
    },
    /// As [`Self::Set`], but a new key starts a segment of its own kind; one of a rotation is a step or as the key before.
    SetAs {
        /// The curve.
        curve: CurveRef,
        /// Times (seconds) and values.
        values: Vec<(f64, Value)>,
        /// How the segments that start at new keys run; handles are auto-clamped.
        interpolation: Interpolation,
    },
    /// Puts whole keys into a scalar curve, replacing those at their times.
    Insert {
        /// The curve.
        curve: CurveRef,
        /// The keys.
        keys: Vec<Key>,
    },
    /// Deletes keys. A curve without keys goes with the last one.
    Delete {
        /// The keys.
        keys: KeySelection,
    },
    /// Moves keys. They may pass others; where one arrives at another that did not move, the moved one stays.
    ///
    /// Here and in [`Self::Duplicate`], [`Self::Spread`], [`Self::Scale`] and [`Self::SetTime`] times are those at which keys
    /// are shown: where a retime acts, a key is named by its own time and goes where the retime shows it at the new one.
    Move {
        /// The keys.
        keys: KeySelection,
        /// By how many seconds.
        dt: f64,
        /// By how much in value; rotations have none.
        dv: f64,
    },
    /// Puts copies of keys to other times; keys that are there already go.
    Duplicate {
        /// The keys.
        keys: KeySelection,
        /// By how many seconds the copies are later.
        dt: f64,
    },
    /// Puts keys to the times that theirs map to, as whole columns: of several that arrive at one time the last stays.
    Spread {
        /// The keys.
        keys: KeySelection,
        /// Time before and after, seconds; a key of another time stays.
        times: Vec<(f64, f64)>,
        /// By how much handles set by hand grow in time, more than 0.
        stretch: f64,
    },
    /// Puts keys of one curve each to its own time and value. They may pass others; where one arrives at another that did
    /// not move, the moved one stays.
    Place {
        /// The curve.
        curve: CurveRef,
        /// Time before, time after (seconds), value after (of rotation keys not used).
        keys: Vec<(f64, f64, f64)>,
    },
    /// Scales keys about a point of the graph, handles set by hand with them. A negative factor mirrors.
    Scale {
        /// The keys.
        keys: KeySelection,
        /// The time that stays, seconds, and the factor, not 0.
        time: (f64, f64),
        /// The value that stays, and the factor.
        value: (f64, f64),
        /// Whether keys then go onto the nearest frame, all of a time together. Of times that would share a frame the nearest
        /// one takes it and the others stay between frames: no key is lost to another.
        #[serde(default)]
        frames: bool,
    },
    /// Puts one key of each curve at one time.
    SetTime {
        /// The keys, at most one a curve.
        keys: KeySelection,
        /// The time, seconds.
        secs: f64,
    },
    /// Gives keys one value.
    SetValue {
        /// The keys, of scalar curves.
        keys: KeySelection,
        /// The value.
        value: f64,
    },
    /// Sets how the segments that start at keys run.
    SetInterpolation {
        /// The keys; those of rotations take the nearest kind: step, slerp for linear, else smooth.
        keys: KeySelection,
        /// The interpolation.
        interpolation: Interpolation,
    },
    /// Sets the typed slopes of keys, which Hermite segments use; what is none stays.
    SetSlopes {
        /// The keys, of scalar curves.
        keys: KeySelection,
        /// Into the key, per second.
        slope_in: Option<f64>,
        /// Out of the key, per second.
        slope_out: Option<f64>,
    },
    /// Sets what shapes the eases that start at keys, and the ease itself where it is given.
    SetEase {
        /// The keys, of scalar curves.
        keys: KeySelection,
        /// The interpolation; none leaves each key's.
        interpolation: Option<Interpolation>,
        /// The numbers.
        ease: EaseShape,
    },
    /// Sets whether the lengths of handles set by hand count, or their slopes alone.
    SetWeighted {
        /// The keys, of scalar curves.
        keys: KeySelection,
        /// Whether they count.
        weighted: bool,
    },
    /// Sets how the segments of rotations that start at keys run.
    SetRotation {
        /// The keys, of rotation curves.
        keys: KeySelection,
        /// The interpolation.
        interpolation: RotationInterpolation,
    },
    /// Sets what keys are to the animator; no value changes.
    SetKind {
        /// The keys.
        keys: KeySelection,
        /// The kind.
        kind: KeyKind,
    },
    /// Sets the shape numbers of keys; what is none stays.
    SetShape {
        /// The keys, of scalar curves.
        keys: KeySelection,
        /// Tension, -1..1.
        tension: Option<f64>,
        /// Continuity, -1..1.
        continuity: Option<f64>,
        /// Bias, -1..1.
        bias: Option<f64>,
    },
}

impl KeyEdit {
    /// The edit with new keys of a kind, where it sets keys by their values.
    pub(super) fn with_new_keys(&self, interpolation: Interpolation) -> Self {
        match self {
            Self::Set { curve, values } => Self::SetAs { curve: *curve, values: values.clone(), interpolation },
            other => other.clone(),
        }
    }
}

impl From<KeyEdit> for Edit {
    fn from(edit: KeyEdit) -> Self {
        Self::Key(edit)
    }
}

impl KeyEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Set { curve, values } => {
                values.iter().try_for_each(|(secs, value)| set(document, *curve, *secs, *value, None))
            }
            Self::SetAs { curve, values, interpolation } => {
                values.iter().try_for_each(|(secs, value)| set(document, *curve, *secs, *value, Some(*interpolation)))
            }
            Self::Duplicate { keys, dt } => {
                finite("a move in time", *dt)?;
                let rate = document.settings.rate;
                columns::duplicate(document, keys, |time| shifted(rate, time, *dt))
            }
            Self::Spread { keys, times, stretch } => columns::spread(document, keys, times, *stretch),
            Self::Insert { curve, keys } => insert(document, *curve, keys),
            Self::Delete { keys } => delete(document, keys),
            Self::Move { keys, dt, dv } => {
                finite("a move in time", *dt)?;
                finite("a move in value", *dv)?;
                let rate = document.settings.rate;
                let by_dt = |time: f64| shifted(rate, time, *dt);
                if *dv == 0.0 {
                    return retime(document, keys, by_dt);
                }
                shift_and_change(document, keys, by_dt, Rotations::Refused, |key| key.value += dv)
            }
            Self::Place { curve, keys } => place::place(document, *curve, keys),
            Self::Scale { keys, time, value, frames } => scale(document, keys, *time, *value, *frames),
            Self::SetTime { keys, secs } => {
                finite("a time", *secs)?;
                if let Some((curve, times)) = keys.curves().find(|(_, times)| times.len() > 1) {
                    return Err(EditError::OneTime { path: curve.path, count: times.len() });
                }
                retime(document, keys, |_| *secs)
            }
            Self::SetValue { keys, value } => {
                finite("a value", *value)?;
                change_scalar(document, keys, |key| key.value = *value)
            }
            Self::SetInterpolation { keys, interpolation } => set_interpolation(document, keys, *interpolation),
            Self::SetSlopes { keys, slope_in, slope_out } => {
                for slope in [slope_in, slope_out].into_iter().flatten() {
                    finite("a slope", *slope)?;
                }
                change_scalar(document, keys, |key| {
                    key.slope_in = slope_in.unwrap_or(key.slope_in);
                    key.slope_out = slope_out.unwrap_or(key.slope_out);
                })
            }
            Self::SetEase { keys, interpolation, ease } => {
                if !ease.is_sound() {
                    return Err(EditError::BadNumber { what: "a number of an ease", value: ease.power });
                }
                change_scalar(document, keys, |key| {
                    key.ease = *ease;
                    key.interpolation = interpolation.unwrap_or(key.interpolation);
                })
            }
            Self::SetWeighted { keys, weighted } => change_scalar(document, keys, |key| key.unweighted = !weighted),
            Self::SetRotation { keys, interpolation } => {
                for (at, times) in keys.curves() {
                    let Curve::Rotation(RotationCurve::Keyed(curve)) = existing_curve_mut(document, at)? else {
                        return Err(EditError::WrongKind(at.path));
                    };
                    change_keys(&mut curve.keys, at, times, |key| key.interpolation = *interpolation)?;
                }
                Ok(())
            }
            Self::SetKind { keys, kind } => {
                for (at, times) in keys.curves() {
                    match existing_curve_mut(document, at)? {
                        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                            change_keys(&mut curve.keys, at, times, |key| key.kind = *kind)?;
                        }
                        Curve::Rotation(RotationCurve::Keyed(curve)) => {
                            change_keys(&mut curve.keys, at, times, |key| key.kind = *kind)?;
                        }
                        _ => return Err(EditError::Sampled(at.path)),
                    }
                }
                Ok(())
            }
            Self::SetShape { keys, tension, continuity, bias } => {
                for shape in [tension, continuity, bias].into_iter().flatten() {
                    if !(-1.0..=1.0).contains(shape) {
                        return Err(EditError::BadNumber { what: "tension, continuity or bias", value: *shape });
                    }
                }
                change_scalar(document, keys, |key| {
                    key.tension = tension.unwrap_or(key.tension);
                    key.continuity = continuity.unwrap_or(key.continuity);
                    key.bias = bias.unwrap_or(key.bias);
                })
            }
        }
    }

    /// Where the keys of a selection are after the edit; none where it moves no keys in time.
    pub(super) fn moved_keys(&self, document: &Document, selected: &KeySelection) -> Option<KeySelection> {
        let rate = document.settings.rate;
        let follow = |keys: &KeySelection, map: &dyn Fn(f64) -> f64| {
            let mut moved = KeySelection::new();
            for (at, times) in selected.curves() {
                let clock = clock_of(document, at);
                let time = |time: &f64| if keys.contains(at, *time) { clock.moved(*time, map) } else { *time };
                moved.set_times(at, times.iter().map(time).collect());
            }
            Some(moved)
        };
        match self {
            Self::Move { keys, dt, .. } | Self::Duplicate { keys, dt } => {
                follow(keys, &|time| shifted(rate, time, *dt))
            }
            Self::Spread { keys, times, .. } => follow(keys, &|time| columns::mapped(times, time)),
            Self::Place { curve, keys } => Some(place::follow(selected, *curve, keys)),
            Self::Scale { keys, time, frames, .. } => {
                let scaled = ScaledTimes::new(document, keys, *time, *frames);
                follow(keys, &|time| scaled.of(time))
            }
            Self::SetTime { keys, secs } => follow(keys, &|_| *secs),
            _ => None,
        }
    }
}

/// Where a key is after a move: on a frame's very time where it is within rounding of one, so that keys on frames stay on
/// frames to the bit. A key that is not moved stays in any case.
pub(super) fn shifted(rate: FrameRate, secs: f64, dt: f64) -> f64 {
    if dt == 0.0 { secs } else { on_frame(rate, secs + dt) }
}

fn on_frame(rate: FrameRate, secs: f64) -> f64 {
    const ROUNDING_SECS: f64 = 1e-9;
    let exact = rate.snap(secs);
    if (exact - secs).abs() <= ROUNDING_SECS { exact } else { secs }
}

/// Whether a value's kind fits a channel.
pub(super) fn check_kind(path: ChannelPath, value: Value) -> Result<(), EditError> {
    let whole = path.component == Component::Whole;
    if !value.is_finite() {
        let number = if let Value::Scalar(number) = value { number } else { f64::NAN };
        return Err(EditError::BadNumber { what: "a value", value: number });
    }
    if whole == matches!(value, Value::Rotation(_)) { Ok(()) } else { Err(EditError::WrongKind(path)) }
}

fn set(
    document: &mut Document,
    at: CurveRef,
    secs: f64,
    value: Value,
    kind: Option<Interpolation>,
) -> Result<(), EditError> {
    let secs = finite("a key's time", secs)?;
    check_kind(at.path, value)?;
    channel_of(document, at)?;
    match (curve_mut(document, at)?, value) {
        (Curve::Scalar(ScalarCurve::Keyed(curve)), Value::Scalar(value)) => {
            set_key(
                &mut curve.keys,
                secs,
                |key| Key { value, ..*key },
                |before| Key {
                    interpolation: kind.unwrap_or_else(|| before.map(|key| key.interpolation).unwrap_or_default()),
                    ..Key::new(secs, value)
                },
            );
            Ok(())
        }
        (Curve::Rotation(RotationCurve::Keyed(curve)), Value::Rotation(rotation)) => {
            let is_new = curve.keys.index_near(secs, SAME_TIME_SECS).is_none();
            set_rotation(&mut curve.keys, secs, rotation);
            if let Some(kind) = kind.filter(|_| is_new) {
                set_rotation_kind(&mut curve.keys, secs, kind);
            }
            Ok(())
        }
        (Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)), _) => {
            Err(EditError::Sampled(at.path))
        }
        _ => Err(EditError::WrongKind(at.path)),
    }
}

/// Gives a new rotation key a step, or else not the step of the key before.
fn set_rotation_kind(keys: &mut Keys<RotationKey>, secs: f64, kind: Interpolation) {
    let Some(index) = keys.index_near(secs, SAME_TIME_SECS) else { return };
    let Some(key) = keys.get(index) else { return };
    let interpolation = match (kind, key.interpolation) {
        (Interpolation::Step, _) => RotationInterpolation::Step,
        (_, RotationInterpolation::Step) => RotationInterpolation::default(),
        (_, other) => other,
    };
    keys.replace_same_time(index, RotationKey { interpolation, ..key });
}

fn insert(document: &mut Document, at: CurveRef, new: &[Key]) -> Result<(), EditError> {
    channel_of(document, at)?;
    let keys = keyed_mut(document, at)?;
    for key in new {
        finite("a key's time", key.time)?;
        finite("a value", key.value)?;
        set_key(&mut keys.keys, key.time, |old| Key { time: old.time, ..*key }, |_| *key);
    }
    Ok(())
}

/// The scalar keys of a curve, made if need be.
pub(super) fn keyed_mut(document: &mut Document, at: CurveRef) -> Result<&mut KeyedCurve, EditError> {
    match curve_mut(document, at)? {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => Ok(curve),
        Curve::Scalar(ScalarCurve::Sampled(_)) => Err(EditError::Sampled(at.path)),
        Curve::Rotation(_) => Err(EditError::WrongKind(at.path)),
    }
}

fn delete(document: &mut Document, selected: &KeySelection) -> Result<(), EditError> {
    for (at, times) in selected.curves() {
        match existing_curve_mut(document, at)? {
            Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, .. })) => take(keys, at, times).map(|_| ())?,
            Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys })) => take(keys, at, times).map(|_| ())?,
            _ => return Err(EditError::Sampled(at.path)),
        }
        remove_if_empty(document, at);
    }
    Ok(())
}

/// When the curve's keys are shown.
pub(super) fn clock_of(document: &Document, curve: CurveRef) -> Clock {
    document.clip(curve.clip).map(|clip| clip.clock(curve.path.target)).unwrap_or_default()
}

/// Puts keys where a change of the time at which they are shown leads.
fn retime(document: &mut Document, selected: &KeySelection, change: impl Fn(f64) -> f64) -> Result<(), EditError> {
    shift_and_change(document, selected, change, Rotations::Stay, |_| {})
}

/// As [`retime`], and changes the scalar keys in the same pass.
fn shift_and_change(
    document: &mut Document,
    selected: &KeySelection,
    shift: impl Fn(f64) -> f64,
    rotations: Rotations,
    mut change: impl FnMut(&mut Key),
) -> Result<(), EditError> {
    for (at, times) in selected.curves() {
        let clock = clock_of(document, at);
        let map = |time: f64| clock.moved(time, &shift);
        let stays = times.iter().all(|time| map(*time) == *time);
        let mut bad = None;
        let mut changed = |key: &mut Key| {
            change(key);
            bad = bad.or((!key.value.is_finite()).then_some(key.value));
        };
        match existing_curve_mut(document, at)? {
            Curve::Scalar(ScalarCurve::Keyed(curve)) if stays => change_keys(&mut curve.keys, at, times, changed)?,
            Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                let mut moved = take(&mut curve.keys, at, times)?;
                for key in &mut moved {
                    key.time = map(key.time);
                    changed(key);
                }
                put(&mut curve.keys, moved);
            }
            Curve::Rotation(RotationCurve::Keyed(_)) if rotations == Rotations::Refused => {
                return Err(EditError::WrongKind(at.path));
            }
            Curve::Rotation(RotationCurve::Keyed(_)) if stays => {}
            Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys })) => {
                let moved = take(keys, at, times)?;
                put(keys, moved.into_iter().map(|key| RotationKey { time: map(key.time), ..key }).collect());
            }
            _ => return Err(EditError::Sampled(at.path)),
        }
        if let Some(value) = bad {
            return Err(EditError::BadNumber { what: "a value", value });
        }
    }
    Ok(())
}

/// What becomes of selected rotation keys where scalar ones are changed: refused, or moved in time alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rotations {
    Refused,
    Stay,
}

/// Changes scalar keys that keep their times.
fn change_scalar(
    document: &mut Document,
    selected: &KeySelection,
    mut change: impl FnMut(&mut Key),
) -> Result<(), EditError> {
    for (at, times) in selected.curves() {
        match existing_curve_mut(document, at)? {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                let mut bad = None;
                change_keys(&mut curve.keys, at, times, |key| {
                    change(key);
                    bad = bad.or((!key.value.is_finite()).then_some(key.value));
                })?;
                if let Some(value) = bad {
                    return Err(EditError::BadNumber { what: "a value", value });
                }
            }
            Curve::Rotation(RotationCurve::Keyed(_)) => return Err(EditError::WrongKind(at.path)),
            _ => return Err(EditError::Sampled(at.path)),
        }
    }
    Ok(())
}

/// Where scaled keys go, by the time at which they are shown.
struct ScaledTimes {
    rate: FrameRate,
    about: (f64, f64),
    /// Times before, in order, that go to a frame, and that frame's.
    onto: Vec<(f64, f64)>,
}

impl ScaledTimes {
    fn new(document: &Document, keys: &KeySelection, about: (f64, f64), frames: bool) -> Self {
        let mut scaled = Self { rate: document.settings.rate, about, onto: Vec::new() };
        // What stays as it is goes nowhere, off the frames as it may be.
        if !frames || about.1 == 1.0 {
            return scaled;
        }
        let mut onto: Vec<(f64, f64)> = Vec::new();
        for time in columns::times_of(document, keys) {
            let exact = scaled.exact(time);
            let frame = scaled.rate.snap(exact);
            match onto.last().copied().filter(|(_, taken)| *taken == frame) {
                Some((before, _)) if (scaled.exact(before) - frame).abs() <= (exact - frame).abs() => {}
                taken => {
                    if taken.is_some() {
                        onto.pop();
                    }
                    onto.push((time, frame));
                }
            }
        }
        scaled.onto = onto;
        scaled
    }

    fn exact(&self, time: f64) -> f64 {
        let (pivot, factor) = self.about;
        pivot + (time - pivot) * factor
    }

    fn of(&self, time: f64) -> f64 {
        if time == self.about.0 {
            return time;
        }
        let at = self.onto.partition_point(|(before, _)| *before < time - columns::COLUMN_SECS);
        let onto = self.onto.get(at).filter(|(before, _)| *before <= time + columns::COLUMN_SECS);
        onto.map_or_else(|| on_frame(self.rate, self.exact(time)), |(_, frame)| *frame)
    }
}

fn scale(
    document: &mut Document,
    keys: &KeySelection,
    (pivot, stretch): (f64, f64),
    (level, rise): (f64, f64),
    frames: bool,
) -> Result<(), EditError> {
    for number in [pivot, stretch, level, rise] {
        finite("a scale", number)?;
    }
    if stretch == 0.0 {
        return Err(EditError::BadNumber { what: "a scale in time", value: stretch });
    }
    let scaled = ScaledTimes::new(document, keys, (pivot, stretch), frames);
    let handle = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) => Handle::Aligned(dt * stretch, dv * rise),
        Handle::Free(dt, dv) => Handle::Free(dt * stretch, dv * rise),
        derived => derived,
    };
    // Rotations have no value to scale, and their keys have no handles.
    let rotations = if rise == 1.0 { Rotations::Stay } else { Rotations::Refused };
    shift_and_change(
        document,
        keys,
        |time| scaled.of(time),
        rotations,
        |key| {
            key.value = level + (key.value - level) * rise;
            (key.handle_in, key.handle_out) = (handle(key.handle_in), handle(key.handle_out));
            if stretch < 0.0 {
                std::mem::swap(&mut key.handle_in, &mut key.handle_out);
            }
        },
    )
}

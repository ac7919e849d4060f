//! What a curve does beyond its keys.

use super::segment;
use crate::model::{Extrapolation, Key, KeyedCurve};

/// A time brought within the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wrapped {
    /// The time within the keys to evaluate there, or none where `value` and `slope` say all.
    pub inside: Option<f64>,
    /// To be added to the value inside.
    pub value: f64,
    /// To be multiplied with the slope inside; the whole slope where there is no inside.
    pub slope: f64,
}

impl Wrapped {
    fn inside(time: f64) -> Self {
        Self { inside: Some(time), value: 0.0, slope: 1.0 }
    }

    fn done(value: f64, slope: f64) -> Self {
        Self { inside: None, value, slope }
    }
}

/// Brings a time within the keys by the curve's extrapolation. None for an empty curve or a time that is not finite.
pub(super) fn wrap(curve: &KeyedCurve, time: f64) -> Option<Wrapped> {
    let (first, last) = (curve.keys.first()?, curve.keys.last()?);
    if !time.is_finite() {
        return None;
    }
    if curve.keys.len() == 1 {
        return Some(Wrapped::done(first.value, 0.0));
    }
    Some(if time < first.time {
        beyond(curve, time, first, curve.pre, 0)
    } else if time > last.time {
        beyond(curve, time, last, curve.post, curve.keys.len() - 2)
    } else {
        Wrapped::inside(time)
    })
}

/// A time before the first or after the last key, `end`, next to the segment at `end_segment`.
fn beyond(curve: &KeyedCurve, time: f64, end: &Key, kind: Extrapolation, end_segment: usize) -> Wrapped {
    match kind {
        Extrapolation::Constant => Wrapped::done(end.value, 0.0),
        Extrapolation::Linear => {
            let slope = segment(curve, end_segment).map_or(0.0, |segment| segment.slope(end.time));
            // A vertical end has no line to go on with.
            let slope = if slope.is_finite() { slope } else { 0.0 };
            Wrapped::done(end.value + slope * (time - end.time), slope)
        }
        Extrapolation::Cycle => turn(curve, time, 0.0, false),
        Extrapolation::CycleOffset => {
            let rise = match (curve.keys.first(), curve.keys.last()) {
                (Some(first), Some(last)) => last.value - first.value,
                _ => 0.0,
            };
            turn(curve, time, rise, false)
        }
        Extrapolation::Mirror => turn(curve, time, 0.0, true),
    }
}

/// Turn number `n` (0 is the keys themselves, negative before them) holds the times from `n` up to but not including
/// `n + 1` lengths after the first key; it adds `n` rises, and every odd one runs backwards if they alternate.
fn turn(curve: &KeyedCurve, time: f64, rise: f64, alternate: bool) -> Wrapped {
    let (Some(first), Some(last)) = (curve.keys.first(), curve.keys.last()) else { return Wrapped::done(0.0, 0.0) };
    let length = last.time - first.time;
    let turns = ((time - first.time) / length).floor();
    let passed = (time - first.time - turns * length).clamp(0.0, length);
    let backwards = alternate && turns.rem_euclid(2.0) >= 1.0;
    let inside = if backwards { last.time - passed } else { first.time + passed };
    Wrapped {
        inside: Some(inside.clamp(first.time, last.time)),
        value: if rise == 0.0 { 0.0 } else { turns * rise },
        slope: if backwards { -1.0 } else { 1.0 },
    }
}

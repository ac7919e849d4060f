//! What a curve does beyond its keys.

use super::span::Point;
use crate::model::{Extrapolation, KeyedCurve};

/// What extrapolation needs to know of a curve of at least one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ends {
    pub first: Point,
    pub last: Point,
    pre: Extrapolation,
    post: Extrapolation,
}

impl Ends {
    /// The ends of a curve, or none where it has no key.
    #[inline]
    pub(super) fn of(curve: &KeyedCurve) -> Option<Self> {
        let (first, last) = Point::ends(curve)?;
        Some(Self { first, last, pre: curve.pre, post: curve.post })
    }
}

/// Which end of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

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

/// Brings a time within the keys by the curve's extrapolation; `slope_at` gives the slope at an end. None for a time
/// that is not finite.
#[inline]
pub(super) fn wrap(ends: &Ends, time: f64, slope_at: impl FnOnce(End) -> f64) -> Option<Wrapped> {
    if ends.first.time <= time && time <= ends.last.time && ends.first.time < ends.last.time {
        return Some(Wrapped::inside(time));
    }
    outside(ends, time, slope_at)
}

/// A time before the first or after the last key, or any time of a lone key.
fn outside(ends: &Ends, time: f64, slope_at: impl FnOnce(End) -> f64) -> Option<Wrapped> {
    if !time.is_finite() {
        return None;
    }
    if ends.first.time == ends.last.time {
        return Some(Wrapped::done(ends.first.value, 0.0));
    }
    let (kind, end, which) =
        if time < ends.first.time { (ends.pre, ends.first, End::First) } else { (ends.post, ends.last, End::Last) };
    Some(match kind {
        Extrapolation::Constant => Wrapped::done(end.value, 0.0),
        Extrapolation::Linear => {
            let slope = slope_at(which);
            // A vertical end has no line to go on with.
            let slope = if slope.is_finite() { slope } else { 0.0 };
            Wrapped::done(end.value + slope * (time - end.time), slope)
        }
        Extrapolation::Cycle => turn(ends, time, 0.0, false),
        Extrapolation::CycleOffset => turn(ends, time, ends.last.value - ends.first.value, false),
        Extrapolation::Mirror => turn(ends, time, 0.0, true),
    })
}

/// Turn number `n` (0 is the keys themselves, negative before them) holds the times from `n` up to but not including
/// `n + 1` lengths after the first key; it adds `n` rises, and every odd one runs backwards if they alternate.
fn turn(ends: &Ends, time: f64, rise: f64, alternate: bool) -> Wrapped {
    let (first, last) = (ends.first.time, ends.last.time);
    let length = last - first;
    let turns = ((time - first) / length).floor();
    let passed = (time - first - turns * length).clamp(0.0, length);
    let backwards = alternate && turns.rem_euclid(2.0) >= 1.0;
    let inside = if backwards { last - passed } else { first + passed };
    Wrapped {
        inside: Some(inside.clamp(first, last)),
        value: if rise == 0.0 { 0.0 } else { turns * rise },
        slope: if backwards { -1.0 } else { 1.0 },
    }
}

//! The keys that a segment is made from.

use super::search::Place;
use crate::model::{Extrapolation, Key, KeyedCurve};

/// A time and a value: what a scheme needs to know of a neighbouring key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Seconds.
    pub time: f64,
    /// The curve's unit.
    pub value: f64,
}

impl Point {
    /// Time and value of a key.
    #[must_use]
    pub const fn of(key: &Key) -> Self {
        Self { time: key.time, value: key.value }
    }

    /// The slope of the chord to a later point, per second.
    #[must_use]
    pub fn slope_to(self, later: Self) -> f64 {
        (later.value - self.value) / (later.time - self.time)
    }
}

/// Two neighbouring keys of a curve, and the way to the keys around them.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    /// The whole curve.
    pub curve: &'a KeyedCurve,
    /// The key the segment starts from.
    pub start: &'a Key,
    /// The key it runs to, later than `start`.
    pub end: &'a Key,
    per_sec: f64,
    place: Place,
    /// The keys of the chunk that `start` is in: neighbours are mostly found there.
    chunk: &'a [Key],
}

impl<'a> Span<'a> {
    /// The span from the key at a place, or none where it is the last.
    #[inline]
    pub(super) fn new(curve: &'a KeyedCurve, place: Place) -> Option<Self> {
        let chunk: &[Key] = place.chunk(&curve.keys)?;
        let start = chunk.get(place.within())?;
        let end = match chunk.get(place.within() + 1) {
            Some(end) => end,
            None => place.next(&curve.keys)?.key(&curve.keys)?,
        };
        Some(Self { curve, start, end, per_sec: 1.0 / (end.time - start.time), place, chunk })
    }

    /// The length of the span, seconds, more than 0.
    #[must_use]
    pub fn secs(&self) -> f64 {
        self.end.time - self.start.time
    }

    /// One over the length, per second; infinite for keys nearer than the smallest normal number.
    #[must_use]
    pub fn per_sec(&self) -> f64 {
        self.per_sec
    }

    /// The key before `start`. At the start of a curve that closes (see [`closes`]) it is the one around the seam, else
    /// there is none.
    #[must_use]
    #[inline]
    pub fn before(&self) -> Option<Point> {
        if let Some(key) = self.place.within().checked_sub(1).and_then(|i| self.chunk.get(i)) {
            return Some(Point::of(key));
        }
        match self.place.previous(&self.curve.keys) {
            Some(place) => place.key(&self.curve.keys).map(Point::of),
            None => before_seam(self.curve),
        }
    }

    /// The key after `end`, as [`Span::before`].
    #[must_use]
    #[inline]
    pub fn after(&self) -> Option<Point> {
        if let Some(key) = self.chunk.get(self.place.within() + 2) {
            return Some(Point::of(key));
        }
        let keys = &self.curve.keys;
        match self.place.next(keys).and_then(|end| end.next(keys)) {
            Some(place) => place.key(keys).map(Point::of),
            None => after_seam(self.curve),
        }
    }
}

/// Whether the curve's end joins its start: it cycles on both sides, and without a step (its ends are equal, or each
/// turn starts where the last one ended). Slopes at its end keys are then taken around the seam, so that a loop has no
/// kink there.
fn closes(curve: &KeyedCurve, first: Point, last: Point) -> bool {
    match (curve.pre, curve.post) {
        (Extrapolation::CycleOffset, Extrapolation::CycleOffset) => true,
        (Extrapolation::Cycle | Extrapolation::CycleOffset, Extrapolation::Cycle | Extrapolation::CycleOffset) => {
            (last.value - first.value).abs() <= 1e-9 * (1.0 + first.value.abs())
        }
        _ => false,
    }
}

/// The last key but one, moved by a turn to stand before the first.
fn before_seam(curve: &KeyedCurve) -> Option<Point> {
    let (first, last) = (Point::of(curve.keys.first()?), Point::of(curve.keys.last()?));
    if !closes(curve, first, last) {
        return None;
    }
    let previous = Point::of(curve.keys.get(curve.keys.len().checked_sub(2)?)?);
    Some(Point { time: first.time - (last.time - previous.time), value: first.value - (last.value - previous.value) })
}

/// The second key, moved by a turn to stand after the last.
fn after_seam(curve: &KeyedCurve) -> Option<Point> {
    let (first, last) = (Point::of(curve.keys.first()?), Point::of(curve.keys.last()?));
    if !closes(curve, first, last) {
        return None;
    }
    let next = Point::of(curve.keys.get(1)?);
    Some(Point { time: last.time + (next.time - first.time), value: last.value + (next.value - first.value) })
}

//! The keys that a segment is made from.

use super::search::Place;
use crate::model::{
    Extrapolation, Handle, Interpolation, Key, KeyedCurve,
    key_store::{Chunk, KeyShape},
};

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

    /// Time and value of a key of a chunk.
    #[inline]
    pub(super) fn in_chunk(chunk: &Chunk<Key>, index: usize) -> Option<Self> {
        Some(Self { time: *chunk.times().get(index)?, value: chunk.value(index)? })
    }

    /// The first and the last key of a curve.
    #[inline]
    pub(super) fn ends(curve: &KeyedCurve) -> Option<(Self, Self)> {
        let chunks = curve.keys.chunks();
        let last = chunks.last()?;
        Some((Self::in_chunk(chunks.first()?, 0)?, Self::in_chunk(last, last.len().checked_sub(1)?)?))
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
    pub start: Point,
    /// The key it runs to, later than `start`.
    pub end: Point,
    /// How the segment runs.
    pub interpolation: Interpolation,
    per_sec: f64,
    place: Place,
    /// The keys of the chunk that `start` is in: neighbours are mostly found there.
    chunk: &'a Chunk<Key>,
    /// Where `end` is.
    end_place: Place,
}

impl<'a> Span<'a> {
    /// The span from the key at a place, or none where it is the last.
    #[inline]
    pub(super) fn new(curve: &'a KeyedCurve, place: Place) -> Option<Self> {
        let chunk = place.chunk(&curve.keys)?;
        let (value, interpolation) = chunk.core(place.within())?;
        let start = Point { time: *chunk.times().get(place.within())?, value };
        let (end_place, end) = match Point::in_chunk(chunk, place.within() + 1) {
            Some(end) => (place.on(), end),
            None => {
                let next = place.next(&curve.keys)?;
                (next, Point::in_chunk(next.chunk(&curve.keys)?, next.within())?)
            }
        };
        Some(Self { curve, start, end, interpolation, per_sec: 1.0 / (end.time - start.time), place, chunk, end_place })
    }

    /// The index of the first key.
    #[must_use]
    pub fn index(&self) -> usize {
        self.place.index(&self.curve.keys)
    }

    /// The handle after the first key, and whether it counts by its slope alone.
    #[must_use]
    #[inline]
    pub fn handle_out(&self) -> (Handle, bool) {
        self.chunk.handle_out(self.place.within())
    }

    /// The handle before the second key, and whether it counts by its slope alone.
    #[must_use]
    #[inline]
    pub fn handle_in(&self) -> (Handle, bool) {
        match self.end_place.chunk(&self.curve.keys) {
            Some(chunk) => chunk.handle_in(self.end_place.within()),
            None => (Handle::AutoClamped, false),
        }
    }

    /// The numbers of cardinal, TCB and Hermite segments and of eases at the first key.
    #[must_use]
    pub fn start_shape(&self) -> KeyShape {
        self.chunk.shape(self.place.within())
    }

    /// The same at the second key.
    #[must_use]
    pub fn end_shape(&self) -> KeyShape {
        let chunk = self.end_place.chunk(&self.curve.keys);
        chunk.map(|chunk| chunk.shape(self.end_place.within())).unwrap_or_default()
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

    /// The key before `start`. At the start of a curve that closes (see `closes`) it is the one around the seam, else
    /// there is none.
    #[must_use]
    #[inline]
    pub fn before(&self) -> Option<Point> {
        if let Some(point) = self.place.within().checked_sub(1).and_then(|i| Point::in_chunk(self.chunk, i)) {
            return Some(point);
        }
        let keys = &self.curve.keys;
        match self.place.previous(keys) {
            Some(place) => Point::in_chunk(place.chunk(keys)?, place.within()),
            None => before_seam(self.curve),
        }
    }

    /// The key after `end`, as [`Span::before`].
    #[must_use]
    #[inline]
    pub fn after(&self) -> Option<Point> {
        if let Some(point) = Point::in_chunk(self.chunk, self.place.within() + 2) {
            return Some(point);
        }
        let keys = &self.curve.keys;
        match self.end_place.next(keys) {
            Some(place) => Point::in_chunk(place.chunk(keys)?, place.within()),
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
    let (first, last) = Point::ends(curve)?;
    if !closes(curve, first, last) {
        return None;
    }
    let previous = Point::of(&curve.keys.get(curve.keys.len().checked_sub(2)?)?);
    Some(Point { time: first.time - (last.time - previous.time), value: first.value - (last.value - previous.value) })
}

/// The second key, moved by a turn to stand after the last.
fn after_seam(curve: &KeyedCurve) -> Option<Point> {
    let (first, last) = Point::ends(curve)?;
    if !closes(curve, first, last) {
        return None;
    }
    let next = Point::of(&curve.keys.get(1)?);
    Some(Point { time: last.time + (next.time - first.time), value: last.value + (next.value - first.value) })
}

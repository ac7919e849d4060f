//! Curves evaluated: keyed scalars with an interpolation per key, sampled scalars, rotations.
//!
//! A segment between two keys is first prepared ([`Segment`]: neighbours looked up, handles and slopes derived, all of
//! it turned into polynomials) and then evaluated any number of times. How a segment is prepared is the business of its
//! scheme, one file and one row of the table in [`schemes`]; search, extrapolation and evaluation know no scheme.
//!
//! Schemes that make the whole curve at once ([`whole`]) are worked out once for the keys and kept with them; modifiers
//! ([`modify`]) act on the values that come out.
//!
//! Conventions: at a key the segment that starts there is evaluated, at the last key the one that ends there. An empty
//! curve has no value, and a time that is not finite gives none.

pub mod continuity;
pub mod convert;
pub mod ease_of;
mod extent;
mod extrapolate;
mod handles;
mod integral;
mod many;
mod measured;
pub mod modify;
mod prepared;
pub mod rotation;
pub mod sampled;
pub mod schemes;
mod search;
mod segment;
pub mod simplify;
pub mod simplify_rotation;
mod slopes;
mod span;
mod support;
pub mod whole;

pub use extent::extent;
pub use handles::{KeyHandles, handles_used};
pub use integral::Integral;
pub use many::values;
pub use prepared::PreparedCurve;
pub use segment::{Segment, Shape};
pub use slopes::{cardinal_slope, catmull_rom_slope, kochanek_bartels_numbers, kochanek_bartels_slopes};
pub use span::{Point, Span};
pub use support::local_support;
pub use whole::{Fit, FitReport};

use crate::model::KeyedCurve;
use extrapolate::{End, Ends};
use search::Place;

/// Half the distance of the values whose difference is the slope of a curve with modifiers, seconds.
const NEAR: f64 = 1e-5;

/// Where the last evaluation was, with its segment prepared: evaluation in order then finds its segment at once.
///
/// A cursor belongs to one value of a curve. After an edit of the curve (its `Arc` is another), start a new one.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    place: Place,
    segment: Option<Segment>,
}

/// The value of a curve at a time (seconds). None for an empty curve or a time that is not finite.
#[must_use]
pub fn value(curve: &KeyedCurve, time: f64) -> Option<f64> {
    value_with(curve, time, &mut Cursor::default())
}

/// [`value`] with a cursor, for many times in order.
#[must_use]
#[inline]
pub fn value_with(curve: &KeyedCurve, time: f64, cursor: &mut Cursor) -> Option<f64> {
    if !curve.modifiers.is_empty() {
        return modify::modified(&curve.modifiers, time, &mut |time| unmodified_with(curve, time, cursor));
    }
    unmodified_with(curve, time, cursor)
}

/// The value of a curve at a time without its modifiers.
#[must_use]
#[inline]
pub fn unmodified_with(curve: &KeyedCurve, time: f64, cursor: &mut Cursor) -> Option<f64> {
    match &cursor.segment {
        Some(segment) if segment.contains(time) => Some(segment.value(time)),
        _ => elsewhere(curve, time, cursor),
    }
}

/// The value of a time outside the cursor's segment.
fn elsewhere(curve: &KeyedCurve, time: f64, cursor: &mut Cursor) -> Option<f64> {
    if cursor.segment.is_some()
        && let Some(place) = search::following(&curve.keys, time, cursor.place)
    {
        return Some(cursor.move_to(curve, place)?.value(time));
    }
    let ends = Ends::of(curve)?;
    let wrapped = extrapolate::wrap(&ends, time, |end| end_slope(curve, end))?;
    Some(match wrapped.inside {
        None => wrapped.value,
        Some(inside) => wrapped.value + cursor.value_inside(curve, &ends, inside)?,
    })
}

/// Value and slope (per second) of a curve at a time. Where a Bezier segment is vertical the slope is infinite; beyond
/// the keys it is that of the extrapolation.
#[must_use]
pub fn value_and_slope(curve: &KeyedCurve, time: f64) -> Option<(f64, f64)> {
    value_and_slope_with(curve, time, &mut Cursor::default())
}

/// [`value_and_slope`] with a cursor, for many times in order.
#[must_use]
pub fn value_and_slope_with(curve: &KeyedCurve, time: f64, cursor: &mut Cursor) -> Option<(f64, f64)> {
    if !curve.modifiers.is_empty() {
        let mut at = |time| value_with(curve, time, cursor);
        return Some((at(time)?, (at(time + NEAR)? - at(time - NEAR)?) / (2.0 * NEAR)));
    }
    let ends = Ends::of(curve)?;
    let wrapped = extrapolate::wrap(&ends, time, |end| end_slope(curve, end))?;
    Some(match wrapped.inside {
        None => (wrapped.value, wrapped.slope),
        Some(inside) => {
            let value = wrapped.value + cursor.value_inside(curve, &ends, inside)?;
            (value, wrapped.slope * cursor.segment_at(curve, inside)?.slope(inside))
        }
    })
}

/// The prepared segment from the key at an index to the next, or none for the last key and beyond.
#[must_use]
pub fn segment(curve: &KeyedCurve, index: usize) -> Option<Segment> {
    let place = Place::of_index(&curve.keys, index)?;
    Some(Segment::prepare(&Span::new(curve, place)?))
}

/// The slope at an end of a curve of at least two keys.
fn end_slope(curve: &KeyedCurve, end: End) -> f64 {
    let segment = match end {
        End::First => segment(curve, 0),
        End::Last => curve.keys.len().checked_sub(2).and_then(|index| segment(curve, index)),
    };
    segment.map_or(0.0, |segment| segment.slope(if end == End::First { segment.start() } else { segment.end() }))
}

impl Cursor {
    /// Prepares the segment at a place.
    fn move_to(&mut self, curve: &KeyedCurve, place: Place) -> Option<&Segment> {
        self.place = place;
        self.segment = Some(Segment::prepare(&Span::new(curve, place)?));
        self.segment.as_ref()
    }

    /// The segment that holds a time within the keys.
    fn segment_at(&mut self, curve: &KeyedCurve, time: f64) -> Option<&Segment> {
        if self.segment.as_ref().is_some_and(|segment| segment.contains(time)) {
            return self.segment.as_ref();
        }
        let place = search::locate(&curve.keys, time)?;
        self.move_to(curve, place)
    }

    /// The value of a time within the keys.
    fn value_inside(&mut self, curve: &KeyedCurve, ends: &Ends, time: f64) -> Option<f64> {
        // The last key belongs to no segment of its own, and a step before it has another value.
        if time == ends.last.time {
            return Some(ends.last.value);
        }
        Some(self.segment_at(curve, time)?.value(time))
    }
}

#[cfg(test)]
mod tests;

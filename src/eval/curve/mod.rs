//! Curves evaluated: keyed scalars with an interpolation per key, sampled scalars, rotations.
//!
//! A segment between two keys is first prepared ([`Segment`]: neighbours looked up, handles and slopes derived, all of
//! it turned into polynomials) and then evaluated any number of times. How a segment is prepared is the business of its
//! scheme, one file and one row of the table in [`schemes`]; search, extrapolation and evaluation know no scheme.
//!
//! Conventions: at a key the segment that starts there is evaluated, at the last key the one that ends there. An empty
//! curve has no value, and a time that is not finite gives none.

mod extrapolate;
mod handles;
pub mod rotation;
pub mod sampled;
pub mod schemes;
mod search;
mod segment;
mod slopes;
mod span;

pub use handles::{KeyHandles, handles_used};
pub use segment::{Segment, Shape};
pub use slopes::{cardinal_slope, catmull_rom_slope, kochanek_bartels_slopes};
pub use span::{Point, Span};

use crate::model::KeyedCurve;
use search::Place;

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
    match &cursor.segment {
        Some(segment) if segment.contains(time) => Some(segment.value(time)),
        _ => elsewhere(curve, time, cursor),
    }
}

/// The value of a time outside the cursor's segment.
fn elsewhere(curve: &KeyedCurve, time: f64, cursor: &mut Cursor) -> Option<f64> {
    let wrapped = extrapolate::wrap(curve, time)?;
    Some(match wrapped.inside {
        None => wrapped.value,
        Some(inside) => wrapped.value + value_inside(curve, inside, cursor)?,
    })
}

/// The value of a time within the keys.
fn value_inside(curve: &KeyedCurve, time: f64, cursor: &mut Cursor) -> Option<f64> {
    // The last key belongs to no segment of its own, and a step before it has another value.
    let last = curve.keys.last()?;
    if time == last.time {
        return Some(last.value);
    }
    Some(segment_at(curve, time, cursor)?.value(time))
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
    let wrapped = extrapolate::wrap(curve, time)?;
    Some(match wrapped.inside {
        None => (wrapped.value, wrapped.slope),
        Some(inside) => {
            let value = wrapped.value + value_inside(curve, inside, cursor)?;
            (value, wrapped.slope * segment_at(curve, inside, cursor)?.slope(inside))
        }
    })
}

/// The prepared segment from the key at an index to the next, or none for the last key and beyond.
#[must_use]
pub fn segment(curve: &KeyedCurve, index: usize) -> Option<Segment> {
    let place = Place::of_index(&curve.keys, index)?;
    Some(Segment::prepare(&Span::new(curve, place)?))
}

/// The segment that holds a time within the keys, prepared and kept in the cursor.
fn segment_at<'c>(curve: &KeyedCurve, time: f64, cursor: &'c mut Cursor) -> Option<&'c Segment> {
    if !cursor.segment.as_ref().is_some_and(|segment| segment.contains(time)) {
        cursor.place = search::locate(&curve.keys, time, cursor.place)?;
        cursor.segment = Some(Segment::prepare(&Span::new(curve, cursor.place)?));
    }
    cursor.segment.as_ref()
}

#[cfg(test)]
mod tests;

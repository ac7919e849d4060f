//! Bezier handles as they act: derived ones computed, long ones shortened.

use super::{
    search::Place,
    slopes::catmull_rom_slope,
    span::{Point, Span},
};
use crate::model::{Handle, KeyedCurve};

/// The length of derived handles, as a part of their segment: with both at a third, time runs evenly.
pub(super) const THIRD: f64 = 1.0 / 3.0;

/// A handle within its segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// Its length in time as a part of the segment, 0..=1.
    pub part: f64,
    /// Its value above the key's.
    pub rise: f64,
}

impl Reach {
    fn along(slope: f64, secs: f64) -> Self {
        Self { part: THIRD, rise: slope * secs * THIRD }
    }

    /// A stored handle, its length as a part of the segment; one longer than the segment is shortened along its own direction to the segment, which keeps
    /// time running forward. One that points the wrong way keeps no length in time.
    /// With `unweighted` its slope alone counts.
    fn stored(part: f64, dv: f64, unweighted: bool) -> Self {
        if unweighted {
            // A vertical handle has no slope: its height stays.
            return Self { part: THIRD, rise: if part > 0.0 { dv / part * THIRD } else { dv } };
        }
        if part > 1.0 { Self { part: 1.0, rise: dv / part } } else { Self { part: part.max(0.0), rise: dv } }
    }
}

/// The handle after the first key of a span.
pub(super) fn reach_out(span: &Span<'_>) -> Reach {
    let (start, secs) = (span.start, span.secs());
    let (handle, unweighted) = span.handle_out();
    match handle {
        Handle::Vector => Reach { part: THIRD, rise: THIRD * (span.end.value - span.start.value) },
        Handle::Aligned(dt, dv) | Handle::Free(dt, dv) => Reach::stored(dt * span.per_sec(), dv, unweighted),
        Handle::Auto => Reach::along(catmull_rom_slope(span.before(), start, Some(span.end)), secs),
        Handle::AutoClamped => Reach::along(clamped_slope(span.before(), start, Some(span.end)), secs),
    }
}

/// The handle before the second key of a span; its rise is above that key.
pub(super) fn reach_in(span: &Span<'_>) -> Reach {
    let (end, secs) = (span.end, span.secs());
    let (handle, unweighted) = span.handle_in();
    let back = |slope: f64| Reach::along(-slope, secs);
    match handle {
        Handle::Vector => Reach { part: THIRD, rise: THIRD * (span.start.value - span.end.value) },
        Handle::Aligned(dt, dv) | Handle::Free(dt, dv) => Reach::stored(-dt * span.per_sec(), dv, unweighted),
        Handle::Auto => back(catmull_rom_slope(Some(span.start), end, span.after())),
        Handle::AutoClamped => back(clamped_slope(Some(span.start), end, span.after())),
    }
}

/// The slope of an auto-clamped handle: Catmull-Rom's, but 0 at extremes and ends and at most three times either chord's,
/// so that the handles' values stay between the keys' and the curve cannot overshoot.
fn clamped_slope(before: Option<Point>, here: Point, after: Option<Point>) -> f64 {
    let (Some(before), Some(after)) = (before, after) else { return 0.0 };
    let (left, right) = (before.slope_to(here), here.slope_to(after));
    // Signs are compared and not a product's, which may vanish.
    if left == 0.0 || right == 0.0 || (left > 0.0) != (right > 0.0) {
        return 0.0;
    }
    let limit = 3.0 * left.abs().min(right.abs());
    before.slope_to(after).clamp(-limit, limit)
}

/// The handles of a key as they act on the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyHandles {
    /// The offset `(seconds, value)` of the handle before the key, seconds at most 0; none at the first key.
    pub before: Option<(f64, f64)>,
    /// The offset of the handle after the key, seconds at least 0; none at the last key.
    pub after: Option<(f64, f64)>,
}

/// The handles of the key at an index as they act: derived kinds computed, stored ones longer than the gap shortened.
/// Each is given whether or not its segment is a Bezier one. None where there is no such key.
#[must_use]
pub fn handles_used(curve: &KeyedCurve, index: usize) -> Option<KeyHandles> {
    let place = Place::of_index(&curve.keys, index)?;
    let before = place.previous(&curve.keys).and_then(|previous| Span::new(curve, previous)).map(|span| {
        let reach = reach_in(&span);
        (-reach.part * span.secs(), reach.rise)
    });
    let after = Span::new(curve, place).map(|span| {
        let reach = reach_out(&span);
        (reach.part * span.secs(), reach.rise)
    });
    Some(KeyHandles { before, after })
}

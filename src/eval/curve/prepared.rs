//! A whole curve prepared at once, for evaluation at any time without a cursor.

use super::{
    Segment, Span,
    extrapolate::{End, Ends, wrap},
    modify::modified,
    search::{Place, guess, last_at_or_before},
};
use crate::model::{KeyedCurve, Modifier};

/// A curve with every segment prepared. It takes about 130 bytes a key and the time of preparing each once, so it is for
/// curves of a few thousand keys that are evaluated more often than edited. It gives the values of
/// [`super::value`] bit for bit.
#[derive(Clone, Debug)]
pub struct PreparedCurve {
    /// None for a curve without keys.
    ends: Option<Ends>,
    /// The time of every key.
    times: Vec<f64>,
    segments: Vec<Segment>,
    modifiers: Vec<Modifier>,
}

impl PreparedCurve {
    /// Prepares every segment of a curve.
    #[must_use]
    pub fn new(curve: &KeyedCurve) -> Self {
        let mut segments = Vec::with_capacity(curve.keys.len());
        let mut at = Some(Place::default());
        while let Some(place) = at {
            segments.extend(Span::new(curve, place).map(|span| Segment::prepare(&span)));
            at = place.next(&curve.keys);
        }
        Self {
            ends: Ends::of(curve),
            times: curve.keys.times().collect(),
            segments,
            modifiers: curve.modifiers.clone(),
        }
    }

    /// The value at a time, seconds. None for a curve without keys or a time that is not finite.
    #[must_use]
    #[inline]
    pub fn value(&self, time: f64) -> Option<f64> {
        if self.modifiers.is_empty() {
            return self.unmodified(time);
        }
        modified(&self.modifiers, time, &mut |time| self.unmodified(time))
    }

    #[inline]
    fn unmodified(&self, time: f64) -> Option<f64> {
        let ends = self.ends.as_ref()?;
        let wrapped = wrap(ends, time, |end| self.end_slope(end))?;
        let Some(inside) = wrapped.inside else { return Some(wrapped.value) };
        if inside == ends.last.time {
            return Some(wrapped.value + ends.last.value);
        }
        let from = guess(inside, ends.first.time, ends.last.time, self.segments.len());
        let last = self.segments.len().saturating_sub(1);
        let index = last_at_or_before(self.segments.len(), |i| self.times[i], from.min(last), inside);
        Some(wrapped.value + self.segments.get(index)?.value(inside))
    }

    fn end_slope(&self, end: End) -> f64 {
        match end {
            End::First => self.segments.first().map_or(0.0, |segment| segment.slope(segment.start())),
            End::Last => self.segments.last().map_or(0.0, |segment| segment.slope(segment.end())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::curve::value;
    use crate::model::{Extrapolation, Handle, Interpolation, Key};

    #[test]
    fn a_prepared_curve_is_the_curve() {
        for kind in Extrapolation::ALL {
            for count in [0, 1, 2, 5, 1_300] {
                let keys = (0..count).map(|i| Key {
                    interpolation: Interpolation::ALL[i % Interpolation::ALL.len()],
                    handle_out: if i % 2 == 0 { Handle::Free(0.4, 0.3) } else { Handle::Auto },
                    tension: 0.3,
                    ..Key::new(i as f64 + (i as f64).sin() * 0.3, (i as f64 * 0.7).cos())
                });
                let curve = KeyedCurve { keys: keys.collect(), pre: kind, post: kind, ..KeyedCurve::default() };
                let prepared = PreparedCurve::new(&curve);
                for i in -500..1_500 {
                    let time = f64::from(i) * 0.917;
                    assert_eq!(prepared.value(time), value(&curve, time), "{kind:?} {count} {time}");
                }
                for time in curve.keys.iter().map(|key| key.time).chain([f64::NAN, f64::INFINITY]) {
                    assert_eq!(prepared.value(time), value(&curve, time));
                }
            }
        }
    }
}

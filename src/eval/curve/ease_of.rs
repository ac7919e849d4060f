//! The ease that a segment is: to be kept as a preset.

use super::{convert::segment_handles, segment};
use crate::model::{EasePreset, EaseShape, Interpolation, KeyedCurve, Scheme};

/// Why a segment is no ease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEase {
    /// It is the last key: no segment starts there.
    NoSegment,
    /// It starts and ends at one value: there is nothing to be eased.
    Level,
}

/// How far a value may be from another of the curve's size and count as the same: a millionth.
const LEVEL: f64 = 1e-6;

/// The ease of the segment from the key at an index to the next: its own where it is one, else the CSS Bezier with its
/// handles, which has a Bezier's or any other cubic's shape exactly.
///
/// # Errors
/// [`NoEase`].
pub fn ease_of(curve: &KeyedCurve, index: usize) -> Result<(Interpolation, EaseShape), NoEase> {
    let (start, end) = curve.keys.get(index).zip(curve.keys.get(index + 1)).ok_or(NoEase::NoSegment)?;
    if curve.scheme == Scheme::PerKey && EasePreset::can_be(start.interpolation) {
        return Ok((start.interpolation, start.ease));
    }
    let segment = segment(curve, index).ok_or(NoEase::NoSegment)?;
    let (secs, rise) = (end.time - start.time, end.value - start.value);
    let [out, into] = segment_handles(&segment);
    let largest = start.value.abs().max(end.value.abs()).max(out.1.abs()).max(into.1.abs());
    if rise.abs() <= LEVEL * largest || secs <= 0.0 {
        return Err(NoEase::Level);
    }
    let css = [out.0 / secs, out.1 / rise, 1.0 + into.0 / secs, 1.0 + into.1 / rise];
    // Handles as they act lie within the segment but for rounding.
    let css = [css[0].clamp(0.0, 1.0), css[1].clamp(-1e6, 1e6), css[2].clamp(0.0, 1.0), css[3].clamp(-1e6, 1e6)];
    // Without a minus before zero.
    let css = css.map(|number| number + 0.0);
    Ok((Interpolation::Css, EaseShape { css, ..EaseShape::PLAIN }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::value,
        model::{Handle, Key},
    };

    /// Whatever the segment was, the preset on the same two keys runs as it did.
    #[test]
    fn the_ease_runs_as_the_segment_did() {
        let key = |time: f64, value: f64| Key {
            handle_in: Handle::Free(-0.9, 0.4),
            handle_out: Handle::Free(0.6, -1.5),
            tension: 0.3,
            bias: 0.5,
            slope_in: 2.0,
            slope_out: -1.0,
            ..Key::new(time, value)
        };
        for interpolation in Interpolation::ALL {
            for scheme in [Scheme::PerKey, Scheme::Natural, Scheme::Monotone] {
                let keys = [(0.0, 1.0), (1.0, -2.0), (3.0, 3.0), (4.5, 3.5)].map(|(time, value)| key(time, value));
                let keys = keys.into_iter().map(|key| Key { interpolation, ..key });
                let curve = KeyedCurve { keys: keys.collect(), scheme, ..KeyedCurve::default() };
                let (kind, ease) = ease_of(&curve, 1).unwrap();
                let eased = [Key { interpolation: kind, ease, ..key(1.0, -2.0) }, key(3.0, 3.0)];
                let eased = KeyedCurve { keys: eased.into_iter().collect(), ..KeyedCurve::default() };
                for step in 0..100 {
                    let secs = f64::from(step).mul_add(0.02, 1.0);
                    let off = value(&eased, secs).unwrap() - value(&curve, secs).unwrap();
                    assert!(off.abs() < 1e-9, "{interpolation:?} {scheme:?} {secs}: {off}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_ease_says_why() {
        let keys = [Key::new(0.0, 1.0), Key::new(1.0, 1.0)];
        let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
        assert_eq!(ease_of(&curve, 0), Err(NoEase::Level));
        assert_eq!(ease_of(&curve, 1), Err(NoEase::NoSegment));
        assert_eq!(ease_of(&KeyedCurve::default(), 0), Err(NoEase::NoSegment));
    }
}

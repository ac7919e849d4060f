//! Curves of one kind as curves of another: their shape is kept where the other kind can hold it, and how far it is off is
//! measured where not.

use super::{Segment, Shape, extrapolate::Ends, segment, simplify::deviation, value_with};
use crate::model::{
    Curve, Extrapolation, FrameRate, Handle, Interpolation, Key, KeyedCurve, Samples, ScalarCurve, Scheme,
};

/// A converted curve and the greatest deviation from the one it was made of, own units.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The curve.
    pub curve: KeyedCurve,
    /// The greatest deviation found; about 1e-15 of the values where the conversion is exact.
    pub error: f64,
}

/// What keys may be converted to with their shape kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyForm {
    /// Bezier keys with handles set by hand.
    Bezier,
    /// Hermite keys with typed slopes.
    Hermite,
}

/// The curve with keys at the same times that run as Bezier or Hermite segments, under no whole-curve scheme: exact where
/// the segments are cubics of time (and for Bezier also those whose handles have lengths of their own), else by slopes.
/// Steps stay steps. Modifiers and extrapolation stay.
#[must_use]
pub fn to_form(curve: &KeyedCurve, form: KeyForm) -> Converted {
    let count = curve.keys.len();
    let mut keys: Vec<Key> = curve.keys.iter().collect();
    for index in 0..count.saturating_sub(1) {
        let Some(segment) = segment(curve, index) else { continue };
        let holds = curve.scheme == Scheme::PerKey
            && matches!(keys[index].interpolation, Interpolation::Step | Interpolation::Nearest);
        if holds {
            continue;
        }
        let handles = segment_handles(&segment);
        let (start, end) = keys.split_at_mut(index + 1);
        let (Some(start), Some(end)) = (start.last_mut(), end.first_mut()) else { continue };
        match form {
            KeyForm::Bezier => {
                start.interpolation = Interpolation::Bezier;
                start.handle_out = Handle::Free(handles[0].0, handles[0].1);
                end.handle_in = Handle::Free(handles[1].0, handles[1].1);
                start.unweighted = false;
                end.unweighted = false;
            }
            KeyForm::Hermite => {
                start.interpolation = Interpolation::Hermite;
                [start.slope_out, end.slope_in] = end_slopes(&segment);
            }
        }
    }
    let converted = KeyedCurve { keys: keys.into_iter().collect(), scheme: Scheme::PerKey, ..curve.clone() };
    measured(curve, converted)
}

/// The slopes at both ends of a segment, per second; 0 where one is vertical.
pub(super) fn end_slopes(segment: &Segment) -> [f64; 2] {
    let finite = |slope: f64| if slope.is_finite() { slope } else { 0.0 };
    [finite(segment.slope(segment.start())), finite(segment.slope(segment.end()))]
}

/// The two handles, `(seconds, value)` from their keys, with which a Bezier segment runs as a segment does: of one that is a
/// Bezier those that act, of others by their slopes.
pub(super) fn segment_handles(segment: &Segment) -> [(f64, f64); 2] {
    let secs = segment.end() - segment.start();
    match segment.shape() {
        Shape::Bezier { time, value } => {
            let lengths = time.handles();
            let [_, c1, c2, _] = value.c;
            let rise_out = c1 / 3.0;
            let end = value.value(1.0);
            let third = value.c[0] + 2.0 * c1 / 3.0 + c2 / 3.0;
            [(lengths[0] * secs, rise_out), (-lengths[1] * secs, third - end)]
        }
        _ => {
            let [out, into] = end_slopes(segment);
            [(secs / 3.0, out * secs / 3.0), (-secs / 3.0, -into * secs / 3.0)]
        }
    }
}

/// The curve under another scheme: keys stay as they are, and so do the values at them.
#[must_use]
pub fn to_scheme(curve: &KeyedCurve, scheme: Scheme) -> Converted {
    measured(curve, KeyedCurve { scheme, ..curve.clone() })
}

fn measured(before: &KeyedCurve, curve: KeyedCurve) -> Converted {
    let span = before.keys.first().zip(before.keys.last()).map_or(0.0, |(first, last)| last.time - first.time);
    let step = span / (before.keys.len().max(1) as f64 * 32.0);
    let error = if span > 0.0 { deviation(before, &curve, step) } else { 0.0 };
    Converted { curve, error }
}

/// The curve with a linear key at every frame of its keys' time, modifiers taken in, and the greatest deviation between the
/// frames. None without keys. Where modifiers act, what they do beyond the keys is a part of the motion: frames of `range`,
/// seconds, are keyed too, and the ends are held.
#[must_use]
pub fn bake(curve: &KeyedCurve, rate: FrameRate, range: (f64, f64)) -> Option<Converted> {
    let ends = Ends::of(curve)?;
    let modified = curve.modifiers.iter().any(|modifier| !modifier.muted);
    let (mut first, mut last) = (ends.first.time, ends.last.time);
    if modified && range.0 <= range.1 {
        (first, last) = (first.min(range.0), last.max(range.1));
    }
    let frames = (rate.frame_f64(first).floor(), rate.frame_f64(last).ceil());
    let (from, to) = (frames.0 as i64, frames.1 as i64);
    // More than a day at 240 frames a second is no bake anybody waits for.
    if to.saturating_sub(from) > 20_000_000 {
        return None;
    }
    let mut cursor = super::Cursor::default();
    let keys = (from..=to).filter_map(|frame| {
        let time = rate.secs(frame);
        let value = value_with(curve, time, &mut cursor)?;
        Some(Key { interpolation: Interpolation::Linear, ..Key::new(time, value) })
    });
    let [pre, post] = if modified { [Extrapolation::default(); 2] } else { [curve.pre, curve.post] };
    let baked = KeyedCurve { keys: keys.collect(), pre, post, ..KeyedCurve::default() };
    let error = deviation(curve, &baked, rate.frame_secs() / 8.0);
    Some(Converted { curve: baked, error })
}

/// A scalar curve with its modifiers taken in: a linear key a frame, as [`bake`] does it, samples as samples. None for
/// rotations and for curves without keys.
#[must_use]
pub fn bake_any(curve: &Curve, rate: FrameRate, range: (f64, f64)) -> Option<Curve> {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(keyed)) => {
            Some(Curve::Scalar(ScalarCurve::Keyed(bake(keyed, rate, range)?.curve)))
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            let at = |index| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
            let values: Option<Vec<f64>> =
                (0..samples.values.len()).map(|index| super::sampled::value(samples, at(index))).collect();
            Some(Curve::Scalar(ScalarCurve::Sampled(Samples::new(samples.start, samples.rate, values?.into()))))
        }
        Curve::Rotation(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::value,
        model::{Modifier, ModifierKind},
    };

    fn curve(interpolation: Interpolation, scheme: Scheme) -> KeyedCurve {
        let key = |(i, (time, value)): (usize, &(f64, f64))| Key {
            interpolation,
            handle_out: if i % 2 == 0 { Handle::Free(0.7, 1.0) } else { Handle::Auto },
            tension: 0.2,
            bias: -0.4,
            slope_in: 1.5,
            slope_out: -2.0,
            ..Key::new(*time, *value)
        };
        let keys = [(0.0, 1.0), (1.0, -2.0), (1.5, 3.0), (4.0, 3.5), (4.25, 0.0)];
        KeyedCurve { keys: keys.iter().enumerate().map(key).collect(), scheme, ..KeyedCurve::default() }
    }

    #[test]
    fn cubics_are_converted_exactly_and_others_say_by_how_much() {
        use Interpolation::{Cardinal, CatmullRom, Hermite, Linear, Quad, Quint, Sine, Smoothstep, Step, Tcb};
        for interpolation in [Step, Linear, CatmullRom, Cardinal, Tcb, Hermite, Smoothstep, Interpolation::Bezier] {
            let found = to_form(&curve(interpolation, Scheme::PerKey), KeyForm::Bezier);
            assert!(found.error < 1e-12, "{interpolation:?} {}", found.error);
            if interpolation != Interpolation::Bezier {
                assert!(to_form(&curve(interpolation, Scheme::PerKey), KeyForm::Hermite).error < 1e-12);
            }
        }
        for scheme in [Scheme::Natural, Scheme::Clamped(1.0, 2.0), Scheme::NotAKnot, Scheme::Periodic, Scheme::Monotone]
        {
            for form in [KeyForm::Bezier, KeyForm::Hermite] {
                assert!(to_form(&curve(Linear, scheme), form).error < 1e-12, "{scheme:?}");
            }
        }
        for interpolation in [Quint, Sine, Quad] {
            let before = curve(interpolation, Scheme::PerKey);
            let found = to_form(&before, KeyForm::Bezier);
            let at = |time| (value(&before, time).unwrap() - value(&found.curve, time).unwrap()).abs();
            let worst = (0..=4_250).map(|i| at(f64::from(i) * 1e-3)).fold(0.0, f64::max);
            assert!((found.error - worst).abs() < 0.02 * worst, "{interpolation:?}");
        }
    }

    #[test]
    fn switching_schemes_and_back_changes_no_key() {
        let before = curve(Interpolation::Tcb, Scheme::PerKey);
        for scheme in Scheme::ALL {
            let there = to_scheme(&before, scheme);
            for key in before.keys.iter() {
                assert!((value(&there.curve, key.time).unwrap() - key.value).abs() <= 1e-12, "{scheme:?}");
            }
            assert_eq!(to_scheme(&there.curve, Scheme::PerKey).curve, before);
        }
    }

    #[test]
    fn baking_meets_every_frame() {
        let before = curve(Interpolation::Elastic, Scheme::PerKey);
        let baked = bake(&before, FrameRate::FPS_24, (-9.0, 9.0)).unwrap();
        for frame in 0..=102 {
            let time = FrameRate::FPS_24.secs(frame);
            assert_eq!(value(&baked.curve, time), value(&before, time));
        }
        assert!(baked.error > 0.0 && bake(&KeyedCurve::default(), FrameRate::FPS_24, (0.0, 1.0)).is_none());
        assert_eq!(baked.curve.keys.len(), 103, "no more than its keys' time where nothing acts beyond");
    }

    /// Cycles go on where there are no keys: baked, they still do as far as the clip goes.
    #[test]
    fn what_modifiers_do_beyond_the_keys_is_baked() {
        let cycles =
            ModifierKind::Cycles { start: 0.0, end: 4.25, before: true, after: true, offset: true, mirror: false };
        let modifiers = vec![Modifier::new(cycles)];
        let before = KeyedCurve { modifiers, ..curve(Interpolation::Linear, Scheme::PerKey) };
        let baked = bake(&before, FrameRate::FPS_24, (-2.0, 12.0)).unwrap().curve;
        for frame in -48..=288 {
            let time = FrameRate::FPS_24.secs(frame);
            assert_eq!(value(&baked, time), value(&before, time), "{frame}");
        }
    }
}

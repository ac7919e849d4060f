//! Curves with few keys within a given error of others with many.
//!
//! Each segment is the longest cubic from where the last one ended ([`crate::math::fit`]), its slopes the least-squares ones, or
//! where that does as well the slope the last one came in with.

use super::{Cursor, sampled, value_with};
use crate::{
    math::fit,
    model::{Handle, Key, KeyedCurve, ScalarCurve},
    progress::{Cancelled, Progress},
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most samples a curve is read at.
const MOST_SAMPLES: f64 = 4e6;

/// A simplified curve, and how far it is from the one it was made of at the most, own units.
#[derive(Clone, Debug, PartialEq)]
pub struct Simplified {
    /// The curve: Bezier keys.
    pub curve: KeyedCurve,
    /// The greatest deviation found, never above the bound asked for.
    pub error: f64,
}

/// Keys through samples whose curve stays within `bound` (own units, at least 0) of the straight lines between the samples,
/// everywhere and not only at them. Times increase strictly; values are finite. The first and the last sample are met.
#[must_use]
pub fn fit(times: &[f64], values: &[f64], bound: f64) -> Simplified {
    let last = times.len().min(values.len()).saturating_sub(1);
    let (times, values) = (times.get(..=last).unwrap_or(times), values.get(..=last).unwrap_or(values));
    let samples = fit::Samples { at: times, values: values.as_chunks::<1>().0, bound: |_| bound };
    let mut keys: Vec<Key> = values.first().zip(times.first()).map(|(v, t)| Key::new(*t, *v)).into_iter().collect();
    let (mut start, mut came_in, mut error) = (0, None, 0.0_f64);
    while start < last {
        let free = samples.longest(start, None).unwrap_or_else(|| samples.straight(start));
        // Where the slope that came in does as well, it goes on.
        let on = came_in.and_then(|slope| samples.piece(start, free.count, Some(slope)));
        let piece = on.unwrap_or(free);
        let end = start + piece.count;
        let third = (times[end] - times[start]) / 3.0;
        let [[out], [arriving]] = piece.slopes;
        let smooth = came_in.is_some_and(|slope| slope == piece.slopes[0]);
        if let Some(key) = keys.last_mut() {
            let (dt, dv) = (third, third * out);
            key.handle_out = if smooth { Handle::Aligned(dt, dv) } else { Handle::Free(dt, dv) };
            if smooth && let Handle::Free(dt, dv) = key.handle_in {
                key.handle_in = Handle::Aligned(dt, dv);
            }
        }
        keys.push(Key { handle_in: Handle::Free(-third, -third * arriving), ..Key::new(times[end], values[end]) });
        error = error.max(piece.error);
        came_in = Some(piece.slopes[1]);
        start = end;
    }
    Simplified { curve: KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() }, error }
}

/// A curve with its modifiers simplified within `bound` over its keys' time. `step` is the distance of the places it is read
/// at, seconds, above 0; samples are read at their own. None for a curve without two keys or samples.
#[must_use]
pub fn simplify(curve: &ScalarCurve, step: f64, bound: f64) -> Option<Simplified> {
    let (times, values) = read(curve, step)?;
    let mut simplified = fit(&times, &values, bound);
    let ScalarCurve::Keyed(keyed) = curve else { return Some(simplified) };
    // What lies beyond the keys stays what it was.
    (simplified.curve.pre, simplified.curve.post) = (keyed.pre, keyed.post);
    // What lies between the places it was read at counts too.
    let found = deviation(keyed, &simplified.curve, step / 4.0);
    if found <= bound {
        return Some(Simplified { error: found.max(simplified.error), ..simplified });
    }
    let (times, values) = read(curve, step / 8.0)?;
    let mut finer = fit(&times, &values, bound * 0.5);
    (finer.curve.pre, finer.curve.post) = (keyed.pre, keyed.post);
    let found = deviation(keyed, &finer.curve, step / 32.0);
    Some(if found <= bound {
        Simplified { error: found, ..finer }
    } else {
        // It jumps: no cubic follows. It stays as it is.
        Simplified { curve: keyed.clone(), error: 0.0 }
    })
}

/// The greatest difference of two curves over the first one's keys' time, read at places so far apart, seconds, and at the
/// first one's keys.
#[must_use]
pub fn deviation(a: &KeyedCurve, b: &KeyedCurve, step: f64) -> f64 {
    let Some((start, end)) = a.keys.first().zip(a.keys.last()).map(|(first, last)| (first.time, last.time)) else {
        return 0.0;
    };
    let (mut in_a, mut in_b) = (Cursor::default(), Cursor::default());
    let count = ((end - start) / step).ceil().clamp(1.0, MOST_SAMPLES) as u64;
    let places = (0..=count).map(|i| (end - start).mul_add(i as f64 / count as f64, start));
    let mut off = |time: f64| match (value_with(a, time, &mut in_a), value_with(b, time, &mut in_b)) {
        (Some(a), Some(b)) => (a - b).abs(),
        _ => 0.0,
    };
    let even = places.map(&mut off).fold(0.0, f64::max);
    a.keys.times().map(off).fold(even, f64::max)
}

/// Times and values of a curve, read evenly and at its keys; samples at their own times.
fn read(curve: &ScalarCurve, step: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    match curve {
        ScalarCurve::Sampled(samples) => {
            let frame = |index: usize| samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
            let times: Vec<f64> = (0..samples.values.len()).map(|index| samples.start + frame(index)).collect();
            let values: Option<Vec<f64>> = if samples.modifiers.is_empty() {
                Some(samples.values.to_vec())
            } else {
                times.iter().map(|time| sampled::value(samples, *time)).collect()
            };
            (times.len() > 1).then_some((times, values?))
        }
        ScalarCurve::Keyed(keyed) => {
            let (start, end) = (keyed.keys.first()?.time, keyed.keys.last()?.time);
            let count = ((end - start) / step).ceil().clamp(1.0, MOST_SAMPLES) as u64;
            let mut times: Vec<f64> =
                (0..=count).map(|i| (end - start).mul_add(i as f64 / count as f64, start)).collect();
            times.extend(keyed.keys.times());
            times.sort_by(f64::total_cmp);
            times.dedup();
            let mut cursor = Cursor::default();
            let values: Option<Vec<f64>> = times.iter().map(|time| value_with(keyed, *time, &mut cursor)).collect();
            (times.len() > 1).then_some((times, values?))
        }
    }
}

/// Simplifies many curves, on all processors, in order: each with the distance of its places (seconds) and its bound.
///
/// # Errors
/// Where someone asked to stop.
pub fn simplify_all(
    curves: &[(&ScalarCurve, f64, f64)],
    progress: &Progress,
) -> Result<Vec<Option<Simplified>>, Cancelled> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Option<Simplified>)>> = Mutex::new(Vec::with_capacity(curves.len()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((curve, step, bound)) = curves.get(index) else { return };
            if progress.is_cancelled() {
                return;
            }
            let simplified = simplify(curve, *step, *bound);
            progress.advance(1);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, simplified));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(curves.len()).max(1);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    progress.check()?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, simplified)| simplified).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::value,
        model::{Extrapolation, FrameRate, Interpolation, Samples},
    };

    fn wave(i: u32) -> f64 {
        let x = f64::from(i);
        (x * 0.05).sin() + 0.3 * (x * 0.31).cos() + 0.002 * f64::from(i.wrapping_mul(2_654_435_761) >> 24) / 256.0
    }

    #[test]
    fn the_bound_is_kept_everywhere_and_keys_are_few() {
        let samples = Samples::new(1.0, FrameRate::FPS_24, (0..2_000).map(wave).collect());
        let mut before = usize::MAX;
        for bound in [1e-6, 1e-3, 0.01, 0.1, 10.0] {
            let simplified = simplify(&ScalarCurve::Sampled(samples.clone()), 1.0, bound).unwrap();
            let mut worst = 0.0_f64;
            for i in 0..=20_000 {
                let time = 1.0 + f64::from(i) / 20_000.0 * 1_999.0 / 24.0;
                let off = value(&simplified.curve, time).unwrap() - sampled::value(&samples, time).unwrap();
                worst = worst.max(off.abs());
            }
            assert!(worst <= bound + 1e-12 && simplified.error <= bound, "{worst} over {bound}");
            assert!(worst <= simplified.error + 1e-12);
            let count = simplified.curve.keys.len();
            assert!(count <= before);
            before = count;
        }
        assert_eq!(before, 2);
        let few = simplify(&ScalarCurve::Sampled(samples), 1.0, 0.01).unwrap().curve.keys.len();
        assert!(few < 400, "{few}");
    }

    #[test]
    fn one_cubic_comes_back_as_one() {
        let values: Vec<f64> =
            (0..=100).map(|i| f64::from(i) / 100.0).map(|u| 1.0 + u * (2.0 + u * (u * 5.0 - 6.0))).collect();
        let times: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.04).collect();
        // The chords between the samples leave the cubic by 2.25e-4.
        let found = fit(&times, &values, 5e-4);
        assert_eq!(found.curve.keys.len(), 2);
        assert!(value(&found.curve, 2.0).is_some_and(|v| (v - (1.0 + 0.5 * (2.0 + 0.5 * (2.5 - 6.0)))).abs() < 1e-6));
    }

    #[test]
    fn keyed_curves_of_every_kind_keep_the_bound_or_stay() {
        for interpolation in Interpolation::ALL {
            let key = |i: u32| Key { interpolation, ..Key::new(f64::from(i) * 0.37, wave(i * 3)) };
            let (pre, post) = (Extrapolation::Cycle, Extrapolation::Linear);
            let curve = KeyedCurve { keys: (0..12).map(key).collect(), pre, post, ..KeyedCurve::default() };
            let simplified = simplify(&ScalarCurve::Keyed(curve.clone()), 1.0 / 24.0, 0.02).unwrap();
            assert_eq!((simplified.curve.pre, simplified.curve.post), (pre, post));
            let off = deviation(&curve, &simplified.curve, 1e-3);
            assert!(off <= 0.02 + 1e-9, "{interpolation:?} {off}");
        }
        assert!(simplify(&ScalarCurve::Keyed(KeyedCurve::default()), 1.0, 0.1).is_none());
    }

    #[test]
    fn many_are_done_in_order_and_stopped_when_asked() {
        let all: Vec<ScalarCurve> = (0..40)
            .map(|n| ScalarCurve::Sampled(Samples::new(0.0, FrameRate::FPS_24, (0..50 + n).map(wave).collect())))
            .collect();
        let asked: Vec<_> = all.iter().map(|curve| (curve, 1.0, 0.01)).collect();
        let found = simplify_all(&asked, &Progress::new()).unwrap();
        let alone: Vec<_> = asked.iter().map(|(curve, step, bound)| simplify(curve, *step, *bound)).collect();
        assert_eq!(found, alone);
        let stopped = Progress::new();
        stopped.cancel();
        assert_eq!(simplify_all(&asked, &stopped), Err(Cancelled));
    }
}

//! Quaternion tracks with few keys within a given angle of others with many.
//!
//! Greedy, as for numbers (see [`super::simplify`]): each segment is the longest arc that stays within the angle, turned at
//! constant speed.
//!
//! Between two places that are read the deviation is bounded too. With `p` and `q` unit quaternions that run along great circles
//! at `a` and `b` radians a second, `e = p - q` has `e'' = -a^2 e + (b^2 - a^2) q`, so that over `h` seconds
//! `|e| <= max(|e(0)|, |e(h)|) + h^2 / 8 * (a^2 |e| + |b^2 - a^2|)` (a linear interpolant's error). Captured tracks run so between
//! their samples: for them the bound is never exceeded. Keyed ones are taken as running so between the places read.

use super::{
    rotation::{RotationCursor, rotation_with},
    sampled,
};
use crate::{
    math::{Quat, rotation::slerp},
    model::{KeyKind, KeyedRotation, RotationCurve, RotationInterpolation, RotationKey},
};
use std::f64::consts::PI;

/// The most places a track is read at.
const MOST_SAMPLES: f64 = 4e6;

/// A simplified track, and how far it is from the one it was made of at the most.
#[derive(Clone, Debug, PartialEq)]
pub struct SimplifiedRotation {
    /// The track: keys turned between at constant speed.
    pub curve: KeyedRotation,
    /// The greatest deviation found, radians, never above the bound asked for.
    pub error: f64,
}

/// A track simplified within `bound` radians over its keys' time. `step` is the distance of the places a keyed one is read at,
/// seconds, above 0; each is read between those too. None for a track without two keys or samples. Where nothing within the
/// bound is found, every place read keeps a key.
#[must_use]
pub fn simplify_rotation(track: &RotationCurve, step: f64, bound: f64) -> Option<SimplifiedRotation> {
    let (times, stride) = places(track, step)?;
    let mut cursor = RotationCursor::default();
    let rotations: Option<Vec<Quat>> = times
        .iter()
        .map(|time| match track {
            RotationCurve::Keyed(keyed) => rotation_with(keyed, *time, &mut cursor),
            RotationCurve::Sampled(samples) => sampled::rotation(samples, *time),
        })
        .collect();
    let run = Run { times: &times, rotations: &rotations?, bound, stride };
    let key = |index: usize| RotationKey {
        time: run.times[index],
        rotation: run.rotations[index],
        interpolation: RotationInterpolation::Slerp,
        kind: KeyKind::default(),
    };
    let (mut keys, mut start, mut error) = (vec![key(0)], 0, 0.0_f64);
    while start + 1 < times.len() {
        let (end, off) = run.longest(start);
        keys.push(key(end));
        error = error.max(off);
        start = end;
    }
    Some(SimplifiedRotation { curve: KeyedRotation { keys: keys.into_iter().collect() }, error })
}

/// The times a track is read at, in order, and how many of them lie from one that may keep a key to the next.
fn places(track: &RotationCurve, step: f64) -> Option<(Vec<f64>, usize)> {
    let main: Vec<f64> = match track {
        RotationCurve::Keyed(keyed) => {
            let (start, end) = (keyed.keys.first()?.time, keyed.keys.last()?.time);
            let count = ((end - start) / step).ceil().clamp(1.0, MOST_SAMPLES) as u64;
            let mut times: Vec<f64> =
                (0..=count).map(|i| (end - start).mul_add(i as f64 / count as f64, start)).collect();
            times.extend(keyed.keys.times());
            times.sort_by(f64::total_cmp);
            times.dedup();
            times
        }
        RotationCurve::Sampled(samples) => {
            let at = |index| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
            (0..samples.values.len()).map(at).collect()
        }
    };
    if main.len() < 2 {
        return None;
    }
    let between =
        main.windows(2).flat_map(|pair| (0..4).map(move |i| (pair[1] - pair[0]).mul_add(f64::from(i) / 4.0, pair[0])));
    let times = between.chain(main.last().copied()).collect();
    Some((times, 4))
}

struct Run<'a> {
    times: &'a [f64],
    rotations: &'a [Quat],
    bound: f64,
    /// Only every so many-th place may keep a key.
    stride: usize,
}

impl Run<'_> {
    /// The end of the longest arc from a place, and how far it is off: lengths are doubled until one fails, then the border is
    /// halved in.
    fn longest(&self, start: usize) -> (usize, f64) {
        let most = (self.times.len() - 1 - start) / self.stride;
        let of = |count: usize| self.arc(start, start + count * self.stride);
        // The shortest stands whatever it is off.
        let mut best = (1, of(1).unwrap_or_else(|off| off));
        let (mut step, mut failed) = (2, most + 1);
        while step <= most {
            match of(step) {
                Ok(off) => best = (step, off),
                Err(_) => {
                    failed = step;
                    break;
                }
            }
            step = if step == most { most + 1 } else { (2 * step).min(most) };
        }
        while best.0 + 1 < failed {
            let middle = usize::midpoint(best.0, failed);
            match of(middle) {
                Ok(off) => best = (middle, off),
                Err(_) => failed = middle,
            }
        }
        (start + best.0 * self.stride, best.1)
    }

    /// How far an arc between two places is off at the most, radians; as an error where that is above the bound.
    fn arc(&self, start: usize, end: usize) -> Result<f64, f64> {
        let secs = self.times[end] - self.times[start];
        let (from, to) = (&self.rotations[start], &self.rotations[end]);
        let speed = from.angle_to(to) / 2.0 / secs;
        let (mut worst, mut before) = (0.0_f64, 0.0_f64);
        for index in start + 1..=end {
            let part = (self.times[index] - self.times[start]) / secs;
            let here = &self.rotations[index];
            let off = if index == end { 0.0 } else { slerp(from, to, part).angle_to(here) };
            let step = self.times[index] - self.times[index - 1];
            let own = self.rotations[index - 1].angle_to(here) / 2.0 / step;
            worst = worst.max(between(before.max(off), step, speed, own));
            before = off;
            if worst > self.bound && end - start > self.stride {
                return Err(worst);
            }
        }
        if worst <= self.bound { Ok(worst) } else { Err(worst) }
    }
}

/// How far two rotations may be apart between two places, radians, that are at most `ends` apart there; they turn at constant
/// speeds, given in radians of their quaternions a second.
fn between(ends: f64, secs: f64, speed: f64, own: f64) -> f64 {
    let reach = secs * secs / 8.0;
    let (chord, curl) = (2.0 * (ends / 4.0).sin(), reach * (own * own - speed * speed).abs());
    // Rounding of equal speeds is no deviation.
    if curl <= f64::EPSILON {
        return ends;
    }
    // Past half a turn the other way is the nearer one, and the two quaternions are no longer near each other's signs.
    if ends + 2.0 * (speed + own) * secs >= PI {
        return PI;
    }
    let held = (1.0 - reach * speed * speed).max(0.1);
    4.0 * ((chord + curl) / held / 2.0).min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::rotation::rotation,
        math::{Vec3, rotation::from_axis_angle},
        model::{FrameRate, RotationSamples},
    };

    fn noisy(i: u32) -> Quat {
        let x = f64::from(i);
        let noise = f64::from(i.wrapping_mul(2_654_435_761) >> 24) / 256.0 * 0.01;
        from_axis_angle(&Vec3::y(), 2.0 * (x * 0.03).sin() + noise) * from_axis_angle(&Vec3::x(), (x * 0.05).cos())
    }

    #[test]
    fn the_angle_is_never_exceeded_and_keys_are_few() {
        let samples = RotationSamples { start: 1.0, rate: FrameRate::FPS_24, values: (0..1_000).map(noisy).collect() };
        let track = RotationCurve::Sampled(samples.clone());
        let mut before = usize::MAX;
        for bound in [1e-4, 1e-3, 0.02, 0.2, 4.0] {
            let found = simplify_rotation(&track, 1.0, bound).unwrap();
            let off = |i: u32| {
                let time = 1.0 + f64::from(i) / 40_000.0 * 999.0 / 24.0;
                rotation(&found.curve, time).unwrap().angle_to(&sampled::rotation(&samples, time).unwrap())
            };
            let worst = (0..=40_000).map(off).fold(0.0, f64::max);
            assert!(found.error <= bound && worst <= found.error + 1e-12, "{worst} {} over {bound}", found.error);
            assert!(found.curve.keys.len() <= before);
            before = found.curve.keys.len();
        }
        assert_eq!(before, 2);
    }

    #[test]
    fn keyed_tracks_keep_turning_and_few_keys_are_none() {
        let key = |(i, angle): (usize, &f64)| RotationKey {
            time: i as f64,
            rotation: from_axis_angle(&Vec3::z(), *angle),
            interpolation: RotationInterpolation::Slerp,
            kind: KeyKind::default(),
        };
        let spin = KeyedRotation { keys: [0.0, 2.0, 4.0, 6.0, 8.0].iter().enumerate().map(key).collect() };
        let found = simplify_rotation(&RotationCurve::Keyed(spin.clone()), 1.0 / 24.0, 1e-3).unwrap();
        let off = |i: i32| {
            let time = f64::from(i) * 0.01;
            rotation(&spin, time).unwrap().angle_to(&rotation(&found.curve, time).unwrap())
        };
        assert!((0..=400).map(off).fold(0.0, f64::max) < 1e-3 && found.curve.keys.len() <= 5);
        assert!(simplify_rotation(&RotationCurve::Keyed(KeyedRotation::default()), 1.0, 0.1).is_none());
    }
}

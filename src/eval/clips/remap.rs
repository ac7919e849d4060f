//! Curves at other times: `t' = factor * t + shift`, a negative factor running them backwards.
//!
//! Keyed curves stay keyed where their interpolations can say the same in the other direction (nearly all: the sides of a
//! key are exchanged, slopes divided by the factor, a bias is turned round, an ease in is one out). Each result is compared
//! with what it was made of; where they differ, as held keys run backwards do, the curve has a value a frame instead.

use crate::{
    eval::{
        curve::{rotation, sampled, value},
        dense::{poses, remade},
    },
    math::{
        Quat,
        easing::EaseMode,
        rotation::{chord_angle, make_continuous},
    },
    model::{
        Clip, ClipId, Curve, Document, FrameRange, FrameRate, Handle, Interpolation, Key, KeyedCurve, KeyedRotation,
        Keys, ObjectId, RotationCurve, RotationInterpolation, RotationKey, RotationSamples, RotationTangents, Samples,
        ScalarCurve, Scheme,
    },
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

/// An affine change of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeMap {
    /// What seconds are multiplied by; finite and not 0. Below 0 time runs backwards.
    pub factor: f64,
    /// What is added then, seconds; finite.
    pub shift: f64,
    /// Times that come within rounding of a frame are put on it.
    pub rate: FrameRate,
}

/// How near to a frame counts as on it, seconds: rounding.
const ON_FRAME: f64 = 1e-9;
/// How far a curve may be from what it was made of, in its own units or as a part of its values: rounding.
const SAME: f64 = 1e-9;
/// Where in a segment the two are compared.
const PLACES: [f64; 5] = [0.12, 0.31, 0.47, 0.69, 0.88];

impl TimeMap {
    /// The time backwards within a range of frames.
    #[must_use]
    pub fn reversed(range: FrameRange, rate: FrameRate) -> Self {
        Self { factor: -1.0, shift: rate.secs(range.first) + rate.secs(range.last), rate }
    }

    /// The time that takes a range of frames to a number of frames from its first on.
    #[must_use]
    pub fn scaled(range: FrameRange, last: i64, rate: FrameRate) -> Option<Self> {
        let (first, old) = (rate.secs(range.first), rate.secs(range.last) - rate.secs(range.first));
        let factor = (rate.secs(last) - first) / old;
        (factor.is_finite() && factor > 0.0).then_some(Self { factor, shift: first - factor * first, rate })
    }

    /// Where a time comes to.
    #[must_use]
    pub fn at(&self, secs: f64) -> f64 {
        let to = self.factor * secs + self.shift;
        let frame = self.rate.snap(to);
        if (frame - to).abs() <= ON_FRAME { frame } else { to }
    }

    /// From where a time comes.
    #[must_use]
    pub fn back(&self, secs: f64) -> f64 {
        (secs - self.shift) / self.factor
    }

    fn backwards(&self) -> bool {
        self.factor < 0.0
    }

    /// A stretch of time, first end first.
    fn range(&self, (from, to): (f64, f64)) -> (f64, f64) {
        let (a, b) = (self.at(from), self.at(to));
        if a <= b { (a, b) } else { (b, a) }
    }
}

/// A clip at other times, over a range of frames. Corrections and retimes of joints, whose shapes are of their own times, are
/// put into curves of a value a frame first. None where there is no such clip.
///
/// # Errors
/// Where someone asks to stop.
pub fn remapped(
    document: &Document,
    clip: ClipId,
    map: TimeMap,
    range: FrameRange,
    progress: &Progress,
) -> Result<Option<Clip>, Cancelled> {
    let Some(found) = document.clip(clip) else { return Ok(None) };
    let mut plain = (**found).clone();
    let mut layered: Vec<ObjectId> = plain.retimes.iter().map(|retime| retime.object).collect();
    layered.extend(plain.corrections.iter().flat_map(|c| c.deltas.keys().map(|path| path.target.object())));
    layered.sort_unstable();
    layered.dedup();
    for object in layered {
        let rig = document.object(object).and_then(|found| found.as_rig());
        let Some(rig) = rig else { continue };
        let Some(poses) = poses(document, (object, clip), progress)? else { continue };
        let rate = document.settings.rate;
        let grid = crate::eval::dense::Grid { object, start: rate.secs(plain.range.first), rate };
        plain = remade(&plain, object, grid.of_poses(&rig.skeleton, &poses));
    }
    let mut channels = plain.channels.clone();
    for curve in channels.values_mut() {
        progress.check()?;
        *curve = Arc::new(remapped_curve(curve, &map));
    }
    let mut markers = plain.markers.clone();
    markers.iter_mut().for_each(|marker| marker.time = map.at(marker.time));
    let mut unkeyed = plain.unkeyed.clone();
    unkeyed.iter_mut().for_each(|frame| frame.time = map.at(frame.time));
    unkeyed.sort_by(|a, b| a.time.total_cmp(&b.time));
    let pins = plain.pins.iter().map(|pin| {
        let mut moved = (**pin).clone();
        let (comes, goes) = (pin.ease.0 * map.factor.abs(), pin.ease.1 * map.factor.abs());
        moved.range = map.range(pin.range);
        moved.ease = if map.backwards() { (goes, comes) } else { (comes, goes) };
        Arc::new(moved)
    });
    let frame_time_text = plain.frame_time_text.clone().filter(|_| map.factor.abs() == 1.0);
    let pins = pins.collect();
    Ok(Some(Clip { range, channels, markers, unkeyed, pins, frame_time_text, ..plain }))
}

/// A curve at other times.
#[must_use]
pub fn remapped_curve(curve: &Curve, map: &TimeMap) -> Curve {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(keyed)) => {
            let moved = keyed_at(keyed, map);
            let same = moved.as_ref().is_some_and(|moved| is_same(keyed, moved, map));
            let scalar = moved.filter(|_| same).map(ScalarCurve::Keyed);
            let dense = || ScalarCurve::Sampled(sampled_at(curve, map, |secs| value(keyed, secs)));
            Curve::Scalar(scalar.unwrap_or_else(dense))
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            let plain = samples.modifiers.is_empty() && map.factor.abs() == 1.0;
            let of = |secs| sampled::value(samples, secs);
            let moved = if plain { turned_samples(samples, map) } else { sampled_at(curve, map, of) };
            Curve::Scalar(ScalarCurve::Sampled(moved))
        }
        Curve::Rotation(RotationCurve::Keyed(keyed)) => {
            let moved = rotation_at(keyed, map);
            if is_same_rotation(keyed, &moved, map) {
                return Curve::Rotation(RotationCurve::Keyed(moved));
            }
            let of = |secs| rotation::rotation(keyed, secs);
            Curve::Rotation(RotationCurve::Sampled(rotations_at(curve, map, of)))
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            let of = |secs| sampled::rotation(samples, secs);
            let moved =
                if map.factor.abs() == 1.0 { turned_rotations(samples, map) } else { rotations_at(curve, map, of) };
            Curve::Rotation(RotationCurve::Sampled(moved))
        }
    }
}

/// Keys at other times; none where something of the curve holds times of its own.
fn keyed_at(curve: &KeyedCurve, map: &TimeMap) -> Option<KeyedCurve> {
    if !curve.modifiers.is_empty() {
        return None;
    }
    let old: Vec<Key> = curve.keys.iter().collect();
    let count = old.len();
    let keys = old.iter().enumerate().map(|(index, key)| {
        let flip = |handle: Handle| match handle {
            Handle::Aligned(dt, dv) => Handle::Aligned(dt * map.factor, dv),
            Handle::Free(dt, dv) => Handle::Free(dt * map.factor, dv),
            other => other,
        };
        let mut key = Key {
            time: map.at(key.time),
            handle_in: flip(key.handle_in),
            handle_out: flip(key.handle_out),
            slope_in: key.slope_in / map.factor,
            slope_out: key.slope_out / map.factor,
            ..*key
        };
        if map.backwards() {
            std::mem::swap(&mut key.handle_in, &mut key.handle_out);
            std::mem::swap(&mut key.slope_in, &mut key.slope_out);
            key.bias = -key.bias;
            // What ran to the key runs from it now.
            let before = &old[(index + count - 1) % count];
            (key.interpolation, key.ease) = (before.interpolation, before.ease);
            key.ease.mode = match key.ease.mode {
                EaseMode::In => EaseMode::Out,
                EaseMode::Out => EaseMode::In,
                EaseMode::InOut => EaseMode::InOut,
            };
            if key.interpolation == Interpolation::Css {
                let [x1, y1, x2, y2] = key.ease.css;
                key.ease.css = [1.0 - x2, 1.0 - y2, 1.0 - x1, 1.0 - y1];
            }
        }
        key
    });
    let keys = Keys::from_unsorted(keys.collect()).0;
    let (pre, post) = if map.backwards() { (curve.post, curve.pre) } else { (curve.pre, curve.post) };
    let scheme = match curve.scheme {
        Scheme::Clamped(start, end) if map.backwards() => Scheme::Clamped(end / map.factor, start / map.factor),
        Scheme::Clamped(start, end) => Scheme::Clamped(start / map.factor, end / map.factor),
        other => other,
    };
    Some(KeyedCurve { keys, scheme, pre, post, modifiers: Vec::new() })
}

fn rotation_at(curve: &KeyedRotation, map: &TimeMap) -> KeyedRotation {
    let old: Vec<RotationKey> = curve.keys.iter().collect();
    let count = old.len();
    #[expect(clippy::cast_possible_truncation, reason = "tangents are kept in single precision")]
    let slower = |slopes: [f32; 4]| slopes.map(|slope| (f64::from(slope) / map.factor) as f32);
    let keys = old.iter().enumerate().map(|(index, key)| {
        let runs = if map.backwards() { old[(index + count - 1) % count].interpolation } else { key.interpolation };
        let interpolation = match runs {
            RotationInterpolation::Hermite(RotationTangents { out, into }) => {
                let (out, into) = if map.backwards() { (into, out) } else { (out, into) };
                RotationInterpolation::Hermite(RotationTangents { out: slower(out), into: slower(into) })
            }
            other => other,
        };
        RotationKey { time: map.at(key.time), interpolation, ..*key }
    });
    KeyedRotation { keys: Keys::from_unsorted(keys.collect()).0 }
}

/// The times at which a curve and one made of it are compared: within its segments and a little beyond both ends.
fn compared(times: &[f64]) -> Vec<f64> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let beyond = 0.1 + 0.37 * (last - first);
    let mut at = vec![first - beyond, last + beyond];
    at.extend(times);
    at.extend(times.windows(2).flat_map(|pair| PLACES.map(|place| pair[0] + place * (pair[1] - pair[0]))));
    at
}

fn is_same(old: &KeyedCurve, new: &KeyedCurve, map: &TimeMap) -> bool {
    let times: Vec<f64> = old.keys.times().collect();
    compared(&times).into_iter().all(|secs| match (value(old, secs), value(new, map.at(secs))) {
        (Some(was), Some(is)) => (was - is).abs() <= SAME * was.abs().max(1.0),
        (was, is) => was == is,
    })
}

fn is_same_rotation(old: &KeyedRotation, new: &KeyedRotation, map: &TimeMap) -> bool {
    // Tangents in single precision are not halved to the bit.
    const SINGLE: f64 = 1e-6;
    let times: Vec<f64> = old.keys.times().collect();
    let both = |secs: f64| (rotation::rotation(old, secs), rotation::rotation(new, map.at(secs)));
    compared(&times).into_iter().all(|secs| match both(secs) {
        (Some(was), Some(is)) => chord_angle(&was, &is) <= SINGLE,
        (was, is) => was == is,
    })
}

/// Where a value a frame begins that covers a curve at its other times, and how many there are.
fn grid_of(curve: &Curve, map: &TimeMap) -> (f64, u32) {
    /// More values than these are of no clip.
    const MOST: f64 = 1e7;
    let (from, to) = map.range(curve.span().unwrap_or_default());
    let first = map.rate.nearest_frame(from - 0.5 * map.rate.frame_secs() + 1e-7);
    let start = map.rate.secs(first);
    let count = ((to - start) / map.rate.frame_secs() - 1e-6).ceil().clamp(0.0, MOST);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let count = count as u32 + 1;
    (start, count)
}

fn sampled_at(curve: &Curve, map: &TimeMap, of: impl Fn(f64) -> Option<f64>) -> Samples {
    let (start, count) = grid_of(curve, map);
    let at = |index: u32| of(map.back(start + f64::from(index) * map.rate.frame_secs())).unwrap_or_default();
    Samples::new(start, map.rate, (0..count).map(at).collect())
}

fn rotations_at(curve: &Curve, map: &TimeMap, of: impl Fn(f64) -> Option<Quat>) -> RotationSamples {
    let (start, count) = grid_of(curve, map);
    let at = |index: u32| {
        let secs = start + f64::from(index) * map.rate.frame_secs();
        of(map.back(secs)).unwrap_or_else(Quat::identity)
    };
    let mut values: Vec<Quat> = (0..count).map(at).collect();
    make_continuous(&mut values);
    RotationSamples { start, rate: map.rate, values: values.into() }
}

/// The time of the first of samples that are moved or turned round as they are.
fn first_of(start: f64, rate: FrameRate, count: usize, map: &TimeMap) -> f64 {
    let last = start + rate.secs(i64::try_from(count.saturating_sub(1)).unwrap_or(i64::MAX));
    map.at(if map.backwards() { last } else { start })
}

fn turned_samples(samples: &Samples, map: &TimeMap) -> Samples {
    let mut values = samples.values.to_vec();
    if map.backwards() {
        values.reverse();
    }
    let start = first_of(samples.start, samples.rate, values.len(), map);
    Samples::new(start, samples.rate, values.into())
}

fn turned_rotations(samples: &RotationSamples, map: &TimeMap) -> RotationSamples {
    let mut values = samples.values.to_vec();
    if map.backwards() {
        values.reverse();
    }
    let start = first_of(samples.start, samples.rate, values.len(), map);
    RotationSamples { start, rate: samples.rate, values: values.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EaseShape, Extrapolation};
    use std::f64::consts::TAU;

    const RATE: FrameRate = FrameRate::FPS_24;

    fn key(frame: i64, value: f64, interpolation: Interpolation) -> Key {
        Key { interpolation, ..Key::new(RATE.secs(frame), value) }
    }

    fn keyed(keys: Vec<Key>) -> KeyedCurve {
        KeyedCurve { keys: Keys::from_unsorted(keys).0, ..KeyedCurve::default() }
    }

    /// Every interpolation but those that no key can hold backwards, with all the numbers they use.
    fn rich() -> KeyedCurve {
        let kinds = Interpolation::ALL.into_iter().filter(|kind| *kind != Interpolation::Step);
        let keys = kinds.enumerate().map(|(index, kind)| {
            let index = i64::try_from(index).unwrap();
            let value = (index as f64 * 1.7).sin();
            let ease = EaseShape { mode: EaseMode::In, css: [0.1, 0.3, 0.6, 0.9], power: 3.5, ..EaseShape::default() };
            Key {
                handle_in: Handle::Free(-0.07, 0.3),
                handle_out: Handle::Free(0.05, -0.2),
                tension: 0.3,
                continuity: -0.4,
                bias: 0.6,
                slope_in: 2.0,
                slope_out: -1.0,
                ease,
                ..key(index * 5 + index % 3, value, kind)
            }
        });
        KeyedCurve { pre: Extrapolation::Linear, post: Extrapolation::Cycle, ..keyed(keys.collect()) }
    }

    #[test]
    fn a_curve_backwards_is_itself_read_backwards_and_twice_is_the_same() {
        let map = TimeMap::reversed(FrameRange::new(0, 48), RATE);
        let curve = Curve::Scalar(ScalarCurve::Keyed(rich()));
        let back = remapped_curve(&curve, &map);
        let Curve::Scalar(ScalarCurve::Keyed(turned)) = &back else { panic!("keys are kept") };
        for place in 0..400 {
            let secs = -1.0 + f64::from(place) * 0.0181;
            let (was, is) = (value(&rich(), secs).unwrap(), value(turned, 2.0 - secs).unwrap());
            assert!((was - is).abs() < 1e-8, "{secs}: {was} {is}");
        }
        let twice = remapped_curve(&back, &map);
        let Curve::Scalar(ScalarCurve::Keyed(twice)) = twice else { panic!("keys are kept") };
        for (a, b) in twice.keys.iter().zip(rich().keys.iter()) {
            let (css, was) = (a.ease.css, b.ease.css);
            assert!(css.iter().zip(was).all(|(a, b)| (a - b).abs() < 1e-15));
            let plain = |key: Key| Key { ease: EaseShape { css: [0.0; 4], ..key.ease }, ..key };
            assert_eq!(plain(a), plain(b));
        }
        assert_eq!((twice.pre, twice.post), (Extrapolation::Linear, Extrapolation::Cycle));
    }

    #[test]
    fn held_keys_backwards_are_a_value_a_frame() {
        let held = keyed(vec![key(0, 1.0, Interpolation::Step), key(12, 2.0, Interpolation::Step)]);
        let map = TimeMap::reversed(FrameRange::new(0, 24), RATE);
        let back = remapped_curve(&Curve::Scalar(ScalarCurve::Keyed(held)), &map);
        let Curve::Scalar(ScalarCurve::Sampled(samples)) = &back else { panic!("{back:?}") };
        assert_eq!(samples.start, RATE.secs(12));
        assert_eq!(samples.values[..2], [2.0, 1.0]);
        assert_eq!(samples.values.len(), 13);
    }

    #[test]
    fn at_another_speed_slopes_go_with_it() {
        for last in [12, 96] {
            let map = TimeMap::scaled(FrameRange::new(0, 48), last, RATE).unwrap();
            let curve = Curve::Scalar(ScalarCurve::Keyed(rich()));
            let Curve::Scalar(ScalarCurve::Keyed(scaled)) = remapped_curve(&curve, &map) else { panic!("keyed") };
            for place in 0..200 {
                let secs = f64::from(place) * 0.021;
                let (was, is) = (value(&rich(), secs).unwrap(), value(&scaled, secs * map.factor).unwrap());
                assert!((was - is).abs() < 1e-8, "{secs}: {was} {is}");
            }
        }
        assert_eq!(TimeMap::scaled(FrameRange::new(5, 5), 9, RATE), None);
        assert_eq!(TimeMap::scaled(FrameRange::new(5, 9), 5, RATE), None);
        assert_eq!(TimeMap::scaled(FrameRange::new(5, 9), 1, RATE), None);
    }

    #[test]
    fn samples_backwards_are_the_same_samples_and_at_another_speed_lie_on_the_old() {
        let wave: Vec<f64> = (0..49).map(|frame| (f64::from(frame) * TAU / 48.0).sin()).collect();
        let curve = Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, RATE, wave.clone().into())));
        let map = TimeMap::reversed(FrameRange::new(0, 48), RATE);
        assert_eq!(remapped_curve(&remapped_curve(&curve, &map), &map), curve);
        let half = TimeMap::scaled(FrameRange::new(0, 48), 24, RATE).unwrap();
        let Curve::Scalar(ScalarCurve::Sampled(fast)) = remapped_curve(&curve, &half) else { panic!("sampled") };
        assert_eq!(fast.values.len(), 25);
        assert!(fast.values.iter().enumerate().all(|(at, value)| (value - wave[2 * at]).abs() < 1e-12));
        let turns: Vec<Quat> =
            (0..9).map(|at| Quat::from_axis_angle(&nalgebra::Vector3::y_axis(), f64::from(at))).collect();
        let turns = RotationSamples { start: 0.5, rate: RATE, values: turns.into() };
        let turns = Curve::Rotation(RotationCurve::Sampled(turns));
        assert_eq!(remapped_curve(&remapped_curve(&turns, &map), &map), turns);
    }
}

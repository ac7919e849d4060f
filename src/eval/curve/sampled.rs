//! Sampled curves: dense values at a fixed rate, linear (rotations: slerp) between them, held outside.

use super::modify::modified;
use crate::math::{Quat, rotation};
use crate::model::{FrameRate, RotationSamples, Samples};

/// Where a time falls among samples. Curves of one clip mostly share start and rate, so that it is found once for all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplePosition {
    /// The sample at or before the time, less than the count.
    pub index: usize,
    /// The part of the way to the next sample, 0..1; 0 at the last.
    pub part: f64,
}

/// How near a sample's own time (in parts of a step) a time counts as that time. Seconds and frames turned into each other
/// differ by rounding, and a stored sample must come back as it is: 1e-9 of a step is far above the one and far below
/// anything that moves.
const ON_SAMPLE: f64 = 1e-9;

/// Where a time (seconds) falls among `count` samples from `start` on; outside, the nearer end. None without samples or
/// for a time that is not a number.
#[must_use]
pub fn position(start: f64, rate: FrameRate, count: usize, time: f64) -> Option<SamplePosition> {
    let last = count.checked_sub(1)?;
    let frame = rate.frame_f64(time - start);
    if frame.is_nan() {
        return None;
    }
    let nearest = frame.round();
    let (index, part) =
        if (frame - nearest).abs() < ON_SAMPLE { (nearest, 0.0) } else { (frame.floor(), frame - frame.floor()) };
    // A float beyond the integers becomes the nearest one.
    if index < 0.0 {
        return Some(SamplePosition { index: 0, part: 0.0 });
    }
    let index = index as usize;
    Some(if index >= last { SamplePosition { index: last, part: 0.0 } } else { SamplePosition { index, part } })
}

/// The value at a position. None where there is no such sample.
#[must_use]
#[inline]
pub fn scalar_at(values: &[f64], at: SamplePosition) -> Option<f64> {
    let here = *values.get(at.index)?;
    if at.part == 0.0 {
        return Some(here);
    }
    let next = *values.get(at.index + 1)?;
    Some(here + (next - here) * at.part)
}

/// The rotation at a position. None where there is no such sample.
#[must_use]
#[inline]
pub fn rotation_at(values: &[Quat], at: SamplePosition) -> Option<Quat> {
    let here = values.get(at.index)?;
    if at.part == 0.0 {
        return Some(*here);
    }
    Some(rotation::slerp(here, values.get(at.index + 1)?, at.part))
}

/// The value of sampled numbers at a time, seconds. None without samples or for a time that is not a number.
#[must_use]
pub fn value(samples: &Samples, time: f64) -> Option<f64> {
    if samples.modifiers.is_empty() {
        return unmodified(samples, time);
    }
    modified(&samples.modifiers, time, &mut |time| unmodified(samples, time))
}

/// [`value`] without the modifiers.
#[must_use]
pub fn unmodified(samples: &Samples, time: f64) -> Option<f64> {
    scalar_at(&samples.values, position(samples.start, samples.rate, samples.values.len(), time)?)
}

/// Value and slope (per second) of sampled numbers at a time: at a sample the slope to the next, at the last the one
/// before, outside 0.
#[must_use]
pub fn value_and_slope(samples: &Samples, time: f64) -> Option<(f64, f64)> {
    if !samples.modifiers.is_empty() {
        let rise = value(samples, time + super::NEAR)? - value(samples, time - super::NEAR)?;
        return Some((value(samples, time)?, rise / (2.0 * super::NEAR)));
    }
    let values = &samples.values;
    let at = position(samples.start, samples.rate, values.len(), time)?;
    let value = scalar_at(values, at)?;
    let frame = samples.rate.frame_f64(time - samples.start);
    let last = values.len() - 1;
    if last == 0 || frame < -ON_SAMPLE || frame > last as f64 + ON_SAMPLE {
        return Some((value, 0.0));
    }
    let from = at.index.min(last - 1);
    Some((value, (values.get(from + 1)? - values.get(from)?) * samples.rate.fps()))
}

/// The rotation of sampled rotations at a time, seconds. None without samples or for a time that is not a number.
#[must_use]
pub fn rotation(samples: &RotationSamples, time: f64) -> Option<Quat> {
    rotation_at(&samples.values, position(samples.start, samples.rate, samples.values.len(), time)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation::from_axis_angle};

    fn ntsc() -> FrameRate {
        FrameRate::new(30_000, 1_001).unwrap()
    }

    #[test]
    fn samples_come_back_to_the_bit_at_their_times() {
        let values: Vec<f64> = (0..20_000).map(|i| (f64::from(i) * 0.37).sin()).collect();
        let samples = Samples::new(0.123, ntsc(), values.clone().into());
        for (i, wanted) in (0..).zip(&values) {
            let time = samples.start + samples.rate.secs(i);
            assert_eq!(value(&samples, time), Some(*wanted));
        }
    }

    #[test]
    fn between_samples_it_is_linear_and_outside_it_holds() {
        let samples = Samples::new(1.0, FrameRate::FPS_24, [2.0, 6.0, 5.0].into());
        let frame = 1.0 / 24.0;
        assert!((value(&samples, 1.0 + 0.25 * frame).unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(value(&samples, 0.0), Some(2.0));
        assert_eq!(value(&samples, f64::INFINITY), Some(5.0));
        assert_eq!(value(&samples, f64::NAN), None);
        assert_eq!(value(&Samples { values: [].into(), ..samples.clone() }, 1.0), None);
        let slope = |time: f64| value_and_slope(&samples, time).unwrap().1;
        assert!((slope(1.0) - 96.0).abs() < 1e-9 && (slope(1.0 + frame) + 24.0).abs() < 1e-9);
        assert!((slope(1.0 + 2.0 * frame) + 24.0).abs() < 1e-9);
        assert_eq!((slope(0.5), slope(9.0)), (0.0, 0.0));
        let one = Samples { values: [3.0].into(), ..samples.clone() };
        assert_eq!(value_and_slope(&one, 1.0), Some((3.0, 0.0)));
    }

    #[test]
    fn rotations_take_the_short_way_whatever_their_signs() {
        let q = from_axis_angle(&Vec3::z(), 20f64.to_radians());
        let flipped = Quat::new_unchecked(-q.into_inner());
        let samples =
            RotationSamples { start: 0.0, rate: FrameRate::FPS_24, values: [Quat::identity(), flipped].into() };
        let middle = rotation(&samples, 0.5 / 24.0).unwrap();
        assert!(middle.angle_to(&from_axis_angle(&Vec3::z(), 10f64.to_radians())) < 1e-7);
        assert_eq!(rotation(&samples, 2.0), Some(flipped));
    }
}

//! How far curves are from others, a channel at a time: at the frames, as that is where they are seen.

use super::curve::{rotation, sampled, value};
use crate::{
    math::rotation::nearest_turn,
    model::{ChannelPath, Curve, FrameRange, FrameRate, Property, RotationCurve, ScalarCurve},
};
use std::{collections::BTreeMap, sync::Arc};

/// How far one channel is from another over the frames, own units; radians of the turn between two rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The root of the mean square over the frames.
    pub rms: f64,
    /// The greatest.
    pub max: f64,
    /// The frame of the greatest, the first of equals.
    pub worst_frame: i64,
}

/// Beyond so many frames every so-manieth is looked at: a table is no reason to wait.
const MOST_FRAMES: u64 = 4_000;

/// How far two curves of a channel are apart at a time; none where one has no value there or they are of different kinds.
/// Captured angles count by the nearest turn, as they jump by whole ones.
#[must_use]
pub fn distance(path: ChannelPath, a: &Curve, b: &Curve, secs: f64) -> Option<f64> {
    let scalar = |curve: &Curve| match curve {
        Curve::Scalar(ScalarCurve::Keyed(keyed)) => value(keyed, secs),
        Curve::Scalar(ScalarCurve::Sampled(samples)) => sampled::value(samples, secs),
        Curve::Rotation(_) => None,
    };
    let turn = |curve: &Curve| match curve {
        Curve::Rotation(RotationCurve::Keyed(track)) => rotation::rotation(track, secs),
        Curve::Rotation(RotationCurve::Sampled(samples)) => sampled::rotation(samples, secs),
        Curve::Scalar(_) => None,
    };
    if let (Some(a), Some(b)) = (turn(a), turn(b)) {
        return Some(a.angle_to(&b));
    }
    let (own, other) = (scalar(a)?, scalar(b)?);
    let wraps = path.property == Property::Rotation && (a.is_sampled() || b.is_sampled());
    Some((if wraps { nearest_turn(other, own) } else { other } - own).abs())
}

/// How far two curves of a channel are apart over the frames of a range; none where nothing can be compared.
#[must_use]
pub fn deviation(path: ChannelPath, a: &Curve, b: &Curve, frames: FrameRange, rate: FrameRate) -> Option<Deviation> {
    let step = usize::try_from(frames.len() / MOST_FRAMES).unwrap_or(usize::MAX).max(1);
    let (mut squares, mut count) = (0.0, 0_u32);
    let mut found = Deviation { rms: 0.0, max: 0.0, worst_frame: frames.first };
    for frame in (frames.first..=frames.last).step_by(step) {
        let Some(off) = distance(path, a, b, rate.secs(frame)) else { continue };
        squares += off * off;
        count += 1;
        if off > found.max {
            (found.max, found.worst_frame) = (off, frame);
        }
    }
    found.rms = (squares / f64::from(count.max(1))).sqrt();
    (count > 0).then_some(found)
}

/// The deviations of the channels that both have, in the order of the channels; what is the very same is passed over.
#[must_use]
pub fn deviations(
    a: &BTreeMap<ChannelPath, Arc<Curve>>,
    b: &BTreeMap<ChannelPath, Arc<Curve>>,
    frames: FrameRange,
    rate: FrameRate,
) -> Vec<(ChannelPath, Deviation)> {
    let both = a.iter().filter_map(|(path, curve)| Some((*path, curve, b.get(path)?)));
    both.filter(|(_, curve, other)| !Arc::ptr_eq(curve, other))
        .filter_map(|(path, curve, other)| Some((path, deviation(path, curve, other, frames, rate)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::{Vec3, rotation::from_axis_angle},
        model::{Component, Interpolation, Key, KeyedCurve, KeyedRotation, ObjectId, RotationKey, Samples},
    };
    use std::f64::consts::TAU;

    const FRAMES: FrameRange = FrameRange { first: 0, last: 24 };

    fn line(keys: &[(f64, f64)]) -> Curve {
        let key = |(time, value): &(f64, f64)| Key { interpolation: Interpolation::Linear, ..Key::new(*time, *value) };
        Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys: keys.iter().map(key).collect(), ..KeyedCurve::default() }))
    }

    fn path(property: Property) -> ChannelPath {
        ChannelPath::object(ObjectId(1), property, Component::X)
    }

    /// 0 against t over a second: sum of (i/24)² is n(n+1)(2n+1)/6/24².
    #[test]
    fn two_lines_are_apart_by_what_the_sums_say() {
        let (a, b) = (line(&[(0.0, 0.0), (1.0, 0.0)]), line(&[(0.0, 0.0), (1.0, 1.0)]));
        let found = deviation(path(Property::Translation), &a, &b, FRAMES, FrameRate::FPS_24).unwrap();
        let mean = 24.0 * 25.0 * 49.0 / 6.0 / 576.0 / 25.0_f64;
        assert!((found.rms - mean.sqrt()).abs() < 1e-12 && (found.max - 1.0).abs() < 1e-12);
        assert_eq!(found.worst_frame, 24);
        let same = deviation(path(Property::Translation), &a, &a, FRAMES, FrameRate::FPS_24).unwrap();
        assert_eq!(same, Deviation { rms: 0.0, max: 0.0, worst_frame: 0 });
        let shifted = line(&[(0.0, 3.0), (1.0, 3.0)]);
        let found = deviation(path(Property::Translation), &a, &shifted, FRAMES, FrameRate::FPS_24).unwrap();
        assert_eq!(found, Deviation { rms: 3.0, max: 3.0, worst_frame: 0 });
    }

    #[test]
    fn captured_angles_count_by_the_nearest_turn_and_keyed_ones_as_they_are() {
        let samples = Samples::new(0.0, FrameRate::FPS_24, vec![TAU + 0.25; 25].into());
        let captured = Curve::Scalar(ScalarCurve::Sampled(samples));
        let keyed = line(&[(0.0, 0.0)]);
        let off = |a: &Curve, b: &Curve| distance(path(Property::Rotation), a, b, 0.5).unwrap();
        assert!((off(&keyed, &captured) - 0.25).abs() < 1e-12);
        assert!((off(&keyed, &line(&[(0.0, TAU)])) - TAU).abs() < 1e-12);
    }

    #[test]
    fn rotations_are_apart_by_their_angle_and_other_kinds_by_nothing() {
        let track = |degrees: f64| {
            let rotation = from_axis_angle(&Vec3::z(), degrees.to_radians());
            let key = RotationKey {
                time: 0.0,
                rotation,
                kind: crate::model::KeyKind::default(),
                interpolation: crate::model::RotationInterpolation::Slerp,
            };
            Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: [key].into_iter().collect() }))
        };
        let whole = ChannelPath::object(ObjectId(1), Property::Rotation, Component::Whole);
        let found = deviation(whole, &track(10.0), &track(40.0), FRAMES, FrameRate::FPS_24).unwrap();
        assert!((found.rms.to_degrees() - 30.0).abs() < 1e-9 && found.worst_frame == 0);
        assert!(deviation(whole, &track(1.0), &line(&[(0.0, 0.0)]), FRAMES, FrameRate::FPS_24).is_none());
        assert!(deviation(whole, &line(&[]), &line(&[]), FRAMES, FrameRate::FPS_24).is_none());
        let shared = Arc::new(track(1.0));
        let one = BTreeMap::from([(whole, shared.clone())]);
        assert!(deviations(&one, &one, FRAMES, FrameRate::FPS_24).is_empty());
        let other = BTreeMap::from([(whole, Arc::new(track(2.0)))]);
        assert_eq!(deviations(&one, &other, FRAMES, FrameRate::FPS_24).len(), 1);
    }
}

use super::*;
use crate::model::keys::Timed as _;
use crate::{
    eval::{
        curve::{rotation as track, value},
        sample::scalar_value,
    },
    math::{Vec3, rotation::from_axis_angle},
    model::{Extrapolation, FrameRate, Handle, Interpolation, Key, Phi, RotationInterpolation, RotationKey, Scheme},
};

fn phi() -> Phi {
    Phi::new(vec![(0.5, 0.5), (1.2, 1.6), (2.2, 2.5), (3.5, 3.5)]).unwrap()
}

fn curve(interpolation: Interpolation) -> KeyedCurve {
    let points = [(-1.0, 0.3), (0.0, 1.0), (1.0, -2.0), (1.5, 3.0), (1.9, 2.5), (3.0, 3.5), (4.25, 0.0), (5.0, 1.0)];
    let key = |(i, (time, value)): (usize, &(f64, f64))| Key {
        interpolation,
        handle_out: if i % 3 == 0 { Handle::Free(0.2, 1.0) } else { Handle::Auto },
        tension: 0.2,
        bias: -0.4,
        slope_in: 1.5,
        slope_out: -2.0,
        ..Key::new(*time, *value)
    };
    KeyedCurve { keys: points.iter().enumerate().map(key).collect(), ..KeyedCurve::default() }
}

fn worst(before: &KeyedCurve, after: &KeyedCurve) -> f64 {
    let off = |step: u32| {
        let secs = f64::from(step).mul_add(0.000_731, -1.5);
        (value(after, secs).unwrap() - value(before, phi().value(secs)).unwrap()).abs()
    };
    (0..10_000).map(off).fold(0.0, f64::max)
}

#[test]
fn what_holds_and_what_runs_straight_is_kept_exactly_and_the_rest_within_the_bound() {
    for interpolation in Interpolation::ALL {
        let before = curve(interpolation);
        let after = scalar::keyed(&before, &phi(), APPLY_BOUND).unwrap();
        let bound = match interpolation {
            Interpolation::Step | Interpolation::Nearest | Interpolation::Linear => 1e-9,
            // Vertical ends, kinks and the jumps of expo and elastic are halved as often as it may be.
            Interpolation::Circ | Interpolation::Bounce | Interpolation::Expo | Interpolation::Elastic => 0.05,
            _ => 1.2 * APPLY_BOUND,
        };
        let off = worst(&before, &after);
        assert!(off <= bound, "{interpolation:?}: {off}");
        // What lies outside the range keeps its keys.
        assert_eq!(after.keys.first().unwrap().time, -1.0);
        assert_eq!(after.keys.last().unwrap().time, 5.0);
    }
}

#[test]
fn whole_curve_schemes_and_straight_ends_are_kept() {
    for scheme in [Scheme::Natural, Scheme::NotAKnot, Scheme::Monotone] {
        let before = KeyedCurve { scheme, ..curve(Interpolation::Linear) };
        let after = scalar::keyed(&before, &phi(), APPLY_BOUND).unwrap();
        assert!(worst(&before, &after) <= 1.2 * APPLY_BOUND);
    }
    let short = |pre, post| {
        let keys = [(1.0, 0.0), (2.0, 3.0)].iter().map(|(time, value)| Key::new(*time, *value)).collect();
        KeyedCurve { keys, pre, post, ..KeyedCurve::default() }
    };
    for end in [Extrapolation::Constant, Extrapolation::Linear] {
        let before = short(end, end);
        assert!(worst(&before, &scalar::keyed(&before, &phi(), APPLY_BOUND).unwrap()) <= 1.2 * APPLY_BOUND, "{end:?}");
    }
    assert_eq!(scalar::keyed(&short(Extrapolation::Cycle, Extrapolation::Constant), &phi(), APPLY_BOUND), None);
}

#[test]
fn rotations_of_every_kind_are_kept_within_the_bound() {
    let mut kinds = RotationInterpolation::ALL.to_vec();
    let tangents = crate::model::RotationTangents { out: [0.1, 0.4, -0.2, 0.0], into: [0.0, -0.3, 0.2, 0.1] };
    kinds.push(RotationInterpolation::Hermite(tangents));
    for interpolation in kinds {
        let key = |index: u32| {
            let spin = f64::from(index);
            let rotation = from_axis_angle(&Vec3::new(0.3 * spin, 1.0, (2.0 * spin).sin()), 0.9 * spin - 1.5);
            RotationKey { rotation, interpolation, ..RotationKey::at(f64::from(index) * 0.7 - 0.9) }
        };
        let before = KeyedRotation { keys: (0..9).map(key).collect() };
        let after = rotation::keyed(&before, &phi(), APPLY_BOUND);
        for step in 0..6000 {
            let secs = f64::from(step).mul_add(0.001_01, -1.0);
            let (a, b) = (track::rotation(&after, secs).unwrap(), track::rotation(&before, phi().value(secs)).unwrap());
            assert!(a.angle_to(&b) <= 1.5 * APPLY_BOUND, "{interpolation:?} at {secs}: {}", a.angle_to(&b));
        }
    }
}

#[test]
fn samples_are_taken_anew_on_their_grid() {
    let samples = Samples::new(1.0, FrameRate::FPS_24, (0..60).map(|i| f64::from(i).sin()).collect());
    let (id, name, scope) = (RetimeId(0), String::new(), crate::model::RetimeScope::Whole);
    let retime = Retime { id, name, muted: false, object: crate::model::ObjectId(1), scope, phi: phi() };
    let after = scalar::sampled(&samples, &Clock(vec![Arc::new(retime)])).unwrap();
    let (old, new) = (ScalarCurve::Sampled(samples.clone()), ScalarCurve::Sampled(after.clone()));
    assert!(after.values.len() > 60 && after.start < 1.0);
    for (index, frame) in (0..after.values.len()).zip(0_i64..) {
        let secs = after.start + FrameRate::FPS_24.secs(frame);
        let off = scalar_value(&new, secs).unwrap() - scalar_value(&old, phi().value(secs)).unwrap();
        assert!(off.abs() < 1e-9, "{index}");
    }
}

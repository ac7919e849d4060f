//! How a correction runs through its keys: a quintic between every two, through the keys without a stop.
//!
//! At the first and the last key value, slope and curvature are neutral. At a key between them the curvature is 0 and the
//! slope is that of the neighbours' chords: the harmonic mean of Fritsch and Butland (1984), weighted by the times, and at
//! most twice the flatter chord, so that the quintic stays monotone; where the chords differ in sign it is 0. A curve of
//! three keys, neutral, some change, neutral, is then eased by `6u^5 - 15u^4 + 10u^3` on both sides, and never adds more
//! than its key says. Rotations run so by their rotation vectors, each taken as the nearest to the one before it.

use super::super::sample::{rotation_value, scalar_value};
use crate::{
    math::{
        Quat, Vec3,
        rotation::{exp, log},
    },
    model::{
        Interpolation, Key, KeyedCurve, KeyedRotation, Keys, RotationCurve, RotationInterpolation, ScalarCurve,
        keys::Timed,
    },
};
use std::f64::consts::PI;

/// What a correction's scalar curve holds at a time, seconds. None for a curve without keys or a time that is not finite.
pub(super) fn scalar(curve: &ScalarCurve, secs: f64) -> Option<f64> {
    let ScalarCurve::Keyed(KeyedCurve { keys, .. }) = curve else { return scalar_value(curve, secs) };
    match Around::of(keys, secs) {
        Some(around) if around.start.interpolation == Interpolation::Smooth => {
            let value = |key: &Key| key.value;
            let ends = [around.start.value, around.end.value];
            Some(around.quintic(secs, around.before.as_ref().map(value), ends, around.after.as_ref().map(value)))
        }
        _ => scalar_value(curve, secs),
    }
}

/// What a correction's rotation curve holds at a time, seconds. None for a curve without keys or a time that is not finite.
pub(super) fn rotation(curve: &RotationCurve, secs: f64) -> Option<Quat> {
    let RotationCurve::Keyed(KeyedRotation { keys }) = curve else { return rotation_value(curve, secs) };
    match Around::of(keys, secs) {
        Some(around) if around.start.interpolation == RotationInterpolation::Smooth && secs > around.start.time => {
            let start = nearest(log(&around.start.rotation), Vec3::zeros());
            let before = around.before.as_ref().map(|key| nearest(log(&key.rotation), start));
            let end = nearest(log(&around.end.rotation), start);
            let after = around.after.as_ref().map(|key| nearest(log(&key.rotation), end));
            let half = Vec3::from_fn(|axis, _| {
                let of = |half: Vec3| half[axis];
                around.quintic(secs, before.map(of), [of(start), of(end)], after.map(of))
            });
            Some(exp(&half))
        }
        _ => rotation_value(curve, secs),
    }
}

/// Of the half-angle vectors that stand for one rotation the one nearest another: vectors along one line, pi apart.
fn nearest(half: Vec3, other: Vec3) -> Vec3 {
    let length = half.norm();
    if length < 1e-12 {
        // No axis of its own: whole turns about the other's.
        let turns = (other.norm() / PI).round();
        return if turns == 0.0 { half } else { other.normalize() * (turns * PI) };
    }
    let axis = half / length;
    half + axis * (((other - half).dot(&axis) / PI).round() * PI)
}

/// The keys around a time within a curve.
struct Around<K> {
    before: Option<K>,
    start: K,
    end: K,
    after: Option<K>,
}

impl<K: Timed> Around<K> {
    /// None outside the keys.
    fn of(keys: &Keys<K>, secs: f64) -> Option<Self> {
        let index = keys.count_at_or_before(secs).checked_sub(1)?;
        let (start, end) = (keys.get(index)?, keys.get(index + 1)?);
        let before = index.checked_sub(1).and_then(|index| keys.get(index));
        Some(Self { before, start, end, after: keys.get(index + 2) })
    }

    /// The value of the quintic between `start` and `end`, from the values of these two and of the keys around them.
    fn quintic(&self, secs: f64, before: Option<f64>, [start, end]: [f64; 2], after: Option<f64>) -> f64 {
        let gap = self.end.time() - self.start.time();
        let rise = end - start;
        let slope = |other: Option<&K>, value: Option<f64>, key: &K, at: f64| {
            let Some((other, value)) = other.zip(value) else { return 0.0 };
            let gap_there = other.time() - key.time();
            through((gap_there.abs(), (value - at) / gap_there), (gap, rise / gap))
        };
        let out = slope(self.before.as_ref(), before, &self.start, start) * gap;
        let into = slope(self.after.as_ref(), after, &self.end, end) * gap;
        let u = (secs - self.start.time()) / gap;
        let [c3, c4, c5] = [
            10.0 * rise - 6.0 * out - 4.0 * into,
            -15.0 * rise + 8.0 * out + 7.0 * into,
            6.0 * rise - 3.0 * (out + into),
        ];
        start + u * (out + u * u * (c3 + u * (c4 + u * c5)))
    }
}

/// The slope at a key between two chords, each a length in time and a slope.
fn through((gap_a, a): (f64, f64), (gap_b, b): (f64, f64)) -> f64 {
    if a == 0.0 || b == 0.0 || (a > 0.0) != (b > 0.0) {
        return 0.0;
    }
    let (weight_a, weight_b) = (gap_a + 2.0 * gap_b, gap_b + 2.0 * gap_a);
    let mean = (weight_a + weight_b) / (weight_a / a + weight_b / b);
    let most = 2.0 * a.abs().min(b.abs());
    mean.clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::rotation::from_axis_angle,
        model::{RotationKey, ScalarCurve},
    };

    fn scalars(keys: &[(f64, f64)]) -> ScalarCurve {
        let key = |(time, value): &(f64, f64)| Key { interpolation: Interpolation::Smooth, ..Key::new(*time, *value) };
        ScalarCurve::Keyed(KeyedCurve { keys: keys.iter().map(key).collect(), ..KeyedCurve::default() })
    }

    fn rotations(keys: &[(f64, Quat)]) -> RotationCurve {
        let key = |(time, rotation): &(f64, Quat)| RotationKey::new(*time, *rotation, RotationInterpolation::Smooth);
        RotationCurve::Keyed(KeyedRotation { keys: keys.iter().map(key).collect() })
    }

    /// Slope and curvature by differences.
    fn derivatives(value: impl Fn(f64) -> f64, secs: f64) -> [f64; 2] {
        let h = 1e-4;
        let [a, b, c] = [secs - h, secs, secs + h].map(value);
        [(c - a) / (2.0 * h), (c - 2.0 * b + a) / (h * h)]
    }

    #[test]
    fn it_is_neutral_at_both_ends_and_passes_through_the_keys_between_without_a_stop() {
        let curve = scalars(&[(0.0, 0.0), (0.5, 0.2), (0.8, 0.5), (1.5, 0.0)]);
        let at = |secs| scalar(&curve, secs).unwrap();
        for (secs, value) in [(0.0, 0.0), (0.5, 0.2), (0.8, 0.5), (1.5, 0.0)] {
            assert!((at(secs) - value).abs() < 1e-15);
        }
        // Value, slope and curvature are neutral: what is left is of third order.
        for secs in [1e-3, 1.5 - 1e-3] {
            assert!(at(secs).abs() < 5e-8, "{}", at(secs));
        }
        let [slope, _] = derivatives(at, 0.5);
        assert!(slope > 0.3, "it goes on through the first key: {slope}");
        assert!(derivatives(at, 0.8)[0].abs() < 1e-3, "the largest change is the key's own");
        for secs in [0.5, 0.8] {
            let [before, after] = [secs - 1e-3, secs + 1e-3].map(|secs| derivatives(at, secs));
            assert!((before[0] - after[0]).abs() < 0.02 && (before[1] - after[1]).abs() < 0.5, "{before:?} {after:?}");
        }
        let samples: Vec<f64> = (0..=800).map(|i| at(1e-3 * f64::from(i))).collect();
        assert!(samples.windows(2).all(|pair| pair[1] >= pair[0]), "it overshoots nowhere");
        assert_eq!([scalar(&curve, -1.0), scalar(&curve, 9.0), scalar(&curve, f64::NAN)], [Some(0.0), Some(0.0), None]);
    }

    #[test]
    fn two_equal_keys_hold_and_one_key_is_eased_on_both_sides() {
        let curve = scalars(&[(0.0, 0.0), (1.0, 0.3), (2.0, 0.3), (3.0, 0.0)]);
        for i in 0..=10 {
            assert!((scalar(&curve, 1.0 + 0.1 * f64::from(i)).unwrap() - 0.3).abs() < 1e-15);
        }
        let u = 0.3_f64;
        let eased = 0.3 * u.powi(3) * (10.0 - 15.0 * u + 6.0 * u * u);
        assert!((scalar(&curve, u).unwrap() - eased).abs() < 1e-15);
    }

    #[test]
    fn rotations_turn_on_through_their_keys() {
        let turn = |angle| from_axis_angle(&Vec3::y(), angle);
        let curve = rotations(&[(0.0, turn(0.0)), (0.5, turn(0.4)), (1.0, turn(0.9)), (2.0, turn(0.0))]);
        let at = |secs| rotation(&curve, secs).unwrap();
        assert_eq!(at(0.5), turn(0.4));
        let speed = at(0.5 - 1e-4).angle_to(&at(0.5 + 1e-4)) / 2e-4;
        assert!(speed > 0.5, "{speed}");
        let scalar_curve = scalars(&[(0.0, 0.0), (0.5, 0.4), (1.0, 0.9), (2.0, 0.0)]);
        for i in 0..=40 {
            let secs = 0.05 * f64::from(i);
            assert!(
                (at(secs).angle() - scalar(&scalar_curve, secs).unwrap()).abs() < 1e-12,
                "about one axis it is the same"
            );
        }
    }

    #[test]
    fn past_half_a_turn_it_takes_the_short_way_from_key_to_key() {
        let turn = |angle| from_axis_angle(&Vec3::x(), angle);
        let minus = |q: Quat| Quat::new_unchecked(-q.into_inner());
        for last in [turn(3.4), minus(turn(3.4))] {
            let curve = rotations(&[(0.0, turn(0.0)), (1.0, turn(2.9)), (2.0, last), (3.0, turn(0.0))]);
            let steps: Vec<Quat> = (0..=300).map(|i| rotation(&curve, 0.01 * f64::from(i)).unwrap()).collect();
            let largest = steps.windows(2).map(|pair| pair[0].angle_to(&pair[1])).fold(0.0, f64::max);
            assert!(largest < 0.12, "{largest}");
        }
    }
}

//! Slopes at a key from its neighbours, per second, for unevenly spaced keys.

use super::span::Point;
use nalgebra::{Matrix2x3, Matrix3, Vector2};

/// The Catmull-Rom slope: of the chord between the neighbours, of the one chord there is at an end, 0 for a lone key.
///
/// Source: E. Catmull and R. Rom 1974, with the times of the neighbours in place of two equal steps.
#[must_use]
pub fn catmull_rom_slope(before: Option<Point>, here: Point, after: Option<Point>) -> f64 {
    match (before, after) {
        (Some(before), Some(after)) => before.slope_to(after),
        (Some(before), None) => before.slope_to(here),
        (None, Some(after)) => here.slope_to(after),
        (None, None) => 0.0,
    }
}

/// The cardinal slope: Catmull-Rom's times `1 - tension`.
#[must_use]
pub fn cardinal_slope(before: Option<Point>, here: Point, after: Option<Point>, tension: f64) -> f64 {
    (1.0 - tension) * catmull_rom_slope(before, here, after)
}

/// The Kochanek-Bartels slopes `(into, out of)` a key, corrected for uneven spacing. Bias +1 follows the chord before
/// the key, continuity 0 is smooth. At an end key both are the one chord's times `1 - tension`.
///
/// Source: D. Kochanek and R. Bartels, *Interpolating splines with local tension, continuity, and bias control*, SIGGRAPH
/// 1984, with their adjustment of speeds (without 3D Studio's fading of it by continuity).
#[must_use]
pub fn kochanek_bartels_slopes(
    before: Option<Point>,
    here: Point,
    after: Option<Point>,
    [tension, continuity, bias]: [f64; 3],
) -> (f64, f64) {
    let (Some(before), Some(after)) = (before, after) else {
        let slope = cardinal_slope(before, here, after, tension);
        return (slope, slope);
    };
    let (left, right) = (here.value - before.value, after.value - here.value);
    // Half the weights times two, over the whole gap: the halves cancel.
    let scale = (1.0 - tension) / (after.time - before.time);
    let mix = |on_left: f64, on_right: f64| scale * (on_left * (1.0 + bias) * left + on_right * (1.0 - bias) * right);
    (mix(1.0 - continuity, 1.0 + continuity), mix(1.0 + continuity, 1.0 - continuity))
}

/// The most rounds of [`kochanek_bartels_numbers`]: some twenty are enough.
const ROUNDS: u32 = 60;

/// Tension, continuity and bias, each in -1..1, whose Kochanek-Bartels slopes `(into, out of)` a key come nearest to those
/// wanted, and that are near the ones it has. Only the first `free` of the three change: of a cardinal key the tension.
///
/// Damped least squares (Levenberg 1944, Marquardt 1963), kept within the bounds. Where no numbers give the slopes, as past
/// an end or between two level chords, the nearest are found.
#[must_use]
pub fn kochanek_bartels_numbers(
    (before, here, after): (Option<Point>, Point, Option<Point>),
    numbers: [f64; 3],
    free: usize,
    wanted: (f64, f64),
) -> [f64; 3] {
    if !(wanted.0.is_finite() && wanted.1.is_finite()) {
        return numbers;
    }
    // Slopes are told in parts of the steepest there is, so that their unit does not matter.
    let steep = [before.map(|before| before.slope_to(here)), after.map(|after| here.slope_to(after))];
    let unit = steep.into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
    if unit == 0.0 || !unit.is_finite() {
        return numbers;
    }
    let off = |numbers: [f64; 3]| {
        let (into, out) = kochanek_bartels_slopes(before, here, after, numbers);
        Vector2::new((into - wanted.0) / unit, (out - wanted.1) / unit)
    };
    // Between chords alike neither continuity nor bias turns a tangent alone: from there both are tried aside too.
    let aside = [[0.0, 0.0], [ASIDE, ASIDE], [-ASIDE, -ASIDE], [ASIDE, -ASIDE], [-ASIDE, ASIDE]];
    let starts = aside.map(|[continuity, bias]| [numbers[0], numbers[1] + continuity, numbers[2] + bias]);
    let mut best = numbers;
    for start in starts.into_iter().take(if free == 3 { 5 } else { 1 }) {
        let found = nearest_numbers(start.map(|number| number.clamp(-1.0, 1.0)), free, &off);
        if off(found).norm() < off(best).norm() - 1e-6 {
            best = found;
        }
    }
    best
}

/// How far aside continuity and bias are tried.
const ASIDE: f64 = 0.25;

/// The numbers near others that bring what is off nearest to nothing.
fn nearest_numbers(start: [f64; 3], free: usize, off: &dyn Fn([f64; 3]) -> Vector2<f64>) -> [f64; 3] {
    let (mut found, mut damping) = (start, 1e-3);
    for _ in 0..ROUNDS {
        let now = off(found);
        // Slopes are linear in each number: the differences are exact.
        let column = |n: usize| {
            let mut moved = found;
            moved[n] += 1.0;
            if n < free { off(moved) - now } else { Vector2::zeros() }
        };
        let rates = Matrix2x3::from_columns(&[column(0), column(1), column(2)]);
        let system = rates.transpose() * rates + Matrix3::identity() * damping;
        let Some(step) = system.try_inverse().map(|inverse| inverse * (rates.transpose() * now)) else { break };
        let next: [f64; 3] = std::array::from_fn(|n| (found[n] - step[n]).clamp(-1.0, 1.0));
        if off(next).norm() < now.norm() {
            (found, damping) = (next, damping * 0.3);
        } else {
            damping *= 6.0;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(time: f64, value: f64) -> Point {
        Point { time, value }
    }

    #[test]
    fn numbers_are_found_for_slopes_that_there_are_numbers_for() {
        let keys = (Some(point(0.0, 0.0)), point(1.0, 1.0), Some(point(4.0, 2.0)));
        for seed in 0..60 {
            let f = f64::from(seed);
            let truth = [0.8 * (1.3 * f).sin(), 0.8 * (2.1 * f).cos(), 0.8 * (0.7 * f).sin()];
            let wanted = kochanek_bartels_slopes(keys.0, keys.1, keys.2, truth);
            let found = kochanek_bartels_numbers(keys, [0.0; 3], 3, wanted);
            assert!(found.iter().all(|number| number.abs() <= 1.0));
            let (into, out) = kochanek_bartels_slopes(keys.0, keys.1, keys.2, found);
            assert!((into - wanted.0).abs() + (out - wanted.1).abs() < 1e-3, "{truth:?} {found:?}");
        }
        let stays = kochanek_bartels_numbers(
            keys,
            [0.2, -0.3, 0.1],
            3,
            kochanek_bartels_slopes(keys.0, keys.1, keys.2, [0.2, -0.3, 0.1]),
        );
        assert!(stays.iter().zip([0.2, -0.3, 0.1]).all(|(a, b)| (a - b).abs() < 1e-9));
        let [tension, continuity, bias] = kochanek_bartels_numbers(keys, [0.0; 3], 1, (0.25, 0.25));
        assert!((tension - 0.5).abs() < 1e-6 && continuity == 0.0 && bias == 0.0);
    }

    #[test]
    fn slopes_that_no_numbers_give_are_come_near_to() {
        let peak = (Some(point(0.0, 0.0)), point(1.0, 1.0), Some(point(2.0, 0.0)));
        let found = kochanek_bartels_numbers(peak, [0.0; 3], 3, (0.5, 0.5));
        let (into, out) = kochanek_bartels_slopes(peak.0, peak.1, peak.2, found);
        let even = (Some(point(0.0, 0.0)), point(1.0, 1.0), Some(point(2.0, 2.0)));
        let alone = kochanek_bartels_numbers(even, [0.0; 3], 3, (1.0, 1.4));
        let (still, turned) = kochanek_bartels_slopes(even.0, even.1, even.2, alone);
        assert!((still - 1.0).abs() < 1e-2 && (turned - 1.4).abs() < 1e-2, "one tangent alone: {alone:?}");
        assert!((into - 0.5).abs() < 1e-3 && (out - 0.5).abs() < 1e-3, "bias leans it: {found:?}");
        for wanted in [(1e300, -1e300), (f64::NAN, 0.0), (100.0, 100.0)] {
            let found = kochanek_bartels_numbers(peak, [0.0; 3], 3, wanted);
            assert!(found.iter().all(|number| number.abs() <= 1.0));
        }
        let flat = (Some(point(0.0, 1.0)), point(1.0, 1.0), Some(point(2.0, 1.0)));
        assert_eq!(kochanek_bartels_numbers(flat, [0.3, 0.0, 0.0], 3, (1.0, 1.0)), [0.3, 0.0, 0.0]);
        let end = (None, point(0.0, 0.0), Some(point(1.0, 2.0)));
        let [tension, ..] = kochanek_bartels_numbers(end, [0.0; 3], 3, (1.0, 1.0));
        assert!((tension - 0.5).abs() < 1e-6);
    }
}

//! Choosing among the Euler triples of one rotation: nearest to what was there before, unwrapping, the Euler filter.

use super::{EulerOrder, EulerSolution, euler_solution};
use crate::math::Quat;
use std::f64::consts::{PI, TAU};

/// The angle modulo a turn, in (-pi, pi]. Angles already there come back unchanged to the bit.
#[must_use]
pub fn wrap_angle(angle: f64) -> f64 {
    if angle > -PI && angle <= PI {
        return angle;
    }
    let wrapped = angle - TAU * (angle / TAU).round();
    if wrapped <= -PI { PI } else { wrapped.min(PI) }
}

/// `angle` plus the whole number of turns that brings it nearest to `previous`. Where no turn is needed it comes back
/// unchanged to the bit.
#[must_use]
pub fn nearest_turn(angle: f64, previous: f64) -> f64 {
    let turns = ((previous - angle) / TAU).round();
    if turns == 0.0 || !turns.is_finite() { angle } else { angle + TAU * turns }
}

/// Adds whole turns to each angle so that neighbours differ by at most half a turn. The first stays.
pub fn unwrap_angles(angles: &mut [f64]) {
    for i in 1..angles.len() {
        angles[i] = nearest_turn(angles[i], angles[i - 1]);
    }
}

/// The other triple of the same rotation: outer angles half a turn on, the middle one mirrored.
fn flipped([first, middle, third]: [f64; 3]) -> [f64; 3] {
    [first + PI, PI - middle, third + PI]
}

/// The largest jump of one angle, and the sum of all three for ties.
fn jump(angles: &[f64; 3], previous: &[f64; 3]) -> (f64, f64) {
    let steps = [0, 1, 2].map(|n| (angles[n] - previous[n]).abs());
    (steps.iter().fold(0.0, |a, &b| f64::max(a, b)), steps.iter().sum())
}

/// The triple of the same rotation as `angles` (itself or flipped, each angle with any number of turns) whose largest
/// jump from `previous` is smallest; ties go to the smaller sum, then to `angles` as given.
fn nearest_of_both(angles: [f64; 3], previous: [f64; 3]) -> [f64; 3] {
    let near = |triple: [f64; 3]| -> [f64; 3] { std::array::from_fn(|n| nearest_turn(triple[n], previous[n])) };
    let (straight, other) = (near(angles), near(flipped(angles)));
    let (a, b) = (jump(&straight, &previous), jump(&other, &previous));
    // Rounding must not decide between equals.
    let margin = 1e-12 * (1.0 + a.0);
    let other_wins = b.0 < a.0 - margin || (b.0 < a.0 + margin && b.1 < a.1 - margin);
    if other_wins { other } else { straight }
}

/// The Euler triple of `rotation` nearest the triple before it: both solutions and any number of turns are tried, and at
/// gimbal lock, where a line of triples is right, the outer angles share the change evenly.
#[must_use]
pub fn nearest_euler(order: EulerOrder, rotation: &Quat, previous: [f64; 3]) -> [f64; 3] {
    match euler_solution(order, rotation) {
        EulerSolution::Regular(angles) => nearest_of_both(angles, previous),
        EulerSolution::Locked { middle, sum, third_sign } => {
            let before = previous[0] + third_sign * previous[2];
            let change = 0.5 * (nearest_turn(sum, before) - before);
            [previous[0] + change, nearest_turn(middle, previous[1]), previous[2] + third_sign * change]
        }
    }
}

/// The Euler filter: replaces each triple by the one of the same rotation that jumps least from the triple before it.
/// Rotations stay as they are; the first triple stays to the bit, and so does every one that needs no change.
pub fn filter_euler(triples: &mut [[f64; 3]]) {
    for i in 1..triples.len() {
        triples[i] = nearest_of_both(triples[i], triples[i - 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{from_axis_angle, from_euler, to_euler};
    use crate::math::{Quat, Vec3};

    fn degrees(triple: [f64; 3]) -> [f64; 3] {
        triple.map(f64::to_degrees)
    }

    fn close(a: [f64; 3], b: [f64; 3]) -> bool {
        (0..3).all(|n| (a[n] - b[n]).abs() < 1e-9)
    }

    fn apart(a: &Quat, b: &Quat) -> f64 {
        (a.coords - b.coords).norm().min((a.coords + b.coords).norm())
    }

    /// A known fault (B14): only unwinding turns leaves the flipped triple in place.
    #[test]
    fn b14_the_filter_undoes_flips_and_turns() {
        let mut keys = [[0.0, 0.0, 0.0], [10.0, 80.0, 20.0], [-170.0, 100.0, -160.0], [12.0, 82.0, 22.0]]
            .map(|k| k.map(f64::to_radians));
        let before = keys;
        filter_euler(&mut keys);
        let wanted = [[0.0, 0.0, 0.0], [10.0, 80.0, 20.0], [10.0, 80.0, 20.0], [12.0, 82.0, 22.0]];
        for (n, key) in keys.iter().enumerate() {
            assert!(close(degrees(*key), wanted[n]), "{key:?}");
            let (a, b) = (from_euler(EulerOrder::Xyz, *key), from_euler(EulerOrder::Xyz, before[n]));
            assert!(apart(&a, &b) < 1e-6);
        }
        let mut turns = [170.0, 175.0, -180.0, -175.0].map(|x: f64| [x.to_radians(), 0.0, 0.0]);
        filter_euler(&mut turns);
        for (key, x) in turns.iter().zip([170.0, 175.0, 180.0, 185.0]) {
            assert!(close(degrees(*key), [x, 0.0, 0.0]));
        }
    }

    #[test]
    fn the_nearest_triple_follows_a_spin_of_many_turns_through_gimbal_lock() {
        for order in EulerOrder::ALL {
            let mut previous = [0.0; 3];
            for i in 0..4000 {
                let q = from_axis_angle(&Vec3::ith(order.axes()[1], 1.0), 0.01 * f64::from(i));
                let next = nearest_euler(order, &q, previous);
                assert!(apart(&from_euler(order, next), &q) < 1e-8);
                assert!(jump(&next, &previous).0 < 0.02, "{order:?} {i}: {previous:?} -> {next:?}");
                previous = next;
            }
            assert!((previous[1] - 39.99).abs() < 1e-6);
        }
    }

    #[test]
    fn a_locked_rotation_stays_next_to_the_triple_before() {
        let before = [7.0, std::f64::consts::FRAC_PI_2, -5.5];
        let q = from_euler(EulerOrder::Zxy, before);
        let next = nearest_euler(EulerOrder::Zxy, &q, before);
        assert!(close(next, before), "{next:?}");
        assert!(!close(to_euler(EulerOrder::Zxy, &q), before));
    }

    #[test]
    fn wrapping_keeps_what_is_in_range_and_takes_plus_pi() {
        assert_eq!(wrap_angle(0.3), 0.3);
        assert_eq!(wrap_angle(PI), PI);
        assert_eq!(wrap_angle(-PI), PI);
        assert!((wrap_angle(7.0 * TAU + 1.0) - 1.0).abs() < 1e-13);
        let mut angles = [3.0, -3.0, 3.0, 0.0];
        unwrap_angles(&mut angles);
        assert!(angles.windows(2).all(|w| (w[1] - w[0]).abs() <= PI));
        assert!(nearest_turn(f64::NAN, 0.0).is_nan());
    }
}

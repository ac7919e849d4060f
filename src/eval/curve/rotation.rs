//! Keyed rotations: by the short arc from key to key, held outside.

use super::search::{Place, following, locate};
use crate::math::{
    Quat,
    easing::Ease,
    rotation::{align, nlerp, slerp, squad, squad_control, try_unit},
};
use crate::model::{KeyedRotation, Keys, RotationInterpolation, RotationKey, RotationTangents};

/// Where the last evaluation was: evaluation in order then finds its segment at once. Any cursor gives the same values.
#[derive(Clone, Copy, Debug, Default)]
pub struct RotationCursor {
    place: Place,
}

/// The rotation at a time, seconds. None for a track without keys or a time that is not finite.
#[must_use]
pub fn rotation(track: &KeyedRotation, time: f64) -> Option<Quat> {
    rotation_with(track, time, &mut RotationCursor::default())
}

/// [`rotation`] with a cursor, for many times in order.
#[must_use]
pub fn rotation_with(track: &KeyedRotation, time: f64, cursor: &mut RotationCursor) -> Option<Quat> {
    let keys = &track.keys;
    let (first, last) = (keys.first()?, keys.last()?);
    if !time.is_finite() {
        return None;
    }
    if time <= first.time {
        return Some(first.rotation);
    }
    if time >= last.time {
        return Some(last.rotation);
    }
    let within = |place: Place| {
        let (start, end) = (place.key(keys)?, place.next(keys)?.key(keys)?);
        (start.time <= time && time < end.time).then_some((start, end))
    };
    let (start, end) = match within(cursor.place) {
        Some(segment) => segment,
        None => {
            cursor.place = following(keys, time, cursor.place).or_else(|| locate(keys, time))?;
            within(cursor.place)?
        }
    };
    let x = (time - start.time) / (end.time - start.time);
    Some(match start.interpolation {
        RotationInterpolation::Step => start.rotation,
        RotationInterpolation::Slerp => slerp(&start.rotation, &end.rotation, x),
        RotationInterpolation::Smooth => slerp(&start.rotation, &end.rotation, Ease::SMOOTHERSTEP.value(x)),
        RotationInterpolation::Nlerp => nlerp(&start.rotation, &end.rotation, x),
        RotationInterpolation::Squad => {
            let (before, after) = around(keys, cursor.place);
            let before = before.map(|key| key.rotation);
            let after = after.map(|key| key.rotation);
            let out = squad_control(before.as_ref(), &start.rotation, Some(&end.rotation));
            let into = squad_control(Some(&start.rotation), &end.rotation, after.as_ref());
            squad(&start.rotation, &out, &end.rotation, &into, x)
        }
        RotationInterpolation::Cubic => cubic(around(keys, cursor.place), &start, &end, x),
        RotationInterpolation::Hermite(tangents) => hermite(&start, &end, &tangents, x),
    })
}

/// The cubic of glTF 2.0, appendix C: tangents per second times the segment's length, the result normalised. Where it runs
/// through zero there is no rotation: the nearer key's then.
fn hermite(start: &RotationKey, end: &RotationKey, tangents: &RotationTangents, x: f64) -> Quat {
    let secs = end.time - start.time;
    let (from, to) = (start.rotation.coords, end.rotation.coords);
    let (x2, x3) = (x * x, x * x * x);
    let (at_from, at_to) = (2.0 * x3 - 3.0 * x2 + 1.0, 3.0 * x2 - 2.0 * x3);
    let (leaving, reaching) = (secs * (x3 - 2.0 * x2 + x), secs * (x3 - x2));
    let [i, j, k, w] = std::array::from_fn(|n| {
        at_from * from[n]
            + at_to * to[n]
            + leaving * f64::from(tangents.out[n])
            + reaching * f64::from(tangents.into[n])
    });
    try_unit(i, j, k, w).unwrap_or(if x < 0.5 { start.rotation } else { end.rotation })
}

/// The slopes of a cubic segment's components at a time within it, per second, before it is normalised.
#[must_use]
pub fn hermite_slope(start: &RotationKey, end: &RotationKey, tangents: &RotationTangents, time: f64) -> [f64; 4] {
    let secs = end.time - start.time;
    let x = (time - start.time) / secs;
    let (from, to) = (start.rotation.coords, end.rotation.coords);
    std::array::from_fn(|n| {
        6.0 * (x * x - x) / secs * (from[n] - to[n])
            + (3.0 * x * x - 4.0 * x + 1.0) * f64::from(tangents.out[n])
            + (3.0 * x * x - 2.0 * x) * f64::from(tangents.into[n])
    })
}

/// The keys before and after the segment that starts at a place.
fn around(keys: &Keys<RotationKey>, place: Place) -> (Option<RotationKey>, Option<RotationKey>) {
    let before = place.previous(keys).and_then(|place| place.key(keys));
    let after = place.next(keys).and_then(|place| place.next(keys)).and_then(|place| place.key(keys));
    (before, after)
}

/// A cubic through the quaternions' numbers with the slopes of the neighbours' chords, brought to length 1. The track need
/// not be sign-continuous: neighbours are brought into the hemisphere of the one beside them.
fn cubic(
    (before, after): (Option<RotationKey>, Option<RotationKey>),
    start: &RotationKey,
    end: &RotationKey,
    x: f64,
) -> Quat {
    let from = start.rotation;
    let to = align(&end.rotation, &from);
    let secs = end.time - start.time;
    let chord = to.coords - from.coords;
    let out =
        before.map_or(chord, |key| (to.coords - align(&key.rotation, &from).coords) * (secs / (end.time - key.time)));
    let into =
        after.map_or(chord, |key| (align(&key.rotation, &to).coords - from.coords) * (secs / (key.time - start.time)));
    let (x2, x3) = (x * x, x * x * x);
    let sum = from.coords * (2.0 * x3 - 3.0 * x2 + 1.0)
        + out * (x3 - 2.0 * x2 + x)
        + to.coords * (3.0 * x2 - 2.0 * x3)
        + into * (x3 - x2);
    try_unit(sum.x, sum.y, sum.z, sum.w).unwrap_or_else(|| slerp(&from, &to, x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation::from_axis_angle};

    fn track(interpolation: RotationInterpolation, angles: &[f64]) -> KeyedRotation {
        let keys = angles
            .iter()
            .enumerate()
            .map(|(i, angle)| RotationKey::new(i as f64, from_axis_angle(&Vec3::y(), *angle), interpolation));
        KeyedRotation { keys: keys.collect() }
    }

    #[test]
    fn each_interpolation_runs_its_way() {
        let at = |interpolation, time| rotation(&track(interpolation, &[0.0, 1.0, 0.5]), time).unwrap().angle();
        assert!((at(RotationInterpolation::Slerp, 0.25) - 0.25).abs() < 1e-12);
        assert!((at(RotationInterpolation::Slerp, 1.5) - 0.75).abs() < 1e-12);
        assert_eq!(at(RotationInterpolation::Step, 0.99), 0.0);
        assert!((at(RotationInterpolation::Smooth, 0.5) - 0.5).abs() < 1e-12);
        assert!(at(RotationInterpolation::Smooth, 1e-3) < 1e-7);
        for kind in [RotationInterpolation::Step, RotationInterpolation::Slerp, RotationInterpolation::Smooth] {
            assert!((at(kind, 1.0) - 1.0).abs() < 1e-12 && (at(kind, 9.0) - 0.5).abs() < 1e-12);
            assert_eq!(at(kind, -5.0), 0.0);
        }
    }

    #[test]
    fn a_cubic_is_normalised_and_its_tangents_are_per_second() {
        let key = |time: f64, angle: f64, interpolation| {
            RotationKey::new(time, from_axis_angle(&Vec3::z(), angle), interpolation)
        };
        // Half a turn with zero tangents passes the quarter turn (B07).
        let flat = RotationInterpolation::Hermite(RotationTangents::default());
        let half =
            KeyedRotation { keys: [key(0.0, 0.0, flat), key(1.0, std::f64::consts::PI, flat)].into_iter().collect() };
        assert!((rotation(&half, 0.5).unwrap().angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        // The exact slopes of a steady turn: near steady over two seconds, which tangents a key step would miss.
        let slope = |angle: f64| {
            let half = angle / 2.0;
            #[expect(clippy::cast_possible_truncation, reason = "tangents are of single precision")]
            [0.0, 0.0, 0.5 * 0.2 * half.cos(), -0.5 * 0.2 * half.sin()].map(|value: f64| value as f32)
        };
        let steady = RotationInterpolation::Hermite(RotationTangents { out: slope(0.0), into: slope(0.4) });
        let steady = KeyedRotation { keys: [key(0.0, 0.0, steady), key(2.0, 0.4, steady)].into_iter().collect() };
        assert!((rotation(&steady, 0.5).unwrap().angle() - 0.1).abs() < 1e-5);
    }

    #[test]
    fn no_key_one_key_and_bad_times_are_defined() {
        assert_eq!(rotation(&KeyedRotation::default(), 0.0), None);
        let one = track(RotationInterpolation::Slerp, &[0.4]);
        assert!((rotation(&one, 3.0).unwrap().angle() - 0.4).abs() < 1e-12);
        assert_eq!(rotation(&one, f64::NAN), None);
    }

    #[test]
    fn a_cursor_changes_nothing_in_either_direction() {
        let angles: Vec<f64> = (0..2_000).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let track = track(RotationInterpolation::Slerp, &angles);
        let mut cursor = RotationCursor::default();
        for i in (0..19_000).chain((0..19_000).rev()) {
            let time = f64::from(i) * 0.1;
            assert_eq!(rotation_with(&track, time, &mut cursor), rotation(&track, time));
        }
    }
}

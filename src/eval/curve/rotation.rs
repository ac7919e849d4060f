//! Keyed rotations: by the short arc from key to key, held outside.

use super::search::{Place, following, locate};
use crate::math::{Quat, easing::Ease, rotation::slerp};
use crate::model::{KeyedRotation, RotationInterpolation};

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
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation::from_axis_angle};
    use crate::model::RotationKey;

    fn track(interpolation: RotationInterpolation, angles: &[f64]) -> KeyedRotation {
        let keys = angles.iter().enumerate().map(|(i, angle)| RotationKey {
            time: i as f64,
            rotation: from_axis_angle(&Vec3::y(), *angle),
            interpolation,
        });
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

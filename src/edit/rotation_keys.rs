//! Setting a key of a rotation curve so that a cubic through it keeps its way.

use super::key_lists::set_key;
use crate::{
    eval::curve::rotation::{hermite_slope, rotation},
    math::{Quat, rotation::align},
    model::{KeyedRotation, Keys, RotationInterpolation, RotationKey, RotationTangents, clip::SAME_TIME_SECS},
};
use nalgebra::Quaternion;

/// Gives a curve a rotation at a time. A key that is there keeps its interpolation; a new one continues that of the key before
/// it. The tangents of cubics turn with the key they belong to; one that gets a key within is split there first.
pub(super) fn set_rotation(keys: &mut Keys<RotationKey>, secs: f64, wanted: Quat) {
    let there = keys.index_near(secs, SAME_TIME_SECS);
    let before = match there {
        Some(index) => index.checked_sub(1),
        None => keys.count_at_or_before(secs).checked_sub(1),
    };
    let reaching = before.and_then(|index| Some((index, keys.get(index)?)));
    let (was, slope) = match (there.and_then(|index| keys.get(index)), reaching) {
        (Some(key), _) => (Some(key.rotation), None),
        (None, Some((index, from))) => split(keys, index, &from, secs),
        (None, None) => (None, None),
    };
    let is_cubic = |key: &RotationKey| matches!(key.interpolation, RotationInterpolation::Hermite(_));
    let own = there.and_then(|index| keys.get(index)).is_some_and(|key| is_cubic(&key));
    // Only a cubic minds the quaternion's sign.
    let was = was.filter(|_| own || reaching.is_some_and(|(_, key)| is_cubic(&key)));
    let wanted = was.map_or(wanted, |was| align(&wanted, &was));
    let turn = was.map_or_else(Quat::identity, |was| wanted * was.inverse());
    let slope = slope.map(|slope| turned(&turn, slope));
    if let Some((index, mut key)) = reaching
        && let RotationInterpolation::Hermite(tangents) = &mut key.interpolation
    {
        let into = slope.unwrap_or_else(|| turned(&turn, tangents.into));
        tangents.into = into;
        keys.replace_same_time(index, key);
    }
    set_key(
        keys,
        secs,
        |key| {
            let interpolation = match key.interpolation {
                RotationInterpolation::Hermite(RotationTangents { out, into }) => {
                    RotationInterpolation::Hermite(RotationTangents { out: turned(&turn, out), into })
                }
                other => other,
            };
            RotationKey { rotation: wanted, interpolation, ..*key }
        },
        |_| {
            let before = reaching.map(|(_, key)| key.interpolation).unwrap_or_default();
            let interpolation = match (before, slope) {
                (RotationInterpolation::Hermite(tangents), Some(out)) => {
                    RotationInterpolation::Hermite(RotationTangents { out, ..tangents })
                }
                // Behind the last key there is nothing to go on with.
                (RotationInterpolation::Hermite(_), None) => {
                    RotationInterpolation::Hermite(RotationTangents::default())
                }
                (other, _) => other,
            };
            RotationKey::new(secs, wanted, interpolation)
        },
    );
}

/// The rotation and its slope within a cubic; nothing within another segment.
fn split(keys: &Keys<RotationKey>, index: usize, from: &RotationKey, secs: f64) -> (Option<Quat>, Option<[f32; 4]>) {
    let (RotationInterpolation::Hermite(tangents), Some(to)) = (from.interpolation, keys.get(index + 1)) else {
        return (None, None);
    };
    let segment = KeyedRotation { keys: [*from, to].into_iter().collect() };
    (rotation(&segment, secs), Some(single(hermite_slope(from, &to, &tangents, secs))))
}

/// A slope after its key was turned in the parent's space.
fn turned(turn: &Quat, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
    let slope = Quaternion::new(f64::from(w), f64::from(x), f64::from(y), f64::from(z));
    if *turn == Quat::identity() {
        return [x, y, z, w];
    }
    let turned = turn.into_inner() * slope;
    single([turned.i, turned.j, turned.k, turned.w])
}

#[expect(clippy::cast_possible_truncation, reason = "tangents are of single precision")]
fn single(slope: [f64; 4]) -> [f32; 4] {
    slope.map(|value| value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation::from_axis_angle};

    fn track() -> KeyedRotation {
        let key = |time: f64, angle: f64, out: f32, into: f32| {
            RotationKey::new(
                time,
                from_axis_angle(&Vec3::z(), angle),
                RotationInterpolation::Hermite(RotationTangents {
                    out: [0.1, 0.0, out, -0.2],
                    into: [0.0, 0.0, into, -0.1],
                }),
            )
        };
        KeyedRotation {
            keys: [key(0.0, 0.0, 0.4, 0.2), key(1.0, 0.8, 0.2, 0.0), key(3.0, 0.5, 0.0, 0.0)].into_iter().collect(),
        }
    }

    #[test]
    fn setting_what_is_there_changes_nothing() {
        let before = track();
        let mut after = before.clone();
        set_rotation(
            &mut after.keys,
            1.0,
            nalgebra::Unit::new_unchecked(-before.keys.get(1).unwrap().rotation.into_inner()),
        );
        assert_eq!(before, after, "whatever the sign of the quaternion");
    }

    #[test]
    fn a_key_within_a_cubic_starts_from_its_shape() {
        let before = track();
        let mut after = before.clone();
        set_rotation(&mut after.keys, 2.0, rotation(&before, 2.0).unwrap());
        assert_eq!(after.keys.len(), 4);
        for step in 0..=30 {
            let time = f64::from(step) * 0.1;
            let (a, b) = (rotation(&before, time).unwrap(), rotation(&after, time).unwrap());
            // The cubic's length within is lost, and with it a little of its timing.
            assert!(a.angle_to(&b) < 0.02, "{time}: {}", a.angle_to(&b));
        }
    }
}

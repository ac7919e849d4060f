//! Corrections: changes on top of a clip's curves, each over a range and neutral outside it.
//!
//! In listed order a joint's rotation becomes `R * D(t)^scale` (about the bone's own axes, along the short arc; joints of
//! limbs by `S(t)^scale` besides, see [`Correction::solved`]) and a number `x + scale * d(t)`. At and outside the ends of its range a correction returns what it was given, bit for bit.

mod fade;
mod limbs;

pub use limbs::{LimbGoal, close, swivel};

use crate::{
    math::{Quat, rotation::pow_short},
    model::{ChannelPath, Component, Correction, Curve},
};
use std::sync::Arc;

/// Whether a correction changes anything at a time: not muted, not scaled to nothing, the time strictly inside its range.
#[must_use]
pub fn acts_at(correction: &Correction, secs: f64) -> bool {
    !correction.muted && correction.scale > 0.0 && correction.range.0 < secs && secs < correction.range.1
}

/// The rotation that a correction's curve adds at a time and a scale: `D(t)^scale`. Smooth keys are run through without a
/// stop, neutral at both ends in value, slope and curvature.
#[must_use]
pub fn rotation_delta(curve: &Curve, scale: f64, secs: f64) -> Quat {
    match curve {
        Curve::Rotation(curve) => {
            let delta = fade::rotation(curve, secs).unwrap_or_default();
            if scale == 1.0 { delta } else { pow_short(&delta, scale) }
        }
        Curve::Scalar(_) => Quat::identity(),
    }
}

/// The number that a correction's curve adds at a time and a scale: `scale * d(t)`.
#[must_use]
pub fn scalar_delta(curve: &Curve, scale: f64, secs: f64) -> f64 {
    match curve {
        Curve::Scalar(curve) => fade::scalar(curve, secs).map_or(0.0, |delta| scale * delta),
        Curve::Rotation(_) => 0.0,
    }
}

/// A rotation with the corrections of its channel applied. `path` may name any component of the rotation.
#[must_use]
pub fn correct_rotation(corrections: &[Arc<Correction>], path: ChannelPath, secs: f64, rotation: Quat) -> Quat {
    let path = path.with_component(Component::Whole);
    acting(corrections, path, secs).fold(rotation, |rotation, (correction, curve)| {
        let turned = rotation * rotation_delta(curve, correction.scale, secs);
        match correction.solved.get(&path) {
            Some(solved) => turned * rotation_delta(solved, correction.scale, secs),
            None => turned,
        }
    })
}

/// A number with the corrections of its channel applied.
#[must_use]
pub fn correct_scalar(corrections: &[Arc<Correction>], path: ChannelPath, secs: f64, value: f64) -> f64 {
    acting(corrections, path, secs)
        .fold(value, |value, (correction, curve)| value + scalar_delta(curve, correction.scale, secs))
}

/// The rotation that the corrections of its channel turn into `wanted`: what a key must hold for the final pose to be
/// `wanted`.
#[must_use]
pub fn uncorrect_rotation(corrections: &[Arc<Correction>], path: ChannelPath, secs: f64, wanted: Quat) -> Quat {
    let path = path.with_component(Component::Whole);
    wanted * correct_rotation(corrections, path, secs, Quat::identity()).inverse()
}

/// The number that the corrections of its channel turn into `wanted`.
#[must_use]
pub fn uncorrect_scalar(corrections: &[Arc<Correction>], path: ChannelPath, secs: f64, wanted: f64) -> f64 {
    wanted - correct_scalar(corrections, path, secs, 0.0)
}

/// The corrections that change a channel at a time, in order, with their curves.
pub fn acting(
    corrections: &[Arc<Correction>],
    path: ChannelPath,
    secs: f64,
) -> impl Iterator<Item = (&Correction, &Curve)> {
    corrections
        .iter()
        .filter(move |correction| acts_at(correction, secs))
        .filter_map(move |correction| Some((correction.as_ref(), correction.deltas.get(&path)?.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::{Vec3, rotation::from_axis_angle},
        model::{
            CorrectionId, Interpolation, JointId, Key, KeyedCurve, KeyedRotation, ObjectId, Property, RotationCurve,
            RotationInterpolation, RotationKey, ScalarCurve,
        },
    };
    use std::collections::BTreeMap;

    fn path(property: Property, component: Component) -> ChannelPath {
        ChannelPath::joint(ObjectId(1), JointId(0), property, component)
    }

    /// From 1 s to 3 s, at 2 s this turn and this shift in X.
    fn correction(id: u32, turn: Quat, shift: f64) -> Arc<Correction> {
        let rotation = |time, rotation| RotationKey::new(time, rotation, RotationInterpolation::Smooth);
        let keys = [rotation(1.0, Quat::identity()), rotation(2.0, turn), rotation(3.0, Quat::identity())];
        let turns = Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: keys.into_iter().collect() }));
        let keys = [(1.0, 0.0), (2.0, shift), (3.0, 0.0)]
            .map(|(time, value)| Key { interpolation: Interpolation::Smooth, ..Key::new(time, value) });
        let keys = keys.into_iter().collect();
        let shifts = Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }));
        Arc::new(Correction {
            id: CorrectionId(id),
            name: String::new(),
            muted: false,
            scale: 1.0,
            range: (1.0, 3.0),
            deltas: BTreeMap::from([
                (path(Property::Rotation, Component::Whole), Arc::new(turns)),
                (path(Property::Translation, Component::X), Arc::new(shifts)),
            ]),
            solved: BTreeMap::new(),
        })
    }

    fn with(mut correction: Arc<Correction>, change: impl FnOnce(&mut Correction)) -> Arc<Correction> {
        change(Arc::make_mut(&mut correction));
        correction
    }

    #[test]
    fn corrections_act_in_order_about_the_bones_own_axes_and_by_their_scale() {
        let [a, b] = [from_axis_angle(&Vec3::x(), 0.8), from_axis_angle(&Vec3::y(), 1.1)];
        let list = [correction(0, a, 0.5), with(correction(1, b, 2.0), |c| c.scale = 2.0)];
        let (turned, shifted) = (path(Property::Rotation, Component::Whole), path(Property::Translation, Component::X));
        let start = from_axis_angle(&Vec3::z(), 0.4);
        let wanted = start * a * b * b;
        assert!(correct_rotation(&list, turned, 2.0, start).angle_to(&wanted) < 1e-12);
        assert!((correct_scalar(&list, shifted, 2.0, 7.0) - 11.5).abs() < 1e-12);
        // Any component of the rotation names its correction.
        let x = turned.with_component(Component::X);
        assert_eq!(correct_rotation(&list, x, 1.3, start), correct_rotation(&list, turned, 1.3, start));
        for secs in [1.2, 2.0, 2.9] {
            let under = uncorrect_rotation(&list, turned, secs, wanted);
            assert!(correct_rotation(&list, turned, secs, under).angle_to(&wanted) < 1e-12);
            let under = uncorrect_scalar(&list, shifted, secs, 3.0);
            assert!((correct_scalar(&list, shifted, secs, under) - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_does_not_act_leaves_every_bit() {
        let turn = from_axis_angle(&Vec3::x(), 0.8);
        let (turned, shifted) = (path(Property::Rotation, Component::Whole), path(Property::Translation, Component::X));
        let start = from_axis_angle(&Vec3::z(), 0.4);
        let list = [
            with(correction(0, turn, 0.5), |c| c.muted = true),
            with(correction(1, turn, 0.5), |c| c.scale = 0.0),
            with(correction(2, turn, 0.5), |c| c.range = (2.5, 3.0)),
        ];
        for secs in [0.0, 1.0, 1.5, 2.0, 3.0, 9.0, f64::NAN] {
            assert_eq!(correct_rotation(&list, turned, secs, start).coords, start.coords);
            assert_eq!(correct_scalar(&list, shifted, secs, 0.1).to_bits(), 0.1f64.to_bits());
            assert_eq!(acting(&list, turned, secs).count(), 0);
        }
    }

    #[test]
    fn a_turn_is_scaled_along_the_short_arc_whatever_its_sign() {
        let turn = from_axis_angle(&Vec3::x(), 1.0);
        let other = Quat::new_unchecked(-turn.into_inner());
        for turn in [turn, other] {
            let curve = correction(0, turn, 0.0).deltas[&path(Property::Rotation, Component::Whole)].clone();
            let half = rotation_delta(&curve, 0.5, 2.0);
            assert!(half.angle_to(&from_axis_angle(&Vec3::x(), 0.5)) < 1e-12);
        }
    }
}

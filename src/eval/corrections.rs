//! Corrections: changes on top of a clip's curves, each over a range and neutral outside it.
//!
//! In listed order a joint's rotation becomes `R * D(t)^scale` (about the bone's own axes, along the short arc) and a
//! number `x + scale * d(t)`. At and outside the ends of its range a correction returns what it was given, bit for bit.

use super::sample::{rotation_value, scalar_value};
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

/// The rotation that a correction's curve adds at a time and a scale: `D(t)^scale`.
#[must_use]
pub fn rotation_delta(curve: &Curve, scale: f64, secs: f64) -> Quat {
    match curve {
        Curve::Rotation(curve) => {
            let delta = rotation_value(curve, secs).unwrap_or_default();
            if scale == 1.0 { delta } else { pow_short(&delta, scale) }
        }
        Curve::Scalar(_) => Quat::identity(),
    }
}

/// The number that a correction's curve adds at a time and a scale: `scale * d(t)`.
#[must_use]
pub fn scalar_delta(curve: &Curve, scale: f64, secs: f64) -> f64 {
    match curve {
        Curve::Scalar(curve) => scalar_value(curve, secs).map_or(0.0, |delta| scale * delta),
        Curve::Rotation(_) => 0.0,
    }
}

/// A rotation with the corrections of its channel applied. `path` may name any component of the rotation.
#[must_use]
pub fn correct_rotation(corrections: &[Arc<Correction>], path: ChannelPath, secs: f64, rotation: Quat) -> Quat {
    let path = path.with_component(Component::Whole);
    acting(corrections, path, secs)
        .fold(rotation, |rotation, (correction, curve)| rotation * rotation_delta(curve, correction.scale, secs))
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

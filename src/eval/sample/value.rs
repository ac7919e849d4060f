//! The value of any curve of a channel, keyed or sampled.

use crate::{
    eval::curve,
    math::Quat,
    model::{RotationCurve, ScalarCurve},
};

/// The value of a scalar curve at a time, seconds. None for an empty curve or a time that is not finite.
#[must_use]
pub fn scalar_value(curve: &ScalarCurve, secs: f64) -> Option<f64> {
    match curve {
        ScalarCurve::Keyed(keyed) => curve::value(keyed, secs),
        ScalarCurve::Sampled(samples) => curve::sampled::value(samples, secs),
    }
}

/// [`scalar_value`] at many times in any order, to the bit: a curve of many keys waits for memory once for several times.
#[must_use]
pub fn scalar_values(curve: &ScalarCurve, times: &[f64]) -> Vec<Option<f64>> {
    match curve {
        ScalarCurve::Keyed(keyed) => curve::values(keyed, times),
        ScalarCurve::Sampled(samples) => times.iter().map(|secs| curve::sampled::value(samples, *secs)).collect(),
    }
}

/// The rotation of a rotation curve at a time, seconds. None for an empty curve or a time that is not finite.
#[must_use]
pub fn rotation_value(curve: &RotationCurve, secs: f64) -> Option<Quat> {
    match curve {
        RotationCurve::Keyed(keyed) => curve::rotation::rotation(keyed, secs),
        RotationCurve::Sampled(samples) => curve::sampled::rotation(samples, secs),
    }
}

//! A quarter of a cosine.

use super::Sample;
use std::f64::consts::FRAC_PI_2;

pub(super) fn start(x: f64) -> Sample {
    let (sin, cos) = crate::math::trig::sin_cos(FRAC_PI_2 * x);
    (1.0 - cos, FRAC_PI_2 * sin)
}

//! Elastic: swings with growing amplitude.

use super::Sample;
use std::f64::consts::{LN_2, TAU};

pub(super) fn start(x: f64, amplitude: f64, period: f64, decay: f64) -> Sample {
    let amplitude = amplitude.max(1.0);
    // The phase that ends the last swing at exactly 1.
    let phase = (1.0 / amplitude).asin();
    let speed = TAU / period;
    let (sin, cos) = crate::math::trig::sin_cos(speed * (x - 1.0) - phase);
    let swing = amplitude * (decay * (x - 1.0)).exp2();
    (-swing * sin, -swing * (decay * LN_2 * sin + speed * cos))
}

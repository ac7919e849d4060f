//! Ten doublings.

use super::Sample;
use std::f64::consts::LN_2;

pub(super) fn start(x: f64) -> Sample {
    let value = (10.0 * (x - 1.0)).exp2();
    (value, 10.0 * LN_2 * value)
}

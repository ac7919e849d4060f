//! Back: goes the wrong way first.

use super::Sample;

pub(super) fn start(x: f64, overshoot: f64) -> Sample {
    let s = overshoot;
    (x * x * ((s + 1.0) * x - s), x * (3.0 * (s + 1.0) * x - 2.0 * s))
}

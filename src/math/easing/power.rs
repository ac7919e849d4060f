//! Powers.

use super::Sample;

pub(super) fn start(x: f64, exponent: f64) -> Sample {
    (x.powf(exponent), exponent * x.powf(exponent - 1.0))
}

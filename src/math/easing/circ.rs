//! A quarter of a circle.

use super::Sample;

pub(super) fn start(x: f64) -> Sample {
    // As a product: near 1 a difference of squares loses digits.
    let height = ((1.0 - x) * (1.0 + x)).sqrt();
    // 1 - height, without cancellation near 0.
    (x * x / (1.0 + height), x / height)
}

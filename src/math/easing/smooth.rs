//! The polynomials that are slow at both ends. `6x^5 - 15x^4 + 10x^3` is K. Perlin's fade, *Improving noise*, 2002.

use super::Sample;

pub(super) fn smoothstep(x: f64) -> Sample {
    (x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x))
}

pub(super) fn smootherstep(x: f64) -> Sample {
    let bump = x * (1.0 - x);
    (x * x * x * (x * (6.0 * x - 15.0) + 10.0), 30.0 * bump * bump)
}

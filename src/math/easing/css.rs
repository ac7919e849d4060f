//! The cubic Bezier easing of CSS.

use crate::math::cubic::{BezierTime, Cubic};

/// An easing by a cubic Bezier from (0, 0) to (1, 1). Source: *CSS Easing Functions Level 1*, W3C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CssBezier {
    time: BezierTime,
    value: Cubic,
}

impl CssBezier {
    /// The presets of CSS, by name: `x1, y1, x2, y2`.
    pub const PRESETS: [(&'static str, [f64; 4]); 5] = [
        ("linear", [0.0, 0.0, 1.0, 1.0]),
        ("ease", [0.25, 0.1, 0.25, 1.0]),
        ("ease-in", [0.42, 0.0, 1.0, 1.0]),
        ("ease-out", [0.0, 0.0, 0.58, 1.0]),
        ("ease-in-out", [0.42, 0.0, 0.58, 1.0]),
    ];

    /// The easing with inner control points `(x1, y1)` and `(x2, y2)`. The `x` are brought into 0..=1; the `y` are free,
    /// so that the value may overshoot.
    #[must_use]
    pub fn new(x1: f64, y1: f64, x2: f64, y2: f64) -> Self {
        Self { time: BezierTime::new(x1, 1.0 - x2), value: Cubic::from_bezier([0.0, y1, y2, 1.0]) }
    }

    /// The value at `x`, brought into 0..=1 first.
    #[must_use]
    pub fn value(&self, x: f64) -> f64 {
        // The power form may miss the end by rounding.
        if x >= 1.0 { 1.0 } else { self.value.value(self.time.solve(x)) }
    }

    /// The slope at `x`, brought into 0..=1 first; infinite where the curve is vertical.
    #[must_use]
    pub fn slope(&self, x: f64) -> f64 {
        self.time.slope_of(&self.value, self.time.solve(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives_and_the_ends_are_exact() {
        for (name, [x1, y1, x2, y2]) in CssBezier::PRESETS {
            let ease = CssBezier::new(x1, y1, x2, y2);
            assert_eq!((ease.value(0.0), ease.value(1.0)), (0.0, 1.0), "{name}");
            for i in 1..100 {
                let (x, h) = (f64::from(i) / 100.0, 1e-6);
                let measured = (ease.value(x + h) - ease.value(x - h)) / (2.0 * h);
                assert!((ease.slope(x) - measured).abs() < 1e-6, "{name} {x}");
            }
        }
    }
}

//! Smooth: from key to key, at rest at both, with zero slope and zero curvature.

use super::{Shape, Span, eased};
use crate::math::easing::Ease;

pub(super) fn shape(span: &Span<'_>) -> Shape {
    eased(span, Ease::SMOOTHERSTEP)
}

#[cfg(test)]
mod tests {
    use crate::eval::curve::value_and_slope;
    use crate::model::{Interpolation, Key, KeyedCurve};

    #[test]
    fn it_starts_and_ends_at_rest_and_its_slope_is_its_derivative() {
        let key = |time, value| Key { interpolation: Interpolation::Smooth, ..Key::new(time, value) };
        let curve = KeyedCurve { keys: [key(1.0, 2.0), key(3.0, -1.0)].into_iter().collect(), ..Default::default() };
        let at = |time| value_and_slope(&curve, time).unwrap();
        assert_eq!(at(1.0), (2.0, 0.0));
        assert!((at(2.0).0 - 0.5).abs() < 1e-15);
        for i in 1..200 {
            let (time, h) = (1.0 + 0.01 * f64::from(i), 1e-5);
            let slope = (at(time + h).0 - at(time - h).0) / (2.0 * h);
            assert!((slope - at(time).1).abs() < 1e-8);
        }
        // Near an end the value leaves by the third power of time, so value, slope and curvature are all 0 there.
        let left = (at(1.0 + 1e-3).0 - 2.0) / 1e-9;
        assert!((left - -3.0 * 10.0 / 8.0).abs() < 0.01);
    }
}

//! More points along an axis of Bernstein polynomials without any change of the shape.

/// Bernstein coefficients of a polynomial with one more of them: degree elevation (Farin, Curves and Surfaces for CAGD, 5.1).
/// Exact: the polynomial stays. None stays none.
#[must_use]
pub fn elevated<T>(values: &[T]) -> Vec<T>
where
    T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
{
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return Vec::new() };
    let degree = values.len() as f64;
    let mut out = vec![*first];
    for (index, pair) in values.windows(2).enumerate() {
        let part = (index + 1) as f64 / degree;
        out.push(pair[0] * part + pair[1] * (1.0 - part));
    }
    out.push(*last);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lattice::Basis;

    #[test]
    fn the_polynomial_stays() {
        let values = [0.4, -1.0, 2.5, 0.1];
        let mut more = values.to_vec();
        for _ in 0..6 {
            more = elevated(&more);
        }
        assert_eq!(more.len(), 10);
        for step in 0..=20 {
            let t = f64::from(step) / 20.0;
            let at = |values: &[f64]| {
                let weights = Basis::Bernstein.weights(values.len(), t);
                values.iter().enumerate().map(|(i, value)| weights.of(i) * value).sum::<f64>()
            };
            assert!((at(&values) - at(&more)).abs() < 1e-14);
        }
        assert!(elevated::<f64>(&[]).is_empty());
    }
}

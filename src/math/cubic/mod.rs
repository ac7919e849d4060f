//! Cubics in one variable: the power form that curves are evaluated in, Bezier and Hermite forms, spline matrices, and
//! the time of a Bezier curve solved for its parameter.

mod bezier;
mod matrices;
mod points;
mod time;

pub use bezier::{bezier, bezier_derivative, split_bezier};
pub use matrices::{
    CATMULL_ROM, HERMITE, cardinal_matrix, hermite, hermite_basis, hermite_basis_derivative, through_basis,
};
pub use points::{catmull_rom_by_alpha, knots_by_alpha};
pub use time::BezierTime;

/// A cubic in power form, `c0 + c1 u + c2 u^2 + c3 u^3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    /// The coefficients, constant first.
    pub c: [f64; 4],
}

impl Cubic {
    /// The cubic with these Bezier control values.
    #[must_use]
    pub fn from_bezier([p0, p1, p2, p3]: [f64; 4]) -> Self {
        // In differences, so that large values with small changes keep their digits.
        let (d0, d1, d2) = (p1 - p0, p2 - p1, p3 - p2);
        Self { c: [p0, 3.0 * d0, 3.0 * (d1 - d0), d2 - 2.0 * d1 + d0] }
    }

    /// The cubic with these values and slopes (per unit of `u`) at `u` = 0 and 1.
    #[must_use]
    pub fn from_hermite(p0: f64, p1: f64, m0: f64, m1: f64) -> Self {
        let rise = p1 - p0;
        Self { c: [p0, m0, 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise] }
    }

    /// The value at `u`.
    #[must_use]
    #[inline]
    pub fn value(&self, u: f64) -> f64 {
        let [c0, c1, c2, c3] = self.c;
        ((c3 * u + c2) * u + c1) * u + c0
    }

    /// The first derivative at `u`.
    #[must_use]
    #[inline]
    pub fn derivative(&self, u: f64) -> f64 {
        let [_, c1, c2, c3] = self.c;
        (3.0 * c3 * u + 2.0 * c2) * u + c1
    }

    /// The second derivative at `u`.
    #[must_use]
    #[inline]
    pub fn second_derivative(&self, u: f64) -> f64 {
        6.0 * self.c[3] * u + 2.0 * self.c[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_bezier_and_hermite_forms_agree() {
        let p = [1.0, -2.0, 4.0, 0.5];
        let (by_bezier, by_hermite) =
            (Cubic::from_bezier(p), Cubic::from_hermite(p[0], p[3], 3.0 * (p[1] - p[0]), 3.0 * (p[3] - p[2])));
        for i in 0..=20 {
            let u = f64::from(i) / 20.0;
            assert!((by_bezier.value(u) - bezier(p, u)).abs() < 1e-14);
            assert!((by_hermite.value(u) - bezier(p, u)).abs() < 1e-14);
            assert!((by_bezier.derivative(u) - bezier_derivative(p, u)).abs() < 1e-13);
            let slope = (by_bezier.derivative(u + 1e-6) - by_bezier.derivative(u - 1e-6)) / 2e-6;
            assert!((by_bezier.second_derivative(u) - slope).abs() < 1e-7);
        }
        assert_eq!((by_bezier.value(0.0), by_bezier.value(1.0)), (1.0, 0.5));
    }

    #[test]
    fn a_flat_curve_far_from_zero_stays_flat() {
        let flat = Cubic::from_bezier([1e9 + 0.1; 4]);
        assert_eq!(flat.value(0.3), 1e9 + 0.1);
    }
}

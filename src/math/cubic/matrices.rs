//! Spline bases as matrices. Row `n` of a matrix multiplies `u^n`: the point is `[1 u u^2 u^3] * M * [p0 p1 p2 p3]^T`.

use crate::math::{Mat4, Vec3};

/// The Hermite basis on `[p0, p1, m0, m1]`, slopes per unit of `u`.
pub const HERMITE: Mat4 = Mat4::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -3.0, 3.0, -2.0, -1.0, 2.0, -2.0, 1.0, 1.0);

/// The uniform Catmull-Rom basis on four points; the curve runs from the second to the third.
/// Source: E. Catmull and R. Rom, *A class of local interpolating splines*, 1974.
pub const CATMULL_ROM: Mat4 =
    Mat4::new(0.0, 1.0, 0.0, 0.0, -0.5, 0.0, 0.5, 0.0, 1.0, -2.5, 2.0, -0.5, -0.5, 1.5, -1.5, 0.5);

/// The uniform cardinal basis on four points: Catmull-Rom with slopes times `1 - tension`. Tension 0 is Catmull-Rom; at
/// tension 1 the slopes are zero, which is a straight trace with an eased timing and not linear interpolation.
///
/// Derived from [`HERMITE`] with `m = (1 - tension) (p_next - p_previous) / 2`; the matrix printed in some course notes
/// mixes two conventions and misses its end point.
#[must_use]
pub fn cardinal_matrix(tension: f64) -> Mat4 {
    let s = 1.0 - tension;
    Mat4::new(
        0.0,
        2.0,
        0.0,
        0.0, //
        -s,
        0.0,
        s,
        0.0, //
        2.0 * s,
        s - 6.0,
        6.0 - 2.0 * s,
        -s, //
        -s,
        4.0 - s,
        s - 4.0,
        s,
    ) * 0.5
}

/// The point at `u` of four points (or points and slopes) under a basis.
#[must_use]
pub fn through_basis(basis: &Mat4, points: &[Vec3; 4], u: f64) -> Vec3 {
    let weights = nalgebra::RowVector4::new(1.0, u, u * u, u * u * u) * basis;
    points[0] * weights[0] + points[1] * weights[1] + points[2] * weights[2] + points[3] * weights[3]
}

/// The Hermite basis functions at `u`, for `[p0, p1, m0, m1]`.
#[must_use]
pub fn hermite_basis(u: f64) -> [f64; 4] {
    let (u2, v) = (u * u, 1.0 - u);
    let h1 = u2 * (3.0 - 2.0 * u);
    [1.0 - h1, h1, u * v * v, -u2 * v]
}

/// The derivatives of the Hermite basis functions at `u`.
#[must_use]
pub fn hermite_basis_derivative(u: f64) -> [f64; 4] {
    let bump = 6.0 * u * (1.0 - u);
    [-bump, bump, (1.0 - u) * (1.0 - 3.0 * u), u * (3.0 * u - 2.0)]
}

/// The value at `u` between `p0` and `p1` with slopes `m0` and `m1` per unit of `u`.
#[must_use]
pub fn hermite(p0: f64, p1: f64, m0: f64, m1: f64, u: f64) -> f64 {
    let [a, b, c, d] = hermite_basis(u);
    a * p0 + b * p1 + c * m0 + d * m1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinal_at_zero_is_catmull_rom_and_every_one_meets_its_points() {
        assert_eq!(cardinal_matrix(0.0), CATMULL_ROM);
        let points = [Vec3::zeros(), Vec3::x(), Vec3::x() * 3.0, Vec3::x() * 2.0];
        for tension in [-0.5, 0.0, 0.5, 1.0] {
            let basis = cardinal_matrix(tension);
            assert!((through_basis(&basis, &points, 0.0) - points[1]).norm() < 1e-15);
            assert!((through_basis(&basis, &points, 1.0) - points[2]).norm() < 1e-15);
        }
        // Tension 1 eases between its keys: a quarter of the way it has gone 0.15625, not 0.25.
        let eased = through_basis(&cardinal_matrix(1.0), &[Vec3::zeros(), Vec3::zeros(), Vec3::x(), Vec3::x()], 0.25);
        assert!((eased.x - 0.15625).abs() < 1e-15);
    }

    #[test]
    fn basis_functions_are_the_matrix_and_their_derivatives_the_slope() {
        for i in 0..=20 {
            let u = f64::from(i) / 20.0;
            let row = nalgebra::RowVector4::new(1.0, u, u * u, u * u * u) * HERMITE;
            let (ahead, behind) = (hermite_basis(u + 1e-6), hermite_basis(u - 1e-6));
            for n in 0..4 {
                assert!((row[n] - hermite_basis(u)[n]).abs() < 1e-15);
                let slope = (ahead[n] - behind[n]) / 2e-6;
                assert!((slope - hermite_basis_derivative(u)[n]).abs() < 1e-9);
            }
        }
        assert_eq!(hermite(2.0, 5.0, 1.0, 1.0, 1.0), 5.0);
    }
}

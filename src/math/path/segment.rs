//! A cubic in space.

use crate::math::{Affine, Vec3};

/// A cubic in space in power form, `c0 + c1 u + c2 u^2 + c3 u^3`, `u` in 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic3 {
    /// The coefficients, constant first.
    pub c: [Vec3; 4],
}

impl Cubic3 {
    /// The cubic with these Bezier control points.
    #[must_use]
    pub fn from_bezier([p0, p1, p2, p3]: [Vec3; 4]) -> Self {
        let (d0, d1, d2) = (p1 - p0, p2 - p1, p3 - p2);
        Self { c: [p0, d0 * 3.0, (d1 - d0) * 3.0, d2 - d1 * 2.0 + d0] }
    }

    /// The cubic from `p0` to `p1` with these velocities (per unit of `u`).
    #[must_use]
    pub fn from_hermite(p0: Vec3, p1: Vec3, m0: Vec3, m1: Vec3) -> Self {
        let rise = p1 - p0;
        Self { c: [p0, m0, rise * 3.0 - m0 * 2.0 - m1, m0 + m1 - rise * 2.0] }
    }

    /// The point at `u`.
    #[must_use]
    pub fn point(&self, u: f64) -> Vec3 {
        let [c0, c1, c2, c3] = &self.c;
        ((c3 * u + c2) * u + c1) * u + c0
    }

    /// The image of the cubic under an affine map.
    #[must_use]
    pub fn mapped(&self, map: &Affine) -> Self {
        let [c0, c1, c2, c3] = &self.c;
        Self { c: [map.point(c0), map.vector(c1), map.vector(c2), map.vector(c3)] }
    }

    /// The largest coordinate of the coefficients but the place it starts at.
    #[must_use]
    pub fn size(&self) -> f64 {
        let [_, c1, c2, c3] = &self.c;
        c1.amax().max(c2.amax()).max(c3.amax())
    }

    /// The velocity at `u`, per unit of `u`.
    #[must_use]
    pub fn velocity(&self, u: f64) -> Vec3 {
        let [_, c1, c2, c3] = &self.c;
        (c3 * (3.0 * u) + c2 * 2.0) * u + c1
    }

    /// The acceleration at `u`, per unit of `u` squared.
    #[must_use]
    pub fn acceleration(&self, u: f64) -> Vec3 {
        self.c[3] * (6.0 * u) + self.c[2] * 2.0
    }
}

/// The uniform Catmull-Rom path through all points: one segment between every two, with half the way between its
/// neighbours as velocity at a point, and at the ends the way to the one neighbour. Empty for fewer than two points.
#[must_use]
pub fn uniform_catmull_rom(points: &[Vec3]) -> Vec<Cubic3> {
    let velocity = |i: usize| match (i.checked_sub(1).and_then(|before| points.get(before)), points.get(i + 1)) {
        (Some(before), Some(after)) => (after - before) * 0.5,
        (Some(before), None) => points[i] - before,
        (None, Some(after)) => after - points[i],
        (None, None) => Vec3::zeros(),
    };
    let segment = |i: usize| Cubic3::from_hermite(points[i], points[i + 1], velocity(i), velocity(i + 1));
    (0..points.len().saturating_sub(1)).map(segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::cubic::bezier;

    #[test]
    fn power_form_and_derivatives_agree_with_bezier_by_axis() {
        let p =
            [Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.0, 5.0, 1.0), Vec3::new(4.0, 4.0, 4.0), Vec3::new(6.0, 0.0, 1.0)];
        let cubic = Cubic3::from_bezier(p);
        let again = Cubic3::from_hermite(p[0], p[3], (p[1] - p[0]) * 3.0, (p[3] - p[2]) * 3.0);
        for i in 0..=10 {
            let (u, h) = (f64::from(i) / 10.0, 1e-6);
            for axis in 0..3 {
                assert!((cubic.point(u)[axis] - bezier(p.map(|point| point[axis]), u)).abs() < 1e-14);
            }
            assert!((cubic.point(u) - again.point(u)).norm() < 1e-14);
            assert!(((cubic.point(u + h) - cubic.point(u - h)) / (2.0 * h) - cubic.velocity(u)).norm() < 1e-8);
            assert!(
                ((cubic.velocity(u + h) - cubic.velocity(u - h)) / (2.0 * h) - cubic.acceleration(u)).norm() < 1e-8
            );
        }
    }

    #[test]
    fn a_path_passes_through_its_points_with_one_velocity() {
        let points: Vec<Vec3> = (0..5).map(|i| Vec3::new(f64::from(i), f64::from(i * i), f64::from(i % 2))).collect();
        let path = uniform_catmull_rom(&points);
        for (i, pair) in path.windows(2).enumerate() {
            assert!((pair[0].point(1.0) - points[i + 1]).norm() < 1e-13);
            assert!((pair[0].velocity(1.0) - pair[1].velocity(0.0)).norm() < 1e-13);
        }
        assert!(uniform_catmull_rom(&points[..1]).is_empty());
    }
}

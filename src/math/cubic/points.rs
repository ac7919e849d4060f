//! Catmull-Rom curves through points with knots spaced by a power of the distances.

use crate::math::Vec3;

/// The knots of four points: each gap is the distance between neighbours to the power `alpha`. 0 is uniform, 0.5
/// centripetal (no cusps, no loops within a segment), 1 chordal. The first is 0. Points that coincide have no gap, unless
/// `alpha` is 0.
#[must_use]
pub fn knots_by_alpha(points: &[Vec3; 4], alpha: f64) -> [f64; 4] {
    let gap = |n: usize| if alpha == 0.0 { 1.0 } else { (points[n + 1] - points[n]).norm().powf(alpha) };
    let (a, b, c) = (gap(0), gap(1), gap(2));
    [0.0, a, a + b, a + b + c]
}

/// The point at `u` (0..=1) between the second and the third of four points, on the Catmull-Rom curve with knots by
/// [`knots_by_alpha`].
///
/// Where the middle points coincide it is that point; where an outer one coincides with its neighbour, its gap counts as
/// long as the middle one.
/// Source: P. J. Barry and R. N. Goldman, *A recursive evaluation algorithm for a class of Catmull-Rom splines*, 1988.
#[must_use]
pub fn catmull_rom_by_alpha(points: &[Vec3; 4], alpha: f64, u: f64) -> Vec3 {
    let [p0, p1, p2, p3] = points;
    let [k0, k1, k2, k3] = knots_by_alpha(points, alpha);
    let middle = k2 - k1;
    if !(middle > 0.0 && middle.is_finite()) {
        return p1.lerp(p2, u);
    }
    let or_middle = |gap: f64| if gap > middle * 1e-12 { gap } else { middle };
    let (before, after) = (or_middle(k1 - k0), or_middle(k3 - k2));
    // Knots relative to the second point's.
    let t = u * middle;
    let mix = |a: &Vec3, b: &Vec3, from: f64, to: f64| a + (b - a) * ((t - from) / (to - from));
    let a1 = mix(p0, p1, -before, 0.0);
    let a2 = mix(p1, p2, 0.0, middle);
    let a3 = mix(p2, p3, middle, middle + after);
    let b1 = mix(&a1, &a2, -before, middle);
    let b2 = mix(&a2, &a3, 0.0, middle + after);
    mix(&b1, &b2, 0.0, middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::cubic::{CATMULL_ROM, through_basis};

    const POINTS: [Vec3; 4] =
        [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 2.0, 0.5), Vec3::new(4.0, 1.0, -1.0), Vec3::new(4.5, -2.0, 0.0)];

    #[test]
    fn uniform_knots_give_the_matrix_form_and_all_meet_the_points() {
        for i in 0..=10 {
            let u = f64::from(i) / 10.0;
            let matrix = through_basis(&CATMULL_ROM, &POINTS, u);
            assert!((catmull_rom_by_alpha(&POINTS, 0.0, u) - matrix).norm() < 1e-14);
        }
        for alpha in [0.0, 0.3, 0.5, 1.0] {
            assert!((catmull_rom_by_alpha(&POINTS, alpha, 0.0) - POINTS[1]).norm() < 1e-14);
            assert!((catmull_rom_by_alpha(&POINTS, alpha, 1.0) - POINTS[2]).norm() < 1e-14);
        }
    }

    #[test]
    fn coincident_points_are_finite() {
        let p = Vec3::new(1.0, 2.0, 3.0);
        let q = Vec3::new(2.0, 2.0, 3.0);
        for points in [[p, p, q, q], [p, p, p, p], [q, p, p, q], [p, p, q, p]] {
            for alpha in [0.0, 0.5, 1.0] {
                for u in [0.0, 0.4, 1.0] {
                    assert!(catmull_rom_by_alpha(&points, alpha, u).iter().all(|v| v.is_finite()));
                }
            }
        }
    }
}

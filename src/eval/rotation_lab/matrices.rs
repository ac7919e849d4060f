//! What becomes of a cube when the numbers of matrices are interpolated.

use crate::math::{Mat3, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Number by number between two matrices: what a rotation matrix is not made for.
#[must_use]
pub fn lerp_matrix(from: &Mat3, to: &Mat3, part: f64) -> Mat3 {
    from * (1.0 - part) + to * part
}

/// The shape a matrix gives the unit cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Its volume, signed: 1 of a rotation, 0 of a cube pressed flat, negative of a mirrored one.
    pub determinant: f64,
    /// The lengths of its edges: 1 each of a rotation.
    pub edges: [f64; 3],
    /// How far the corner of two edges is from square, at most: radians, 0 of a rotation; none where an edge has no length.
    pub shear: Option<f64>,
}

impl Shape {
    /// The shape of a matrix.
    #[must_use]
    pub fn of(matrix: &Mat3) -> Self {
        let column = |n: usize| -> Vec3 { matrix.column(n).into() };
        let edges = [0, 1, 2].map(|n| column(n).norm());
        let corner = |(a, b): (usize, usize)| {
            let (a, b) = (column(a).try_normalize(1e-12)?, column(b).try_normalize(1e-12)?);
            Some((FRAC_PI_2 - a.cross(&b).norm().atan2(a.dot(&b))).abs())
        };
        let corners = [(0, 1), (1, 2), (2, 0)].map(corner);
        let shear = corners.into_iter().try_fold(0.0, |most: f64, corner| Some(most.max(corner?)));
        Self { determinant: matrix.determinant(), edges, shear }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{from_axis_angle, rodrigues};
    use std::f64::consts::PI;

    /// About an axis the lerp from none to a turn is `1 - t + t e^(i angle)`, whose square is the volume left.
    #[test]
    fn the_volume_left_is_the_square_of_the_chord() {
        for axis in [Vec3::z(), Vec3::new(1.0, 2.0, -0.5).normalize()] {
            for angle in [0.3, FRAC_PI_2, 2.0, PI] {
                let to = rodrigues(&axis, angle);
                for i in 0..=20 {
                    let part = f64::from(i) / 20.0;
                    let shape = Shape::of(&lerp_matrix(&Mat3::identity(), &to, part));
                    let wanted = 1.0 - 2.0 * part * (1.0 - part) * (1.0 - angle.cos());
                    assert!((shape.determinant - wanted).abs() < 1e-12, "{angle} {part}");
                }
            }
        }
    }

    #[test]
    fn rotations_keep_the_cube_and_lerp_shears_it() {
        let to = from_axis_angle(&Vec3::new(1.0, 1.0, 0.0), 2.0);
        let whole = Shape::of(to.to_rotation_matrix().matrix());
        assert!((whole.determinant - 1.0).abs() < 1e-12 && whole.shear.unwrap() < 1e-12);
        assert!(whole.edges.iter().all(|edge| (edge - 1.0).abs() < 1e-12));
        let half = Shape::of(&lerp_matrix(&Mat3::identity(), to.to_rotation_matrix().matrix(), 0.5));
        assert!(half.determinant < 0.5 && half.shear.unwrap() > 0.2, "{half:?}");
        // Half a turn about Z: X and Y vanish half way, and no corner is left to be measured.
        let half_turn = from_axis_angle(&Vec3::z(), PI);
        let flat = Shape::of(&lerp_matrix(&Mat3::identity(), half_turn.to_rotation_matrix().matrix(), 0.5));
        assert!(flat.determinant.abs() < 1e-12 && flat.shear.is_none() && flat.edges[2] == 1.0, "{flat:?}");
    }
}

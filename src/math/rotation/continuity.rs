//! Sign continuity: `q` and `-q` are the same rotation, but not the same curve.

use crate::math::Quat;

/// `q` or `-q`, whichever lies in the hemisphere of `reference`. A product of exactly 0 leaves `q` as it is.
#[must_use]
pub fn align(q: &Quat, reference: &Quat) -> Quat {
    if q.coords.dot(&reference.coords) < 0.0 { nalgebra::Unit::new_unchecked(-q.into_inner()) } else { *q }
}

/// Makes each quaternion's product with the one before it non-negative, so that neighbours interpolate by the short way
/// and components have no jumps. The first keeps its sign.
pub fn make_continuous(rotations: &mut [Quat]) {
    for i in 1..rotations.len() {
        rotations[i] = align(&rotations[i], &rotations[i - 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation::from_axis_angle};

    #[test]
    fn a_sequence_with_random_signs_becomes_one_curve() {
        let mut track: Vec<Quat> = (0..100)
            .map(|i| {
                let q = from_axis_angle(&Vec3::new(1.0, 2.0, 0.5), 0.1 * f64::from(i));
                if i % 3 == 1 { nalgebra::Unit::new_unchecked(-q.into_inner()) } else { q }
            })
            .collect();
        let before = track.clone();
        make_continuous(&mut track);
        assert_eq!(track[0], before[0]);
        for (i, pair) in track.windows(2).enumerate() {
            assert!(pair[0].coords.dot(&pair[1].coords) >= 0.0);
            assert!((track[i].coords.dot(&before[i].coords).abs() - 1.0).abs() < 1e-12);
        }
    }
}

//! Ways to mix two poses of an arm, right and wrong: what each does to the lengths of its bones.
//!
//! Source: J. Gregory, *Game Engine Architecture*, "pose interpolation": poses are blended a joint at a time in its parent's
//! space.

use super::additive::Delta;
use crate::{
    math::{
        Affine, Quat, Transform, Vec3,
        rotation::{from_axis_angle, nlerp, slerp},
    },
    model::AdditiveSpace,
};

/// A way to mix two poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Rotations in the parent's space, along the arc at an even rate.
    LocalSlerp,
    /// The same along the straight line, brought to length 1.
    LocalNlerp,
    /// The matrices of the joints in their parents' spaces, number by number: no rotations any more.
    Matrices,
    /// Places and rotations in the model's space: bones do not keep their lengths.
    ModelSpace,
}

impl Way {
    /// All ways, the right ones first.
    pub const ALL: [Self; 4] = [Self::LocalSlerp, Self::LocalNlerp, Self::Matrices, Self::ModelSpace];
}

/// Length of the upper arm and the forearm, metres.
pub const BONES: [f64; 2] = [0.3, 0.26];

/// A pose of the arm: the turn of the upper arm about the axis towards the eye from hanging down, and of the elbow, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// Of the upper arm.
    pub shoulder: f64,
    /// Of the forearm.
    pub elbow: f64,
}

impl Arm {
    /// Shoulder, elbow and hand, each in its parent's space.
    #[must_use]
    pub fn locals(&self) -> [Transform; 3] {
        let turn = |angle: f64| from_axis_angle(&Vec3::z(), angle);
        let at = |length: f64, rotation: Quat| Transform {
            translation: Vec3::new(0.0, -length, 0.0),
            rotation,
            scale: Vec3::repeat(1.0),
        };
        [Transform::from_rotation(turn(self.shoulder)), at(BONES[0], turn(self.elbow)), at(BONES[1], Quat::identity())]
    }
}

/// Where shoulder, elbow and hand are between two poses, `t` from 0 to 1, metres.
#[must_use]
pub fn mixed(way: Way, a: &Arm, b: &Arm, t: f64) -> [Vec3; 3] {
    let (a, b) = (a.locals(), b.locals());
    let chained = |locals: [Affine; 3]| {
        let elbow = locals[0] * locals[1];
        let hand = elbow * locals[2];
        [locals[0].translation, elbow.translation, hand.translation]
    };
    let each = |turn: fn(&Quat, &Quat, f64) -> Quat| {
        std::array::from_fn(|joint| {
            let (from, to) = (&a[joint], &b[joint]);
            let translation = from.translation + (to.translation - from.translation) * t;
            Transform { translation, rotation: turn(&from.rotation, &to.rotation, t), scale: from.scale }.to_affine()
        })
    };
    match way {
        Way::LocalSlerp => chained(each(slerp)),
        Way::LocalNlerp => chained(each(nlerp)),
        Way::Matrices => chained(std::array::from_fn(|joint| {
            let (from, to) = (a[joint].to_affine(), b[joint].to_affine());
            Affine {
                linear: from.linear * (1.0 - t) + to.linear * t,
                translation: from.translation * (1.0 - t) + to.translation * t,
            }
        })),
        Way::ModelSpace => {
            let (from, to) = (chained(a.map(|l| l.to_affine())), chained(b.map(|l| l.to_affine())));
            std::array::from_fn(|joint| from[joint] * (1.0 - t) + to[joint] * t)
        }
    }
}

/// The lengths of both bones, of those they have.
#[must_use]
pub fn lengths(places: &[Vec3; 3]) -> [f64; 2] {
    [(places[1] - places[0]).norm() / BONES[0], (places[2] - places[1]).norm() / BONES[1]]
}

/// The bend of an elbow to which a bend is added so many times, with a weight, radians: as additive layers add it.
#[must_use]
pub fn bends_added(bend: f64, times: u32, weight: f64) -> f64 {
    let turn = |angle: f64| Transform::from_rotation(from_axis_angle(&Vec3::z(), angle));
    let delta = Delta::between(&turn(bend), &turn(0.0), AdditiveSpace::Bone);
    let sum = (0..times).fold(turn(0.0), |base, _| delta.added_to(&base, weight, AdditiveSpace::Bone));
    crate::math::rotation::twist_angle(&sum.rotation, &Vec3::z()).rem_euclid(std::f64::consts::TAU)
}

/// To how far an elbow of flesh bends, radians.
pub const ELBOW_LIMIT: f64 = 2.6;

/// The greatest step of a mask's weight from a joint to what it hangs on, and that joint, by index; none without joints.
#[must_use]
pub fn steepest(parents: &[Option<usize>], weights: &[f64]) -> Option<(usize, f64)> {
    let step = |(joint, parent): (usize, &Option<usize>)| {
        let above = parent.and_then(|parent| weights.get(parent))?;
        Some((joint, (weights.get(joint)? - above).abs()))
    };
    let steps = parents.iter().enumerate().filter_map(step);
    steps.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    const DOWN: Arm = Arm { shoulder: 0.0, elbow: 0.0 };

    #[test]
    fn in_local_space_bones_keep_their_lengths_and_elsewhere_they_shrink_by_the_cosine() {
        let up = Arm { shoulder: 2.4, elbow: 1.1 };
        for t in [0.0, 0.2, 0.5, 0.9, 1.0] {
            for way in [Way::LocalSlerp, Way::LocalNlerp] {
                let [upper, fore] = lengths(&mixed(way, &DOWN, &up, t));
                assert!((upper - 1.0).abs() < 1e-12 && (fore - 1.0).abs() < 1e-12, "{way:?} {t}");
            }
        }
        // Half way between two directions an angle apart lies a chord's middle.
        for way in [Way::Matrices, Way::ModelSpace] {
            let [upper, _] = lengths(&mixed(way, &DOWN, &up, 0.5));
            assert!((upper - 1.2_f64.cos()).abs() < 1e-12, "{way:?} {upper}");
        }
        let turned = Arm { shoulder: PI, elbow: 0.0 };
        assert!(lengths(&mixed(Way::Matrices, &DOWN, &turned, 0.5))[0] < 1e-12);
    }

    #[test]
    fn all_ways_agree_at_both_ends() {
        let up = Arm { shoulder: -1.9, elbow: 0.7 };
        for way in Way::ALL {
            for (t, pose) in [(0.0, &DOWN), (1.0, &up)] {
                let (got, wanted) = (mixed(way, &DOWN, &up, t), mixed(Way::LocalSlerp, pose, pose, 0.0));
                assert!(got.iter().zip(&wanted).all(|(a, b)| (a - b).norm() < 1e-12), "{way:?} {t}");
            }
        }
    }

    #[test]
    fn two_bends_of_a_right_angle_are_half_a_turn() {
        assert!((bends_added(FRAC_PI_2, 1, 1.0) - FRAC_PI_2).abs() < 1e-12);
        let twice = bends_added(FRAC_PI_2, 2, 1.0);
        assert!((twice - PI).abs() < 1e-12 && twice > ELBOW_LIMIT);
        assert!((bends_added(FRAC_PI_2, 2, 0.5) - FRAC_PI_2).abs() < 1e-12);
        assert_eq!(bends_added(FRAC_PI_2, 0, 1.0), 0.0);
    }

    #[test]
    fn the_steepest_step_of_a_mask_is_found() {
        let parents = [None, Some(0), Some(1), Some(1)];
        assert_eq!(steepest(&parents, &[0.2, 0.5, 1.0, 0.5]), Some((2, 0.5)));
        assert_eq!(steepest(&[None], &[1.0]), None);
        assert_eq!(steepest(&[], &[]), None);
    }
}

//! Additive poses: what a pose differs by from a reference, added to another.
//!
//! Which side a difference multiplies from is a property of the clip ([`AdditiveSpace`]): the two give results tens of
//! degrees apart. Weights take the short arc, scale is a ratio (1 is neutral).
//! Source: J. Gregory, *Game Engine Architecture*, "additive blending"; its row vectors make its `DT` the bone's axes here.

use super::pose::mask_weight;
use crate::{
    math::{
        Quat, Transform, Vec3,
        rotation::{pow_short, rotation_angle},
    },
    model::AdditiveSpace,
};

/// What one joint differs by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delta {
    /// The turn, in the axes that the space says.
    pub rotation: Quat,
    /// The shift, in the parent's space, metres.
    pub translation: Vec3,
    /// The ratio of scales along the local axes; 1 is none.
    pub scale: Vec3,
}

impl Delta {
    /// No difference.
    pub const NONE: Self = Self {
        rotation: Transform::IDENTITY.rotation,
        translation: Transform::IDENTITY.translation,
        scale: Transform::IDENTITY.scale,
    };

    /// What a joint's transform differs by from a reference, in the bone's or its parent's axes ([`AdditiveSpace::Mesh`]
    /// needs whole poses: it counts as the parent's here). A reference scale of 0 has no ratio: 1 is taken.
    #[must_use]
    pub fn between(pose: &Transform, reference: &Transform, space: AdditiveSpace) -> Self {
        let ratio = |axis: usize| {
            let ratio = pose.scale[axis] / reference.scale[axis];
            if ratio.is_finite() { ratio } else { 1.0 }
        };
        Self {
            rotation: rotation_between(&pose.rotation, &reference.rotation, space),
            translation: pose.translation - reference.translation,
            scale: Vec3::new(ratio(0), ratio(1), ratio(2)),
        }
    }

    /// Adds a part of the difference to a joint's transform. A weight of 0 leaves it to the bit.
    #[must_use]
    pub fn added_to(&self, base: &Transform, weight: f64, space: AdditiveSpace) -> Transform {
        if weight == 0.0 || !weight.is_finite() {
            return *base;
        }
        Transform { rotation: turned(&base.rotation, &self.rotation, weight, space), ..self.shifted(base, weight) }
    }

    /// What of a joint is left without a part of the difference: [`Self::added_to`] the other way round, in the bone's or its
    /// parent's axes. None where a scale of 0 hides what was below.
    #[must_use]
    pub fn taken_from(&self, shown: &Transform, weight: f64, space: AdditiveSpace) -> Option<Transform> {
        if weight == 0.0 || !weight.is_finite() {
            return Some(*shown);
        }
        let back = pow_short(&self.rotation, weight).inverse();
        let ratio = Vec3::repeat(1.0) + (self.scale - Vec3::repeat(1.0)) * weight;
        ratio.iter().all(|ratio| *ratio != 0.0).then(|| Transform {
            translation: shown.translation - self.translation * weight,
            rotation: if space == AdditiveSpace::Bone { shown.rotation * back } else { back * shown.rotation },
            scale: shown.scale.component_div(&ratio),
        })
    }

    /// The difference of which a part leads from one transform of a joint to another, in the bone's or its parent's axes. None
    /// where all of it would be half a turn or more: the short arc is another then.
    #[must_use]
    pub fn leading(from: &Transform, to: &Transform, weight: f64, space: AdditiveSpace) -> Option<Self> {
        let part = Self::between(to, from, space);
        let all = rotation_angle(&part.rotation) / weight;
        (all < std::f64::consts::PI - 1e-6).then(|| Self {
            rotation: pow_short(&part.rotation, 1.0 / weight),
            translation: part.translation / weight,
            scale: Vec3::repeat(1.0) + (part.scale - Vec3::repeat(1.0)) / weight,
        })
    }

    fn shifted(&self, base: &Transform, weight: f64) -> Transform {
        let ratio = Vec3::repeat(1.0) + (self.scale - Vec3::repeat(1.0)) * weight;
        Transform {
            translation: base.translation + self.translation * weight,
            rotation: base.rotation,
            scale: base.scale.component_mul(&ratio),
        }
    }
}

fn rotation_between(pose: &Quat, reference: &Quat, space: AdditiveSpace) -> Quat {
    match space {
        AdditiveSpace::Bone => reference.inverse() * pose,
        AdditiveSpace::Parent | AdditiveSpace::Mesh => pose * reference.inverse(),
    }
}

fn turned(base: &Quat, delta: &Quat, weight: f64, space: AdditiveSpace) -> Quat {
    let turn = pow_short(delta, weight);
    match space {
        AdditiveSpace::Bone => base * turn,
        AdditiveSpace::Parent | AdditiveSpace::Mesh => turn * base,
    }
}

/// The rotations of all joints in the rig's space. `parents` is by joint index, each before its joints.
fn in_space(parents: &[Option<usize>], pose: &[Transform]) -> Vec<Quat> {
    let mut rotations: Vec<Quat> = Vec::with_capacity(pose.len());
    for (joint, local) in pose.iter().enumerate() {
        let above = parents.get(joint).copied().flatten().and_then(|parent| rotations.get(parent)).copied();
        rotations.push(above.unwrap_or_else(Quat::identity) * local.rotation);
    }
    rotations
}

/// What a pose differs by from a reference, by joint index. In mesh space a joint's turn is between its two directions in the
/// rig's space, whatever its parents do.
#[must_use]
pub fn difference(
    parents: &[Option<usize>],
    pose: &[Transform],
    reference: &[Transform],
    space: AdditiveSpace,
) -> Vec<Delta> {
    let mut deltas: Vec<Delta> =
        pose.iter().zip(reference).map(|(pose, reference)| Delta::between(pose, reference, space)).collect();
    if space == AdditiveSpace::Mesh {
        let (shown, from) = (in_space(parents, pose), in_space(parents, reference));
        for (delta, (shown, from)) in deltas.iter_mut().zip(shown.iter().zip(&from)) {
            delta.rotation = rotation_between(shown, from, space);
        }
    }
    deltas
}

/// Adds a part of differences to a pose, times a mask's weight of each joint where there is one. Joints of weight 0 stay as
/// they are to the bit; in mesh space that is their direction in the rig's space only as far as no joint above is turned.
pub fn add(
    parents: &[Option<usize>],
    pose: &mut [Transform],
    deltas: &[Delta],
    weight: f64,
    mask: Option<&[f64]>,
    space: AdditiveSpace,
) {
    let part = |joint: usize| weight * mask_weight(mask, joint);
    if space != AdditiveSpace::Mesh {
        for (joint, (local, delta)) in pose.iter_mut().zip(deltas).enumerate() {
            *local = delta.added_to(local, part(joint), space);
        }
        return;
    }
    let before = in_space(parents, pose);
    let mut after: Vec<Quat> = Vec::with_capacity(pose.len());
    for (joint, local) in pose.iter_mut().enumerate() {
        let above = parents.get(joint).copied().flatten();
        let moved = above.and_then(|parent| after.get(parent)).copied().unwrap_or_else(Quat::identity);
        let weight = part(joint);
        if let Some(delta) = deltas.get(joint).filter(|_| weight != 0.0 && weight.is_finite()) {
            *local = delta.shifted(local, weight);
            let wanted = turned(&before[joint], &delta.rotation, weight, space);
            local.rotation = moved.inverse() * wanted;
        }
        after.push(moved * local.rotation);
    }
}

/// The largest turn that a weight makes of any joint, radians, and that joint: beyond half a turn a part of a difference no
/// longer lies between none and all of it, and one of two like ones added up breaks an elbow. None without joints.
#[must_use]
pub fn largest_turn(deltas: &[Delta], weight: f64, mask: Option<&[f64]>) -> Option<(usize, f64)> {
    let turn = |(joint, delta): (usize, &Delta)| {
        (joint, (rotation_angle(&delta.rotation) * weight * mask_weight(mask, joint)).abs())
    };
    deltas.iter().enumerate().map(turn).reduce(|most, next| if next.1 > most.1 { next } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{chord_angle, from_axis_angle};

    const SPACES: [AdditiveSpace; 3] = [AdditiveSpace::Parent, AdditiveSpace::Bone, AdditiveSpace::Mesh];

    fn pose(seed: f64) -> Vec<Transform> {
        let joint = |i: f64| Transform {
            translation: Vec3::new(0.1 * i, seed.sin(), 0.2),
            rotation: from_axis_angle(&Vec3::new(seed.cos(), i.sin(), 0.4), 0.9 * seed + i),
            scale: Vec3::new(1.0 + 0.1 * i, 1.3, 0.8 + 0.05 * seed),
        };
        (0..4).map(f64::from).map(joint).collect()
    }

    const PARENTS: [Option<usize>; 4] = [None, Some(0), Some(1), Some(1)];

    #[test]
    fn a_part_of_a_difference_is_taken_away_and_found_again() {
        let (base, shown) = (pose(0.3)[1], pose(0.9)[1]);
        for space in [AdditiveSpace::Bone, AdditiveSpace::Parent] {
            for weight in [0.7, 1.0, 1.6] {
                let delta = Delta::leading(&base, &shown, weight, space).unwrap();
                let there = delta.added_to(&base, weight, space);
                let back = delta.taken_from(&shown, weight, space).unwrap();
                for (got, wanted) in [(there, shown), (back, base)] {
                    assert!(chord_angle(&got.rotation, &wanted.rotation) < 1e-13, "{space:?} {weight}");
                    assert!((got.translation - wanted.translation).norm() < 1e-13);
                    assert!((got.scale - wanted.scale).norm() < 1e-13);
                }
            }
            assert_eq!(Delta::leading(&base, &shown, 0.1, space), None);
        }
    }

    #[test]
    fn a_difference_added_to_its_reference_is_the_pose() {
        let (shown, reference) = (pose(1.7), pose(0.4));
        for space in SPACES {
            let deltas = difference(&PARENTS, &shown, &reference, space);
            let mut sum = reference.clone();
            add(&PARENTS, &mut sum, &deltas, 1.0, None, space);
            for (got, wanted) in sum.iter().zip(&shown) {
                assert!(chord_angle(&got.rotation, &wanted.rotation) < 1e-14, "{space:?}");
                assert!((got.translation - wanted.translation).norm() < 1e-15);
                assert!((got.scale - wanted.scale).norm() < 1e-14);
            }
            let mut none = reference.clone();
            add(&PARENTS, &mut none, &deltas, 0.0, None, space);
            add(&PARENTS, &mut none, &deltas, 1.0, Some(&[0.0; 4]), space);
            add(&PARENTS, &mut none, &deltas, f64::NAN, None, space);
            assert_eq!(none, reference, "{space:?}");
        }
    }

    #[test]
    fn in_mesh_space_a_joint_keeps_its_turn_whatever_its_parent_does() {
        let reference = vec![Transform::IDENTITY; 4];
        let mut aimed = reference.clone();
        aimed[1].rotation = from_axis_angle(&Vec3::y(), 0.7);
        let deltas = difference(&PARENTS, &aimed, &reference, AdditiveSpace::Mesh);
        let mut base = reference;
        base[0].rotation = from_axis_angle(&Vec3::x(), 1.2);
        add(&PARENTS, &mut base, &deltas, 1.0, None, AdditiveSpace::Mesh);
        let shown = in_space(&PARENTS, &base);
        let wanted = from_axis_angle(&Vec3::y(), 0.7) * from_axis_angle(&Vec3::x(), 1.2);
        assert!(chord_angle(&shown[1], &wanted) < 1e-14 && chord_angle(&shown[3], &wanted) < 1e-14);
    }

    #[test]
    fn scale_is_a_ratio_so_that_none_changes_nothing() {
        // Case B23.
        let scaled = |scale: Vec3| Transform { scale, ..Transform::IDENTITY };
        let none = Delta::between(&Transform::IDENTITY, &Transform::IDENTITY, AdditiveSpace::Bone);
        for weight in [0.0, 0.5, 1.0] {
            let base = scaled(Vec3::repeat(2.0));
            assert_eq!(none.added_to(&base, weight, AdditiveSpace::Bone).scale, Vec3::repeat(2.0));
        }
        let wide = Delta::between(&scaled(Vec3::new(2.0, 1.0, 1.0)), &Transform::IDENTITY, AdditiveSpace::Bone);
        assert_eq!(wide.added_to(&Transform::IDENTITY, 1.0, AdditiveSpace::Bone).scale, Vec3::new(2.0, 1.0, 1.0));
        let from_nothing = Delta::between(&Transform::IDENTITY, &scaled(Vec3::zeros()), AdditiveSpace::Bone);
        assert_eq!(from_nothing.scale, Vec3::repeat(1.0));
    }

    #[test]
    fn two_bends_of_a_right_angle_add_up_to_half_a_turn_and_it_is_told() {
        let bend = Transform::from_rotation(from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2));
        let delta = Delta::between(&bend, &Transform::IDENTITY, AdditiveSpace::Bone);
        let twice = delta.added_to(&bend, 1.0, AdditiveSpace::Bone);
        assert!((rotation_angle(&twice.rotation) - std::f64::consts::PI).abs() < 1e-14);
        let (joint, turn) = largest_turn(&[Delta::NONE, delta], 2.0, None).unwrap();
        assert!(joint == 1 && (turn - std::f64::consts::PI).abs() < 1e-14);
    }
}

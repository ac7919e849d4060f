//! How the axes of a joint and its partner lie to each other where the rest pose says nothing of it: the axes that files
//! write are those of a body turned by quarters.

use crate::math::{Quat, Vec3, rotation::from_axis_angle};
use std::f64::consts::{FRAC_PI_2, PI};

/// A bone that counts as so much more than a turn of a radian.
const BONE: f64 = 10.0;

/// A joint, its partner, and how they stand.
pub(super) struct Pair<'a> {
    /// Unit normal of the plane, along an axis.
    pub(super) normal: Vec3,
    /// Rotation of the joint and of its partner in the skeleton's space, as the body stands.
    pub(super) stance: (Quat, Quat),
    /// Bones of the joint with those of the partner they mirror, in the joints' own spaces.
    pub(super) bones: &'a [(Vec3, Vec3)],
    /// Whether the joint is its own partner.
    pub(super) own: bool,
}

/// A mirror at the plane with this normal.
pub(super) fn reflect(normal: &Vec3, vector: &Vec3) -> Vec3 {
    vector - normal * (2.0 * normal.dot(vector))
}

/// The rotation that a mirror shows, at a plane with this unit normal: its axis reflected, its sense the other way round.
#[must_use]
pub fn reflect_rotation(normal: &Vec3, rotation: &Quat) -> Quat {
    let vector = -reflect(normal, &rotation.imag());
    Quat::new_unchecked(nalgebra::Quaternion::from_parts(rotation.w, vector))
}

impl Pair<'_> {
    /// Rotations of the joint and its partner that mirror each other: of the quarter turns that take the partner's bones to
    /// the reflected ones, that nearest to how the body stands.
    pub(super) fn references(&self) -> (Quat, Quat) {
        let seen = reflect_rotation(&self.normal, &self.stance.0).inverse() * self.stance.1;
        let mut best = (f64::INFINITY, (Quat::identity(), Quat::identity()));
        for turn in quarter_turns() {
            let Some(references) = self.made_of(&turn) else { continue };
            let off = |(bone, other): &(Vec3, Vec3)| {
                let length = bone.norm().max(other.norm());
                if length > 0.0 { (turn * other - reflect(&self.normal, bone)).norm() / length } else { 0.0 }
            };
            let cost = BONE * self.bones.iter().map(off).sum::<f64>() + turn.angle_to(&seen);
            if cost < best.0 - 1e-9 {
                best = (cost, references);
            }
        }
        best.1
    }

    /// References between which this turn lies; none where a joint that is its own partner has none.
    fn made_of(&self, turn: &Quat) -> Option<(Quat, Quat)> {
        if !self.own {
            return Some((Quat::identity(), *turn));
        }
        let half = turn.axis_angle().map_or_else(Quat::identity, |(axis, angle)| from_axis_angle(&axis, 0.5 * angle));
        let made = reflect_rotation(&self.normal, &half).inverse() * half;
        (made.angle_to(turn) < 1e-6).then_some((half, half))
    }
}

/// The 24 rotations that take axes to axes.
fn quarter_turns() -> impl Iterator<Item = Quat> {
    let faces = [
        Quat::identity(),
        from_axis_angle(&Vec3::y(), FRAC_PI_2),
        from_axis_angle(&Vec3::y(), -FRAC_PI_2),
        from_axis_angle(&Vec3::y(), PI),
        from_axis_angle(&Vec3::x(), FRAC_PI_2),
        from_axis_angle(&Vec3::x(), -FRAC_PI_2),
    ];
    faces
        .into_iter()
        .flat_map(|face| [0.0, FRAC_PI_2, PI, -FRAC_PI_2].map(|turn| face * from_axis_angle(&Vec3::z(), turn)))
}

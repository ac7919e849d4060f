//! A leg from its hips and its foot: two bones, the knee pointing where both do.

use super::{Hips, Side, about, foot::Foot};
use crate::{
    math::{Quat, Vec3},
    samples::biped::{SHIN, THIGH, THIGH_OFFSET},
};
use std::f64::consts::PI;

/// One leg's local rotations.
pub(in crate::samples) struct Leg {
    pub(in crate::samples) thigh: Quat,
    pub(in crate::samples) shin: Quat,
    pub(in crate::samples) foot: Quat,
    pub(in crate::samples) toe: Quat,
}

impl Hips {
    /// Where the thigh of a side begins.
    pub(super) fn socket(&self, side: Side) -> Vec3 {
        let [x, y, z] = THIGH_OFFSET;
        self.position + self.rotation() * Vec3::new(side.sign() * x, y, z)
    }

    /// The leg that reaches a foot.
    pub(super) fn leg(&self, side: Side, foot: &Foot) -> Leg {
        let foot_world = foot.rotation();
        // The knee points where the foot and the hips do, halfway.
        let knee_yaw = 0.5 * (foot.yaw + self.angles[0]) + 0.03 * side.sign();
        let (thigh_world, flexion) = two_bone(self.socket(side), foot.ankle, about(Vec3::y(), knee_yaw) * Vec3::z());
        let shin = about(Vec3::x(), flexion);
        Leg {
            thigh: self.rotation().inverse() * thigh_world,
            shin,
            foot: (thigh_world * shin).inverse() * foot_world,
            toe: about(Vec3::x(), -foot.toe_bend),
        }
    }
}

/// The world rotation of a thigh and the knee's flexion, for the knee bending towards `forward`.
fn two_bone(hip: Vec3, ankle: Vec3, forward: Vec3) -> (Quat, f64) {
    let reach = ankle - hip;
    let distance = reach.norm().min(THIGH + SHIN);
    let along = reach / reach.norm();
    let cos_hip = (THIGH * THIGH + distance * distance - SHIN * SHIN) / (2.0 * THIGH * distance);
    let cos_knee = (THIGH * THIGH + SHIN * SHIN - distance * distance) / (2.0 * THIGH * SHIN);
    let bend = (forward - along * along.dot(&forward)).normalize();
    let hip_angle = cos_hip.clamp(-1.0, 1.0).acos();
    let y = -(along * hip_angle.cos() + bend * hip_angle.sin());
    let x = (-along).cross(&bend);
    let axes = nalgebra::Matrix3::from_columns(&[x, y, x.cross(&y)]);
    (crate::math::rotation::from_matrix(&axes), PI - cos_knee.clamp(-1.0, 1.0).acos())
}

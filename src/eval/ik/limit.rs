//! Limits of a joint's rotation: how far it swings and how far it twists from rest.

use crate::math::Quat;
use crate::math::Vec3;
use crate::math::rotation::{from_axis_angle, rotation_angle, swing_twist, twist_angle};

/// A cone for the bone and a range for the turn about it, both seen from a rest rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// The local rotation in the middle of the limits.
    pub rest: Quat,
    /// The bone's axis in the joint's own space, unit.
    pub axis: Vec3,
    /// Largest swing of the bone away from rest, radians, 0 to pi.
    pub swing: f64,
    /// Largest twist about the bone, to either side, radians, 0 to pi.
    pub twist: f64,
}

impl JointLimit {
    /// The limits widened so that a rotation lies within them: a pose that was there is never pushed.
    #[must_use]
    pub fn including(&self, local: &Quat) -> Self {
        let (swing, twist) = self.measure(local);
        Self { swing: self.swing.max(swing), twist: self.twist.max(twist.abs()), ..*self }
    }

    /// The nearest local rotation within the limits (swing and twist each cut at its own limit).
    #[must_use]
    pub fn clamp(&self, local: &Quat) -> Quat {
        let (swing, twist) = self.measure(local);
        if swing <= self.swing && twist.abs() <= self.twist {
            return *local;
        }
        let (swung, _) = swing_twist(&(self.rest.inverse() * local), &self.axis);
        let part = if swing > self.swing { self.swing / swing } else { 1.0 };
        let swung = Quat::from_scaled_axis(swung.scaled_axis() * part);
        self.rest * swung * from_axis_angle(&self.axis, twist.clamp(-self.twist, self.twist))
    }

    /// Swing (0 to pi) and twist (-pi to pi) from rest, radians.
    fn measure(&self, local: &Quat) -> (f64, f64) {
        let from_rest = self.rest.inverse() * local;
        let (swing, _) = swing_twist(&from_rest, &self.axis);
        (rotation_angle(&swing), twist_angle(&from_rest, &self.axis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_cut_swing_and_twist_apart() {
        let rest = from_axis_angle(&Vec3::new(1.0, 2.0, 0.5), 0.7);
        let limit = JointLimit { rest, axis: Vec3::y(), swing: 0.5, twist: 0.2 };
        let within = rest * from_axis_angle(&Vec3::x(), 0.4) * from_axis_angle(&Vec3::y(), -0.1);
        assert_eq!(limit.clamp(&within), within);
        let beyond = rest * from_axis_angle(&Vec3::x(), 1.1) * from_axis_angle(&Vec3::y(), -0.9);
        let wanted = rest * from_axis_angle(&Vec3::x(), 0.5) * from_axis_angle(&Vec3::y(), -0.2);
        assert!(limit.clamp(&beyond).angle_to(&wanted) < 1e-9);
        assert!(limit.including(&beyond).clamp(&beyond).angle_to(&beyond) < 1e-9);
    }
}

//! Moving on two legs as a function of time: every joint's rotation at any moment, from footprints outwards.
//!
//! Feet come first: in stance a foot rolls about its heel, lies flat, then rolls about its ball, each fixed to its
//! footprint; in swing the ankle takes the quintic that joins both stances in place, velocity and acceleration. The hips
//! float above, and two-bone inverse kinematics gives the legs. What makes a walk, a run or a limp of it is a [`Gait`]: a
//! row of numbers in [`table`].

mod foot;
mod legs;
pub(super) mod standing;
pub(super) mod table;

use super::biped::HIPS_HEIGHT;
use crate::math::{Quat, Vec3};
use std::f64::consts::TAU;

pub(super) use foot::{Ground, Stance, Swing};
pub(super) use legs::Leg;

/// Which side of the body: +1 left, -1 right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    const fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// Where the hips are.
pub(super) struct Hips {
    pub(super) position: Vec3,
    /// Local angles about Y, Z and X, applied in that order; on a circle the first grows by a whole turn.
    pub(super) angles: [f64; 3],
}

impl Hips {
    pub(super) fn rotation(&self) -> Quat {
        let [yaw, roll, tilt] = self.angles;
        turn(yaw, roll, tilt)
    }
}

/// One arm's local rotations.
pub(super) struct Arm {
    pub(super) clavicle: Quat,
    pub(super) upper: Quat,
    pub(super) forearm: Quat,
    pub(super) hand: Quat,
}

/// The spine's local rotations.
pub(super) struct Spine {
    pub(super) spine: Quat,
    pub(super) chest: Quat,
    pub(super) neck: Quat,
    pub(super) head: Quat,
}

/// A whole body's motion: all a clip is made from.
pub(super) trait Motion: Sync {
    /// Frames until it repeats, at the document's default rate.
    fn frames(&self) -> i64;
    /// Seconds until it repeats.
    fn secs(&self) -> f64 {
        crate::model::FrameRate::default().secs(self.frames())
    }
    /// The hips at a time.
    fn hips(&self, secs: f64) -> Hips;
    /// The spine, neck and head at a time.
    fn spine(&self, secs: f64) -> Spine;
    /// An arm at a time.
    fn arm(&self, side: Side, secs: f64) -> Arm;
    /// A leg at a time.
    fn leg(&self, side: Side, secs: f64) -> Leg;
}

/// How a body moves on its feet. Amplitudes are metres and radians, times are cycles (two steps).
pub(super) struct Gait {
    /// Frames a cycle.
    pub(super) frames: i64,
    /// Where it goes.
    pub(super) ground: Ground,
    /// By how much of a cycle the right foot comes down before the left does; a half is even.
    pub(super) right: f64,
    /// Half the distance between the feet's tracks.
    pub(super) track: f64,
    /// How far a foot points outwards.
    pub(super) toe_out: f64,
    /// What the left and the right foot do on the ground.
    pub(super) stances: [Stance; 2],
    /// What both do in the air.
    pub(super) swing: Swing,
    /// The hips.
    pub(super) carriage: Carriage,
    /// The spine.
    pub(super) trunk: Trunk,
    /// The arms.
    pub(super) arms: Arms,
}

/// How the hips are carried.
pub(super) struct Carriage {
    /// How far below their height at rest.
    pub(super) lower: f64,
    /// How far they rise over each stance leg; negative: they sink.
    pub(super) rise: f64,
    /// How far they rise over the left leg alone.
    pub(super) hitch: f64,
    /// How far they sway over each stance leg.
    pub(super) sway: f64,
    /// How far they run ahead and fall behind, cycles.
    pub(super) surge: f64,
    /// How far each side is carried forward with its leg.
    pub(super) yaw: f64,
    /// How far they drop on the side of the swinging leg.
    pub(super) roll: f64,
    /// How far they are tilted forward.
    pub(super) tilt: f64,
    /// How far the body leans to the left, hips to chest.
    pub(super) lean: f64,
    /// How far it looks to the left.
    pub(super) look: f64,
}

/// What the spine does.
pub(super) struct Trunk {
    /// How far the chest turns against the hips.
    pub(super) twist: f64,
    /// How far it bends against their roll.
    pub(super) bend: f64,
    /// How far it nods with each step.
    pub(super) nod: f64,
    /// How far spine, chest, neck and head are bent forward.
    pub(super) stoop: [f64; 4],
}

/// What the arms do.
pub(super) struct Arms {
    /// How far they hang from the T-pose.
    pub(super) hang: f64,
    /// How far they are held forward, and how far they swing.
    pub(super) swing: [f64; 2],
    /// How far the elbows are bent, and how far they bend on the way forward.
    pub(super) elbow: [f64; 2],
}

impl Gait {
    /// Cycles since the first time a foot came down.
    fn cycles(&self, side: Side, secs: f64) -> f64 {
        secs / self.secs() + if side == Side::Left { 0.0 } else { self.right }
    }

    fn stance(&self, side: Side) -> &Stance {
        &self.stances[usize::from(side == Side::Right)]
    }

    /// The angle of the cycle that is 0 when the hips pass over the left foot.
    fn over_left(&self, secs: f64) -> f64 {
        TAU * (self.cycles(Side::Left, secs) - self.stance(Side::Left).mid)
    }
}

impl Motion for Gait {
    fn frames(&self) -> i64 {
        self.frames
    }

    fn hips(&self, secs: f64) -> Hips {
        let with = &self.carriage;
        let cycles = self.cycles(Side::Left, secs);
        let over_left = self.over_left(secs);
        let ahead = cycles + with.surge * (2.0 * over_left).sin();
        let height = HIPS_HEIGHT - with.lower + with.rise * (2.0 * over_left).cos() + with.hitch * over_left.cos();
        let beside = with.sway * over_left.cos() + 0.5 * HIPS_HEIGHT * with.lean.sin();
        let yaw = self.ground.heading(ahead) - with.yaw * (TAU * cycles).cos();
        let roll = with.roll * over_left.cos() + 0.01 * self.ground.turns() - 0.5 * with.lean;
        let tilt = with.tilt + 0.012 * (2.0 * over_left).cos();
        Hips { position: self.ground.at(ahead, beside, height), angles: [yaw, roll, tilt] }
    }

    /// The spine turns against the hips and keeps the head level, looking where it goes.
    fn spine(&self, secs: f64) -> Spine {
        let with = &self.trunk;
        let over_left = self.over_left(secs);
        let twist = with.twist * (TAU * self.cycles(Side::Left, secs) - 0.15).cos();
        let bend = -with.bend * over_left.cos();
        let nod = with.nod * (2.0 * over_left - 0.6).cos();
        let (lean, turns) = (self.carriage.lean, self.ground.turns());
        let look = 0.16 * turns + self.carriage.look;
        let [spine, chest, neck, head] = with.stoop;
        Spine {
            spine: turn(0.8 * twist, 0.8 * bend - 0.25 * lean, spine + nod),
            chest: turn(1.0 * twist, 0.6 * bend + 0.008 * turns - 0.25 * lean, chest - 0.5 * nod),
            neck: turn(-0.35 * twist + 0.4375 * look, -0.1 * bend + 0.3 * lean, neck),
            head: turn(-0.5 * twist + 0.5625 * look, -0.2 * bend - 0.01 * turns + 0.4 * lean, head - 0.6 * nod),
        }
    }

    /// An arm swings against the leg of its side, the elbow bending on the way forward.
    fn arm(&self, side: Side, secs: f64) -> Arm {
        let cycle = TAU * self.cycles(side, secs);
        // The elbow and the hand follow the shoulder late.
        let [forward, late, later] = [0.25, 0.75, 1.15].map(|lag| -(cycle - lag).cos());
        self.arms.held(side, forward, late, later)
    }

    fn leg(&self, side: Side, secs: f64) -> Leg {
        self.hips(secs).leg(side, &self.foot(side, secs))
    }
}

impl Arms {
    /// An arm with its shoulder, elbow and hand so far forward in their swings, each -1 to 1.
    fn held(&self, side: Side, forward: f64, late: f64, later: f64) -> Arm {
        let s = side.sign();
        let hang = about(Vec3::z(), s * (-self.hang + 0.03 * forward));
        let swing = about(Vec3::x(), -(self.swing[0] + self.swing[1] * forward));
        let inwards = about(Vec3::x(), -0.12);
        Arm {
            clavicle: about(Vec3::y(), -s * 0.05 * forward) * about(Vec3::z(), s * (-0.05 + 0.02 * forward)),
            upper: swing * hang * inwards,
            forearm: about(Vec3::y(), -s * (self.elbow[0] + self.elbow[1] * late)) * about(Vec3::x(), -0.1),
            hand: about(Vec3::z(), s * (-0.08 - 0.05 * later)) * about(Vec3::y(), -s * (0.08 + 0.06 * later)),
        }
    }
}

fn about(axis: Vec3, angle: f64) -> Quat {
    crate::math::rotation::from_axis_angle(&axis, angle)
}

/// Yaw, then roll, then tilt.
fn turn(yaw: f64, roll: f64, tilt: f64) -> Quat {
    about(Vec3::y(), yaw) * about(Vec3::z(), roll) * about(Vec3::x(), tilt)
}

#[cfg(test)]
mod tests;

//! A walk as a function of time: every joint's rotation at any moment, from footprints outwards.
//!
//! The body walks round a circle, so that the motion closes without a jump in place, heading or speed. Feet come first:
//! in stance a foot rolls about its heel, lies flat, then rolls about its ball, each fixed to its footprint; in swing the
//! ankle takes the quintic that joins both stances in place, velocity and acceleration. The hips float above, and two-bone
//! inverse kinematics gives the legs. Proportions of the cycle follow Perry, *Gait Analysis* (1992): stance 62 %, pelvis
//! turning 5 degrees each way, the centre of mass rising 2 to 3 cm over each stance leg.

use super::biped::{ANKLE_HEIGHT, BALL_OFFSET, HEEL, HIPS_HEIGHT, SHIN, THIGH, THIGH_OFFSET};
use crate::math::{Quat, Vec3};
use std::f64::consts::{PI, TAU};

/// Seconds a cycle (two steps).
pub(super) const CYCLE_SECS: f64 = 1.0;
/// Cycles once round the circle.
pub(super) const CYCLES: u32 = 8;

/// Metres a cycle.
const STRIDE: f64 = 1.12;
/// Angle walked round the circle a second, radians.
const TURN_RATE: f64 = TAU / (CYCLES as f64 * CYCLE_SECS);
/// Half the distance between the feet's tracks, metres.
const TRACK: f64 = 0.075;
/// How far a foot points outwards, radians.
const TOE_OUT: f64 = 0.09;
/// Phase of mid-stance: the hips pass over the foot.
const MID_STANCE: f64 = 0.275;
/// Phase at which the foot lies flat.
const FLAT: f64 = 0.13;
/// Phase at which the heel leaves the ground.
const HEEL_OFF: f64 = 0.34;
/// Phase at which the toes leave the ground.
const TOE_OFF: f64 = 0.61;
/// How far the toes are raised at heel strike, radians.
const STRIKE_PITCH: f64 = 0.3;
/// How far the heel is raised at toe-off, radians.
const PUSH_PITCH: f64 = 0.82;
/// How long the push lasts, as a phase: it is cut off by toe-off.
const PUSH: f64 = 0.4;

/// Which side of the body: +1 left, -1 right.
#[derive(Clone, Copy)]
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

    /// Cycles since the first heel strike of this side.
    fn cycles(self, secs: f64) -> f64 {
        secs / CYCLE_SECS + if matches!(self, Self::Left) { 0.0 } else { 0.5 }
    }
}

/// Where the hips are.
pub(super) struct Hips {
    pub(super) position: Vec3,
    /// Local angles about Y, Z and X, applied in that order; the first grows by a whole turn over the circle.
    pub(super) angles: [f64; 3],
}

impl Hips {
    pub(super) fn rotation(&self) -> Quat {
        let [yaw, roll, tilt] = self.angles;
        about(Vec3::y(), yaw) * about(Vec3::z(), roll) * about(Vec3::x(), tilt)
    }
}

/// One leg's local rotations.
pub(super) struct Leg {
    pub(super) thigh: Quat,
    pub(super) shin: Quat,
    pub(super) foot: Quat,
    pub(super) toe: Quat,
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

/// The hips at a time.
pub(super) fn hips(secs: f64) -> Hips {
    let cycle = TAU * Side::Left.cycles(secs);
    let over_left = cycle - TAU * MID_STANCE;
    let heading = TURN_RATE * (secs + 0.006 * (2.0 * over_left).sin());
    let radius = circle_radius() - 0.02 * over_left.cos();
    let height = HIPS_HEIGHT - 0.045 + 0.016 * (2.0 * over_left).cos();
    let yaw = heading - 0.085 * cycle.cos();
    let roll = 0.055 * over_left.cos() + 0.01;
    let tilt = 0.045 + 0.012 * (2.0 * over_left).cos();
    Hips { position: on_circle(heading, radius, height), angles: [yaw, roll, tilt] }
}

/// The spine, neck and head at a time: they turn against the hips and keep the head level, looking into the turn.
pub(super) fn spine(secs: f64) -> Spine {
    let cycle = TAU * Side::Left.cycles(secs);
    let over_left = cycle - TAU * MID_STANCE;
    let twist = 0.085 * (cycle - 0.15).cos();
    let bend = -0.045 * over_left.cos();
    let nod = 0.014 * (2.0 * over_left - 0.6).cos();
    Spine {
        spine: turn(0.8 * twist, 0.8 * bend, 0.01 + nod),
        chest: turn(1.0 * twist, 0.6 * bend + 0.008, 0.02 - 0.5 * nod),
        neck: turn(-0.35 * twist + 0.07, -0.1 * bend, 0.05),
        head: turn(-0.5 * twist + 0.09, -0.2 * bend - 0.01, -0.09 - 0.6 * nod),
    }
}

/// An arm at a time: it swings against the leg of its side, the elbow bending on the way forward.
pub(super) fn arm(side: Side, secs: f64) -> Arm {
    let cycle = TAU * side.cycles(secs);
    let forward = -(cycle - 0.25).cos();
    // The elbow and the hand follow the shoulder late.
    let late = -(cycle - 0.75).cos();
    let later = -(cycle - 1.15).cos();
    let s = side.sign();
    let hang = about(Vec3::z(), s * (-1.32 + 0.03 * forward));
    let swing = about(Vec3::x(), -(0.1 + 0.36 * forward));
    let inwards = about(Vec3::x(), -0.12);
    Arm {
        clavicle: about(Vec3::y(), -s * 0.05 * forward) * about(Vec3::z(), s * (-0.05 + 0.02 * forward)),
        upper: swing * hang * inwards,
        forearm: about(Vec3::y(), -s * (0.42 + 0.2 * late)) * about(Vec3::x(), -0.1),
        hand: about(Vec3::z(), s * (-0.08 - 0.05 * later)) * about(Vec3::y(), -s * (0.08 + 0.06 * later)),
    }
}

/// A leg at a time.
pub(super) fn leg(side: Side, secs: f64) -> Leg {
    let hips = hips(secs);
    let hips_rotation = hips.rotation();
    let [x, y, z] = THIGH_OFFSET;
    let hip = hips.position + hips_rotation * Vec3::new(side.sign() * x, y, z);
    let foot = foot(side, secs);
    let foot_world = about(Vec3::y(), foot.yaw) * about(Vec3::x(), -foot.pitch);
    // The knee points where the foot and the hips do, halfway.
    let knee_yaw = 0.5 * (foot.yaw + hips.angles[0]) + 0.03 * side.sign();
    let (thigh_world, flexion) = two_bone(hip, foot.ankle, about(Vec3::y(), knee_yaw) * Vec3::z());
    let shin = about(Vec3::x(), flexion);
    Leg {
        thigh: hips_rotation.inverse() * thigh_world,
        shin,
        foot: (thigh_world * shin).inverse() * foot_world,
        toe: about(Vec3::x(), -foot.toe_bend),
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

/// A foot in the world.
#[derive(Clone, Copy)]
struct Foot {
    ankle: Vec3,
    /// Heading, radians.
    yaw: f64,
    /// Toes up, radians; negative with the heel up.
    pitch: f64,
    /// Toes up against the foot, radians.
    toe_bend: f64,
}

/// A foot at a time.
fn foot(side: Side, secs: f64) -> Foot {
    let cycles = side.cycles(secs);
    let (step, phase) = (cycles.floor(), cycles - cycles.floor());
    if phase <= TOE_OFF {
        return stance(side, step, phase);
    }
    let whole = 1.0 - TOE_OFF;
    let u = (phase - TOE_OFF) / whole;
    // Both ends' place, velocity and acceleration, a unit of u, from the stances before and after.
    let h = 1e-3;
    let ends = |read: &dyn Fn(&Foot) -> f64| {
        let at = |step: f64, phase: f64| read(&stance(side, step, phase));
        let back = [at(step, TOE_OFF), at(step, TOE_OFF - h), at(step, TOE_OFF - 2.0 * h)];
        let next = [at(step + 1.0, 0.0), at(step + 1.0, h), at(step + 1.0, 2.0 * h)];
        let leave = derivatives(back, -h / whole);
        let land = derivatives(next, h / whole);
        quintic(leave, land, u)
    };
    let polar = |foot: &Foot| (foot.ankle.z.atan2(-foot.ankle.x), foot.ankle.x.hypot(foot.ankle.z));
    // Angles are read relative to the step's own place on the circle, clear of the seam at half a turn.
    let centre = TURN_RATE * (step + 0.8) * CYCLE_SECS;
    let heading = ends(&|foot| crate::math::rotation::wrap_angle(polar(foot).0 - centre)) + centre;
    let radius = ends(&|foot| polar(foot).1);
    let arch = (4.0 * u * (1.0 - u)).powi(2);
    let height = ends(&|foot| foot.ankle.y) + 0.042 * arch;
    Foot {
        ankle: on_circle(heading, radius, height),
        yaw: ends(&|foot| foot.yaw - centre) + centre,
        pitch: ends(&|foot| foot.pitch) + 0.1 * arch * arch,
        toe_bend: ends(&|foot| foot.toe_bend),
    }
}

/// A foot in stance: `step` counts this side's heel strikes, `phase` runs from 0 to [`TOE_OFF`] (and a little beyond).
fn stance(side: Side, step: f64, phase: f64) -> Foot {
    let offset = if matches!(side, Side::Left) { 0.0 } else { 0.5 };
    let heading = TURN_RATE * (step - offset + MID_STANCE) * CYCLE_SECS;
    let print = on_circle(heading, circle_radius() - side.sign() * TRACK, 0.0);
    let yaw = heading + side.sign() * TOE_OUT;
    let strike = STRIKE_PITCH * (1.0 - smoother(phase / FLAT));
    let push = PUSH_PITCH * smoother((phase - HEEL_OFF) / PUSH) / smoother((TOE_OFF - HEEL_OFF) / PUSH);
    let pitch = strike - push;
    let pivot =
        if pitch > 0.0 { Vec3::new(0.0, 0.0, -HEEL) } else { Vec3::from(BALL_OFFSET) + Vec3::y() * ANKLE_HEIGHT };
    let rolled = pivot + about(Vec3::x(), -pitch) * (Vec3::y() * ANKLE_HEIGHT - pivot);
    Foot { ankle: print + about(Vec3::y(), yaw) * rolled, yaw, pitch, toe_bend: push }
}

/// `6u^5 - 15u^4 + 10u^3`, held outside 0..1.
fn smoother(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (u * (6.0 * u - 15.0) + 10.0)
}

/// Value, first and second derivative from three values a step apart (second order).
fn derivatives([a, b, c]: [f64; 3], h: f64) -> [f64; 3] {
    [a, (-3.0 * a + 4.0 * b - c) / (2.0 * h), (a - 2.0 * b + c) / (h * h)]
}

/// The quintic over 0..1 with value, first and second derivative given at both ends.
fn quintic([p0, v0, a0]: [f64; 3], [p1, v1, a1]: [f64; 3], u: f64) -> f64 {
    let gap = p1 - p0 - v0 - 0.5 * a0;
    let speed = v1 - v0 - a0;
    let bend = a1 - a0;
    let c3 = 10.0 * gap - 4.0 * speed + 0.5 * bend;
    let c4 = -15.0 * gap + 7.0 * speed - bend;
    let c5 = 6.0 * gap - 3.0 * speed + 0.5 * bend;
    p0 + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))))
}

fn circle_radius() -> f64 {
    STRIDE * f64::from(CYCLES) / TAU
}

/// The point of the circle at which one walks with a heading; a heading of 0 faces +Z, growing to the left.
fn on_circle(heading: f64, radius: f64, height: f64) -> Vec3 {
    Vec3::new(-radius * heading.cos(), height, radius * heading.sin())
}

fn about(axis: Vec3, angle: f64) -> Quat {
    crate::math::rotation::from_axis_angle(&axis, angle)
}

/// Yaw, then roll, then tilt.
fn turn(yaw: f64, roll: f64, tilt: f64) -> Quat {
    about(Vec3::y(), yaw) * about(Vec3::z(), roll) * about(Vec3::x(), tilt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_are_never_stretched_and_feet_stay_above_the_ground() {
        for i in 0..2_000 {
            let secs = f64::from(i) * f64::from(CYCLES) * CYCLE_SECS / 2_000.0;
            for side in [Side::Left, Side::Right] {
                let hips = hips(secs);
                let [x, y, z] = THIGH_OFFSET;
                let hip = hips.position + hips.rotation() * Vec3::new(side.sign() * x, y, z);
                let foot = foot(side, secs);
                assert!((foot.ankle - hip).norm() < 0.993 * (THIGH + SHIN), "{secs}");
                let world = about(Vec3::y(), foot.yaw) * about(Vec3::x(), -foot.pitch);
                let ball = foot.ankle + world * Vec3::from(BALL_OFFSET);
                let tip = ball + world * about(Vec3::x(), -foot.toe_bend) * Vec3::new(0.0, -0.005, 0.075);
                let heel = foot.ankle + world * Vec3::new(0.0, -ANKLE_HEIGHT, -HEEL);
                assert!(ball.y > 0.0199 && tip.y > 0.0149 && heel.y > -1e-9, "{secs}: {} {} {}", ball.y, tip.y, heel.y);
            }
        }
    }

    #[test]
    fn feet_move_without_a_jump_of_speed() {
        let at = |secs: f64| foot(Side::Left, secs).ankle;
        let h = 1e-4;
        for i in 0..20_000 {
            let secs = f64::from(i) * 5e-5 + 3.0;
            let change = (at(secs + h) - 2.0 * at(secs) + at(secs - h)) / h;
            assert!(change.norm() < 0.05, "{secs}: {}", change.norm());
        }
    }
}

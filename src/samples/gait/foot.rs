//! Footprints, and a foot between them.

use super::{Gait, Side, about};
use crate::{
    math::{Quat, Vec3},
    samples::biped::{ANKLE_HEIGHT, BALL_OFFSET, HEEL},
};
use std::f64::consts::TAU;

/// Where a body goes: along a line, or round a circle.
pub(in crate::samples) struct Ground {
    /// Metres a cycle, forward.
    pub(in crate::samples) forward: f64,
    /// Metres a cycle to the left; along a line only.
    pub(in crate::samples) left: f64,
    /// Cycles once round a circle to the left; none for a line.
    pub(in crate::samples) round: Option<u32>,
}

impl Ground {
    /// 1 on a circle, 0 on a line.
    pub(super) fn turns(&self) -> f64 {
        if self.round.is_some() { 1.0 } else { 0.0 }
    }

    /// The heading after some cycles, radians; 0 faces +Z, growing to the left.
    pub(super) fn heading(&self, cycles: f64) -> f64 {
        self.round.map_or(0.0, |round| TAU / f64::from(round) * cycles)
    }

    fn radius(&self) -> f64 {
        self.round.map_or(0.0, |round| self.forward * f64::from(round) / TAU)
    }

    /// The point reached after some cycles, moved to the left of the way, at a height.
    pub(super) fn at(&self, cycles: f64, left: f64, height: f64) -> Vec3 {
        match self.round {
            Some(_) => self.point([self.heading(cycles), self.radius() - left], height),
            None => self.point([self.forward * cycles, self.left * cycles + left], height),
        }
    }

    /// Where a point lies along and across the way: heading (relative to `centre`, within half a turn of it) and radius, or
    /// forward and left.
    fn coordinates(&self, at: &Vec3, centre: f64) -> [f64; 2] {
        match self.round {
            Some(_) => [crate::math::rotation::wrap_angle(at.z.atan2(-at.x) - centre), at.x.hypot(at.z)],
            None => [at.z - centre, at.x],
        }
    }

    fn point(&self, [along, across]: [f64; 2], height: f64) -> Vec3 {
        match self.round {
            Some(_) => Vec3::new(-across * along.cos(), height, across * along.sin()),
            None => Vec3::new(across, height, along),
        }
    }
}

/// What a foot does on the ground; times are cycles since it came down, in order of the fields.
#[derive(Clone, Copy)]
pub(in crate::samples) struct Stance {
    /// When the foot lies flat.
    pub(in crate::samples) flat: f64,
    /// When the hips pass over it.
    pub(in crate::samples) mid: f64,
    /// When the heel leaves the ground.
    pub(in crate::samples) heel_off: f64,
    /// When the toes leave the ground.
    pub(in crate::samples) toe_off: f64,
    /// How far the toes are raised when it comes down, radians.
    pub(in crate::samples) strike: f64,
    /// How far the heel is raised when it leaves, radians.
    pub(in crate::samples) push: f64,
    /// How long the push lasts: it is cut off when the toes leave.
    pub(in crate::samples) push_length: f64,
}

/// What a foot does in the air, beyond joining its stances.
pub(in crate::samples) struct Swing {
    /// How far it is lifted, metres.
    pub(in crate::samples) lift: f64,
    /// How far its toes are raised on the way, radians.
    pub(in crate::samples) pitch: f64,
}

/// A foot in the world.
#[derive(Clone, Copy)]
pub(super) struct Foot {
    pub(super) ankle: Vec3,
    /// Heading, radians.
    pub(super) yaw: f64,
    /// Toes up, radians; negative with the heel up.
    pub(super) pitch: f64,
    /// Toes up against the foot, radians.
    pub(super) toe_bend: f64,
}

impl Foot {
    pub(super) fn rotation(&self) -> Quat {
        about(Vec3::y(), self.yaw) * about(Vec3::x(), -self.pitch)
    }
}

impl Gait {
    /// A foot at a time.
    pub(super) fn foot(&self, side: Side, secs: f64) -> Foot {
        let cycles = self.cycles(side, secs);
        let (step, phase) = (cycles.floor(), cycles - cycles.floor());
        let toe_off = self.stance(side).toe_off;
        if phase <= toe_off {
            return self.on_ground(side, step, phase);
        }
        let whole = 1.0 - toe_off;
        let u = (phase - toe_off) / whole;
        // Both ends' place, velocity and acceleration, a unit of u, from the stances before and after.
        let h = 1e-3;
        let ends = |read: &dyn Fn(&Foot) -> f64| {
            let at = |step: f64, phase: f64| read(&self.on_ground(side, step, phase));
            let back = [at(step, toe_off), at(step, toe_off - h), at(step, toe_off - 2.0 * h)];
            let next = [at(step + 1.0, 0.0), at(step + 1.0, h), at(step + 1.0, 2.0 * h)];
            let leave = derivatives(back, -h / whole);
            let land = derivatives(next, h / whole);
            quintic(leave, land, u)
        };
        // Angles are read relative to the step's own place on the circle, clear of the seam at half a turn.
        let heading = self.ground.heading(step + 0.8);
        let centre = if self.ground.round.is_some() { heading } else { self.ground.forward * (step + 0.8) };
        let along = ends(&|foot| self.ground.coordinates(&foot.ankle, centre)[0]) + centre;
        let across = ends(&|foot| self.ground.coordinates(&foot.ankle, centre)[1]);
        let Swing { lift, pitch } = self.swing;
        let arch = (4.0 * u * (1.0 - u)).powi(2);
        let height = ends(&|foot| foot.ankle.y) + lift * arch;
        Foot {
            ankle: self.ground.point([along, across], height),
            yaw: ends(&|foot| foot.yaw - heading) + heading,
            pitch: ends(&|foot| foot.pitch) + pitch * arch * arch,
            toe_bend: ends(&|foot| foot.toe_bend),
        }
    }

    /// A foot in stance: `step` counts this side's heel strikes, `phase` runs from 0 to toe-off (and a little beyond).
    fn on_ground(&self, side: Side, step: f64, phase: f64) -> Foot {
        let offset = if side == Side::Left { 0.0 } else { self.right };
        let stance = self.stance(side);
        let under = step - offset + stance.mid;
        let print = self.ground.at(under, side.sign() * self.track, 0.0);
        let yaw = self.ground.heading(under) + side.sign() * self.toe_out;
        let strike = stance.strike * (1.0 - smoother(phase / stance.flat));
        let raised = |phase: f64| smoother((phase - stance.heel_off) / stance.push_length);
        let push = stance.push * raised(phase) / raised(stance.toe_off);
        let pitch = strike - push;
        let pivot =
            if pitch > 0.0 { Vec3::new(0.0, 0.0, -HEEL) } else { Vec3::from(BALL_OFFSET) + Vec3::y() * ANKLE_HEIGHT };
        let rolled = pivot + about(Vec3::x(), -pitch) * (Vec3::y() * ANKLE_HEIGHT - pivot);
        Foot { ankle: print + about(Vec3::y(), yaw) * rolled, yaw, pitch, toe_bend: push }
    }
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

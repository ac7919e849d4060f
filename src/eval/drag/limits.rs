//! Limits of joints in a drag: what the solvers turned too far is taken back, and the rest of the limb makes up for it.

use super::{BodyHelp, Drag, hold, limb, look, plan::Plan, pose::Pose};
use crate::eval::ik::jacobian::clamp_step;
use crate::eval::ik::{ChainSolver as _, Goal, JointLimit, Measure, SoftLimit, two_bone::TwoBone};
use crate::eval::limbs::Limb;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::SwingShape;
use std::f64::consts::PI;

/// Nearer than this share of its length a limb's end counts as where it should be.
const NEAR: f64 = 1e-9;
/// Most steps in which the rest of a limb makes up for what its limits took back.
const STEPS: u32 = 24;
/// Squared damping of these steps as a share of the limb's length times what is left (Levenberg's rule): steps to what
/// cannot be reached are calm, the last ones to what can be are Newton's.
const DAMPING: f64 = 0.2;
/// The longest step, as a share of the limb's length.
const LONGEST: f64 = 0.3;
/// No measure changes by more in one step, radians.
const LARGEST_TURN: f64 = 0.5;
/// How much of its own effect a measure keeps that stands at its limit, so that it finds its way back in.
const BACK: f64 = 0.1;
/// A hinge opens as it should once it is bent by this much more than at the press, radians.
const FACES: f64 = 0.25;
/// From so far from straight backwards on a hinge knows which way round to turn, radians.
const CLEAR: f64 = 0.5;
/// Width of the difference quotients, radians.
const TINY: f64 = 1e-6;

impl<'a> Drag<'a> {
    /// The same drag under limits, one entry a joint. They are widened to the pose at the press and approached softly; where
    /// they keep the grabbed joint from its target, it stays as near as they let it. Without this there are none.
    #[must_use]
    pub fn with_limits(self, limits: &'a [Option<JointLimit>]) -> Self {
        let mut drag = Self { limits, ..self };
        for (index, found) in drag.input.limbs.limbs.iter().enumerate() {
            let Some((middle, limit)) = found.middle.and_then(|middle| Some((middle, drag.limit(middle)?))) else {
                continue;
            };
            // An elbow or a knee that is bent backwards swings round instead of bending on.
            let seen = limit.measure(&drag.pressed.local_rotation(middle));
            if let Some(Some(bend)) = drag.bends.get_mut(index) {
                bend.hinge(seen.z.atan2(seen.x), seen.x < limit.x[0]);
            }
        }
        drag
    }

    /// The limits of a joint.
    fn limit(&self, joint: usize) -> Option<&'a JointLimit> {
        self.limits.get(joint)?.as_ref()
    }

    /// The limits of a joint as this drag feels them.
    fn soft_limit(&self, joint: usize) -> Option<SoftLimit> {
        Some(self.limit(joint)?.at_press(&self.pressed.local_rotation(joint)))
    }
}

impl Drag<'_> {
    /// The limits of the joints of a path as this drag feels them, one entry a joint of the skeleton; none where there are
    /// none at all.
    pub(super) fn soft_limits(&self, path: &[usize]) -> Vec<Option<SoftLimit>> {
        let limit = |joint: usize| self.soft_limit(joint).filter(|_| path.contains(&joint));
        (0..self.limits.len()).map(limit).collect()
    }
}

/// Brings a solved pose within the limits.
pub(super) fn settle(drag: &Drag<'_>, pose: &mut Pose<'_>) {
    if drag.limits.is_empty() {
        return;
    }
    let limbs = &drag.input.limbs.limbs;
    match &drag.plan {
        Plan::Limb { limb } => {
            if let Some(found) = limbs.get(*limb) {
                face(drag, pose, found);
                relax(drag, pose, &found.joints, drag.keeps_world(Some(found.role)), true);
            }
            if drag.input.options.help != BodyHelp::Never {
                relax_held(drag, pose);
            }
        }
        Plan::Swing { limb } => {
            if let Some(found) = limbs.get(*limb) {
                face(drag, pose, found);
                relax(drag, pose, &found.joints, true, true);
            }
        }
        Plan::Chain { path } => {
            let role = path.last().and_then(|last| drag.input.limbs.containing(*last)).map(|limb| limb.role);
            relax(drag, pose, path, drag.keeps_world(role), true);
        }
        Plan::Trunk { path, .. } => {
            if relax(drag, pose, path, drag.keeps_world(None) || look::looks(drag), true) {
                hold::close(drag, pose, limb::nothing());
            }
            relax_held(drag, pose);
        }
        Plan::Body { .. } => relax_held(drag, pose),
    }
}

/// The limbs whose ends are held: what holds them keeps its rotation, whatever its own limits. A hold is stronger than the
/// limits: where no pose within them reaches it, the limb bends on, in the plane in which the limits leave it.
fn relax_held(drag: &Drag<'_>, pose: &mut Pose<'_>) {
    for held in &drag.held {
        let Some(limb) = drag.input.limbs.limbs.get(held.limb) else { continue };
        let goal = pose.position(limb.end());
        face(drag, pose, limb);
        relax(drag, pose, &limb.joints, true, false);
        if (pose.position(limb.end()) - goal).norm() > NEAR * drag.limb_length(held.limb) {
            let kept = pose.rotation(limb.end());
            let goal = Goal { middle: limb.middle_place(), ..Goal::at(goal) };
            let settings = &drag.input.options.settings;
            limb::solve_path(pose, &limb.joints, |chain, scratch| TwoBone.solve(chain, &goal, settings, scratch));
            pose.set_rotation(limb.end(), &kept);
        }
    }
}

/// Turns both parts of a limb about themselves until its middle bends as its hinge opens, as nearly as its limits ask for:
/// not at all as it was bent at the press, ever more as it bends on. All three corners stay, and the end's rotation with
/// them. A hinge that is asked to bend sideways would otherwise stay straight.
fn face(drag: &Drag<'_>, pose: &mut Pose<'_>, limb: &Limb) {
    let Some((middle, soft)) = limb.middle.and_then(|middle| Some((middle, drag.soft_limit(middle)?))) else { return };
    let limit = soft.limit();
    if limit.shape != SwingShape::Ranges {
        return;
    }
    let seen = limit.measure(&pose.local_rotation(middle));
    let pressed = limit.measure(&drag.pressed.local_rotation(middle));
    let (bent, way) = (seen.x.hypot(seen.z), seen.z.atan2(seen.x));
    let into = ((bent - pressed.x.hypot(pressed.z)) / FACES).clamp(0.0, 1.0);
    let into = into * into * (3.0 - 2.0 * into);
    let side = if way < 0.0 { -limit.z[0] } else { limit.z[1] };
    let most = PI + into * ((side / bent.max(1e-9)).clamp(0.0, 1.0).asin() - PI);
    if way.abs() > most {
        let kept = pose.rotation(limb.end());
        // Straight backwards both ways round are as good: there it does not turn.
        let clear = ((PI - way.abs()) / CLEAR).clamp(0.0, 1.0);
        let clear = clear * clear * (3.0 - 2.0 * clear);
        limb::untwist(pose, limb, (way - most.copysign(way)) * clear);
        pose.set_rotation(limb.end(), &kept);
    }
}

/// Brings the joints of a path within their limits and turns them within these until the path's end is back where it was,
/// or as near as it comes. The end keeps its rotation in the world where it `keeps` it, and has limits of its own where it
/// is `limited`. Says whether anything changed.
///
/// Damped least squares over swings and twists as they are before their soft limits, each no farther than where its limit
/// is met for good; the slope of the limits is part of the Jacobian, so what stands at a limit leaves the way to others.
/// What comes out runs without a jump as what goes in does, and is what goes in where no limit is met.
fn relax(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize], keeps: bool, limited: bool) -> bool {
    let Some((&last, turning)) = path.split_last() else { return false };
    let (goal, kept) = (pose.position(last), pose.rotation(last));
    let mut free: Vec<Free> = turning.iter().map(|joint| Free::of(drag, pose, *joint)).collect();
    let moved = free.iter().any(|free| free.rotation(pose) != pose.local_rotation(free.joint));
    if moved {
        let length = pose.length(path);
        show(&free, pose, turning);
        for _ in 0..STEPS {
            let error = goal - pose.position(last);
            if error.norm() <= NEAR * length || !step(&mut free, pose, last, &error, length) {
                break;
            }
            show(&free, pose, turning);
        }
        if keeps {
            pose.set_rotation(last, &kept);
        }
    }
    let own = drag.soft_limit(last).filter(|_| limited);
    let Some(own) =
        own.map(|limit| limit.map(&pose.local_rotation(last))).filter(|own| *own != pose.local_rotation(last))
    else {
        return moved;
    };
    pose.set_local_rotations(&[last], &[own]);
    true
}

/// A joint that turns, as it is before its limits.
struct Free {
    joint: usize,
    /// The limits, with the swing and twist before them; none turn freely.
    limit: Option<(SoftLimit, Measure)>,
}

impl Free {
    fn of(drag: &Drag<'_>, pose: &Pose<'_>, joint: usize) -> Self {
        let seen = |limit: SoftLimit| (limit, limit.free(&pose.local_rotation(joint)));
        Self { joint, limit: drag.soft_limit(joint).map(seen) }
    }

    /// The local rotation behind the limits; as it is where none is met.
    fn rotation(&self, pose: &Pose<'_>) -> Quat {
        let local = pose.local_rotation(self.joint);
        let Some((limit, free)) = &self.limit else { return local };
        let now = limit.ease(free);
        if now == limit.limit().measure(&local) { local } else { limit.limit().rotation(&now) }
    }

    /// How the place `end` moves, world, for each swing and twist, or, without limits, for turns about the world's axes.
    fn effects(&self, pose: &Pose<'_>, end: &Vec3) -> [Vec3; 3] {
        let arm = end - pose.position(self.joint);
        let Some((limit, free)) = &self.limit else {
            return [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| axis.cross(&arm));
        };
        let above = pose.rotation(self.joint) * pose.local_rotation(self.joint).inverse();
        let arm = pose.rotation(self.joint).inverse() * arm;
        let now = limit.ease(free);
        let place = |measure: &Measure| above * (limit.limit().rotation(measure) * arm);
        let here = place(&now);
        [0, 1, 2].map(|which| {
            let soft = place(&limit.ease(&moved(free, which, TINY))) - here;
            let own = place(&moved(&now, which, TINY)) - here;
            (soft + own * BACK) / TINY
        })
    }
}

/// A measure with one of its three changed.
fn moved(measure: &Measure, which: usize, by: f64) -> Measure {
    let mut measure = *measure;
    match which {
        0 => measure.x += by,
        1 => measure.twist += by,
        _ => measure.z += by,
    }
    measure
}

/// Gives the joints that turn what their limits leave.
fn show(free: &[Free], pose: &mut Pose<'_>, turning: &[usize]) {
    let rotations: Vec<Quat> = free.iter().map(|free| free.rotation(pose)).collect();
    pose.set_local_rotations(turning, &rotations);
}

/// One damped step of a path's end; false where it cannot move.
fn step(free: &mut [Free], pose: &mut Pose<'_>, last: usize, error: &Vec3, length: f64) -> bool {
    let end = pose.position(last);
    let effects: Vec<[Vec3; 3]> = free.iter().map(|free| free.effects(pose, &end)).collect();
    let mut gram = Mat3::from_diagonal_element(DAMPING * length * error.norm());
    effects.iter().flatten().for_each(|effect| gram += effect * effect.transpose());
    let Some(pull) = gram.cholesky().map(|factor| factor.solve(&clamp_step(error, LONGEST * length))) else {
        return false;
    };
    let turns: Vec<[f64; 3]> = effects.iter().map(|effects| effects.map(|effect| effect.dot(&pull))).collect();
    let largest = turns.iter().flatten().fold(0.0_f64, |largest, turn| largest.max(turn.abs()));
    let share = (LARGEST_TURN / largest.max(1e-300)).min(1.0);
    // Those above go first: what lies under a joint turns with it.
    for (free, turns) in free.iter_mut().zip(turns) {
        let [x, twist, z] = turns.map(|turn| turn * share);
        if let Some((limit, measure)) = &mut free.limit {
            *measure = limit.bounded(&Measure { x: measure.x + x, twist: measure.twist + twist, z: measure.z + z });
        } else {
            let turned = Quat::from_scaled_axis(Vec3::new(x, twist, z)) * pose.rotation(free.joint);
            pose.set_rotation(free.joint, &turned);
        }
    }
    true
}

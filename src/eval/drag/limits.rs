//! Limits of joints in a drag: what the solvers turned too far is taken back, and the rest of the limb makes up for it.

use super::{BodyHelp, Drag, hold, limb, look, plan::Plan, pose::Pose};
use crate::eval::ik::jacobian::{BallStep, ball_step, clamp_step};
use crate::eval::ik::{ChainSolver as _, Goal, JointLimit, SoftLimit, two_bone::TwoBone};
use crate::math::{Quat, Vec3};

/// Nearer than this share of its length a limb's end counts as where it should be.
const NEAR: f64 = 1e-9;
/// Steps in which the rest of a limb makes up for what its limits took back.
const STEPS: u32 = 16;
/// Damping of these steps as a share of the limb's length.
const DAMPING: f64 = 0.05;
/// The longest step, as a share of the limb's length.
const LONGEST: f64 = 0.3;

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

/// Brings a solved pose within the limits.
pub(super) fn settle(drag: &Drag<'_>, pose: &mut Pose<'_>) {
    if drag.limits.is_empty() {
        return;
    }
    let limbs = &drag.input.limbs.limbs;
    match &drag.plan {
        Plan::Limb { limb } => {
            if let Some(found) = limbs.get(*limb) {
                relax(drag, pose, &found.joints, drag.keeps_world(Some(found.role)), true);
            }
            if drag.input.options.help != BodyHelp::Never {
                relax_held(drag, pose);
            }
        }
        Plan::Swing { limb } => {
            if let Some(found) = limbs.get(*limb) {
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

/// Brings the joints of a path within their limits and turns them within these until the path's end is back where it was,
/// or as near as it comes. The end keeps its rotation in the world where it `keeps` it, and has limits of its own where it
/// is `limited`. Says whether anything changed.
///
/// The joints turn freely by damped least squares and are seen through their soft limits, a fixed number of times: what
/// comes out runs without a jump as what goes in does, and is what goes in where no limit is met.
fn relax(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize], keeps: bool, limited: bool) -> bool {
    let Some((&last, turning)) = path.split_last() else { return false };
    let (goal, kept) = (pose.position(last), pose.rotation(last));
    let limits: Vec<Option<SoftLimit>> = turning.iter().map(|joint| drag.soft_limit(*joint)).collect();
    let mut free: Vec<Quat> = turning.iter().map(|joint| pose.local_rotation(*joint)).collect();
    let mut cut = seen(&limits, &free);
    let moved = cut.iter().zip(&free).any(|(cut, free)| cut != free);
    if moved {
        let length: f64 = path.windows(2).map(|pair| (pose.position(pair[1]) - pose.position(pair[0])).norm()).sum();
        pose.set_local_rotations(turning, &cut);
        for _ in 0..STEPS {
            let error = goal - pose.position(last);
            if error.norm() <= NEAR * length {
                break;
            }
            step(pose, path, &clamp_step(&error, LONGEST * length), length);
            for ((free, cut), joint) in free.iter_mut().zip(&cut).zip(turning) {
                *free = pose.local_rotation(*joint) * cut.inverse() * *free;
                free.renormalize_fast();
            }
            cut = seen(&limits, &free);
            pose.set_local_rotations(turning, &cut);
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

/// Rotations as their limits let them be.
fn seen(limits: &[Option<SoftLimit>], free: &[Quat]) -> Vec<Quat> {
    let map = |(limit, free): (&Option<SoftLimit>, &Quat)| limit.as_ref().map_or(*free, |limit| limit.map(free));
    limits.iter().zip(free).map(map).collect()
}

/// One damped step of a path's end.
fn step(pose: &mut Pose<'_>, path: &[usize], by: &Vec3, length: f64) {
    let mut positions: Vec<Vec3> = path.iter().map(|joint| pose.position(*joint)).collect();
    let mut rotations: Vec<Quat> = path.iter().map(|joint| pose.rotation(*joint)).collect();
    ball_step(&mut positions, &mut rotations, by, BallStep::Damped(DAMPING * length), &[]);
    let turning = path.len().saturating_sub(1);
    pose.set_rotations(&path[..turning], &rotations[..turning]);
}

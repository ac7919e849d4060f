//! Limits of joints in a drag: what the solvers turned too far is taken back, and the rest of the limb makes up for it.

use super::follow::{Speed, Way, follow, meet};
use super::{BodyHelp, Drag, help, hold, limb, look, plan::Plan, pose::Pose, swing};
use crate::eval::ik::{ChainSolver as _, Goal, JointLimit, SoftLimit, SoftReach, two_bone::TwoBone};
use crate::eval::limbs::Limb;
use crate::math::{Quat, Vec3};
use crate::model::SwingShape;
use std::f64::consts::PI;

/// Nearer than this share of its length a limb's end counts as where it should be.
const NEAR: f64 = 1e-9;
/// A hinge opens as it should once it is bent by this much more than at the press, radians.
const FACES: f64 = 0.25;
/// From so far from straight backwards on a hinge knows which way round to turn, radians.
const CLEAR: f64 = 0.5;
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
    pub(super) fn soft_limit(&self, joint: usize) -> Option<SoftLimit> {
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

/// Brings a pose that was solved for a target, the hips shifted by `sway` besides, within the limits; `soft` is how the dragged limb has eased.
pub(super) fn settle<'a>(drag: &Drag<'a>, pose: &mut Pose<'a>, target: &Vec3, sway: &Vec3, soft: SoftReach) {
    if drag.limits.is_empty() {
        return;
    }
    let limbs = &drag.input.limbs.limbs;
    let grabbed = drag.input.joint;
    match &drag.plan {
        Plan::Limb { limb } => {
            if let Some(found) = limbs.get(*limb) {
                face(drag, pose, found);
                let ends = [carried(drag, pose, &found.joints, grabbed), *target];
                let way = Way { path: &found.joints, ends, speed: Speed::Guide };
                let keeps = drag.keeps_world(Some(found.role));
                within(drag, pose, &way, keeps, &mut |pose, _, place| {
                    reset(drag, pose, &found.joints);
                    limb::drag_end(drag, pose, *limb, place, soft);
                    face(drag, pose, found);
                });
            }
            if drag.input.options.help != BodyHelp::Never {
                relax_held(drag, pose);
            }
        }
        Plan::Swing { limb } => {
            if let Some(found) = limbs.get(*limb) {
                if let Some(path) = swing::straight_part(drag, found) {
                    let ends = [carried(drag, pose, &path, grabbed), *target];
                    let way = Way { path: &path, ends, speed: Speed::Guide };
                    within(drag, pose, &way, drag.keeps_world(None), &mut |pose, _, place| {
                        reset(drag, pose, &path);
                        limb::drag_chain(drag, pose, &path, place);
                    });
                }
                limit_end(drag, pose, found.end());
            }
        }
        Plan::Chain { path } => {
            let role = path.last().and_then(|last| drag.input.limbs.containing(*last)).map(|limb| limb.role);
            let way = Way { path, ends: [carried(drag, pose, path, grabbed), *target], speed: Speed::Guide };
            within(drag, pose, &way, drag.keeps_world(role), &mut |pose, _, place| {
                reset(drag, pose, path);
                limb::drag_chain(drag, pose, path, place);
            });
        }
        Plan::Trunk { path, weights } => {
            let way = Way { path, ends: [drag.start(), *target], speed: Speed::Bound };
            let keeps = drag.keeps_world(None) || look::looks(drag);
            let changed = within(drag, pose, &way, keeps, &mut |pose, share, place| {
                pose.clone_from(&drag.pressed);
                hold::shift_hips(drag, pose, &(sway * share));
                help::bend(drag, pose, path, weights, place);
            });
            if changed {
                hold::within_reach(drag, pose);
                hold::close(drag, pose, limb::nothing());
            }
            relax_held(drag, pose);
        }
        Plan::Body { .. } => relax_held(drag, pose),
    }
}

/// Gives the joints of a path the local rotations of the press.
fn reset(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize]) {
    let rotations: Vec<Quat> = path.iter().map(|joint| drag.pressed.local_rotation(*joint)).collect();
    pose.set_local_rotations(path, &rotations);
}

/// Where a joint of a path would be had nothing turned it, carried along by what the path hangs from.
fn carried(drag: &Drag<'_>, pose: &Pose<'_>, path: &[usize], joint: usize) -> Vec3 {
    let Some(first) = path.first() else { return pose.position(joint) };
    let back = drag.pressed.rotation_above(*first).inverse();
    let arm = drag.pressed.position(joint) - drag.pressed.position(*first);
    pose.position(*first) + pose.rotation_above(*first) * (back * arm)
}

/// The limbs whose ends are held: what holds them keeps its rotation, whatever its own limits. A hold is stronger than the
/// limits: where no pose within them reaches it, the limb bends on, in the plane in which the limits leave it.
fn relax_held<'a>(drag: &Drag<'a>, pose: &mut Pose<'a>) {
    for held in &drag.held {
        let Some(limb) = drag.input.limbs.limbs.get(held.limb) else { continue };
        let goal = pose.position(limb.end());
        face(drag, pose, limb);
        let kept = pose.rotation(limb.end());
        if meet(drag, pose, &limb.joints) {
            pose.set_rotation(limb.end(), &kept);
        }
        if (pose.position(limb.end()) - goal).norm() > NEAR * drag.limb_length(held.limb) {
            let goal = Goal { middle: limb.middle_place(), ..Goal::at(goal) };
            let settings = &drag.input.options.settings;
            limb::solve_path(pose, &limb.joints, |chain, scratch| TwoBone.solve(chain, &goal, settings, scratch));
            pose.set_rotation(limb.end(), &kept);
        }
    }
}

/// Brings the joints of a path within their limits, the end where it was or as near as it comes: see [`follow`]. The end
/// keeps its rotation in the world where it `keeps` it, as far as its own limits go. Says whether anything changed.
fn within<'a>(
    drag: &Drag<'a>,
    pose: &mut Pose<'a>,
    way: &Way<'_>,
    keeps: bool,
    guide: &mut dyn FnMut(&mut Pose<'a>, f64, &Vec3),
) -> bool {
    let Some(&last) = way.path.last() else { return false };
    let kept = pose.rotation(last);
    let moved = follow(drag, pose, way, guide);
    if moved && keeps {
        pose.set_rotation(last, &kept);
    }
    limit_end(drag, pose, last) || moved
}

/// Brings a path's end within its own limits; says whether that changed anything.
fn limit_end(drag: &Drag<'_>, pose: &mut Pose<'_>, joint: usize) -> bool {
    let local = pose.local_rotation(joint);
    let own = drag.soft_limit(joint).map(|limit| limit.map(&local)).filter(|own| *own != local);
    if let Some(own) = own {
        pose.set_local_rotations(&[joint], &[own]);
    }
    own.is_some()
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

//! Hips, spine and head.

use super::{Drag, anatomy, hold, limb, look, pose::Pose};
use crate::eval::ik::bend::unit;
use crate::eval::ik::jacobian::{BallStep, ball_step, clamp_step};
use crate::eval::ik::{Goal, SoftReach, SolveReport, SolveStatus, default_solver, rotations_from_positions};
use crate::eval::limbs::Role;
use crate::math::{Quat, Vec3};

/// Most linear steps of the trunk.
const STEPS: u32 = 16;
/// Damping as a share of the trunk's length.
const DAMPING: f64 = 0.03;

/// Moves a joint with all that hangs from it so that the grabbed joint comes to the target. The hips go as far as what is
/// held allows.
pub(super) fn move_body(drag: &Drag<'_>, pose: &mut Pose<'_>, joint: usize, target: &Vec3) -> SolveReport {
    let by = target - drag.start();
    if drag.input.limbs.hips == Some(joint) {
        hold::shift_hips(drag, pose, &by);
    } else {
        pose.shift(joint, &by);
    }
    let gap = (pose.position(drag.input.joint) - target).norm();
    let near = drag.input.options.settings.tolerance * by.norm();
    SolveReport::closed_form(if gap <= near { SolveStatus::Reached } else { SolveStatus::TooFar }, gap)
}

/// A trunk joint that has turned this far from the pose at the press, radians, turns half as willingly as at first.
const EASY_TURN: f64 = 0.5;

/// Bends the trunk so that its last joint comes to the target.
///
/// First the whole trunk bows or stretches until the distance is right (a straight one hunches forward); then it leans, by
/// damped least squares with the turns shared by willingness; what is left is closed exactly.
pub(super) fn bend(
    drag: &Drag<'_>,
    pose: &mut Pose<'_>,
    path: &[usize],
    weights: &[f64],
    target: &Vec3,
    soft: SoftReach,
) -> SolveReport {
    let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else { return limb::nothing() };
    let options = &drag.input.options;
    let look = look::turn(drag, target);
    if let Some(look) = &look {
        look::turn_neck(drag, pose, path, look);
    }
    let kept = drag.keeps_world(None).then(|| pose.rotation(last));
    let (before, mut turned): (Vec<Vec3>, Vec<Quat>) =
        path.iter().map(|joint| (pose.position(*joint), pose.rotation(*joint))).unzip();
    let length: f64 = path.windows(2).map(|pair| (pose.position(pair[1]) - pose.position(pair[0])).norm()).sum();
    // A trunk stands nearly straight: what is out of its reach is brought within it before the steps begin.
    let soft = if soft == SoftReach::OFF { SoftReach { zone: 1e-3 } } else { soft };
    let (root, end) = (pose.position(first), pose.position(last));
    let within = soft.target(&root, target, &end, length);
    let forward = anatomy::body_frame(&drag.pressed, drag.input.limbs, Role::Arm).forward;
    let goal = |target: Vec3| Goal { bulge: Some(-forward), ..Goal::at(target) };
    let solve = |pose: &mut Pose<'_>, target: Vec3| {
        limb::solve_path(pose, path, |chain, scratch| {
            default_solver().solve(chain, &goal(target), &options.settings, scratch)
        })
    };
    let mut iterations = 0;
    if let Some(chord) = unit(&(end - root), 1e-6 * length) {
        iterations += solve(pose, root + chord * (within - root).norm()).iterations;
    }
    let mut positions: Vec<Vec3> = path.iter().map(|j| pose.position(*j)).collect();
    let mut rotations: Vec<Quat> = path.iter().map(|j| pose.rotation(*j)).collect();
    iterations += damped(&mut positions, &mut rotations, &within, weights, length);
    pose.set_rotations(path, &rotations);
    let closed = solve(pose, within);
    // Every bone turns the shortest way to where it has come, whatever way the steps took: a nearly straight trunk that bows
    // this way and then that would come out twisted.
    let after: Vec<Vec3> = path.iter().map(|joint| pose.position(*joint)).collect();
    rotations_from_positions(&before, &after, &mut turned);
    pose.set_rotations(path, &turned);
    let level = look.map(|look| look::level(drag, pose, last, &look));
    if let Some(rotation) = level.or(kept) {
        pose.set_rotation(last, &rotation);
    }
    SolveReport { iterations: iterations + closed.iterations, ..closed }
}

/// Damped steps of a trunk; how many.
fn damped(positions: &mut [Vec3], rotations: &mut [Quat], target: &Vec3, weights: &[f64], length: f64) -> u32 {
    let at_press = rotations.to_vec();
    let mut willing = weights.to_vec();
    for step in 0..STEPS {
        let error = target - positions.last().copied().unwrap_or_default();
        if error.norm() <= 1e-9 * length {
            return step;
        }
        let by = clamp_step(&error, 0.2 * length);
        ball_step(positions, rotations, &by, BallStep::Damped(DAMPING * length), &willing);
        tire(&at_press, rotations, weights, &mut willing);
    }
    STEPS
}

/// Lets joints that have turned far turn less willingly, so that no neck folds while the spine stands.
fn tire(at_press: &[Quat], rotations: &[Quat], weights: &[f64], willing: &mut [f64]) {
    let mut above = Quat::identity();
    for (joint, willing) in willing.iter_mut().enumerate() {
        let (Some(then), Some(now), Some(weight)) = (at_press.get(joint), rotations.get(joint), weights.get(joint))
        else {
            return;
        };
        // The world turn of this joint and of the one above: what is between them is the joint's own.
        let turn = now * then.inverse();
        let own = (above.inverse() * turn).angle() / EASY_TURN;
        *willing = weight / (1.0 + own * own * own * own);
        above = turn;
    }
}

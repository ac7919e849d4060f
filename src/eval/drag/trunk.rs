//! Hips, spine and head.

use super::{Drag, Hands, limb, pose::Pose};
use crate::eval::ik::jacobian::{BallStep, ball_step, clamp_step};
use crate::eval::ik::{SoftReach, SolveReport, SolveStatus};
use crate::eval::limbs::Role;
use crate::math::Vec3;

/// Most linear steps of the trunk.
const STEPS: u32 = 24;
/// Damping as a share of the trunk's length.
const DAMPING: f64 = 0.03;

/// Moves a joint with all that hangs from it so that the grabbed joint comes to the target; feet stay where they were,
/// hands if asked to.
pub(super) fn move_body(drag: &Drag<'_>, pose: &mut Pose<'_>, joint: usize, target: &Vec3) -> SolveReport {
    pose.shift(joint, &(target - drag.start()));
    let moved = SolveReport::closed_form(SolveStatus::Reached, (pose.position(drag.input.joint) - target).norm());
    if drag.input.limbs.hips != Some(joint) {
        return moved;
    }
    match drag.input.options.hands {
        Hands::Stay => limb::hold(drag, pose, &[Role::Leg, Role::Arm], moved),
        Hands::Follow => limb::hold(drag, pose, &[Role::Leg], moved),
    }
}

/// Bends the trunk so that its last joint comes to the target: damped least squares, the turns shared by willingness.
pub(super) fn bend(
    drag: &Drag<'_>,
    pose: &mut Pose<'_>,
    path: &[usize],
    weights: &[f64],
    target: &Vec3,
) -> SolveReport {
    let Some(last) = path.last().copied() else { return limb::nothing() };
    let options = &drag.input.options;
    let kept = drag.keeps_world(None).then(|| pose.rotation(last));
    let mut positions: Vec<Vec3> = path.iter().map(|j| pose.position(*j)).collect();
    let mut rotations: Vec<_> = path.iter().map(|j| pose.rotation(*j)).collect();
    let length: f64 = positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let end = |positions: &[Vec3]| positions.last().copied().unwrap_or_default();
    // A trunk stands nearly straight: what is out of its reach is brought within it before the steps begin.
    let soft = if options.soft == SoftReach::OFF { SoftReach { zone: 1e-3 } } else { options.soft };
    let within = soft.target(&positions[0], target, &end(&positions), length);
    let mut iterations = 0;
    while iterations < STEPS {
        let error = within - end(&positions);
        if error.norm() <= 1e-9 * length {
            break;
        }
        let step = clamp_step(&error, 0.2 * length);
        ball_step(&mut positions, &mut rotations, &step, BallStep::Damped(DAMPING * length), weights);
        iterations += 1;
    }
    pose.set_rotations(path, &rotations);
    if let Some(rotation) = kept {
        pose.set_rotation(last, &rotation);
    }
    let residual = (within - pose.position(last)).norm();
    let reached = residual <= options.settings.tolerance * length;
    let status = if reached { SolveStatus::Reached } else { SolveStatus::IterationLimit };
    let report = SolveReport { status, iterations, residual, bent: false };
    match options.hands {
        Hands::Stay => limb::hold(drag, pose, &[Role::Arm], report),
        Hands::Follow => report,
    }
}

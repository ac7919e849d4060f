//! Cyclic coordinate descent.
//!
//! Source: Wang & Chen, "A combined optimization method for solving the inverse kinematics problem of mechanical
//! manipulators", IEEE Trans. Robotics and Automation 7 (1991). Turns are world turns: `G' = turn * G`.

use super::chain::{Chain, Goal, Passes, Reach, Scratch, Settings, finish, solve_positions, unusable};
use super::{ChainSolver, SolveReport, StepKind, bend, shortest_arc};
use crate::math::{Quat, Vec3};

/// The CCD solver: sweeps from the end's parent to the root.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ccd;

impl ChainSolver for Ccd {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        let reach = scratch.take(chain.positions);
        if let Some(report) = unusable(chain, goal, reach) {
            return report;
        }
        let root = chain.root();
        if super::chain::beyond((goal.target - root).norm(), reach).is_some() {
            return solve_positions(chain, goal, settings, scratch, |_, _, _, _| Passes::default());
        }
        let tolerance = settings.tolerance * reach.max;
        let passes = sweeps(chain, goal, settings, tolerance, reach, scratch);
        finish(chain, goal, tolerance, None, passes)
    }
}

fn sweeps(
    chain: &mut Chain<'_>,
    goal: &Goal,
    settings: &Settings,
    tolerance: f64,
    reach: Reach,
    scratch: &mut Scratch,
) -> Passes {
    let mut passes = Passes::default();
    let mut error = (goal.target - chain.end()).norm();
    while passes.iterations < settings.max_iterations && error > tolerance {
        if bend::on_one_line(chain.positions, &goal.target, reach.max) {
            if passes.bent {
                passes.stalled = true;
                break;
            }
            bend::bend_straight(chain, goal, &scratch.lengths, reach);
            super::rotations_from_positions(&scratch.before, chain.positions, chain.rotations);
            passes.bent = true;
            scratch.note(StepKind::Bent, passes.iterations, chain.positions, chain.rotations);
        }
        passes.iterations += 1;
        for joint in (0..chain.positions.len() - 1).rev() {
            joint_step(chain.positions, chain.rotations, joint, &goal.target);
            scratch.note(StepKind::Joint(joint), passes.iterations, chain.positions, chain.rotations);
        }
        error = (goal.target - chain.end()).norm();
    }
    swing_rotations(chain, goal, scratch);
    passes
}

/// Swings to the pole, rotations with the positions.
pub(super) fn swing_rotations(chain: &mut Chain<'_>, goal: &Goal, scratch: &mut Scratch) {
    let (root, end) = (chain.root(), chain.end());
    let Some(turn) = bend::turn_to_pole(chain.positions, goal) else { return };
    for (p, q) in chain.positions.iter_mut().zip(chain.rotations.iter_mut()) {
        *p = root + turn * (*p - root);
        *q = turn * *q;
    }
    if let Some(last) = chain.positions.last_mut() {
        *last = end;
    }
    scratch.note(StepKind::Pole, 0, chain.positions, chain.rotations);
}

/// One step: turns everything after `joint` about it by the shortest arc that brings the end into line with the target.
/// Returns the turn; identity where the end or the target is at the joint, or the joint has nothing after it.
///
/// For an end exactly opposite to the target the turn is by pi about an axis of the joint.
pub fn joint_step(positions: &mut [Vec3], rotations: &mut [Quat], joint: usize, target: &Vec3) -> Quat {
    let (Some(&pivot), Some(&end)) = (positions.get(joint), positions.last()) else { return Quat::identity() };
    let own = rotations.get(joint).copied().unwrap_or_default();
    let (to_end, to_target) = (end - pivot, target - pivot);
    let turn = shortest_arc(&to_end, &to_target, &(own * Vec3::z()));
    for p in positions.iter_mut().skip(joint + 1) {
        *p = pivot + turn * (*p - pivot);
    }
    for q in rotations.iter_mut().skip(joint) {
        *q = turn * *q;
        q.renormalize_fast();
    }
    turn
}

/// One sweep: a step at every joint from the end's parent to the root.
pub fn sweep(positions: &mut [Vec3], rotations: &mut [Quat], target: &Vec3) {
    for joint in (0..positions.len().saturating_sub(1)).rev() {
        joint_step(positions, rotations, joint, target);
    }
}

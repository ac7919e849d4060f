//! FABRIK: forward and backward reaching inverse kinematics.
//!
//! Source: Aristidou & Lasenby, "FABRIK: A fast, iterative solver for the inverse kinematics problem", Graphical Models
//! 73 (2011). Here tolerances scale with the chain, targets nearer than the chain folds are recognised, coincident
//! joints keep a direction, and a chain on one line with its target is bent before the first pass.

use super::chain::{Chain, Goal, Passes, Scratch, Settings, solve_positions};
use super::{ChainSolver, SolveReport, StepKind, bend};
use crate::math::Vec3;

/// The FABRIK solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fabrik;

impl ChainSolver for Fabrik {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_positions(chain, goal, settings, scratch, |chain, tolerance, reach, scratch| {
            let root = chain.root();
            let mut passes = Passes::default();
            while passes.iterations < settings.max_iterations && (goal.target - chain.end()).norm() > tolerance {
                if bend::on_one_line(chain.positions, &goal.target, reach.max) {
                    if passes.bent {
                        passes.stalled = true;
                        break;
                    }
                    bend::bend_straight(chain, goal, &scratch.lengths, reach);
                    passes.bent = true;
                    scratch.note(StepKind::Bent, passes.iterations, chain.positions, &[]);
                }
                passes.iterations += 1;
                forward_pass(chain.positions, &scratch.lengths, &goal.target);
                scratch.note(StepKind::Forward, passes.iterations, chain.positions, &[]);
                backward_pass(chain.positions, &scratch.lengths, &root);
                scratch.note(StepKind::Backward, passes.iterations, chain.positions, &[]);
            }
            passes
        })
    }
}

/// The first half of an iteration: the end is put on the target, then every joint, from the end to the root, is pulled
/// along its bone to the right distance from the one after it. The root moves too.
pub fn forward_pass(positions: &mut [Vec3], lengths: &[f64], target: &Vec3) {
    let Some((last, rest)) = positions.split_last_mut() else { return };
    *last = *target;
    let mut anchor = *target;
    let mut heading = Vec3::x();
    for (p, length) in rest.iter_mut().rev().zip(lengths.iter().rev()) {
        pull(p, &anchor, *length, &mut heading);
        anchor = *p;
    }
}

/// The second half: the root is put back, then every joint, from the root to the end, is pulled along its bone to the
/// right distance from the one before it.
pub fn backward_pass(positions: &mut [Vec3], lengths: &[f64], root: &Vec3) {
    let Some((first, rest)) = positions.split_first_mut() else { return };
    *first = *root;
    let mut anchor = *root;
    let mut heading = Vec3::x();
    for (p, length) in rest.iter_mut().zip(lengths) {
        pull(p, &anchor, *length, &mut heading);
        anchor = *p;
    }
}

/// Puts `p` at `length` from `anchor`, in its present direction; a point on the anchor takes the heading of the bone
/// handled before it.
fn pull(p: &mut Vec3, anchor: &Vec3, length: f64, heading: &mut Vec3) {
    let offset = *p - anchor;
    let norm = offset.norm();
    if norm > 1e-12 * length && norm > 0.0 {
        *heading = offset / norm;
    }
    *p = anchor + *heading * length;
}

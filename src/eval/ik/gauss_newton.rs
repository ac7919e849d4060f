//! The Gauss-Newton method on the squared distance between end and target.
//!
//! Each step is the least-squares step `J^+ e` at full length; where it would not bring the end nearer it is halved until
//! it does. Source: Nocedal & Wright, "Numerical Optimization" (2nd ed. 2006), sections 10.3 and 3.1 (backtracking).

use super::chain::{Chain, Goal, Passes, Reach, Scratch, Settings, solve_positions};
use super::jacobian::{BallStep, ball_gram, ball_step};
use super::{ChainSolver, SolveReport, StepKind, bend};

/// Most halvings of one step: what a step of a ten-thousandth does not better is at a stationary pose.
const MOST_HALVINGS: u32 = 14;

/// The Gauss-Newton solver. Ignores the settings' damping and longest step.
#[derive(Clone, Copy, Debug, Default)]
pub struct GaussNewton;

impl ChainSolver for GaussNewton {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_positions(chain, goal, settings, scratch, |chain, tolerance, reach, scratch| {
            let mut passes = Passes::default();
            while passes.iterations < settings.max_iterations && (goal.target - chain.end()).norm() > tolerance {
                if is_stationary(chain, goal, reach) {
                    if passes.bent {
                        passes.stalled = true;
                        break;
                    }
                    bend::bend_straight(chain, goal, &scratch.lengths, reach);
                    passes.bent = true;
                    scratch.note(StepKind::Bent, passes.iterations, chain.positions, &[]);
                }
                if !step(chain, goal, scratch) {
                    passes.stalled = true;
                    break;
                }
                passes.iterations += 1;
                scratch.note(StepKind::Linear, passes.iterations, chain.positions, &[]);
            }
            passes
        })
    }
}

/// Whether no turn of any joint brings the end nearer at first: `J^T e = 0`, or all on one line.
fn is_stationary(chain: &Chain<'_>, goal: &Goal, reach: Reach) -> bool {
    let error = goal.target - chain.end();
    let gradient = ball_gram(chain.positions, &[]) * error;
    gradient.norm() <= 1e-9 * reach.max * reach.max * error.norm()
        || bend::on_one_line(chain.positions, &goal.target, reach.max)
}

/// One step with as many halvings as it needs; false, and the pose as it was, where none helps.
fn step(chain: &mut Chain<'_>, goal: &Goal, scratch: &mut Scratch) -> bool {
    scratch.from.clear();
    scratch.from.extend_from_slice(chain.positions);
    let error = goal.target - chain.end();
    let mut share = 1.0;
    for _ in 0..=MOST_HALVINGS {
        ball_step(chain.positions, &mut [], &(error * share), BallStep::PseudoInverse, &[]);
        if (goal.target - chain.end()).norm() < error.norm() {
            return true;
        }
        chain.positions.copy_from_slice(&scratch.from);
        share *= 0.5;
    }
    false
}

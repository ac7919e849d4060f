//! The full-body solver on one chain: a body without branches and with one target.

use super::chain::{Chain, Goal, Passes, Scratch, Settings, solve_positions};
use super::{Body, BodySettings, BodyTarget, ChainSolver, SolveReport, StepKind, bend, solve_body};
use crate::math::Quat;

/// The solver of whole bodies, used on a chain. Ignores the settings' damping and longest step: it has its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullBody;

impl ChainSolver for FullBody {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_positions(chain, goal, settings, scratch, |chain, tolerance, reach, scratch| {
            if settings.max_iterations == 0 || (goal.target - chain.end()).norm() <= tolerance {
                return Passes::default();
            }
            let bent = bend::on_one_line(chain.positions, &goal.target, reach.max);
            if bent {
                bend::bend_straight(chain, goal, &scratch.lengths, reach);
                scratch.note(StepKind::Bent, 0, chain.positions, &[]);
            }
            if scratch.is_recording() {
                scratch.body.record();
            }
            // Bones may point anywhere in the frames of their joints: with the world's frames they are the offsets. What
            // the joints' own rotations become follows from the positions.
            let joints = chain.positions.len();
            scratch.frames.clear();
            scratch.frames.resize(joints, Quat::identity());
            scratch.parents.clear();
            scratch.parents.extend((0..joints).map(|joint| joint.checked_sub(1)));
            let mut body =
                Body { parents: &scratch.parents, positions: chain.positions, rotations: &mut scratch.frames };
            let wanted = BodyTarget { joint: joints - 1, position: Some((goal.target, 1.0)), orientation: None };
            let settings = BodySettings {
                tolerance: settings.tolerance,
                steps: settings.max_iterations,
                ..BodySettings::default()
            };
            let report = solve_body(&mut body, &[wanted], &settings, &mut scratch.body, &mut scratch.residuals);
            for (iteration, positions) in (1..).zip(scratch.body.recorded()) {
                scratch.note(StepKind::Linear, iteration, &positions, &[]);
            }
            Passes { iterations: report.iterations, bent, stalled: false }
        })
    }
}

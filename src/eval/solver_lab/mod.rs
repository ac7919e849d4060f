//! The solver lab: one start pose and one target through all chain solvers, step by step, with the numbers of each step.
//!
//! What is shown of a solver is what the solver did: it is run with its steps recorded. Beside them run the forms of
//! common course notes that fail ([`wrong`]), so that one sees where.

pub mod differences;
pub mod limb;
pub mod planar;
pub mod wrong;

use super::ik::{
    Chain, Goal, SOLVERS, Scratch, Settings, SolveStatus, SolveStep, SolverSpec, StepKind, rotations_from_positions,
};
use crate::math::{Quat, Vec3};
use wrong::{FORMS, WrongForm};

/// What every solver of the lab is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// World positions of the joints, root first; at least two.
    pub positions: Vec<Vec3>,
    /// World rotations, one for each position.
    pub rotations: Vec<Quat>,
    /// What is asked for.
    pub goal: Goal,
    /// How hard it is tried.
    pub settings: Settings,
}

impl Problem {
    /// The sum of the bones' lengths.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
    }

    /// Where the chain begins; the origin for a chain without joints.
    #[must_use]
    pub fn root(&self) -> Vec3 {
        self.positions.first().copied().unwrap_or_default()
    }
}

/// One that takes part: a solver, or a wrong form of one.
#[derive(Clone, Copy, Debug)]
pub enum Racer {
    /// A solver of the table.
    Solver(&'static SolverSpec),
    /// A form that is known to fail.
    Wrong(&'static WrongForm),
}

impl Racer {
    /// All, in the order they are shown: the solvers, then the wrong forms.
    pub fn all() -> impl Iterator<Item = Self> {
        SOLVERS.iter().map(Self::Solver).chain(FORMS.iter().map(Self::Wrong))
    }

    /// Its stable name.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Solver(spec) => spec.id,
            Self::Wrong(form) => form.id,
        }
    }

    /// Whether it is a form that is known to fail.
    #[must_use]
    pub const fn is_wrong(&self) -> bool {
        matches!(self, Self::Wrong(_))
    }

    /// Runs it, step by step.
    #[must_use]
    pub fn trace(&self, problem: &Problem) -> Trace {
        match self {
            Self::Solver(spec) => solved(spec, problem),
            Self::Wrong(form) => {
                let (steps, claim) = form.run(problem);
                Trace::of(problem, steps, claim)
            }
        }
    }
}

/// The chain after a step, with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct LabStep {
    /// What was done; none for the start.
    pub kind: Option<StepKind>,
    /// In which iteration, from 1; 0 for the start and for closed forms.
    pub iteration: u32,
    /// World positions; not finite where a wrong form breaks down.
    pub positions: Vec<Vec3>,
    /// World rotations.
    pub rotations: Vec<Quat>,
    /// Distance from the end to the target; not a number where the pose is none.
    pub residual: f64,
    /// How far all joints are from the start together: the sum of the angles between each joint's local rotation then and
    /// now, radians.
    pub change: f64,
}

/// A solve, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The start and what came of each step; at least the start.
    pub steps: Vec<LabStep>,
    /// What the solver says of its end.
    pub status: SolveStatus,
    /// Iterations it says it made.
    pub iterations: u32,
}

impl Trace {
    fn of(problem: &Problem, steps: Vec<SolveStep>, claim: Claim) -> Self {
        let start = LabStep {
            kind: None,
            iteration: 0,
            positions: problem.positions.clone(),
            rotations: problem.rotations.clone(),
            residual: residual(problem, &problem.positions),
            change: 0.0,
        };
        let mut all = vec![start];
        let mut iteration = 0;
        for step in steps {
            // What comes after the iterations belongs to the last of them.
            iteration = iteration.max(step.iteration);
            let rotations = if step.rotations.is_empty() {
                let mut rotations = problem.rotations.clone();
                rotations_from_positions(&problem.positions, &step.positions, &mut rotations);
                rotations
            } else {
                step.rotations
            };
            all.push(LabStep {
                kind: Some(step.kind),
                iteration,
                residual: residual(problem, &step.positions),
                change: change(&problem.rotations, &rotations),
                positions: step.positions,
                rotations,
            });
        }
        Self { steps: all, status: claim.status, iterations: claim.iterations }
    }

    /// The step with a number, or the last one.
    #[must_use]
    pub fn at(&self, number: usize) -> &LabStep {
        // There is always the start.
        &self.steps[number.min(self.steps.len() - 1)]
    }

    /// The pose it ends with.
    #[must_use]
    pub fn end(&self) -> &LabStep {
        self.at(usize::MAX)
    }

    /// Whether the pose at the end is one.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.end().positions.iter().all(|p| p.iter().all(|v| v.is_finite()))
    }

    /// The residual after each iteration up to a step, from iteration 0, the start; what is not a number ends it.
    #[must_use]
    pub fn convergence(&self, to: usize) -> Vec<(u32, f64)> {
        let mut out: Vec<(u32, f64)> = Vec::new();
        for step in self.steps.iter().take(to.saturating_add(1)).take_while(|step| step.residual.is_finite()) {
            match out.last_mut() {
                Some((iteration, residual)) if *iteration == step.iteration && step.iteration > 0 => {
                    *residual = step.residual;
                }
                // A closed form has no iterations: its parts stand one after the other.
                Some((iteration, _)) if step.iteration == 0 => {
                    let next = *iteration + 1;
                    out.push((next, step.residual));
                }
                _ => out.push((step.iteration, step.residual)),
            }
        }
        out
    }
}

/// What a solver says of its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its status.
    pub status: SolveStatus,
    /// Its iterations.
    pub iterations: u32,
}

fn solved(spec: &SolverSpec, problem: &Problem) -> Trace {
    let (mut positions, mut rotations) = (problem.positions.clone(), problem.rotations.clone());
    let mut scratch = Scratch::default();
    scratch.record();
    let report = match Chain::new(&mut positions, &mut rotations) {
        Ok(mut chain) => Some(spec.solver.solve(&mut chain, &problem.goal, &problem.settings, &mut scratch)),
        Err(_) => None,
    };
    let mut steps = scratch.recorded();
    // The joints' rotations as the solver leaves them: some turn them only at their end.
    if let Some(last) = steps.last_mut() {
        (last.positions, last.rotations) = (positions, rotations);
    }
    let claim = report.map_or(Claim { status: SolveStatus::Unusable, iterations: 0 }, |report| Claim {
        status: report.status,
        iterations: report.iterations,
    });
    Trace::of(problem, steps, claim)
}

fn residual(problem: &Problem, positions: &[Vec3]) -> f64 {
    positions.last().map_or(f64::NAN, |end| (problem.goal.target - end).norm())
}

/// The sum of the turns of all joints but the last, each against the joint before it, radians.
fn change(before: &[Quat], after: &[Quat]) -> f64 {
    let local = |all: &[Quat], joint: usize| match joint.checked_sub(1) {
        Some(above) => all[above].inverse() * all[joint],
        None => all[joint],
    };
    let joints = before.len().min(after.len()).saturating_sub(1);
    (0..joints).map(|joint| local(before, joint).angle_to(&local(after, joint))).sum()
}

#[cfg(test)]
mod tests;

//! What a solve says about itself.

use crate::math::{Quat, Vec3};

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveStatus {
    /// The end is at the target, within the tolerance.
    Reached,
    /// The target is farther than the stretched chain: the pose is straight towards it.
    TooFar,
    /// The target is nearer than the folded chain comes: the pose is folded towards it.
    TooNear,
    /// The iterations ran out before the tolerance was met.
    IterationLimit,
    /// A step changed nothing although the target is not met (a deadlock that a bend did not break, or a limit).
    Stalled,
    /// The input was unusable (a non-finite target, no bone with a length): the pose is the one passed in.
    Unusable,
}

impl SolveStatus {
    /// A short name, as in files and tables.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::TooFar => "too_far",
            Self::TooNear => "too_near",
            Self::IterationLimit => "iteration_limit",
            Self::Stalled => "stalled",
            Self::Unusable => "unusable",
        }
    }
}

/// The quality of one solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// Why the solver stopped.
    pub status: SolveStatus,
    /// Passes made: sweeps, forward-and-backward pairs, linear steps, root-finding steps. 0 for closed forms.
    pub iterations: u32,
    /// Distance left between end and target, in the unit of the positions; `>= 0`.
    pub residual: f64,
    /// Whether a deadlocked straight chain had to be bent before it could move.
    pub bent: bool,
}

impl SolveReport {
    /// A report without iterations: a closed form.
    #[must_use]
    pub const fn closed_form(status: SolveStatus, residual: f64) -> Self {
        Self { status, iterations: 0, residual, bent: false }
    }

    /// Whether the end is at the target, within the tolerance.
    #[must_use]
    pub fn reached(&self) -> bool {
        self.status == SolveStatus::Reached
    }

    /// Two reports as one: the worse status, the larger residual, the iterations together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let worse = if self.reached() { other.status } else { self.status };
        Self {
            status: worse,
            iterations: self.iterations + other.iterations,
            residual: self.residual.max(other.residual),
            bent: self.bent || other.bent,
        }
    }
}

/// What one step of a solver did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A chain on one line with its target was given a bend.
    Bent,
    /// This joint turned, with all after it.
    Joint(usize),
    /// The end was put on the target and the joints were pulled after it, to the root.
    Forward,
    /// The root was put back and the joints were pulled after it, to the end.
    Backward,
    /// All joints turned at once by a linear step.
    Linear,
    /// The pose was closed exactly: the distance met and the end turned onto the target, or a target out of reach.
    Closed,
    /// The chain swung about the line from its root to its end, towards the pole.
    Pole,
}

/// The chain after one step of a solve that was recorded; see [`super::Scratch::record`].
#[derive(Clone, Debug, PartialEq)]
pub struct SolveStep {
    /// What was done.
    pub kind: StepKind,
    /// In which iteration, from 1; 0 for what is done before or outside of all.
    pub iteration: u32,
    /// World positions, root first. Between the halves of an iteration of FABRIK the root is not at its place.
    pub positions: Vec<Vec3>,
    /// World rotations; empty where the solver moves positions only and turns the joints at its end.
    pub rotations: Vec<Quat>,
}

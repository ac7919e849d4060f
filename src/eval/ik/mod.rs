//! Inverse kinematics: every solver behind one trait, each returning a [`SolveReport`].
//!
//! A [`Chain`] is `n + 1` joints joined by `n` rigid bones: world positions and world rotations, root first, the end
//! effector last. A solver moves both in place; it never stretches a bone and never turns the end effector relative to
//! its bone. Tolerances scale with the length of the chain. The single passes (`ccd::sweep`, `fabrik::forward_pass`,
//! `jacobian::damped_step`, ...) are public, so that they can be stepped and compared one at a time.
//!
//! No solver keeps anything between two calls: the result depends on the pose passed in, the goal and the settings.
//! "The last bend plane" is that of the pose passed in.

pub mod bend;
pub mod ccd;
pub mod chain;
pub mod cyclic;
pub mod fabrik;
pub mod full_body;
pub mod full_body_chain;
pub mod gauss_newton;
pub mod jacobian;
pub mod limit;
pub mod reach;
pub mod report;
pub mod rotations;
pub mod soft;
pub mod two_bone;

pub use chain::{Chain, ChainError, Goal, Reach, Scratch, Settings};
pub use full_body::{Body, BodyScratch, BodySettings, BodyTarget, solve_body};
pub use limit::{JointLimit, Measure, SoftLimit};
pub use report::{SolveReport, SolveStatus, SolveStep, StepKind};
pub use rotations::{rotations_from_positions, shortest_arc};
pub use soft::SoftReach;

/// A solver of one chain for one target position.
pub trait ChainSolver: Sync {
    /// Moves the chain so that its end comes to the goal's target, or as near as it can.
    ///
    /// Every input gives a finite pose with the bone lengths of the one passed in, and a report that says how near the
    /// end came and why it stopped.
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport;
}

/// One row of the table of solvers.
pub struct SolverSpec {
    /// Stable name for files and text keys.
    pub id: &'static str,
    /// The solver; all are stateless.
    pub solver: &'static dyn ChainSolver,
}

impl std::fmt::Debug for SolverSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolverSpec").field("id", &self.id).finish_non_exhaustive()
    }
}

impl PartialEq for SolverSpec {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Every chain solver; the first is the default.
pub const SOLVERS: &[SolverSpec] = &[
    SolverSpec { id: "reach", solver: &reach::ExactReach },
    SolverSpec { id: "two_bone", solver: &two_bone::TwoBone },
    SolverSpec { id: "ccd", solver: &ccd::Ccd },
    SolverSpec { id: "fabrik", solver: &fabrik::Fabrik },
    SolverSpec { id: "damped_least_squares", solver: &jacobian::DampedLeastSquares },
    SolverSpec { id: "jacobian_transpose", solver: &jacobian::JacobianTranspose },
    SolverSpec { id: "pseudo_inverse", solver: &jacobian::PseudoInverse },
    SolverSpec { id: "gauss_newton", solver: &gauss_newton::GaussNewton },
    SolverSpec { id: "full_body", solver: &full_body_chain::FullBody },
];

/// The solver with this id.
#[must_use]
pub fn solver(id: &str) -> Option<&'static SolverSpec> {
    SOLVERS.iter().find(|spec| spec.id == id)
}

/// The solver used where none is asked for: the first of [`SOLVERS`].
#[must_use]
pub fn default_solver() -> &'static dyn ChainSolver {
    &reach::ExactReach
}

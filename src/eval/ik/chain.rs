//! The chain, the goal and the settings that all solvers share.

use super::{BodyScratch, SolveReport, SolveStatus, SolveStep, StepKind, bend, rotations_from_positions};
use crate::math::{Quat, Vec3};

/// Why slices do not make a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// Fewer than two joints.
    #[error("an IK chain needs at least two joints, this one has {0}")]
    TooShort(usize),
    /// One rotation for each position is needed.
    #[error("an IK chain has {positions} positions but {rotations} rotations")]
    LengthMismatch {
        /// Positions given.
        positions: usize,
        /// Rotations given.
        rotations: usize,
    },
    /// A position or a rotation is infinite or not a number.
    #[error("joint {0} of the IK chain is not finite")]
    NotFinite(usize),
}

/// Joints root to end, in world space. Changed in place by solvers.
#[derive(Debug)]
pub struct Chain<'a> {
    pub(super) positions: &'a mut [Vec3],
    pub(super) rotations: &'a mut [Quat],
}

impl<'a> Chain<'a> {
    /// A chain over borrowed slices: at least two joints, one rotation each, all finite.
    ///
    /// # Errors
    /// [`ChainError`] says which of these does not hold.
    pub fn new(positions: &'a mut [Vec3], rotations: &'a mut [Quat]) -> Result<Self, ChainError> {
        if positions.len() < 2 {
            return Err(ChainError::TooShort(positions.len()));
        }
        if positions.len() != rotations.len() {
            return Err(ChainError::LengthMismatch { positions: positions.len(), rotations: rotations.len() });
        }
        let finite = |p: &Vec3, q: &Quat| p.iter().chain(q.coords.iter()).all(|v| v.is_finite());
        match positions.iter().zip(rotations.iter()).position(|(p, q)| !finite(p, q)) {
            Some(joint) => Err(ChainError::NotFinite(joint)),
            None => Ok(Self { positions, rotations }),
        }
    }

    /// World positions, root first.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        self.positions
    }

    /// World rotations, root first.
    #[must_use]
    pub fn rotations(&self) -> &[Quat] {
        self.rotations
    }

    /// Position of the root.
    #[must_use]
    pub fn root(&self) -> Vec3 {
        self.positions.first().copied().unwrap_or_default()
    }

    /// Position of the end effector.
    #[must_use]
    pub fn end(&self) -> Vec3 {
        self.positions.last().copied().unwrap_or_default()
    }
}

/// What a chain is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    /// Where the end should be, world.
    pub target: Vec3,
    /// A world *position* on whose side of the root-target line the chain should bulge; none keeps the bend plane of
    /// the pose passed in. On the line itself it is ignored.
    pub pole: Option<Vec3>,
    /// Direction to which a chain that is straight should bulge; none takes an axis of its root joint.
    pub bulge: Option<Vec3>,
    /// The joint that bends where one bends alone (`two_bone`); none takes the one nearest to half the length.
    pub middle: Option<usize>,
}

impl Goal {
    /// A goal with no more than a target.
    #[must_use]
    pub fn at(target: Vec3) -> Self {
        Self { target, ..Self::default() }
    }
}

/// How hard a solver tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Accepted distance between end and target as a fraction of the chain's length, `> 0`.
    pub tolerance: f64,
    /// Most passes made.
    pub max_iterations: u32,
    /// Damping of least squares, a fraction of the chain's length, `> 0`.
    pub damping: f64,
    /// Longest step of the end in one linear step (Jacobian methods), a fraction of the chain's length, `> 0`.
    pub max_step: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-4, max_iterations: 32, damping: 0.05, max_step: 0.3 }
    }
}

/// Distances from the root that a chain's end can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Nearest: `max(0, 2 * longest - sum)`.
    pub min: f64,
    /// Farthest: the sum of the bone lengths.
    pub max: f64,
}

impl Reach {
    /// The reach of bones of these lengths (`>= 0`).
    #[must_use]
    pub fn of(lengths: &[f64]) -> Self {
        let max: f64 = lengths.iter().sum();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        Self { min: (2.0 * longest - max).max(0.0), max }
    }
}

/// Buffers that solvers reuse between calls, so that a solve does not allocate once they have grown.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) lengths: Vec<f64>,
    pub(super) before: Vec<Vec3>,
    pub(super) from: Vec<Vec3>,
    pub(super) to: Vec<Vec3>,
    pub(super) angles: Vec<f64>,
    pub(super) frames: Vec<Quat>,
    pub(super) parents: Vec<Option<usize>>,
    pub(super) body: BodyScratch,
    pub(super) residuals: Vec<f64>,
    steps: Option<Vec<SolveStep>>,
}

impl Scratch {
    /// From now on every step of a solve is kept, until [`Self::recorded`] takes them.
    pub fn record(&mut self) {
        self.steps = Some(Vec::new());
    }

    /// The steps of the solves since [`Self::record`]; none are kept after it.
    pub fn recorded(&mut self) -> Vec<SolveStep> {
        self.steps.take().unwrap_or_default()
    }

    pub(super) const fn is_recording(&self) -> bool {
        self.steps.is_some()
    }

    /// Keeps a step, where steps are recorded.
    pub(super) fn note(&mut self, kind: StepKind, iteration: u32, positions: &[Vec3], rotations: &[Quat]) {
        if let Some(steps) = &mut self.steps {
            steps.push(SolveStep { kind, iteration, positions: positions.to_vec(), rotations: rotations.to_vec() });
        }
    }

    /// Takes lengths and positions of a chain before it moves; the chain's reach.
    pub(super) fn take(&mut self, positions: &[Vec3]) -> Reach {
        self.lengths.clear();
        self.lengths.extend(positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()));
        self.before.clear();
        self.before.extend_from_slice(positions);
        Reach::of(&self.lengths)
    }
}

/// The frame around a positional solver: unusable input, targets out of reach (closed form), the pole, the rotations.
///
/// `body` moves the positions of a chain whose target is within reach; it returns iterations made and whether it had to
/// bend a straight chain.
pub(super) fn solve_positions(
    chain: &mut Chain<'_>,
    goal: &Goal,
    settings: &Settings,
    scratch: &mut Scratch,
    body: impl FnOnce(&mut Chain<'_>, f64, Reach, &mut Scratch) -> Passes,
) -> SolveReport {
    let reach = scratch.take(chain.positions);
    let root = chain.root();
    if let Some(report) = unusable(chain, goal, reach) {
        return report;
    }
    let tolerance = settings.tolerance * reach.max;
    let distance = (goal.target - root).norm();
    let (out_of_reach, passes) = if let Some(status) = beyond(distance, reach) {
        stretch_or_fold(chain, goal, reach, status, scratch);
        scratch.note(StepKind::Closed, 0, chain.positions, &[]);
        (Some(status), Passes::default())
    } else {
        let passes = body(chain, tolerance, reach, scratch);
        bend::swing_to_pole(chain.positions, goal);
        if goal.pole.is_some() {
            scratch.note(StepKind::Pole, 0, chain.positions, &[]);
        }
        (None, passes)
    };
    rotations_from_positions(&scratch.before, chain.positions, chain.rotations);
    finish(chain, goal, tolerance, out_of_reach, passes)
}

/// How a solver's loop ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passes {
    pub(super) iterations: u32,
    pub(super) bent: bool,
    pub(super) stalled: bool,
}

/// The report for a chain or a target that cannot be worked with.
pub(super) fn unusable(chain: &Chain<'_>, goal: &Goal, reach: Reach) -> Option<SolveReport> {
    let residual = (goal.target - chain.end()).norm();
    let usable = residual.is_finite() && reach.max > 0.0 && reach.max.is_finite();
    (!usable).then(|| {
        SolveReport::closed_form(SolveStatus::Unusable, if residual.is_finite() { residual } else { f64::MAX })
    })
}

/// The status of a target outside the reach; rounding at the rim counts as inside.
pub(super) fn beyond(distance: f64, reach: Reach) -> Option<SolveStatus> {
    let rounding = 1e-12 * reach.max;
    if distance > reach.max + rounding {
        Some(SolveStatus::TooFar)
    } else if distance < reach.min - rounding {
        Some(SolveStatus::TooNear)
    } else {
        None
    }
}

/// The nearest pose for a target out of reach: straight towards it, or folded with the longest bone towards it and
/// all others against it.
pub(super) fn stretch_or_fold(
    chain: &mut Chain<'_>,
    goal: &Goal,
    reach: Reach,
    status: SolveStatus,
    scratch: &mut Scratch,
) {
    let root = chain.root();
    let direction = bend::direction_to(&(goal.target - root), reach, chain);
    let longest = if status == SolveStatus::TooNear { longest_bone(&scratch.lengths) } else { None };
    let mut at = root;
    for (bone, length) in scratch.lengths.iter().enumerate() {
        let side = if longest.is_none_or(|l| l == bone) { *length } else { -*length };
        at += direction * side;
        if let Some(p) = chain.positions.get_mut(bone + 1) {
            *p = at;
        }
    }
}

/// The first of the longest bones.
pub(super) fn longest_bone(lengths: &[f64]) -> Option<usize> {
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    lengths.iter().position(|l| *l >= longest)
}

/// The report for the pose as it stands.
pub(super) fn finish(
    chain: &Chain<'_>,
    goal: &Goal,
    tolerance: f64,
    out_of_reach: Option<SolveStatus>,
    passes: Passes,
) -> SolveReport {
    let residual = (goal.target - chain.end()).norm();
    let status = match out_of_reach {
        _ if residual <= tolerance && out_of_reach.is_none() => SolveStatus::Reached,
        Some(status) => status,
        None if passes.stalled => SolveStatus::Stalled,
        None => SolveStatus::IterationLimit,
    };
    SolveReport { status, iterations: passes.iterations, residual, bent: passes.bent }
}

//! Forms of solvers that stand in course notes and fail: really run, with all their steps, so that one sees where.
//!
//! They divide by what may be zero on purpose: what is not a number is shown as that.

use super::{Claim, Problem};
use crate::eval::ik::{SolveStatus, SolveStep, StepKind, bend};
use crate::math::{Quat, Vec3};
use nalgebra::Unit;
use std::f64::consts::PI;

/// A form that is known to fail.
#[derive(Clone, Copy)]
pub struct WrongForm {
    /// Stable name; its texts are `solver_lab.ID` and `solver_lab.ID_hint`.
    pub id: &'static str,
    /// The solver that does it right.
    pub right: &'static str,
    run: fn(&Problem) -> (Vec<SolveStep>, Claim),
}

impl std::fmt::Debug for WrongForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WrongForm").field("id", &self.id).finish_non_exhaustive()
    }
}

impl WrongForm {
    /// Runs the form.
    pub(super) fn run(&self, problem: &Problem) -> (Vec<SolveStep>, Claim) {
        if problem.positions.len() < 2 || !problem.goal.target.iter().all(|v| v.is_finite()) {
            return (Vec::new(), Claim { status: SolveStatus::Unusable, iterations: 0 });
        }
        (self.run)(problem)
    }
}

/// All of them.
pub const FORMS: &[WrongForm] = &[
    WrongForm { id: "ccd_acos", right: "ccd", run: |problem| ccd(problem, Side::World) },
    WrongForm { id: "ccd_local", right: "ccd", run: |problem| ccd(problem, Side::Local) },
    WrongForm { id: "fabrik_plain", right: "fabrik", run: fabrik },
    WrongForm { id: "two_bone_plus", right: "two_bone", run: |problem| two_bone(problem, Bend::Plus) },
    WrongForm { id: "two_bone_cases", right: "two_bone", run: |problem| two_bone(problem, Bend::Minus) },
];

/// The notes' accepted distance and number of iterations: absolute, whatever the size of the chain.
const TOLERANCE: f64 = 0.01;
/// Angles under this are skipped.
const LEAST_ANGLE: f64 = 1e-4;

/// On which side of a joint's rotation the turn is multiplied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// `G' = turn G`, as is right for an axis in the world.
    World,
    /// `G' = G turn`: the world's axis taken for one of the joint's.
    Local,
}

/// Cyclic coordinate descent by `acos` of the dot product about the normalised cross product: not a number where end,
/// joint and target are on one line with the joint between them, or where one of them is at the joint; stands still where a
/// straight chain points at the target.
fn ccd(problem: &Problem, side: Side) -> (Vec<SolveStep>, Claim) {
    let (mut positions, mut rotations) = (problem.positions.clone(), problem.rotations.clone());
    let mut steps = Vec::new();
    let target = problem.goal.target;
    let mut claim = Claim { status: SolveStatus::IterationLimit, iterations: 0 };
    for iteration in 1..=problem.settings.max_iterations {
        if error(problem, &positions) <= TOLERANCE {
            claim.status = SolveStatus::Reached;
            break;
        }
        claim.iterations = iteration;
        for joint in (0..positions.len() - 1).rev() {
            let pivot = positions[joint];
            let end = positions[positions.len() - 1];
            let (to_end, to_target) = (plain_unit(&(end - pivot)), plain_unit(&(target - pivot)));
            let angle = to_end.dot(&to_target).acos();
            if angle < LEAST_ANGLE {
                continue;
            }
            let turn = Quat::from_axis_angle(&Unit::new_unchecked(plain_unit(&to_end.cross(&to_target))), angle);
            let turn = match side {
                Side::World => turn,
                Side::Local => rotations[joint] * turn * rotations[joint].inverse(),
            };
            positions.iter_mut().skip(joint + 1).for_each(|p| *p = pivot + turn * (*p - pivot));
            rotations.iter_mut().skip(joint).for_each(|q| *q = turn * *q);
            steps.push(step(StepKind::Joint(joint), iteration, &positions, &rotations));
            if !error(problem, &positions).is_finite() {
                return (steps, claim);
            }
        }
    }
    if error(problem, &positions) <= TOLERANCE {
        claim.status = SolveStatus::Reached;
    }
    (steps, claim)
}

/// Forward and backward reaching without a way off a line, without a test for targets that are too near, with a division
/// by the distance of two joints.
fn fabrik(problem: &Problem) -> (Vec<SolveStep>, Claim) {
    let mut positions = problem.positions.clone();
    let lengths: Vec<f64> = positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    let (root, target) = (problem.root(), problem.goal.target);
    let mut steps = Vec::new();
    let mut claim = Claim { status: SolveStatus::IterationLimit, iterations: 0 };
    if (target - root).norm() > problem.length() {
        for (joint, length) in lengths.iter().enumerate() {
            positions[joint + 1] = positions[joint] + plain_unit(&(target - positions[joint])) * *length;
        }
        steps.push(step(StepKind::Closed, 0, &positions, &[]));
        return (steps, Claim { status: SolveStatus::TooFar, iterations: 0 });
    }
    let last = positions.len() - 1;
    for iteration in 1..=problem.settings.max_iterations {
        let left = error(problem, &positions);
        if left <= TOLERANCE || !left.is_finite() {
            break;
        }
        claim.iterations = iteration;
        positions[last] = target;
        for joint in (0..last).rev() {
            let after = positions[joint + 1];
            positions[joint] = after + plain_unit(&(positions[joint] - after)) * lengths[joint];
        }
        steps.push(step(StepKind::Forward, iteration, &positions, &[]));
        positions[0] = root;
        for joint in 0..last {
            let before = positions[joint];
            positions[joint + 1] = before + plain_unit(&(positions[joint + 1] - before)) * lengths[joint];
        }
        steps.push(step(StepKind::Backward, iteration, &positions, &[]));
    }
    if error(problem, &positions) <= TOLERANCE {
        claim.status = SolveStatus::Reached;
    }
    (steps, claim)
}

/// Which way the middle joint turns after the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bend {
    /// By plus the outer angle about the root's axis: away from the target.
    Plus,
    /// By minus the outer angle, as is right.
    Minus,
}

/// Two bones by the law of cosines. With [`Bend::Plus`] the middle turns the wrong way; with [`Bend::Minus`] that is mended,
/// and what is left shows: a target too far turns the middle only, one at the root or in line with the pole is not a
/// number, and every end is called reached.
fn two_bone(problem: &Problem, sign: Bend) -> (Vec<SolveStep>, Claim) {
    let joints = problem.positions.len();
    let middle = problem.goal.middle.unwrap_or(joints / 2).clamp(1, joints - 1);
    let [root, knee, end] = [0, middle, joints - 1].map(|joint| problem.positions[joint]);
    let (a, c) = ((knee - root).norm(), (end - knee).norm());
    let to_target = problem.goal.target - root;
    let b = to_target.norm();
    let claim = Claim { status: SolveStatus::Reached, iterations: 0 };
    if b >= a + c {
        let lower = plain_unit(&(problem.goal.target - knee)) * c;
        let positions = bent(problem, middle, &(knee - root), &lower);
        return (vec![step(StepKind::Joint(middle), 0, &positions, &[])], claim);
    }
    let direction = to_target / b;
    let pole = problem.goal.pole.map_or_else(|| side(problem, &direction), |pole| pole - root);
    let normal = Unit::new_unchecked(plain_unit(&direction.cross(&pole)));
    let at_root = ((a * a + b * b - c * c) / (2.0 * a * b)).clamp(-1.0, 1.0).acos();
    let at_middle = ((a * a + c * c - b * b) / (2.0 * a * c)).clamp(-1.0, 1.0).acos();
    let outer = if sign == Bend::Plus { PI - at_middle } else { at_middle - PI };
    let upper = Quat::from_axis_angle(&normal, at_root) * direction;
    let lower = Quat::from_axis_angle(&normal, outer) * upper;
    let first = bent(problem, middle, &(upper * a), &(upper * c));
    let second = bent(problem, middle, &(upper * a), &(lower * c));
    let steps = vec![step(StepKind::Joint(0), 0, &first, &[]), step(StepKind::Joint(middle), 0, &second, &[])];
    (steps, claim)
}

/// The side to which the chain bends now, for a problem without a pole.
fn side(problem: &Problem, direction: &Vec3) -> Vec3 {
    let normal = bend::area_vector(&problem.positions);
    let bulge = direction.cross(&normal);
    if bulge.norm() > 0.0 { bulge } else { problem.goal.bulge.unwrap_or_else(Vec3::y) }
}

/// The chain with its two parts, each rigid, along these vectors; nothing is a number where they are not.
fn bent(problem: &Problem, middle: usize, upper: &Vec3, lower: &Vec3) -> Vec<Vec3> {
    let (root, knee) = (problem.root(), problem.positions[middle]);
    let old = [knee - root, problem.positions[problem.positions.len() - 1] - knee];
    let turn = |old: &Vec3, new: &Vec3| {
        let turn = crate::eval::ik::shortest_arc(old, new, &Vec3::z());
        // The shortest arc of what is not a number would be none.
        move |offset: Vec3, whole: &Vec3| if whole.norm().is_finite() { turn * offset } else { *whole }
    };
    let (first, second) = (turn(&old[0], upper), turn(&old[1], lower));
    let place = |(joint, p): (usize, &Vec3)| {
        if joint == 0 {
            root
        } else if joint <= middle {
            root + first(p - root, upper)
        } else {
            root + upper + second(p - knee, lower)
        }
    };
    problem.positions.iter().enumerate().map(place).collect()
}

/// A vector divided by its length, whatever that is.
fn plain_unit(v: &Vec3) -> Vec3 {
    v / v.norm()
}

fn error(problem: &Problem, positions: &[Vec3]) -> f64 {
    positions.last().map_or(f64::NAN, |end| (problem.goal.target - end).norm())
}

fn step(kind: StepKind, iteration: u32, positions: &[Vec3], rotations: &[Quat]) -> SolveStep {
    SolveStep { kind, iteration, positions: positions.to_vec(), rotations: rotations.to_vec() }
}

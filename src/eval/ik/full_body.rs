//! The whole body at once: many targets, by damped least squares.
//!
//! Every joint is a ball joint; one joint (the hips) may also move. Each step minimises, over all turns at once, the
//! weighted errors of all targets plus the damped, weighted turns, with a pull back to the pose passed in that acts where
//! the targets leave freedom:
//!
//! `turns = r + W J^T (J W J^T + lambda^2 I)^-1 (e - J r)`, `r` the pull, `W` how willingly each joint turns.
//!
//! The system has as many rows as targets (3 for a position, 3 for an orientation), not as many as joints, so a step is
//! cheap. Sources: Wampler 1986 and Nakamura & Hanafusa 1986 (damping), Buss 2004 (clamped steps), Liegeois 1977 (the
//! pull in the null space). The result depends on the pose passed in, the targets and the settings alone.

use super::{Measure, SoftLimit, SolveReport, SolveStatus};
use crate::math::{Mat3, Quat, Vec3};

/// A skeleton in world space, changed in place. All slices have one entry a joint, parents first.
#[derive(Debug)]
pub struct Body<'a> {
    /// The parent of each joint, an earlier index.
    pub parents: &'a [Option<usize>],
    /// World positions.
    pub positions: &'a mut [Vec3],
    /// World rotations.
    pub rotations: &'a mut [Quat],
}

/// Where one joint should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyTarget {
    /// The joint.
    pub joint: usize,
    /// World position wanted, and its weight (`> 0`; a hold weighs more than a wish); none leaves it free.
    pub position: Option<(Vec3, f64)>,
    /// World rotation wanted, and its weight; none leaves it free.
    pub orientation: Option<(Quat, f64)>,
}

/// How the whole body is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySettings<'a> {
    /// How willingly each joint turns, `>= 0`; a missing one is 1, a joint of 0 is rigid.
    pub willingness: &'a [f64],
    /// Limits of local rotations as felt from the pose passed in; a missing one is none.
    pub limits: &'a [Option<SoftLimit>],
    /// The joint that may move with all under it, and how willingly (1 is as a joint turns at an arm of the body's size).
    pub moving: Option<(usize, f64)>,
    /// Damping, a share of the body's size, `> 0`.
    pub damping: f64,
    /// The part of each joint's turn from the pose passed in that the first step takes back where the targets allow, 0 to 1;
    /// it fades out over the steps.
    pub pull: f64,
    /// Accepted distance of each target, a share of the body's size.
    pub tolerance: f64,
    /// Most steps.
    pub steps: u32,
}

impl Default for BodySettings<'_> {
    fn default() -> Self {
        let (willingness, limits) = (&[][..], &[][..]);
        Self { willingness, limits, moving: None, damping: 0.01, pull: 0.02, tolerance: 1e-5, steps: 32 }
    }
}

/// Buffers that solves reuse.
#[derive(Debug, Default)]
pub struct BodyScratch {
    offsets: Vec<Vec3>,
    locals: Vec<Quat>,
    pressed: Vec<Quat>,
    before: Vec<Quat>,
    /// Swing and twist of every joint before its limit.
    free: Vec<Measure>,
    turns: Vec<Vec3>,
    rows: Vec<Row>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    steps: Option<Vec<Vec<Vec3>>>,
}

impl BodyScratch {
    /// From now on the positions after every step are kept, until [`Self::recorded`] takes them.
    pub fn record(&mut self) {
        self.steps = Some(Vec::new());
    }

    /// The positions after each step since [`Self::record`]; none are kept after it.
    pub fn recorded(&mut self) -> Vec<Vec<Vec3>> {
        self.steps.take().unwrap_or_default()
    }
}

/// Three rows of the system: the position or the orientation of one joint.
#[derive(Clone, Copy, Debug)]
struct Row {
    joint: usize,
    weight: f64,
    /// Lever arms act on positions only.
    is_position: bool,
    error: Vec3,
}

/// A step never asks a target to come nearer by more than this share of the body's size.
const LONGEST_STEP: f64 = 0.25;
/// A radian of orientation counts as this share of the body's size.
const RADIAN: f64 = 0.15;
/// How much the damping grows with the farthest target.
const ERROR_DAMPING: f64 = 0.4;
/// No joint turns by more in one step, radians.
const LARGEST_TURN: f64 = 0.7;

/// Moves the body towards its targets. `residuals` receives the distance left for every target that wants a position (0
/// for others). Targets of joints that do not exist, and weights that are not positive, are left out; a body without a
/// length, or a target that is not finite, leaves the pose as it is.
pub fn solve_body(
    body: &mut Body<'_>,
    targets: &[BodyTarget],
    settings: &BodySettings<'_>,
    scratch: &mut BodyScratch,
    residuals: &mut Vec<f64>,
) -> SolveReport {
    let mut solver = Solver { body, settings, scratch, size: 0.0 };
    let usable = solver.prepare() && targets.iter().all(is_finite);
    let mut iterations = 0;
    while usable && iterations < settings.steps && !solver.arrived(targets) {
        // The pull fades out over the steps: at the end the targets alone decide.
        let left = 1.0 - f64::from(iterations) / f64::from(settings.steps);
        solver.step(targets, settings.pull * left);
        iterations += 1;
        if let Some(steps) = &mut solver.scratch.steps {
            steps.push(solver.body.positions.to_vec());
        }
    }
    residuals.clear();
    residuals.extend(targets.iter().map(|t| solver.distance(t)));
    let residual = residuals.iter().copied().fold(0.0, f64::max);
    let status = match usable {
        false => SolveStatus::Unusable,
        true if solver.arrived(targets) => SolveStatus::Reached,
        true => SolveStatus::IterationLimit,
    };
    SolveReport { status, iterations, residual, bent: false }
}

fn is_finite(target: &BodyTarget) -> bool {
    let position = target.position.is_none_or(|(p, w)| p.iter().all(|v| v.is_finite()) && w.is_finite());
    position && target.orientation.is_none_or(|(q, w)| q.coords.iter().all(|v| v.is_finite()) && w.is_finite())
}

struct Solver<'s, 'a, 'b> {
    body: &'s mut Body<'a>,
    settings: &'s BodySettings<'b>,
    scratch: &'s mut BodyScratch,
    size: f64,
}

impl Solver<'_, '_, '_> {
    fn count(&self) -> usize {
        self.body.parents.len().min(self.body.positions.len()).min(self.body.rotations.len())
    }

    fn parent(&self, joint: usize) -> Option<usize> {
        self.body.parents[joint].filter(|p| *p < joint)
    }

    fn willing(&self, joint: usize) -> f64 {
        self.settings.willingness.get(joint).copied().unwrap_or(1.0).max(0.0)
    }

    /// Takes the pose apart into local rotations and bones. False for a body without a length.
    fn prepare(&mut self) -> bool {
        let count = self.count();
        self.scratch.offsets.clear();
        self.scratch.locals.clear();
        for joint in 0..count {
            let (position, rotation) = (self.body.positions[joint], self.body.rotations[joint]);
            let (offset, local) = match self.parent(joint) {
                Some(parent) => {
                    let above = self.body.rotations[parent].inverse();
                    (above * (position - self.body.positions[parent]), above * rotation)
                }
                None => (position, rotation),
            };
            self.scratch.offsets.push(offset);
            self.scratch.locals.push(local);
        }
        self.scratch.pressed.clone_from(&self.scratch.locals);
        self.scratch.free.clear();
        for (joint, local) in self.scratch.locals.iter().enumerate() {
            let limit = self.settings.limits.get(joint).and_then(Option::as_ref);
            let none = Measure { x: 0.0, twist: 0.0, z: 0.0 };
            self.scratch.free.push(limit.map_or(none, |limit| limit.limit().measure(local)));
        }
        // The longest path from a root is a size that does not depend on the pose.
        let mut depth = vec![0.0_f64; count];
        for joint in 0..count {
            if let Some(parent) = self.parent(joint) {
                depth[joint] = depth[parent] + self.scratch.offsets[joint].norm();
            }
        }
        self.size = depth.into_iter().fold(0.0, f64::max);
        self.size > 0.0 && self.size.is_finite()
    }

    fn distance(&self, target: &BodyTarget) -> f64 {
        match (target.position, self.body.positions.get(target.joint)) {
            (Some((wanted, _)), Some(position)) => (wanted - position).norm(),
            _ => 0.0,
        }
    }

    fn arrived(&self, targets: &[BodyTarget]) -> bool {
        let near = |target: &BodyTarget| {
            let turned = match (target.orientation, self.body.rotations.get(target.joint)) {
                (Some((wanted, _)), Some(rotation)) => wanted.angle_to(rotation) * RADIAN * self.size,
                _ => 0.0,
            };
            self.distance(target).max(turned) <= self.settings.tolerance * self.size
        };
        targets.iter().all(near)
    }

    fn step(&mut self, targets: &[BodyTarget], pull: f64) {
        self.pull(pull);
        self.collect(targets);
        self.assemble();
        let rows = 3 * self.scratch.rows.len();
        if !solve_symmetric(&mut self.scratch.matrix, &mut self.scratch.right, rows) {
            return;
        }
        let shift = self.add_turns();
        self.apply(shift);
    }

    /// The pull back to the pose passed in, as world turns.
    fn pull(&mut self, pull: f64) {
        self.scratch.turns.clear();
        for joint in 0..self.count() {
            let away = self.scratch.locals[joint] * self.scratch.pressed[joint].inverse();
            let above = self.parent(joint).map_or_else(Quat::identity, |p| self.body.rotations[p]);
            let turn = above * away.scaled_axis() * -pull;
            self.scratch.turns.push(if self.willing(joint) > 0.0 { turn } else { Vec3::zeros() });
        }
    }

    /// The rows of the system with their errors.
    fn collect(&mut self, targets: &[BodyTarget]) {
        self.scratch.rows.clear();
        let count = self.count();
        for target in targets.iter().filter(|t| t.joint < count) {
            let joint = target.joint;
            if let Some((wanted, weight)) = target.position.filter(|(_, w)| *w > 0.0) {
                let error =
                    super::jacobian::clamp_step(&(wanted - self.body.positions[joint]), LONGEST_STEP * self.size);
                self.scratch.rows.push(Row { joint, weight: weight.sqrt(), is_position: true, error });
            }
            if let Some((wanted, weight)) = target.orientation.filter(|(_, w)| *w > 0.0) {
                let error = (wanted * self.body.rotations[joint].inverse()).scaled_axis();
                let weight = weight.sqrt() * RADIAN * self.size;
                self.scratch.rows.push(Row { joint, weight, is_position: false, error });
            }
        }
    }

    /// How a world turn of `joint` moves the row's joint: a matrix, before the row's weight.
    fn effect(&self, row: &Row, joint: usize) -> Mat3 {
        if row.is_position {
            let lever = self.body.positions[row.joint] - self.body.positions[joint];
            -lever.cross_matrix()
        } else {
            Mat3::identity()
        }
    }

    /// `J W J^T + lambda^2 I` and `e - J r`, row by row.
    fn assemble(&mut self) {
        let rows = self.scratch.rows.len();
        let order = 3 * rows;
        let mut matrix = std::mem::take(&mut self.scratch.matrix);
        let mut right = std::mem::take(&mut self.scratch.right);
        matrix.clear();
        matrix.resize(order * order, 0.0);
        right.clear();
        let lambda = self.damping();
        for (i, row) in self.scratch.rows.iter().enumerate() {
            let mut error = row.error;
            let mut above = Some(row.joint);
            while let Some(joint) = above {
                error -= self.effect(row, joint) * self.scratch.turns[joint];
                above = self.parent(joint);
            }
            right.extend((error * row.weight).iter());
            for (k, other) in self.scratch.rows.iter().enumerate().take(i + 1) {
                let block = self.shared(row, other) * (row.weight * other.weight);
                for r in 0..3 {
                    for c in 0..3 {
                        matrix[(3 * i + r) * order + 3 * k + c] = block[(r, c)];
                    }
                }
            }
            for r in 0..3 {
                matrix[(3 * i + r) * order + 3 * i + r] += lambda * lambda;
            }
        }
        self.scratch.matrix = matrix;
        self.scratch.right = right;
    }

    /// The damping of this step: it follows the error (Levenberg's rule), so that a target out of reach does not shake the
    /// body and one within reach is met at full speed.
    fn damping(&self) -> f64 {
        let farthest =
            self.scratch.rows.iter().filter(|r| r.is_position).map(|r| r.error.norm() * r.weight).fold(0.0, f64::max);
        let own = self.settings.damping.max(1e-9) * self.size;
        own.hypot(ERROR_DAMPING * (farthest * self.size).sqrt())
    }

    /// The sum over the joints above both rows of `effect W effect^T`.
    fn shared(&self, row: &Row, other: &Row) -> Mat3 {
        let (mut a, mut b) = (Some(row.joint), Some(other.joint));
        // Parents come first: the later of two joints is not above the other.
        while let (Some(x), Some(y)) = (a, b) {
            match x.cmp(&y) {
                std::cmp::Ordering::Greater => a = self.parent(x),
                std::cmp::Ordering::Less => b = self.parent(y),
                std::cmp::Ordering::Equal => break,
            }
        }
        let mut sum = Mat3::zeros();
        let mut joint = if a == b { a } else { None };
        while let Some(j) = joint {
            let willing = self.willing(j);
            if willing > 0.0 {
                sum += self.effect(row, j) * self.effect(other, j).transpose() * willing;
            }
            if let Some((moving, by)) = self.settings.moving
                && moving == j
                && row.is_position
                && other.is_position
            {
                sum += Mat3::from_diagonal_element(by * self.size * self.size);
            }
            joint = self.parent(j);
        }
        sum
    }

    /// Adds `W J^T y` to the turns; returns the move of the moving joint.
    fn add_turns(&mut self) -> Vec3 {
        let mut shift = Vec3::zeros();
        for i in 0..self.scratch.rows.len() {
            let row = self.scratch.rows[i];
            let y = Vec3::from_column_slice(&self.scratch.right[3 * i..3 * i + 3]) * row.weight;
            let mut above = Some(row.joint);
            while let Some(joint) = above {
                let turn = self.effect(&row, joint).tr_mul(&y) * self.willing(joint);
                self.scratch.turns[joint] += turn;
                if let Some((moving, by)) = self.settings.moving
                    && moving == joint
                    && row.is_position
                {
                    shift += y * (by * self.size * self.size);
                }
                above = self.parent(joint);
            }
        }
        shift
    }

    /// The local rotation that a limit makes of one to which the joint has turned. What is behind the limit turns on as far
    /// as that is felt, so that limits are approached softly however many steps there are.
    fn within(&mut self, joint: usize, limit: &SoftLimit, turned: &Quat) -> Quat {
        let [before, after] = [&self.scratch.locals[joint], turned].map(|local| limit.limit().measure(local));
        let free = &mut self.scratch.free[joint];
        let by = |free: f64, before: f64, after: f64| free + (after - before);
        let wanted = Measure {
            x: by(free.x, before.x, after.x),
            twist: by(free.twist, before.twist, after.twist),
            z: by(free.z, before.z, after.z),
        };
        *free = limit.bounded(&wanted);
        let seen = limit.ease(free);
        if seen == wanted { *turned } else { limit.limit().rotation(&seen) }
    }

    /// Makes the turns, cuts them at the limits and puts the pose together again.
    fn apply(&mut self, shift: Vec3) {
        self.scratch.before.clear();
        self.scratch.before.extend_from_slice(self.body.rotations);
        for joint in 0..self.count() {
            let parent = self.parent(joint);
            // The turn is one in the world before the step; what the joints above turn comes on top of it.
            let into = parent.map_or_else(Quat::identity, |p| self.scratch.before[p].inverse());
            let turn = super::jacobian::clamp_step(&self.scratch.turns[joint], LARGEST_TURN);
            let mut local = Quat::from_scaled_axis(into * turn) * self.scratch.locals[joint];
            if let Some(Some(limit)) = self.settings.limits.get(joint) {
                local = self.within(joint, limit, &local);
            }
            local.renormalize();
            self.scratch.locals[joint] = local;
            if self.settings.moving.is_some_and(|(moving, _)| moving == joint) {
                self.scratch.offsets[joint] += into * shift;
            }
            let (position, rotation) = match parent {
                Some(parent) => (self.body.positions[parent], self.body.rotations[parent]),
                None => (Vec3::zeros(), Quat::identity()),
            };
            self.body.positions[joint] = position + rotation * self.scratch.offsets[joint];
            self.body.rotations[joint] = rotation * local;
        }
    }
}

/// Solves a symmetric positive definite system in place by Cholesky's method; the lower triangle is read, `right`
/// becomes the solution. False where the matrix is not positive definite.
fn solve_symmetric(matrix: &mut [f64], right: &mut [f64], order: usize) -> bool {
    for i in 0..order {
        for k in 0..=i {
            let mut sum = matrix[i * order + k];
            for m in 0..k {
                sum -= matrix[i * order + m] * matrix[k * order + m];
            }
            if i == k {
                if !(sum > 0.0 && sum.is_finite()) {
                    return false;
                }
                matrix[i * order + i] = sum.sqrt();
            } else {
                matrix[i * order + k] = sum / matrix[k * order + k];
            }
        }
    }
    for i in 0..order {
        let done: f64 = (0..i).map(|k| matrix[i * order + k] * right[k]).sum();
        right[i] = (right[i] - done) / matrix[i * order + i];
    }
    for i in (0..order).rev() {
        let done: f64 = (i + 1..order).map(|k| matrix[k * order + i] * right[k]).sum();
        right[i] = (right[i] - done) / matrix[i * order + i];
    }
    true
}

//! Jacobian methods: the geometric Jacobian, its transpose, its pseudo-inverse, damped least squares.
//!
//! Source: Buss, "Introduction to inverse kinematics with Jacobian transpose, pseudoinverse and damped least squares
//! methods" (2004). A Jacobian here is a slice of columns, one per degree of freedom: column `i` is the velocity of the
//! end per radian about axis `i`.
//!
//! The chain solvers treat every joint as a ball joint. Its three columns are `e_k x r`, so that
//! `J J^T = sum(|r|^2 I - r r^T)` and the best turn of the joint for a weight `y` is `r x y`: one 3x3 system, whatever
//! the number of joints.

use super::chain::{Chain, Goal, Passes, Reach, Scratch, Settings, beyond, finish, solve_positions, unusable};
use super::{ChainSolver, SolveReport, StepKind, bend};
use crate::math::{Mat3, Quat, Vec3};

/// Singular values below this fraction of the largest count as zero.
const RANK: f64 = 1e-10;

/// The columns of the geometric Jacobian of hinges: `axis x (end - position)`, world space, for as many hinges as both
/// slices have.
pub fn columns(positions: &[Vec3], axes: &[Vec3], end: &Vec3, out: &mut Vec<Vec3>) {
    out.clear();
    out.extend(positions.iter().zip(axes).map(|(position, axis)| axis.cross(&(end - position))));
}

/// `J J^T` of the columns.
#[must_use]
pub fn gram(columns: &[Vec3]) -> Mat3 {
    columns.iter().map(|c| c * c.transpose()).sum()
}

/// A move of the end, shortened to `longest` where it is longer: linear steps hold only near the pose.
#[must_use]
pub fn clamp_step(step: &Vec3, longest: f64) -> Vec3 {
    let norm = step.norm();
    if norm > longest { step * (longest / norm) } else { *step }
}

/// Buss's step length for the transpose: `<dx, J J^T dx> / <J J^T dx, J J^T dx>`, the best one along the gradient; 0
/// where the gradient vanishes (`J^T dx = 0`).
#[must_use]
pub fn transpose_alpha(gram: &Mat3, step: &Vec3) -> f64 {
    let moved = gram * step;
    let squared = moved.norm_squared();
    if squared > 0.0 { step.dot(&moved) / squared } else { 0.0 }
}

/// The transpose step `alpha J^T dx`, radians per degree of freedom; returns alpha.
pub fn transpose_step(columns: &[Vec3], step: &Vec3, out: &mut Vec<f64>) -> f64 {
    let alpha = transpose_alpha(&gram(columns), step);
    out.clear();
    out.extend(columns.iter().map(|c| alpha * c.dot(step)));
    alpha
}

/// The damped least-squares step `J^T (J J^T + lambda^2 I)^-1 dx`, radians; the step is not clamped. `lambda` has the
/// unit of the columns; for 0 it is the pseudo-inverse step.
pub fn damped_step(columns: &[Vec3], step: &Vec3, lambda: f64, out: &mut Vec<f64>) {
    let damped = gram(columns) + Mat3::identity() * (lambda * lambda);
    match damped.cholesky() {
        Some(factor) if lambda > 0.0 => {
            let weight = factor.solve(step);
            out.clear();
            out.extend(columns.iter().map(|c| c.dot(&weight)));
        }
        _ => pseudo_inverse_step(columns, step, out),
    }
}

/// The least-squares step of least norm `J^+ dx`, radians, by singular value decomposition, so that planar and short
/// chains, whose `J J^T` is singular, work too. Singular values under 1e-10 of the largest count as zero.
pub fn pseudo_inverse_step(columns: &[Vec3], step: &Vec3, out: &mut Vec<f64>) {
    // One-sided Jacobi on the three rows of J: rows times a rotation become orthogonal, their norms are the singular
    // values. Unlike the eigenvalues of J J^T these keep their accuracy when small.
    let mut rows: Vec<Vec3> = columns.to_vec();
    let mut frame = Mat3::identity();
    for _ in 0..30 {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (mut pp, mut qq, mut pq) = (0.0, 0.0, 0.0);
            for c in &rows {
                pp += c[p] * c[p];
                qq += c[q] * c[q];
                pq += c[p] * c[q];
            }
            if pq.abs() <= 1e-15 * (pp * qq).sqrt() || pq == 0.0 {
                continue;
            }
            turned = true;
            let zeta = (qq - pp) / (2.0 * pq);
            let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            let sine = cosine * tangent;
            for c in &mut rows {
                (c[p], c[q]) = (cosine * c[p] - sine * c[q], sine * c[p] + cosine * c[q]);
            }
            for axis in 0..3 {
                let (a, b) = (frame[(axis, p)], frame[(axis, q)]);
                (frame[(axis, p)], frame[(axis, q)]) = (cosine * a - sine * b, sine * a + cosine * b);
            }
        }
        if !turned {
            break;
        }
    }
    let squares: Vec3 = rows.iter().map(|c| c.component_mul(c)).sum();
    let least = squares.max() * RANK * RANK;
    let in_frame = frame.tr_mul(step);
    let weight = in_frame.zip_map(&squares, |v, square| if square > least && square > 0.0 { v / square } else { 0.0 });
    out.clear();
    out.extend(rows.iter().map(|c| c.dot(&weight)));
}

/// The pull `y` of a linear step of ball joints; every joint then turns by the rotation vector `r x y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BallStep {
    /// `alpha dx`.
    Transpose,
    /// `(J J^T)^+ dx`.
    PseudoInverse,
    /// `(J J^T + lambda^2 I)^-1 dx`, lambda in the unit of the positions.
    Damped(f64),
}

/// `J W J^T` of ball joints at all positions but the last, for the last as the end. `weights` say how willingly each
/// joint turns (a missing one is 1).
#[must_use]
pub fn ball_gram(positions: &[Vec3], weights: &[f64]) -> Mat3 {
    let Some((end, joints)) = positions.split_last() else { return Mat3::zeros() };
    let mut out = Mat3::zeros();
    for (joint, p) in joints.iter().enumerate() {
        let r = end - p;
        let weight = weights.get(joint).copied().unwrap_or(1.0);
        out += (Mat3::from_diagonal_element(r.norm_squared()) - r * r.transpose()) * weight;
    }
    out
}

/// One linear step of a chain of ball joints towards moving its end by `step`; returns the largest turn made, radians.
/// Bone lengths are kept: the turns are made, not their linear part. `rotations` may be empty where only positions are
/// wanted. `weights` say how willingly each joint turns (a
/// missing one is 1).
pub fn ball_step(positions: &mut [Vec3], rotations: &mut [Quat], step: &Vec3, kind: BallStep, weights: &[f64]) -> f64 {
    let gram = ball_gram(positions, weights);
    let pull = match kind {
        BallStep::Transpose => step * transpose_alpha(&gram, step),
        BallStep::PseudoInverse => pseudo_solve(&gram, step),
        BallStep::Damped(lambda) => {
            let damped = gram + Mat3::from_diagonal_element(lambda * lambda);
            damped.cholesky().map_or_else(Vec3::zeros, |factor| factor.solve(step))
        }
    };
    let Some(&end) = positions.last() else { return 0.0 };
    let mut sum = Quat::identity();
    let mut largest: f64 = 0.0;
    let mut old = positions.first().copied().unwrap_or_default();
    let mut new = old;
    let joints = positions.len() - 1;
    for (joint, p) in positions.iter_mut().enumerate() {
        new += sum * (*p - old);
        old = *p;
        *p = new;
        if joint < joints {
            let turn = (end - old).cross(&pull) * weights.get(joint).copied().unwrap_or(1.0);
            largest = largest.max(turn.norm());
            sum = Quat::from_scaled_axis(turn) * sum;
            sum.renormalize_fast();
        }
        if let Some(q) = rotations.get_mut(joint) {
            *q = sum * *q;
            q.renormalize_fast();
        }
    }
    largest
}

/// `gram^+ step` of a symmetric matrix: a straight chain cannot move along itself.
fn pseudo_solve(gram: &Mat3, step: &Vec3) -> Vec3 {
    let eigen = gram.symmetric_eigen();
    let least = eigen.eigenvalues.amax() * RANK;
    let in_frame = eigen.eigenvectors.tr_mul(step);
    eigen.eigenvectors * in_frame.zip_map(&eigen.eigenvalues, |v, value| if value > least { v / value } else { 0.0 })
}

/// Damped least squares (Wampler; Nakamura & Hanafusa).
#[derive(Clone, Copy, Debug, Default)]
pub struct DampedLeastSquares;

/// Jacobian transpose with Buss's step length.
#[derive(Clone, Copy, Debug, Default)]
pub struct JacobianTranspose;

/// Undamped least squares.
#[derive(Clone, Copy, Debug, Default)]
pub struct PseudoInverse;

impl ChainSolver for DampedLeastSquares {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_linear(chain, goal, settings, scratch, BallStep::Damped)
    }
}

impl ChainSolver for JacobianTranspose {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_linear(chain, goal, settings, scratch, |_| BallStep::Transpose)
    }
}

impl ChainSolver for PseudoInverse {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_linear(chain, goal, settings, scratch, |_| BallStep::PseudoInverse)
    }
}

fn solve_linear(
    chain: &mut Chain<'_>,
    goal: &Goal,
    settings: &Settings,
    scratch: &mut Scratch,
    kind: impl Fn(f64) -> BallStep,
) -> SolveReport {
    let reach = scratch.take(chain.positions);
    if let Some(report) = unusable(chain, goal, reach) {
        return report;
    }
    if beyond((goal.target - chain.root()).norm(), reach).is_some() {
        return solve_positions(chain, goal, settings, scratch, |_, _, _, _| Passes::default());
    }
    let tolerance = settings.tolerance * reach.max;
    let mut passes = Passes::default();
    while passes.iterations < settings.max_iterations {
        let error = goal.target - chain.end();
        if error.norm() <= tolerance {
            break;
        }
        if !leave_deadlock(chain, goal, reach, scratch, &error, &mut passes) {
            break;
        }
        let step = clamp_step(&error, settings.max_step * reach.max);
        // Damping follows the error down, so that the last steps are not slowed (Levenberg's rule).
        let lambda = settings.damping * (reach.max * error.norm()).sqrt().min(reach.max);
        ball_step(chain.positions, chain.rotations, &step, kind(lambda), &[]);
        passes.iterations += 1;
        scratch.note(StepKind::Linear, passes.iterations, chain.positions, chain.rotations);
    }
    super::ccd::swing_rotations(chain, goal, scratch);
    finish(chain, goal, tolerance, None, passes)
}

/// Bends a chain that lies on one line with its target (there `J^T e = 0`, and no linear step moves it). False where it
/// was bent before and stands on a line again.
fn leave_deadlock(
    chain: &mut Chain<'_>,
    goal: &Goal,
    reach: Reach,
    scratch: &mut Scratch,
    error: &Vec3,
    passes: &mut Passes,
) -> bool {
    let gradient = ball_gram(chain.positions, &[]) * error;
    if gradient.norm() > 1e-9 * reach.max * reach.max * error.norm()
        && !bend::on_one_line(chain.positions, &goal.target, reach.max)
    {
        return true;
    }
    if passes.bent {
        passes.stalled = true;
        return false;
    }
    let before: Vec<Vec3> = chain.positions.to_vec();
    bend::bend_straight(chain, goal, &scratch.lengths, reach);
    super::rotations_from_positions(&before, chain.positions, chain.rotations);
    passes.bent = true;
    scratch.note(StepKind::Bent, passes.iterations, chain.positions, chain.rotations);
    true
}

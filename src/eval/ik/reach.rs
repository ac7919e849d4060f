//! The default chain solver: a few damped least-squares steps, closed exactly.
//!
//! Damped steps share a move between all joints and are smooth functions of the target, but they creep near full stretch
//! and do not move a straight chain inwards. The distance from root to end, though, is one number, so it can be met by
//! one-dimensional root finding along a family of poses whose ends enclose it: to lengthen the chain, all bones turn
//! towards the chord by the same measure until it is straight; to shorten it, towards a closed curl in its own bend plane.
//! The intermediate-value theorem gives a pose with exactly the wanted distance, and one turn about the root puts the end
//! on the target. The number of damped steps is fixed, so the result is a continuous function of the target. (FABRIK
//! passes in their place, tried first, fold a nearly straight chain this way or that for targets a hair apart.)

use super::chain::{Chain, Goal, Passes, Reach, Scratch, Settings, solve_positions};
use super::jacobian::{BallStep, ball_step, clamp_step};
use super::{ChainSolver, SolveReport, StepKind, bend, cyclic, shortest_arc};
use crate::math::Vec3;
use std::f64::consts::TAU;

/// Damped steps before the exact closure.
const STEPS: u32 = 3;
/// Their damping, a fraction of the chain's length.
const DAMPING: f64 = 0.15;
/// The longest of them, a fraction of the chain's length.
const LONGEST_STEP: f64 = 0.35;
/// Most steps of the root finding.
const MOST_STEPS: u32 = 24;
/// Accuracy of the closure, a fraction of the chain's length.
const CLOSURE: f64 = 1e-10;

/// See the module's documentation. Ignores the settings' damping and step; at most 27 iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactReach;

impl ChainSolver for ExactReach {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        solve_positions(chain, goal, settings, scratch, |chain, _, reach, scratch| solve(chain, goal, reach, scratch))
    }
}

fn solve(chain: &mut Chain<'_>, goal: &Goal, reach: Reach, scratch: &mut Scratch) -> Passes {
    let already = (goal.target - chain.end()).norm() <= CLOSURE * reach.max;
    if already {
        return Passes::default();
    }
    for iteration in 1..=STEPS {
        let step = clamp_step(&(goal.target - chain.end()), LONGEST_STEP * reach.max);
        ball_step(chain.positions, &mut [], &step, BallStep::Damped(DAMPING * reach.max), &[]);
        scratch.note(StepKind::Linear, iteration, chain.positions, &[]);
    }
    let (steps, bent) = close(chain, goal, reach, scratch);
    scratch.note(StepKind::Closed, STEPS + steps, chain.positions, &[]);
    Passes { iterations: STEPS + steps, bent, stalled: false }
}

/// Bends or straightens the whole chain until the end is as far from the root as the target, then turns it onto the
/// target. Returns the steps made and whether a straight chain had to be given a bend plane.
fn close(chain: &mut Chain<'_>, goal: &Goal, reach: Reach, scratch: &mut Scratch) -> (u32, bool) {
    let root = chain.root();
    let to_target = goal.target - root;
    let wanted = to_target.norm();
    directions(chain.positions, &scratch.lengths, &mut scratch.from);
    let offset = chain.end() - root;
    let chord = bend::unit(&offset, 1e-9 * reach.max).unwrap_or_else(|| bend::direction_to(&to_target, reach, chain));
    let mut steps = 0;
    let mut bent = false;
    if (offset.norm() - wanted).abs() > CLOSURE * reach.max {
        if offset.norm() < wanted {
            scratch.to.clear();
            scratch.to.resize(scratch.lengths.len(), chord);
        } else {
            bent = bend::on_one_line(chain.positions, &chain.end(), reach.max);
            let side = bend::bulge(chain, &chord, goal, reach.max);
            curl(&scratch.lengths, reach, &chord, &side, &mut scratch.to);
        }
        let family = Family { lengths: &scratch.lengths, from: &scratch.from, to: &scratch.to };
        let (share, error, made) = family.meet(wanted, reach);
        steps = made;
        if error <= 10.0 * CLOSURE * reach.max {
            family.lay(share, chain.positions);
        } else {
            // The family has a jump (bones exactly against the chord) or does not enclose the distance (very unequal
            // bones): the pose on a circle always does.
            let side = bend::bulge(chain, &chord, goal, reach.max);
            cyclic::angles_on_circle(&scratch.lengths, wanted, &mut scratch.angles);
            lay_angles(&scratch.lengths, &scratch.angles, &chord, &side, chain.positions);
        }
    }
    aim(chain, goal, &to_target, &chord);
    (steps, bent)
}

/// Turns the chain about its root until its end lies towards the target.
fn aim(chain: &mut Chain<'_>, goal: &Goal, to_target: &Vec3, chord: &Vec3) {
    let root = chain.root();
    let offset = chain.end() - root;
    if to_target.norm_squared() <= 0.0 || offset.norm_squared() <= 0.0 {
        return;
    }
    let axis = bend::bulge(chain, chord, goal, offset.norm()).cross(chord);
    let turn = shortest_arc(&offset, to_target, &axis);
    if turn.angle() > 0.0 {
        let turn = turn.to_rotation_matrix();
        for p in chain.positions.iter_mut().skip(1) {
            *p = root + turn * (*p - root);
        }
    }
}

/// Unit directions of the bones; zero for a bone without a length.
fn directions(positions: &[Vec3], lengths: &[f64], out: &mut Vec<Vec3>) {
    out.clear();
    out.extend(
        positions
            .windows(2)
            .zip(lengths)
            .map(|(pair, length)| if *length > 0.0 { (pair[1] - pair[0]) / *length } else { Vec3::zeros() }),
    );
}

/// Directions of a chain curled once around, in the plane of chord and side.
fn curl(lengths: &[f64], reach: Reach, chord: &Vec3, side: &Vec3, out: &mut Vec<Vec3>) {
    out.clear();
    let mut done = 0.0;
    out.extend(lengths.iter().map(|length| {
        let angle = TAU * (0.5 - (done + 0.5 * length) / reach.max);
        done += length;
        chord * angle.cos() + side * angle.sin()
    }));
}

/// Lays the bones at angles from the chord towards the side.
fn lay_angles(lengths: &[f64], angles: &[f64], chord: &Vec3, side: &Vec3, positions: &mut [Vec3]) {
    let Some((first, rest)) = positions.split_first_mut() else { return };
    let mut at = *first;
    for ((p, length), angle) in rest.iter_mut().zip(lengths).zip(angles) {
        at += (chord * angle.cos() + side * angle.sin()) * *length;
        *p = at;
    }
}

/// Poses between two sets of bone directions; share 0 is `from`, share 1 is `to`.
struct Family<'a> {
    lengths: &'a [f64],
    from: &'a [Vec3],
    to: &'a [Vec3],
}

impl Family<'_> {
    /// The offset of the end from the root at a share, and its derivative by the share.
    fn end(&self, share: f64) -> (Vec3, Vec3) {
        let mut end = Vec3::zeros();
        let mut slope = Vec3::zeros();
        for ((length, from), to) in self.lengths.iter().zip(self.from).zip(self.to) {
            let step = to - from;
            let mixed = from + step * share;
            let inverse = 1.0 / mixed.norm_squared().max(1e-30).sqrt();
            let direction = mixed * inverse;
            end += direction * *length;
            slope += (step - direction * direction.dot(&step)) * (inverse * *length);
        }
        (end, slope)
    }

    /// The share at which the end is `wanted` from the root; the distance error left and the steps made.
    ///
    /// Newton's method on the square root of the shortfall `reach - distance`, which is nearly linear in the share up
    /// to full stretch (the distance itself has a double root there), kept inside a shrinking bracket.
    fn meet(&self, wanted: f64, reach: Reach) -> (f64, f64, u32) {
        let root_of_wanted = (reach.max - wanted).max(0.0).sqrt();
        let (mut low, mut high, mut share) = (0.0, 1.0, 0.0_f64);
        let mut rising = None;
        let (mut best_share, mut best_error) = (0.0, f64::INFINITY);
        for step in 1..=MOST_STEPS {
            let (end, slope) = self.end(share);
            let distance = end.norm();
            let error = distance - wanted;
            if error.abs() < best_error {
                (best_share, best_error) = (share, error.abs());
            }
            if best_error <= CLOSURE * reach.max {
                return (best_share, best_error, step);
            }
            // At share 0 the distance is on one side of the wanted one, and so it is below the root.
            let starts_below = *rising.get_or_insert(error < 0.0);
            if (error < 0.0) == starts_below {
                low = share;
            } else {
                high = share;
            }
            let root = (reach.max - distance).max(0.0).sqrt();
            let change = end.dot(&slope) / distance.max(1e-300);
            let newton = share + (root - root_of_wanted) * 2.0 * root / change;
            share = if newton > low && newton < high {
                newton
            } else if low == 0.0 && high == 1.0 && step == 1 && newton >= 1.0 {
                1.0
            } else {
                0.5 * (low + high)
            };
        }
        (best_share, best_error, MOST_STEPS)
    }

    /// Lays the joints of the pose at a share, from the root at `positions[0]`.
    fn lay(&self, share: f64, positions: &mut [Vec3]) {
        let Some((first, rest)) = positions.split_first_mut() else { return };
        let mut at = *first;
        for (((p, length), from), to) in rest.iter_mut().zip(self.lengths).zip(self.from).zip(self.to) {
            let mixed = from + (to - from) * share;
            at += mixed * (*length / mixed.norm_squared().max(1e-30).sqrt());
            *p = at;
        }
    }
}

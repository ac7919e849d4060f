//! Two bones in closed form: elbows and knees.
//!
//! Law of cosines with a pole *position*: the middle joint lies in the half-plane, bounded by the line from root to
//! target, that holds the pole. Too far: straight towards the target. Too near: the end on the ray to the target at
//! `|a - c|`, the nearest point it reaches. A pole on the line, or none, keeps the bend plane of the pose passed in.

use super::chain::{Chain, Goal, Reach, Scratch, Settings, beyond, finish, unusable};
use super::{ChainSolver, SolveReport, SolveStatus, StepKind, bend, shortest_arc};
use crate::math::{Mat3, Quat, Vec3};
use nalgebra::Rotation3;

/// A two-bone problem in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneProblem {
    /// Position of the root joint.
    pub root: Vec3,
    /// Length from root to middle, `>= 0`.
    pub upper_length: f64,
    /// Length from middle to end, `>= 0`.
    pub lower_length: f64,
    /// Where the end should be.
    pub target: Vec3,
    /// A position on whose side of the line from root to target the middle lies; none keeps `bulge`.
    pub pole: Option<Vec3>,
    /// Direction to which the pose passed in bulges (any length); used without a pole, or with a pole on the line. Its
    /// part along the line is ignored; where nothing is left, any perpendicular is taken.
    pub bulge: Vec3,
    /// Direction from the root to the end of the pose passed in (any length); used where the target is at the root.
    pub forward: Vec3,
}

/// The solution of a two-bone problem. Always finite for finite input, with both lengths kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBonePose {
    /// Position of the middle joint.
    pub middle: Vec3,
    /// Position of the end.
    pub end: Vec3,
    /// Unit direction from the root along which the end lies.
    pub direction: Vec3,
    /// Unit direction, across `direction`, on whose side the middle lies.
    pub bulge: Vec3,
    /// Angle between the bones at the middle, 0 (folded) to pi (straight), radians.
    pub angle_at_middle: f64,
    /// Angle at the root between upper bone and `direction`, 0 to pi, radians.
    pub angle_at_root: f64,
    /// Reached, too far or too near, with the distance left.
    pub report: SolveReport,
}

/// Solves two bones in closed form.
///
/// Source: law of cosines, by way of the foot of the middle joint on the line (which keeps accuracy near full stretch).
#[must_use]
pub fn solve_two_bone(problem: &TwoBoneProblem) -> TwoBonePose {
    let (upper, lower) = (problem.upper_length.max(0.0), problem.lower_length.max(0.0));
    let reach = Reach::of(&[upper, lower]);
    let offset = problem.target - problem.root;
    let wanted = offset.norm();
    let direction =
        bend::unit(&offset, 1e-12 * reach.max).or_else(|| bend::unit(&problem.forward, 0.0)).unwrap_or_else(Vec3::x);
    let side = |v: &Vec3| {
        let across = bend::across(v, &direction);
        if across.norm() > 1e-9 * v.norm() { bend::unit(&across, 0.0) } else { None }
    };
    let bulge = problem
        .pole
        .and_then(|pole| side(&(pole - problem.root)))
        .or_else(|| side(&problem.bulge))
        .unwrap_or_else(|| bend::any_perpendicular(&direction, &Quat::identity()));
    let status = beyond(wanted, reach);
    let distance = wanted.clamp(reach.min, reach.max);
    // The foot of the middle joint on the line, from the root; for an end at the root (equal bones) it is the root.
    let along = if distance > 1e-12 * reach.max {
        0.5 * (distance + (upper - lower) * (upper + lower) / distance)
    } else {
        0.0
    }
    .clamp(-upper, upper);
    let height = ((upper - along) * (upper + along)).max(0.0).sqrt();
    let middle = problem.root + direction * along + bulge * height;
    let end = problem.root + direction * distance;
    TwoBonePose {
        middle,
        end,
        direction,
        bulge,
        angle_at_middle: angle_between(-height, -along, -height, distance - along),
        angle_at_root: height.atan2(along),
        report: SolveReport::closed_form(status.unwrap_or(SolveStatus::Reached), (problem.target - end).norm()),
    }
}

/// The unsigned angle between plane vectors `(y1, x1)` and `(y2, x2)`.
fn angle_between(y1: f64, x1: f64, y2: f64, x2: f64) -> f64 {
    (x1 * y2 - y1 * x2).abs().atan2(x1 * x2 + y1 * y2)
}

/// The two-bone solver for chains.
///
/// A chain of more than two bones bends at one joint (`Goal::middle`, else the one nearest to half the length), with all
/// bones before it, and all after it, as one rigid segment: that is how twist and helper joints are solved. The middle
/// turns as a hinge in the plane of the pose passed in, so that twist does not creep into the limb.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoBone;

impl ChainSolver for TwoBone {
    fn solve(&self, chain: &mut Chain<'_>, goal: &Goal, settings: &Settings, scratch: &mut Scratch) -> SolveReport {
        let reach = scratch.take(chain.positions);
        if let Some(report) = unusable(chain, goal, reach) {
            return report;
        }
        let middle = goal.middle.unwrap_or_else(|| middle_joint(&scratch.lengths)).min(chain.positions.len() - 1);
        let root = chain.root();
        let knee = chain.positions.get(middle).copied().unwrap_or(root);
        let end = chain.end();
        let before = Plane::of(&root, &knee, &end);
        let hint = bend::bulge(chain, &before.chord_or(&(goal.target - root)), goal, reach.max);
        let problem = TwoBoneProblem {
            root,
            upper_length: (knee - root).norm(),
            lower_length: (end - knee).norm(),
            target: goal.target,
            pole: goal.pole,
            bulge: carried(&before, &hint, &(goal.target - root)),
            forward: end - root,
        };
        let pose = solve_two_bone(&problem);
        let (upper_turn, lower_turn) = turns(&before, &pose, &problem);
        if scratch.is_recording() {
            let turned: Vec<Vec3> = chain.positions.iter().map(|p| root + upper_turn * (p - root)).collect();
            scratch.note(StepKind::Joint(0), 0, &turned, &[]);
        }
        turn_segments(chain, middle, &upper_turn, &lower_turn);
        scratch.note(StepKind::Joint(middle), 0, chain.positions, chain.rotations);
        let tolerance = settings.tolerance * reach.max;
        let beyond = (!pose.report.reached()).then_some(pose.report.status);
        finish(chain, goal, tolerance, beyond, super::chain::Passes::default())
    }
}

/// The triangle of the pose before.
struct Plane {
    upper: Vec3,
    lower: Vec3,
    chord: Option<Vec3>,
    bulge: Option<Vec3>,
}

impl Plane {
    fn of(root: &Vec3, middle: &Vec3, end: &Vec3) -> Self {
        let (upper, lower) = (middle - root, end - middle);
        let size = upper.norm() + lower.norm();
        let chord = bend::unit(&(end - root), 1e-9 * size);
        let axis = chord.or_else(|| bend::unit(&upper, 0.0));
        let side = axis.map(|axis| bend::across(&upper, &axis));
        // A middle within a billionth of the line says nothing about the plane.
        let bulge = side.and_then(|side| bend::unit(&side, 1e-9 * size));
        Self { upper, lower, chord, bulge }
    }

    fn chord_or(&self, other: &Vec3) -> Vec3 {
        self.chord.or_else(|| bend::unit(&self.upper, 0.0)).or_else(|| bend::unit(other, 0.0)).unwrap_or_else(Vec3::x)
    }
}

/// The bulge of the pose before, turned with the chord onto the new direction.
fn carried(before: &Plane, hint: &Vec3, to_target: &Vec3) -> Vec3 {
    let bulge = before.bulge.unwrap_or(*hint);
    let chord = before.chord_or(to_target);
    shortest_arc(&chord, to_target, &chord.cross(&bulge)) * bulge
}

/// World turns of the upper and the lower segment from the pose before to the solution.
fn turns(before: &Plane, pose: &TwoBonePose, problem: &TwoBoneProblem) -> (Quat, Quat) {
    let chord = before.chord_or(&(problem.target - problem.root));
    // A straight limb has no plane of its own: it takes the new one, turned back, so that it is not twisted.
    let bulge = before.bulge.unwrap_or_else(|| {
        let back = shortest_arc(&pose.direction, &chord, &pose.direction.cross(&pose.bulge)) * pose.bulge;
        bend::unit(&bend::across(&back, &chord), 0.0).unwrap_or(back)
    });
    let old = frame(&chord, &bulge);
    let new = frame(&pose.direction, &pose.bulge);
    let angle = |v: &Vec3, frame: &Mat3| {
        let local = frame.tr_mul(v);
        local.y.atan2(local.x)
    };
    let turn = |old_bone: &Vec3, new_bone: &Vec3| {
        if old_bone.norm_squared() <= 0.0 {
            return Quat::identity();
        }
        let change = angle(new_bone, &new) - angle(old_bone, &old);
        let in_plane = Rotation3::from_axis_angle(&Vec3::z_axis(), change);
        Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(new * in_plane.matrix() * old.transpose()))
    };
    (turn(&before.upper, &(pose.middle - problem.root)), turn(&before.lower, &(pose.end - pose.middle)))
}

/// The frame with x along the chord and y to the bulge.
fn frame(chord: &Vec3, bulge: &Vec3) -> Mat3 {
    Mat3::from_columns(&[*chord, *bulge, chord.cross(bulge)])
}

/// Turns the joints before `middle` with the upper, those from it with the lower segment.
fn turn_segments(chain: &mut Chain<'_>, middle: usize, upper: &Quat, lower: &Quat) {
    let root = chain.root();
    let old_middle = chain.positions.get(middle).copied().unwrap_or(root);
    let new_middle = root + upper * (old_middle - root);
    // Without a bone after the middle, the end goes with the upper segment.
    let lower = if middle + 1 < chain.positions.len() { lower } else { upper };
    for (joint, (p, q)) in chain.positions.iter_mut().zip(chain.rotations.iter_mut()).enumerate() {
        if joint < middle {
            *p = root + upper * (*p - root);
            *q = upper * *q;
        } else {
            *p = new_middle + lower * (*p - old_middle);
            *q = lower * *q;
        }
        q.renormalize_fast();
    }
}

/// The inner joint nearest to half the length; the end of a chain of one bone.
fn middle_joint(lengths: &[f64]) -> usize {
    let total: f64 = lengths.iter().sum();
    let mut done = 0.0;
    let mut best = (f64::INFINITY, lengths.len());
    for (bone, length) in lengths.iter().enumerate().take(lengths.len().saturating_sub(1)) {
        done += length;
        let off = (done - 0.5 * total).abs();
        if off < best.0 {
            best = (off, bone + 1);
        }
    }
    best.1
}

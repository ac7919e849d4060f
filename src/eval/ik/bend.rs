//! Which way a chain bends: the plane of the pose passed in, a pole, or, for a straight chain, an axis of the root.

use super::chain::{Chain, Goal, Reach};
use crate::math::rotation::from_axis_angle;
use crate::math::{Quat, Vec3};

/// Squared sine below which two directions count as parallel.
const PARALLEL: f64 = 1e-18;

/// The part of `v` at right angles to the unit vector `axis`.
#[must_use]
pub fn across(v: &Vec3, axis: &Vec3) -> Vec3 {
    v - axis * v.dot(axis)
}

/// The unit vector along `v`, or none where `v` is shorter than `least`.
#[must_use]
pub fn unit(v: &Vec3, least: f64) -> Option<Vec3> {
    let norm = v.norm();
    (norm > least && norm.is_finite()).then(|| v / norm)
}

/// A unit vector at right angles to the unit vector `axis`: of the local axes of `rotation` the one most across it.
///
/// It turns with the rotation, so that a pose solved in a turned world is the turned pose.
#[must_use]
pub fn any_perpendicular(axis: &Vec3, rotation: &Quat) -> Vec3 {
    let mut best = Vec3::zeros();
    for local in [Vec3::x(), Vec3::z(), Vec3::y()] {
        let candidate = across(&(rotation * local), axis);
        if candidate.norm_squared() > best.norm_squared() + 1e-9 {
            best = candidate;
        }
    }
    unit(&best, 0.0).unwrap_or_else(Vec3::x)
}

/// The unit direction to a target at `offset` from the root; where it is at the root, that of the end, then that of the
/// first bone, then an axis of the root.
#[must_use]
pub fn direction_to(offset: &Vec3, reach: Reach, chain: &Chain<'_>) -> Vec3 {
    let least = 1e-12 * reach.max;
    let root = chain.root();
    unit(offset, least)
        .or_else(|| unit(&(chain.end() - root), least))
        .or_else(|| chain.positions.iter().find_map(|p| unit(&(p - root), least)))
        .or_else(|| chain.rotations.first().map(|q| q * Vec3::x()))
        .unwrap_or_else(Vec3::x)
}

/// Twice the area vector of the polygon root, joints, end, back to the root: its direction is the normal of the plane
/// that the chain bends in, its length 0 for a straight chain.
#[must_use]
pub fn area_vector(positions: &[Vec3]) -> Vec3 {
    let root = positions.first().copied().unwrap_or_default();
    positions.windows(2).map(|pair| (pair[0] - root).cross(&(pair[1] - root))).sum()
}

/// The unit direction, at right angles to the unit vector `chord`, to which the chain bulges (or should).
///
/// The pole's side if there is a pole off the line; else that of the pose passed in; else, for a straight pose, the
/// goal's bulge, or an axis of the root joint.
#[must_use]
pub fn bulge(chain: &Chain<'_>, chord: &Vec3, goal: &Goal, length: f64) -> Vec3 {
    let root = chain.root();
    let from_pole = goal.pole.and_then(|pole| {
        let offset = pole - root;
        let side = across(&offset, chord);
        (side.norm_squared() > PARALLEL * offset.norm_squared()).then_some(side)
    });
    let normal = area_vector(chain.positions);
    from_pole
        .and_then(|side| unit(&side, 0.0))
        .or_else(|| {
            // The bulge b of a plane with normal n = b x chord is chord x n.
            (normal.norm() > 1e-9 * length * length)
                .then(|| chord.cross(&normal))
                .and_then(|b| unit(&b, 1e-12 * normal.norm()))
        })
        .or_else(|| goal.bulge.and_then(|bulge| unit(&across(&bulge, chord), 1e-6 * bulge.norm())))
        .unwrap_or_else(|| any_perpendicular(chord, &chain.rotations.first().copied().unwrap_or_default()))
}

/// The turn about the root-end line that makes the chain bulge towards the goal's pole; none without a pole, for a pole
/// on the line, or for a straight chain.
#[must_use]
pub fn turn_to_pole(positions: &[Vec3], goal: &Goal) -> Option<Quat> {
    let (pole, &root, &end) = (goal.pole?, positions.first()?, positions.last()?);
    let chord = unit(&(end - root), 0.0)?;
    let offset = pole - root;
    let wanted = across(&offset, &chord);
    let sum: Vec3 = positions.iter().map(|p| across(&(p - root), &chord)).sum();
    let off_line = wanted.norm_squared() > PARALLEL * offset.norm_squared() && sum.norm() > 1e-9 * (end - root).norm();
    // About the chord itself: rounding in two short vectors across it must not move the end.
    let angle = chord.dot(&sum.cross(&wanted)).atan2(sum.dot(&wanted));
    off_line.then(|| from_axis_angle(&chord, angle))
}

/// Turns the chain about its root-end line until it bulges towards the goal's pole; see [`turn_to_pole`].
pub fn swing_to_pole(positions: &mut [Vec3], goal: &Goal) {
    let (Some(turn), Some(&root), Some(&end)) = (turn_to_pole(positions, goal), positions.first(), positions.last())
    else {
        return;
    };
    for p in positions.iter_mut() {
        *p = root + turn * (*p - root);
    }
    if let Some(last) = positions.last_mut() {
        *last = end;
    }
}

/// Whether every joint lies on the line from the root to the target: then passes that turn towards the target have no
/// direction to leave it by.
#[must_use]
pub fn on_one_line(positions: &[Vec3], target: &Vec3, length: f64) -> bool {
    let Some(&root) = positions.first() else { return true };
    let far = positions.iter().map(|p| p - root).max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    let Some(axis) = far.and_then(|far| unit(&far, 1e-12 * length)) else { return true };
    positions.iter().chain([target]).all(|p| across(&(p - root), &axis).norm() <= 1e-9 * length)
}

/// Bends a chain that lies on one line into a shallow arc (half a radian from first to last bone), root and lengths
/// kept: the deterministic way out of a collinear deadlock.
pub fn bend_straight(chain: &mut Chain<'_>, goal: &Goal, lengths: &[f64], reach: Reach) {
    const ARC: f64 = 0.5;
    let chord = direction_to(&(goal.target - chain.root()), reach, chain);
    let side = bulge(chain, &chord, goal, reach.max);
    let mut done = 0.0;
    let mut moved = chain.root();
    let mut old = moved;
    for (length, p) in lengths.iter().zip(chain.positions.iter_mut().skip(1)) {
        let turn = ARC * (0.5 - (done + 0.5 * length) / reach.max);
        // A bone that runs against the chord stays against it, bent the same way.
        let along = if (*p - old).dot(&chord) < 0.0 { -turn.cos() } else { turn.cos() };
        old = *p;
        moved += (chord * along + side * turn.sin()) * *length;
        *p = moved;
        done += length;
    }
}

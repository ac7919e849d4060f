//! Which way is up and forward, from how the limbs hang together.

use super::tree::Tree;
use crate::eval::ik::bend::{across, unit};
use crate::math::Vec3;

/// The body's own directions, unit vectors at right angles, in the coordinates of the positions looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// From hips to chest; against the legs for a four-legged animal.
    pub up: Vec3,
    /// Where the toes point.
    pub forward: Vec3,
    /// The body's left: `up x forward`.
    pub left: Vec3,
}

impl Default for BodyFrame {
    fn default() -> Self {
        Self { up: Vec3::y(), forward: Vec3::z(), left: Vec3::x() }
    }
}

impl BodyFrame {
    /// The frame with this up and a forward as near as possible to the one given; none where they are parallel.
    #[must_use]
    pub fn new(up: &Vec3, forward: &Vec3) -> Option<Self> {
        let up = unit(up, 0.0)?;
        let forward = unit(&across(forward, &up), 1e-9 * forward.norm())?;
        Some(Self { up, forward, left: up.cross(&forward) })
    }

    /// The frame where only up is known: facing +Z, or -Y where up is Z, as files do by habit.
    fn facing_by_habit(up: &Vec3) -> Self {
        let habit = if up.z.abs() > up.y.abs() { -Vec3::y() } else { Vec3::z() };
        Self::new(up, &habit).or_else(|| Self::new(up, &Vec3::x())).unwrap_or_default()
    }
}

/// One arm or leg as far as it is known before sides are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) root: usize,
    pub(super) middle: Option<usize>,
    pub(super) end: usize,
}

/// Legs and arms as two members each, of which the first is left where `named` (else either may be), and the trunk.
pub(super) struct Anatomy<'a> {
    pub(super) legs: &'a [[Member; 2]],
    pub(super) arms: &'a [[Member; 2]],
    pub(super) hips: Option<usize>,
    pub(super) chest: Option<usize>,
    pub(super) head: Option<usize>,
    pub(super) four_legged: bool,
    pub(super) named: bool,
}

/// The body's frame in these positions.
pub(super) fn infer(tree: &Tree<'_>, positions: &[Vec3], body: &Anatomy<'_>) -> BodyFrame {
    let trunk = trunk(positions, body);
    let hang: Vec3 = body.legs.iter().flatten().map(|leg| positions[leg.end] - positions[leg.root]).sum();
    let against_legs = unit(&-hang, 0.0);
    if body.four_legged
        && let (Some(up), Some(trunk)) = (against_legs, trunk)
    {
        return BodyFrame::new(&up, &trunk).unwrap_or_default();
    }
    let Some(up) = trunk.or(against_legs) else { return BodyFrame::default() };
    // Every pair says where its first member is, seen from its second; pairs agree up to a sign.
    let mut lateral = Vec3::zeros();
    for [a, b] in body.legs.iter().chain(body.arms) {
        let apart = across(&(positions[a.root] - positions[b.root]), &up);
        lateral += if lateral.dot(&apart) < 0.0 && !body.named { -apart } else { apart };
    }
    let Some(lateral) = unit(&lateral, 1e-9) else { return BodyFrame::facing_by_habit(&up) };
    let forward = lateral.cross(&up);
    if body.named {
        return BodyFrame::new(&up, &forward).unwrap_or_default();
    }
    let cue = forward_cue(tree, positions, body, &up, &forward);
    let habit = BodyFrame::facing_by_habit(&up).forward.dot(&forward);
    let sign = if cue.abs() > 0.02 { cue } else { habit };
    BodyFrame::new(&up, &if sign < 0.0 { -forward } else { forward }).unwrap_or_default()
}

/// The unit direction from hips to chest, else to the head.
fn trunk(positions: &[Vec3], body: &Anatomy<'_>) -> Option<Vec3> {
    let middle_of = |pairs: &[[Member; 2]]| {
        let roots: Vec<Vec3> = pairs.iter().flatten().map(|m| positions[m.root]).collect();
        #[expect(clippy::cast_precision_loss, reason = "a handful of limbs")]
        let count = roots.len() as f64;
        (!roots.is_empty()).then(|| roots.iter().sum::<Vec3>() / count)
    };
    let low = middle_of(body.legs).or_else(|| body.hips.map(|j| positions[j]));
    let high = middle_of(body.arms).or_else(|| body.chest.or(body.head).map(|j| positions[j]));
    let (low, high) = (low?, high?);
    unit(&(high - low), 1e-9).or_else(|| body.head.and_then(|head| unit(&(positions[head] - low), 1e-9)))
}

/// How much speaks for `forward` (positive) or against it (negative): toes, knees, elbows, the face.
fn forward_cue(tree: &Tree<'_>, positions: &[Vec3], body: &Anatomy<'_>, up: &Vec3, forward: &Vec3) -> f64 {
    let mut cue = 0.0;
    for leg in body.legs.iter().flatten() {
        let Some(toe) = tree.longest_path(leg.end).last().copied() else { continue };
        let foot = positions[toe] - positions[leg.end];
        let level = across(&foot, up);
        // A foot whose bone only repeats the shin says nothing.
        if level.norm() > 0.4 * foot.norm()
            && let Some(level) = unit(&level, 0.0)
        {
            cue += 1.5 * level.dot(forward);
        }
        cue += (20.0 * bend_towards(positions, leg, forward)).clamp(-0.7, 0.7);
    }
    for arm in body.arms.iter().flatten() {
        cue -= (20.0 * bend_towards(positions, arm, forward)).clamp(-0.5, 0.5);
    }
    if let Some(head) = body.head {
        let parts = &tree.children[head];
        if parts.len() > 2 {
            let sum: f64 =
                parts.iter().map(|c| (positions[*c] - positions[head]).dot(forward) / tree.length[*c].max(1e-9)).sum();
            #[expect(clippy::cast_precision_loss, reason = "children of one joint")]
            let mean = sum / parts.len() as f64;
            cue += mean.clamp(-0.3, 0.3);
        }
    }
    cue
}

/// How far the middle joint stands out of the line from root to end towards `direction`, as a share of the limb.
fn bend_towards(positions: &[Vec3], limb: &Member, direction: &Vec3) -> f64 {
    let Some(middle) = limb.middle else { return 0.0 };
    let (root, middle, end) = (positions[limb.root], positions[middle], positions[limb.end]);
    let size = (middle - root).norm() + (end - middle).norm();
    let line = unit(&(end - root), 1e-9 * size);
    line.map_or(0.0, |line| across(&(middle - root), &line).dot(direction) / size)
}

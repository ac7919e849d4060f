//! Where a limb begins, bends and ends, by proportion.

use super::tree::Tree;
use crate::math::Vec3;

/// A limb's joints as places in its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triple {
    pub(super) root: usize,
    pub(super) middle: usize,
    pub(super) end: usize,
}

/// Above this cost no joint of the path can be trusted to be an elbow or a knee.
const DOUBTFUL: f64 = 2.5;

/// The best root, middle and end on a path that hangs from `attach`; `paths` are the mirrored branches, judged together
/// where they have as many joints. None where no choice has the proportions of a limb.
///
/// Wanted: upper and lower part of about equal length, straight in themselves (twist joints lie on their line), with
/// little before and after them, ending at a joint that branches into short parts (fingers, toes) if there is one.
pub(super) fn split(
    tree: &Tree<'_>,
    positions: &[Vec3],
    attach: usize,
    paths: &[&[usize]],
    ratio: f64,
) -> Option<Triple> {
    let first = paths.first()?;
    let same: Vec<&[usize]> = paths.iter().copied().filter(|p| p.len() == first.len()).collect();
    let mut best: Option<(f64, Triple)> = None;
    for root in 0..first.len() {
        for middle in root + 1..first.len() {
            for end in middle + 1..first.len() {
                let triple = Triple { root, middle, end };
                let cost: f64 = same.iter().map(|path| cost(tree, positions, attach, path, triple, ratio)).sum();
                if best.is_none_or(|(least, _)| cost < least - 1e-9) {
                    best = Some((cost, triple));
                }
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "one or two paths")]
    let limit = DOUBTFUL * same.len() as f64;
    best.filter(|(cost, _)| *cost <= limit).map(|(_, triple)| triple)
}

fn cost(tree: &Tree<'_>, positions: &[Vec3], attach: usize, path: &[usize], at: Triple, ratio: f64) -> f64 {
    let upper = tree.path_length(&path[at.root..=at.middle]);
    let lower = tree.path_length(&path[at.middle..=at.end]);
    if upper <= 0.0 || lower <= 0.0 {
        return f64::INFINITY;
    }
    let before = tree.path_length(&path[..=at.root]) + tree.length[path[0]];
    let after = tree.path_length(&path[at.end..]);
    let (before, after) = (before / (upper + lower), after / (upper + lower));
    let mut cost = 2.0 * (upper / lower / ratio).ln().abs();
    cost += 0.5 * (before + after) + 0.5 * (before - 0.6).max(0.0) + (after - 0.6).max(0.0);
    cost +=
        2.0 * (crookedness(positions, &path[at.root..=at.middle]) + crookedness(positions, &path[at.middle..=at.end]));
    let short = 1.2 * lower;
    let branches = |joint: usize| {
        let parts: Vec<f64> = tree.children[joint].iter().map(|c| tree.branch(*c)).filter(|l| *l > 0.0).collect();
        parts.len() > 1 && parts.iter().all(|l| *l < short)
    };
    if branches(path[at.end]) {
        cost -= 1.0;
    } else if path[at.root + 1..at.end].iter().any(|j| branches(*j)) {
        cost += 1.0;
    }
    let end = path[at.end];
    if tree.view.tips[end] {
        cost += 1.5;
    }
    // Two joints at one place (a dummy above the real one): the lower one turns the limb.
    let start = path[at.root];
    let above = if at.root == 0 { attach } else { path[at.root - 1] };
    if tree.length[path[at.root + 1]] <= 1e-6 * (upper + lower) && (positions[start] - positions[above]).norm() > 0.0 {
        cost += 0.2;
    }
    cost
}

/// How far a part that should be straight is from it: the angles at its inner joints, radians, each weighted by how near
/// to the middle it is (a bend close to an end moves the line little); an angle in the middle counts whole.
fn crookedness(positions: &[Vec3], part: &[usize]) -> f64 {
    let bones: Vec<Vec3> = part
        .windows(2)
        .map(|pair| positions[pair[1]] - positions[pair[0]])
        .filter(|b| b.norm_squared() > 0.0)
        .collect();
    let total: f64 = bones.iter().map(Vec3::norm).sum();
    let mut done = 0.0;
    bones
        .windows(2)
        .map(|pair| {
            done += pair[0].norm();
            let angle = pair[0].cross(&pair[1]).norm().atan2(pair[0].dot(&pair[1]));
            4.0 * done * (total - done) / (total * total) * angle
        })
        .sum()
}

//! Branches that mirror each other: arms and legs, found without names.

use super::tree::Tree;

/// Branch lengths that differ by less count as mirrored.
const ALIKE: f64 = 0.06;
/// A pair shorter than this share of the longest is no arm or leg (breasts, ears, eyes).
const SHORT: f64 = 0.35;
/// Of more than two pairs, those of this share of the longest carry the body.
const LONG: f64 = 0.7;

/// Two branches of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The joint they hang from.
    pub(super) attach: usize,
    /// The first joint of each.
    pub(super) starts: [usize; 2],
}

/// The pairs that can be limbs, longest first; a pair inside another's branch is a part of it (fingers) and left out.
pub(super) fn limb_pairs(tree: &Tree<'_>) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = (0..tree.count()).flat_map(|joint| pairs_of(tree, joint)).collect();
    let length = |pair: &Pair| tree.branch(pair.starts[0]);
    pairs.sort_by(|a, b| length(b).total_cmp(&length(a)).then(a.attach.cmp(&b.attach)));
    let longest = pairs.first().map_or(0.0, length);
    let all = pairs.clone();
    pairs.retain(|pair| {
        let inside = |other: &Pair| other != pair && other.starts.iter().any(|s| tree.is_under(pair.attach, *s));
        length(pair) >= SHORT * longest && !all.iter().any(inside)
    });
    if pairs.len() > 2 {
        let long = pairs.iter().filter(|pair| length(pair) >= LONG * longest).count();
        pairs.truncate(long.max(2));
    }
    pairs
}

fn pairs_of(tree: &Tree<'_>, attach: usize) -> Vec<Pair> {
    // A limb has at least two bones.
    let mut open: Vec<usize> =
        tree.joints_under(attach).filter(|c| tree.branch(*c) > 0.0 && tree.longest_path(*c).len() > 2).collect();
    open.sort_by(|a, b| tree.branch(*b).total_cmp(&tree.branch(*a)).then(a.cmp(b)));
    let mut found = Vec::new();
    while !open.is_empty() {
        let first = open.remove(0);
        let alike: Vec<usize> = open.iter().copied().filter(|other| mirrored(tree, first, *other)).collect();
        // Many alike hang around a joint like the arms of an octopus: they have no left and right.
        if alike.len() >= 3 {
            open.retain(|joint| !alike.contains(joint));
        } else if let Some(best) = alike.first() {
            open.retain(|joint| joint != best);
            found.push(Pair { attach, starts: [first.min(*best), first.max(*best)] });
        }
    }
    found
}

fn mirrored(tree: &Tree<'_>, a: usize, b: usize) -> bool {
    let close = |x: f64, y: f64, share: f64| (x - y).abs() <= share * x.max(y);
    let path_bones = |start: usize| tree.longest_path(start).len();
    #[expect(clippy::cast_precision_loss, reason = "joint counts are small")]
    let sizes = close(tree.size(a) as f64, tree.size(b) as f64, 0.4);
    close(tree.branch(a), tree.branch(b), ALIKE) && sizes && path_bones(a).abs_diff(path_bones(b)) <= 1
}

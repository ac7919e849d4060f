//! Limbs, tails, fingers, tentacles: tapered capsules along the bones, thinner towards the tips.

use super::anatomy::{Anatomy, Pair};
use super::loft::Solid;
use super::mannequin::Maker;
use super::names::{is_foot, is_hand};
use crate::math::Vec3;

/// How thick each joint is, and the places that shape a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Proportions {
    /// Radius of a limb at each joint, metres.
    pub(super) radius: Vec<f64>,
    /// For each girdle, the hip or shoulder joints: left, right.
    pub(super) sockets: Vec<[usize; 2]>,
    /// Whether the trunk stands upright above the legs.
    pub(super) upright: bool,
    /// The last joint of each limb that carries a hand.
    pub(super) hands: Vec<usize>,
    /// The last joint of each limb that carries a foot.
    pub(super) feet: Vec<usize>,
}

impl Proportions {
    /// Measures a body.
    pub(super) fn new(anatomy: &Anatomy, names: &[&str]) -> Self {
        let size = anatomy.size;
        // A limb grows from its tip: in a person, 9 mm where a finger begins, 35 mm at the ankle, 85 mm at the hip.
        let thickness = |reach: &f64| {
            let thin = (reach / (0.11 * size)).min(1.0).powf(1.3);
            ((0.014 * size + 0.057 * reach) * thin).max(0.003 * size)
        };
        let mut found = Self { radius: anatomy.reach.iter().map(thickness).collect(), ..Self::default() };
        found.sockets =
            anatomy.girdles.iter().map(|pair| [pair.left, pair.right].map(|j| socket(anatomy, pair, j))).collect();
        found.upright = is_upright(anatomy, &found.sockets);
        for (girdle, sockets) in found.sockets.clone().into_iter().enumerate() {
            let pair = &anatomy.girdles[girdle];
            let arms = found.upright && girdle > 0;
            for (start, first) in sockets.into_iter().zip([pair.left, pair.right]) {
                found.shape_limb(anatomy, start, first, arms, names);
            }
        }
        found.keep_limbs_apart(anatomy);
        found
    }

    /// Finds a limb's hand or foot; arms are slimmer than legs.
    fn shape_limb(&mut self, anatomy: &Anatomy, start: usize, first: usize, arms: bool, names: &[&str]) {
        let last = last_joint(anatomy, start, arms, names);
        if arms {
            self.hands.extend(last);
            for joint in first..anatomy.len() {
                if is_below(anatomy, joint, first) && last.is_none_or(|hand| !is_below(anatomy, joint, hand)) {
                    self.radius[joint] *= 0.78;
                }
            }
        } else {
            self.feet.extend(last);
        }
    }

    /// No thigh reaches into the other.
    fn keep_limbs_apart(&mut self, anatomy: &Anatomy) {
        for [left, right] in &self.sockets {
            let apart = anatomy.place(*left, *right).norm() / 2.0;
            let limit = (0.98 * apart).max(0.012 * anatomy.size);
            for socket in [*left, *right] {
                let scale = (limit / self.radius[socket].max(1e-12)).min(1.0);
                let mut joint = Some(socket);
                while let Some(here) = joint.filter(|_| scale < 1.0) {
                    self.radius[here] = self.radius[here].min(limit);
                    joint = anatomy.next(here);
                }
            }
        }
    }
}

/// Whether `joint` is `top` or below it.
pub(super) fn is_below(anatomy: &Anatomy, joint: usize, top: usize) -> bool {
    let mut at = Some(joint);
    while let Some(here) = at {
        if here == top {
            return true;
        }
        at = anatomy.parents[here].filter(|_| here > top);
    }
    false
}

/// Where a limb leaves the trunk: beyond collar bones, pelvis bones and other short links.
fn socket(anatomy: &Anatomy, pair: &Pair, first: usize) -> usize {
    let lateral = |joint: usize| anatomy.place(joint, pair.at).dot(&pair.toward_left).abs();
    let bone = |joint: usize| anatomy.next(joint).map_or(0.0, |next| anatomy.place(next, joint).norm());
    let mut longest = 0.0_f64;
    let mut at = Some(first);
    while let Some(here) = at {
        longest = longest.max(bone(here));
        at = anatomy.next(here);
    }
    let mut at = first;
    while let Some(next) = anatomy.next(at) {
        let from_the_middle = lateral(at) < 0.25 * lateral(next);
        if !from_the_middle && bone(at) >= 0.5 * longest {
            break;
        }
        at = next;
    }
    if anatomy.children[at].is_empty() { first } else { at }
}

/// Whether the trunk rises from the legs, as a person's does and a dog's does not.
fn is_upright(anatomy: &Anatomy, sockets: &[[usize; 2]]) -> bool {
    let (Some(hips), Some([left, right]), Some(top)) =
        (anatomy.girdles.first(), sockets.first(), anatomy.girdles.last())
    else {
        return false;
    };
    let at = hips.at;
    let middle = (anatomy.place(*left, at) + anatomy.place(*right, at)) / 2.0;
    let leg = |start: usize| anatomy.place(anatomy.tip(start), at) - middle;
    let legs = leg(*left) + leg(*right);
    let spine = anatomy.place(top.at, at) - middle;
    top.at != at && spine.angle(&legs) > 2.1
}

/// The joint of a limb from which its hand or foot is made: by name, else where fingers begin, else the last third.
fn last_joint(anatomy: &Anatomy, start: usize, arms: bool, names: &[&str]) -> Option<usize> {
    let is_named = |joint: usize| names.get(joint).is_some_and(|name| if arms { is_hand(name) } else { is_foot(name) });
    let total = anatomy.reach[start];
    let mut way = Vec::new();
    let mut at = Some(start);
    while let Some(here) = at {
        way.push(here);
        at = anatomy.next(here);
    }
    let with_children = |joint: &&usize| !anatomy.children[**joint].is_empty();
    let named = way.iter().skip(1).filter(with_children).find(|joint| is_named(**joint));
    let fan = || way.iter().skip(1).find(|joint| anatomy.children[**joint].len() >= 3);
    let rest = || way.iter().skip(2).filter(with_children).find(|joint| anatomy.reach[**joint] < 0.42 * total);
    named.or_else(fan).or_else(rest).copied()
}

/// Every bone that has no shape yet.
pub(super) fn build(maker: &mut Maker<'_>) {
    let anatomy = maker.anatomy;
    collar_bones(maker);
    for joint in 0..anatomy.len() {
        let Some(parent) = anatomy.parents[joint].filter(|_| !maker.done[joint]) else { continue };
        maker.done[joint] = true;
        let b = anatomy.place(joint, parent);
        let length = b.norm();
        // Links of no length, and those that lead from the trunk to where a limb begins, lie within the body.
        if length < 0.004 * anatomy.size || anatomy.trunk[parent] || is_small_pair_on_trunk(anatomy, joint) {
            continue;
        }
        let radius = |j: usize| maker.proportions.radius[j];
        let (ra, rb) = (radius(parent), radius(joint).min(radius(parent)));
        let swell = if length > 0.1 * anatomy.size { 0.13 } else { 0.0 };
        let sides = if ra < 0.012 * anatomy.size { 5 } else { 8 };
        maker.push(parent, &Solid::limb(Vec3::zeros(), b, Vec3::x(), [ra, rb], swell, sides));
    }
}

/// The links from the spine to the shoulders, drawn from where they leave the chest; those to the hips lie within the
/// pelvis.
fn collar_bones(maker: &mut Maker<'_>) {
    let (anatomy, proportions) = (maker.anatomy, maker.proportions);
    for (girdle, (pair, sockets)) in anatomy.girdles.iter().zip(&proportions.sockets).enumerate() {
        for (first, socket) in [pair.left, pair.right].into_iter().zip(*sockets) {
            let mut joint = socket;
            while let Some(parent) = anatomy.parents[joint].filter(|_| joint != first) {
                maker.done[joint] = true;
                let b = anatomy.place(joint, parent);
                if girdle > 0 && b.norm() > 0.02 * anatomy.size {
                    // The first one starts on the chest's axis: its near half is hidden anyway.
                    let a = if parent == first { b * 0.45 } else { Vec3::zeros() };
                    let radius = proportions.radius[socket];
                    maker.push(parent, &Solid::limb(a, b, Vec3::x(), [0.8 * radius, 0.97 * radius], 0.0, 8));
                }
                joint = parent;
            }
        }
    }
}

/// Whether a joint belongs to a small pair on the trunk, such as breasts or pockets: those have no shape of their own.
fn is_small_pair_on_trunk(anatomy: &Anatomy, joint: usize) -> bool {
    let mut at = joint;
    while let Some(parent) = anatomy.parents[at] {
        if anatomy.trunk[parent] {
            let limb = anatomy.girdles.iter().any(|pair| pair.left == at || pair.right == at);
            return !limb && !anatomy.axial[at];
        }
        at = parent;
    }
    false
}

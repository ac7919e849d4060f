//! What a skeleton's joints are, found from its shape: trunk, limbs in pairs, neck and head.
//!
//! Bodies are symmetric: two children of a joint that are alike are a pair of limbs, left and right. What is not in a
//! pair lies on the axis. An axial joint with long pairs below it belongs to the trunk; beyond the trunk's last pair
//! come neck and head. Names are used where they say more, never needed.

use super::names::side_of_name;
use crate::math::{Affine, Vec3};

/// The half of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The character's left.
    Left,
    /// On the axis.
    #[default]
    Centre,
    /// The character's right.
    Right,
}

/// A skeleton as plain slices, one entry a joint, each after its parent.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// Index of the parent; an index that is not before the joint counts as none.
    pub parents: &'a [Option<usize>],
    /// The rest pose in one common space, metres. Joints without an entry are ignored.
    pub rest: &'a [Affine],
    /// Any natural pose, such as a motion's first frame. Used instead of the rest pose where that is no natural one
    /// (some files have all bones along one axis there).
    pub posed: Option<&'a [Affine]>,
    /// Names, or an empty slice.
    pub names: &'a [&'a str],
}

/// Two limbs, left and right, as the joints where they begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The joint both hang on.
    pub(super) at: usize,
    /// The first joint of the left one.
    pub(super) left: usize,
    /// The first joint of the right one.
    pub(super) right: usize,
    /// From right to left, of unit length, in the space of `at`.
    pub(super) toward_left: Vec3,
}

/// What a skeleton is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Anatomy {
    /// Parents, those out of order dropped.
    pub(super) parents: Vec<Option<usize>>,
    /// Children in order.
    pub(super) children: Vec<Vec<usize>>,
    /// Longest path from the joint down to a tip, metres.
    pub(super) reach: Vec<f64>,
    /// Joints below and including.
    count: Vec<usize>,
    /// The pose it was judged by.
    pose: Vec<Affine>,
    /// The body's size: the longest path between two tips through the skeleton, over 1.5; a person's height.
    pub(super) size: f64,
    /// The half each joint lies in.
    pub(super) sides: Vec<Side>,
    /// Whether each joint is in no limb.
    pub(super) axial: Vec<bool>,
    /// Whether each joint is in the trunk.
    pub(super) trunk: Vec<bool>,
    /// Pairs of long limbs, those nearest the root first.
    pub(super) girdles: Vec<Pair>,
    /// From the trunk's last joint to the head, the head last; empty without.
    pub(super) neck: Vec<usize>,
}

/// A pair counts as limbs of the trunk from this share of the size on; smaller ones are eyes, ears, lips.
const LONG: f64 = 0.22;

impl Anatomy {
    /// Judges a skeleton.
    pub(super) fn new(body: &Body<'_>) -> Self {
        let count = body.parents.len().min(body.rest.len());
        let natural = Self::judged(body, &body.rest[..count]);
        match body.posed {
            Some(posed) if posed.len() >= count && !natural.is_natural() => Self::judged(body, &posed[..count]),
            _ => natural,
        }
    }

    fn judged(body: &Body<'_>, pose: &[Affine]) -> Self {
        let mut found = Self::measured(body, pose);
        found.find_pairs(body.names);
        found.find_trunk();
        found.find_neck(body.names);
        found
    }

    /// How many joints there are.
    pub(super) fn len(&self) -> usize {
        self.pose.len()
    }

    /// Joint `joint` in the space of joint `of`.
    pub(super) fn place(&self, joint: usize, of: usize) -> Vec3 {
        let delta = self.pose[joint].translation - self.pose[of].translation;
        self.to_local(of, &delta)
    }

    /// A direction in the space of joint `from`, seen in that of `to`, in the judged pose.
    pub(super) fn carried(&self, direction: &Vec3, from: usize, to: usize) -> Vec3 {
        self.to_local(to, &self.pose[from].vector(direction))
    }

    /// A direction of the judged pose in the space of a joint.
    fn to_local(&self, joint: usize, direction: &Vec3) -> Vec3 {
        self.pose[joint].linear.try_inverse().map_or(*direction, |inverse| inverse * direction)
    }

    /// Whether the legs do not point along the spine, as they do where the rest pose is a mere list of lengths.
    fn is_natural(&self) -> bool {
        let (Some(first), Some(last)) = (self.girdles.first(), self.girdles.last()) else { return true };
        let at = |joint: usize| self.pose[joint].translation;
        let spine = at(last.at) - (at(first.left) + at(first.right)) / 2.0;
        let leg = |start: usize| at(self.tip(start)) - at(start);
        let legs = leg(first.left) + leg(first.right);
        first.at == last.at || spine.angle(&legs) > 0.9
    }

    /// The tip that is farthest from a joint along the bones.
    pub(super) fn tip(&self, joint: usize) -> usize {
        let mut at = joint;
        while let Some(next) = self.next(at) {
            at = next;
        }
        at
    }

    /// The child with the longest way to go.
    pub(super) fn next(&self, joint: usize) -> Option<usize> {
        self.longest(joint, self.children[joint].iter().copied())
    }

    /// Of some children of a joint, the one with the longest way to go; the first of equals.
    fn longest(&self, joint: usize, children: impl Iterator<Item = usize>) -> Option<usize> {
        let way = |child: usize| self.reach[child] + self.place(child, joint).norm();
        children.reduce(|a, b| if way(b) > way(a) { b } else { a })
    }

    /// Lengths and counts.
    fn measured(body: &Body<'_>, pose: &[Affine]) -> Self {
        let count = pose.len();
        let mut found = Self {
            parents: (0..count).map(|i| body.parents.get(i).copied().flatten().filter(|p| *p < i)).collect(),
            children: vec![Vec::new(); count],
            reach: vec![0.0; count],
            count: vec![1; count],
            pose: pose.to_vec(),
            sides: vec![Side::Centre; count],
            axial: vec![false; count],
            trunk: vec![false; count],
            ..Self::default()
        };
        let mut longest = 0.0_f64;
        for joint in (0..count).rev() {
            if let Some(parent) = found.parents[joint] {
                found.children[parent].insert(0, joint);
                let bone = (pose[joint].translation - pose[parent].translation).norm();
                let way = found.reach[joint] + if bone.is_finite() { bone } else { 0.0 };
                // The two longest ways down from a joint meet here, one after the other.
                longest = longest.max(found.reach[parent] + way);
                found.reach[parent] = found.reach[parent].max(way);
                found.count[parent] += found.count[joint];
            }
        }
        found.size = if longest > 1e-9 { longest / 1.5 } else { 1.0 };
        found
    }

    /// Walks down from the roots, pairing what is alike; the rest is axial.
    fn find_pairs(&mut self, names: &[&str]) {
        let middles = self.middles();
        for joint in 0..self.len() {
            self.axial[joint] |= self.parents[joint].is_none();
            if self.axial[joint] {
                let mut left_over = self.children[joint].clone();
                while let Some((a, b)) = self.most_alike(joint, &left_over, &middles, names) {
                    left_over.retain(|child| *child != a && *child != b);
                    let pair = self.pair(joint, a, b, &middles, names);
                    self.sides[pair.left] = Side::Left;
                    self.sides[pair.right] = Side::Right;
                    if self.reach[a].min(self.reach[b]) > LONG * self.size {
                        self.girdles.push(pair);
                    }
                }
                for child in left_over {
                    self.axial[child] = true;
                }
            }
            // What hangs on a limb is on its side; a limb without a mate is known by its name.
            if self.sides[joint] == Side::Centre {
                let inherited = self.parents[joint].map_or(Side::Centre, |parent| self.sides[parent]);
                let named = names.get(joint).and_then(|name| side_of_name(name));
                self.sides[joint] = named.unwrap_or(inherited);
            }
        }
        let depth = |mut joint: usize| {
            let mut steps = 0;
            while let Some(parent) = self.parents[joint] {
                (joint, steps) = (parent, steps + 1);
            }
            steps
        };
        let mut girdles = std::mem::take(&mut self.girdles);
        girdles.sort_by_key(|pair| depth(pair.at));
        self.girdles = girdles;
    }

    /// The mean place of each joint and all below it.
    fn middles(&self) -> Vec<Vec3> {
        let mut sums: Vec<Vec3> = self.pose.iter().map(|place| place.translation).collect();
        for joint in (0..sums.len()).rev() {
            if let Some(parent) = self.parents[joint] {
                let below = sums[joint];
                sums[parent] += below;
            }
        }
        sums.iter().zip(&self.count).map(|(sum, count)| sum / (*count as f64)).collect()
    }

    /// The two children most like each other, if any two are like enough.
    fn most_alike(&self, at: usize, among: &[usize], middles: &[Vec3], names: &[&str]) -> Option<(usize, usize)> {
        let ratio = |x: f64, y: f64| if x.max(y) < 1e-6 * self.size { 1.0 } else { x.min(y) / x.max(y) };
        let way = |child: usize| self.reach[child] + self.place(child, at).norm();
        let named = |joint: usize| names.get(joint).and_then(|name| side_of_name(name));
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, &a) in among.iter().enumerate() {
            for &b in &among[i + 1..] {
                let counts = ratio(self.count[a] as f64, self.count[b] as f64);
                let alike = ratio(way(a), way(b)) * ratio(self.reach[a], self.reach[b]) * counts.sqrt();
                let apart = (middles[a] - middles[b]).norm() > 0.01 * self.size;
                let (enough, bonus) = match (named(a), named(b)) {
                    (Some(x), Some(y)) if x != y => (0.3, 1.0),
                    (None, None) => (0.75, 0.0),
                    _ => continue,
                };
                if apart && alike > enough && best.is_none_or(|(score, ..)| alike + bonus > score + 1e-9) {
                    best = Some((alike + bonus, a, b));
                }
            }
        }
        best.map(|(_, a, b)| (a, b))
    }

    /// Decides which of two is left.
    fn pair(&self, at: usize, a: usize, b: usize, middles: &[Vec3], names: &[&str]) -> Pair {
        let from_b_to_a = middles[a] - middles[b];
        let named = names.get(a).and_then(|name| side_of_name(name));
        let a_is_left = named.map_or_else(
            // Facing +Z, left is +X; where the pair lies along another axis, its positive end.
            || from_b_to_a[from_b_to_a.iamax()] > 0.0,
            |side| side == Side::Left,
        );
        let (left, right, across) = if a_is_left { (a, b, from_b_to_a) } else { (b, a, -from_b_to_a) };
        let toward_left = self.to_local(at, &across).try_normalize(1e-12).unwrap_or_else(Vec3::x);
        Pair { at, left, right, toward_left }
    }

    /// The axial joints that long pairs hang on, and those above them.
    fn find_trunk(&mut self) {
        for pair in &self.girdles {
            let mut joint = Some(pair.at);
            while let Some(here) = joint {
                self.trunk[here] = true;
                joint = self.parents[here];
            }
        }
    }

    /// Beyond the last pair: the longest axial way, up to the head.
    fn find_neck(&mut self, names: &[&str]) {
        let Some(last) = self.girdles.last() else { return };
        let is_head = |joint: usize| names.get(joint).is_some_and(|name| name.to_lowercase().contains("head"));
        let mut at = last.at;
        let mut chain = Vec::new();
        loop {
            let onward = || self.children[at].iter().copied().filter(|c| self.axial[*c] && !self.trunk[*c]);
            let named = onward().find(|child| is_head(*child));
            let Some(next) = named.or_else(|| self.longest(at, onward())) else { break };
            // A tip carries no head, unless nothing else could.
            if self.children[next].is_empty() && !chain.is_empty() {
                break;
            }
            chain.push(next);
            at = next;
            if is_head(next) || self.children[next].len() >= 3 {
                break;
            }
        }
        self.neck = chain;
    }
}

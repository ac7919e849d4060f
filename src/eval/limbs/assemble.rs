//! From a skeleton to its limbs.

use super::body::{self, Anatomy, Member};
use super::names::{self, Clue, Part};
use super::pairs::{self, Pair};
use super::segments;
use super::tree::Tree;
use super::{Limb, Limbs, Role, Side, SkeletonView};
use crate::math::Vec3;

/// Upper arm to forearm, and thigh to shin, as bodies have them.
const ARM_RATIO: f64 = 1.05;
const LEG_RATIO: f64 = 1.0;

/// Finds the limbs of a skeleton. Any forest gives an answer; what is not recognised becomes [`Role::Chain`].
#[must_use]
pub fn find(view: &SkeletonView<'_>) -> Limbs {
    let tree = Tree::new(view);
    let clues: Vec<Clue> = view.names.iter().take(tree.count()).map(|name| names::read(name)).collect();
    let mut draft = Draft::new(&tree, &clues);
    draft.name_limbs();
    draft.pair_limbs();
    draft.place_trunk();
    draft.take_sides();
    draft.finish()
}

/// Limbs as they are being found.
struct Draft<'a> {
    tree: &'a Tree<'a>,
    clues: &'a [Clue],
    positions: &'a [Vec3],
    /// Mirrored pairs of limbs: role and the two members, the first left where `named`.
    pairs: Vec<(Role, [Limb; 2])>,
    /// Arms and legs without a mirrored one.
    single: Vec<Limb>,
    named: bool,
    out: Limbs,
}

impl<'a> Draft<'a> {
    fn new(tree: &'a Tree<'a>, clues: &'a [Clue]) -> Self {
        let positions = tree.view.rest;
        Self { tree, clues, positions, pairs: Vec::new(), single: Vec::new(), named: false, out: Limbs::default() }
    }

    /// Arms and legs whose names say root, middle and end.
    fn name_limbs(&mut self) {
        for role in [Role::Arm, Role::Leg] {
            let left = self.named_limb(role, Side::Left);
            let right = self.named_limb(role, Side::Right);
            match (left, right) {
                (Some(left), Some(right)) => {
                    self.pairs.push((role, [left, right]));
                    self.named = true;
                }
                (Some(one), None) | (None, Some(one)) => self.single.push(one),
                (None, None) => {}
            }
        }
    }

    fn named_limb(&self, role: Role, side: Side) -> Option<Limb> {
        let end_part = if role == Role::Arm { Part::Hand } else { Part::Foot };
        let says = |joint: usize, part: Part| {
            let clue = self.clues[joint];
            clue.part == Some(part)
                && !clue.helper
                && clue.side.is_none_or(|s| s == side)
                && !self.tree.view.tips[joint]
        };
        let ends = (0..self.tree.count()).filter(|j| says(*j, end_part) && self.clues[*j].side == Some(side));
        for end in ends {
            let path = self.tree.path_to(end);
            let first = |part: Part| path.iter().position(|j| says(*j, part));
            let (root, middle) = if role == Role::Arm {
                (first(Part::UpperArm).or_else(|| first(Part::Shoulder)), first(Part::Forearm))
            } else {
                let legs: Vec<usize> = (0..path.len()).filter(|i| says(path[*i], Part::Leg)).collect();
                let thigh = first(Part::Thigh).or_else(|| first(Part::SideHip)).or(legs.first().copied());
                (thigh, first(Part::Shin).or(legs.iter().copied().find(|i| thigh.is_some_and(|t| t < *i))))
            };
            let Some(root) = root else { continue };
            let joints = path[root..].to_vec();
            let middle = middle.filter(|m| *m > root && *m + 1 < path.len()).map(|m| path[m]);
            if joints.len() > 1 {
                return Some(Limb { role, side, joints, middle, lead: Vec::new() });
            }
        }
        None
    }

    /// Mirrored branches that the names did not tell.
    fn pair_limbs(&mut self) {
        let found = pairs::limb_pairs(self.tree);
        let taken = |role: Role, draft: &Self| {
            draft.pairs.iter().any(|(r, _)| *r == role) || draft.single.iter().any(|l| l.role == role)
        };
        let untold: Vec<Pair> = found.iter().copied().filter(|pair| !self.overlaps_named(pair)).collect();
        if untold.is_empty() || (taken(Role::Arm, self) && taken(Role::Leg, self)) {
            return;
        }
        let roles = self.roles_of(&untold);
        for (pair, role) in untold.iter().zip(roles) {
            if taken(role, self) && self.named {
                continue;
            }
            let paths = pair.starts.map(|start| self.tree.longest_path(start));
            let ratio = if role == Role::Arm { ARM_RATIO } else { LEG_RATIO };
            let positions = natural_positions(self.tree, pair);
            let triple = segments::split(self.tree, positions, pair.attach, &[&paths[0], &paths[1]], ratio);
            let limb = |path: &[usize]| {
                let last = path.iter().rposition(|j| !self.tree.view.tips[*j]).unwrap_or(0);
                let (root, middle, end) = triple
                    .filter(|t| t.end < path.len())
                    .map_or((0, None, last), |t| (t.root, path.get(t.middle).copied(), t.end));
                Limb { role, side: Side::Middle, joints: path[root..=end.max(root)].to_vec(), middle, lead: Vec::new() }
            };
            self.pairs.push((role, [limb(&paths[0]), limb(&paths[1])]));
        }
    }

    fn overlaps_named(&self, pair: &Pair) -> bool {
        let named = self.pairs.iter().flat_map(|(_, limbs)| limbs).chain(&self.single);
        named.into_iter().any(|limb| {
            limb.joints.iter().any(|j| pair.starts.iter().any(|s| self.tree.is_under(*j, *s)))
                || pair.starts.iter().any(|s| self.tree.is_under(*s, limb.root()))
        })
    }

    /// Arms or legs, for each pair: legs hang nearer to the skeleton's root, arms beside a neck.
    fn roles_of(&self, pairs: &[Pair]) -> Vec<Role> {
        let has = |role: Role| self.pairs.iter().any(|(r, _)| *r == role);
        let depth = |pair: &Pair| self.tree.path_length(&self.tree.path_to(pair.attach));
        match pairs {
            [_] if has(Role::Arm) => vec![Role::Leg],
            [_] if has(Role::Leg) => vec![Role::Arm],
            [one] => vec![if self.tree.parent(one.attach).is_some() { Role::Arm } else { Role::Leg }],
            [a, b] => {
                let arm_score = |pair: &Pair, other: &Pair| {
                    let beside = self
                        .tree
                        .joints_under(pair.attach)
                        .filter(|child| !pair.starts.contains(child) && !self.tree.is_under(other.attach, *child));
                    let neck = beside.map(|c| self.tree.branch(c)).fold(0.0, f64::max)
                        > 0.1 * self.tree.branch(pair.starts[0]);
                    let deeper = depth(pair) > depth(other) * (1.0 + 1e-6);
                    let longer = self.tree.branch(pair.starts[0]) > self.tree.branch(other.starts[0]);
                    f64::from(u8::from(neck)) + 1.5 * f64::from(u8::from(deeper)) - 0.5 * f64::from(u8::from(longer))
                };
                if arm_score(a, b) > arm_score(b, a) { vec![Role::Arm, Role::Leg] } else { vec![Role::Leg, Role::Arm] }
            }
            many => vec![Role::Leg; many.len()],
        }
    }

    /// Hips, chest, spine, neck and head, tail.
    fn place_trunk(&mut self) {
        let roots = |role: Role, draft: &Self| -> Vec<usize> {
            let paired =
                draft.pairs.iter().filter(|(r, _)| *r == role).flat_map(|(_, pair)| pair.iter().map(Limb::root));
            paired.chain(draft.single.iter().filter(|l| l.role == role).map(Limb::root)).collect()
        };
        let (arms, legs) = (roots(Role::Arm, self), roots(Role::Leg, self));
        self.out.chest = self.attach_of(&arms);
        let named_head = self.named_head();
        let all: Vec<usize> = legs.iter().chain(&arms).copied().chain(named_head).collect();
        self.out.hips = match (legs.is_empty(), self.out.chest.or(named_head)) {
            (false, _) => self.tree.common_ancestor(&all).or_else(|| self.attach_of(&legs)),
            (true, Some(top)) => self.tree.path_to(top).first().copied(),
            (true, None) => None,
        };
        self.out.head = named_head.or_else(|| self.head_above(self.out.chest?));
        self.out.four_legged = self.stands_on_four();
        if self.out.four_legged {
            for (role, limbs) in &mut self.pairs {
                *role = Role::Leg;
                limbs.iter_mut().for_each(|limb| limb.role = Role::Leg);
            }
        }
    }

    /// The joint that limbs with these roots hang from.
    fn attach_of(&self, roots: &[usize]) -> Option<usize> {
        match roots {
            [] => None,
            [one] => {
                let mut at = self.tree.parent(*one)?;
                while self.clues[at].part == Some(Part::Shoulder) {
                    at = self.tree.parent(at)?;
                }
                Some(at)
            }
            many => self.tree.common_ancestor(many),
        }
    }

    fn named_head(&self) -> Option<usize> {
        (0..self.tree.count()).find(|j| {
            let clue = self.clues[*j];
            clue.part == Some(Part::Head) && !clue.helper && !self.tree.view.tips[*j]
        })
    }

    /// From the chest up the longest branch that is no limb and has no mirrored one, to the first joint that branches or
    /// ends.
    fn head_above(&self, chest: usize) -> Option<usize> {
        let limbs: Vec<usize> = self.pairs.iter().flat_map(|(_, pair)| pair.iter().map(Limb::root)).collect();
        let beside: Vec<usize> = self
            .tree
            .joints_under(chest)
            .filter(|child| !limbs.iter().any(|root| self.tree.is_under(*root, *child)))
            .collect();
        let alone = |child: usize| {
            let twin = |other: &&usize| {
                **other != child
                    && (self.tree.branch(**other) - self.tree.branch(child)).abs() <= 0.01 * self.tree.branch(child)
            };
            beside.iter().find(twin).is_none()
        };
        let mut neck: Option<usize> = None;
        for child in beside.iter().copied().filter(|c| alone(*c)) {
            if neck.is_none_or(|n| self.tree.branch(child) > self.tree.branch(n)) {
                neck = Some(child);
            }
        }
        let mut at = neck?;
        loop {
            let mut joints = self.tree.joints_under(at);
            match (joints.next(), joints.next()) {
                (Some(next), None) => at = next,
                (None, _) if self.only_marks_the_top(at) => return self.tree.parent(at).filter(|j| *j != chest),
                _ => return Some(at),
            }
        }
    }

    /// A last joint of a file that has End Sites, without a bone of its own ("HeadTop_End").
    fn only_marks_the_top(&self, joint: usize) -> bool {
        let has_bone = self.tree.branch(joint) - self.tree.length[joint] > 1e-6 * self.tree.length[joint];
        self.tree.view.tips.contains(&true) && !has_bone
    }

    /// Four legs: the hind ones at right angles to the trunk, the fore ones along the hind ones.
    fn stands_on_four(&self) -> bool {
        let pair = |role: Role| self.pairs.iter().find(|(r, _)| *r == role).map(|(_, pair)| pair);
        let (Some(hind), Some(fore)) = (pair(Role::Leg), pair(Role::Arm)) else { return false };
        let sum =
            |pair: &[Limb; 2], of: fn(&Limb) -> usize| -> Vec3 { pair.iter().map(|l| self.positions[of(l)]).sum() };
        let along = |pair| (sum(pair, Limb::end) - sum(pair, Limb::root)).try_normalize(0.0);
        // From root to root: the joints of hips and chest may lie well below or above them.
        let trunk = (sum(fore, Limb::root) - sum(hind, Limb::root)).try_normalize(0.0);
        let (Some(hind), Some(fore), Some(trunk)) = (along(hind), along(fore), trunk) else { return false };
        trunk.dot(&hind).abs() < 0.5 && fore.dot(&hind) > 0.6
    }

    /// Chooses the pose to look at, infers the body's frame and gives every limb its side.
    fn take_sides(&mut self) {
        if self.rest_is_impossible() && self.tree.keeps_lengths(self.tree.view.posed) {
            self.positions = self.tree.view.posed;
            self.out.by_posed = true;
        }
        let member = |l: &Limb| Member { root: l.root(), middle: l.middle, end: l.end() };
        let of = |role: Role| -> Vec<[Member; 2]> {
            // Where names tell the sides, pairs without a named side have no say.
            let heard = |limb: &Limb| !self.named || limb.side != Side::Middle;
            let pairs = self.pairs.iter().filter(|(r, [a, _])| *r == role && heard(a));
            pairs.map(|(_, [a, b])| [member(a), member(b)]).collect()
        };
        let (legs, arms) = (of(Role::Leg), of(Role::Arm));
        let anatomy = Anatomy {
            legs: &legs,
            arms: &arms,
            hips: self.out.hips,
            chest: self.out.chest,
            head: self.out.head,
            four_legged: self.out.four_legged,
            named: self.named,
        };
        self.out.frame = body::infer(self.tree, self.positions, &anatomy);
        let left = self.out.frame.left;
        for (_, [a, b]) in &mut self.pairs {
            if a.side == Side::Middle {
                let apart = self.positions[a.root()] - self.positions[b.root()];
                let first_is_left = apart.dot(&left) >= 0.0;
                (a.side, b.side) = if first_is_left { (Side::Left, Side::Right) } else { (Side::Right, Side::Left) };
            }
            if a.side == Side::Right {
                std::mem::swap(a, b);
            }
        }
    }

    /// Legs along the trunk instead of against it, or both sides in one place: no body stands like that.
    fn rest_is_impossible(&self) -> bool {
        let rest = self.tree.view.rest;
        let Some((_, [a, b])) = self.pairs.iter().find(|(role, _)| *role == Role::Leg) else { return false };
        let (Some(hips), Some(top)) = (self.out.hips, self.out.chest.or(self.out.head)) else { return false };
        let trunk = (rest[top] - rest[hips]).try_normalize(0.0);
        let legs = (rest[a.end()] - rest[a.root()] + rest[b.end()] - rest[b.root()]).try_normalize(0.0);
        let apart = (rest[a.root()] - rest[b.root()]).norm();
        match (trunk, legs) {
            (Some(trunk), Some(legs)) => trunk.dot(&legs) > 0.3 || apart <= 0.0,
            _ => true,
        }
    }

    /// The limbs in their order, with fingers, toes and everything left over.
    fn finish(mut self) -> Limbs {
        let pairs = std::mem::take(&mut self.pairs);
        let mut limbs: Vec<Limb> =
            pairs.into_iter().flat_map(|(_, pair)| pair).chain(std::mem::take(&mut self.single)).collect();
        limbs.sort_by_key(|limb| (limb.role, limb.side, limb.root()));
        for role in [Role::Arm, Role::Leg] {
            let roots: Vec<usize> = limbs.iter().filter(|l| l.role == role).map(Limb::root).collect();
            for limb in limbs.iter_mut().filter(|l| l.role == role) {
                // Of four legs each pair has its own branch.
                let own: Vec<usize> =
                    if self.out.four_legged { self.mates(&roots, limb.root()) } else { roots.clone() };
                limb.lead = self
                    .attach_of(&own)
                    .and_then(|attach| self.tree.path_between(attach, limb.root()))
                    .map(|path| path[1..path.len() - 1].to_vec())
                    .unwrap_or_default();
            }
        }
        self.add_trunk(&mut limbs);
        self.add_digits(&mut limbs);
        self.add_chains(&mut limbs);
        self.out.limbs = limbs;
        self.out
    }

    /// Of these limb roots, those that branch off with `root` latest.
    fn mates(&self, roots: &[usize], root: usize) -> Vec<usize> {
        let depth = |other: usize| self.tree.common_ancestor(&[root, other]).map_or(0, |j| self.tree.path_to(j).len());
        let deepest = roots.iter().filter(|r| **r != root).map(|r| depth(*r)).max().unwrap_or(0);
        roots.iter().copied().filter(|r| *r == root || depth(*r) == deepest).collect()
    }

    fn add_trunk(&self, limbs: &mut Vec<Limb>) {
        let chain = |top: usize, end: usize, role: Role| {
            let joints = self.tree.path_between(top, end)?.get(1..)?.to_vec();
            (!joints.is_empty()).then_some(Limb { role, side: Side::Middle, joints, middle: None, lead: Vec::new() })
        };
        let (hips, chest, head) = (self.out.hips, self.out.chest, self.out.head);
        if let (Some(hips), Some(top)) = (hips, chest.or_else(|| self.tree.parent(head?))) {
            limbs.extend(chain(hips, top, Role::Spine));
        }
        if let Some(head) = head {
            let base = chest.filter(|c| self.tree.is_under(head, *c) && *c != head).or_else(|| self.tree.parent(head));
            limbs.extend(base.and_then(|base| chain(base, head, Role::Neck)));
        }
        let named = (0..self.tree.count()).find(|j| self.clues[*j].part == Some(Part::Tail));
        if let Some(start) = named.or_else(|| self.unnamed_tail(limbs)) {
            let joints = self.tree.longest_path(start);
            limbs.push(Limb { role: Role::Tail, side: Side::Middle, joints, middle: None, lead: Vec::new() });
        }
    }

    /// A branch of the hips that leads to no other limb, of two joints or more, against the body's forward direction.
    fn unnamed_tail(&self, limbs: &[Limb]) -> Option<usize> {
        let hips = self.out.hips?;
        self.tree.joints_under(hips).find(|child| {
            let path = self.tree.longest_path(*child);
            let back = path
                .last()
                .map_or(0.0, |tip| (self.positions[hips] - self.positions[*tip]).dot(&self.out.frame.forward));
            let leads_on = limbs.iter().any(|l| self.tree.is_under(l.root(), *child));
            !leads_on && path.len() > 3 && back > 0.3 * self.tree.branch(*child) && self.out.chest.is_some()
        })
    }

    /// Fingers of hands, toes of feet.
    fn add_digits(&self, limbs: &mut Vec<Limb>) {
        let mut found = Vec::new();
        for limb in limbs.iter().filter(|l| matches!(l.role, Role::Arm | Role::Leg)) {
            let role = if limb.role == Role::Arm { Role::Finger } else { Role::Toe };
            found.extend(digits(self.tree, limb, role));
        }
        found.sort_by_key(|limb| (limb.role, limb.side, limb.root()));
        limbs.extend(found);
    }

    /// What is left, from branch to branch or leaf.
    fn add_chains(&self, limbs: &mut Vec<Limb>) {
        let mut taken = vec![false; self.tree.count()];
        for joint in limbs.iter().flat_map(|l| l.joints.iter().chain(&l.lead)).copied().chain(self.out.hips) {
            taken[joint] = true;
        }
        for joint in 0..self.tree.count() {
            if taken[joint] {
                continue;
            }
            let mut joints = vec![joint];
            let mut at = joint;
            while let [only] = self.tree.children[at][..] {
                if taken[only] {
                    break;
                }
                joints.push(only);
                at = only;
            }
            joints.iter().for_each(|j| taken[*j] = true);
            if joints.len() > 1 {
                limbs.push(Limb { role: Role::Chain, side: Side::Middle, joints, middle: None, lead: Vec::new() });
            }
        }
    }
}

/// What hangs from a limb's end: one digit of a role from each child.
pub(super) fn digits<'a>(tree: &'a Tree<'_>, limb: &'a Limb, role: Role) -> impl Iterator<Item = Limb> + 'a {
    let digit =
        move |child| Limb { role, side: limb.side, joints: tree.longest_path(child), middle: None, lead: Vec::new() };
    tree.joints_under(limb.end()).map(digit)
}

/// The positions in which a pair's proportions are read: the rest pose, or the natural pose where the rest pose lays
/// both branches on each other.
fn natural_positions<'a>(tree: &Tree<'a>, pair: &Pair) -> &'a [Vec3] {
    let rest = tree.view.rest;
    let apart = |positions: &[Vec3]| {
        let ends = pair.starts.map(|s| tree.longest_path(s).last().copied().unwrap_or(s));
        (positions[ends[0]] - positions[ends[1]]).norm()
    };
    if tree.keeps_lengths(tree.view.posed) && apart(rest) < 0.3 * apart(tree.view.posed) {
        tree.view.posed
    } else {
        rest
    }
}

//! Which joint of one figure stands for which of the other.

use super::Figure;
use crate::{
    eval::limbs::{Limb, Role, Side},
    math::Vec3,
};
use std::collections::BTreeMap;

/// How a joint's counterpart was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// Both are the same part of a body.
    Role,
    /// Their names agree but for case, marks and what stands before a colon.
    Name,
    /// They are the only ones left between joints that are mapped.
    Hierarchy,
    /// They rest at the same place of the body.
    Position,
    /// The user has said so.
    Hand,
}

/// A joint between two of the other figure: chains of other lengths share out what turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The other joint.
    pub with: usize,
    /// How much of the way to its rotation, 0..1.
    pub part: f64,
    /// Whether only the turn about the bone is shared, as in an arm, where a split bone must stay straight; else all of it,
    /// as in a spine.
    pub twist_only: bool,
}

/// The counterpart of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// The source's joint, by index.
    pub source: usize,
    /// What else it takes from.
    pub share: Option<Share>,
    /// How it was found.
    pub how: How,
}

/// The counterpart of each joint of the target, by its index; none stays at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointMap {
    /// One entry a joint of the target.
    pub joints: Vec<Option<Mapping>>,
}

/// From this share of names in common on, names say more than shapes.
const SAME_NAMES: f64 = 0.8;
/// Joints further apart than this share of the figure's size do not rest at the same place.
const SAME_PLACE: f64 = 0.06;
/// The words by which fingers are told apart.
const FINGERS: [&[&str]; 5] = [&["thumb"], &["index"], &["mid"], &["ring"], &["pinky", "little"]];

impl JointMap {
    /// Nothing mapped.
    #[must_use]
    pub fn none(count: usize) -> Self {
        Self { joints: vec![None; count] }
    }

    /// The map that is found: by roles, then names, then hierarchy, then places; by names first where most agree.
    #[must_use]
    pub fn find(source: &Figure, target: &Figure) -> Self {
        let mut finder = Finder::new(source, target);
        if finder.names_agree() {
            finder.by_name();
        } else {
            finder.by_role();
            finder.by_name();
        }
        finder.travelling();
        // What one finds may let another find more.
        finder.by_hierarchy();
        finder.by_place();
        finder.by_hierarchy();
        Self { joints: finder.joints }
    }

    /// The counterpart of a joint of the target.
    #[must_use]
    pub fn of(&self, target: usize) -> Option<&Mapping> {
        self.joints.get(target)?.as_ref()
    }

    /// The joint of the target that stands for one of the source: the first there is.
    #[must_use]
    pub fn target_of(&self, source: usize) -> Option<usize> {
        self.joints.iter().position(|mapping| mapping.is_some_and(|mapping| mapping.source == source))
    }

    /// How many joints of the target have a counterpart.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.iter().flatten().count()
    }

    /// Whether nothing is mapped.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.iter().all(Option::is_none)
    }

    /// Says by hand what stands for a joint of the target; none for nothing. A joint that does not exist is passed over.
    pub fn set(&mut self, target: usize, source: Option<usize>) {
        if let Some(entry) = self.joints.get_mut(target) {
            *entry = source.map(|source| Mapping { source, share: None, how: How::Hand });
        }
    }

    /// The map without what does not exist in the figures.
    #[must_use]
    pub fn sound(&self, source: &Figure, target: &Figure) -> Self {
        let count = source.rest.len();
        let mut joints = self.joints.clone();
        joints.resize(target.rest.len(), None);
        for entry in &mut joints {
            *entry = entry.filter(|mapping| mapping.source < count).map(|mapping| Mapping {
                share: mapping.share.filter(|share| share.with < count && share.part.is_finite()),
                ..mapping
            });
        }
        Self { joints }
    }
}

struct Finder<'a> {
    source: &'a Figure,
    target: &'a Figure,
    joints: Vec<Option<Mapping>>,
    used: Vec<bool>,
}

/// A chain of joints and what it hangs from.
struct Line {
    parent: Option<usize>,
    joints: Vec<usize>,
}

impl<'a> Finder<'a> {
    fn new(source: &'a Figure, target: &'a Figure) -> Self {
        Self { source, target, joints: vec![None; target.rest.len()], used: vec![false; source.rest.len()] }
    }

    fn put(&mut self, target: usize, mapping: Mapping) {
        let moves = |figure: &Figure, joint: usize| figure.skeleton().joints().get(joint).is_some_and(|j| !j.is_end());
        if moves(self.target, target) && moves(self.source, mapping.source) && self.joints[target].is_none() {
            self.joints[target] = Some(mapping);
            self.used[mapping.source] = true;
        }
    }

    fn pair(&mut self, target: usize, source: usize, how: How) {
        self.put(target, Mapping { source, share: None, how });
    }

    fn names_agree(&self) -> bool {
        let source = unique_names(self.source, plain);
        let target = unique_names(self.target, plain);
        let all = self.target.skeleton().joints().iter().filter(|joint| !joint.is_end()).count();
        let same = target.keys().filter(|name| source.contains_key(*name)).count();
        all > 0 && same as f64 >= SAME_NAMES * all as f64
    }

    /// Names as they are, then in their plain form: `Jaw` and `__Jaw` may be two joints.
    fn by_name(&mut self) {
        for form in [str::to_owned, plain] {
            let source = unique_names(self.source, form);
            for (name, target) in unique_names(self.target, form) {
                if let Some(source) = source.get(&name).copied().filter(|source| !self.used[*source])
                    && self.joints[target].is_none()
                    && self.fits(target, source)
                {
                    self.pair(target, source, How::Name);
                }
            }
        }
    }

    /// Whether a pair agrees with what is mapped above it.
    fn fits(&self, target: usize, source: usize) -> bool {
        self.mapped_above(target).is_none_or(|above| self.source.is_under(source, above))
    }

    /// The counterpart of the nearest mapped joint above.
    fn mapped_above(&self, target: usize) -> Option<usize> {
        let parents = self.target.skeleton().parents();
        let mut above = std::iter::successors(parents[target], |at| parents[*at]);
        above.find_map(|at| self.joints[at]).map(|mapping| mapping.source)
    }

    fn by_role(&mut self) {
        let (source, target) = (self.source, self.target);
        if let (Some(from), Some(to)) = (source.limbs.hips, target.limbs.hips) {
            self.pair(to, from, How::Role);
        }
        for role in [Role::Spine, Role::Neck, Role::Tail] {
            if let (Some(from), Some(to)) = (first(source, role), first(target, role)) {
                self.shared(&line(source, from), &line(target, to));
            }
        }
        for (from, to) in [(source.limbs.chest, target.limbs.chest), (source.limbs.head, target.limbs.head)] {
            if let (Some(from), Some(to)) = (from, to) {
                self.pair(to, from, How::Role);
            }
        }
        for side in Side::ALL {
            let legs = [false, true].map(|fore| (leg(source, side, fore), leg(target, side, fore)));
            let arms = (source.limbs.limb(Role::Arm, side), target.limbs.limb(Role::Arm, side));
            let fore = (legs[1].0.or(arms.0), legs[1].1.or(arms.1));
            for (from, to) in [legs[0], arms, fore] {
                if let (Some(from), Some(to)) = (from, to) {
                    self.limb(from, to);
                }
            }
        }
    }

    /// Arms and legs: what leads to them, the upper part, the lower part, the end, fingers and toes.
    fn limb(&mut self, from: &Limb, to: &Limb) {
        if self.joints[to.root()].is_some() {
            return;
        }
        let lead = |figure: &Figure, limb: &Limb| {
            let first = limb.lead.first().copied().unwrap_or(limb.root());
            Line { parent: figure.skeleton().parents()[first], joints: limb.lead.clone() }
        };
        self.shared(&lead(self.source, from), &lead(self.target, to));
        let halves =
            |limb: &Limb| limb.middle_place().map(|at| (limb.joints[..at].to_vec(), limb.joints[at..].to_vec()));
        match (halves(from), halves(to)) {
            (Some((from_upper, from_lower)), Some((to_upper, to_lower))) => {
                self.segment(&from_upper, from_lower[0], &to_upper);
                self.segment(&from_lower[..from_lower.len() - 1], from.end(), &to_lower[..to_lower.len() - 1]);
            }
            _ => {
                let upper = |limb: &Limb| limb.joints[..limb.joints.len() - 1].to_vec();
                let parent = self.source.skeleton().parents()[from.root()];
                self.pair(to.root(), from.root(), How::Role);
                self.shared(&Line { parent, joints: upper(from) }, &Line { parent: None, joints: upper(to) });
            }
        }
        self.pair(to.end(), from.end(), How::Role);
        self.digits(from, to);
    }

    /// A part of a limb that is one bone to the eye: split bones take their share of the turn about it.
    fn segment(&mut self, from: &[usize], next: usize, to: &[usize]) {
        let (Some(first), count) = (from.first().copied(), from.len()) else { return };
        for (at, joint) in to.iter().enumerate() {
            let place = (at * count) as f64 / to.len() as f64;
            let below = (place.floor() as usize).min(count - 1);
            let part = place - below as f64;
            let share = (part > 1e-9).then(|| Share {
                with: from.get(below + 1).copied().unwrap_or(next),
                part,
                twist_only: true,
            });
            self.put(*joint, Mapping { source: from.get(below).copied().unwrap_or(first), share, how: How::Role });
        }
    }

    /// A chain that bends along its length: each joint takes its share of the turn from the parent to the end.
    fn shared(&mut self, from: &Line, to: &Line) {
        let count = from.joints.len();
        if count == 0 {
            return;
        }
        let at = |place: usize| if place == 0 { from.parent } else { from.joints.get(place - 1).copied() };
        for (index, joint) in to.joints.iter().enumerate() {
            let place = ((index + 1) * count) as f64 / to.joints.len() as f64;
            let below = place.floor() as usize;
            let part = place - below as f64;
            let mapping = match (at(below), at(below + 1)) {
                (Some(source), Some(with)) if part > 1e-9 => {
                    Mapping { source, share: Some(Share { with, part, twist_only: false }), how: How::Role }
                }
                (Some(source), _) if part <= 1e-9 => Mapping { source, share: None, how: How::Role },
                (_, Some(source)) | (Some(source), None) => Mapping { source, share: None, how: How::Role },
                (None, None) => continue,
            };
            self.put(*joint, mapping);
        }
    }

    /// Fingers of a hand or toes of a foot, by their names, else by their order.
    fn digits(&mut self, from: &Limb, to: &Limb) {
        for role in [Role::Finger, Role::Toe] {
            let of = |figure: &'a Figure, end: usize| -> Vec<&'a Limb> {
                figure.limbs.of_role(role).filter(|digit| figure.is_under(digit.root(), end)).collect()
            };
            let (sources, targets) = (of(self.source, from.end()), of(self.target, to.end()));
            for (place, digit) in targets.iter().enumerate() {
                let named = finger(self.target, digit)
                    .and_then(|kind| sources.iter().find(|other| finger(self.source, other) == Some(kind)));
                let alike = sources.len() == targets.len() || role == Role::Toe;
                let ordered = || sources.get(place.min(sources.len().saturating_sub(1))).filter(|_| alike);
                let unnamed = finger(self.target, digit).is_none();
                if let Some(other) = named.or_else(|| if unnamed { ordered() } else { None }) {
                    self.shared(&line(self.source, other), &line(self.target, digit));
                }
            }
        }
    }

    /// What carries the body must be mapped, or nothing of its way would be kept.
    fn travelling(&mut self) {
        let (source, target) = (self.source.travels(), self.target.travels());
        let (known, other) = (self.source.limbs.hips.is_some(), self.target.limbs.hips.is_some());
        if known == other && !self.source.rest.is_empty() && !self.target.rest.is_empty() {
            self.pair(target, source, if known { How::Role } else { How::Hierarchy });
        }
    }

    /// Joints that are the only ones left under joints that are mapped to each other.
    fn by_hierarchy(&mut self) {
        for joint in 0..self.joints.len() {
            let Some(mapping) = self.joints[joint] else { continue };
            let left = |figure: &Figure, parent: usize, free: &dyn Fn(usize) -> bool| -> Vec<usize> {
                let skeleton = figure.skeleton();
                skeleton.children(parent).filter(|child| !skeleton.joints()[*child].is_end() && free(*child)).collect()
            };
            let targets = left(self.target, joint, &|child| self.joints[child].is_none());
            let sources = left(self.source, mapping.source, &|child| !self.used[child]);
            if let ([to], [from]) = (&targets[..], &sources[..])
                && !self.stands_between(*to)
            {
                self.pair(*to, *from, How::Hierarchy);
            }
        }
    }

    /// Whether something under a joint is mapped already: it is then a joint more, not the same one.
    fn stands_between(&self, target: usize) -> bool {
        (target + 1..self.joints.len()).any(|under| self.joints[under].is_some() && self.target.is_under(under, target))
    }

    fn by_place(&mut self) {
        let place = |figure: &Figure, joint: usize| -> Option<Vec3> {
            (figure.size > 0.0).then(|| (figure.positions[joint] - figure.positions[figure.travels()]) / figure.size)
        };
        for target in 0..self.joints.len() {
            if self.joints[target].is_some() || self.stands_between(target) {
                continue;
            }
            let (Some(at), Some(above)) = (place(self.target, target), self.mapped_above(target)) else { continue };
            let free = (0..self.used.len())
                .filter(|source| !self.used[*source] && *source != above && self.source.is_under(*source, above));
            let apart = free.filter_map(|source| Some((source, (place(self.source, source)? - at).norm())));
            let nearest = apart.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, apart)| *apart < SAME_PLACE);
            if let Some((source, _)) = nearest {
                self.pair(target, source, How::Position);
            }
        }
    }
}

fn first(figure: &Figure, role: Role) -> Option<&Limb> {
    figure.limbs.of_role(role).next()
}

fn leg(figure: &Figure, side: Side, fore: bool) -> Option<&Limb> {
    figure.limbs.of_role(Role::Leg).find(|limb| limb.side == side && figure.is_foreleg(limb) == fore)
}

fn line(figure: &Figure, limb: &Limb) -> Line {
    let ends = |joint: &usize| figure.skeleton().joints()[*joint].is_end();
    let joints = limb.lead.iter().chain(&limb.joints).copied().filter(|joint| !ends(joint)).collect::<Vec<_>>();
    let parent = joints.first().and_then(|first| figure.skeleton().parents()[*first]);
    Line { parent, joints }
}

fn finger(figure: &Figure, digit: &Limb) -> Option<usize> {
    let name = plain(&figure.skeleton().joints()[digit.root()].name);
    FINGERS.iter().position(|words| words.iter().any(|word| name.contains(word)))
}

/// The joints by a form of their names, tips and repeated names left out.
fn unique_names(figure: &Figure, form: fn(&str) -> String) -> BTreeMap<String, usize> {
    let mut names: BTreeMap<String, Option<usize>> = BTreeMap::new();
    for (index, joint) in figure.skeleton().joints().iter().enumerate().filter(|(_, joint)| !joint.is_end()) {
        names.entry(form(&joint.name)).and_modify(|known| *known = None).or_insert(Some(index));
    }
    names.into_iter().filter_map(|(name, index)| Some((name, index?))).filter(|(name, _)| !name.is_empty()).collect()
}

/// A name without case, marks and what stands before a colon.
fn plain(name: &str) -> String {
    let own = name.rsplit(':').next().unwrap_or(name);
    own.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

//! In which order the constraints of one object act, and which of them wait for themselves.

use super::{
    chain::ChainPath, constraint::Constraint, id::ObjectId, object::Object, pin::PinSpace, skeleton::Skeleton,
};
use std::collections::BTreeMap;

/// The constraints of an object by their place in its list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstraintOrder {
    /// Those of joints, each after all that move what it looks at or what its joint hangs on; ties as listed. An IK chain
    /// acts after the constraints of the joints that it turns, and before those of its end and of what hangs on it; chains
    /// that move the whole figure act before those that do not.
    pub joints: Vec<usize>,
    /// Those that wait for themselves: of the object itself that look at it or its joints, of joints that look at what they
    /// move. They do not act.
    pub waiting: Vec<usize>,
    /// The joints of the IK chains, by their place in the list.
    pub paths: BTreeMap<usize, ChainPath>,
}

impl ConstraintOrder {
    /// The order of an object's constraints. Those of joints that do not exist are passed over, and chains without a path.
    #[must_use]
    pub fn new(id: ObjectId, object: &Object) -> Self {
        let mut found = Self::default();
        if object.constraints.is_empty() {
            return found;
        }
        let own = object.constraints.iter().enumerate().filter(|(_, constraint)| constraint.joint.is_none());
        found.waiting.extend(own.filter(|(_, c)| c.needs().any(|need| need == id)).map(|(place, _)| place));
        let Some(rig) = object.as_rig() else { return found };
        let of_joints = object.constraints.iter().enumerate();
        let nodes: Vec<Node<'_>> =
            of_joints.filter_map(|(place, constraint)| Node::new(id, &rig.skeleton, place, constraint)).collect();
        let mut open: Vec<&Node<'_>> = nodes.iter().collect();
        while let Some(next) = open.iter().position(|node| !open.iter().any(|other| node.waits_for(other))) {
            found.joints.push(open.remove(next).place);
        }
        // What waits only for one of a circle acts after all: the circle is what is left out.
        let circle = |node: &&Node<'_>| reaches(&open, node);
        let (closed, after): (Vec<&Node<'_>>, Vec<&Node<'_>>) = open.iter().copied().partition(circle);
        found.waiting.extend(closed.iter().map(|node| node.place));
        let mut open = after;
        while let Some(next) = open.iter().position(|node| !open.iter().any(|other| node.waits_for(other))) {
            found.joints.push(open.remove(next).place);
        }
        found.waiting.sort_unstable();
        found.paths = nodes.into_iter().filter_map(|node| Some((node.place, node.chain?))).collect();
        found
    }
}

/// Whether a node of a list waits for itself through others of it.
fn reaches(all: &[&Node<'_>], start: &Node<'_>) -> bool {
    let mut seen = vec![false; all.len()];
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for (index, other) in all.iter().enumerate().filter(|(_, other)| at.waits_for(other)) {
            if other.place == start.place {
                return true;
            }
            if seen.get(index) == Some(&false) {
                seen[index] = true;
                open.push(other);
            }
        }
    }
    false
}

/// A constraint of a joint.
struct Node<'a> {
    skeleton: &'a Skeleton,
    place: usize,
    joint: usize,
    /// The joints of an IK chain.
    chain: Option<ChainPath>,
    /// The joints of the same rig that it looks at.
    reads: Vec<usize>,
}

impl<'a> Node<'a> {
    fn new(id: ObjectId, skeleton: &'a Skeleton, place: usize, constraint: &Constraint) -> Option<Self> {
        let joint = skeleton.index_of(constraint.joint?)?;
        let read = |space: PinSpace| match space {
            PinSpace::Joint(object, joint) if object == id => skeleton.index_of(joint),
            _ => None,
        };
        let reads = constraint.spaces().into_iter().filter_map(read).collect();
        let chain = match constraint.as_chain() {
            Some(chain) => Some(ChainPath::new(skeleton, chain.base, constraint.joint?)?),
            None => None,
        };
        Some(Self { skeleton, place, joint, chain, reads })
    }

    /// The joint that it moves with all that hangs on it.
    fn moves(&self) -> usize {
        self.chain.as_ref().map_or(self.joint, |chain| chain.carrier.unwrap_or(chain.top))
    }

    fn waits_for(&self, other: &Self) -> bool {
        let under = |joint: usize, top: usize| is_under(self.skeleton, joint, top);
        let (listed, below) = (other.place < self.place, other.moves());
        let earlier = match (&self.chain, &other.chain) {
            (None, None) if self.joint == other.joint => listed,
            (None, None) => under(self.joint, other.joint),
            (None, Some(chain)) => !shapes(self.skeleton, self.joint, chain) && under(self.joint, below),
            (Some(chain), None) => shapes(self.skeleton, other.joint, chain),
            (Some(own), Some(chain)) => match (own.carrier.is_some(), chain.carrier.is_some()) {
                (false, true) => true,
                (true, false) => false,
                _ if own.top == chain.top => listed,
                _ => under(own.top, chain.top),
            },
        };
        earlier || self.reads.iter().any(|joint| under(*joint, below))
    }
}

/// Whether a joint is one that a chain turns, or carries all of it: what moves it shapes the pose the chain starts from.
fn shapes(skeleton: &Skeleton, joint: usize, chain: &ChainPath) -> bool {
    chain.turns(joint) || is_under(skeleton, chain.top, joint)
}

/// Whether a joint is another or hangs on it, by index.
fn is_under(skeleton: &Skeleton, joint: usize, top: usize) -> bool {
    let mut at = Some(joint);
    while let Some(index) = at.filter(|index| *index >= top) {
        if index == top {
            return true;
        }
        at = skeleton.parents().get(index).copied().flatten();
    }
    false
}

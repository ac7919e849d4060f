//! In which order the constraints of one object act, and which of them wait for themselves.

use super::{
    constraint::Constraint,
    id::{JointId, ObjectId},
    object::Object,
    pin::PinSpace,
    skeleton::Skeleton,
};

/// The constraints of an object by their place in its list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstraintOrder {
    /// Those of joints, each after all that move what it looks at or what its joint hangs on; ties as listed.
    pub joints: Vec<usize>,
    /// Those that wait for themselves: of the object itself that look at it or its joints, of joints that look at what they
    /// move. They do not act.
    pub waiting: Vec<usize>,
}

impl ConstraintOrder {
    /// The order of an object's constraints. Those of joints that do not exist are passed over.
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
        Some(Self { skeleton, place, joint, reads })
    }

    fn waits_for(&self, other: &Self) -> bool {
        let hangs = |joint: usize| is_under(self.skeleton, joint, other.joint);
        let earlier = if self.joint == other.joint { other.place < self.place } else { hangs(self.joint) };
        earlier || self.reads.iter().any(|joint| hangs(*joint))
    }
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

/// Whether a joint is moved by a constraint that is on.
#[must_use]
pub fn holds_joint(object: &Object, joint: JointId) -> bool {
    object.constraints.iter().any(|constraint| constraint.joint == Some(joint) && !constraint.muted)
}

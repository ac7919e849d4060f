//! What waits for what: cycles of pins and constraints that no order of solving can satisfy.

use super::{
    document::Document,
    id::{JointId, ObjectId},
    object::Parent,
    pin::{Pin, PinSpace},
    skeleton::Skeleton,
};
use std::collections::{BTreeMap, BTreeSet};

/// The members of cycles that pins and constraints close, by name: objects that wait for each other through the spaces of
/// their pins or through what their constraints look at, and pins of one clip each held in what another, or itself, moves. Empty in a sound document.
///
/// What a pin turns between its joint and the root of its limb is not known here; [`crate::eval::pins`] leaves out the pins
/// that wait for each other there.
pub(super) fn cycles(document: &Document) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let spaces: BTreeSet<(ObjectId, ObjectId)> = document
        .clips
        .values()
        .flat_map(|clip| &clip.pins)
        .filter_map(|pin| Some((pin.object, pin.space.object()?)))
        .chain(document.objects.iter().flat_map(|(id, object)| {
            object.constraints.iter().flat_map(|constraint| constraint.needs()).map(|need| (*id, need))
        }))
        .collect();
    let closed = |(from, to): &(ObjectId, ObjectId)| from != to && waits_for(document, &spaces, *to, *from);
    let members: BTreeSet<ObjectId> =
        spaces.iter().filter(|edge| closed(edge)).flat_map(|(from, to)| [*from, *to]).collect();
    if !members.is_empty() {
        let name = |id: &ObjectId| document.object(*id).map_or_else(|| id.to_string(), |o| format!("'{}'", o.name));
        found.push(members.iter().map(name).collect());
    }
    for (id, object) in document.objects.iter() {
        let waiting = super::constraint_order::ConstraintOrder::new(*id, object).waiting;
        if !waiting.is_empty() {
            let name = |place: &usize| {
                let constraint = object.constraints.get(*place)?;
                let joint = constraint.joint.and_then(|joint| object.as_rig()?.skeleton.joint(joint));
                let of = joint.map_or(&object.name, |joint| &joint.name);
                Some(format!("the constraint '{}' of '{of}'", constraint.called()))
            };
            found.push(waiting.iter().filter_map(name).collect());
        }
    }
    for clip in document.clips.values() {
        let within = |pin: &&std::sync::Arc<Pin>| matches!(pin.space, PinSpace::Joint(of, _) if of == pin.object);
        let pins: Vec<&Pin> = clip.pins.iter().filter(within).map(|pin| &**pin).collect();
        let members = self_waiting(document, &pins, &clip.pins);
        if !members.is_empty() {
            found.push(members);
        }
    }
    found
}

/// Whether an object, through parents and spaces of pins, waits for another.
fn waits_for(document: &Document, spaces: &BTreeSet<(ObjectId, ObjectId)>, object: ObjectId, wanted: ObjectId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![object];
    while let Some(at) = open.pop() {
        if at == wanted {
            return true;
        }
        if seen.insert(at) {
            open.extend(document.object(at).and_then(|object| object.parent).map(Parent::object));
            open.extend(spaces.iter().filter(|(from, to)| *from == at && to != &at).map(|(_, to)| *to));
        }
    }
    false
}

/// The pins in a joint's space of their own rig that wait for themselves.
fn self_waiting(document: &Document, waiting: &[&Pin], all: &[std::sync::Arc<Pin>]) -> Vec<String> {
    let skeleton = |object| document.object(object).and_then(|object| object.as_rig()).map(|rig| &*rig.skeleton);
    let moves = |pin: &Pin, object: ObjectId, joint: JointId| {
        pin.object == object && skeleton(object).is_some_and(|skeleton| hangs_from(skeleton, joint, pin.joint))
    };
    // By id: the pins that each one waits for, which matters only where those wait too.
    let edges: BTreeMap<_, Vec<_>> = waiting
        .iter()
        .filter_map(|pin| match pin.space {
            PinSpace::Joint(object, joint) => {
                let movers = all.iter().filter(|other| moves(other, object, joint));
                Some((pin.id, movers.map(|other| other.id).collect()))
            }
            _ => None,
        })
        .collect();
    let on_cycle = |start| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<_> = edges.get(&start).cloned().unwrap_or_default();
        while let Some(at) = open.pop() {
            if at == start {
                return true;
            }
            if seen.insert(at) {
                open.extend(edges.get(&at).into_iter().flatten());
            }
        }
        false
    };
    waiting.iter().filter(|pin| on_cycle(pin.id)).map(|pin| format!("pin {} of joint {}", pin.id, pin.joint)).collect()
}

/// Whether a joint is another or below it.
fn hangs_from(skeleton: &Skeleton, joint: JointId, top: JointId) -> bool {
    let top = skeleton.index_of(top);
    let mut at = skeleton.index_of(joint);
    while let Some(index) = at {
        if Some(index) == top {
            return true;
        }
        at = skeleton.parents().get(index).copied().flatten();
    }
    false
}

//! The constraints of a rig's joints on its pose.

use super::{Stand, chain, chain::ChainReport, held, numbers, solved_space};
use crate::{
    eval::{drag::pose::Pose, ik::JointLimit, pipeline::ObjectFrame},
    math::{Affine, Transform, Vec3},
    model::{Document, Object, ObjectId, PinSpace, Skeleton, constraint_order::ConstraintOrder},
};
use std::collections::BTreeMap;

/// Whether an object has a constraint of a joint that is on.
#[must_use]
pub fn moves_joints(object: &Object) -> bool {
    object.constraints.iter().any(|constraint| constraint.joint.is_some() && !constraint.muted)
}

/// Whether an IK chain of an object is on that keeps to the limits of joints.
#[must_use]
pub fn keeps_limits(object: &Object) -> bool {
    let on = object.constraints.iter().filter(|constraint| !constraint.muted);
    on.filter_map(|constraint| constraint.as_chain()).any(|chain| chain.limits)
}

/// A pose with its constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constrained {
    /// The joints' local transforms; none where nothing acts.
    pub locals: Option<Vec<Transform>>,
    /// The chains that are on, in the order in which they act.
    pub chains: Vec<ChainReport>,
}

/// The pose of a rig with the constraints of its joints, in their [`ConstraintOrder`]. Joints below go with those that are
/// moved. `world` is from the rig object to the world, `solved` the other objects; `limits` of the joints, by index, for chains
/// that keep to them.
#[must_use]
pub fn constrained_joints(
    document: &Document,
    (id, order): (ObjectId, &ConstraintOrder),
    secs: f64,
    (world, locals): (&Affine, &[Transform]),
    (solved, limits): (&BTreeMap<ObjectId, ObjectFrame>, &[Option<JointLimit>]),
) -> Constrained {
    let mut done = Constrained::default();
    let Some(object) = document.object(id) else { return done };
    let Some(rig) = object.as_rig() else { return done };
    let skeleton = &rig.skeleton;
    let find = |pose: &Pose<'_>, space: PinSpace| space_of(document, (id, skeleton, world), pose, solved, space);
    let mut pose: Option<Pose<'_>> = None;
    for place in &order.joints {
        let Some(constraint) = object.constraints.get(*place).filter(|constraint| !constraint.muted) else { continue };
        let Some(joint) = constraint.joint.and_then(|joint| skeleton.index_of(joint)) else { continue };
        let start = || Pose::new(skeleton.tree(), locals, world);
        if constraint.as_chain().is_some() {
            let Some(path) = order.paths.get(place) else { continue };
            let of = (id, &**constraint, &**skeleton);
            let pose = pose.get_or_insert_with(start);
            done.chains.extend(chain::reach(document, (of, path, limits), secs, pose, &find));
            continue;
        }
        let (weight, source) = numbers(document, id, constraint, secs);
        if weight <= 0.0 {
            continue;
        }
        let pose = pose.get_or_insert_with(start);
        let own = Stand::turned(&pose.world(joint), pose.rotation(joint));
        if let Some(to) = held(&constraint.kind, &own, source, &|space| find(pose, space)) {
            bring(pose, joint, &own, &own.toward(&to, weight));
        }
    }
    done.locals = pose.map(Pose::into_locals);
    done
}

/// A space in the world: of the rig itself as its pose is now, of other objects as they are solved.
fn space_of(
    document: &Document,
    (id, skeleton, world): (ObjectId, &Skeleton, &Affine),
    pose: &Pose<'_>,
    solved: &BTreeMap<ObjectId, ObjectFrame>,
    space: PinSpace,
) -> Option<Affine> {
    match space {
        PinSpace::Object(object) if object == id => Some(*world),
        PinSpace::Joint(object, joint) if object == id => Some(pose.world(skeleton.index_of(joint)?)),
        space => solved_space(document, solved, space),
    }
}

/// Gives a joint what differs from what it has.
fn bring(pose: &mut Pose<'_>, joint: usize, own: &Stand, to: &Stand) {
    if to.rotation != own.rotation {
        pose.set_rotation(joint, &to.rotation);
    }
    if to.place != own.place {
        pose.shift(joint, &(to.place - own.place));
    }
    if to.scale != own.scale {
        let stretch = |axis: usize| if own.scale[axis] > 0.0 { to.scale[axis] / own.scale[axis] } else { 1.0 };
        pose.stretch(joint, &Vec3::new(stretch(0), stretch(1), stretch(2)));
    }
}

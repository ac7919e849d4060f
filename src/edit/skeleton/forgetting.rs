//! What goes with joints that go.

use super::{Children, following::change_skins, remove::gone, tree::skeleton_of};
use crate::{
    edit::{constraints::forget_constraint, objects::forget_target},
    math::{Affine, Transform},
    model::{
        ChannelPath, Clip, ClipId, ConstraintId, Document, JointId, ObjectId, Parent, Pin, PinSpace, RetimeScope,
        SkinJoint, Target, object::Object,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What a deletion takes with it, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Joints and bones' tips.
    pub joints: usize,
    /// Curves, in all clips.
    pub curves: usize,
    /// Pins that held them, or held something in their spaces.
    pub pins: usize,
    /// Constraints that moved them or looked at them.
    pub constraints: usize,
    /// Drivers of them, or that read them.
    pub drivers: usize,
}

/// What would go if joints were deleted; nothing where there is no such rig.
#[must_use]
pub fn lost(document: &Document, object: ObjectId, joints: &BTreeSet<JointId>, children: Children) -> Lost {
    let Ok(skeleton) = skeleton_of(document, object) else { return Lost::default() };
    let gone = gone(&skeleton, joints, children);
    let is_gone =
        |target: Target| target.object() == object && target.joint().is_some_and(|joint| gone.contains(&joint));
    let clips = || document.clips.values();
    let drivers = document.objects.values().flat_map(|object| &object.drivers);
    Lost {
        joints: gone.len(),
        curves: clips().flat_map(|clip| clip.channels.keys()).filter(|path| is_gone(path.target)).count(),
        pins: clips().flat_map(|clip| &clip.pins).filter(|pin| needs(pin, object, &gone)).count(),
        constraints: lost_constraints(document, object, &gone).len(),
        drivers: drivers.filter(|it| is_gone(it.driven.target) || is_gone(it.source.target)).count(),
    }
}

fn needs(pin: &Pin, object: ObjectId, gone: &BTreeSet<JointId>) -> bool {
    let held = pin.object == object && gone.contains(&pin.joint);
    held || matches!(pin.space, PinSpace::Joint(of, joint) if of == object && gone.contains(&joint))
}

/// Takes out everything in the document that names joints that go, or gives it to the joint they hung on. What the rig itself
/// says about them is not touched. `model` is the rest pose before, in the rig's space.
pub(super) fn forget(
    document: &mut Document,
    object: ObjectId,
    gone: &BTreeSet<JointId>,
    heir: impl Fn(JointId) -> Option<JointId>,
    model: &BTreeMap<JointId, Affine>,
) {
    for joint in gone {
        forget_target(document, Target::Joint(object, *joint));
    }
    for (of, constraint) in lost_constraints(document, object, gone) {
        forget_constraint(document, of, constraint);
        if let Some(object) = document.object_mut(of) {
            object.constraints.retain(|other| other.id != constraint);
        }
    }
    let is_gone =
        |target: Target| target.object() == object && target.joint().is_some_and(|joint| gone.contains(&joint));
    let named = |clip: &Clip| {
        clip.pins.iter().any(|pin| needs(pin, object, gone))
            || clip.retimes.iter().any(|retime| {
                let RetimeScope::Joints(joints) = &retime.scope else { return false };
                retime.object == object && !joints.is_disjoint(gone)
            })
    };
    let clips: Vec<ClipId> = document.clips.iter().filter(|(_, clip)| named(clip)).map(|(id, _)| *id).collect();
    for id in clips {
        if let Some(clip) = document.clip_mut(id) {
            forget_in(clip, object, gone);
        }
    }
    if document.snapshots.values().any(|snapshot| snapshot.channels.keys().any(|path| is_gone(path.target))) {
        for snapshot in Arc::make_mut(&mut document.snapshots).values_mut() {
            if snapshot.channels.keys().any(|path| is_gone(path.target)) {
                Arc::make_mut(snapshot).channels.retain(|path, _| !is_gone(path.target));
            }
        }
    }
    let gone_node = |node: &Parent| matches!(node, Parent::Joint(of, joint) if *of == object && gone.contains(joint));
    if document.node_order.iter().any(gone_node) {
        Arc::make_mut(&mut document.node_order).retain(|node| !gone_node(node));
    }
    let inherited = |joint: JointId| {
        let heir = heir(joint);
        let above = heir.and_then(|heir| model.get(&heir)).copied().unwrap_or(Affine::IDENTITY);
        let from_gone = above.try_inverse().unwrap_or(Affine::IDENTITY) * model.get(&joint).copied().unwrap_or(above);
        (heir.map_or(Parent::Object(object), |heir| Parent::Joint(object, heir)), from_gone)
    };
    hang_elsewhere(document, gone_node, inherited);
    change_skins(document, |of| {
        let Parent::Joint(_, joint) = of.joint else { return None };
        gone_node(&of.joint).then(|| {
            let (joint, from_gone) = inherited(joint);
            SkinJoint { joint, joint_from_mesh: SkinJoint::rows(&(from_gone * of.inverse_bind())) }
        })
    });
}

/// The constraints, by their object, that move joints that go or look at them.
fn lost_constraints(document: &Document, object: ObjectId, gone: &BTreeSet<JointId>) -> Vec<(ObjectId, ConstraintId)> {
    let is_gone = |joint: JointId| gone.contains(&joint);
    let of = |(id, found): (&ObjectId, &Arc<Object>)| {
        let own = found.constraints.iter().filter(|it| it.names_joint(*id == object, object, &is_gone));
        own.map(|constraint| (*id, constraint.id)).collect::<Vec<_>>()
    };
    document.objects.iter().flat_map(of).collect()
}

/// Objects that hung on joints that go hang on their heirs, in their places at rest.
fn hang_elsewhere(
    document: &mut Document,
    gone: impl Fn(&Parent) -> bool,
    inherited: impl Fn(JointId) -> (Parent, Affine),
) {
    let hangs = |object: &Object| object.parent.as_ref().is_some_and(&gone);
    let hanging: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| hangs(object)).map(|(id, _)| *id).collect();
    for id in hanging {
        let Some(object) = document.object_mut(id) else { continue };
        let Some(Parent::Joint(_, joint)) = object.parent else { continue };
        let (parent, from_gone) = inherited(joint);
        object.parent = Some(parent);
        let own = object.transform;
        let rotation = from_gone.rotation() * own.rotation;
        object.transform = Transform { translation: from_gone.point(&own.translation), rotation, scale: own.scale };
    }
}

fn forget_in(clip: &mut Clip, object: ObjectId, gone: &BTreeSet<JointId>) {
    let pins: Vec<_> =
        clip.pins.iter().filter(|pin| needs(pin, object, gone)).map(|pin| (pin.object, pin.id)).collect();
    for (of, pin) in &pins {
        clip.channels.remove(&ChannelPath::influence(*of, *pin));
        for frame in &mut clip.unkeyed {
            frame.values.remove(&ChannelPath::influence(*of, *pin));
        }
    }
    clip.unkeyed.retain(|frame| !frame.values.is_empty());
    clip.pins.retain(|pin| !pins.contains(&(pin.object, pin.id)));
    for retime in clip.retimes.iter_mut().filter(|retime| retime.object == object) {
        if matches!(&retime.scope, RetimeScope::Joints(joints) if !joints.is_disjoint(gone))
            && let RetimeScope::Joints(joints) = &mut Arc::make_mut(retime).scope
        {
            joints.retain(|joint| !gone.contains(joint));
        }
    }
    clip.retimes.retain(|retime| !matches!(&retime.scope, RetimeScope::Joints(joints) if joints.is_empty()));
}

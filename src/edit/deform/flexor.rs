//! A flexor: a muscle that swells as a joint bends (SPEC N7). A bulge on the bone before the joint, driven by the joint's angle.

use super::add_to_stack;
use crate::{
    edit::{DriverEdit, Edit, EditError, drivers::driver_point},
    eval::{EvaluatedFrame, drive::angle_order, sample::rig_pose},
    math::{
        Quat, Transform, Vec3,
        rotation::{nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Component, Deformer, DeformerKind, Document, Driver, JointId, Mask, Object, ObjectId, ObjectKind,
        Parent, Property, Target,
    },
};
use std::sync::Arc;

/// How much wider the muscle is where the joint is bent as it is now.
const SWELL: f64 = 0.35;
/// Where along its bone it begins and ends, parts of the bone.
const ALONG: (f64, f64) = (0.1, 0.95);
/// The joint must be bent by so much for its axis to be known, radians.
const LEAST: f64 = 0.1;

/// The edit that makes a bulge of the bone before a joint, for the meshes that follow that bone, driven by the angle by which the joint
/// is bent most now: none at rest, full as it is. With it the id of the bulge.
///
/// # Errors
/// Where there is no such joint, it begins no bone, nothing follows that bone, or the joint is not bent.
pub fn flexor(
    document: &Document,
    frame: &EvaluatedFrame,
    rig: ObjectId,
    joint: JointId,
) -> Result<(ObjectId, Edit), EditError> {
    let found = document.object(rig).ok_or(EditError::NoObject(rig))?;
    let skeleton = &found.as_rig().ok_or(EditError::NotARig(rig))?.skeleton;
    let own = skeleton.joint(joint).ok_or(EditError::NoJoint(rig, joint))?;
    let above = own.parent.ok_or(EditError::NoBoneBefore(rig, joint))?;
    let bone = own.rest.translation;
    let length = bone.norm();
    let way = bone.try_normalize(1e-9).ok_or(EditError::NoBoneBefore(rig, joint))?;
    let (component, rest, now) = bent(document, frame, rig, joint)?;
    let mut bulge = Deformer::new(DeformerKind::Bulge);
    bulge.numbers.insert(Property::Low, ALONG.0 * length);
    bulge.numbers.insert(Property::High, ALONG.1 * length);
    let turn = Quat::rotation_between(&Vec3::y(), &way)
        .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
    let parent = Parent::Joint(rig, above);
    let name = format!("{} flexor", own.name);
    let object = Object {
        parent: Some(parent),
        transform: Transform::from_rotation(turn),
        ..Object::new(&name, ObjectKind::Deformer(bulge))
    };
    let follows = |object: &&Arc<Object>| {
        let skin = object.as_mesh().and_then(|mesh| mesh.skin.as_ref());
        skin.is_some_and(|skin| skin.joints.iter().any(|own| own.joint == parent))
    };
    let meshes: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| follows(object)).map(|(id, _)| *id).collect();
    if meshes.is_empty() {
        return Err(EditError::NothingFollows(rig, above));
    }
    let mask = Some(Mask::Joint(parent));
    let (id, made) = add_to_stack(document, object, (&meshes, mask))?;
    let source = ChannelPath::joint(rig, joint, Property::Rotation, component);
    let driven = ChannelPath::object(id, Property::Factor, Component::Only);
    let edits = vec![
        made,
        DriverEdit::Set { driver: Arc::new(Driver::new(driven, source)) }.into(),
        driver_point(driven, rest, 0.0),
        driver_point(driven, now, SWELL),
    ];
    Ok((id, Edit::Batch(edits)))
}

/// The angle that a joint is turned by most from rest: which, at rest, and now; radians.
fn bent(
    document: &Document,
    frame: &EvaluatedFrame,
    rig: ObjectId,
    joint: JointId,
) -> Result<(Component, f64, f64), EditError> {
    let target = Target::Joint(rig, joint);
    let order = angle_order(document, target);
    let pose = rig_pose(document, rig, frame.secs).ok_or(EditError::NotARig(rig))?;
    let skeleton = document.object(rig).and_then(|found| found.as_rig()).map(|rig| &rig.skeleton);
    let skeleton = skeleton.ok_or(EditError::NotARig(rig))?;
    let index = skeleton.index_of(joint).ok_or(EditError::NoJoint(rig, joint))?;
    let rest = skeleton.joint(joint).map(|joint| joint.rest.rotation).unwrap_or_default();
    let rest = to_euler(order, &rest);
    let now = pose.get(index).map(|local| local.rotation).unwrap_or_default();
    let now = nearest_euler(order, &now, rest);
    // By axis, whatever the order of turning.
    let axes = order.axes();
    let turned = (0..3).map(|place| (axes[place], rest[place], now[place]));
    let most = turned.max_by(|a, b| (a.2 - a.1).abs().total_cmp(&(b.2 - b.1).abs()));
    let (axis, rest, now) = most.ok_or(EditError::NotBent(rig, joint))?;
    if (now - rest).abs() < LEAST {
        return Err(EditError::NotBent(rig, joint));
    }
    Ok((Component::AXES[axis], rest, now))
}

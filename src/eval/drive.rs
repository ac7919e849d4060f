//! Driven channels: values that stand on a curve over the value of another channel.
//!
//! A driver reads what the source's own clip, corrections and waiting edits make of it, or what drives the source in turn;
//! never what constraints or chains make of a pose. So drivers depend on drivers alone, each on one other: a chain is walked
//! to its end and evaluated back, and nothing is kept. Those that wait for themselves do not act
//! ([`Document::driver_chain`]).

use super::{
    curve,
    sample::{Stage, axis_slot, own_value},
};
use crate::{
    math::{
        EulerOrder, Transform,
        rotation::{from_euler, nearest_euler},
    },
    model::{ChannelPath, Component, Document, Driver, Object, Property, RotationMode, Skeleton, Target},
};
use std::sync::Arc;

/// The value that a channel is given by what drives it, mixed with its own as the influence says; none where nothing does, and
/// of a clip's curves alone.
#[must_use]
pub fn driven_value(document: &Document, path: ChannelPath, secs: f64, stage: Stage) -> Option<f64> {
    if stage < Stage::Corrected || document.object(path.target.object())?.drivers.is_empty() {
        return None;
    }
    let chain = document.driver_chain(path);
    let mut value = own_value(document, chain.last()?.source, secs, stage)?;
    for driver in chain.iter().rev() {
        let driven = curve::value(driver.keys()?, value)?;
        value = if driver.influence >= 1.0 {
            driven
        } else {
            let own = own_value(document, driver.driven, secs, stage)?;
            own + driver.influence * (driven - own)
        };
    }
    value.is_finite().then_some(value)
}

/// Whether anything drives a property of a target.
#[must_use]
pub fn drives(document: &Document, target: Target, property: Property) -> bool {
    let object = document.object(target.object());
    let mut drivers = object.into_iter().flat_map(|object| &object.drivers);
    drivers.any(|driver| driver.acts() && driver.driven.target == target && driver.driven.property == property)
}

/// Whether drivers move joints of an object.
#[must_use]
pub fn moves_joints(object: &Object) -> bool {
    object.drivers.iter().any(|driver| driver.acts() && driver.driven.target.joint().is_some())
}

/// Gives the local transform of a target what its drivers say. An angle keeps the other two, which are those nearest the
/// target's own triple; of a rotation held as a quaternion the angles are those of X, then Y, then Z within.
pub fn drive_local(document: &Document, target: Target, secs: f64, stage: Stage, local: &mut Transform) {
    let Some(object) = document.object(target.object()).filter(|_| stage >= Stage::Corrected) else { return };
    let mine = |driver: &&Arc<Driver>| driver.acts() && driver.driven.target == target;
    let mut angles: [Option<f64>; 3] = [None; 3];
    for driver in object.drivers.iter().filter(mine) {
        let path = driver.driven;
        let Some(axis) = path.component.axis() else { continue };
        let Some(value) = driven_value(document, path, secs, stage) else { continue };
        match path.property {
            Property::Translation => local.translation[axis] = value,
            Property::Scale => local.scale[axis] = value,
            Property::Rotation => angles[axis] = Some(value),
            _ => {}
        }
    }
    if angles == [None; 3] {
        return;
    }
    let order = angle_order(document, target);
    let own = Component::AXES.map(|component| {
        let path = ChannelPath { target, property: Property::Rotation, component };
        own_value(document, path, secs, stage)
    });
    let mut near = [0.0; 3];
    for (axis, own) in own.into_iter().enumerate() {
        near[axis_slot(order, axis)] = own.unwrap_or(0.0);
    }
    // A triple that makes the rotation is taken as it is: where two axes fall together no other need be the nearest.
    let same = from_euler(order, near).coords == local.rotation.coords;
    let mut triple = if same { near } else { nearest_euler(order, &local.rotation, near) };
    for (axis, angle) in angles.into_iter().enumerate() {
        if let Some(angle) = angle {
            triple[axis_slot(order, axis)] = angle;
        }
    }
    local.rotation = from_euler(order, triple);
}

/// The order of the angles of a target: its own, or X, then Y, then Z within where its rotation is held as a quaternion.
#[must_use]
pub fn angle_order(document: &Document, target: Target) -> EulerOrder {
    match document.rotation_mode(target) {
        Some(RotationMode::Euler(order)) => order,
        _ => EulerOrder::Xyz,
    }
}

/// Gives the joints of a rig object what their drivers say: `pose` is by joint index, each in its parent's space.
pub fn drive_pose(document: &Document, object: &Object, secs: f64, skeleton: &Skeleton, pose: &mut [Transform]) {
    let mut targets: Vec<Target> = object.drivers.iter().map(|driver| driver.driven.target).collect();
    targets.sort_unstable();
    targets.dedup();
    for target in targets {
        let index = target.joint().and_then(|joint| skeleton.index_of(joint));
        if let Some(local) = index.and_then(|index| pose.get_mut(index)) {
            drive_local(document, target, secs, Stage::Shown, local);
        }
    }
}

//! Why a number cannot be changed by hand: something else says what it is.

use super::EditError;
use crate::{
    eval::{
        drive::angle_order,
        sample::{Stage, axis_slot, number},
    },
    math::{
        Transform,
        rotation::{from_euler, nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Component, Constraint, ConstraintKind, Document, FollowOrientation, Object, Property, Target,
        names::channel_name,
    },
};

/// That nothing else says what a channel is in full.
pub(super) fn not_driven(document: &Document, path: ChannelPath) -> Result<(), EditError> {
    match document.driver_chain(path).first() {
        Some(driver) if driver.influence >= 1.0 => {
            let name = |path| channel_name(document, path).unwrap_or_else(|| path.to_string());
            Err(EditError::Driven(name(path), name(driver.source)))
        }
        _ => Ok(()),
    }
}

/// That neither a driver nor a lock says what a channel is.
fn is_free(document: &Document, path: ChannelPath) -> Result<(), EditError> {
    not_locked(document, path)?;
    not_driven(document, path)
}

/// That a channel is not locked.
pub(super) fn not_locked(document: &Document, path: ChannelPath) -> Result<(), EditError> {
    if document.is_locked(path) {
        return Err(EditError::Locked(channel_name(document, path).unwrap_or_else(|| path.to_string())));
    }
    Ok(())
}

/// Whether a channel is locked or driven in full, so that nothing done by hand to the pose is written to it.
pub(super) fn is_held(document: &Document, path: ChannelPath) -> bool {
    is_free(document, path).is_err()
}

/// The transform with the numbers of a property that are locked or driven in full as they are shown.
pub(super) fn with_held(
    document: &Document,
    target: Target,
    property: Property,
    (shown, wanted): (&Transform, &Transform),
) -> Transform {
    let mut held = *wanted;
    let locked = Component::AXES.map(|component| is_held(document, ChannelPath { target, property, component }));
    if locked == [false; 3] {
        return held;
    }
    let axes = (0..3).filter(|axis| locked[*axis]);
    match property {
        Property::Translation => axes.for_each(|axis| held.translation[axis] = shown.translation[axis]),
        Property::Scale => axes.for_each(|axis| held.scale[axis] = shown.scale[axis]),
        Property::Rotation if locked == [true; 3] => held.rotation = shown.rotation,
        Property::Rotation => {
            let order = angle_order(document, target);
            let from = to_euler(order, &shown.rotation);
            let mut to = nearest_euler(order, &wanted.rotation, from);
            axes.for_each(|axis| to[axis_slot(order, axis)] = from[axis_slot(order, axis)]);
            held.rotation = from_euler(order, to);
        }
        _ => {}
    }
    held
}

/// Why a property cannot be made as wanted at a time, where every number of it that would change (from what is shown) is driven
/// or locked, or a constraint says what it is.
pub(super) fn held_back(
    document: &Document,
    target: Target,
    property: Property,
    secs: f64,
    (shown, wanted): (&Transform, &Transform),
) -> Option<EditError> {
    /// Below this a number does not change: rounding of a solve.
    const SAME: f64 = 1e-9;
    let object = document.object(target.object())?;
    if let Some(reason) = constrained(document, object, target, property, secs) {
        return Some(reason);
    }
    if object.drivers.is_empty() && document.locks(target).is_none() {
        return None;
    }
    let (before, after) = match property {
        Property::Translation => (<[f64; 3]>::from(shown.translation), wanted.translation.into()),
        Property::Scale => (shown.scale.into(), wanted.scale.into()),
        _ => {
            let order = angle_order(document, target);
            let from = to_euler(order, &shown.rotation);
            let to = nearest_euler(order, &wanted.rotation, from);
            (from, to)
        }
    };
    let mut reason = None;
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        let place = if property == Property::Rotation { axis_slot(angle_order(document, target), axis) } else { axis };
        if (before[place] - after[place]).abs() <= SAME * (1.0 + before[place].abs()) {
            continue;
        }
        match is_free(document, ChannelPath { target, property, component }) {
            Ok(()) => return None,
            Err(held) => reason = reason.or(Some(held)),
        }
    }
    reason
}

/// The constraint that says, in full at this time, what a property of a target is.
fn constrained(
    document: &Document,
    object: &Object,
    target: Target,
    property: Property,
    secs: f64,
) -> Option<EditError> {
    let joint = match target {
        Target::Object(_) => None,
        Target::Joint(_, joint) => Some(joint),
        _ => return None,
    };
    let id = target.object();
    let clip = document.clip_of(id).and_then(|clip| document.clip(clip)).map(|clip| &**clip);
    let in_full = |constraint: &Constraint| {
        let path = ChannelPath::constraint(id, constraint.id, Property::Influence);
        number(document, clip, path, secs, Stage::Shown).is_some_and(|weight| weight >= 1.0)
    };
    let own = object.constraints.iter().filter(|constraint| constraint.joint == joint && !constraint.muted);
    let mut says = own.filter(|constraint| says_all(&constraint.kind, property) && in_full(constraint));
    let path = ChannelPath { target, property, component: Component::X };
    let name = channel_name(document, path).unwrap_or_else(|| path.to_string());
    let name = name.trim_end_matches(".x").to_owned();
    says.next().map(|constraint| EditError::Constrained(name, constraint.called().to_owned()))
}

/// Whether a constraint leaves nothing of a property as it was.
fn says_all(kind: &ConstraintKind, property: Property) -> bool {
    match (kind, property) {
        (ConstraintKind::Point(point), Property::Translation) => point.sources.iter().any(|source| source.weight > 0.0),
        (ConstraintKind::Parent(_), Property::Translation | Property::Rotation)
        | (ConstraintKind::Orient(_) | ConstraintKind::Aim(_), Property::Rotation)
        | (ConstraintKind::Follow(_), Property::Translation) => true,
        (ConstraintKind::Follow(follow), Property::Rotation) => follow.orientation != FollowOrientation::Fixed,
        (ConstraintKind::Copy(copy), Property::Translation) => copy.place == [true; 3],
        (ConstraintKind::Copy(copy), Property::Rotation) => copy.rotation == [true; 3],
        (ConstraintKind::Copy(copy), Property::Scale) => copy.scale == [true; 3],
        _ => false,
    }
}

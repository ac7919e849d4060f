//! Constraints made where things stand now: what they hold stays in place, and parents are switched without a pop.

use super::{
    ConstraintEdit, Edit, EditError,
    numbers::{key_number, static_edit},
};
use crate::{
    eval::{EvaluatedFrame, constraint::Stand, pins::space_in_world},
    math::{Transform, Vec3},
    model::{
        Aim, ChannelPath, Constraint, ConstraintId, ConstraintKind, CopyHold, Document, HeldBy, JointId, ObjectId,
        OrientHold, ParentHold, PinSpace, PlaceLimit, PointHold, Property, Source,
    },
};
use std::sync::Arc;

/// The kinds of constraint that hold one thing by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldKind {
    /// [`ConstraintKind::Point`], with the offset there is now.
    Point,
    /// [`ConstraintKind::Orient`], with the offset there is now.
    Orient,
    /// [`ConstraintKind::Parent`], with the offset there is now.
    Parent,
    /// [`ConstraintKind::Aim`].
    Aim,
    /// [`ConstraintKind::Copy`], of place and rotation.
    Copy,
    /// [`ConstraintKind::Limit`], above the origin of the space.
    Limit,
}

impl HoldKind {
    /// All of them, in the order they are offered.
    pub const ALL: [Self; 6] = [Self::Point, Self::Orient, Self::Parent, Self::Aim, Self::Copy, Self::Limit];
}

/// The edit that adds a constraint to an object or a joint of it, last. `frame` is the document now: what has an offset
/// moves nothing.
///
/// # Errors
/// Where something does not exist, or would wait for itself.
pub fn hold(
    document: &Document,
    frame: &EvaluatedFrame,
    (object, joint): (ObjectId, Option<JointId>),
    kind: HoldKind,
    source: PinSpace,
) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let own = match joint {
        None => PinSpace::Object(object),
        Some(joint) => PinSpace::Joint(object, joint),
    };
    let stand = |space| space_in_world(document, frame, space).map(|world| Stand::of(&world));
    let missing = || EditError::NoObject(source.object().unwrap_or(object));
    let (own, other) = (stand(own).ok_or(EditError::NoObject(object))?, stand(source).ok_or_else(missing)?);
    let kind = match kind {
        HoldKind::Point => {
            ConstraintKind::Point(PointHold { sources: vec![Source::new(source)], offset: own.place - other.place })
        }
        HoldKind::Orient => {
            let offset = Transform::from_rotation(other.rotation.inverse() * own.rotation);
            ConstraintKind::Orient(OrientHold { source, offset })
        }
        HoldKind::Parent => {
            let parent = HeldBy { space: source, offset: inverse(&other) };
            ConstraintKind::Parent(ParentHold { parents: vec![parent], source: 0.0 })
        }
        HoldKind::Aim => ConstraintKind::Aim(Aim { target: source, up: Vec3::y() }),
        HoldKind::Copy => {
            ConstraintKind::Copy(CopyHold { source, place: [true; 3], rotation: [true; 3], scale: [false; 3] })
        }
        HoldKind::Limit => {
            let far = 1e3;
            ConstraintKind::Limit(PlaceLimit { space: source, ranges: [None, Some((0.0, far)), None] })
        }
    };
    let id = found.fresh_constraint_id();
    let constraint = Constraint { id, name: String::new(), muted: false, influence: 1.0, joint, kind };
    let edit: Edit = ConstraintEdit::Add { object, constraint: Arc::new(constraint) }.into();
    edit.apply(&mut document.clone())?;
    Ok(edit)
}

/// The inverse of a place and a rotation.
fn inverse(stand: &Stand) -> Transform {
    let rotation = stand.rotation.inverse();
    Transform { translation: -(rotation * stand.place), rotation, ..Transform::IDENTITY }
}

/// The edit that gives what a parent constraint holds another parent from a time on, where it stands: the parent is added
/// with the offset that keeps it, and which parent holds is keyed (the first switch keys the one before at the start of the
/// clip's time too: before a curve's first key its value holds). `frame` is the document at that time.
///
/// # Errors
/// Where there is no such constraint or parent, or it would wait for itself.
pub fn switch_parent(
    document: &Document,
    frame: &EvaluatedFrame,
    (object, id): (ObjectId, ConstraintId),
    to: PinSpace,
    start_secs: f64,
) -> Result<Edit, EditError> {
    let missing = || EditError::NoConstraint(object, id);
    let found = document.object(object).ok_or(EditError::NoObject(object))?.constraint(id).ok_or_else(missing)?;
    let mut constraint = (**found).clone();
    let ConstraintKind::Parent(hold) = &mut constraint.kind else { return Err(missing()) };
    let path = ChannelPath::constraint(object, id, Property::Source);
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let now = crate::eval::sample::number(
        document,
        clip.map(|clip| &**clip),
        path,
        frame.secs,
        crate::eval::sample::Stage::Shown,
    );
    let before = *hold.chosen(now.unwrap_or(hold.source)).ok_or_else(missing)?;
    let stand = |space| space_in_world(document, frame, space).map(|world| Stand::of(&world)).ok_or_else(missing);
    let (from, wanted) = (stand(before.space)?, inverse(&stand(to)?));
    // What is held moves by `parent * offset`: that must be the same of both.
    let turn = from.rotation * before.offset.rotation;
    let shift = from.rotation * before.offset.translation + from.place;
    let mut rotation = wanted.rotation * turn;
    rotation.renormalize();
    let offset =
        Transform { translation: wanted.rotation * shift + wanted.translation, rotation, ..Transform::IDENTITY };
    let place = hold.parents.len() as f64;
    hold.parents.push(HeldBy { space: to, offset });
    let mut edits: Vec<Edit> = vec![ConstraintEdit::Set { object, constraint: Arc::new(constraint) }.into()];
    let keyed = clip.and_then(|clip| clip.channels.get(&path)).is_some();
    let mut changed = document.clone();
    Edit::Batch(edits.clone()).apply(&mut changed)?;
    if clip.is_none() {
        edits.push(static_edit(&changed, path, place)?);
        return Ok(Edit::Batch(edits));
    }
    let mut keys = vec![(frame.secs, place)];
    if !keyed && start_secs < frame.secs {
        keys.insert(0, (start_secs, now.unwrap_or(0.0)));
    }
    edits.push(key_number(&changed, path, &keys)?);
    let curve = super::CurveRef { clip: document.clip_of(object).ok_or_else(missing)?, path };
    edits.push(stepped(curve, &keys));
    Ok(Edit::Batch(edits))
}

/// The edit that makes keys hold their value until the next.
fn stepped(curve: super::CurveRef, keys: &[(f64, f64)]) -> Edit {
    let mut selected = super::KeySelection::default();
    for (secs, _) in keys {
        selected.insert(curve, *secs);
    }
    super::KeyEdit::SetInterpolation { keys: selected, interpolation: crate::model::Interpolation::Step }.into()
}

//! IK chains made, changed and matched to the joints' own keys, and constraints baked into keys.

mod bake;
mod matching;
mod written;

pub use bake::{Baked, bake};
pub use matching::{GoOn, LOOKS, Matched, When, fk_to_ik, ik_to_fk};

use super::{
    ConstraintEdit, Edit, EditError,
    pose::{AutoKey, PosePlan, Wish, clip_for},
};
use crate::{
    eval::{EvaluatedFrame, Evaluator, constraint::axis_space, constraint::bend_place, pins::space_in_world},
    math::{Affine, Transform, Vec3},
    model::{
        ChainPath, ChannelPath, Component, Constraint, ConstraintId, ConstraintKind, Document, IkChain, JointId,
        ObjectId, PinSpace, Pole, Property, Target, Value,
    },
};
use std::sync::Arc;

/// A chain of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChainOf {
    /// The rig object.
    pub object: ObjectId,
    /// The chain among its constraints.
    pub constraint: ConstraintId,
}

impl ChainOf {
    /// The constraint, the joint that reaches, and how.
    ///
    /// # Errors
    /// Where there is no such chain.
    pub fn find(self, document: &Document) -> Result<(&Constraint, JointId, IkChain), EditError> {
        let found = document.object(self.object).ok_or(EditError::NoObject(self.object))?.constraint(self.constraint);
        let found: &Constraint = found.ok_or(EditError::NoConstraint(self.object, self.constraint))?;
        match (found.joint, found.as_chain()) {
            (Some(joint), Some(chain)) => Ok((found, joint, *chain)),
            _ => Err(EditError::NoConstraint(self.object, self.constraint)),
        }
    }

    /// The channel of its target or its pole along an axis.
    #[must_use]
    pub const fn place(self, part: ChainPart, component: Component) -> ChannelPath {
        ChannelPath { target: part.of(self), property: Property::Translation, component }
    }
}

/// A part of a chain that has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainPart {
    /// What it reaches for.
    Target,
    /// What it bends towards.
    Pole,
}

impl ChainPart {
    /// What channels name it by.
    #[must_use]
    pub const fn of(self, chain: ChainOf) -> Target {
        match self {
            Self::Target => Target::Constraint(chain.object, chain.constraint),
            Self::Pole => Target::Pole(chain.object, chain.constraint),
        }
    }
}

/// The edit that makes a chain from one joint to another, last: its target where the end is in a frame, its pole, where it has
/// a middle, where it bends to, so that as little as can be moves.
///
/// # Errors
/// Where the joints do not exist or do not hang together.
pub fn make(
    document: &Document,
    frame: &EvaluatedFrame,
    object: ObjectId,
    (base, end): (JointId, JointId),
) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let skeleton = &found.as_rig().ok_or(EditError::NotARig(object))?.skeleton;
    let missing = |joint: JointId| skeleton.index_of(joint).is_none().then_some(EditError::NoJoint(object, joint));
    if let Some(error) = missing(base).or_else(|| missing(end)) {
        return Err(error);
    }
    let path = ChainPath::new(skeleton, base, end).ok_or(EditError::NoPathOfBones(base, end))?;
    let at = frame.joint_world(object, path.end()).ok_or(EditError::NoJoint(object, end))?;
    let pole = bend_place(document, frame, object, &path).map(|place| Pole { place, space: PinSpace::World });
    let chain = IkChain { pole, ..IkChain::new(base, at.translation) };
    let (id, kind) = (found.fresh_constraint_id(), ConstraintKind::Chain(chain));
    let constraint = Constraint { id, name: String::new(), joint: Some(end), muted: false, influence: 1.0, kind };
    let edit: Edit = ConstraintEdit::Add { object, constraint: Arc::new(constraint) }.into();
    edit.apply(&mut document.clone())?;
    Ok(edit)
}

/// The edit that changes how a chain reaches.
///
/// # Errors
/// Where there is no such chain, or it cannot be so.
pub fn change(document: &Document, of: ChainOf, change: impl FnOnce(&mut IkChain)) -> Result<Edit, EditError> {
    let (constraint, _, mut chain) = of.find(document)?;
    change(&mut chain);
    let constraint = Constraint { kind: ConstraintKind::Chain(chain), ..constraint.clone() };
    let edit: Edit = ConstraintEdit::Set { object: of.object, constraint: Arc::new(constraint) }.into();
    edit.apply(&mut document.clone())?;
    Ok(edit)
}

/// The edit that puts the target or the pole of a chain to a place in the spaces it is held in: with curves it is keyed like
/// a joint, without it stands there, or is keyed if auto-key is whole pose.
///
/// # Errors
/// Where there is no such chain or pole, or a number is not finite.
pub fn goal_edit(
    document: &Document,
    target: Target,
    secs: f64,
    place: &Vec3,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let (of, part) = match target {
        Target::Constraint(object, constraint) => (ChainOf { object, constraint }, ChainPart::Target),
        Target::Pole(object, constraint) => (ChainOf { object, constraint }, ChainPart::Pole),
        other => {
            let (property, component) = (Property::Translation, Component::X);
            return Err(EditError::WrongKind(ChannelPath { target: other, property, component }));
        }
    };
    let (clip_id, clip, new_clip) = clip_for(document, of.object);
    let mut plan = PosePlan::new(document, clip_id, &clip, secs, None)?;
    plan.check(target)?;
    let wanted = Transform { translation: *place, ..Transform::IDENTITY };
    if !plan.differs(target, Property::Translation, &wanted) {
        return Ok(Edit::none());
    }
    if let Some(reason) = plan.held(target, Property::Translation, &wanted) {
        return Err(reason);
    }
    if !plan.has_curve(target, Property::Translation) && auto_key != AutoKey::WholePose {
        return change(document, of, |chain| set_place(chain, part, *place));
    }
    plan.wish(Wish { target, property: Property::Translation, wanted });
    let mut edits = new_clip;
    edits.extend(if auto_key == AutoKey::Off { plan.wait()? } else { plan.write()? });
    Ok(Edit::Batch(edits))
}

/// The edit that keys the target or the pole of a chain at a time, as they are shown.
///
/// # Errors
/// Where there is no such chain or pole.
pub fn key_goal(document: &Document, target: Target, secs: f64) -> Result<Edit, EditError> {
    let (clip_id, clip, mut edits) = clip_for(document, target.object());
    let mut plan = PosePlan::new(document, clip_id, &clip, secs, None)?;
    plan.check(target)?;
    plan.wish_shown(target, Property::Translation);
    edits.extend(plan.write()?);
    Ok(Edit::Batch(edits))
}

const fn set_place(chain: &mut IkChain, part: ChainPart, place: Vec3) {
    match (part, &mut chain.pole) {
        (ChainPart::Target, _) => chain.target = place,
        (ChainPart::Pole, Some(pole)) => pole.place = place,
        (ChainPart::Pole, None) => {}
    }
}

/// The edit that holds a chain's target along some axes, or its pole, in another space, in its place: keys are written anew
/// at their times, and stay where they are in the world then.
///
/// # Errors
/// Where there is no such chain or space, or the chain would wait for itself.
pub fn hold_in(
    document: &Document,
    evaluator: &Evaluator,
    of: ChainOf,
    (part, axes): (ChainPart, [bool; 3]),
    (space, secs): (PinSpace, f64),
) -> Result<Edit, EditError> {
    let (_, _, chain) = of.find(document)?;
    let mut after = chain;
    match part {
        ChainPart::Target => {
            (0..3).filter(|axis| axes[*axis]).for_each(|axis| after.spaces[axis] = space);
        }
        ChainPart::Pole => after.pole.iter_mut().for_each(|pole| pole.space = space),
    }
    let held = after;
    let at = |secs: f64| -> Option<Vec3> {
        let frame = evaluator.frame(document, secs);
        let report = frame.chains.iter().find(|r| (r.object, r.constraint) == (of.object, of.constraint))?;
        let find = |space| space_in_world(document, &frame, space);
        match part {
            ChainPart::Target => within(&axis_space(&held.spaces, &find)?, &report.target),
            ChainPart::Pole => within(&find(held.pole?.space)?, &report.pole?.1),
        }
    };
    let mut edits = Vec::new();
    if let Some(place) = at(secs) {
        set_place(&mut after, part, place);
    }
    edits.push(change(document, of, |chain| *chain = after)?);
    let Some((id, clip)) = document.clip_of(of.object).and_then(|id| Some((id, document.clip(id)?))) else {
        return Ok(Edit::Batch(edits));
    };
    let target = part.of(of);
    let mut times: Vec<f64> = PosePlan::paths(target, Property::Translation)
        .filter_map(|path| clip.channels.get(&path))
        .flat_map(|curve| written::key_times(curve))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let places = times.iter().filter_map(|time| Some((*time, at(clip.shown_secs(target, *time))?)));
    let places: Vec<(f64, Vec3)> = places.collect();
    if !places.is_empty() {
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let curve = super::CurveRef { clip: id, path: of.place(part, component) };
            edits.extend(super::numbers::made_keys(clip, curve));
            let values = places.iter().map(|(time, place)| (*time, Value::Scalar(place[axis]))).collect();
            edits.push(super::KeyEdit::Set { curve, values }.into());
        }
    }
    Ok(Edit::Batch(edits))
}

/// A place of the world in a space; none in one that is flattened.
fn within(space: &Affine, place: &Vec3) -> Option<Vec3> {
    Some(space.try_inverse()?.point(place))
}

/// The edit that gives a chain a pole where it bends to now, or takes it away with its curves.
///
/// # Errors
/// Where there is no such chain.
pub fn set_pole(document: &Document, frame: &EvaluatedFrame, of: ChainOf, has: bool) -> Result<Edit, EditError> {
    let (_, joint, chain) = of.find(document)?;
    let skeleton = document.object(of.object).and_then(|object| object.as_rig()).map(|rig| &rig.skeleton);
    let path = skeleton.and_then(|skeleton| ChainPath::new(skeleton, chain.base, joint));
    let place = path.and_then(|path| bend_place(document, frame, of.object, &path));
    let pole = place.filter(|_| has).map(|place| Pole { place, space: PinSpace::World });
    change(document, of, |chain| chain.pole = pole)
}

//! Edits of constraints.

use super::{
    Edit, EditError,
    error::finite,
    objects::{forget_target, object_mut},
};
use crate::model::{
    ChainPath, Constraint, ConstraintId, ConstraintKind, Document, JointId, ObjectId, PinSpace, Target,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of an object's constraints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConstraintEdit {
    /// Adds a constraint after the others.
    Add {
        /// The object.
        object: ObjectId,
        /// The constraint; its id must be new in the object.
        constraint: Arc<Constraint>,
    },
    /// Puts a constraint in the place of the one with its id.
    Set {
        /// The object.
        object: ObjectId,
        /// The constraint.
        constraint: Arc<Constraint>,
    },
    /// Puts a constraint before the one that stands at a place of the list as it is without it; beyond the end it is the last.
    Move {
        /// The object.
        object: ObjectId,
        /// The constraint.
        constraint: ConstraintId,
        /// The place it comes to, 0 the first.
        to: usize,
    },
    /// Deletes a constraint with its curves.
    Delete {
        /// The object.
        object: ObjectId,
        /// The constraint.
        constraint: ConstraintId,
    },
}

impl From<ConstraintEdit> for Edit {
    fn from(edit: ConstraintEdit) -> Self {
        Self::Constraint(edit)
    }
}

impl ConstraintEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Add { object, constraint } => {
                check(document, *object, constraint)?;
                let found = object_mut(document, *object)?;
                if found.constraint(constraint.id).is_some() {
                    return Err(EditError::IdInUse(constraint.id.0));
                }
                found.constraints.push(constraint.clone());
                no_cycle(document)
            }
            Self::Set { object, constraint } => {
                check(document, *object, constraint)?;
                let id = constraint.id;
                let constraints = &mut object_mut(document, *object)?.constraints;
                let found = constraints.iter_mut().find(|other| other.id == id);
                *found.ok_or(EditError::NoConstraint(*object, id))? = constraint.clone();
                if constraint.as_chain().is_none_or(|chain| chain.pole.is_none()) {
                    forget_target(document, Target::Pole(*object, id));
                }
                no_cycle(document)
            }
            Self::Move { object, constraint, to } => {
                let constraints = &mut object_mut(document, *object)?.constraints;
                let index = constraints.iter().position(|other| other.id == *constraint);
                let moved = constraints.remove(index.ok_or(EditError::NoConstraint(*object, *constraint))?);
                let to = (*to).min(constraints.len());
                constraints.insert(to, moved);
                Ok(())
            }
            Self::Delete { object, constraint } => {
                let constraints = &mut object_mut(document, *object)?.constraints;
                let index = constraints.iter().position(|other| other.id == *constraint);
                constraints.remove(index.ok_or(EditError::NoConstraint(*object, *constraint))?);
                forget_constraint(document, *object, *constraint);
                Ok(())
            }
        }
    }
}

fn check(document: &Document, object: ObjectId, constraint: &Constraint) -> Result<(), EditError> {
    if !(0.0..=1.0).contains(&constraint.influence) {
        return Err(EditError::BadNumber { what: "an influence", value: constraint.influence });
    }
    if let Some(joint) = constraint.joint {
        joint_to_move(document, object, joint)?;
    }
    constraint.spaces().into_iter().try_for_each(|space| space_exists(document, space))?;
    if let (Some(chain), Some(end)) = (constraint.as_chain(), constraint.joint) {
        let rig = document.object(object).and_then(|object| object.as_rig());
        let path = rig.and_then(|rig| ChainPath::new(&rig.skeleton, chain.base, end));
        path.ok_or(EditError::NoPathOfBones(chain.base, end))?;
    }
    let ConstraintKind::Follow(follow) = &constraint.kind else {
        return constraint.fault().map_or(Ok(()), |fault| Err(EditError::BadConstraint(fault)));
    };
    if constraint.joint.is_some() {
        return Err(EditError::BadConstraint("a joint cannot follow a path"));
    }
    let path = document.object(follow.path).ok_or(EditError::NoObject(follow.path))?;
    if path.as_path().is_none() || follow.path == object {
        return Err(EditError::NotAPath(follow.path));
    }
    let numbers = [follow.distance, follow.speed, follow.acceleration, follow.twist];
    numbers.iter().chain(follow.up.iter()).try_for_each(|number| finite("a follower", *number).map(|_| ()))?;
    if follow.up.norm() == 0.0 {
        return Err(EditError::BadNumber { what: "the way up", value: 0.0 });
    }
    Ok(())
}

fn joint_to_move(document: &Document, object: ObjectId, joint: JointId) -> Result<(), EditError> {
    let rig = document.object(object).ok_or(EditError::NoObject(object))?.as_rig();
    let found = rig.ok_or(EditError::NotARig(object))?.skeleton.joint(joint);
    let is_end = found.ok_or(EditError::NoJoint(object, joint))?.is_end();
    if is_end { Err(EditError::BoneTip(object, joint)) } else { Ok(()) }
}

fn space_exists(document: &Document, space: PinSpace) -> Result<(), EditError> {
    let Some(object) = space.object() else { return Ok(()) };
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    if let PinSpace::Joint(_, joint) = space {
        let rig = found.as_rig().ok_or(EditError::NotARig(object))?;
        rig.skeleton.joint(joint).ok_or(EditError::NoJoint(object, joint))?;
    }
    Ok(())
}

/// Drops the channels of a constraint that is no more.
pub(super) fn forget_constraint(document: &mut Document, object: ObjectId, constraint: ConstraintId) {
    forget_target(document, Target::Constraint(object, constraint));
    forget_target(document, Target::Pole(object, constraint));
}

/// That nothing waits for itself.
pub(super) fn no_cycle(document: &Document) -> Result<(), EditError> {
    match document.waiting_cycles().first() {
        None => Ok(()),
        Some(members) => Err(EditError::FollowCycle(members.join(", "))),
    }
}

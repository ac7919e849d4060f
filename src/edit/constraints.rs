//! Edits of constraints.

use super::{
    Edit, EditError,
    error::finite,
    objects::{forget_target, object_mut},
};
use crate::model::{Constraint, ConstraintId, ConstraintKind, Document, ObjectId, Target};
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
                no_cycle(document)
            }
            Self::Delete { object, constraint } => {
                let constraints = &mut object_mut(document, *object)?.constraints;
                let index = constraints.iter().position(|other| other.id == *constraint);
                constraints.remove(index.ok_or(EditError::NoConstraint(*object, *constraint))?);
                forget_target(document, Target::Constraint(*object, *constraint));
                Ok(())
            }
        }
    }
}

fn check(document: &Document, object: ObjectId, constraint: &Constraint) -> Result<(), EditError> {
    if !(0.0..=1.0).contains(&constraint.influence) {
        return Err(EditError::BadNumber { what: "an influence", value: constraint.influence });
    }
    let ConstraintKind::Follow(follow) = &constraint.kind;
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

/// That nothing waits for itself.
fn no_cycle(document: &Document) -> Result<(), EditError> {
    match document.waiting_cycles().first() {
        None => Ok(()),
        Some(members) => Err(EditError::FollowCycle(members.join(", "))),
    }
}

//! Edits of paths.

use super::{Edit, EditError, error::finite, objects::forget_target, objects::object_mut};
use crate::{
    math::Vec3,
    model::{Document, ObjectId, ObjectKind, Path, PathPoint, PathScheme, PointId, Target},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PathEdit {
    /// Sets how the way between the points runs.
    SetScheme {
        /// The path object.
        object: ObjectId,
        /// The scheme; its number within its range.
        scheme: PathScheme,
    },
    /// Closes a path, or opens it.
    SetClosed {
        /// The path object.
        object: ObjectId,
        /// Whether it is closed.
        closed: bool,
    },
    /// Puts points between the others.
    Insert {
        /// The path object.
        object: ObjectId,
        /// Before which point; the number of points for after the last.
        index: usize,
        /// The points, their ids new in the path.
        points: Vec<PathPoint>,
    },
    /// Deletes points with their curves.
    Delete {
        /// The path object.
        object: ObjectId,
        /// The points.
        points: Vec<PointId>,
    },
    /// Sets where points are where no clip moves them.
    SetPlaces {
        /// The path object.
        object: ObjectId,
        /// The points and their places in the path object's space, metres.
        places: Vec<(PointId, Vec3)>,
    },
    /// Sets the handles of points.
    SetHandles {
        /// The path object.
        object: ObjectId,
        /// The points with the handle before and after each, from it, metres; none for one that follows the neighbours.
        handles: Vec<(PointId, Option<Vec3>, Option<Vec3>)>,
    },
    /// Sets the Kochanek-Bartels numbers of points.
    SetTcb {
        /// The path object.
        object: ObjectId,
        /// The points with tension, continuity and bias, -1..1 each.
        points: Vec<(PointId, [f64; 3])>,
    },
    /// Turns a path round: its last point becomes the first.
    Reverse {
        /// The path object.
        object: ObjectId,
    },
}

impl From<PathEdit> for Edit {
    fn from(edit: PathEdit) -> Self {
        Self::Path(edit)
    }
}

impl PathEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::SetScheme { object, scheme } => {
                match *scheme {
                    PathScheme::CatmullRom { alpha } => within("alpha", alpha, 0.0)?,
                    PathScheme::Cardinal { tension } => within("a tension", tension, -1.0)?,
                    _ => {}
                }
                path_mut(document, *object)?.scheme = *scheme;
            }
            Self::SetClosed { object, closed } => path_mut(document, *object)?.closed = *closed,
            Self::Insert { object, index, points } => {
                let path = path_mut(document, *object)?;
                for point in points {
                    if path.point(point.id).is_some() {
                        return Err(EditError::IdInUse(point.id.0));
                    }
                    let vectors = [Some(point.place), point.handle_in, point.handle_out];
                    vectors.iter().flatten().try_for_each(finite_vector)?;
                    [point.tension, point.continuity, point.bias]
                        .iter()
                        .try_for_each(|number| within("the shape of a point", *number, -1.0))?;
                }
                let at = (*index).min(path.points.len());
                path.points.splice(at..at, points.iter().copied());
            }
            Self::Delete { object, points } => {
                for id in points {
                    let path = path_mut(document, *object)?;
                    let index = path.index_of(*id).ok_or(EditError::NoPoint(*object, *id))?;
                    path.points.remove(index);
                    forget_target(document, Target::Point(*object, *id));
                }
            }
            Self::SetPlaces { object, places } => {
                for (id, place) in places {
                    finite_vector(place)?;
                    point_mut(document, *object, *id)?.place = *place;
                }
            }
            Self::SetHandles { object, handles } => {
                for (id, handle_in, handle_out) in handles {
                    handle_in.iter().chain(handle_out).try_for_each(finite_vector)?;
                    let point = point_mut(document, *object, *id)?;
                    (point.handle_in, point.handle_out) = (*handle_in, *handle_out);
                }
            }
            Self::SetTcb { object, points } => {
                for (id, [tension, continuity, bias]) in points {
                    for number in [tension, continuity, bias] {
                        within("the shape of a point", *number, -1.0)?;
                    }
                    let point = point_mut(document, *object, *id)?;
                    (point.tension, point.continuity, point.bias) = (*tension, *continuity, *bias);
                }
            }
            Self::Reverse { object } => {
                let path = path_mut(document, *object)?;
                path.points.reverse();
                for point in &mut path.points {
                    std::mem::swap(&mut point.handle_in, &mut point.handle_out);
                    point.bias = -point.bias;
                }
            }
        }
        Ok(())
    }
}

/// A number within `least`..1.
fn within(what: &'static str, value: f64, least: f64) -> Result<(), EditError> {
    if (least..=1.0).contains(&value) { Ok(()) } else { Err(EditError::BadNumber { what, value }) }
}

fn finite_vector(vector: &Vec3) -> Result<(), EditError> {
    vector.iter().try_for_each(|number| finite("a place", *number).map(|_| ()))
}

fn path_mut(document: &mut Document, object: ObjectId) -> Result<&mut Path, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Path(path) => Ok(Arc::make_mut(path)),
        _ => Err(EditError::NotAPath(object)),
    }
}

fn point_mut(document: &mut Document, object: ObjectId, id: PointId) -> Result<&mut PathPoint, EditError> {
    let path = path_mut(document, object)?;
    path.points.iter_mut().find(|point| point.id == id).ok_or(EditError::NoPoint(object, id))
}

//! Edits of objects.

use super::{Edit, EditError, deform::forget_deformer, error::finite, meshes::forget_object};
use crate::{
    math::Transform,
    model::{
        Camera, ChannelPath, Clip, ClipId, Document, Driver, Object, ObjectId, ObjectKind, Parent, Target,
        object::transform_parts,
    },
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

/// An edit of objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ObjectEdit {
    /// Sets an object's static transform in its parent's space.
    SetTransform {
        /// The object.
        object: ObjectId,
        /// The transform.
        #[serde(with = "transform_parts")]
        transform: Transform,
    },
    /// Hides or shows objects.
    SetHidden {
        /// The objects.
        objects: Vec<ObjectId>,
        /// Whether they are hidden.
        hidden: bool,
    },
    /// Renames an object.
    Rename {
        /// The object.
        object: ObjectId,
        /// The name.
        name: String,
    },
    /// Sets the clip an object plays.
    SetClip {
        /// The object.
        object: ObjectId,
        /// The clip; none for what its parent or the document plays.
        clip: Option<ClipId>,
    },
    /// Sets a camera's field of view where no clip moves it; brought within [`Camera::FIELD`].
    SetFieldOfView {
        /// The camera object.
        object: ObjectId,
        /// From the bottom to the top of the picture, radians.
        fov_y: f64,
    },
    /// Deletes objects with their curves, the drivers that read them, and the pins that hold them, or hold something in them. What hung on one hangs where that one hung.
    Delete {
        /// The objects.
        objects: Vec<ObjectId>,
    },
}

impl From<ObjectEdit> for Edit {
    fn from(edit: ObjectEdit) -> Self {
        Self::Object(edit)
    }
}

impl ObjectEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::SetTransform { object, transform } => {
                let numbers =
                    transform.translation.iter().chain(transform.scale.iter()).chain(transform.rotation.coords.iter());
                if let Some(bad) = numbers.copied().find(|number| !number.is_finite()) {
                    return Err(EditError::BadNumber { what: "a transform", value: bad });
                }
                object_mut(document, *object)?.transform = *transform;
            }
            Self::SetHidden { objects, hidden } => {
                for object in objects {
                    object_mut(document, *object)?.hidden = *hidden;
                }
            }
            Self::Rename { object, name } => object_mut(document, *object)?.name.clone_from(name),
            Self::SetClip { object, clip } => {
                if let Some(clip) = clip.filter(|clip| document.clip(*clip).is_none()) {
                    return Err(EditError::NoClip(clip));
                }
                object_mut(document, *object)?.clip = *clip;
            }
            Self::SetFieldOfView { object, fov_y } => {
                let ObjectKind::Camera(camera) = &mut object_mut(document, *object)?.kind else {
                    return Err(EditError::NotACamera(*object));
                };
                camera.fov_y = finite("a field of view", *fov_y)?.clamp(Camera::FIELD.0, Camera::FIELD.1);
            }
            Self::Delete { objects } => objects.iter().try_for_each(|object| delete(document, *object))?,
        }
        Ok(())
    }
}

pub(super) fn object_mut(document: &mut Document, object: ObjectId) -> Result<&mut Object, EditError> {
    document.object_mut(object).ok_or(EditError::NoObject(object))
}

fn delete(document: &mut Document, id: ObjectId) -> Result<(), EditError> {
    forget_object(document, id);
    super::drivers::forget_drivers(document, |target| target.object() == id);
    forget_deformer(document, id);
    let removed = Arc::make_mut(&mut document.objects).remove(&id).ok_or(EditError::NoObject(id))?;
    let hanging: Vec<_> = children(document, id).collect();
    for child in hanging {
        object_mut(document, child)?.parent = removed.parent;
    }
    let lost = |object: &Object| object.constraints.iter().any(|constraint| constraint.needs().any(|need| need == id));
    let without: Vec<_> = document.objects.iter().filter(|(_, object)| lost(object)).map(|(id, _)| *id).collect();
    for object in without {
        let gone: Vec<_> = object_mut(document, object)?
            .constraints
            .extract_if(.., |constraint| constraint.needs().any(|need| need == id))
            .collect();
        for constraint in gone {
            super::constraints::forget_constraint(document, object, constraint.id);
        }
    }
    for clip in mentioning(document, id) {
        if let Some(clip) = document.clip_mut(clip) {
            forget(clip, id);
        }
    }
    Ok(())
}

fn children(document: &Document, id: ObjectId) -> impl Iterator<Item = ObjectId> {
    let is_child = move |object: &Object| object.parent.map(Parent::object) == Some(id);
    document.objects.iter().filter(move |(_, object)| is_child(object)).map(|(child, _)| *child)
}

fn mentions(clip: &Clip, object: ObjectId) -> bool {
    let paths = clip.channels.keys();
    let paths = paths.chain(clip.unkeyed.iter().flat_map(|frame| frame.values.keys()));
    let mut paths = paths.chain(clip.corrections.iter().flat_map(|correction| correction.deltas.keys()));
    paths.any(|path| path.target.object() == object)
        || clip.pins.iter().any(|pin| pin.mentions(object))
        || clip.retimes.iter().any(|retime| retime.object == object)
}

/// Drops the channels of a target that is no more, from all clips, and its drivers.
pub(super) fn forget_target(document: &mut Document, target: Target) {
    forget_targets(document, target.object(), |of| of == target);
}

/// Drops the channels of targets of an object that are no more, from all clips, and their drivers.
pub(super) fn forget_targets(document: &mut Document, object: ObjectId, is_gone: impl Fn(Target) -> bool) {
    super::drivers::forget_drivers(document, &is_gone);
    for clip in mentioning(document, object) {
        if let Some(clip) = document.clip_mut(clip) {
            forget_channels(clip, &is_gone);
        }
    }
}

/// Gives the channels of targets of an object, and what drives them, to others: none that has some of its own.
pub(super) fn rename_targets(document: &mut Document, object: ObjectId, to: impl Fn(Target) -> Target) {
    let renamed = |path: ChannelPath| ChannelPath { target: to(path.target), ..path };
    for clip in mentioning(document, object) {
        let Some(clip) = document.clip_mut(clip) else { continue };
        clip.channels = std::mem::take(&mut clip.channels).into_iter().map(|(path, of)| (renamed(path), of)).collect();
        for frame in &mut clip.unkeyed {
            frame.values =
                std::mem::take(&mut frame.values).into_iter().map(|(path, of)| (renamed(path), of)).collect();
        }
    }
    let driven = |driver: &Driver| [driver.driven, driver.source].iter().any(|path| renamed(*path) != *path);
    let objects: Vec<ObjectId> =
        document.objects.iter().filter(|(_, of)| of.drivers.iter().any(|of| driven(of))).map(|(id, _)| *id).collect();
    for id in objects {
        let drivers = document.object_mut(id).into_iter().flat_map(|found| &mut found.drivers);
        for driver in drivers.filter(|driver| driven(driver)) {
            let changed =
                Driver { driven: renamed(driver.driven), source: renamed(driver.source), ..(**driver).clone() };
            *driver = changed.into();
        }
    }
}

/// The clips that mention an object.
fn mentioning(document: &Document, object: ObjectId) -> Vec<ClipId> {
    document.clips.iter().filter(|(_, clip)| mentions(clip, object)).map(|(clip, _)| *clip).collect()
}

/// Drops an object's channels and retimes and the pins that name it; corrections that then change nothing go too.
fn forget(clip: &mut Clip, object: ObjectId) {
    super::pins::forget(clip, object);
    clip.retimes.retain(|retime| retime.object != object);
    forget_channels(clip, |target| target.object() == object);
}

fn forget_channels(clip: &mut Clip, is_gone: impl Fn(Target) -> bool) {
    clip.channels.retain(|path, _| !is_gone(path.target));
    for frame in &mut clip.unkeyed {
        frame.values.retain(|path, _| !is_gone(path.target));
    }
    clip.unkeyed.retain(|frame| !frame.values.is_empty());
    let touched: BTreeSet<_> = clip
        .corrections
        .iter()
        .filter(|correction| correction.deltas.keys().any(|path| is_gone(path.target)))
        .map(|correction| correction.id)
        .collect();
    for correction in clip.corrections.iter_mut().filter(|correction| touched.contains(&correction.id)) {
        let correction = Arc::make_mut(correction);
        correction.deltas.retain(|path, _| !is_gone(path.target));
        correction.solved.retain(|path, _| !is_gone(path.target));
    }
    clip.corrections.retain(|correction| !(touched.contains(&correction.id) && correction.deltas.is_empty()));
}

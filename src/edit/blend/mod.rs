//! Edits of blend spaces, masks and layers. A space, a mask or a layer is small: an edit carries the whole of it.

mod bake;
mod layering;
mod samples;
mod spaces;
mod steps;
pub mod templates;

pub use bake::{Reduce, bake_layers, bake_loop};
pub use layering::{
    add_empty_layer, add_layer, change_additive, change_layer, change_mask, clips_of, forget_unknown, free_mask_name,
    move_layer, replay, weigh, work_on,
};
pub use samples::{move_sample, remove_sample, set_sample, turn_diagonal, weighed};
pub use spaces::{
    added, free_space_name, move_point, new_space, play_space, plays_clip, record_point, stop_space, with_space,
};
pub use steps::mark_steps;

use super::{
    Edit, EditError,
    clips::take_id,
    error::finite,
    objects::{forget_targets, object_mut},
};
use crate::model::{
    AdditiveReference, BlendSpace, BlendSpaceId, ChannelPath, Document, JointMask, JointMaskId, Layer, LayerId,
    ObjectId, Plays, Property, Target,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of blend spaces, masks or layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BlendEdit {
    /// Adds a blend space.
    AddSpace {
        /// Its id, from [`Document::next_id`].
        id: BlendSpaceId,
        /// The space.
        space: Arc<BlendSpace>,
    },
    /// Puts a blend space in the place of what it was. Samples that come to be on one spot are refused; those that are
    /// because the scheme has fewer axes share it.
    SetSpace {
        /// The space.
        id: BlendSpaceId,
        /// What it is now.
        space: Arc<BlendSpace>,
    },
    /// Takes a sample out of a blend space, with the diagonals that end at it and the curves of its weight; those after it are
    /// renumbered.
    RemoveSample {
        /// The space.
        id: BlendSpaceId,
        /// The sample, by its place in the list.
        sample: usize,
    },
    /// Deletes a blend space, with the samples and layers that play it.
    DeleteSpace {
        /// The space.
        id: BlendSpaceId,
    },
    /// Adds a mask.
    AddMask {
        /// Its id, from [`Document::next_id`].
        id: JointMaskId,
        /// The mask.
        mask: Arc<JointMask>,
    },
    /// Puts a mask in the place of what it was.
    SetMask {
        /// The mask.
        id: JointMaskId,
        /// What it is now.
        mask: Arc<JointMask>,
    },
    /// Deletes a mask; the layers that had it act on all joints.
    DeleteMask {
        /// The mask.
        id: JointMaskId,
    },
    /// Puts a layer on top of an object's, or in the place of the one of its id.
    SetLayer {
        /// The rig object.
        object: ObjectId,
        /// The layer.
        layer: Arc<Layer>,
    },
    /// Moves a layer to a place among the others, the lowest being 0.
    MoveLayer {
        /// The object.
        object: ObjectId,
        /// The layer.
        layer: LayerId,
        /// Its new place; beyond the top counts as the top.
        to: usize,
    },
    /// Deletes a layer with its curves.
    DeleteLayer {
        /// The object.
        object: ObjectId,
        /// The layer.
        layer: LayerId,
    },
}

impl From<BlendEdit> for Edit {
    fn from(edit: BlendEdit) -> Self {
        Self::Blend(edit)
    }
}

impl BlendEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::AddSpace { id, space } => {
                take_id(document, id.0)?;
                put_space(document, *id, space, 0)
            }
            Self::SetSpace { id, space } => {
                let before = document.blend_spaces.get(id).ok_or(EditError::NoSpace(*id))?;
                let shared = before.on_one_spot_of(space.scheme).len();
                put_space(document, *id, space, shared)
            }
            Self::RemoveSample { id, sample } => samples::take_out(document, *id, *sample),
            Self::DeleteSpace { id } => {
                if Arc::make_mut(&mut document.blend_spaces).remove(id).is_none() {
                    return Err(EditError::NoSpace(*id));
                }
                forget_played(document, Plays::Space(*id));
                Ok(())
            }
            Self::AddMask { id, mask } => {
                take_id(document, id.0)?;
                put_mask(document, *id, mask)
            }
            Self::SetMask { id, mask } => {
                document.masks.get(id).ok_or(EditError::NoJointMask(*id))?;
                put_mask(document, *id, mask)
            }
            Self::DeleteMask { id } => delete_mask(document, *id),
            Self::SetLayer { object, layer } => set_layer(document, *object, layer),
            Self::MoveLayer { object, layer, to } => {
                let layers = &mut object_mut(document, *object)?.layers;
                let at = layers.iter().position(|other| other.id == *layer);
                let moved = layers.remove(at.ok_or(EditError::NoLayer(*object, *layer))?);
                let to = (*to).min(layers.len());
                layers.insert(to, moved);
                Ok(())
            }
            Self::DeleteLayer { object, layer } => {
                let layers = &mut object_mut(document, *object)?.layers;
                let at = layers.iter().position(|other| other.id == *layer);
                layers.remove(at.ok_or(EditError::NoLayer(*object, *layer))?);
                forget_layer(document, *object, *layer);
                Ok(())
            }
        }
    }
}

/// Drops the curves of a layer that is no more, and of the samples it weighed.
fn forget_layer(document: &mut Document, object: ObjectId, layer: LayerId) {
    let of_layer =
        |of: Target| matches!(of, Target::Layer(o, l) | Target::Sample(o, l, _) if (o, l) == (object, layer));
    forget_targets(document, object, of_layer);
}

fn put_space(
    document: &mut Document,
    id: BlendSpaceId,
    space: &Arc<BlendSpace>,
    shared_before: usize,
) -> Result<(), EditError> {
    if let Some(fault) = space.fault() {
        return Err(EditError::BadBlend(format!("{id} '{}'", space.name), fault));
    }
    space.samples.iter().try_for_each(|sample| exists(document, sample.plays))?;
    if space.on_one_spot().len() > shared_before {
        return Err(EditError::SameSpot(id));
    }
    Arc::make_mut(&mut document.blend_spaces).insert(id, space.clone());
    if document.space_contains(id, id) {
        return Err(EditError::SpaceInItself(id));
    }
    Ok(())
}

fn exists(document: &Document, plays: Plays) -> Result<(), EditError> {
    match plays {
        Plays::Clip(clip) => document.clip(clip).map(|_| ()).ok_or(EditError::NoClip(clip)),
        Plays::Space(space) => document.blend_spaces.get(&space).map(|_| ()).ok_or(EditError::NoSpace(space)),
    }
}

fn put_mask(document: &mut Document, id: JointMaskId, mask: &Arc<JointMask>) -> Result<(), EditError> {
    if !mask.is_sound() {
        return Err(EditError::BadBlend(format!("{id} '{}'", mask.name), "a weight is not within 0..1"));
    }
    Arc::make_mut(&mut document.masks).insert(id, mask.clone());
    Ok(())
}

fn delete_mask(document: &mut Document, id: JointMaskId) -> Result<(), EditError> {
    if Arc::make_mut(&mut document.masks).remove(&id).is_none() {
        return Err(EditError::NoJointMask(id));
    }
    each_layered(document, |layers| {
        for layer in layers.iter_mut().filter(|layer| layer.mask == Some(id)) {
            Arc::make_mut(layer).mask = None;
        }
    });
    Ok(())
}

fn set_layer(document: &mut Document, object: ObjectId, layer: &Arc<Layer>) -> Result<(), EditError> {
    exists(document, layer.plays)?;
    if let Some(mask) = layer.mask.filter(|mask| !document.masks.contains_key(mask)) {
        return Err(EditError::NoJointMask(mask));
    }
    if let Some(fault) = layer.fault() {
        return Err(EditError::BadBlend(format!("the layer '{}'", layer.name), fault));
    }
    let found = object_mut(document, object)?;
    found.as_rig().ok_or(EditError::NotARig(object))?;
    match found.layers.iter_mut().find(|other| other.id == layer.id) {
        Some(place) => *place = layer.clone(),
        None => found.layers.push(layer.clone()),
    }
    Ok(())
}

/// Changes the layers of every object that has some.
fn each_layered(document: &mut Document, change: impl Fn(&mut Vec<Arc<Layer>>)) {
    let layered: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| !object.layers.is_empty()).map(|(id, _)| *id).collect();
    for id in layered {
        if let Some(object) = document.object_mut(id) {
            change(&mut object.layers);
        }
    }
}

/// What plays something: the names of layers, each with its object's, and of blend spaces, in order.
#[must_use]
pub fn players(document: &Document, plays: Plays) -> (Vec<(String, String)>, Vec<String>) {
    let layers = document.objects.values().flat_map(|object| {
        let own = object.layers.iter().filter(|layer| layer.plays == plays);
        own.map(|layer| (layer.name.clone(), object.name.clone()))
    });
    let spaces = document.blend_spaces.values().filter(|space| space.samples.iter().any(|own| own.plays == plays));
    (layers.collect(), spaces.map(|space| space.name.clone()).collect())
}

/// Drops the samples and layers that play what is no more, with the curves of those layers; clips that are a difference from
/// it are one from the rest pose.
pub(super) fn forget_played(document: &mut Document, gone: Plays) {
    let spaces: Vec<BlendSpaceId> = document
        .blend_spaces
        .iter()
        .filter(|(_, space)| space.samples.iter().any(|sample| sample.plays == gone))
        .map(|(id, _)| *id)
        .collect();
    for id in spaces {
        let place = |document: &Document| {
            document.blend_spaces.get(&id)?.samples.iter().position(|sample| sample.plays == gone)
        };
        while let Some(at) = place(document) {
            if samples::take_out(document, id, at).is_err() {
                break;
            }
        }
    }
    let of = |(id, object): (&ObjectId, &Arc<crate::model::Object>)| {
        let lost = object.layers.iter().filter(|layer| layer.plays == gone);
        lost.map(|layer| (*id, layer.id)).collect::<Vec<_>>()
    };
    let lost: Vec<(ObjectId, LayerId)> = document.objects.iter().flat_map(of).collect();
    for (object, layer) in lost {
        if let Some(object) = document.object_mut(object) {
            object.layers.retain(|other| other.id != layer);
        }
        forget_layer(document, object, layer);
    }
    let Plays::Clip(clip) = gone else { return };
    let refers = |reference: AdditiveReference| reference == AdditiveReference::Clip(clip);
    let named: Vec<_> = document
        .clips
        .iter()
        .filter(|(_, other)| other.additive.is_some_and(|additive| refers(additive.reference)))
        .map(|(id, _)| *id)
        .collect();
    for id in named {
        if let Some(additive) = document.clip_mut(id).and_then(|clip| clip.additive.as_mut()) {
            additive.reference = AdditiveReference::Rest;
        }
    }
}

/// The edit that changes a number of a layer where no curve moves it.
pub(super) fn layer_number(
    document: &Document,
    object: ObjectId,
    id: LayerId,
    property: Property,
    value: f64,
) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?.layer(id);
    let mut layer = (**found.ok_or(EditError::NoLayer(object, id))?).clone();
    let value = finite("a number of a layer", value)?;
    match property {
        Property::Horizontal => layer.point[0] = value,
        Property::Vertical => layer.point[1] = value,
        _ => layer.weight = value.max(0.0),
    }
    Ok(BlendEdit::SetLayer { object, layer: Arc::new(layer) }.into())
}

/// The edit that changes how much of a sample of the space that a layer plays plays, where no curve moves it.
pub(super) fn sample_weight(
    document: &Document,
    (object, layer): (ObjectId, LayerId),
    place: u32,
    value: f64,
) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?.layer(layer);
    let Plays::Space(id) = found.ok_or(EditError::NoLayer(object, layer))?.plays else {
        return Err(EditError::WrongKind(ChannelPath::sample(object, layer, place)));
    };
    let value = finite("the weight of a sample", value)?.max(0.0);
    samples::weighed(document, id, place as usize, value)
}

#[cfg(test)]
mod tests;

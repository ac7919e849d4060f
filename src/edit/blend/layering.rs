//! From what is done to layers and masks by hand to edits.

use super::{BlendEdit, Edit, EditError, plays_clip};
use crate::{
    edit::{ClipEdit, ObjectEdit, clips::free_clip_name},
    model::{
        Additive, Clip, ClipId, Document, JointMask, JointMaskId, Layer, LayerId, LayerMode, ObjectId, Plays, Skeleton,
        names::joint_names,
    },
};
use std::sync::Arc;

/// The edit that puts a layer on top of an object's. Where it is the first, the clip that the object played until then
/// becomes a layer below it, called as the clip is, so that it goes on.
///
/// # Errors
/// Where there is no such rig.
pub fn add_layer(
    document: &Document,
    object: ObjectId,
    (name, plays): (&str, Plays),
) -> Result<(LayerId, Edit), EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    found.as_rig().ok_or(EditError::NotARig(object))?;
    let mut id = found.fresh_layer_id();
    let mut edits: Vec<Edit> = Vec::new();
    let base = document.clip_of(object).filter(|clip| found.layers.is_empty() && Plays::Clip(*clip) != plays);
    if let Some((clip, own)) = base.and_then(|id| Some((id, document.clip(id)?))) {
        let layer = Arc::new(Layer::new(id, &own.name, Plays::Clip(clip)));
        edits.push(BlendEdit::SetLayer { object, layer }.into());
        id = LayerId(id.0.saturating_add(1));
    }
    let layer = Arc::new(Layer::new(id, name, plays));
    edits.push(BlendEdit::SetLayer { object, layer }.into());
    Ok((id, Edit::Batch(edits)))
}

/// The edit that puts a layer on top of an object's that adds a new, empty clip as long as the play range, and has drags and
/// keys go to it.
///
/// # Errors
/// Where there is no such rig.
pub fn add_empty_layer(document: &Document, object: ObjectId, name: &str) -> Result<(LayerId, Edit), EditError> {
    let name = free_clip_name(document, name);
    let clip = ClipId(document.next_id);
    let add = Edit::from(ClipEdit::Add { id: clip, clip: Arc::new(Clip::new(&name, document.settings.play_range)) });
    let mut with = document.clone();
    add.apply(&mut with)?;
    let (id, lay) = add_layer(&with, object, (&name, Plays::Clip(clip)))?;
    lay.apply(&mut with)?;
    let added = change_layer(&with, object, id, |layer| layer.mode = LayerMode::Additive)?;
    Ok((id, Edit::Batch(vec![add, lay, added, work_on(object, clip)])))
}

/// The edit by which the work on an object goes to a clip: where one of its layers plays that, drags and keys are written
/// into it through the layers.
#[must_use]
pub fn work_on(object: ObjectId, clip: ClipId) -> Edit {
    ObjectEdit::SetClip { object, clip: Some(clip) }.into()
}

/// The edit that has a layer play something else. A layer that is called as what it played is called as what it plays.
///
/// # Errors
/// Where there is no such layer.
pub fn replay(
    document: &Document,
    object: ObjectId,
    id: LayerId,
    (plays, names): (Plays, [&str; 2]),
) -> Result<Edit, EditError> {
    change_layer(document, object, id, |layer| {
        layer.plays = plays;
        if layer.name == names[0] {
            names[1].clone_into(&mut layer.name);
        }
    })
}

/// The clips that something plays, itself or through spaces, as they are listed.
#[must_use]
pub fn clips_of(document: &Document, plays: Plays) -> Vec<ClipId> {
    let listed = document.listed_clips().into_iter();
    match plays {
        Plays::Clip(clip) => listed.filter(|other| *other == clip).collect(),
        Plays::Space(space) => listed.filter(|clip| plays_clip(document, space, *clip)).collect(),
    }
}

/// The edit that changes what all clips that something plays are a difference from, or in whose axes.
#[must_use]
pub fn change_additive(document: &Document, plays: Plays, change: impl Fn(&mut Additive)) -> Edit {
    let changed = clips_of(document, plays).into_iter().filter_map(|id| {
        let before = document.clip(id)?.additive;
        let mut additive = before.unwrap_or_default();
        change(&mut additive);
        let additive = (additive != Additive::default()).then_some(additive);
        (additive != before).then(|| ClipEdit::SetAdditive { clip: id, additive }.into())
    });
    Edit::Batch(changed.collect())
}

/// The edit that moves a layer to lie right above or below another, counted from below; none where it lies there.
#[must_use]
pub fn move_layer(document: &Document, object: ObjectId, layer: LayerId, onto: usize, above: bool) -> Option<Edit> {
    let layers = &document.object(object)?.layers;
    let from = layers.iter().position(|other| other.id == layer)?;
    let gap = onto.min(layers.len().saturating_sub(1)) + usize::from(above);
    let to = if from < gap { gap - 1 } else { gap };
    (to != from).then(|| BlendEdit::MoveLayer { object, layer, to }.into())
}

/// The edit that changes one layer.
///
/// # Errors
/// Where there is no such layer.
pub fn change_layer(
    document: &Document,
    object: ObjectId,
    id: LayerId,
    change: impl FnOnce(&mut Layer),
) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let mut layer = (**found.layer(id).ok_or(EditError::NoLayer(object, id))?).clone();
    change(&mut layer);
    Ok(BlendEdit::SetLayer { object, layer: Arc::new(layer) }.into())
}

/// The edit that changes one mask.
///
/// # Errors
/// Where there is no such mask.
pub fn change_mask(
    document: &Document,
    id: JointMaskId,
    change: impl FnOnce(&mut JointMask),
) -> Result<Edit, EditError> {
    let mut mask = (**document.masks.get(&id).ok_or(EditError::NoJointMask(id))?).clone();
    change(&mut mask);
    Ok(BlendEdit::SetMask { id, mask: Arc::new(mask) }.into())
}

/// Gives joints of a skeleton, by index, a weight in a mask, brought within 0..1. What is not a number changes nothing. A
/// joint that has the weight of those that are not named need not be named.
pub fn weigh(mask: &mut JointMask, skeleton: &Skeleton, joints: impl IntoIterator<Item = usize>, weight: f64) {
    if weight.is_nan() {
        return;
    }
    let weight = weight.clamp(0.0, 1.0);
    let names = joint_names(skeleton);
    for name in joints.into_iter().filter_map(|joint| names.get(joint)) {
        if weight == mask.others {
            mask.joints.remove(name);
        } else {
            mask.joints.insert(name.clone(), weight);
        }
    }
}

/// Takes out of a mask the names that a skeleton does not have.
pub fn forget_unknown(mask: &mut JointMask, skeleton: &Skeleton) {
    let gone: Vec<String> = mask.unknown(skeleton).into_iter().map(str::to_owned).collect();
    mask.joints.retain(|name, _| !gone.contains(name));
}

/// A name that no mask of a document has: the wanted one, or with the first number from 2 on that is free.
#[must_use]
pub fn free_mask_name(document: &Document, wanted: &str) -> String {
    crate::model::names::free(wanted, |name| document.masks.values().any(|mask| mask.name == name))
}

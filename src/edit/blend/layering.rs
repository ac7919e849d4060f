//! From what is done to layers and masks by hand to edits.

use super::{BlendEdit, Edit, EditError};
use crate::model::{Document, JointMask, JointMaskId, Layer, LayerId, ObjectId, Plays, Skeleton, names::joint_names};
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
    let is_free = |name: &String| document.masks.values().all(|mask| mask.name != *name);
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_else(|| wanted.to_owned())
}

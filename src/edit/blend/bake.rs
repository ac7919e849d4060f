//! From what an object's layers play to a clip that it plays instead.

use super::BlendEdit;
use crate::{
    edit::{ClipEdit, Edit, EditError, ObjectEdit},
    eval::blend::{bake, layers::plays_layers},
    model::{ClipId, Document, FrameRange, Layer, ObjectId},
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

/// How far a clip of keys may be from what plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduce {
    /// Of translations, metres.
    pub translation: f64,
    /// Of rotations, radians.
    pub rotation: f64,
    /// Of scales, a factor.
    pub scale: f64,
}

/// The edit that makes a clip of what an object's layers play over frames, makes it the object's, and mutes the layers.
/// With `reduce` the samples are reduced to keys.
///
/// # Errors
/// Where the object plays no layers. The inner error is that someone asked to stop.
pub fn bake_layers(
    document: &Document,
    object: ObjectId,
    frames: FrameRange,
    name: &str,
    reduce: Option<Reduce>,
    progress: &Progress,
) -> Result<Result<Edit, EditError>, Cancelled> {
    let Some(found) = document.object(object) else { return Ok(Err(EditError::NoObject(object))) };
    if !plays_layers(document, object) {
        return Ok(Err(EditError::NoLayers(object)));
    }
    let Some(clip) = bake::baked_clip(document, object, frames, name, progress)? else {
        return Ok(Err(EditError::NotARig(object)));
    };
    let clip = match reduce {
        Some(within) => bake::reduced(&clip, within.translation, within.rotation, within.scale),
        None => clip,
    };
    let id = ClipId(document.next_id);
    let mut edits: Vec<Edit> =
        vec![ClipEdit::Add { id, clip: Arc::new(clip) }.into(), ObjectEdit::SetClip { object, clip: Some(id) }.into()];
    for layer in found.layers.iter().filter(|layer| !layer.muted) {
        let layer = Arc::new(Layer { muted: true, ..(**layer).clone() });
        edits.push(BlendEdit::SetLayer { object, layer }.into());
    }
    Ok(Ok(Edit::Batch(edits)))
}

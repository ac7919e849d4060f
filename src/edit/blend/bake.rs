//! From what an object's layers play to a clip that it plays instead.

use super::BlendEdit;
use crate::{
    edit::{ClipEdit, Edit, EditError, ObjectEdit, SettingsEdit, clips::few_enough},
    eval::{
        Evaluator,
        blend::{
            bake,
            layers::{LayerReport, plays_layers, point_at, weights_at},
        },
    },
    model::{ChannelPath, Clip, ClipId, Document, FrameRange, Layer, ObjectId, Plays, Property},
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

/// Refuses what plays no layers.
fn with_layers(document: &Document, object: ObjectId) -> Result<(), EditError> {
    if document.object(object).is_none() {
        return Err(EditError::NoObject(object));
    }
    if plays_layers(document, object) { Ok(()) } else { Err(EditError::NoLayers(object)) }
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
    if let Err(error) = with_layers(document, object).and_then(|()| few_enough(frames.len())) {
        return Ok(Err(error));
    }
    let Some(clip) = bake::baked_clip(document, object, frames, name, progress)? else {
        return Ok(Err(EditError::NotARig(object)));
    };
    Ok(Ok(in_place_of_layers(document, object, clip, reduce)))
}

/// As [`bake_layers`], of one cycle of the lowest layer that plays a space, at the mix that it plays at a time: its point
/// stands still there, whatever curves move it. The cycle is what plays then.
///
/// # Errors
/// Where the object plays no layers, or nothing it plays comes round. The inner error is that someone asked to stop.
pub fn bake_loop(
    document: &Document,
    object: ObjectId,
    secs: f64,
    name: &str,
    reduce: Option<Reduce>,
    progress: &Progress,
) -> Result<Result<Edit, EditError>, Cancelled> {
    if let Err(error) = with_layers(document, object) {
        return Ok(Err(error));
    }
    let frame = Evaluator::new().frame(document, secs);
    let round = |report: &&LayerReport| report.object == object && report.cycle > 0.0;
    let Some(report) = frame.layers.iter().find(round) else { return Ok(Err(EditError::NoCycle(object))) };
    let standing = standing(document, object, report, secs);
    let Some(clip) = bake::baked_loop(&standing, object, (secs, report.cycle), name, progress)? else {
        return Ok(Err(EditError::NoCycle(object)));
    };
    // So that it is seen to go round.
    let range = SettingsEdit::SetPlayRange(clip.range).into();
    Ok(Ok(match in_place_of_layers(document, object, clip, reduce) {
        Edit::Batch(mut edits) => {
            edits.push(range);
            Edit::Batch(edits)
        }
        other => Edit::Batch(vec![other, range]),
    }))
}

/// The document with a layer whose point stands where it is at a time.
fn standing(document: &Document, object: ObjectId, report: &LayerReport, secs: f64) -> Document {
    let mut standing = document.clone();
    let trail = point_at(document, object, report.layer, secs);
    let weights = weights_at(document, object, report.layer, secs);
    let point = Property::LAYER[1..].iter().map(|property| ChannelPath::layer(object, report.layer, *property));
    let samples = (0u32..).take(report.samples.len()).map(|place| ChannelPath::sample(object, report.layer, place));
    let paths: Vec<ChannelPath> = point.chain(samples).collect();
    if let Some(clip) = document.settings.clip.and_then(|clip| standing.clip_mut(clip)) {
        for path in &paths {
            clip.channels.remove(path);
            for frame in &mut clip.unkeyed {
                frame.values.remove(path);
            }
        }
    }
    let space = document.object(object).and_then(|found| found.layer(report.layer)).map(|layer| layer.plays);
    if let (Some(weights), Some(Plays::Space(space))) = (weights, space)
        && let Some(space) = Arc::make_mut(&mut standing.blend_spaces).get_mut(&space)
    {
        let samples = &mut Arc::make_mut(space).samples;
        samples.iter_mut().zip(weights).for_each(|(sample, weight)| sample.weight = weight.max(0.0));
    }
    if let Some(found) = standing.object_mut(object) {
        found.drivers.retain(|driver| !paths.iter().any(|path| path.target == driver.driven.target));
        for layer in found.layers.iter_mut().filter(|layer| layer.id == report.layer) {
            Arc::make_mut(layer).point = trail.unwrap_or(layer.point);
        }
    }
    standing
}

fn in_place_of_layers(document: &Document, object: ObjectId, clip: Clip, reduce: Option<Reduce>) -> Edit {
    let clip = match reduce {
        Some(within) => bake::reduced(&clip, within.translation, within.rotation, within.scale),
        None => clip,
    };
    let id = ClipId(document.next_id);
    let mut edits: Vec<Edit> =
        vec![ClipEdit::Add { id, clip: Arc::new(clip) }.into(), ObjectEdit::SetClip { object, clip: Some(id) }.into()];
    let layers = document.object(object).map(|found| found.layers.as_slice()).unwrap_or_default();
    for layer in layers.iter().filter(|layer| !layer.muted) {
        let layer = Arc::new(Layer { muted: true, ..(**layer).clone() });
        edits.push(BlendEdit::SetLayer { object, layer }.into());
    }
    Edit::Batch(edits)
}

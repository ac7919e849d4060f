//! How fast a clip leads a rig over the ground.

use crate::{
    eval::Evaluator,
    math::Vec3,
    model::{ClipId, Document, ObjectId},
};

/// The mean velocity over the ground of the root of a rig in a clip, in the rig object's own space with the height left out,
/// metres a second. Nothing for a clip of one frame; none where there is no such rig or clip.
#[must_use]
pub fn velocity(document: &Document, object: ObjectId, clip: ClipId) -> Option<Vec3> {
    let range = document.clip(clip)?.range;
    let mut plain = document.clone();
    let played = plain.object_mut(object)?;
    played.layers.clear();
    played.clip = Some(clip);
    let (evaluator, rate) = (Evaluator::new(), document.settings.rate);
    let root = |frame: i64| Some(evaluator.rig_frame(&plain, object, rate.secs(frame))?.local.first()?.translation);
    let secs = rate.secs(range.last) - rate.secs(range.first);
    let gone = root(range.last)? - root(range.first)?;
    let up = document.object(object)?.transform.rotation.inverse() * Vec3::y();
    Some(if secs > 0.0 { (gone - up * up.dot(&gone)) / secs } else { Vec3::zeros() })
}

//! Poses for pictures, in single precision and with wide instructions: ghosts, onion skins, pictures of clips.
//!
//! | to | call |
//! |---|---|
//! | sample a captured clip | [`PreviewClip::sample`] |
//! | blend whole poses | [`blend_packed`] |
//! | place joints in the rig's space | [`model_from_packed`] |
//! | have the joints of an object at a time | [`super::Evaluator::rig_preview`] |
//! | have one pose of a clip | [`clip_pose`] |
//!
//! What is posed, baked, exported and measured goes through the double precision of [`super::Evaluator::rig_frame`] alone.
//! A pose comes from here only where a clip's channels say all of it: all of them sampled on one grid, without modifiers and
//! retimes; no correction and no waiting edit at that time; no constraint, chain, driver, layer or pin that moves joints; no
//! joint that leaves its parent's scale out. Else a preview is that of double precision. Joints of a figure of 2 m within 100 m
//! of its object lie within 1e-4 m of where they are, which `tests/it/preview.rs` holds to over captured files.

mod blend;
mod clip;
mod model;
mod packed;

pub use blend::blend_packed;
pub use clip::PreviewClip;
pub use model::{Place, model_from_packed};
pub use packed::PackedPose;

use super::{blend::layers::plays_layers, constraint, drive, pins, pipeline::RigFrame, sample::RigBinding};
use crate::{
    math::Transform,
    model::{Clip, ClipId, Document, ObjectId, Skeleton},
};
use std::sync::Arc;

/// The skeleton and the clip of a rig object that nothing but its clip poses at a time; none where something else does too.
pub(super) fn plays_channels(document: &Document, object: ObjectId, secs: f64) -> Option<(&Arc<Skeleton>, &Arc<Clip>)> {
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip))?;
    posed_by(document, object, clip, secs).filter(|_| !plays_layers(document, object))
}

/// The same of a clip, whatever plays.
fn posed_by<'a>(
    document: &'a Document,
    object: ObjectId,
    clip: &'a Arc<Clip>,
    secs: f64,
) -> Option<(&'a Arc<Skeleton>, &'a Arc<Clip>)> {
    let found = document.object(object)?;
    let skeleton = &found.as_rig()?.skeleton;
    let alone = !constraint::moves_joints(found) && !drive::moves_joints(found) && !pins::acts_on(clip, object, secs);
    (alone && skeleton.tree().own_scale.is_empty()).then_some((skeleton, clip))
}

/// The pose of one clip of a rig object at one time, whatever plays at present, each joint in its parent's space; none where more
/// than its channels says it. Nothing of the clip is looked at but what is around that time.
#[must_use]
pub fn clip_pose(document: &Document, object: ObjectId, clip: ClipId, secs: f64) -> Option<Vec<Transform>> {
    let (skeleton, clip) = posed_by(document, object, document.clip(clip)?, secs)?;
    let binding = RigBinding::trackless(object, skeleton, Some(clip));
    if !binding.follows_channels(secs) {
        return None;
    }
    let compiled = PreviewClip::new(&binding, None)?;
    let mut pose = compiled.rest();
    compiled.sample(secs, &mut pose);
    Some(pose.locals())
}

/// A pose of a compiled clip as a frame; none where the binding says more than its channels at that time.
pub(super) fn frame(clip: &PreviewClip, binding: &RigBinding, secs: f64) -> Option<RigFrame> {
    if !binding.follows_channels(secs) {
        return None;
    }
    let (mut pose, mut places) = (clip.rest(), Vec::new());
    clip.sample(secs, &mut pose);
    model_from_packed(binding.skeleton().parents(), &pose, &mut places);
    Some(RigFrame { local: pose.locals(), model: places.iter().map(Place::to_affine).collect() })
}

#[cfg(test)]
mod tests;

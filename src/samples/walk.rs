//! The walk: the document the program starts with.

use super::{
    biped,
    gait::table::{ROUND, ROUND_CYCLES},
    track,
};
use crate::model::Document;
use std::sync::Arc;

/// The biped and its walk once round a circle; the last frame is the first again.
pub(super) fn document() -> Document {
    let mut document = Document::default();
    let (rig, skeleton) = biped::add_to(&mut document);
    let clip = track::clip("Walk", &ROUND, i64::from(ROUND_CYCLES), rig, &skeleton);
    let range = clip.range;
    let clip = document.add_clip(clip);
    let settings = Arc::make_mut(&mut document.settings);
    settings.clip = Some(clip);
    settings.play_range = range;
    document
}

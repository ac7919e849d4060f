//! The walk: the document the program starts with.

use super::{
    biped, body,
    gait::table::{ROUND, ROUND_CYCLES},
    track,
};
use crate::model::{Document, Object, ObjectKind, Parent};
use std::sync::Arc;

/// The biped with its body and its walk once round a circle; the last frame is the first again.
pub(super) fn document() -> Document {
    let mut document = walker();
    let rig = document.rigs().next().map(|(id, _, rig)| (id, rig.skeleton.clone()));
    if let Some((rig, skeleton)) = rig {
        let body = ObjectKind::Mesh(Arc::new(body::mesh(rig, &skeleton)));
        let parent = Some(Parent::Object(rig));
        document.add_object(Object { parent, ..Object::new("Body", body) });
    }
    document
}

/// The biped and its walk once round a circle; the last frame is the first again.
pub(super) fn walker() -> Document {
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

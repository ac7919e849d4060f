//! What the biped can do: a clip a motion, to be blended, layered and joined.

use super::{
    biped,
    gait::{
        Motion,
        table::{BREATHE, IDLE, LEAN_LEFT, LEAN_RIGHT, LIMP, RUN, STRAFE_LEFT, STRAFE_RIGHT, TIRED, WALK, WAVE},
    },
    spaces, track,
};
use crate::model::Document;
use std::sync::Arc;

/// The clips, in the order of the library. Those that go somewhere take the hips along.
const CLIPS: [(&str, &dyn Motion); 11] = [
    ("Idle", &IDLE),
    ("Walk", &WALK),
    ("Run", &RUN),
    ("Strafe left", &STRAFE_LEFT),
    ("Strafe right", &STRAFE_RIGHT),
    ("Lean left", &LEAN_LEFT),
    ("Lean right", &LEAN_RIGHT),
    ("Wave", &WAVE),
    ("Breathe", &BREATHE),
    ("Tired walk", &TIRED),
    ("Limp", &LIMP),
];

/// The biped with all of its motions and the spaces they are blended in; the first motion plays.
pub(super) fn document() -> Document {
    let mut document = Document::default();
    let (rig, skeleton) = biped::add_to(&mut document);
    for (name, motion) in CLIPS {
        let clip = track::clip(name, motion, 1, rig, &skeleton);
        let range = clip.range;
        let id = document.add_clip(clip);
        let settings = Arc::make_mut(&mut document.settings);
        if settings.clip.is_none() {
            settings.clip = Some(id);
            settings.play_range = range;
        }
    }
    spaces::add_to(&mut document, rig);
    document
}

//! Clips as wholes: run backwards or at another speed, set one after another, and how well one goes on from another.
//!
//! | to | call |
//! |---|---|
//! | run a clip backwards or at another speed | [`remap::remapped`] |
//! | set a clip after another | [`splice::spliced`] |
//! | see whether one ends as another begins | [`seams::Ends`] |
//! | switch from one to another, compared and baked | [`switching::Stage`] |
//! | make a clip go round | [`super::cycle`] |

pub mod remap;
pub mod seams;
pub mod splice;
pub mod switching;

use super::Evaluator;
use crate::{
    math::Transform,
    model::{Clip, ClipId, Document, ObjectId},
};
use std::sync::Arc;

/// What a clip does with a rig, whatever plays at present: its curves, corrections and pins, without what waits to be keyed.
#[derive(Debug)]
pub struct Motion {
    document: Document,
    object: ObjectId,
    evaluator: Evaluator,
    clip: Arc<Clip>,
}

impl Motion {
    /// That of a clip of a document. None where there is no such rig or clip.
    #[must_use]
    pub fn new(document: &Document, object: ObjectId, clip: ClipId) -> Option<Self> {
        let mut document = document.clone();
        document.object(object)?.as_rig()?;
        document.clip_mut(clip)?.unkeyed.clear();
        let played = document.object_mut(object)?;
        (played.clip, played.layers) = (Some(clip), Vec::new());
        let clip = document.clip(clip)?.clone();
        Some(Self { document, object, evaluator: Evaluator::new(), clip })
    }

    /// The clip.
    #[must_use]
    pub const fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }

    /// From its first frame to its last, seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        let (rate, range) = (self.document.settings.rate, self.clip.range);
        rate.secs(range.last) - rate.secs(range.first)
    }

    /// The pose at a time of the clip, each joint in its parent's space.
    #[must_use]
    pub fn pose(&self, secs: f64) -> Vec<Transform> {
        let frame = self.evaluator.rig_frame(&self.document, self.object, secs);
        frame.map_or_else(Vec::new, |frame| frame.local.clone())
    }
}

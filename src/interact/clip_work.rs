//! What is to be done with clips beside the window, because it may take long.

use crate::{
    edit::blend::Reduce,
    eval::{clips::switching::SwitchPlan, cycle::Travel},
    model::{ClipId, FrameRange, ObjectId},
};

/// Something to be done with clips; one step of undo each.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipWork {
    /// Runs a clip backwards.
    Reverse(ClipId),
    /// Runs a clip faster or slower: so many frames from its first to its last.
    Length(ClipId, i64),
    /// Makes a clip of a rig go round.
    Loop(ObjectId, ClipId, Travel),
    /// Adds a clip of two, the second after the first.
    Splice(ObjectId, ClipId, ClipId),
    /// Finds when the feet of a rig come down in a clip.
    MarkSteps(ObjectId, ClipId),
    /// Makes a clip of a switch from one clip to another, of a name.
    Switch(SwitchPlan, String),
    /// Makes a clip of what an object's layers play.
    BakeLayers {
        /// The object.
        object: ObjectId,
        /// The frames.
        frames: FrameRange,
        /// The name of the clip.
        name: String,
        /// How far keys may be from it; none for a value a frame.
        reduce: Option<Reduce>,
    },
}

impl ClipWork {
    /// The label of the step, a text key.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Reverse(_) => "history.clip_reverse",
            Self::Length(..) => "history.clip_length",
            Self::Loop(..) => "history.cycle_clip",
            Self::Splice(..) => "history.clip_splice",
            Self::MarkSteps(..) => "history.clip_steps",
            Self::Switch(..) => "history.bake_switch",
            Self::BakeLayers { .. } => "history.bake_layers",
        }
    }
}

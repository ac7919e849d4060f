//! Edits of clips.

use super::{Edit, EditError};
use crate::model::{Clip, ClipId, Document, FrameRange, LoopMode};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a clip as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ClipEdit {
    /// Adds a clip.
    Add {
        /// Its id, from [`Document::next_id`].
        id: ClipId,
        /// The clip.
        clip: Arc<Clip>,
    },
    /// Deletes a clip; what played it plays what it would without.
    Delete {
        /// The clip.
        clip: ClipId,
    },
    /// Renames a clip.
    Rename {
        /// The clip.
        clip: ClipId,
        /// The name.
        name: String,
    },
    /// Sets a clip's frames.
    SetRange {
        /// The clip.
        clip: ClipId,
        /// The frames at the document's rate.
        range: FrameRange,
    },
    /// Sets what comes after a clip's last frame.
    SetLoopMode {
        /// The clip.
        clip: ClipId,
        /// What comes.
        loop_mode: LoopMode,
    },
}

impl From<ClipEdit> for Edit {
    fn from(edit: ClipEdit) -> Self {
        Self::Clip(edit)
    }
}

impl ClipEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Add { id, clip } => {
                take_id(document, id.0)?;
                Arc::make_mut(&mut document.clips).insert(*id, clip.clone());
            }
            Self::Delete { clip } => delete(document, *clip)?,
            Self::Rename { clip, name } => clip_mut(document, *clip)?.name.clone_from(name),
            Self::SetRange { clip, range } => clip_mut(document, *clip)?.range = *range,
            Self::SetLoopMode { clip, loop_mode } => clip_mut(document, *clip)?.loop_mode = *loop_mode,
        }
        Ok(())
    }
}

pub(super) fn clip_mut(document: &mut Document, clip: ClipId) -> Result<&mut Clip, EditError> {
    document.clip_mut(clip).ok_or(EditError::NoClip(clip))
}

/// Takes a given id, which must be new; later ids are above it.
pub(super) fn take_id(document: &mut Document, id: u32) -> Result<(), EditError> {
    if id < document.next_id {
        return Err(EditError::IdInUse(id));
    }
    document.next_id = id.checked_add(1).ok_or(EditError::IdInUse(id))?;
    Ok(())
}

fn delete(document: &mut Document, clip: ClipId) -> Result<(), EditError> {
    if Arc::make_mut(&mut document.clips).remove(&clip).is_none() {
        return Err(EditError::NoClip(clip));
    }
    if document.settings.clip == Some(clip) {
        Arc::make_mut(&mut document.settings).clip = None;
    }
    let players: Vec<_> =
        document.objects.iter().filter(|(_, object)| object.clip == Some(clip)).map(|(id, _)| *id).collect();
    for id in players {
        if let Some(object) = document.object_mut(id) {
            object.clip = None;
        }
    }
    Ok(())
}

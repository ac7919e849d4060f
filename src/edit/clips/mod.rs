//! Edits of clips, and what is made of them: copies, shorter and longer ones, ones that go round, backwards or on.

mod work;

pub(in crate::edit) use work::few_enough;
pub use work::{
    Worked, copied, free_clip_name, in_place, listed_at, looped, played_by, reversed, spliced, switched, time_scaled,
    trimmed,
};

use super::{Edit, EditError, error::finite};
use crate::model::{
    Additive, AdditiveReference, Clip, ClipId, Document, FrameRange, LoopMode, Marker, MarkerId, Plays,
};
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
    /// Puts a clip in the place of what it was.
    Replace {
        /// The clip.
        clip: ClipId,
        /// What it is now.
        with: Arc<Clip>,
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
    /// Sets whether each repeat goes on from where the one before came to.
    SetTravels {
        /// The clip.
        clip: ClipId,
        /// Whether it does.
        travels: bool,
    },
    /// Sets what a clip is a difference from where it is added.
    SetAdditive {
        /// The clip.
        clip: ClipId,
        /// From what; none for the rest pose, in the bones' axes.
        additive: Option<Additive>,
    },
    /// Puts a marker into a clip, in place of the one of its id.
    SetMarker {
        /// The clip.
        clip: ClipId,
        /// The marker.
        marker: Marker,
    },
    /// Deletes a marker.
    DeleteMarker {
        /// The clip.
        clip: ClipId,
        /// The marker.
        marker: MarkerId,
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
            Self::Replace { clip, with } => {
                document.clip(*clip).ok_or(EditError::NoClip(*clip))?;
                Arc::make_mut(&mut document.clips).insert(*clip, with.clone());
            }
            Self::Delete { clip } => delete(document, *clip)?,
            Self::Rename { clip, name } => clip_mut(document, *clip)?.name.clone_from(name),
            Self::SetRange { clip, range } => clip_mut(document, *clip)?.range = *range,
            Self::SetLoopMode { clip, loop_mode } => clip_mut(document, *clip)?.loop_mode = *loop_mode,
            Self::SetTravels { clip, travels } => clip_mut(document, *clip)?.travels = *travels,
            Self::SetAdditive { clip, additive } => {
                if let Some(Additive { reference: AdditiveReference::Clip(other), .. }) = additive
                    && document.clip(*other).is_none()
                {
                    return Err(EditError::NoClip(*other));
                }
                clip_mut(document, *clip)?.additive = *additive;
            }
            Self::SetMarker { clip, marker } => {
                finite("a marker's time", marker.time)?;
                let markers = &mut clip_mut(document, *clip)?.markers;
                match markers.iter_mut().find(|other| other.id == marker.id) {
                    Some(other) => other.clone_from(marker),
                    None => markers.push(marker.clone()),
                }
            }
            Self::DeleteMarker { clip, marker } => {
                let markers = &mut clip_mut(document, *clip)?.markers;
                let at = markers.iter().position(|other| other.id == *marker);
                markers.remove(at.ok_or(EditError::NoMarker(*marker))?);
            }
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
    if document.settings.clip_order.contains(&clip) {
        Arc::make_mut(&mut document.settings).clip_order.retain(|other| *other != clip);
    }
    if document.snapshots.values().any(|snapshot| snapshot.clip == clip) {
        Arc::make_mut(&mut document.snapshots).retain(|_, snapshot| snapshot.clip != clip);
    }
    super::blend::forget_played(document, Plays::Clip(clip));
    let players: Vec<_> =
        document.objects.iter().filter(|(_, object)| object.clip == Some(clip)).map(|(id, _)| *id).collect();
    for id in players {
        if let Some(object) = document.object_mut(id) {
            object.clip = None;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MarkerColour;

    #[test]
    fn markers_are_put_in_changed_and_taken_out() {
        let mut document = Document::default();
        let clip = document.add_clip(Clip::new("clip", FrameRange::new(0, 24)));
        let marker = |id: u32, time: f64, name: &str| Marker {
            id: MarkerId(id),
            time,
            name: name.to_owned(),
            colour: MarkerColour::Blue,
            sync: false,
        };
        for marker in [marker(0, 2.0, "land"), marker(1, 0.5, "leap"), marker(0, 1.0, "touch")] {
            ClipEdit::SetMarker { clip, marker }.run(&mut document).unwrap();
        }
        let known = document.clip(clip).unwrap();
        assert_eq!(known.markers, [marker(0, 1.0, "touch"), marker(1, 0.5, "leap")]);
        assert_eq!(known.fresh_marker_id(), MarkerId(2));
        let next = |secs, forward| known.neighbour_marker(secs, forward).map(|marker| marker.id.0);
        assert_eq!([next(0.0, true), next(0.5, true), next(1.0, true)], [Some(1), Some(0), None]);
        assert_eq!([next(0.5, false), next(1.0, false), next(9.0, false)], [None, Some(1), Some(0)]);
        assert_eq!(document.problems(), []);
        ClipEdit::DeleteMarker { clip, marker: MarkerId(1) }.run(&mut document).unwrap();
        let again = ClipEdit::DeleteMarker { clip, marker: MarkerId(1) }.run(&mut document);
        assert_eq!(again, Err(EditError::NoMarker(MarkerId(1))));
        let nowhere = ClipEdit::SetMarker { clip, marker: marker(3, f64::NAN, "") }.run(&mut document);
        assert!(nowhere.is_err() && document.clip(clip).unwrap().markers.len() == 1);
    }
}

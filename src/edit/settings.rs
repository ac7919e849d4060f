//! Edits of what holds for the whole document.

use super::{Edit, EditError};
use crate::model::{ClipId, Document, FrameRange, FrameRate, LengthUnit, Reference};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of the document's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SettingsEdit {
    /// Sets the frame rate. Keys, samples and waiting edits keep their time; the frames of clips and of the play range are
    /// those nearest to where they were.
    SetRate(FrameRate),
    /// Sets the frames that play.
    SetPlayRange(FrameRange),
    /// Sets the unit lengths are shown in.
    SetLengthUnit(LengthUnit),
    /// Sets the clip that plays where nothing else is said.
    SetClip(Option<ClipId>),
    /// Sets the order in which clips are listed. Clips that do not exist, or are named again, are left out.
    SetClipOrder(Vec<ClipId>),
    /// Adds a reference image, over those there are.
    AddReference(Reference),
    /// Changes a reference image.
    SetReference {
        /// Which, by its place in the list.
        index: usize,
        /// What it is to be.
        to: Reference,
    },
    /// Removes a reference image, by its place in the list.
    RemoveReference(usize),
}

impl From<SettingsEdit> for Edit {
    fn from(edit: SettingsEdit) -> Self {
        Self::Settings(edit)
    }
}

impl SettingsEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::SetRate(rate) => set_rate(document, *rate),
            Self::SetPlayRange(range) => Arc::make_mut(&mut document.settings).play_range = *range,
            Self::SetLengthUnit(unit) => Arc::make_mut(&mut document.settings).length_unit = *unit,
            Self::SetClip(clip) => {
                if let Some(clip) = clip.filter(|clip| document.clip(*clip).is_none()) {
                    return Err(EditError::NoClip(clip));
                }
                Arc::make_mut(&mut document.settings).clip = *clip;
            }
            Self::SetClipOrder(order) => {
                let mut clips: Vec<ClipId> = Vec::new();
                for clip in order {
                    if document.clip(*clip).is_some() && !clips.contains(clip) {
                        clips.push(*clip);
                    }
                }
                Arc::make_mut(&mut document.settings).clip_order = clips;
            }
            Self::AddReference(reference) => {
                check(reference)?;
                Arc::make_mut(&mut document.settings).references.push(reference.clone());
            }
            Self::SetReference { index, to } => {
                check(to)?;
                let references = &mut Arc::make_mut(&mut document.settings).references;
                *references.get_mut(*index).ok_or(EditError::NoReference(*index))? = to.clone();
            }
            Self::RemoveReference(index) => {
                let references = &mut Arc::make_mut(&mut document.settings).references;
                if *index >= references.len() {
                    return Err(EditError::NoReference(*index));
                }
                references.remove(*index);
            }
        }
        Ok(())
    }
}

fn check(reference: &Reference) -> Result<(), EditError> {
    reference.fault().map_or(Ok(()), |fault| Err(EditError::BadReference(reference.path.clone(), fault)))
}

/// The frames of one rate nearest to the times of those of another.
fn convert_range(range: FrameRange, from: FrameRate, to: FrameRate) -> FrameRange {
    let convert = |frame: i64| if from == to { frame } else { to.nearest_frame(from.secs(frame)) };
    FrameRange::new(convert(range.first), convert(range.last))
}

fn set_rate(document: &mut Document, rate: FrameRate) {
    let before = document.settings.rate;
    if before == rate {
        return;
    }
    let settings = Arc::make_mut(&mut document.settings);
    settings.rate = rate;
    settings.play_range = convert_range(settings.play_range, before, rate);
    for clip in Arc::make_mut(&mut document.clips).values_mut().map(Arc::make_mut) {
        clip.range = convert_range(clip.range, before, rate);
        // The text stands for the rate the file had.
        clip.frame_time_text = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, UnkeyedFrame};

    #[test]
    fn another_rate_keeps_times_and_moves_frames() {
        let mut document = Document::default();
        let mut clip = Clip::new("clip", FrameRange::new(10, 48));
        clip.frame_time_text = Some("0.0416667".to_owned());
        clip.unkeyed.push(UnkeyedFrame { time: 0.3, values: std::collections::BTreeMap::new() });
        let id = document.add_clip(clip);
        let before = document.clone();
        let rate = |num| Edit::from(SettingsEdit::SetRate(FrameRate::new(num, 1).unwrap()));
        rate(24).apply(&mut document).unwrap();
        assert_eq!(document, before);
        rate(30).apply(&mut document).unwrap();
        let clip = &document.clips[&id];
        assert_eq!(
            (clip.range, clip.unkeyed[0].time, clip.frame_time_text.is_none()),
            (FrameRange::new(13, 60), 0.3, true)
        );
        assert_eq!(document.settings.play_range, FrameRange::new(0, 59));
        let reference = Reference::new("a.png".to_owned(), false, 3);
        let edit = |edit: SettingsEdit| Edit::from(edit);
        edit(SettingsEdit::AddReference(reference.clone())).apply(&mut document).unwrap();
        let to = Reference { opacity: f64::NAN, ..reference.clone() };
        assert!(edit(SettingsEdit::SetReference { index: 0, to }).apply(&mut document).is_err());
        let to = Reference { opacity: 0.2, ..reference };
        assert!(edit(SettingsEdit::SetReference { index: 1, to: to.clone() }).apply(&mut document).is_err());
        edit(SettingsEdit::SetReference { index: 0, to: to.clone() }).apply(&mut document).unwrap();
        assert_eq!(document.settings.references, [to]);
        edit(SettingsEdit::RemoveReference(0)).apply(&mut document).unwrap();
        assert_eq!(edit(SettingsEdit::RemoveReference(0)).apply(&mut document), Err(EditError::NoReference(0)));
        let none = Edit::from(SettingsEdit::SetClip(Some(ClipId(99))));
        assert_eq!(none.apply(&mut document), Err(EditError::NoClip(ClipId(99))));
    }
}

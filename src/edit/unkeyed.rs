//! Edits that wait at a frame until they are keyed or dropped.

use super::{CurveRef, Edit, EditError, clips::clip_mut, curves::channel_of, error::finite, keys::check_kind};
use crate::model::{ChannelPath, ClipId, Document, UnkeyedFrame, Value, clip::SAME_TIME_SECS};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A change of the edits that wait in a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum UnkeyedEdit {
    /// Lets values wait at a time; values of the same channels that wait there already go.
    Set {
        /// The clip.
        clip: ClipId,
        /// The time, seconds.
        secs: f64,
        /// The channels' values.
        values: Vec<(ChannelPath, Value)>,
    },
    /// Drops what waits for some channels at a time; channels that have nothing waiting stay so.
    Remove {
        /// The clip.
        clip: ClipId,
        /// The time, seconds.
        secs: f64,
        /// The channels.
        paths: Vec<ChannelPath>,
    },
    /// Drops everything that waits at a time, or in the whole clip.
    Discard {
        /// The clip.
        clip: ClipId,
        /// The time, seconds; none for all.
        secs: Option<f64>,
    },
}

impl From<UnkeyedEdit> for Edit {
    fn from(edit: UnkeyedEdit) -> Self {
        Self::Unkeyed(edit)
    }
}

fn is_at(frame: &UnkeyedFrame, secs: f64) -> bool {
    (frame.time - secs).abs() <= SAME_TIME_SECS
}

impl UnkeyedEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Set { clip, secs, values } => {
                let time = finite("a time", *secs)?;
                for (path, value) in values {
                    channel_of(document, CurveRef { clip: *clip, path: *path })?;
                    check_kind(*path, *value)?;
                }
                let frames = &mut clip_mut(document, *clip)?.unkeyed;
                if values.is_empty() {
                    return Ok(());
                }
                let at = match frames.iter().position(|frame| is_at(frame, time)) {
                    Some(at) => at,
                    None => {
                        let at = frames.partition_point(|frame| frame.time < time);
                        frames.insert(at, UnkeyedFrame { time, values: BTreeMap::new() });
                        at
                    }
                };
                frames[at].values.extend(values.iter().copied());
            }
            Self::Remove { clip, secs, paths } => {
                let frames = &mut clip_mut(document, *clip)?.unkeyed;
                for frame in frames.iter_mut().filter(|frame| is_at(frame, *secs)) {
                    frame.values.retain(|path, _| !paths.contains(path));
                }
                frames.retain(|frame| !frame.values.is_empty());
            }
            Self::Discard { clip, secs } => {
                clip_mut(document, *clip)?.unkeyed.retain(|frame| secs.is_some_and(|secs| !is_at(frame, secs)));
            }
        }
        Ok(())
    }
}

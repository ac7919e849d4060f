//! Markers of the clip in question, key types, the frames of the selected keys.

use crate::{
    app::window::App,
    command::CommandId as Id,
    edit::{ClipEdit, KeyEdit, SettingsEdit, columns},
    interact::view_state::{Playback, ViewChange},
    model::{FrameRange, KeyKind, Marker, MarkerColour, clip::SAME_TIME_SECS},
    notice::Notice,
    text::{fill, t},
    ui::subject,
};

impl App {
    /// Adds a marker, deletes the one at the time shown, goes to another.
    pub(in crate::app) fn markers(&mut self, id: Id) {
        let (document, now) = (self.state.session.document(), self.state.view.secs);
        let found = subject::clip(document, self.state.session.selection());
        let Some((clip_id, clip)) = found.map(|(id, clip)| (id, clip.clone())) else {
            return self.state.tell(Notice::info(t("markers.no_clip")));
        };
        // Half a frame is as near as a marker can be told from the playhead.
        let near = document.settings.rate.frame_secs() / 2.0;
        match id {
            Id::AddMarker => {
                let marker = Marker {
                    id: clip.fresh_marker_id(),
                    time: now,
                    name: fill("markers.new", &[("number", &(clip.markers.len() + 1))]),
                    colour: MarkerColour::default(),
                    sync: false,
                };
                self.edit("history.add_marker", Ok(ClipEdit::SetMarker { clip: clip_id, marker }.into()));
            }
            Id::DeleteMarker => {
                let gap = |marker: &&Marker| (marker.time - now).abs();
                let here = clip.markers.iter().min_by(|a, b| gap(a).total_cmp(&gap(b))).filter(|m| gap(m) <= near);
                match here {
                    Some(marker) => {
                        let edit = ClipEdit::DeleteMarker { clip: clip_id, marker: marker.id };
                        self.edit("history.delete_marker", Ok(edit.into()));
                    }
                    None => self.state.tell(Notice::info(t("markers.none"))),
                }
            }
            _ => match clip.neighbour_marker(now, id == Id::NextMarker) {
                Some(marker) => {
                    self.state.view.apply(ViewChange::Playback(Playback::Stopped));
                    self.state.view.apply(ViewChange::Time(marker.time));
                }
                None => self.state.tell(Notice::info(t("markers.no_more"))),
            },
        }
    }

    /// Sets what the selected keys are to the animator.
    pub(in crate::app) fn key_kind(&mut self, id: Id) {
        let kind = match id {
            Id::KindBreakdown => KeyKind::Breakdown,
            Id::KindExtreme => KeyKind::Extreme,
            Id::KindHold => KeyKind::Hold,
            _ => KeyKind::Key,
        };
        let keys = self.state.session.selection().keys.clone();
        self.edit("history.key_kind", Ok(KeyEdit::SetKind { keys, kind }.into()));
    }

    /// Plays from the first selected key to the last.
    pub(in crate::app) fn range_from_keys(&mut self) {
        let times = columns::times_of(self.state.session.document(), &self.state.session.selection().keys);
        let rate = self.state.session.document().settings.rate;
        if let (Some(first), Some(last)) = (times.first(), times.last()) {
            let first = (rate.frame_f64(first + SAME_TIME_SECS)).floor() as i64;
            let last = (rate.frame_f64(last - SAME_TIME_SECS)).ceil() as i64;
            let range = FrameRange::new(first, last.max(first));
            self.edit("history.play_range", Ok(SettingsEdit::SetPlayRange(range).into()));
        }
    }
}

//! Going through time, and which part of it plays.

use crate::{
    app::window::App,
    command::CommandId as Id,
    edit::{Selection, SettingsEdit, TimeEdit},
    eval::key_poses,
    interact::view_state::{Playback, ViewChange},
    model::{FrameRange, Target, clip::SAME_TIME_SECS},
    notice::Notice,
    text::t,
    ui::subject,
};

impl App {
    /// Starts, turns or stops playing. Starting at the range's end begins at its other end.
    pub(in crate::app) fn start_playing(&mut self, wanted: Playback) {
        let settings = &self.state.session.document().settings;
        let (rate, range) = (settings.rate, settings.play_range);
        let frame = self.state.view.frame(rate);
        let restart = match wanted {
            Playback::Forward if frame >= range.last || frame < range.first => Some(range.first),
            Playback::Backward if frame <= range.first || frame > range.last => Some(range.last),
            _ => None,
        };
        if let Some(frame) = restart.filter(|_| self.state.view.playback == Playback::Stopped) {
            self.state.view.apply(ViewChange::Time(rate.secs(frame)));
        }
        self.state.view.apply(ViewChange::Playback(wanted));
    }

    /// Goes to another frame or key.
    pub(in crate::app) fn go(&mut self, id: Id) {
        let document = self.state.session.document();
        let (rate, range) = (document.settings.rate, document.settings.play_range);
        let now = self.state.view.secs;
        // Between two frames a step goes to the next whole one.
        let exact = rate.frame_f64(now);
        let on_frame = (exact - exact.round()).abs() < 1e-6;
        let whole = |frame: f64| Some(rate.secs(frame as i64));
        let key = |forward: bool| {
            let (_, clip) = subject::clip(document, self.state.session.selection())?;
            subject::neighbour_key(document, clip, self.state.session.selection(), now, forward)
        };
        let secs = match id {
            Id::StepBack => whole(if on_frame { exact.round() - 1.0 } else { exact.floor() }),
            Id::StepForward => whole(if on_frame { exact.round() + 1.0 } else { exact.ceil() }),
            Id::PreviousKey => key(false),
            Id::NextKey => key(true),
            Id::FirstFrame => Some(rate.secs(range.first)),
            Id::LastFrame => Some(rate.secs(range.last)),
            _ => None,
        };
        if let Some(secs) = secs {
            self.state.view.apply(ViewChange::Playback(Playback::Stopped));
            self.state.view.apply(ViewChange::Time(secs));
        }
    }

    /// Flips between the last two key poses at or before the time shown, as an animator flips two drawings.
    pub(in crate::app) fn flip(&mut self) {
        let now = self.state.view.secs;
        let is = |a: f64, b: f64| (a - b).abs() <= SAME_TIME_SECS;
        let other = match self.state.flip {
            Some((a, b)) if is(now, a) => Some(b),
            Some((a, b)) if is(now, b) => Some(a),
            _ => None,
        };
        let subject = || {
            let document = self.state.session.document();
            let object = subject::object(document, self.state.session.selection())?;
            Some((document, object, document.clip(document.clip_of(object)?)?))
        };
        let last_two = || {
            let (document, object, clip) = subject()?;
            // All of the character's poses, whichever of its joints are selected.
            let whole = Selection::single(Target::Object(object));
            let key = |secs: f64| subject::neighbour_key(document, clip, &whole, secs, false);
            let last = key(now + 2.0 * SAME_TIME_SECS);
            let keys = last.and_then(|last| Some((last, key(last)?)));
            keys.or_else(|| {
                // Captured motion has no keys: where it is corrected.
                let stops = key_poses::corrected(clip, object);
                let count = stops.partition_point(|secs| *secs <= now + SAME_TIME_SECS);
                match *stops.get(..count)? {
                    [.., before, last] => Some((last, before)),
                    _ => None,
                }
            })
        };
        let to = other.or_else(|| {
            let (last, before) = last_two()?;
            self.state.flip = Some((last, before));
            Some(if is(now, last) { before } else { last })
        });
        let Some(secs) = to else {
            let captured = subject().is_some_and(|(.., clip)| clip.channels.values().any(|curve| curve.is_sampled()));
            let told = if captured { "timeline.nothing_to_flip_captured" } else { "timeline.nothing_to_flip" };
            return self.state.tell(Notice::info(t(told).into_owned()));
        };
        self.state.view.apply(ViewChange::Playback(Playback::Stopped));
        self.state.view.apply(ViewChange::Time(secs));
    }

    /// Puts frames in at the time shown, or takes them out.
    pub(in crate::app) fn ripple(&mut self, id: Id) {
        let document = self.state.session.document();
        let Some((clip, _)) = subject::clip(document, self.state.session.selection()) else { return };
        let (at, frames) = (document.settings.rate.snap(self.state.view.secs), self.state.view.time_frames);
        let (label, edit) = match id {
            Id::InsertTime => ("history.insert_time", TimeEdit::Insert { clip, at, frames }),
            _ => ("history.remove_time", TimeEdit::Remove { clip, at, frames }),
        };
        self.edit(label, Ok(edit.into()));
    }

    /// Sets the frames that play.
    pub(in crate::app) fn play_range(&mut self, id: Id) {
        let document = self.state.session.document();
        let range = document.settings.play_range;
        let frame = self.state.view.frame(document.settings.rate);
        let range = match id {
            Id::RangeStartHere => FrameRange::new(frame, range.last.max(frame)),
            Id::RangeEndHere => FrameRange::new(range.first.min(frame), frame),
            _ => subject::clip(document, self.state.session.selection()).map_or(range, |(_, clip)| clip.range),
        };
        let done = self.state.session.apply("history.play_range", &SettingsEdit::SetPlayRange(range).into());
        crate::app::dispatch::told(self, done.map(|_| ()));
    }
}

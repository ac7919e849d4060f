//! Playing: which frame is due, and how well it goes.

use crate::{
    interact::view_state::{DropPolicy, Playback, ViewState},
    model::{FrameRange, FrameRate},
    ui::panel::PlayReport,
};
use std::collections::VecDeque;

/// Over how long the achieved rate is measured, seconds.
const WINDOW_SECS: f64 = 1.0;
/// Below this part of the rate asked for, playing is late.
const LATE: f64 = 0.95;

/// What playing needs to know of the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    /// Frames a second.
    pub rate: FrameRate,
    /// The frames that play.
    pub range: FrameRange,
    /// Whether the range's last frame shows what its first shows: a loop then shows it once.
    pub seamless: bool,
}

/// The state of playing.
#[derive(Debug, Default)]
pub(super) struct Player {
    /// The program's clock when the frame shown was due; none while it stands.
    due: Option<f64>,
    /// When frames were shown, seconds of the program's clock.
    shown: VecDeque<f64>,
}

impl Player {
    /// Moves the time shown to the frame that is due at `now` (seconds of the program's clock); seconds until the next
    /// frame is due, none while it stands.
    pub(super) fn advance(&mut self, view: &mut ViewState, playing: Playing, now: f64) -> Option<f64> {
        if !view.is_playing() {
            *self = Self::default();
            return None;
        }
        let frame_secs = playing.rate.frame_secs() / view.speed;
        let due = *self.due.get_or_insert(now);
        let passed = ((now - due) / frame_secs).floor().max(0.0);
        let (steps, shown_at) = match view.drop_policy {
            DropPolicy::DropFrames => (passed, due + passed * frame_secs),
            // A frame that is late does not make the next one early.
            DropPolicy::EveryFrame if passed >= 1.0 => (1.0, if passed >= 2.0 { now } else { due + frame_secs }),
            DropPolicy::EveryFrame => (0.0, due),
        };
        if steps >= 1.0 {
            self.due = Some(shown_at);
            self.shown.push_back(now);
            step(view, playing, steps as i64);
        }
        while self.shown.front().is_some_and(|first| now - first > WINDOW_SECS) {
            self.shown.pop_front();
        }
        Some((self.due.unwrap_or(now) + frame_secs - now).clamp(0.0, frame_secs))
    }

    /// How playing goes.
    #[must_use]
    pub(super) fn report(&self, view: &ViewState, rate: FrameRate) -> PlayReport {
        let (Some(first), Some(last)) = (self.shown.front(), self.shown.back()) else { return PlayReport::default() };
        if self.shown.len() < 3 || last <= first {
            return PlayReport::default();
        }
        let achieved = (self.shown.len() - 1) as f64 / (last - first);
        PlayReport { achieved_fps: Some(achieved), late: achieved < rate.fps() * view.speed * LATE }
    }
}

/// Goes some frames on in the direction of play, round the range or to its end.
fn step(view: &mut ViewState, playing: Playing, steps: i64) {
    let Playing { rate, range, seamless } = playing;
    let forward = view.playback == Playback::Forward;
    let frame = view.frame(rate);
    let last = if seamless && view.looping && range.last > range.first { range.last - 1 } else { range.last };
    let next = frame.saturating_add(if forward { steps } else { steps.saturating_neg() });
    let next = if view.looping {
        // A time outside the range comes into it by the nearer end.
        let from = if frame < range.first || frame > range.last { next.clamp(range.first, last) } else { next };
        let len = (last - range.first).saturating_add(1).max(1);
        range.first + (from - range.first).rem_euclid(len)
    } else {
        let end = if forward { range.last } else { range.first };
        let ended = if forward { next >= end } else { next <= end };
        if ended {
            view.playback = Playback::Stopped;
        }
        if ended { end } else { next }
    };
    view.secs = rate.secs(next);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playing(seamless: bool) -> Playing {
        Playing { rate: FrameRate::FPS_24, range: FrameRange::new(0, 4), seamless }
    }

    fn frames(view: &mut ViewState, playing: Playing, times: &[f64]) -> Vec<i64> {
        let mut player = Player::default();
        times
            .iter()
            .map(|now| {
                player.advance(view, playing, *now / 24.0);
                view.frame(playing.rate)
            })
            .collect()
    }

    fn running(policy: DropPolicy) -> ViewState {
        ViewState { playback: Playback::Forward, drop_policy: policy, ..ViewState::default() }
    }

    #[test]
    fn a_loop_shows_each_frame_once_and_a_seam_once() {
        let ticks = [0.0, 1.1, 2.1, 3.1, 4.1, 5.1, 6.1];
        let mut view = running(DropPolicy::DropFrames);
        assert_eq!(frames(&mut view, playing(false), &ticks), [0, 1, 2, 3, 4, 0, 1]);
        let mut view = running(DropPolicy::DropFrames);
        assert_eq!(frames(&mut view, playing(true), &ticks), [0, 1, 2, 3, 0, 1, 2]);
    }

    #[test]
    fn late_frames_are_dropped_or_shown_late() {
        let ticks = [0.0, 2.5, 3.1, 4.6];
        let mut view = running(DropPolicy::DropFrames);
        assert_eq!(frames(&mut view, playing(false), &ticks), [0, 2, 3, 4]);
        let mut view = running(DropPolicy::EveryFrame);
        assert_eq!(frames(&mut view, playing(false), &ticks), [0, 1, 1, 2]);
    }

    #[test]
    fn without_a_loop_it_stops_at_the_end() {
        let mut view = ViewState { looping: false, ..running(DropPolicy::DropFrames) };
        assert_eq!(frames(&mut view, playing(true), &[0.0, 3.1, 9.0]), [0, 3, 4]);
        assert_eq!(view.playback, Playback::Stopped);
        let mut view = ViewState { playback: Playback::Backward, secs: 4.0 / 24.0, ..running(DropPolicy::DropFrames) };
        assert_eq!(frames(&mut view, playing(false), &[0.0, 1.1, 2.1, 5.1]), [4, 3, 2, 4]);
    }

    #[test]
    fn the_achieved_rate_is_measured() {
        let mut view = running(DropPolicy::EveryFrame);
        let mut player = Player::default();
        for tick in 0..20 {
            player.advance(&mut view, playing(false), f64::from(tick) / 12.0);
        }
        let report = player.report(&view, FrameRate::FPS_24);
        assert!(report.late && (report.achieved_fps.unwrap() - 12.0).abs() < 1e-6, "{report:?}");
    }
}

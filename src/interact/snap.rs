//! Snapping in time: a group of keys moves as one, led by the key that was grabbed.

use crate::model::FrameRate;

/// What times are drawn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeSnap {
    /// Nothing.
    Off,
    /// Whole frames of a rate.
    Frames(FrameRate),
}

impl TimeSnap {
    /// Frames when on, or the reverse while the modifier that inverts is held.
    #[must_use]
    pub const fn new(on: bool, inverted: bool, rate: FrameRate) -> Self {
        if on != inverted { Self::Frames(rate) } else { Self::Off }
    }

    /// A time drawn to the nearest allowed one.
    #[must_use]
    pub fn time(self, secs: f64) -> f64 {
        match self {
            Self::Off => secs,
            Self::Frames(rate) => rate.snap(secs),
        }
    }

    /// By how much a group moves when the key at `grabbed` (seconds) was pulled by `pulled` (seconds): the grabbed key lands
    /// on an allowed time, all others keep their distance from it, so that no two of them ever meet. Not pulled at all is
    /// not moved at all, even off the grid.
    #[must_use]
    pub fn group_shift(self, grabbed: f64, pulled: f64) -> f64 {
        if pulled == 0.0 { 0.0 } else { self.time(grabbed + pulled) - grabbed }
    }

    /// The time of a key of the group after [`Self::group_shift`]: where the sum lies within rounding of an allowed time,
    /// that time exactly, so that keys on frames stay on frames bit for bit.
    #[must_use]
    pub fn shifted(self, secs: f64, shift: f64) -> f64 {
        let moved = secs + shift;
        let exact = self.time(moved);
        if shift != 0.0 && (exact - moved).abs() <= 1e-9 { exact } else { moved }
    }
}

/// A value drawn to multiples of a step (displayed units); a step of 0 leaves it.
#[must_use]
pub fn value_to_step(value: f64, step: f64) -> f64 {
    if step > 0.0 { (value / step).round() * step } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: TimeSnap = TimeSnap::Frames(FrameRate::FPS_24);

    /// Case B17: a group keeps its spacing, never lands on one frame, and a click moves nothing.
    #[test]
    fn b17_a_group_is_led_by_the_grabbed_key() {
        let keys = [0.10, 0.14, 0.23];
        for grabbed in keys {
            let shift = FRAMES.group_shift(grabbed, 1.0 / 24.0);
            let moved = keys.map(|time| FRAMES.shifted(time, shift));
            assert!((moved[1] - moved[0] - 0.04).abs() < 1e-12 && (moved[2] - moved[1] - 0.09).abs() < 1e-12);
            let landed = grabbed + shift;
            assert!((FrameRate::FPS_24.snap(landed) - landed).abs() < 1e-12);
            assert!((FRAMES.group_shift(grabbed, 0.0)).abs() == 0.0);
            assert_eq!(FRAMES.shifted(grabbed, 0.0), grabbed);
        }
    }

    #[test]
    fn keys_on_frames_stay_on_frames_exactly() {
        let rate = FrameRate::new(30_000, 1_001).unwrap();
        let snap = TimeSnap::Frames(rate);
        let shift = snap.group_shift(rate.secs(7), 0.4);
        for frame in 0..1_000 {
            let moved = snap.shifted(rate.secs(frame), shift);
            assert_eq!(moved, rate.secs(frame + 12));
        }
    }

    #[test]
    fn inversion_turns_snapping_over() {
        let rate = FrameRate::FPS_24;
        assert_eq!(TimeSnap::new(true, true, rate), TimeSnap::Off);
        assert_eq!(TimeSnap::new(false, true, rate), FRAMES);
        assert_eq!(TimeSnap::Off.time(0.1), 0.1);
        assert_eq!(value_to_step(0.74, 0.5), 0.5);
        assert_eq!(value_to_step(0.74, 0.0), 0.74);
    }
}

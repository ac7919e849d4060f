//! Dragging a Bezier handle.

use super::graph_curve::Side;
use crate::{
    interact::{
        input::{Modifiers, ScreenPos},
        plot_view::{PlotView, ValueMap},
    },
    model::{Clock, Handle, Key},
};

/// Both handles of a key as `(seconds, value)` from it, own units; seconds at most 0 before the key, at least 0 after.
pub type HandlePair = ((f64, f64), (f64, f64));

/// The drag of one handle, from the key as it was at the press.
#[derive(Clone, Debug)]
pub struct HandleDrag {
    key: Key,
    side: Side,
    map: ValueMap,
    clock: Clock,
    used: HandlePair,
    /// Time and displayed value under the pointer at the press.
    press: [f64; 2],
}

impl HandleDrag {
    /// A drag of the handle on one side of a key. `used` are the handles as they act on the curve at the press: derived
    /// kinds become stored ones where they are.
    #[must_use]
    pub fn new(key: &Key, side: Side, map: ValueMap, used: HandlePair, view: &PlotView, press: ScreenPos) -> Self {
        let press = [view.secs_at(press[0]), view.value_at(press[1])];
        Self { key: *key, side, map, clock: Clock::default(), used, press }
    }

    /// The same on a curve that is read by a clock: the pointer moves what is shown.
    #[must_use]
    pub fn by_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The key's two handles, before and after it, with the pointer at a place.
    ///
    /// A derived or aligned handle takes its partner along: both become aligned, the partner keeps its length on the panel.
    /// A partner that is free or a vector stays, and the dragged handle becomes free. Alt breaks the pair: both become free.
    /// Shift keeps the handle level, or its time, whichever the pull is nearer to.
    #[must_use]
    pub fn handles(&self, view: &PlotView, pos: ScreenPos, modifiers: Modifiers) -> (Handle, Handle) {
        let pull = [view.secs_at(pos[0]) - self.press[0], view.value_at(pos[1]) - self.press[1]];
        let (mine, partner) = match self.side {
            Side::In => (self.used.0, self.used.1),
            Side::Out => (self.used.1, self.used.0),
        };
        let end = self.clock.moved(self.key.time + mine.0, |shown| shown + pull[0]);
        let secs = if self.clock.is_plain() { mine.0 + pull[0] } else { end - self.key.time };
        let mut to = (secs, mine.1 + pull[1] / self.map.scale);
        if modifiers.shift {
            let rise = (to.1 * self.map.scale / view.value_per_point()).abs();
            if (pull[0] / view.secs_per_point()).abs() >= (pull[1] / view.value_per_point()).abs() || rise < LEVEL_PT {
                to.1 = 0.0;
            } else {
                to.0 = mine.0;
            }
        }
        to.0 = match self.side {
            Side::In => to.0.min(0.0),
            Side::Out => to.0.max(0.0),
        };
        let (own, other) = match self.side {
            Side::In => (self.key.handle_in, self.key.handle_out),
            Side::Out => (self.key.handle_out, self.key.handle_in),
        };
        let (own, other) = if modifiers.alt {
            (Handle::Free(to.0, to.1), if follows(other) { Handle::Free(partner.0, partner.1) } else { other })
        } else if follows(own) && follows(other) {
            let (secs, value) = self.in_line(view, to, partner);
            (Handle::Aligned(to.0, to.1), Handle::Aligned(secs, value))
        } else {
            (Handle::Free(to.0, to.1), other)
        };
        match self.side {
            Side::In => (own, other),
            Side::Out => (other, own),
        }
    }

    /// The partner turned into line with the dragged handle, its length on the panel kept.
    fn in_line(&self, view: &PlotView, dragged: (f64, f64), partner: (f64, f64)) -> (f64, f64) {
        let (per_x, per_y) = (view.secs_per_point(), view.value_per_point() / self.map.scale);
        let length = (partner.0 / per_x).hypot(partner.1 / per_y);
        let (x, y) = (dragged.0 / per_x, dragged.1 / per_y);
        let reach = x.hypot(y);
        if reach <= 1e-9 || !reach.is_finite() || !length.is_finite() {
            return partner;
        }
        let (secs, value) = (-x / reach * length * per_x, -y / reach * length * per_y);
        // A minus on zero must not put the partner on the wrong side.
        (if self.side == Side::In { secs.max(0.0) } else { secs.min(0.0) }, value)
    }
}

/// A handle nearer to level than this is levelled while Shift is held, points.
const LEVEL_PT: f64 = 12.0;

/// Whether a handle turns with its partner.
const fn follows(handle: Handle) -> bool {
    matches!(handle, Handle::Auto | Handle::AutoClamped | Handle::Aligned(..))
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::view;
    use super::*;

    const USED: HandlePair = ((-1.0, 0.0), (0.5, 0.0));

    fn drag(kinds: (Handle, Handle), side: Side, to: ScreenPos, modifiers: Modifiers) -> (Handle, Handle) {
        let key = Key { handle_in: kinds.0, handle_out: kinds.1, ..Key::new(5.0, 0.0) };
        // The key lies at (500, 200), the handles end at (400, 200) and (550, 200).
        let press = if side == Side::In { [400.0, 200.0] } else { [550.0, 200.0] };
        HandleDrag::new(&key, side, ValueMap::IDENTITY, USED, &view(), press).handles(&view(), to, modifiers)
    }

    fn offset(handle: Handle) -> (f64, f64) {
        match handle {
            Handle::Aligned(secs, value) | Handle::Free(secs, value) => (secs, value),
            _ => panic!("{handle:?} stores nothing"),
        }
    }

    #[test]
    fn derived_handles_become_aligned_and_stay_in_line() {
        for kind in [Handle::Auto, Handle::AutoClamped, Handle::Aligned(0.0, 0.0)] {
            let (before, after) = drag((kind, kind), Side::Out, [540.0, 170.0], Modifiers::NONE);
            assert!(matches!((before, after), (Handle::Aligned(..), Handle::Aligned(..))));
            let ((a, b), (c, d)) = (offset(before), offset(after));
            assert!((c - 0.4).abs() < 1e-12 && (d - 1.5).abs() < 1e-12);
            assert!(a < 0.0 && (a * d - b * c).abs() < 1e-12, "in line");
            // 100 points long on the panel, as before: 100 points a second, 20 a unit.
            assert!(((a * 100.0).hypot(b * 20.0) - 100.0).abs() < 1e-9);
        }
    }

    #[test]
    fn free_and_vector_handles_stay_for_themselves() {
        let free = Handle::Free(0.5, 0.0);
        let (before, after) = drag((Handle::AutoClamped, free), Side::Out, [560.0, 190.0], Modifiers::NONE);
        assert_eq!(before, Handle::AutoClamped);
        assert!(matches!(after, Handle::Free(..)));
        let (before, after) = drag((Handle::Vector, Handle::Vector), Side::In, [390.0, 190.0], Modifiers::NONE);
        assert_eq!(after, Handle::Vector);
        assert!((offset(before).0 + 1.1).abs() < 1e-12 && (offset(before).1 - 0.5).abs() < 1e-12);
        let (before, after) = drag((Handle::Auto, free), Side::In, [390.0, 190.0], Modifiers::NONE);
        assert_eq!((matches!(before, Handle::Free(..)), after), (true, free));
    }

    #[test]
    fn alt_breaks_the_pair_where_it_is() {
        let (before, after) = drag((Handle::Auto, Handle::Auto), Side::Out, [560.0, 150.0], Modifiers::ALT);
        assert_eq!(before, Handle::Free(-1.0, 0.0));
        assert!(matches!(after, Handle::Free(..)));
    }

    #[test]
    fn handles_never_point_across_their_key() {
        let (before, after) = drag((Handle::Auto, Handle::Auto), Side::Out, [420.0, 150.0], Modifiers::NONE);
        assert!(offset(after).0 == 0.0 && offset(before).0 == 0.0);
        let (before, _) = drag((Handle::Free(-1.0, 0.0), Handle::Auto), Side::In, [520.0, 150.0], Modifiers::NONE);
        assert!(offset(before).0 == 0.0);
    }

    #[test]
    fn shift_levels_or_keeps_the_time() {
        let (_, after) = drag((Handle::Auto, Handle::Auto), Side::Out, [600.0, 190.0], Modifiers::SHIFT);
        assert_eq!(offset(after).1, 0.0);
        let (_, after) = drag((Handle::Auto, Handle::Auto), Side::Out, [560.0, 100.0], Modifiers::SHIFT);
        assert!((offset(after).0 - 0.5).abs() < 1e-12 && (offset(after).1 - 5.0).abs() < 1e-12);
    }

    #[test]
    fn a_handle_of_no_length_is_finite() {
        let (before, after) = drag((Handle::Auto, Handle::Auto), Side::Out, [500.0, 200.0], Modifiers::NONE);
        assert_eq!(offset(after), (0.0, 0.0));
        assert_eq!(offset(before), (-1.0, 0.0));
    }
}

//! What of the bar is left out where the window is narrow: things that are said elsewhere too give way to what is not.

use egui::{TextStyle, Ui};

/// Things of the bar that may give way.
pub(super) const COUNT: usize = 4;

/// Which of the things that may give way are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// The height of the character and the unit of its file: the inspector says it too.
    pub(super) height: bool,
    /// How new keys run: the menu of blocking says it too.
    pub(super) new_keys: bool,
    /// Whether late frames are dropped: a command of the menu of time.
    pub(super) policy: bool,
    /// The word after the frame rate.
    pub(super) fps: bool,
}

impl Room {
    const ALL: Self = Self::of([true; COUNT]);

    const fn of([height, new_keys, policy, fps]: [bool; COUNT]) -> Self {
        Self { height, new_keys, policy, fps }
    }

    const fn list(self) -> [bool; COUNT] {
        [self.height, self.new_keys, self.policy, self.fps]
    }
}

/// What was shown last time, and the whole width it took, points.
type Last = Option<(Room, f32)>;

fn id() -> egui::Id {
    egui::Id::unique("timeline bar room")
}

/// What is shown this time, where things that may give way take these widths.
pub(super) fn room(ui: &Ui, widths: [f32; COUNT]) -> Room {
    let last = ui.data(|data| data.get_temp::<Last>(id())).flatten();
    let Some((was, width)) = last else { return Room::ALL };
    let (was, available) = (was.list(), ui.clip_rect().width());
    let taken: f32 = widths.iter().zip(was).map(|(width, shown)| if shown { *width } else { 0.0 }).sum();
    Room::of(fitting(width - taken, widths, was, available))
}

/// Keeps how wide the bar came out; where that asks for another choice, it is made at once.
pub(super) fn keep(ui: &Ui, shown: Room, width: f32, widths: [f32; COUNT]) {
    ui.data_mut(|data| data.insert_temp::<Last>(id(), Some((shown, width))));
    if room(ui, widths) != shown {
        ui.ctx().request_discard("the bar above the ruler does not fit");
    }
}

/// The width of a text on a button, or without one, points.
pub(super) fn width_of(ui: &Ui, text: &str, button: bool) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x;
    let around = if button { 2.0 * ui.spacing().button_padding.x } else { 0.0 };
    text + around + 2.0
}

/// Which of things with these widths are shown beside `base`: the first give way first. What was left out comes back only
/// where there is a little more room than it needs, so that nothing flickers.
fn fitting(base: f32, widths: [f32; COUNT], was: [bool; COUNT], available: f32) -> [bool; COUNT] {
    const SPARE: f32 = 12.0;
    let mut shown = [true; COUNT];
    for gone in 0..=COUNT {
        shown = std::array::from_fn(|index| index >= gone);
        let wide: f32 = widths.iter().zip(shown).map(|(width, shown)| if shown { *width } else { 0.0 }).sum();
        let back = shown.iter().zip(was).any(|(now, was)| *now && !was);
        if base + wide + if back { SPARE } else { 0.0 } <= available {
            break;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_elsewhere_gives_way_first_and_comes_back_without_flicker() {
        let widths = [160.0, 130.0, 90.0, 20.0];
        let all = [true; COUNT];
        assert_eq!(fitting(900.0, widths, all, 1300.0), all);
        assert_eq!(fitting(900.0, widths, all, 1299.0), [false, true, true, true]);
        assert_eq!(fitting(900.0, widths, all, 1000.0), [false, false, false, true]);
        // Nothing more can be left out.
        assert_eq!(fitting(900.0, widths, all, 100.0), [false; COUNT]);
        // Just enough room is not enough to come back; and the choice repeats itself.
        let less = [false, true, true, true];
        assert_eq!(fitting(900.0, widths, less, 1305.0), less);
        assert_eq!(fitting(900.0, widths, less, 1312.0), all);
        for available in 90..140 {
            let available = available as f32 * 10.0;
            let first = fitting(900.0, widths, all, available);
            assert_eq!(fitting(900.0, widths, first, available), first);
        }
    }
}

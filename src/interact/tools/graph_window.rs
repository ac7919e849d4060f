//! Moving the graph's window and its playhead with the pointer.

use super::graph_tool::GraphContext;
use crate::interact::{
    input::{Button, Modifiers, ScreenPos},
    plot_view::Axes,
    snap::TimeSnap,
    view_state::{Profile, ViewChange},
};

/// A click of the wheel zooms by this.
const WHEEL_ZOOM: f64 = 1.25;
/// So many points of scrolling are a click of the wheel.
const WHEEL_PT: f64 = 40.0;

/// What a drag does to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowDrag {
    /// Pulls the paper along.
    Pan,
    /// Stretches it: sideways time, upwards values.
    Zoom,
}

/// Whether a press with a button drags the window. The middle button does in every profile (Ctrl: zoom); as in Maya also
/// Alt and the right one (zoom); without a middle button Alt and the left one (with Ctrl: zoom).
#[must_use]
pub const fn drags_window(button: Button, modifiers: Modifiers, profile: Profile) -> Option<WindowDrag> {
    let by_ctrl = if modifiers.ctrl { WindowDrag::Zoom } else { WindowDrag::Pan };
    match (button, profile) {
        (Button::Middle, _) => Some(by_ctrl),
        (Button::Primary, Profile::NoMiddle) if modifiers.alt => Some(by_ctrl),
        (Button::Secondary, Profile::MayaLike) if modifiers.alt => Some(WindowDrag::Zoom),
        (Button::Primary | Button::Secondary, _) => None,
    }
}

/// The window after the wheel turned or two fingers slid. A wheel zooms about the pointer, two fingers move the paper;
/// Ctrl makes either zoom time alone, Shift values alone, as does a pointer over a ruler.
#[must_use]
pub fn scroll(
    delta: [f64; 2],
    smooth: bool,
    pos: ScreenPos,
    modifiers: Modifiers,
    ctx: &GraphContext<'_>,
) -> ViewChange {
    if smooth && !modifiers.ctrl && !modifiers.shift {
        return ViewChange::Graph(ctx.view.panned(delta));
    }
    // With Shift held some systems turn the wheel sideways.
    let turned = if delta[1] == 0.0 { delta[0] } else { delta[1] };
    pinch(WHEEL_ZOOM.powf(turned / WHEEL_PT), pos, modifiers, ctx)
}

/// The window after two fingers spread, or any zoom by a factor about the pointer.
#[must_use]
pub fn pinch(factor: f64, pos: ScreenPos, modifiers: Modifiers, ctx: &GraphContext<'_>) -> ViewChange {
    let axes = if ctx.ruler.contains(pos) || modifiers.ctrl {
        Axes::Time
    } else if ctx.values.contains(pos) || modifiers.shift {
        Axes::Value
    } else {
        Axes::Both
    };
    ViewChange::Graph(ctx.view.zoomed(pos, factor, axes))
}

/// The time at a place of the ruler, on a frame where frames snap; Ctrl inverts that.
#[must_use]
pub fn scrub(pos: ScreenPos, modifiers: Modifiers, ctx: &GraphContext<'_>) -> ViewChange {
    let x = pos[0].clamp(ctx.ruler.left, ctx.ruler.right());
    ViewChange::Time(TimeSnap::new(ctx.snap.frames, modifiers.ctrl, ctx.rate).time(ctx.view.secs_at(x)))
}

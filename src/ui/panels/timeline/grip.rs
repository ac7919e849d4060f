//! What the bars above the ruler have in common: the rows they stand in, their ends and middle, and the drag of one.

use super::{bars::ROW_PT, ruler::Scale};
use crate::{
    edit::{Edit, Gesture},
    model::{FrameRate, clip::SAME_TIME_SECS},
    ui::panel::PanelContext,
};
use egui::{CursorIcon, Modifiers, PointerButton, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, pos2};

/// How near the pointer must be to an end to take it, points.
const END_PT: f32 = 7.0;

/// What of a bar is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grip {
    Start,
    Middle,
    End,
}

impl Grip {
    /// What of a bar is at a place; a short bar keeps a middle.
    fn at(bar: Rect, x: f32) -> Self {
        let reach = END_PT.min(bar.width() / 3.0);
        if x <= bar.left() + reach {
            Self::Start
        } else if x >= bar.right() - reach {
            Self::End
        } else {
            Self::Middle
        }
    }

    /// The pointer over it.
    const fn cursor(self) -> CursorIcon {
        match self {
            Self::Middle => CursorIcon::Grab,
            Self::Start | Self::End => CursorIcon::ResizeHorizontal,
        }
    }
}

/// Where a bar stands in its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// What is seen of it: what ends out of view ends at the row's edge, where it can be taken.
    pub(super) seen: Rect,
    /// Where its ends are, in view or not, points.
    ends: [f32; 2],
}

impl Bar {
    /// The bar of a range (seconds) in a row.
    pub(super) fn new(scale: Scale, row: Rect, rate: FrameRate, (start, end): (f64, f64)) -> Self {
        let ends = [start, end].map(|secs| scale.x(rate.frame_f64(secs)));
        // One that is out of view altogether is nowhere near.
        let beside = if ends[0] <= row.right() && ends[1] >= row.left() { -1.0 } else { 9.0 };
        let x = ends.map(|x| x.clamp(row.left() - beside, row.right() + beside));
        Self { seen: Rect::from_x_y_ranges(x[0]..=x[1], row.top() + 1.0..=row.bottom() - 1.0), ends }
    }

    /// Where of it a drag begins that takes hold of `grip` at `x`: an end out of view comes to the pointer.
    fn taken_at(&self, grip: Grip, x: f32) -> f32 {
        match grip {
            Grip::Start if self.ends[0] < self.seen.left() => self.ends[0],
            Grip::End if self.ends[1] > self.seen.right() => self.ends[1],
            _ => x,
        }
    }

    /// Marks the ends that are out of view.
    fn mark_cut(&self, ui: &Ui, ctx: &PanelContext<'_>) {
        let (seen, y) = (self.seen, self.seen.center().y);
        let cut = [(seen.left(), self.ends[0] < seen.left(), 1.0), (seen.right(), self.ends[1] > seen.right(), -1.0)];
        for (x, _, inward) in cut.into_iter().filter(|(_, cut, _)| *cut) {
            let points = vec![pos2(x, y), pos2(x + 5.0 * inward, y - 4.0), pos2(x + 5.0 * inward, y + 4.0)];
            ui.painter().add(Shape::convex_polygon(points, ctx.colours.text, Stroke::new(1.0, ctx.colours.field)));
        }
    }
}

/// The drag of one of the bars of a kind, if one runs; `T` is the bar as it was at the press and what of it was taken.
#[derive(Debug)]
pub(super) struct BarDrag<T> {
    running: Option<(T, f32)>,
}

impl<T> Default for BarDrag<T> {
    fn default() -> Self {
        Self { running: None }
    }
}

/// What a kind of bar makes of being dragged.
pub(super) trait Dragged: Sized {
    /// The edit of a drag over so many frames; none where it would change nothing that is there. While it is `live` another
    /// one follows, and what takes long may be left to that for the frames that are not looked at.
    fn edit(&self, ctx: &PanelContext<'_>, frames: f64, live: bool) -> Option<Edit>;

    /// The label of the step in the history.
    fn label(&self) -> &'static str;
}

impl<T: Dragged> BarDrag<T> {
    /// Whether any bar of the kind is dragged.
    pub(super) const fn runs(&self) -> bool {
        self.running.is_some()
    }

    /// Follows the pointer over a bar: `ours` says whether the drag that runs is of this bar, `begin` makes one. Esc
    /// gives up, letting go commits.
    pub(super) fn follow(
        &mut self,
        (ui, ctx): (&Ui, &PanelContext<'_>),
        (scale, bar): (Scale, &Bar),
        response: &Response,
        ours: impl FnOnce(&T) -> bool,
        begin: impl FnOnce(Grip, Modifiers) -> T,
    ) {
        bar.mark_cut(ui, ctx);
        if let Some(pos) = response.hover_pos() {
            ui.ctx().set_cursor_icon(Grip::at(bar.seen, pos.x).cursor());
        }
        let (press, now, modifiers, escape) = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.press_origin(), pointer.latest_pos(), input.modifiers, input.key_pressed(egui::Key::Escape))
        });
        let ours = self.running.as_ref().is_some_and(|(drag, _)| ours(drag));
        if response.drag_started_by(PointerButton::Primary)
            && let Some(press) = press
        {
            let grip = Grip::at(bar.seen, press.x);
            let drag = begin(grip, modifiers);
            ctx.commands.gesture(Gesture::Begin { label: drag.label() });
            self.running = Some((drag, bar.taken_at(grip, press.x)));
        } else if !ours {
            return;
        }
        let (Some((drag, from)), Some(now)) = (&self.running, now) else { return };
        if escape {
            ctx.commands.gesture(Gesture::Cancel);
            self.running = None;
            return;
        }
        let ended = response.drag_stopped() || !response.is_pointer_button_down_on();
        if let Some(edit) = drag.edit(ctx, f64::from(now.x - from) / scale.points_per_frame(), !ended) {
            ctx.commands.gesture(Gesture::Update(edit));
        }
        if ended {
            ctx.commands.gesture(Gesture::Commit);
            self.running = None;
        }
    }
}

/// So many rows of bars: their ground, what `draw` puts on it (it is given the rectangle of all rows), the playhead. What
/// ends out of view ends at the rows, not in the margin beside them.
pub(super) fn in_rows(ui: &mut Ui, ctx: &PanelContext<'_>, count: usize, draw: impl FnOnce(&mut Ui, Scale, Rect)) {
    if count == 0 {
        return;
    }
    let size = Vec2::new(ui.available_width(), count as f32 * ROW_PT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let scale = Scale::of(ctx, rect);
    ui.painter().rect_filled(rect, 3.0, ctx.colours.field);
    let around = ui.clip_rect();
    ui.set_clip_rect(around.intersect(rect));
    draw(ui, scale, rect);
    super::pins::playhead(ui, ctx, scale, rect);
    ui.set_clip_rect(around);
}

/// One of the rows, from the top.
pub(super) fn row(rows: Rect, place: usize) -> Rect {
    let top = rows.top() + place as f32 * ROW_PT;
    rows.with_min_y(top).with_max_y(top + ROW_PT)
}

/// The row of each of these ranges (seconds) and how many rows there are: those that overlap stand below each other, in
/// order; those that only touch share a row.
pub(super) fn rows(ranges: impl Iterator<Item = (f64, f64)>) -> (Vec<usize>, usize) {
    let mut placed = Vec::new();
    let mut count = 0;
    for (start, end) in ranges {
        let taken = |row: usize| {
            placed.iter().any(|(place, (from, to)): &(usize, (f64, f64))| {
                *place == row && *from < end - SAME_TIME_SECS && start < *to - SAME_TIME_SECS
            })
        };
        let row = (0..count).find(|row| !taken(*row)).unwrap_or(count);
        count = count.max(row + 1);
        placed.push((row, (start, end)));
    }
    (placed.into_iter().map(|(row, _)| row).collect(), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn overlapping_bars_stand_below_each_other() {
        assert_eq!(rows([].into_iter()), (vec![], 0));
        let ranges = [(0.0, 1.0), (0.5, 2.0), (1.0, 1.5), (3.0, 4.0), (0.0, 9.0)];
        assert_eq!(rows(ranges.into_iter()), (vec![0, 1, 0, 0, 2], 3));
    }

    #[test]
    fn a_short_bar_can_still_be_taken_by_its_middle() {
        for width in [3.0, 12.0, 200.0] {
            let bar = Rect::from_min_size(pos2(50.0, 0.0), vec2(width, 14.0));
            let grips = [bar.left(), bar.center().x, bar.right()].map(|x| Grip::at(bar, x));
            assert_eq!(grips, [Grip::Start, Grip::Middle, Grip::End], "{width}");
        }
    }
}

//! The ruler: frames, the play range with its ends to drag, the playhead; time is put in and taken out there.

use crate::{
    edit::{Edit, Gesture, SettingsEdit, TimeEdit},
    interact::view_state::{Playback, ViewChange},
    model::{ClipId, FrameRange, FrameRate},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::markers::{Markers, Place},
        subject,
    },
};
use egui::{Color32, CursorIcon, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, pos2};

/// Least distance of two numbers on the ruler, points.
const NUMBER_GAP_PT: f64 = 56.0;
/// How near the pointer must be to an end of the play range to take it, points.
const GRAB_PT: f32 = 7.0;
/// Height of the strip that holds the play range, points.
const STRIP_PT: f32 = 16.0;
/// Part of the width left free at each side of the play range.
const MARGIN: f64 = 0.03;

/// What is being dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    /// The playhead.
    Scrub,
    /// An end of the play range, which was this at the press.
    Range { first: bool, base: FrameRange },
    /// The view, whose frames were these at the press.
    Pan { base: (f64, f64) },
    /// Time put in (frames > 0) or taken out at a time, seconds; the scale at the press, as the range grows meanwhile.
    Ripple { clip: ClipId, at: f64, frames: i64, points_per_frame: f64 },
}

/// The ruler.
#[derive(Debug, Default)]
pub(super) struct Ruler {
    drag: Option<Drag>,
    /// Where the drag began; egui forgets it with the release.
    origin: Pos2,
    markers: Markers,
}

/// Frames on points.
#[derive(Clone, Copy, Debug)]
pub(in crate::ui::panels) struct Scale {
    first: f64,
    last: f64,
    rect: Rect,
}

impl Scale {
    /// The frames shown, on a strip.
    pub(in crate::ui::panels) fn of(ctx: &PanelContext<'_>, rect: Rect) -> Self {
        let range = ctx.document.settings.play_range;
        let (first, last) = ctx.view.timeline.unwrap_or_else(|| following(range));
        Self { first, last, rect }
    }

    pub(in crate::ui::panels) fn x(&self, frame: f64) -> f32 {
        let part = (frame - self.first) / (self.last - self.first);
        self.rect.left() + (part * f64::from(self.rect.width())) as f32
    }

    pub(in crate::ui::panels) fn frame(&self, x: f32) -> f64 {
        self.first + f64::from(x - self.rect.left()) / f64::from(self.rect.width()) * (self.last - self.first)
    }

    /// The same frames on another strip of the same width.
    pub(in crate::ui::panels) const fn on(self, rect: Rect) -> Self {
        Self { rect, ..self }
    }

    /// The frame at the left edge, not rounded.
    pub(in crate::ui::panels) const fn first_frame(&self) -> f64 {
        self.first
    }

    /// The frame at the right edge, not rounded.
    pub(in crate::ui::panels) const fn last_frame(&self) -> f64 {
        self.last
    }

    /// The strip.
    pub(in crate::ui::panels) const fn rect(&self) -> Rect {
        self.rect
    }

    pub(in crate::ui::panels) fn points_per_frame(&self) -> f64 {
        f64::from(self.rect.width()) / (self.last - self.first)
    }
}

impl Ruler {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let below = super::columns::STRIP_PT + ui.spacing().item_spacing.y;
        let size = Vec2::new(ui.available_width(), (ui.available_height() - below).max(STRIP_PT + 8.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::drag());
        let settings = &ctx.document.settings;
        let (rate, range) = (settings.rate, settings.play_range);
        let scale = Scale::of(ctx, rect);
        let name = t("timeline.ruler");
        let frame = ctx.view.frame(rate) as f64;
        response.widget_info(|| egui::WidgetInfo::slider(true, frame, &*name));
        self.interact(ui, ctx, &response, scale);
        if ui.is_rect_visible(rect) {
            paint(ui, ctx, scale, (rate, range));
            if let (Some(Drag::Ripple { at, frames, .. }), Some(pos)) =
                (self.drag, ui.input(|input| input.pointer.latest_pos()))
            {
                ripple_mark(ui, ctx, scale, (rate, at, frames), pos);
            }
            self.markers.show(
                ui,
                ctx,
                &Place {
                    rect,
                    x: &|secs| scale.x(rate.frame_f64(secs)),
                    secs: &|x| scale.frame(x) * rate.frame_secs(),
                    head: None,
                },
            );
        }
    }

    fn interact(&mut self, ui: &Ui, ctx: &PanelContext<'_>, response: &Response, scale: Scale) {
        let range = ctx.document.settings.play_range;
        let pointer = ui.input(|input| input.pointer.latest_pos());
        let over_end = response.hover_pos().and_then(|pos| end_at(pos, scale, range));
        if over_end.is_some() || matches!(self.drag, Some(Drag::Range { .. })) {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        if response.drag_started() {
            let pressed = ui.input(|input| input.pointer.press_origin()).or(pointer);
            self.origin = pressed.unwrap_or_default();
            let pan = ui.input(|input| input.pointer.button_down(PointerButton::Middle))
                || response.dragged_by(PointerButton::Secondary);
            let ripple = ui.input(|input| input.modifiers.alt);
            let clip = subject::clip(ctx.document, ctx.selection).filter(|_| ripple);
            self.drag = match pressed.and_then(|pos| end_at(pos, scale, range)) {
                _ if pan => Some(Drag::Pan { base: (scale.first, scale.last) }),
                _ if clip.is_some() => clip.map(|(clip, _)| {
                    ctx.commands.gesture(Gesture::Begin { label: "history.ripple" });
                    let rate = ctx.document.settings.rate;
                    let at = rate.snap(scale.frame(self.origin.x) * rate.frame_secs());
                    Drag::Ripple { clip, at, frames: 0, points_per_frame: scale.points_per_frame() }
                }),
                Some(first) => {
                    ctx.commands.gesture(Gesture::Begin { label: "history.play_range" });
                    Some(Drag::Range { first, base: range })
                }
                None => Some(Drag::Scrub),
            };
        }
        if let (Some(drag), Some(pos)) = (self.drag, pointer) {
            self.dragged(ui, ctx, drag, pos, scale);
        }
        if response.drag_stopped() || (self.drag.is_some() && !response.is_pointer_button_down_on()) {
            if matches!(self.drag, Some(Drag::Range { .. } | Drag::Ripple { .. })) {
                ctx.commands.gesture(Gesture::Commit);
            }
            self.drag = None;
        }
        if response.contains_pointer() {
            ctx.commands.send(crate::command::Command::Hint(t("timeline.hint")));
            zoom(ui, ctx, scale);
        }
    }

    fn dragged(&mut self, ui: &Ui, ctx: &PanelContext<'_>, drag: Drag, pos: Pos2, scale: Scale) {
        let rate = ctx.document.settings.rate;
        let origin = self.origin;
        match drag {
            Drag::Scrub => {
                let frame = scale.frame(pos.x);
                let snapped = ctx.view.snap.frames != ui.input(|input| input.modifiers.command);
                let secs = frame * rate.frame_secs();
                let secs = if snapped { rate.snap(secs) } else { secs };
                if secs != ctx.view.secs {
                    ctx.commands.view(ViewChange::Playback(Playback::Stopped));
                    ctx.commands.view(ViewChange::Time(secs));
                }
            }
            Drag::Range { first, base } => {
                if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                    ctx.commands.gesture(Gesture::Cancel);
                    self.drag = None;
                    return;
                }
                let moved = ((pos.x - origin.x) as f64 / scale.points_per_frame()).round() as i64;
                let range = if first {
                    FrameRange::new(base.first.saturating_add(moved).min(base.last), base.last)
                } else {
                    FrameRange::new(base.first, base.last.saturating_add(moved).max(base.first))
                };
                ctx.commands.gesture(Gesture::Update(SettingsEdit::SetPlayRange(range).into()));
            }
            Drag::Ripple { clip, at, points_per_frame, .. } => {
                if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                    ctx.commands.gesture(Gesture::Cancel);
                    self.drag = None;
                    return;
                }
                let moved = (f64::from(pos.x - origin.x) / points_per_frame).round() as i64;
                let frames = u32::try_from(moved.unsigned_abs()).unwrap_or(u32::MAX);
                // To the left the frames that are passed over go.
                let edit: Edit = match moved {
                    0 => Edit::none(),
                    1.. => TimeEdit::Insert { clip, at, frames }.into(),
                    _ => TimeEdit::Remove { clip, at: at - rate.secs(moved.saturating_neg()), frames }.into(),
                };
                self.drag = Some(Drag::Ripple { clip, at, frames: moved, points_per_frame });
                ctx.commands.gesture(Gesture::Update(edit));
            }
            Drag::Pan { base } => {
                let moved = f64::from(pos.x - origin.x) / scale.points_per_frame();
                ctx.commands.view(ViewChange::Timeline(Some((base.0 - moved, base.1 - moved))));
            }
        }
    }
}

/// The frames shown while the view follows the play range.
fn following(range: FrameRange) -> (f64, f64) {
    let (first, last) = (range.first as f64, range.last as f64);
    let room = ((last - first) * MARGIN).max(0.5);
    (first - room, last + room)
}

/// Which end of the play range a place is at: true for the first.
fn end_at(pos: Pos2, scale: Scale, range: FrameRange) -> Option<bool> {
    if pos.y > scale.rect.top() + STRIP_PT {
        return None;
    }
    let near = |frame: i64| (scale.x(frame as f64) - pos.x).abs();
    let (first, last) = (near(range.first), near(range.last));
    (first.min(last) <= GRAB_PT).then_some(first < last)
}

/// The wheel zooms about the pointer, sideways pans, two fingers do both.
pub(in crate::ui::panels) fn zoom(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale) {
    let (scroll, pinch, pos) =
        ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta(), input.pointer.latest_pos()));
    let Some(pos) = pos else { return };
    let factor = f64::from(pinch) * (f64::from(scroll.y) * 0.004).exp();
    if factor == 1.0 && scroll.x == 0.0 {
        return;
    }
    let about = scale.frame(pos.x);
    let moved = f64::from(scroll.x) / scale.points_per_frame();
    let at = |frame: f64| about + (frame - about) / factor - moved;
    ctx.commands.view(ViewChange::Timeline(Some((at(scale.first), at(scale.last)))));
}

fn paint(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale, (rate, range): (FrameRate, FrameRange)) {
    let painter = ui.painter().with_clip_rect(scale.rect.intersect(ui.clip_rect()));
    let colours = ctx.colours;
    painter.rect_filled(scale.rect, 4.0, colours.field);
    let played = Rect::from_x_y_ranges(
        scale.x(range.first as f64)..=scale.x(range.last as f64),
        scale.rect.top()..=scale.rect.bottom(),
    );
    painter.rect_filled(played, 0.0, colours.button.gamma_multiply(0.55));
    let strip = played.with_max_y(played.top() + 3.0);
    painter.rect_filled(strip, 0.0, colours.weak.gamma_multiply(0.6));
    let ends = [played.left(), played.right()];
    for x in ends {
        let handle = Rect::from_center_size(pos2(x, played.top() + STRIP_PT / 2.0), Vec2::new(4.0, STRIP_PT - 2.0));
        painter.rect_filled(handle, 2.0, colours.weak);
    }
    let head = Head::new(&painter, ui, ctx, scale, rate);
    ticks(&painter, ui, scale, [colours.weak, colours.line], &ends, Some(head.place.x_range()));
    head.paint(&painter, ui, ctx);
}

/// Marks of frames, and numbers at round ones; a number that would lie on one of the `handles` stands beside it, one that
/// would be cut off or lie under what is `taken` is left out.
pub(in crate::ui::panels) fn ticks(
    painter: &egui::Painter,
    ui: &Ui,
    scale: Scale,
    [weak, line]: [Color32; 2],
    handles: &[f32],
    taken: Option<egui::Rangef>,
) {
    let step = number_step(NUMBER_GAP_PT / scale.points_per_frame());
    let font = egui::TextStyle::Small.resolve(ui.style());
    let fine = (step / 5).max(1);
    let top = scale.rect.top() + STRIP_PT;
    if fine as f64 * scale.points_per_frame() >= 4.0 {
        for frame in whole_frames(scale, fine) {
            let x = scale.x(frame as f64);
            painter.line_segment([pos2(x, top + 2.0), pos2(x, top + 6.0)], Stroke::new(1.0, line));
        }
    }
    for frame in whole_frames(scale, step) {
        let x = scale.x(frame as f64);
        painter.line_segment([pos2(x, top), pos2(x, top + 8.0)], Stroke::new(1.0, weak.gamma_multiply(0.7)));
        let number = painter.layout_no_wrap(frame.to_string(), font.clone(), weak);
        let half = number.size().x / 2.0;
        let middle = clear_of(x, half + 4.0, handles);
        let seen = egui::Rangef::new(middle - half, middle + half);
        let cut = seen.min < scale.rect.left() || seen.max > scale.rect.right();
        if !cut && !taken.is_some_and(|taken| taken.intersects(seen)) {
            painter.galley(pos2(seen.min, scale.rect.top() + 3.0), number, weak);
        }
    }
}

/// Where a number of this half width stands, so that it lies on no handle: beyond it on the side it is on, and on a handle
/// itself inside the range.
fn clear_of(x: f32, half: f32, handles: &[f32]) -> f32 {
    let Some(index) = handles.iter().position(|handle| (handle - x).abs() < half) else { return x };
    let inward = if index == 0 { 1.0 } else { -1.0 };
    let side = if (x - handles[index]).abs() < 0.5 { inward } else { (x - handles[index]).signum() };
    handles[index] + side * half
}

/// The frames that are whole multiples of a step and are seen; a few hundred at most.
fn whole_frames(scale: Scale, step: i64) -> impl Iterator<Item = i64> {
    let first = (scale.first / step as f64).floor() as i64;
    let count = ((scale.last - scale.first) / step as f64).clamp(0.0, 2000.0) as i64 + 2;
    (0..count).map(move |index| first.saturating_add(index).saturating_mul(step))
}

/// The least of 1, 2, 5, 10, 20, ... that is at least so many frames.
fn number_step(least: f64) -> i64 {
    let mut power = 1i64;
    while power < 1_000_000_000_000 {
        for factor in [1, 2, 5] {
            if (power * factor) as f64 >= least {
                return power * factor;
            }
        }
        power *= 10;
    }
    power
}

/// How much time is put in or taken out, beside the pointer.
fn ripple_mark(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale, (rate, at, frames): (FrameRate, f64, i64), pos: Pos2) {
    let painter = ui.painter().with_clip_rect(scale.rect.intersect(ui.clip_rect()));
    let start = rate.frame_f64(at) + frames.min(0) as f64;
    let (a, b) = (scale.x(start), scale.x(start + frames.max(0) as f64));
    let colour = if frames < 0 { ctx.colours.record } else { ctx.colours.accent };
    let place = Rect::from_x_y_ranges(a..=b.max(a + 2.0), scale.rect.top()..=scale.rect.bottom());
    painter.rect_filled(place, 0.0, colour.gamma_multiply(0.4));
    let font = egui::TextStyle::Body.resolve(ui.style());
    let galley = painter.layout_no_wrap(format!("{frames:+}"), font, ctx.colours.text);
    let left = (pos.x + 12.0).min(scale.rect.right() - galley.size().x - 4.0);
    let place = pos2(left, scale.rect.bottom() - galley.size().y - 1.0);
    painter.rect_filled(Rect::from_min_size(place, galley.size()).expand(3.0), 3.0, ctx.colours.panel);
    painter.galley(place, galley, ctx.colours.text);
}

/// The playhead with the frame it is at.
struct Head {
    x: f32,
    line: egui::Rangef,
    /// Where its number stands.
    place: Rect,
    number: std::sync::Arc<egui::Galley>,
}

impl Head {
    fn new(painter: &egui::Painter, ui: &Ui, ctx: &PanelContext<'_>, scale: Scale, rate: FrameRate) -> Self {
        let frame = rate.frame_f64(ctx.view.secs);
        let x = scale.x(frame);
        let nearest = frame.round();
        // Off a frame the fraction is shown: nothing hides that the time is between two frames.
        let text = if (frame - nearest).abs() < 1e-3 { format!("{nearest}") } else { format!("{frame:.2}") };
        let font = egui::TextStyle::Small.resolve(ui.style());
        let number = painter.layout_no_wrap(text, font, ctx.colours.accent_text);
        let size = number.size() + Vec2::new(8.0, 2.0);
        let left = (x - size.x / 2.0).clamp(scale.rect.left(), (scale.rect.right() - size.x).max(scale.rect.left()));
        let place = Rect::from_min_size(pos2(left, scale.rect.top() + 1.0), size);
        Self { x, line: scale.rect.y_range(), place, number }
    }

    fn paint(self, painter: &egui::Painter, ui: &Ui, ctx: &PanelContext<'_>) {
        let colours = ctx.colours;
        painter.vline(self.x, self.line, Stroke::new(1.5, colours.accent));
        painter.rect_filled(self.place, 3.0, colours.accent_ground);
        painter.galley(self.place.min + Vec2::new(4.0, 1.0), self.number, colours.accent_text);
        if ui.rect_contains_pointer(self.place) {
            let secs = format!("{:.3}", ctx.view.secs);
            ctx.commands.send(crate::command::Command::Hint(fill("timeline.at", &[("secs", &secs)]).into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_beside_handles() {
        let ends = [100.0, 900.0];
        assert_eq!(clear_of(500.0, 12.0, &ends), 500.0);
        assert_eq!(clear_of(100.0, 12.0, &ends), 112.0);
        assert_eq!(clear_of(900.0, 12.0, &ends), 888.0);
        assert_eq!(clear_of(893.0, 12.0, &ends), 888.0);
        assert_eq!(clear_of(95.0, 12.0, &ends), 88.0);
    }

    #[test]
    fn numbers_stand_at_round_frames() {
        for (least, step) in
            [(0.3, 1), (1.5, 2), (3.0, 5), (7.0, 10), (12.0, 20), (30.0, 50), (51.0, 100), (4e5, 500_000)]
        {
            assert_eq!(number_step(least), step, "{least}");
        }
    }

    #[test]
    fn places_and_frames_agree() {
        let scale =
            Scale { first: -10.0, last: 30.0, rect: Rect::from_min_size(pos2(5.0, 0.0), Vec2::new(400.0, 40.0)) };
        assert!((scale.frame(scale.x(12.0)) - 12.0).abs() < 1e-3);
        assert_eq!(end_at(pos2(scale.x(0.0) + 2.0, 4.0), scale, FrameRange::new(0, 20)), Some(true));
        assert_eq!(end_at(pos2(scale.x(20.0), 4.0), scale, FrameRange::new(0, 20)), Some(false));
        assert_eq!(end_at(pos2(scale.x(20.0), 30.0), scale, FrameRange::new(0, 20)), None);
    }
}

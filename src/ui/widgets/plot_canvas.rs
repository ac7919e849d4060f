//! The ground of a plot: where plot and rulers lie, grid, numbers, playhead.

use crate::{
    interact::{
        plot_view::{PlotRange, PlotRect, PlotView, Span},
        ticks::{Counting, Ticks},
    },
    model::{FrameRange, FrameRate},
    ui::theme::Colours,
};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2};
use std::sync::Arc;

/// Height of the ruler of frames, points.
pub const RULER_PT: f32 = 20.0;
/// Width of the ruler of values, points.
pub const VALUES_PT: f32 = 48.0;
/// Least distance of two numbers on the ruler of frames, points.
const TIME_GAP_PT: f64 = 48.0;
/// Least distance of two numbers on the ruler of values, points.
const VALUE_GAP_PT: f64 = 36.0;

/// The numbers of a strip may stand this much nearer.
const STRIP_PART: f64 = 0.6;

/// Where the parts of a plot lie in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotCanvas {
    /// All of it.
    pub rect: Rect,
    /// The plot itself.
    pub plot: Rect,
    /// The ruler of frames, above the plot.
    pub ruler: Rect,
    /// The ruler of values, left of the plot.
    pub values: Rect,
    /// Plots below that share the ruler of frames, from top to bottom.
    pub strips: [Option<Rect>; 2],
}

impl PlotCanvas {
    /// The parts within a rectangle.
    #[must_use]
    pub fn new(rect: Rect) -> Self {
        let corner = pos2((rect.left() + VALUES_PT).min(rect.right()), (rect.top() + RULER_PT).min(rect.bottom()));
        Self {
            rect,
            plot: Rect::from_min_max(corner, rect.max),
            ruler: Rect::from_min_max(pos2(corner.x, rect.top()), pos2(rect.right(), corner.y)),
            values: Rect::from_min_max(pos2(rect.left(), corner.y), pos2(corner.x, rect.bottom())),
            strips: [None; 2],
        }
    }

    /// The same with room for plots below, each for the asking.
    #[must_use]
    pub fn with_strips(self, wanted: [bool; 2]) -> Self {
        let count = wanted.into_iter().filter(|wanted| *wanted).count() as f32;
        let height = (self.plot.height() * 0.28).round();
        let mut foot = self.plot.bottom() - height * count;
        let mut canvas = self;
        canvas.plot.max.y = foot;
        canvas.values.max.y = foot;
        for (strip, _) in canvas.strips.iter_mut().zip(wanted).filter(|(_, wanted)| *wanted) {
            *strip =
                Some(Rect::from_min_max(pos2(self.plot.left(), foot + 1.0), pos2(self.plot.right(), foot + height)));
            foot += height;
        }
        canvas
    }

    /// From the plot's upper edge to the lowest strip's lower one.
    #[must_use]
    pub fn all_plots(&self) -> Rect {
        self.strips.iter().flatten().fold(self.plot, |all, strip| all.union(*strip))
    }

    /// A window on the plot, in points of the whole window: for painting.
    #[must_use]
    pub fn view(&self, range: PlotRange) -> PlotView {
        PlotView::new(range, plot_rect(self.plot, Pos2::ZERO))
    }

    /// The same in points within the canvas: for input.
    #[must_use]
    pub fn local(&self, range: PlotRange) -> PlotView {
        PlotView::new(range, plot_rect(self.plot, self.rect.min))
    }

    /// A part of the canvas in points within it.
    #[must_use]
    pub fn local_rect(&self, part: Rect) -> PlotRect {
        plot_rect(part, self.rect.min)
    }
}

fn plot_rect(rect: Rect, origin: Pos2) -> PlotRect {
    let (left, top) = (rect.left() - origin.x, rect.top() - origin.y);
    PlotRect::new(f64::from(left), f64::from(top), f64::from(rect.width()), f64::from(rect.height()))
}

/// The marks of the ruler of frames: whole frames unless one frame is wide enough for parts of it.
#[must_use]
pub fn frame_ticks(view: &PlotView, rate: FrameRate) -> Ticks {
    let secs = view.range.secs;
    let frames = Span::of_values(rate.frame_f64(secs.low()), rate.frame_f64(secs.high()));
    Ticks::new(frames, rate.frame_f64(TIME_GAP_PT * view.secs_per_point()), Counting::Decimal)
}

/// The marks of the ruler of values.
#[must_use]
pub fn value_ticks(view: &PlotView, counting: Counting) -> Ticks {
    Ticks::new(view.range.values, VALUE_GAP_PT * view.value_per_point(), counting)
}

/// What the ground shows.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Where.
    pub canvas: &'a PlotCanvas,
    /// The window on the plot, in points of the whole window.
    pub view: &'a PlotView,
    /// Frames a second.
    pub rate: FrameRate,
    /// The frames that play: the rest is darker.
    pub play_range: FrameRange,
    /// How values are counted.
    pub counting: Counting,
    /// The unit of the values.
    pub unit: &'a str,
    /// The colours.
    pub colours: &'a Colours,
    /// The type of the numbers.
    pub font: &'a FontId,
}

impl Ground<'_> {
    /// Paints what lies behind the curves.
    pub fn paint(&self, painter: &Painter) {
        let Self { canvas, view, colours, .. } = self;
        painter.rect_filled(canvas.rect, 0.0, colours.panel);
        painter.rect_filled(canvas.plot, 0.0, colours.field);
        let plot = painter.with_clip_rect(canvas.plot.intersect(painter.clip_rect()));
        let (frames, values) = (frame_ticks(view, self.rate), value_ticks(view, self.counting));
        let (fine, line) = (colours.line.gamma_multiply(0.4), colours.line.gamma_multiply(0.85));
        for tick in frames.iter() {
            let x = self.x_of_frame(tick.value);
            plot.vline(x, canvas.plot.y_range(), Stroke::new(1.0, line));
            let middle = self.x_of_frame(tick.value + frames.step() / 2.0);
            plot.vline(middle, canvas.plot.y_range(), Stroke::new(1.0, fine));
        }
        for tick in values.iter() {
            let y = view.y(tick.value) as f32;
            let colour = if tick.number == 0 { colours.weak.gamma_multiply(0.6) } else { line };
            plot.hline(canvas.plot.x_range(), y, Stroke::new(1.0, colour));
        }
        self.shade(&plot);
    }

    /// Darkens what does not play.
    fn shade(&self, painter: &Painter) {
        let plot = self.canvas.plot;
        let (first, last) =
            (self.x_of_frame(self.play_range.first as f64), self.x_of_frame(self.play_range.last as f64));
        let shade = self.colours.ground.gamma_multiply(0.5);
        for (left, right) in [(plot.left(), first.min(plot.right())), (last.max(plot.left()), plot.right())] {
            if left < right {
                painter.rect_filled(Rect::from_x_y_ranges(left..=right, plot.y_range()), 0.0, shade);
            }
        }
    }

    /// Paints the ground of a plot below, with its own window (same times) and title.
    pub fn paint_strip(&self, painter: &Painter, rect: Rect, view: &PlotView) {
        let colours = self.colours;
        painter.rect_filled(rect, 0.0, colours.field);
        let plot = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
        for tick in frame_ticks(view, self.rate).iter() {
            let line = Stroke::new(1.0, colours.line.gamma_multiply(0.85));
            plot.vline(self.x_of_frame(tick.value), rect.y_range(), line);
        }
        let gap = VALUE_GAP_PT * STRIP_PART * view.value_per_point();
        let ticks = Ticks::new(view.range.values, gap, Counting::Decimal);
        for tick in ticks.iter() {
            let y = view.y(tick.value) as f32;
            let strength = if tick.number == 0 { 1.6 } else { 0.85 };
            plot.hline(rect.x_range(), y, Stroke::new(1.0, colours.line.gamma_multiply(strength)));
            if y > rect.top() + 6.0 && y < rect.bottom() - 6.0 {
                let at = pos2(rect.left() - 6.0, y);
                painter.text(at, Align2::RIGHT_CENTER, ticks.label(tick), self.font.clone(), colours.weak);
            }
        }
        painter.hline(self.canvas.rect.x_range(), rect.top() - 0.5, Stroke::new(1.0, colours.line));
    }

    /// Writes the title of a strip over its lines.
    pub fn strip_title(&self, painter: &Painter, rect: Rect, title: String) {
        over_lines(painter, rect.left_top() + egui::vec2(6.0, 3.0), title, self.font.clone(), self.colours);
    }

    /// Paints the rulers, over the curves' ends. No number stands half under the head of the playhead at a time.
    pub fn paint_rulers(&self, painter: &Painter, playhead_secs: f64) {
        let Self { canvas, view, colours, font, .. } = self;
        let now = view.x(playhead_secs).clamp(-1e5, 1e5) as f32;
        let head = canvas.ruler.x_range().contains(now).then(|| {
            let (head, _) = playhead_head(painter, canvas, now, self.rate.frame_f64(playhead_secs), font);
            head.expand2(egui::vec2(2.0, 0.0))
        });
        let corner = Rect::from_min_max(canvas.rect.min, pos2(canvas.plot.left(), canvas.plot.top()));
        painter.rect_filled(canvas.ruler, 0.0, colours.panel);
        painter.rect_filled(canvas.values, 0.0, colours.panel);
        painter.rect_filled(corner, 0.0, colours.panel);
        painter.text(corner.center(), Align2::CENTER_CENTER, self.unit, (*font).clone(), colours.weak);
        let ruler = painter.with_clip_rect(canvas.ruler.intersect(painter.clip_rect()));
        let frames = frame_ticks(view, self.rate);
        // Far in, the numbers are longer than the marks are apart: then not all are written.
        let mut taken = head;
        for tick in frames.iter() {
            let x = self.x_of_frame(tick.value);
            let foot = canvas.ruler.bottom();
            ruler.vline(x, foot - 4.0..=foot, Stroke::new(1.0, colours.weak));
            let at = pos2(x, canvas.ruler.center().y - 1.0);
            let ink = (*font, colours.weak);
            let others = [head, taken];
            let place =
                whole_text(&ruler, (canvas.ruler, others), (at, Align2::CENTER_CENTER), frames.label(tick), ink);
            taken = place.map(|place| place.expand2(egui::vec2(4.0, 0.0))).or(taken);
        }
        let side = painter.with_clip_rect(canvas.values.intersect(painter.clip_rect()));
        let values = value_ticks(view, self.counting);
        for tick in values.iter() {
            let at = pos2(canvas.values.right() - 6.0, view.y(tick.value) as f32);
            let ink = (*font, colours.weak);
            whole_text(&side, (canvas.values, [None; 2]), (at, Align2::RIGHT_CENTER), values.label(tick), ink);
        }
        painter.hline(canvas.rect.x_range(), canvas.plot.top(), Stroke::new(1.0, colours.line));
        painter.vline(canvas.plot.left(), canvas.rect.y_range(), Stroke::new(1.0, colours.line));
    }

    /// Paints the playhead at a time: a line through the plot and a head with the frame's number on the ruler.
    pub fn paint_playhead(&self, painter: &Painter, secs: f64, hovered: bool) {
        let Self { canvas, view, colours, font, .. } = self;
        let x = view.x(secs).clamp(-1e5, 1e5) as f32;
        if !canvas.ruler.x_range().contains(x) {
            return;
        }
        let plots = canvas.all_plots();
        let painter = painter.with_clip_rect(canvas.ruler.union(plots).intersect(painter.clip_rect()));
        let width = if hovered { 2.0 } else { 1.0 };
        painter.vline(x, canvas.ruler.bottom()..=plots.bottom(), Stroke::new(width, colours.accent));
        let (head, galley) = playhead_head(&painter, canvas, x, self.rate.frame_f64(secs), font);
        let foot = head.bottom();
        painter.rect_filled(head, 3.0, colours.accent);
        let point = vec![pos2(x - 4.0, foot - 0.5), pos2(x + 4.0, foot - 0.5), pos2(x, canvas.ruler.bottom() + 2.0)];
        painter.add(Shape::convex_polygon(point, colours.accent, Stroke::NONE));
        let at = head.center() - galley.size() / 2.0;
        painter.galley(at, galley, contrasting(colours.accent));
    }

    fn x_of_frame(&self, frame: f64) -> f32 {
        let secs = frame * self.rate.frame_secs();
        self.view.x(secs).clamp(-1e6, 1e6) as f32
    }
}

/// Writes a number of a ruler whole: at its ends beside its mark where it would be cut. Nothing for a mark beyond
/// them, or where something else stands. Where it was written.
fn whole_text(
    painter: &Painter,
    (ruler, taken): (Rect, [Option<Rect>; 2]),
    (at, align): (Pos2, Align2),
    text: String,
    (font, colour): (&FontId, Color32),
) -> Option<Rect> {
    if !ruler.expand(0.5).contains(at) {
        return None;
    }
    let lay = |text: String| painter.layout_no_wrap(text, font.clone(), colour);
    let (mut galley, mut rest) = (lay(text.clone()), text.chars());
    // Of a number wider than its ruler the end is what tells it from the next.
    while galley.size().x > ruler.width() - 2.0 && rest.next().is_some() {
        galley = lay(format!("…{}", rest.as_str()));
    }
    let place = align.anchor_size(at, galley.size()).min;
    let most = (ruler.max - galley.size() - egui::vec2(1.0, 0.0)).max(ruler.min);
    let place = Rect::from_min_size(place.clamp(ruler.min, most), galley.size());
    let free = !taken.into_iter().flatten().any(|taken| taken.intersects(place));
    free.then(|| {
        painter.galley(place.min, galley, colour);
        place
    })
}

/// Where the playhead's head with its frame's number lies on the ruler: whole at the plot's edges, its point on the line.
pub fn playhead_head(
    painter: &Painter,
    canvas: &PlotCanvas,
    x: f32,
    frame: f64,
    font: &FontId,
) -> (Rect, Arc<egui::Galley>) {
    let text = if (frame - frame.round()).abs() < 1e-4 { format!("{frame:.0}") } else { format!("{frame:.2}") };
    let galley = painter.layout_no_wrap(text, font.clone(), Color32::PLACEHOLDER);
    let half = galley.size().x / 2.0 + 5.0;
    let middle = x.clamp(canvas.ruler.left() + half, (canvas.ruler.right() - half).max(canvas.ruler.left() + half));
    let (top, foot) = (canvas.ruler.top() + 2.0, canvas.ruler.bottom() - 3.0);
    (Rect::from_min_max(pos2(middle - half, top), pos2(middle + half, foot)), galley)
}

/// Black or white, whichever reads better on a colour.
fn contrasting(ground: Color32) -> Color32 {
    let [r, g, b, _] = ground.to_array().map(f32::from);
    if 0.299 * r + 0.587 * g + 0.114 * b > 140.0 { Color32::BLACK } else { Color32::WHITE }
}

/// Writes words over a plot's lines, on ground of their own.
pub fn over_lines(painter: &Painter, at: egui::Pos2, text: String, font: egui::FontId, colours: &Colours) {
    let galley = painter.layout_no_wrap(text, font, colours.weak);
    let ground = Rect::from_min_size(at, galley.size()).expand(2.0);
    painter.rect_filled(ground, 2.0, colours.field.gamma_multiply(0.94));
    painter.galley(at, galley, colours.weak);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas() -> PlotCanvas {
        PlotCanvas::new(Rect::from_min_max(pos2(10.0, 30.0), pos2(1_010.0, 430.0)))
    }

    #[test]
    fn parts_tile_the_canvas() {
        let canvas = canvas();
        let corner = VALUES_PT * RULER_PT;
        let areas = canvas.plot.area() + canvas.ruler.area() + canvas.values.area() + corner;
        assert!((areas - canvas.rect.area()).abs() < 1.0);
        let range = PlotRange::new((0.0, 1.0), (0.0, 1.0));
        let (screen, local) = (canvas.view(range), canvas.local(range));
        assert!(
            (screen.x(0.5) - local.x(0.5) - 10.0).abs() < 1e-9 && (screen.y(0.5) - local.y(0.5) - 30.0).abs() < 1e-9
        );
    }

    #[test]
    fn frames_are_counted_whole_until_one_is_wide() {
        let rate = FrameRate::new(30_000, 1_001).unwrap();
        let wide = canvas().view(PlotRange::new((0.0, 10.0), (0.0, 1.0)));
        assert!(frame_ticks(&wide, rate).step() >= 1.0);
        let near = canvas().view(PlotRange::new((0.0, 0.05), (0.0, 1.0)));
        assert!(frame_ticks(&near, rate).step() < 1.0);
    }
}

//! The three plots: scales, lines, points, playhead.

use crate::{
    eval::trail::{Motion, Trail},
    model::LengthUnit,
    text::t,
    ui::{
        panel::PanelContext,
        widgets::{drag_field::number_text, plot_canvas::over_lines},
    },
};
use egui::{Align2, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2};

/// Room for the values at the left, points.
const VALUES_PT: f32 = 64.0;
/// Room at the right, points.
const RIGHT_PT: f32 = 10.0;
/// Points of s(t) nearer than this are thinned, points.
const GAP_PT: f32 = 6.0;

/// What is plotted, in the unit shown, a value a point of the trail.
pub(super) struct Series {
    pub(super) values: [Vec<f64>; 3],
    unit: LengthUnit,
}

impl Series {
    pub(super) fn new(trail: &Trail, motion: &Motion, unit: LengthUnit) -> Self {
        let metres = unit.metres();
        let of = |value: &dyn Fn(usize) -> f64| (0..trail.points.len()).map(|index| value(index) / metres).collect();
        let length = |index: usize| motion.length.get(index).copied().unwrap_or(0.0);
        let values = [of(&length), of(&|index| motion.speed(index)), of(&|index| motion.speed_change(index))];
        Self { values, unit }
    }
}

/// Times and values on the screen.
#[derive(Clone, Debug)]
pub(super) struct Plots {
    rects: [Rect; 3],
    /// Seconds at the left and the right.
    secs: (f64, f64),
    /// The least and the greatest value of each plot.
    ranges: [(f64, f64); 3],
    unit: LengthUnit,
}

impl Plots {
    pub(super) fn new(rect: Rect, trail: &Trail, series: &Series) -> Self {
        let inner = Rect::from_min_max(pos2(rect.left() + VALUES_PT, rect.top()), rect.max - egui::vec2(RIGHT_PT, 0.0));
        let last = trail.points.len().saturating_sub(1);
        let (start, end) = (trail.secs(0), trail.secs(last));
        let ranges = [0, 1, 2].map(|plot: usize| {
            let values = series.values[plot].iter().copied().filter(|value| value.is_finite());
            let (low, high) = values.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
            let most = Motion::most(series.values[plot].iter().copied());
            let (low, high) = if plot == 2 { (low.max(-most), high.min(most)) } else { (low, high) };
            let room = if high > low { 0.06 * (high - low) } else { 1.0 };
            // A way and a speed begin at nothing.
            (if plot == 2 { low - room } else { 0.0 }, high + room)
        });
        let secs = (start, if end > start { end } else { start + 1.0 });
        Self { rects: super::shares(inner), secs, ranges, unit: series.unit }
    }

    fn x(&self, secs: f64) -> f32 {
        let rect = self.rects[0];
        let part = (secs - self.secs.0) / (self.secs.1 - self.secs.0);
        rect.left() + (part * f64::from(rect.width())) as f32
    }

    /// The time at a place across, within the trail.
    pub(super) fn secs(&self, x: f32) -> f64 {
        let rect = self.rects[0];
        let part = f64::from(x - rect.left()) / f64::from(rect.width().max(1.0));
        self.secs.0 + part.clamp(0.0, 1.0) * (self.secs.1 - self.secs.0)
    }

    fn y(&self, plot: usize, value: f64) -> f32 {
        let (rect, (low, high)) = (self.rects[plot], self.ranges[plot]);
        let part = (value - low) / (high - low);
        rect.bottom() - (part.clamp(-2.0, 3.0) * f64::from(rect.height())) as f32
    }

    /// The way that so many points up stand for, metres.
    pub(super) fn metres(&self, points: f64) -> f64 {
        let (low, high) = self.ranges[0];
        points / f64::from(self.rects[0].height().max(1.0)) * (high - low) * self.unit.metres()
    }

    /// The points of s(t) that are drawn: one a frame, thinned.
    fn points<'a>(&'a self, trail: &'a Trail) -> impl Iterator<Item = (usize, i64)> + 'a {
        let frames = trail.points.len() as f32 / trail.per_frame.max(1) as f32;
        let gap = self.rects[0].width() / frames.max(1.0);
        let stride = [1, 2, 5, 10, 20, 50].into_iter().find(|stride| gap * *stride as f32 >= GAP_PT).unwrap_or(100);
        trail.frames().map(|(index, frame, _)| (index, frame)).filter(move |(_, frame)| frame.rem_euclid(stride) == 0)
    }

    /// The point of s(t) at a place.
    pub(super) fn point_at(&self, trail: &Trail, series: &Series, pos: Pos2, reach: f32) -> Option<usize> {
        let near = |(index, _): (usize, i64)| {
            let at = pos2(self.x(trail.secs(index)), self.y(0, *series.values[0].get(index)?));
            Some((index, at.distance(pos))).filter(|(_, away)| *away <= reach)
        };
        let nearest = self.points(trail).filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map(|(index, _)| index)
    }
}

/// Paints the plots; `active` is the point under the pointer or being dragged.
pub(super) fn paint(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    plots: &Plots,
    (trail, series): (&Trail, &Series),
    active: Option<usize>,
) {
    let painter = ui.painter();
    let font = egui::TextStyle::Small.resolve(ui.style());
    let titles = ["spacing.length", "spacing.speed", "spacing.change"];
    let symbol = plots.unit.symbol();
    let units = [symbol.to_owned(), format!("{symbol}/s"), format!("{symbol}/s\u{b2}")];
    let inks = [ctx.colours.accent, ctx.colours.axes[1], ctx.colours.axes[0]];
    for plot in 0..3 {
        let rect = plots.rects[plot];
        painter.rect_filled(rect, 3.0, ctx.colours.field);
        if plot == 0 {
            retimed(painter, ctx, plots, trail);
        }
        values(painter, ctx, plots, plot, &font);
        let line: Vec<Pos2> = series.values[plot]
            .iter()
            .enumerate()
            .map(|(index, value)| pos2(plots.x(trail.secs(index)), plots.y(plot, *value)))
            .collect();
        let clipped = painter.with_clip_rect(rect.expand(1.0).intersect(ui.clip_rect()));
        clipped.add(Shape::line(line.clone(), Stroke::new(if plot == 0 { 2.0 } else { 1.5 }, inks[plot])));
        let title = format!("{} ({})", t(titles[plot]), units[plot]);
        let size = painter.layout_no_wrap(title.clone(), font.clone(), ctx.colours.weak).size();
        over_lines(painter, clear_corner(rect, size, &line), title, font.clone(), ctx.colours);
        let x = plots.x(ctx.view.secs);
        if rect.x_range().contains(x) {
            let stroke = Stroke::new(1.5, ctx.colours.accent.gamma_multiply(0.8));
            painter.line_segment([pos2(x, rect.top()), pos2(x, rect.bottom())], stroke);
        }
    }
    points(painter, ctx, plots, (trail, series), active);
}

/// The corner of a plot where a title of this size lies on the fewest points of its line; the upper left where all are equal.
fn clear_corner(plot: Rect, size: egui::Vec2, line: &[Pos2]) -> Pos2 {
    let free = plot.shrink2(egui::vec2(6.0, 3.0));
    let (right, bottom) = (free.right() - size.x, free.bottom() - size.y);
    let corners = [free.min, pos2(right, free.top()), pos2(free.left(), bottom), pos2(right, bottom)];
    let covered = |corner: &Pos2| {
        let ground = Rect::from_min_size(*corner, size).expand(3.0);
        line.iter().filter(|point| ground.contains(**point)).count()
    };
    corners.into_iter().min_by_key(covered).unwrap_or(free.min)
}

/// Where retimes of the joint act: a band with its name.
fn retimed(painter: &Painter, ctx: &PanelContext<'_>, plots: &Plots, trail: &Trail) {
    let clip = ctx.document.clip_of(trail.spec.object).and_then(|clip| ctx.document.clip(clip));
    let target = crate::model::Target::Joint(trail.spec.object, trail.spec.joint);
    let acting = clip.into_iter().flat_map(|clip| &clip.retimes).filter(|r| !r.muted && r.covers(target));
    for retime in acting {
        let (start, end) = retime.phi.range();
        let band = plots.rects[0];
        let band = band.with_min_x(plots.x(start).max(band.left())).with_max_x(plots.x(end).min(band.right()));
        if band.width() > 0.0 {
            painter.rect_filled(band, 0.0, ctx.colours.accent.gamma_multiply(0.12));
            painter.rect_filled(band.with_min_y(band.bottom() - 3.0), 0.0, ctx.colours.accent.gamma_multiply(0.7));
        }
    }
}

/// The greatest value, zero, and a line at it.
fn values(painter: &Painter, ctx: &PanelContext<'_>, plots: &Plots, plot: usize, font: &FontId) {
    let (rect, (low, high)) = (plots.rects[plot], plots.ranges[plot]);
    let decimals = if high - low < 1.0 { 3 } else { 1 };
    for value in [high, 0.0, low] {
        if value == low && plot < 2 {
            continue;
        }
        let y = plots.y(plot, value);
        let align = if value == high {
            Align2::RIGHT_TOP
        } else if value == 0.0 && plot == 2 {
            Align2::RIGHT_CENTER
        } else {
            Align2::RIGHT_BOTTOM
        };
        let too_near = value == 0.0 && plot == 2 && (y - rect.top() < 14.0 || rect.bottom() - y < 14.0);
        if !too_near {
            painter.text(
                pos2(rect.left() - 6.0, y),
                align,
                number_text(value, decimals),
                font.clone(),
                ctx.colours.weak,
            );
        }
        if value == 0.0 {
            painter.line_segment([pos2(rect.left(), y), pos2(rect.right(), y)], Stroke::new(1.0, ctx.colours.line));
        }
    }
}

fn points(
    painter: &Painter,
    ctx: &PanelContext<'_>,
    plots: &Plots,
    (trail, series): (&Trail, &Series),
    active: Option<usize>,
) {
    let place = |index: usize| Some(pos2(plots.x(trail.secs(index)), plots.y(0, *series.values.first()?.get(index)?)));
    for (index, _) in plots.points(trail) {
        let Some(at) = place(index) else { continue };
        painter.circle(at, 2.5, ctx.colours.field, Stroke::new(1.2, ctx.colours.accent));
    }
    if let Some(at) = active.and_then(place) {
        painter.circle(at, 5.0, ctx.colours.accent, Stroke::new(1.5, ctx.colours.text));
    }
}

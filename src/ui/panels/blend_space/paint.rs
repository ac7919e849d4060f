//! How a space is drawn.

use super::{Subject, heat::HeatCache, sample_colour, trail::TrailCache};
use crate::{
    interact::{
        blend_space::{Apart, Heat, Known, PointOf, SpacePlot, Under, jumps},
        ticks::{Counting, Ticks},
    },
    text::{fill, t},
    ui::{panel::PanelContext, panels::race::badge, theme::Colours},
};
use egui::{
    Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2,
};

/// Half the size of a sample on the screen, points.
const SAMPLE_PT: f32 = 7.0;
/// The least distance of two numbers on an axis, points.
const TICK_PT: f64 = 46.0;

/// A plane to be drawn.
pub(super) struct Picture<'a, 'p> {
    pub(super) ctx: &'a PanelContext<'p>,
    pub(super) subject: &'a Subject<'a>,
    pub(super) plot: &'a SpacePlot<'a>,
    pub(super) plane: Rect,
    pub(super) known: &'a Known,
    pub(super) heat: &'a HeatCache,
    pub(super) under: Option<Under>,
    /// Whether it is that of the scheme compared with.
    pub(super) other: bool,
}

#[expect(clippy::cast_possible_truncation, reason = "places on a screen")]
fn screen([x, y]: [f64; 2]) -> Pos2 {
    pos2(x as f32, y as f32)
}

impl Picture<'_, '_> {
    fn at(&self, along: [f64; 2]) -> Pos2 {
        screen(self.plot.place(along))
    }

    fn colours(&self) -> &Colours {
        self.ctx.colours
    }

    pub(super) fn paint(
        &self,
        ui: &Ui,
        (against, trail): (Option<&Known>, &TrailCache),
        edges: &(Vec<[usize; 2]>, Vec<[usize; 2]>),
        apart: Option<Apart>,
        pointed: Option<[f64; 2]>,
    ) {
        let painter = ui.painter_at(self.plane);
        painter.rect_filled(self.plane, 2.0, self.colours().field);
        let is_plane = self.plot.space.scheme.axes() == 2;
        if is_plane {
            self.heat.paint(&painter, self.plane);
        }
        self.grid(&painter, ui.painter(), is_plane);
        if is_plane {
            self.lines(&painter);
            self.triangles(&painter, edges);
            self.jumps(&painter);
            self.trail(&painter, trail);
            if let Some(apart) = apart.filter(|apart| apart.most > 1e-9) {
                let at = self.at(apart.at);
                painter.circle_stroke(at, 9.0, Stroke::new(1.5, self.colours().warn));
            }
        } else {
            self.curves(&painter, self.known, false);
            if let Some(against) = against {
                self.curves(&painter, against, true);
            }
        }
        if let Some(pointed) = pointed.filter(|_| is_plane && self.under.is_none()) {
            self.projection(&painter, pointed, 0.6);
        }
        if is_plane {
            self.samples(ui, &painter);
            self.point(ui, &painter, trail);
        } else {
            // The point's line goes under the names it crosses.
            self.point(ui, &painter, trail);
            self.samples(ui, &painter);
        }
        painter.rect_stroke(self.plane, 2.0, Stroke::new(1.0, self.colours().line), StrokeKind::Inside);
        if self.subject.space.samples.is_empty() {
            let galley = painter.layout(
                t("blend_space.empty").into_owned(),
                FontId::proportional(12.5),
                self.colours().weak,
                self.plane.width() - 24.0,
            );
            // Above the point, which lies in the middle at first.
            let middle = self.plane.center() - Vec2::new(0.0, 0.25 * self.plane.height());
            painter.galley(middle - 0.5 * galley.size(), galley, self.colours().weak);
        }
        let cursor = match self.under {
            Some(Under::Sample(_) | Under::Point) => Some(CursorIcon::Grab),
            Some(Under::Edge(_)) => Some(CursorIcon::PointingHand),
            None => None,
        };
        if let Some(cursor) = cursor {
            ui.ctx().set_cursor_icon(cursor);
        }
    }

    /// Lines at round numbers and the numbers themselves, the axes' names, and where their ranges end.
    fn grid(&self, painter: &Painter, outside: &Painter, is_plane: bool) {
        let (view, plane, font) = (&self.plot.view, self.plane, FontId::proportional(10.5));
        let faint = self.colours().line.gamma_multiply(0.8);
        let across = Ticks::new(view.range.secs, TICK_PT * view.secs_per_point(), Counting::Decimal);
        for tick in across.iter() {
            let x = screen([view.x(tick.value), 0.0]).x;
            painter.vline(x, plane.y_range(), Stroke::new(1.0, faint));
            let at = pos2(x, plane.bottom() + 2.0);
            outside.text(at, Align2::CENTER_TOP, across.label(tick), font.clone(), self.colours().weak);
        }
        let upwards = Ticks::new(view.range.values, 0.7 * TICK_PT * view.value_per_point(), Counting::Decimal);
        for tick in upwards.iter().filter(|tick| is_plane || (-1e-9..=1.0 + 1e-9).contains(&tick.value)) {
            let y = screen([0.0, view.y(tick.value)]).y;
            painter.hline(plane.x_range(), y, Stroke::new(1.0, faint));
            let at = pos2(plane.left() - 3.0, y);
            outside.text(at, Align2::RIGHT_CENTER, upwards.label(tick), font.clone(), self.colours().weak);
        }
        let axes = &self.plot.space.axes;
        let name = |axis: usize| match axes[axis].unit.as_str() {
            "" => axes[axis].name.clone(),
            unit => format!("{} ({unit})", axes[axis].name),
        };
        let below = pos2(plane.right(), plane.bottom() + 15.0);
        outside.text(below, Align2::RIGHT_TOP, name(0), font.clone(), self.colours().weak);
        if is_plane {
            let galley = painter.layout_no_wrap(name(1), font, Color32::WHITE);
            let place = Rect::from_min_size(plane.left_top() + Vec2::new(5.0, 3.0), galley.size());
            painter.rect_filled(place.expand2(Vec2::new(2.0, 0.0)), 2.0, Color32::from_black_alpha(180));
            painter.galley(place.min, galley, Color32::WHITE);
        } else {
            // Beside the axis's name: the point's line crosses the plane anywhere.
            let below = pos2(plane.left(), plane.bottom() + 15.0);
            outside.text(below, Align2::LEFT_TOP, t("blend_space.weight"), font, self.colours().weak);
        }
        let corner = |end: usize| self.at([axes[0].range[end], axes[1].range[end]]);
        let mut range = Rect::from_two_pos(corner(0), corner(1));
        if !is_plane {
            (range.min.y, range.max.y) = (plane.top() - 2.0, plane.bottom() + 2.0);
        }
        painter.rect_stroke(range, 0.0, Stroke::new(1.0, self.colours().weak.gamma_multiply(0.6)), StrokeKind::Middle);
    }

    /// Lines of equal weight: of all samples each in its colour, of the chosen one all in the colour of text.
    fn lines(&self, painter: &Painter) {
        for (sample, levels) in self.heat.lines() {
            let chosen = self.ctx.view.blend.heat == Heat::Chosen && self.ctx.view.blend.sample == Some(*sample);
            let colour = if chosen { self.colours().text.gamma_multiply(0.8) } else { sample_colour(*sample) };
            for [from, to] in levels.iter().flatten() {
                painter.line_segment([self.at(*from), self.at(*to)], Stroke::new(1.0, colour));
            }
        }
    }

    fn triangles(&self, painter: &Painter, (inner, border): &(Vec<[usize; 2]>, Vec<[usize; 2]>)) {
        let samples = &self.subject.space.samples;
        let line = |edge: &[usize; 2], stroke: Stroke| {
            if let [Some(a), Some(b)] = edge.map(|end| samples.get(end)) {
                painter.line_segment([self.at(a.at), self.at(b.at)], stroke);
            }
        };
        let colour = self.colours().text.gamma_multiply(0.55);
        inner.iter().for_each(|edge| line(edge, Stroke::new(1.0, colour)));
        border.iter().for_each(|edge| line(edge, Stroke::new(1.75, colour)));
        if let Some(Under::Edge(edge)) = self.under {
            line(&edge, Stroke::new(3.0, self.colours().accent));
        }
    }

    /// Where weights jump: dashed, in the colour of warnings.
    fn jumps(&self, painter: &Painter) {
        let space = &self.known.key;
        let found = jumps(space);
        let stroke = Stroke::new(1.5, self.colours().warn);
        for ray in &found.rays {
            painter.extend(Shape::dashed_line(&ray.map(|at| self.at(at)), stroke, 5.0, 4.0));
        }
        if found.origin {
            let at = self.at([0.0; 2]);
            painter.circle_stroke(at, 11.0, stroke);
            for by in [Vec2::new(4.0, 4.0), Vec2::new(4.0, -4.0)] {
                painter.line_segment([at - by, at + by], stroke);
            }
        }
    }

    /// From a point to the one whose weights it takes, where that is another.
    fn projection(&self, painter: &Painter, point: [f64; 2], strength: f32) {
        let (_, landing) = self.known.weights(point);
        if landing.inside || landing.nothing {
            return;
        }
        let (from, to) = (self.at(self.subject.space.within(point)), self.at(landing.at));
        let stroke = Stroke::new(1.5, self.colours().accent.gamma_multiply(strength));
        painter.extend(Shape::dashed_line(&[from, to], stroke, 4.0, 3.0));
        painter.circle_stroke(to, 4.0, stroke);
    }

    fn trail(&self, painter: &Painter, trail: &TrailCache) {
        let Some(trail) = trail.trail() else { return };
        let line = |points: &[[f64; 2]], colour: Color32| {
            let points: Vec<Pos2> = points.iter().map(|at| self.at(*at)).collect();
            painter.line(points, Stroke::new(1.5, colour));
        };
        if trail.told != trail.played {
            line(&trail.told, self.colours().weak);
        }
        if trail.played.windows(2).any(|pair| pair[0] != pair[1]) {
            line(&trail.played, self.colours().text);
            // Dots a quarter of a second apart show how fast it goes.
            let rate = self.ctx.document.settings.rate;
            let quarter = usize::try_from(rate.nearest_frame(0.25)).unwrap_or(1).max(1);
            for at in trail.played.iter().step_by(quarter) {
                painter.circle_filled(self.at(*at), 2.5, self.colours().text);
            }
        }
    }

    /// The weights along a space of one axis.
    fn curves(&self, painter: &Painter, known: &Known, dashed: bool) {
        let count = known.key.samples.len();
        let mut lines: Vec<Vec<Pos2>> = vec![Vec::new(); count];
        let (left, right) = (self.plane.left(), self.plane.right());
        let steps = ((right - left) / 2.0).ceil().max(1.0);
        let up = self.subject.point[1];
        let mut column = 0.0;
        while column <= steps {
            let x = left + (right - left) * column / steps;
            let at = [self.plot.view.secs_at(f64::from(x)), if known.key.scheme.axes() > 1 { 0.0 } else { up }];
            for (line, weight) in lines.iter_mut().zip(known.weights(at).0) {
                line.push(pos2(x, screen([0.0, self.plot.view.y(weight)]).y));
            }
            column += 1.0;
        }
        for (index, line) in lines.into_iter().enumerate() {
            let stroke = Stroke::new(1.75, sample_colour(index));
            if dashed {
                painter.extend(Shape::dashed_line(&line, stroke, 4.0, 4.0));
            } else {
                painter.line(line, stroke);
            }
        }
    }

    fn samples(&self, ui: &Ui, painter: &Painter) {
        let space = self.subject.space;
        let places: Vec<Pos2> = space.samples.iter().map(|sample| self.at(sample.at)).collect();
        let mut taken: Vec<Rect> =
            places.iter().map(|at| Rect::from_center_size(*at, Vec2::splat(2.0 * SAMPLE_PT))).collect();
        if space.scheme.axes() == 2 {
            taken.push(Rect::from_center_size(self.at(space.within(self.subject.point)), Vec2::splat(26.0)));
        }
        for (index, (sample, at)) in space.samples.iter().zip(places).enumerate() {
            let chosen = self.ctx.view.blend.sample == Some(index);
            let over = self.under == Some(Under::Sample(index));
            if chosen || over {
                let colour = if chosen { self.colours().accent } else { self.colours().text };
                painter.circle_filled(at, SAMPLE_PT + 4.0, Color32::from_black_alpha(150));
                painter.circle_stroke(at, SAMPLE_PT + 3.5, Stroke::new(2.0, colour));
            }
            badge(painter, at, index);
            let name = self.ctx.document.played_name(sample.plays);
            let font = FontId::proportional(11.0);
            let galley = painter.layout_no_wrap(name.clone(), font, Color32::WHITE);
            let text = label_place(at, galley.size(), &taken, self.plane, space.scheme.axes() == 1);
            taken.push(text);
            painter.rect_filled(text.expand2(Vec2::new(2.0, 0.0)), 2.0, Color32::from_black_alpha(180));
            painter.galley(text.min, galley, Color32::WHITE);
            if !self.other {
                let rect = Rect::from_center_size(at, Vec2::splat(2.0 * SAMPLE_PT));
                let node = ui.interact(rect, ui.scope_id().with(("sample", index)), Sense::hover());
                let name = fill("blend_space.sample_of", &[("name", &name)]);
                node.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, &name));
            }
        }
    }

    /// The point told, and the one that plays where it is on its way there.
    fn point(&self, ui: &Ui, painter: &Painter, trail: &TrailCache) {
        let (point, axes) = (self.subject.point, self.plot.space.scheme.axes());
        let colour =
            if matches!(self.subject.of, PointOf::Layer(..)) { self.colours().accent } else { self.colours().text };
        let strong = self.under == Some(Under::Point);
        let width = if strong { 3.0 } else { 2.0 };
        let played = trail.played_now(self.ctx).filter(|played| *played != point);
        let at = self.at(self.subject.space.within(point));
        let node = if axes == 1 {
            painter.vline(at.x, self.plane.y_range(), Stroke::new(width, colour));
            if let Some(played) = played {
                painter.vline(self.at(played).x, self.plane.y_range(), Stroke::new(1.0, self.colours().text));
            }
            let top = pos2(at.x, self.plane.top() + 8.0);
            painter.circle_filled(top, 6.0, colour);
            top
        } else {
            self.projection(painter, played.unwrap_or(point), 1.0);
            painter.circle_filled(at, 9.0, Color32::from_black_alpha(110));
            painter.circle_stroke(at, 9.0, Stroke::new(width, colour));
            for by in [Vec2::new(13.0, 0.0), Vec2::new(0.0, 13.0)] {
                painter.line_segment([at - by, at - 0.4 * by], Stroke::new(width, colour));
                painter.line_segment([at + 0.4 * by, at + by], Stroke::new(width, colour));
            }
            if let Some(played) = played {
                painter.circle_filled(self.at(played), 4.0, colour);
                painter.line_segment([at, self.at(played)], Stroke::new(1.0, colour));
            }
            at
        };
        if !self.other {
            let rect = Rect::from_center_size(node, Vec2::splat(18.0));
            let node = ui.interact(rect, ui.scope_id().with("blend point"), Sense::hover());
            node.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, t("blend_space.point")));
        }
    }
}

/// Where a sample's name stands: beside it, above or below, where it lies in the plane and over nothing else; beside it where
/// there is no such place. Along one axis below and above only.
fn label_place(at: Pos2, size: Vec2, taken: &[Rect], plane: Rect, along: bool) -> Rect {
    let away = SAMPLE_PT + 4.0;
    let (dx, dy) = (away + 0.5 * size.x, away + 0.5 * size.y);
    let beside = [Vec2::new(dx, 0.0), Vec2::new(-dx, 0.0)];
    let over = [Vec2::new(0.0, dy), Vec2::new(0.0, -dy), Vec2::new(dx, dy), Vec2::new(-dx, dy)];
    let further = [Vec2::new(dx, -dy), Vec2::new(-dx, -dy), Vec2::new(0.0, 2.0 * dy), Vec2::new(0.0, -2.0 * dy)];
    let ways = beside.iter().filter(|_| !along).chain(&over).chain(&further);
    let place = |way: &Vec2| Rect::from_center_size(at + *way, size);
    let free = |rect: &Rect| plane.contains_rect(*rect) && taken.iter().all(|other| !other.intersects(*rect));
    let fallback = if along { over[0] } else { beside[0] };
    ways.map(place).find(free).unwrap_or_else(|| place(&fallback))
}

/// The name of a scheme over its plane.
pub(super) fn title(ui: &Ui, ctx: &PanelContext<'_>, plane: Rect, text: &str) {
    let painter = ui.painter_at(plane);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(11.5), Color32::WHITE);
    let at = pos2(plane.right() - galley.size().x - 6.0, plane.top() + 3.0);
    let rect = Rect::from_min_size(at, galley.size()).expand2(Vec2::new(4.0, 1.0));
    painter.rect_filled(rect, 3.0, Color32::from_black_alpha(150));
    painter.rect_stroke(rect, 3.0, Stroke::new(1.0, ctx.colours.line), StrokeKind::Outside);
    painter.galley(at, galley, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_inside() {
        let plane = Rect::from_min_size(pos2(0.0, 0.0), Vec2::splat(300.0));
        let size = Vec2::new(60.0, 12.0);
        let mut taken: Vec<Rect> = Vec::new();
        for at in [pos2(150.0, 150.0), pos2(160.0, 152.0), pos2(140.0, 149.0), pos2(295.0, 150.0), pos2(4.0, 296.0)] {
            let place = label_place(at, size, &taken, plane, false);
            assert!(plane.contains_rect(place) && taken.iter().all(|other| !other.intersects(place)), "{at:?}");
            taken.push(place);
        }
        let cramped =
            label_place(pos2(5.0, 5.0), size, &[], Rect::from_min_size(pos2(0.0, 0.0), Vec2::splat(9.0)), true);
        assert!(cramped.is_finite());
    }
}

//! A picture of the plane, X to the right and Y up.

use crate::ui::{theme::Colours, widgets::set_name};
use egui::{Align2, Color32, FontId, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, pos2};

/// How far from a handle a press still takes it, points.
const REACH_PT: f32 = 18.0;

/// The picture.
pub(super) struct Plane {
    painter: egui::Painter,
    rect: Rect,
    middle: Pos2,
    /// Points a unit.
    scale: f32,
}

impl Plane {
    /// Takes a square of the width there is; `extent` units are seen to each side.
    pub(super) fn new(ui: &mut Ui, name: &str, extent: f32) -> (Self, Response) {
        let side = ui.available_width().clamp(160.0, 320.0);
        let (response, painter) = ui.allocate_painter(Vec2::splat(side), Sense::click_and_drag());
        set_name(ui, &response, name);
        let rect = response.rect;
        painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
        (
            Self {
                painter: painter.with_clip_rect(rect.intersect(ui.clip_rect())),
                rect,
                middle: rect.center(),
                scale: 0.5 * side / extent,
            },
            response,
        )
    }

    fn pos(&self, [x, y]: [f64; 2]) -> Pos2 {
        pos2(self.middle.x + x as f32 * self.scale, self.middle.y - y as f32 * self.scale)
    }

    /// The place at a point of the window.
    pub(super) fn place(&self, at: Pos2) -> [f64; 2] {
        let from = (at - self.middle) / self.scale;
        [f64::from(from.x), f64::from(-from.y)]
    }

    /// Which of some handles a press takes.
    pub(super) fn nearest(&self, at: Pos2, places: &[[f64; 2]]) -> Option<usize> {
        let far = places.iter().enumerate().map(|(index, place)| (index, self.pos(*place).distance(at)));
        far.filter(|(_, far)| *far <= REACH_PT).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    pub(super) fn axes(&self, colours: &Colours) {
        for (tip, colour, name) in [([1.0, 0.0], colours.axes[0], "X"), ([0.0, 1.0], colours.axes[1], "Y")] {
            self.painter.line_segment([self.middle, self.pos(tip)], Stroke::new(2.0, colour));
            self.painter.text(self.pos(tip), Align2::LEFT_BOTTOM, name, FontId::proportional(11.0), colour);
        }
    }

    pub(super) fn line(&self, places: &[[f64; 2]], colour: Color32, width: f32) {
        let points: Vec<Pos2> = places.iter().map(|place| self.pos(*place)).collect();
        self.painter.line(points, Stroke::new(width, colour));
    }

    /// Dots with their names, none over another or another's dot where there is room beside.
    pub(super) fn dots(&self, dots: &[Dot<'_>]) {
        let seen = self.rect;
        let mut taken: Vec<Rect> =
            dots.iter().map(|dot| Rect::from_center_size(self.pos(dot.place), Vec2::splat(2.0 * dot.radius))).collect();
        for dot in dots {
            let at = self.pos(dot.place);
            self.painter.circle_filled(at, dot.radius, dot.colour);
            let label = self.painter.layout_no_wrap(dot.name.to_owned(), FontId::proportional(12.0), dot.colour);
            let size = label.size();
            let (right, left) = (at.x + dot.radius + 3.0, at.x - dot.radius - 3.0 - size.x);
            let (above, below) = (at.y - dot.radius - size.y, at.y + dot.radius);
            let middle = at.x - 0.5 * size.x;
            // Beside, over and under it; moved in from the picture's edge.
            let most = seen.max - size;
            let places = [
                (right, above),
                (left, above),
                (right, below),
                (left, below),
                (middle, above - 2.0),
                (middle, below + 2.0),
            ]
            .map(|(x, y)| pos2(x.min(most.x).max(seen.left()), y.min(most.y).max(seen.top())));
            let is_free = |place: &&Pos2| {
                let label = Rect::from_min_size(**place, size);
                taken.iter().all(|other| !other.intersects(label))
            };
            let place = places.iter().find(is_free).copied().unwrap_or(places[0]);
            taken.push(Rect::from_min_size(place, size));
            self.painter.galley(place, label, dot.colour);
        }
    }
}

/// A dot with its name.
pub(super) struct Dot<'a> {
    pub(super) place: [f64; 2],
    /// Points.
    pub(super) radius: f32,
    pub(super) colour: Color32,
    pub(super) name: &'a str,
}

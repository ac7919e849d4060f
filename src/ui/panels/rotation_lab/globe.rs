//! A ball seen from outside: lines, dots and arrows on and in it, nearer ones plainer; a drag turns it.

use crate::{
    interact::{camera::OrbitCamera, input::ScreenPos, projection::Projection, projection::View},
    math::Vec3,
    ui::theme::Colours,
};
use egui::{
    Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, pos2,
};
use std::f64::consts::TAU;

/// What lies behind is this much fainter.
const BEHIND: f32 = 0.3;
/// Corners of a circle.
const CIRCLE_STEPS: u32 = 72;

/// Where all balls of the lab are first seen from: the ball of radius 1 fills the square, with a margin.
pub(super) fn camera() -> OrbitCamera {
    OrbitCamera {
        pivot: Vec3::zeros(),
        yaw: 0.6,
        pitch: 0.35,
        distance: 3.75,
        fov_y: 0.65,
        projection: Projection::Orthographic,
    }
}

/// A ball in a square of the window.
pub(super) struct Globe<'a> {
    pub(super) view: View,
    pub(super) rect: Rect,
    pub(super) painter: Painter,
    colours: &'a Colours,
}

impl<'a> Globe<'a> {
    /// Takes a square of the window for a ball, and the presses in it.
    pub(super) fn new(
        ui: &mut Ui,
        name: &str,
        side: f32,
        camera: &OrbitCamera,
        colours: &'a Colours,
    ) -> (Self, Response) {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name));
        let view = camera.view([f64::from(side); 2], 2.0);
        (Self { view, rect, painter: ui.painter_at(rect), colours }, response)
    }

    /// The camera after a drag that began elsewhere than on something to be dragged; a double click looks from the front again.
    pub(super) fn turned(response: &Response, seen: &OrbitCamera) -> Option<OrbitCamera> {
        let response = response.clone().on_hover_cursor(CursorIcon::Grab);
        if response.double_clicked() {
            return Some(camera());
        }
        let by = response.drag_delta();
        let by = [f64::from(by.x), f64::from(by.y)];
        (response.dragged() && by != [0.0; 2]).then(|| seen.orbited(by))
    }

    /// A place of the window in the square's own points.
    pub(super) fn within(&self, pos: Pos2) -> ScreenPos {
        let at = pos - self.rect.min;
        [f64::from(at.x), f64::from(at.y)]
    }

    /// Where a point is seen.
    pub(super) fn at(&self, point: &Vec3) -> Pos2 {
        let [x, y] = self.view.project(point).unwrap_or([0.0; 2]);
        self.rect.min + Vec2::new(x as f32, y as f32)
    }

    fn is_behind(&self, point: &Vec3) -> bool {
        point.dot(&self.view.toward_eye(&Vec3::zeros())) < 0.0
    }

    /// The ball with its three great circles, in faint axis colours.
    pub(super) fn ball(&self) {
        let scale = self.view.points_per_metre(&Vec3::zeros()).unwrap_or(1.0) as f32;
        let middle = self.at(&Vec3::zeros());
        self.painter.circle_filled(middle, scale, self.colours.field);
        self.painter.circle_stroke(middle, scale, Stroke::new(1.0, self.colours.line));
        for axis in 0..3 {
            let faint = self.colours.axes[axis].gamma_multiply(0.4);
            self.line(&circle(&Vec3::ith(axis, 1.0), 1.0), Stroke::new(1.0, faint), false);
        }
    }

    /// The letters of the axes at their ends.
    pub(super) fn letters(&self) {
        for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
            let end = Vec3::ith(axis, 1.1);
            let faint = if self.is_behind(&end) { BEHIND } else { 1.0 };
            let colour = self.colours.axes[axis].gamma_multiply(faint);
            self.painter.text(self.at(&end), Align2::CENTER_CENTER, letter, FontId::proportional(11.0), colour);
        }
    }

    /// A line; what of it lies behind the middle is fainter.
    pub(super) fn line(&self, points: &[Vec3], stroke: Stroke, dashed: bool) {
        let mut start = 0;
        for run in points.chunk_by(|a, b| self.is_behind(a) == self.is_behind(b)) {
            // Up to where the next run begins, so that no gap is left.
            let end = (start + run.len() + 1).min(points.len());
            let seen: Vec<Pos2> = points[start..end].iter().map(|point| self.at(point)).collect();
            start += run.len();
            let faint = run.first().is_some_and(|point| self.is_behind(point));
            let colour = if faint { stroke.color.gamma_multiply(BEHIND) } else { stroke.color };
            let stroke = Stroke::new(stroke.width, colour);
            if dashed {
                self.painter.extend(Shape::dashed_line(&seen, stroke, 5.0, 4.0));
            } else {
                self.painter.line(seen, stroke);
            }
        }
    }

    /// A dot, fainter behind.
    pub(super) fn dot(&self, point: &Vec3, radius: f32, colour: Color32) {
        let colour = if self.is_behind(point) { colour.gamma_multiply(BEHIND + 0.2) } else { colour };
        self.painter.circle_filled(self.at(point), radius, colour);
    }

    /// A letter beside a point, away from the middle.
    pub(super) fn letter(&self, point: &Vec3, text: &str, colour: Color32) {
        let at = self.at(point);
        let out = (at - self.rect.center()).normalized() * 11.0;
        let out = if out.x.is_finite() { out } else { Vec2::new(11.0, 0.0) };
        self.painter.text(at + out, Align2::CENTER_CENTER, text, FontId::proportional(12.0), colour);
    }

    /// A line from the middle with a head.
    pub(super) fn arrow(&self, to: &Vec3, stroke: Stroke) {
        let (from, end) = (self.at(&Vec3::zeros()), self.at(to));
        let colour = if self.is_behind(to) { stroke.color.gamma_multiply(BEHIND + 0.2) } else { stroke.color };
        self.painter.line_segment([from, end], Stroke::new(stroke.width, colour));
        let along = (end - from).normalized();
        if along.length() > 0.5 && (end - from).length() > 10.0 {
            let side = Vec2::new(-along.y, along.x);
            let head = vec![end, end - along * 8.0 + side * 3.5, end - along * 8.0 - side * 3.5];
            self.painter.add(Shape::convex_polygon(head, colour, Stroke::NONE));
        }
    }

    /// A short line of text along the square's lower edge.
    pub(super) fn caption(&self, text: &str, colour: Color32) {
        let at = pos2(self.rect.center().x, self.rect.bottom() - 1.0);
        self.painter.text(at, Align2::CENTER_BOTTOM, text, FontId::proportional(11.0), colour);
    }
}

/// A circle about an axis through the middle.
pub(super) fn circle(axis: &Vec3, radius: f64) -> Vec<Vec3> {
    let u = crate::math::rotation::perpendicular(axis);
    let v = axis.cross(&u);
    let corner = |step: u32| {
        let (sin, cos) = (TAU * f64::from(step) / f64::from(CIRCLE_STEPS)).sin_cos();
        (u * cos + v * sin) * radius
    };
    (0..=CIRCLE_STEPS).map(corner).collect()
}

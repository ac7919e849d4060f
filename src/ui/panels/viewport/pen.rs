//! What is drawn over the view with, in places of the world.

use super::marks::single;
use crate::{
    interact::{input::ScreenPos, projection::View},
    math::Vec3,
    ui::theme::Colours,
};
use egui::{Painter, Pos2, Rect, Shape, Stroke, pos2};

/// A painter that knows the camera.
pub(super) struct Pen<'a> {
    pub(super) painter: &'a Painter,
    pub(super) panel: Rect,
    pub(super) view: View,
    pub(super) colours: &'a Colours,
}

impl Pen<'_> {
    fn within(&self, [x, y]: ScreenPos) -> Pos2 {
        pos2(self.panel.left() + single(x), self.panel.top() + single(y))
    }

    pub(super) fn at(&self, point: &Vec3) -> Option<Pos2> {
        self.view.project(point).map(|at| self.within(at))
    }

    pub(super) fn dashed(&self, a: &Vec3, b: &Vec3, stroke: Stroke) {
        if let Some([a, b]) = self.view.project_segment(a, b) {
            let ends = [self.within(a), self.within(b)];
            self.painter.extend(Shape::dashed_line(&ends, stroke, 5.0, 4.0));
        }
    }

    pub(super) fn line(&self, a: &Vec3, b: &Vec3, stroke: Stroke) {
        if let Some([a, b]) = self.view.project_segment(a, b) {
            self.painter.line_segment([self.within(a), self.within(b)], stroke);
        }
    }
}

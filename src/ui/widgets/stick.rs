//! A figure of sticks: a line from each joint to its parent, for labs in which several are compared. Turned by dragging.

use crate::{
    eval::fk,
    math::{Affine, Transform, Vec3},
    model::Skeleton,
};
use egui::{Color32, Painter, Pos2, Rect, Response, Stroke, pos2};

/// Radians of turn for a point of drag.
const TURN: f64 = 0.01;

/// Where the joints of a skeleton are in its space, for a pose of local transforms.
#[must_use]
pub fn places(skeleton: &Skeleton, pose: &[Transform]) -> Vec<Vec3> {
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.tree(), pose, &Affine::IDENTITY, &mut model);
    model.into_iter().map(|joint| joint.translation).collect()
}

/// From where figures of sticks are seen, and what fills the picture.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Radians to the side and above.
    pub seen: [f64; 2],
    /// What is in the middle, metres.
    pub centre: Vec3,
    /// What is seen from bottom to top, metres, above 0.
    pub height: f64,
}

impl Eye {
    /// Turned by a drag on the picture.
    pub fn turn(seen: &mut [f64; 2], response: &Response) {
        let moved = response.drag_delta();
        seen[0] += f64::from(moved.x) * TURN;
        seen[1] = (seen[1] + f64::from(moved.y) * TURN).clamp(-1.5, 1.5);
    }

    /// Where a place is in the picture.
    #[must_use]
    pub fn at(&self, rect: Rect, place: &Vec3) -> Pos2 {
        let ((ys, yc), (ps, pc)) = (self.seen[0].sin_cos(), self.seen[1].sin_cos());
        let from = place - self.centre;
        let (x, z) = (from.x * yc + from.z * ys, from.z * yc - from.x * ys);
        let scale = f64::from(rect.height()) / self.height.max(1e-6);
        #[expect(clippy::cast_possible_truncation, reason = "places on a screen")]
        let on = |along: f64| (along * scale) as f32;
        pos2(rect.center().x + on(x), rect.center().y - on(from.y * pc - z * ps))
    }
}

/// Draws a figure whose joints are at `places`.
pub fn figure(painter: &Painter, rect: Rect, eye: &Eye, skeleton: &Skeleton, places: &[Vec3], colour: Color32) {
    let stroke = Stroke::new(2.5, colour);
    for (joint, parent) in skeleton.parents().iter().enumerate() {
        let (Some(parent), Some(end)) = (*parent, places.get(joint)) else { continue };
        let Some(start) = places.get(parent) else { continue };
        painter.line_segment([eye.at(rect, start), eye.at(rect, end)], stroke);
        painter.circle_filled(eye.at(rect, start), 2.0, colour);
    }
}

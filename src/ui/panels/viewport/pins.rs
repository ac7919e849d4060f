//! The marks of pinned joints over the view: a drawing pin on each, a line to its place where the joint falls short of it.

use super::marks::single;
use crate::{
    interact::{input::ScreenPos, viewport_desk::Shown},
    ui::{icons::Icon, theme::Colours},
};
use egui::{Painter, Pos2, Rect, Stroke, Vec2, pos2};

/// Size of the drawing pin, points.
const SIZE_PT: f32 = 18.0;
/// A gap on the screen below this is none, points.
const NO_GAP_PT: f32 = 2.0;

pub(super) fn paint(painter: &Painter, panel: Rect, shown: &Shown<'_>, colours: &Colours) {
    let view = shown.camera();
    let within = |[x, y]: ScreenPos| pos2(panel.left() + single(x), panel.top() + single(y));
    for report in shown.frame.pins.iter().filter(|report| shown.is_shown(report.object)) {
        let joint = shown.frame.joint_world(report.object, report.joint);
        let Some(at) = joint.and_then(|joint| view.project(&joint.translation)).map(within) else { continue };
        // The more it acts, the plainer; one that can do nothing is shown as a warning.
        let colour = if report.waits_for_itself { colours.warn } else { colours.accent };
        let colour = colour.gamma_multiply(0.4 + 0.6 * single(report.weight));
        if let Some(place) = view.project(&report.place).map(within)
            && place.distance(at) > NO_GAP_PT
        {
            painter.line_segment([at, place], Stroke::new(1.5, colours.warn));
            cross(painter, place, Stroke::new(1.5, colours.warn));
        }
        // Its point stands on the joint.
        let place = Rect::from_center_size(at - Vec2::new(0.0, SIZE_PT * 0.4), Vec2::splat(SIZE_PT));
        for (offset, colour) in [(1.0, colours.panel), (0.0, colour)] {
            Icon::Pin.paint(painter, place.translate(Vec2::splat(offset)), SIZE_PT, colour);
        }
    }
}

fn cross(painter: &Painter, at: Pos2, stroke: Stroke) {
    for arm in [Vec2::new(4.0, 4.0), Vec2::new(4.0, -4.0)] {
        painter.line_segment([at - arm, at + arm], stroke);
    }
}

//! IK chains over the view: what reaches for what, as handles that can be dragged.

use super::pen::Pen;
use crate::{
    eval::constraint::ChainReport,
    interact::viewport_desk::Shown,
    math::Vec3,
    model::{ChainPath, Target},
    ui::theme::Colours,
};
use egui::{Color32, Painter, Rect, Shape, Stroke, Vec2};

/// From the middle of a handle to its rim, points.
const HANDLE_PT: f32 = 7.0;

pub(super) fn paint(painter: &Painter, panel: Rect, shown: &Shown<'_>, hovered: Option<Target>, colours: &Colours) {
    let pen = Pen { painter, panel, view: shown.camera(), colours };
    for report in shown.frame.chains.iter().filter(|report| shown.is_shown(report.object)) {
        chain(&pen, shown, report, hovered);
    }
}

fn chain(pen: &Pen<'_>, shown: &Shown<'_>, report: &ChainReport, hovered: Option<Target>) {
    let (target, pole) =
        (Target::Constraint(report.object, report.constraint), Target::Pole(report.object, report.constraint));
    let chosen = [target, pole].iter().any(|of| shown.selection.contains(*of));
    let points = points(shown, report);
    let line = if chosen { pen.colours.accent } else { pen.colours.weak };
    if chosen {
        for pair in points.windows(2) {
            pen.line(&pair[0], &pair[1], Stroke::new(2.5, line.gamma_multiply(0.8)));
        }
    }
    if let Some(end) = points.last() {
        let missing = report.weight > 0.0 && report.gap > 1e-4;
        let stroke = Stroke::new(1.5, if missing { pen.colours.warn } else { line });
        pen.dashed(end, &report.target, stroke);
    }
    if let Some((_, place)) = &report.pole {
        let middle = points.get(points.len() / 2).copied().unwrap_or(report.target);
        pen.dashed(&middle, place, Stroke::new(1.0, line));
        if let Some(at) = pen.at(place) {
            let (fill, rim) = inks(pen, shown, pole, hovered);
            pen.painter.circle(at, HANDLE_PT - 2.0, fill, Stroke::new(1.5, rim));
        }
    }
    if let Some(at) = pen.at(&report.target) {
        let (fill, rim) = inks(pen, shown, target, hovered);
        let corner = |x: f32, y: f32| at + Vec2::new(x, y) * HANDLE_PT;
        let corners = vec![corner(0.0, -1.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(-1.0, 0.0)];
        pen.painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.5, rim)));
    }
}

/// The inside and the rim of a handle.
fn inks(pen: &Pen<'_>, shown: &Shown<'_>, target: Target, hovered: Option<Target>) -> (Color32, Color32) {
    let fill = if shown.selection.contains(target) { pen.colours.accent } else { pen.colours.panel };
    let rim = if hovered == Some(target) { pen.colours.accent_text } else { pen.colours.text };
    (fill, rim)
}

/// Where the joints of a chain are, base first.
fn points(shown: &Shown<'_>, report: &ChainReport) -> Vec<Vec3> {
    let rig = shown.document.object(report.object).and_then(|object| object.as_rig());
    let joints = rig.map(|rig| rig.skeleton.joints()).unwrap_or_default();
    let path = rig
        .zip(joints.get(report.base).zip(joints.get(report.end)))
        .and_then(|(rig, (base, end))| ChainPath::new(&rig.skeleton, base.id, end.id));
    let at = |joint: &usize| Some(shown.frame.joint_world(report.object, *joint)?.translation);
    path.map(|path| path.points.iter().filter_map(at).collect()).unwrap_or_default()
}

//! Paths, cameras, lights and empties over the view: lines in the world, points of one size on the screen.

use super::pen::Pen;
use crate::{
    eval::follow::PathFrame,
    interact::{pick_scene::handles_of, picking::SpotPart, viewport_desk::Shown},
    math::{Affine, Vec3},
    model::{Object, ObjectId, ObjectKind, Target},
    text::fill,
    ui::theme::Colours,
};
use egui::{Color32, Painter, Rect, Shape, Stroke, StrokeKind, Vec2};

/// Half the side of a point, points.
const POINT_PT: f32 = 4.0;
/// Pieces a segment is drawn in.
const PIECES: u32 = 24;
/// Half the size of an empty's cross, points.
const EMPTY_PT: f64 = 12.0;
/// How deep a camera's pyramid is on the screen, points.
const CAMERA_PT: f64 = 46.0;
/// How many dots at equal distances are drawn on a path at most.
const DOTS_MOST: u32 = 400;

/// Dots on a path that the lab shows: at equal parameters and at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dots {
    pub(super) path: ObjectId,
    pub(super) count: u32,
}

pub(super) fn paint(
    painter: &Painter,
    panel: Rect,
    shown: &Shown<'_>,
    hovered: Option<Target>,
    (colours, dots): (&Colours, Option<Dots>),
    taken: &mut Vec<Rect>,
) {
    let pen = Pen { painter, panel, view: shown.camera(), colours };
    for (id, object) in shown.document.objects.iter().filter(|(id, _)| shown.is_shown(**id)) {
        let Some(placed) = shown.frame.objects.get(id) else { continue };
        let target = Target::Object(*id);
        let chosen = shown.selection.contains(target);
        let ink = if chosen {
            colours.accent
        } else if hovered == Some(target) {
            colours.accent_text
        } else {
            colours.text.gamma_multiply(0.75)
        };
        match &object.kind {
            ObjectKind::Path(_) => {
                if let Some(path) = &placed.path {
                    path_of((&pen, taken), shown, (*id, object), (&placed.world, path), hovered);
                    if let Some(dots) = dots.filter(|dots| dots.path == *id) {
                        paint_dots(&pen, path, dots.count);
                    }
                }
            }
            ObjectKind::Camera(_) if shown.view.through != Some(*id) => {
                camera(&pen, &placed.world, shown.fov_of(*id), ink);
            }
            ObjectKind::Light(light) => super::lights::light(&pen, &placed.world, light.shape, ink),
            ObjectKind::Empty => empty(&pen, &placed.world, ink),
            _ => {}
        }
    }
    for report in shown.frame.follows.iter().filter(|report| shown.is_shown(report.object)) {
        if let Some(at) = pen.at(&report.at) {
            painter.circle(at, 5.0, colours.panel, Stroke::new(2.0, colours.accent));
        }
    }
}

fn path_of(
    (pen, taken): (&Pen<'_>, &mut Vec<Rect>),
    shown: &Shown<'_>,
    (id, object): (ObjectId, &Object),
    (world, path): (&Affine, &PathFrame),
    hovered: Option<Target>,
) {
    let Some(model) = object.as_path() else { return };
    let colours = pen.colours;
    let whole = shown.selection.contains(Target::Object(id));
    let touched = whole || shown.selection.targets.iter().any(|target| target.object() == id);
    let line = if touched { colours.accent } else { colours.weak };
    let stroke = Stroke::new(if touched { 2.0 } else { 1.5 }, line);
    for segment in path.curve.segments() {
        let mut before = segment.point(0.0);
        for piece in 1..=PIECES {
            let next = segment.point(f64::from(piece) / f64::from(PIECES));
            pen.line(&before, &next, stroke);
            before = next;
        }
    }
    if touched {
        way_mark(pen, path, line);
    }
    for (index, (point, place)) in model.points.iter().zip(&path.places).enumerate() {
        let at_world = world.point(place);
        let target = Target::Point(id, point.id);
        let selected = shown.selection.contains(target);
        if selected && model.scheme.heeds_handles(index, model.points.len(), model.closed) {
            handles(pen, path, index, &at_world);
        }
        let Some(at) = pen.at(&at_world) else { continue };
        let side = Rect::from_center_size(at, Vec2::splat(2.0 * POINT_PT));
        let fill = if selected { colours.accent } else { colours.panel };
        let rim = if hovered == Some(target) { colours.accent_text } else { colours.text };
        pen.painter.rect(side, 1.0, fill, Stroke::new(1.5, rim), StrokeKind::Middle);
        if touched && shown.view.viewport.names {
            let font = egui::FontId::proportional(11.0);
            let place = at + Vec2::new(7.0, -7.0);
            pen.painter.text(place, egui::Align2::LEFT_BOTTOM, index + 1, font, colours.weak);
        }
    }
    if touched
        && let Some(at) = model.points.last().and(path.places.last()).and_then(|place| pen.at(&world.point(place)))
    {
        let length = format!("{:.3}", path.curve.length() / shown.document.settings.length_unit.metres());
        let unit = shown.document.settings.length_unit.symbol();
        let text = fill("path.length_mark", &[("length", &length), ("unit", &unit)]);
        super::marks::label(pen.painter, pen.panel, at + Vec2::new(14.0, -28.0), &text, colours, taken);
    }
}

/// An arrow head in the middle: which way the path goes.
fn way_mark(pen: &Pen<'_>, path: &PathFrame, colour: Color32) {
    let middle = path.curve.parameter_at(path.curve.length() / 2.0);
    let Some((at, along)) = middle.and_then(|parameter| path.curve.way(parameter)) else { return };
    let Some(scale) = pen.view.points_per_metre(&at) else { return };
    let (Some(tip), Some(tail)) = (pen.at(&(at + along * (5.0 / scale))), pen.at(&(at - along * (5.0 / scale)))) else {
        return;
    };
    let way = (tip - tail).normalized();
    let side = way.rot90() * 4.5;
    if tip.distance(tail) > 2.0 {
        let tail = tip - way * 9.0;
        pen.painter.add(Shape::convex_polygon(vec![tip, tail + side, tail - side], colour, Stroke::NONE));
    }
}

fn handles(pen: &Pen<'_>, path: &PathFrame, index: usize, at: &Vec3) {
    let (before, after) = handles_of(path, index);
    for (_, handle) in [(SpotPart::HandleIn, before), (SpotPart::HandleOut, after)] {
        let Some(handle) = handle else { continue };
        pen.line(at, &handle, Stroke::new(1.0, pen.colours.accent_text));
        if let Some(place) = pen.at(&handle) {
            pen.painter.circle(place, 4.0, pen.colours.panel, Stroke::new(1.5, pen.colours.accent_text));
        }
    }
}

/// Rings at equal parameters, filled dots at equal distances.
fn paint_dots(pen: &Pen<'_>, path: &PathFrame, count: u32) {
    let count = count.clamp(1, DOTS_MOST);
    let (segments, length) = (path.curve.segments().len() as f64, path.curve.length());
    for i in 0..=count {
        let part = f64::from(i) / f64::from(count);
        if let Some(at) = path.curve.point(segments * part).and_then(|at| pen.at(&at)) {
            pen.painter.circle_stroke(at, 5.0, Stroke::new(1.5, pen.colours.warn));
        }
        let equal = path.curve.parameter_at(length * part).and_then(|parameter| path.curve.point(parameter));
        if let Some(at) = equal.and_then(|at| pen.at(&at)) {
            pen.painter.circle_filled(at, 3.0, pen.colours.accent_text);
        }
    }
}

fn empty(pen: &Pen<'_>, world: &Affine, colour: Color32) {
    let Some(scale) = pen.view.points_per_metre(&world.translation) else { return };
    for axis in 0..3 {
        let Some(way) = Vec3::from(world.linear.column(axis)).try_normalize(0.0) else { continue };
        let arm = way * (EMPTY_PT / scale);
        pen.line(&(world.translation - arm), &(world.translation + arm), Stroke::new(1.5, colour));
    }
}

/// A pyramid towards what it sees, with a mark at its top.
fn camera(pen: &Pen<'_>, world: &Affine, fov_y: f64, colour: Color32) {
    let eye = world.translation;
    let Some(scale) = pen.view.points_per_metre(&eye) else { return };
    let depth = CAMERA_PT / scale;
    let half = depth * (fov_y / 2.0).tan().min(1.5);
    let turned = world.rotation();
    let corner = |x: f64, y: f64| eye + turned * Vec3::new(x * half * 1.5, y * half, -depth);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let stroke = Stroke::new(1.5, colour);
    for i in 0..4 {
        pen.line(&eye, &corners[i], stroke);
        pen.line(&corners[i], &corners[(i + 1) % 4], stroke);
    }
    let tip = corner(0.0, 1.45);
    pen.line(&corner(-0.4, 1.08), &tip, stroke);
    pen.line(&corner(0.4, 1.08), &tip, stroke);
    if let Some(at) = pen.at(&eye) {
        pen.painter.circle_filled(at, 3.0, colour);
    }
}

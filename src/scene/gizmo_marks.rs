//! Handles that move and turn, drawn on top of everything.

use super::skeleton_marks::single;
use crate::interact::gizmo::{Gizmo, Handle};
use crate::interact::projection::View;
use crate::math::Vec3;
use crate::render::{Face, Layer, Stroke};
use crate::style::{self, Palette, Rgba};

/// Length and width of an arrow's head, points.
const HEAD_PT: [f64; 2] = [14.0, 11.0];

/// Adds the handles that can be dragged as they are seen now; `active` is under the pointer or being dragged.
pub(super) fn draw(gizmo: &Gizmo, active: Option<Handle>, view: &View, palette: &Palette, layer: &mut Layer) {
    for &handle in Handle::all(gizmo.kind) {
        if !gizmo.is_shown(handle, view) {
            continue;
        }
        let own =
            handle.axis().map_or(palette.bone, |axis| [palette.axis_x, palette.axis_y, palette.axis_z][axis.min(2)]);
        let color = if active == Some(handle) { palette.selected } else { own };
        let outline = gizmo.outline(handle, view);
        match handle {
            Handle::Arrow(_) => arrow(&outline, gizmo, view, color, layer),
            Handle::Plane(_) | Handle::Centre => {
                fill(&outline, color.faded(if active == Some(handle) { 0.45 } else { 0.22 }), layer);
                line(&outline, 1.5, color, layer);
            }
            Handle::Ring(_) => line(&outline, style::GIZMO_WIDTH_PT, color, layer),
            Handle::ViewRing => line(&outline, 1.5, color.faded(0.8), layer),
        }
    }
}

fn line(points: &[Vec3], width_pt: f64, color: Rgba, layer: &mut Layer) {
    let pairs = points.windows(2);
    layer.strokes.extend(pairs.map(|pair| Stroke::plain(pair[0], pair[1], single(width_pt), color)));
}

/// A convex outline, as a fan.
fn fill(points: &[Vec3], color: Rgba, layer: &mut Layer) {
    if let Some(first) = points.first() {
        let fan = points.windows(2).skip(1);
        layer.faces.extend(fan.map(|pair| Face { corners: [*first, pair[0], pair[1]], color }));
    }
}

fn arrow(points: &[Vec3], gizmo: &Gizmo, view: &View, color: Rgba, layer: &mut Layer) {
    let (Some(from), Some(to), Some(scale)) = (points.first(), points.last(), view.points_per_metre(&gizmo.origin))
    else {
        return;
    };
    let along = to - from;
    let length_pt = along.norm() * scale;
    let neck = to - along * (HEAD_PT[0] / length_pt.max(HEAD_PT[0]));
    line(&[*from, neck], style::GIZMO_WIDTH_PT, color, layer);
    // A cone is a stroke that narrows to nothing.
    layer.strokes.push(Stroke {
        width_from_pt: single(HEAD_PT[1]),
        width_to_pt: 0.5,
        ..Stroke::plain(neck, *to, 0.0, color)
    });
}

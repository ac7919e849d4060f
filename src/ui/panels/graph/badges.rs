//! Badges on keys: how smoothly the curve passes them. On the active curve and on those with selected keys.

use super::paint::{Scene, to_pos};
use crate::{
    eval::polyline::derivative::smoothness,
    interact::tools::graph_curve::{GraphCurve, Points},
    ui::{continuity::short, panel::PanelContext},
};
use egui::{Align2, FontId, Painter, Pos2, Rect, Stroke, Vec2, vec2};

/// More keys than this in view bear no badges: they would be a thicket.
const MOST: usize = 80;
/// Badges nearer to each other than this are not drawn both, points.
const APART_PT: f32 = 16.0;
/// How far a badge stands above its key, points.
const ABOVE_PT: f32 = 15.0;

/// Whether a curve's keys bear badges.
fn wears(scene: &Scene<'_>, curve: &GraphCurve) -> bool {
    let alone = scene.curves.len() == 1;
    curve.lane == 0 && (alone || Some(curve.path) == scene.active || !curve.selected.is_empty())
}

/// Paints the badges.
pub(super) fn badges(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>) {
    let secs = scene.view.range.secs;
    let worn: Vec<&GraphCurve> = scene.curves.iter().filter(|curve| wears(scene, curve)).collect();
    let in_view = |curve: &GraphCurve| curve.points.between(secs.low(), secs.high());
    if worn.iter().map(|curve| in_view(curve).len()).sum::<usize>() > MOST {
        return;
    }
    let mut taken: Vec<Pos2> = Vec::new();
    for curve in worn {
        let Points::Keyed(keyed) = &curve.points else { continue };
        for key in in_view(curve) {
            let (Some(how), Some(place)) = (smoothness(keyed, key), curve.place(&scene.view, key)) else { continue };
            let at = to_pos(place);
            if !scene.canvas.plot.contains(at) {
                continue;
            }
            // Below a key at the top of the plot.
            let above = if at.y - scene.canvas.plot.top() < 2.0 * ABOVE_PT { ABOVE_PT } else { -ABOVE_PT };
            let at = at + vec2(0.0, above);
            if taken.iter().any(|other| (*other - at).abs().x < APART_PT && (*other - at).abs().y < 12.0) {
                continue;
            }
            taken.push(at);
            let rough = how.order() < 1;
            let colour = if rough { ctx.colours.warn } else { ctx.colours.weak };
            let rect = Rect::from_center_size(at, Vec2::new(18.0, 12.0));
            painter.rect_filled(rect, 3.0, ctx.colours.field.gamma_multiply(0.85));
            painter.rect_stroke(rect, 3.0, Stroke::new(1.0, colour.gamma_multiply(0.7)), egui::StrokeKind::Inside);
            painter.text(at, Align2::CENTER_CENTER, short(how), FontId::proportional(9.5), colour);
        }
    }
}

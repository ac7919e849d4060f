//! Badges on keys: how smoothly the curve passes them, and on a click how it could. On the active curve and on those with
//! selected keys.

use super::{
    channels::full_name,
    paint::{Scene, to_pos},
};
use crate::{
    edit::{CurveRef, KeySelection},
    eval::polyline::derivative::{Smoothness, smoothness},
    interact::tools::graph_curve::{GraphCurve, Points},
    model::ClipId,
    text::fill,
    ui::{
        continuity::{orders, short, words},
        panel::PanelContext,
    },
};
use egui::{Align2, CursorIcon, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};

/// More keys than this in view bear no badges: they would be a thicket.
const MOST: usize = 80;
/// How far about a handle clicks are its own, points.
const HANDLE_PT: f32 = 5.0;
/// How far about a key no badge lies: the key is what is pressed there, points.
const KEY_PT: f32 = 4.0;
/// More keys than this in view are not all kept clear.
const MOST_KEYS: usize = 2_000;
/// Badges nearer to each other than this are not drawn both, points.
const APART_PT: f32 = 16.0;
/// Width and height of a badge, points.
const SIZE_PT: Vec2 = Vec2::new(18.0, 12.0);
/// How far a badge stands above its key, points.
const ABOVE_PT: f32 = 15.0;

/// Whether a curve's keys bear badges.
fn wears(scene: &Scene<'_>, curve: &GraphCurve) -> bool {
    let alone = scene.curves.len() == 1;
    curve.lane == 0 && (alone || Some(curve.path) == scene.active || !curve.selected.is_empty())
}

/// A badge: of which key of which curve, and where.
struct Badge {
    curve: usize,
    key: usize,
    rect: Rect,
    how: Smoothness,
}

/// The badges that are seen.
fn worn(scene: &Scene<'_>) -> Vec<Badge> {
    let secs = scene.view.range.secs;
    let wearing: Vec<usize> = (0..scene.curves.len()).filter(|index| wears(scene, &scene.curves[*index])).collect();
    let in_view = |curve: &GraphCurve| curve.points.between(secs.low(), secs.high());
    let mut found: Vec<Badge> = Vec::new();
    if wearing.iter().map(|index| in_view(&scene.curves[*index]).len()).sum::<usize>() > MOST {
        return found;
    }
    let shown = scene.curves.iter().filter(|curve| curve.lane == 0);
    let keys = shown.flat_map(|curve| in_view(curve).filter_map(|key| curve.place(&scene.view, key)));
    let keys: Vec<Pos2> = keys.take(MOST_KEYS).map(to_pos).collect();
    for index in wearing {
        let curve = &scene.curves[index];
        let Points::Keyed(keyed) = &curve.points else { continue };
        for key in in_view(curve) {
            let (Some(how), Some(place)) = (smoothness(keyed, key), curve.place(&scene.view, key)) else { continue };
            let at = to_pos(place);
            if !scene.canvas.plot.contains(at) {
                continue;
            }
            // Below a key at the top of the plot, or where another key lies above.
            let top = at.y - scene.canvas.plot.top() < 2.0 * ABOVE_PT;
            let sides = if top { [ABOVE_PT, -ABOVE_PT] } else { [-ABOVE_PT, ABOVE_PT] };
            let free = |rect: &Rect| {
                let near = |other: &Badge| {
                    let off = (other.rect.center() - rect.center()).abs();
                    off.x < APART_PT && off.y < SIZE_PT.y
                };
                !found.iter().any(near) && !keys.iter().any(|key| rect.expand(KEY_PT).contains(*key))
            };
            let places = sides.map(|side| Rect::from_center_size(at + vec2(0.0, side), SIZE_PT));
            if let Some(rect) = places.into_iter().find(free) {
                found.push(Badge { curve: index, key, rect, how });
            }
        }
    }
    found
}

/// Paints the badges.
pub(super) fn badges(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>) {
    for Badge { rect, how, .. } in worn(scene) {
        let colour = if how.order() < 1 { ctx.colours.warn } else { ctx.colours.weak };
        painter.rect_filled(rect, 3.0, ctx.colours.field.gamma_multiply(0.85));
        painter.rect_stroke(rect, 3.0, Stroke::new(1.0, colour.gamma_multiply(0.7)), egui::StrokeKind::Inside);
        painter.text(rect.center(), Align2::CENTER_CENTER, short(how), FontId::proportional(9.5), colour);
    }
}

/// Lets badges be clicked: each offers to make its curve pass its key more smoothly. Says where they are.
pub(super) fn buttons(ui: &Ui, ctx: &PanelContext<'_>, scene: &Scene<'_>, clip: ClipId, parent: egui::Id) -> Vec<Rect> {
    let mut places = Vec::new();
    // Handles come first: one that lies under a badge could not be taken.
    let handles: Vec<Pos2> = (scene.curves.iter())
        .flat_map(|curve| curve.handles.iter().filter_map(|handle| curve.handle_place(&scene.view, handle)))
        .map(to_pos)
        .filter(|at| scene.canvas.plot.contains(*at))
        .collect();
    for Badge { curve, key, rect, how } in worn(scene) {
        if handles.iter().any(|handle| rect.expand(HANDLE_PT).contains(*handle)) {
            continue;
        }
        let curve = &scene.curves[curve];
        let Some([time, _]) = curve.points.get(key).filter(|_| curve.editable && curve.has_values) else { continue };
        places.push(rect);
        let id = parent.with(("badge", curve.path, time.to_bits()));
        let badge = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::PointingHand);
        let name = fill("continuity.badge", &[("channel", &full_name(ctx.document, curve.path)), ("how", &short(how))]);
        badge.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        egui::Popup::menu(&badge).show(|ui| {
            ui.weak(words(ctx, curve.path, how));
            let at = CurveRef { clip, path: curve.path };
            orders(ui, ctx, &KeySelection::of(at, &[time]));
        });
    }
    places
}

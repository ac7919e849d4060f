//! A picture of an ease: its curve in a box, and a dot that runs along it while the pointer or the focus is there.

use crate::{model::EasePreset, ui::theme::Colours};
use egui::{Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// The size of a picture, points.
const SIZE_PT: Vec2 = Vec2::new(36.0, 30.0);
/// How many straight pieces a curve is drawn of.
const PIECES: u32 = 40;
/// How long the dot runs, and how long it rests then, seconds.
const RUN_SECS: f64 = 1.0;
const REST_SECS: f64 = 0.4;

/// Shows a picture that can be clicked.
pub(super) fn show(ui: &mut Ui, colours: &Colours, preset: &EasePreset, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(SIZE_PT, Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    if ui.is_rect_visible(rect) {
        let near = response.hovered() || response.has_focus();
        paint(ui, colours, rect, preset, near);
    }
    response.on_hover_text(name)
}

fn paint(ui: &Ui, colours: &Colours, rect: Rect, preset: &EasePreset, near: bool) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 3.0, if near { colours.hovered } else { colours.field });
    let (inner, spare) = (rect.shrink2(Vec2::new(4.0, 8.0)), 5.0_f32);
    let values: Vec<f64> = (0..=PIECES).map(|piece| preset.value(f64::from(piece) / f64::from(PIECES))).collect();
    // There is room above and below for those that overshoot; those that need more are drawn smaller.
    let low = values.iter().copied().fold(0.0, f64::min) as f32;
    let high = values.iter().copied().fold(1.0, f64::max) as f32;
    let fits = inner.height() * (1.0 + (high - 1.0).max(-low) * 2.0) <= inner.height() + 2.0 * spare;
    let (level, unit) = if fits {
        (inner.bottom(), inner.height())
    } else {
        let unit = (inner.height() + 2.0 * spare) / (high - low);
        (inner.bottom() + spare + low * unit, unit)
    };
    let at = |u: f64| pos2(inner.left() + inner.width() * u as f32, level - unit * preset.value(u) as f32);
    let thin = Stroke::new(1.0, colours.line);
    painter.hline(inner.x_range(), level, thin);
    painter.hline(inner.x_range(), level - unit, thin);
    let line: Vec<Pos2> = (0..=PIECES).map(|piece| at(f64::from(piece) / f64::from(PIECES))).collect();
    painter.add(Shape::line(line, Stroke::new(1.5, if near { colours.text } else { colours.weak })));
    if near {
        // On the curve it shows time and value, at the right edge the value alone: how it moves.
        let phase = ui.input(|input| input.time) % (RUN_SECS + REST_SECS);
        let on = at((phase / RUN_SECS).min(1.0));
        painter.circle_filled(on, 2.5, colours.accent);
        painter.circle_filled(pos2(rect.right() - 2.5, on.y), 2.5, colours.accent);
        painter.rect_stroke(rect, 3.0, Stroke::new(1.0, colours.accent), egui::StrokeKind::Inside);
        ui.ctx().request_repaint();
    }
}

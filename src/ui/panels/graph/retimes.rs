//! The retimes that the curves shown are read through, as bands along the foot of the plot: ticks stand where the frames of
//! the curves' own time are shown, wide apart where the motion is slow, close where it is fast.

use super::paint::Scene;
use crate::{model::Retime, text::fill, ui::panel::PanelContext};
use egui::{Align2, FontId, Painter, Rect, pos2};
use std::sync::Arc;

/// Height of a band, points.
const BAND_PT: f32 = 14.0;
/// Ticks no nearer than this on average, points.
const TICK_PT: f64 = 4.0;
/// A band narrower than this has no name, points.
const NAMED_PT: f32 = 90.0;
/// More retimes than this are not drawn.
const MOST: usize = 4;

/// Paints the bands.
pub(super) fn paint(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>, font: &FontId) {
    let mut acting: Vec<&Arc<Retime>> = Vec::new();
    for retime in scene.curves.iter().flat_map(|curve| curve.clock.retimes()) {
        if acting.len() < MOST && !acting.iter().any(|known| Arc::ptr_eq(known, retime)) {
            acting.push(retime);
        }
    }
    let plot = scene.canvas.plot;
    for (row, retime) in acting.iter().enumerate() {
        let bottom = plot.bottom() - 1.0 - row as f32 * (BAND_PT + 1.0);
        band(painter, ctx, scene, retime, bottom, font);
    }
}

fn band(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>, retime: &Retime, bottom: f32, font: &FontId) {
    let x = |secs: f64| scene.view.x(secs).clamp(-1e5, 1e5) as f32;
    let (start, end) = retime.phi.range();
    let rect = Rect::from_min_max(pos2(x(start), bottom - BAND_PT), pos2(x(end), bottom));
    let seen = rect.intersect(scene.canvas.plot);
    if !seen.is_positive() {
        return;
    }
    let colours = ctx.colours;
    painter.rect_filled(rect, 2.0, colours.accent.gamma_multiply(0.14));
    for edge in [rect.left(), rect.right()] {
        painter.vline(edge, scene.canvas.plot.y_range(), (1.0, colours.accent.gamma_multiply(0.35)));
    }
    let rate = ctx.document.settings.rate;
    let frame_pt = rate.frame_secs() / scene.view.secs_per_point();
    let every = [1, 2, 5, 10, 25, 50, 100, 250].into_iter().find(|n| *n as f64 * frame_pt >= TICK_PT);
    let range = scene.view.range.secs;
    let (first, last) = (start.max(retime.phi.value(range.low())), end.min(retime.phi.value(range.high())));
    if let Some(every) = every {
        let frames = rate.frame_f64(first).ceil() as i64..=rate.frame_f64(last).floor() as i64;
        for frame in frames.filter(|frame| frame % every == 0) {
            let at = x(retime.phi.inverse(rate.secs(frame)));
            let height = if frame % (5 * every) == 0 { BAND_PT - 3.0 } else { BAND_PT * 0.45 };
            painter.vline(at, bottom - height..=bottom, (1.0, colours.accent));
        }
    }
    if seen.width() >= NAMED_PT {
        let name = fill("graph.retimed", &[("name", &retime.name)]);
        let galley = painter.layout_no_wrap(name, font.clone(), colours.text);
        let place = Align2::LEFT_CENTER.anchor_size(seen.left_center() + egui::vec2(4.0, 0.0), galley.size());
        let place = place.intersect(seen.shrink(1.0));
        painter.rect_filled(place.expand2(egui::vec2(3.0, 0.0)), 2.0, colours.field.gamma_multiply(0.9));
        painter.with_clip_rect(painter.clip_rect().intersect(seen)).galley(place.min, galley, colours.text);
    }
}

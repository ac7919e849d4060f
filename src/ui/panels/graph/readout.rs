//! What the graph says of what the pointer is over: names, numbers, how smoothly a curve passes a key.

use super::{
    channels::{full_name, unit_map, unit_name, with_unit},
    paint::Scene,
};
use crate::{
    eval::polyline::derivative::smoothness,
    interact::tools::{
        graph_curve::{GraphCurve, Points},
        graph_hit::GraphHit,
    },
    text::fill,
    ui::{continuity::words, panel::PanelContext, widgets::drag_field::number_text},
};
use egui::{Painter, Rect, Stroke, Ui, pos2, vec2};

/// The name and the numbers of what the pointer is over, beside it.
pub(super) fn readout(painter: &Painter, ui: &Ui, ctx: &PanelContext<'_>, scene: &Scene<'_>) {
    let Some(text) = readout_text(ctx, scene) else { return };
    let font = egui::TextStyle::Body.resolve(ui.style());
    let galley = painter.layout_no_wrap(text, font, ctx.colours.text);
    let pointer = scene.canvas.rect.min + vec2(scene.pointer[0] as f32, scene.pointer[1] as f32);
    let size = galley.size() + vec2(12.0, 6.0);
    let plot = scene.canvas.plot;
    let left = if pointer.x + 14.0 + size.x > plot.right() { pointer.x - 14.0 - size.x } else { pointer.x + 14.0 };
    let top = if pointer.y - 10.0 - size.y < plot.top() { pointer.y + 14.0 } else { pointer.y - 10.0 - size.y };
    let rect = Rect::from_min_size(pos2(left, top), size);
    painter.rect_filled(rect, 4.0, ctx.colours.panel.gamma_multiply(0.94));
    painter.rect_stroke(rect, 4.0, Stroke::new(1.0, ctx.colours.line), egui::StrokeKind::Inside);
    painter.galley(rect.min + vec2(6.0, 3.0), galley, ctx.colours.text);
}

fn readout_text(ctx: &PanelContext<'_>, scene: &Scene<'_>) -> Option<String> {
    if let Some((_, shift, _)) = scene.moving {
        let frames = ctx.document.settings.rate.frame_f64(shift[0]);
        let signed = |value: f64, decimals: usize| {
            let text = number_text(value, decimals);
            if value > 0.0 { format!("+{text}") } else { text }
        };
        // Drawn at one height, curves move by as many units as theirs make of it; told is the first that moves.
        let moving = scene.curves.iter().find(|curve| !curve.selected.is_empty());
        let rise = moving.map_or(shift[1], |curve| shift[1] / curve.map.scale * curve.unit.scale);
        // Over what drives it is that which the curve goes along by.
        if let Some(along) = moving.and_then(|curve| driving_unit(ctx, curve)) {
            let along = with_unit(&signed(frames, 2), along);
            return Some(fill(
                "graph.shift_over",
                &[("along", &along), ("value", &with_unit(&signed(rise, 3), scene.unit))],
            ));
        }
        return Some(fill(
            "graph.shift",
            &[("frames", &signed(frames, 2)), ("value", &signed(rise, 3)), ("unit", &scene.unit)],
        ));
    }
    let curve = scene.curves.get(scene.hover.curve()?)?;
    let name = full_name(ctx.document, curve.path);
    let GraphHit::Key { key, .. } = scene.hover else { return Some(name) };
    let mut text = format!("{name}   {}", point_text(ctx, curve, key)?);
    if let Points::Keyed(keyed) = &curve.points
        && let Some(how) = smoothness(keyed, key)
    {
        text.push('\n');
        text.push_str(&words(ctx, curve.path, how));
    }
    Some(text)
}

/// The unit of what drives a curve where the graph shows drivers; none where it shows curves over time.
fn driving_unit(ctx: &PanelContext<'_>, curve: &GraphCurve) -> Option<&'static str> {
    let driver = ctx.view.drive.graph.then(|| ctx.document.driver_of(curve.path)).flatten()?;
    Some(unit_name(driver.source, ctx.document.settings.length_unit))
}

/// A point's frame, or where it stands over what drives it, and its value in words.
pub(super) fn point_text(ctx: &PanelContext<'_>, curve: &GraphCurve, key: usize) -> Option<String> {
    let [secs, own] = curve.at(key)?;
    let settings = &ctx.document.settings;
    let unit = unit_name(curve.path, settings.length_unit);
    let map = unit_map(curve.path, settings.length_unit);
    let frame = number_text(settings.rate.frame_f64(secs), 3);
    let value = number_text(map.shown(own), 3);
    if let Some(along) = driving_unit(ctx, curve) {
        let numbers: [(&str, &dyn std::fmt::Display); 2] =
            [("at", &with_unit(&frame, along)), ("value", &with_unit(&value, unit))];
        return Some(fill("graph.point_over", &numbers));
    }
    Some(fill("graph.point", &[("frame", &frame), ("value", &with_unit(&value, unit))]))
}

//! What tools draw over the view, in egui's shapes.

use crate::{
    interact::{
        input::ScreenPos,
        overlay::{Ink, Mark, Overlay},
    },
    text::t,
    ui::theme::Colours,
};
use egui::{Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2};

/// Paints an overlay of a panel.
pub(super) fn paint(painter: &Painter, panel: Rect, overlay: &Overlay, colours: &Colours) {
    for mark in &overlay.marks {
        match mark {
            Mark::Polyline { points, ink, width, dashed } => {
                let points: Vec<Pos2> = points.iter().map(|at| within(panel, *at)).collect();
                let stroke = Stroke::new(single(*width), colour(*ink, colours));
                if *dashed {
                    painter.extend(Shape::dashed_line(&points, stroke, 5.0, 4.0));
                } else {
                    painter.line(points, stroke);
                }
            }
            Mark::Dot { at, radius, ink } => {
                painter.circle_filled(within(panel, *at), single(*radius), colour(*ink, colours));
            }
            Mark::Circle { at, radius, ink } => {
                let stroke = Stroke::new(1.0, colour(*ink, colours));
                painter.circle_stroke(within(panel, *at), single(radius.min(1e5)), stroke);
            }
            Mark::Marquee { from, to } => {
                let rect = Rect::from_two_pos(within(panel, *from), within(panel, *to));
                painter.rect_filled(rect, 0.0, colours.accent.gamma_multiply(0.12));
                painter.rect_stroke(rect, 0.0, Stroke::new(1.0, colours.accent), StrokeKind::Inside);
            }
            Mark::Text { at, text, key } => {
                let words = key.map(t).unwrap_or_default();
                let gap = if words.is_empty() { "" } else { "  " };
                label(painter, panel, within(panel, *at), &format!("{text}{gap}{words}"), colours);
            }
        }
    }
}

/// A short text on its own ground, kept inside the panel.
pub(super) fn label(painter: &Painter, panel: Rect, at: Pos2, text: &str, colours: &Colours) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), colours.text);
    let size = galley.size() + Vec2::new(12.0, 6.0);
    let limit = (panel.max - size).max(panel.min);
    let rect = Rect::from_min_size(at.clamp(panel.min, limit), size);
    painter.rect_filled(rect, CornerRadius::same(4), colours.panel.gamma_multiply(0.88));
    painter.galley(Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min, galley, colours.text);
}

fn colour(ink: Ink, colours: &Colours) -> Color32 {
    match ink {
        Ink::Guide => colours.weak.gamma_multiply(0.7),
        Ink::Hovered => colours.accent_text,
        Ink::Selected => colours.accent,
        Ink::AxisX => colours.axes[0],
        Ink::AxisY => colours.axes[1],
        Ink::AxisZ => colours.axes[2],
        Ink::Warning => colours.warn,
    }
}

fn within(panel: Rect, [x, y]: ScreenPos) -> Pos2 {
    pos2(panel.left() + single(x), panel.top() + single(y))
}

/// Single precision, for places on the screen.
#[expect(clippy::cast_possible_truncation, reason = "places on a screen")]
pub(super) fn single(x: f64) -> f32 {
    x as f32
}

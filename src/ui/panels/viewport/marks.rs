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

/// Paints an overlay of a panel; its texts stand clear of what is `taken`, and what they take is added to that.
pub(super) fn paint(painter: &Painter, panel: Rect, overlay: &Overlay, colours: &Colours, taken: &mut Vec<Rect>) {
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
                label(painter, panel, within(panel, *at), &format!("{text}{gap}{words}"), colours, taken);
            }
        }
    }
}

/// A short text on its own ground, kept inside the panel and clear of what is `taken`; its place is taken then too.
pub(super) fn label(painter: &Painter, panel: Rect, at: Pos2, text: &str, colours: &Colours, taken: &mut Vec<Rect>) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), colours.text);
    let rect = clear(panel, at, galley.size() + Vec2::new(12.0, 6.0), taken);
    ground(painter, rect, colours);
    painter.galley(Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min, galley, colours.text);
    taken.push(rect);
}

/// The ground of a label.
pub(super) fn ground(painter: &Painter, rect: Rect, colours: &Colours) {
    painter.rect_filled(rect, CornerRadius::same(4), colours.panel.gamma_multiply(0.88));
}

/// Least distance of two labels, points.
const APART: f32 = 2.0;

/// The place of a label of a size, as near below or above the wanted one as lies within the panel and on nothing taken; the
/// wanted one where there is none.
pub(super) fn clear(panel: Rect, at: Pos2, size: Vec2, taken: &[Rect]) -> Rect {
    let limit = (panel.max - size).max(panel.min);
    let wanted = Rect::from_min_size(at.clamp(panel.min, limit), size);
    let in_the_way = |rect: Rect| taken.iter().find(|other| other.shrink(0.5).intersects(rect));
    let slid = |down: bool| {
        let mut rect = wanted;
        // Each step passes one of those that are in the way.
        for _ in 0..=taken.len() {
            let Some(other) = in_the_way(rect) else { return panel.contains_rect(rect).then_some(rect) };
            let top = if down { other.bottom() + APART } else { other.top() - APART - size.y };
            rect = Rect::from_min_size(pos2(rect.left(), top), size);
        }
        None
    };
    let moved = |rect: &Rect| (rect.top() - wanted.top()).abs();
    let places = [slid(true), slid(false)].into_iter().flatten();
    places.min_by(|a, b| moved(a).total_cmp(&moved(b))).unwrap_or(wanted)
}

fn colour(ink: Ink, colours: &Colours) -> Color32 {
    match ink {
        Ink::Guide => colours.weak.gamma_multiply(0.7),
        Ink::Mark => colours.text,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_clear_of_each_other_and_of_the_bar() {
        let panel = Rect::from_min_size(pos2(40.0, 28.0), Vec2::new(900.0, 400.0));
        let bar = Rect::from_min_size(pos2(48.0, 36.0), Vec2::new(500.0, 28.0));
        let size = Vec2::new(120.0, 20.0);
        let mut taken = vec![bar];
        for at in [pos2(100.0, 30.0), pos2(110.0, 60.0), pos2(100.0, 70.0), pos2(900.0, 420.0), pos2(905.0, 421.0)] {
            let rect = clear(panel, at, size, &taken);
            assert!(panel.contains_rect(rect), "{rect:?}");
            assert!(taken.iter().all(|other| !other.intersects(rect)), "{rect:?} {taken:?}");
            taken.push(rect);
        }
        // What is free stays.
        assert_eq!(clear(panel, pos2(600.0, 200.0), size, &taken).min, pos2(600.0, 200.0));
        // Where all is taken it stands where it was wanted.
        assert_eq!(clear(panel, pos2(600.0, 200.0), size, &[panel]).min, pos2(600.0, 200.0));
    }
}

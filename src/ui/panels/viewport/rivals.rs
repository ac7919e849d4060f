//! The numbers of ghosts that are other versions of the present pose, beside the joint in question.

use super::marks::{clear, ground, single};
use crate::{
    interact::{input::ScreenPos, viewport_desk::Shown},
    math::Vec3,
    text::fill,
    ui::{panels::race::badge, theme::Colours},
};
use egui::{FontId, Painter, Rect, Vec2, pos2};

/// How far from the joint a number stands, points.
const BESIDE: Vec2 = Vec2::new(12.0, 0.0);
/// The room a number takes, points.
const BADGE: Vec2 = Vec2::splat(15.0);

/// Paints the numbers, clear of each other and of what is `taken`.
pub(super) fn paint(
    painter: &Painter,
    panel: Rect,
    shown: &Shown<'_>,
    places: &[(usize, Vec3)],
    taken: &mut Vec<Rect>,
) {
    let view = shown.camera();
    let within = |[x, y]: ScreenPos| pos2(panel.left() + single(x), panel.top() + single(y));
    for (index, place) in places {
        let Some(at) = view.project(place).map(within) else { continue };
        let rect = clear(panel, at + BESIDE - BADGE / 2.0, BADGE, taken);
        taken.push(rect);
        badge(painter, rect.center(), *index);
    }
}

/// Paints the lengths of an action above the figures that play it, each behind its number.
pub(super) fn lengths(
    painter: &Painter,
    panel: Rect,
    shown: &Shown<'_>,
    places: &[(usize, u32, Vec3)],
    colours: &Colours,
    taken: &mut Vec<Rect>,
) {
    let view = shown.camera();
    for (index, frames, place) in places {
        let Some([x, y]) = view.project(place) else { continue };
        let at = pos2(panel.left() + single(x), panel.top() + single(y));
        if !panel.contains(at) {
            continue;
        }
        let text = fill("timing.frames", &[("frames", frames)]);
        let galley = painter.layout_no_wrap(text, FontId::proportional(12.0), colours.text);
        let size = Vec2::new(galley.size().x + BADGE.x + 12.0, galley.size().y.max(BADGE.y) + 4.0);
        let rect = clear(panel, at - size / 2.0, size, taken);
        taken.push(rect);
        ground(painter, rect, colours);
        badge(painter, rect.left_center() + Vec2::new(2.0 + BADGE.x / 2.0, 0.0), *index);
        let left = rect.left() + BADGE.x + 6.0;
        painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, colours.text);
    }
}

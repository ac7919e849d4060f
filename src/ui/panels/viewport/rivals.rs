//! The numbers of ghosts that are other versions of the present pose, beside the joint in question.

use super::marks::single;
use crate::{
    interact::{input::ScreenPos, viewport_desk::Shown},
    math::Vec3,
    text::fill,
    ui::{panels::race::badge, theme::Colours},
};
use egui::{Painter, Rect, Vec2, pos2};

/// How far from the joint a number stands, points.
const BESIDE: Vec2 = Vec2::new(12.0, 0.0);

/// Paints the numbers; those that would cover each other stand below each other.
pub(super) fn paint(painter: &Painter, panel: Rect, shown: &Shown<'_>, places: &[(usize, Vec3)]) {
    let view = shown.camera();
    let within = |[x, y]: ScreenPos| pos2(panel.left() + single(x), panel.top() + single(y));
    let mut taken = Vec::new();
    for (index, place) in places {
        let Some(at) = view.project(place).map(within) else { continue };
        let mut at = at + BESIDE;
        while taken.iter().any(|other: &egui::Pos2| (*other - at).length() < 14.0) {
            at.y += 15.0;
        }
        taken.push(at);
        badge(painter, at, *index);
    }
}

/// Paints the lengths of an action above the figures that play it.
pub(super) fn lengths(
    painter: &Painter,
    panel: Rect,
    shown: &Shown<'_>,
    places: &[(usize, u32, Vec3)],
    colours: &Colours,
) {
    let view = shown.camera();
    let mut taken = Vec::new();
    for (index, frames, place) in places {
        let Some([x, y]) = view.project(place) else { continue };
        let at = pos2(panel.left() + single(x), panel.top() + single(y));
        if !panel.contains(at) {
            continue;
        }
        badge(painter, at, *index);
        let text = fill("timing.frames", &[("frames", frames)]);
        super::marks::label(painter, panel, at + Vec2::new(10.0, -9.0), &text, colours, &mut taken);
    }
}

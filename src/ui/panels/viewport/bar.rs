//! A bar over the view: rows of controls on a translucent ground, one below another.

use crate::ui::panel::PanelContext;
use egui::{Align, Frame, Layout, Margin, Pos2, Rect, Stroke, Ui, UiBuilder, Vec2};

/// Shows a bar with its corner at a place, in more rows where one is too long, and gives its place. One with a colour is
/// outlined in it.
pub(super) fn show(
    ui: &mut Ui,
    (panel, corner): (Rect, Pos2),
    ctx: &PanelContext<'_>,
    outline: Option<egui::Color32>,
    contents: impl FnOnce(&mut Ui),
) -> Rect {
    let room = Rect::from_min_max(corner, (panel.max - Vec2::splat(8.0)).max(corner));
    let mut bar = ui.new_child(UiBuilder::new().max_rect(room).layout(Layout::left_to_right(Align::Min)));
    bar.set_clip_rect(panel.intersect(ui.clip_rect()));
    let frame = Frame::new()
        .fill(ctx.colours.panel.gamma_multiply(0.85))
        .stroke(outline.map_or(Stroke::NONE, |colour| Stroke::new(1.0, colour)))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(if outline.is_some() { 6 } else { 4 }, 2));
    frame.show(&mut bar, |ui| ui.horizontal_wrapped(contents)).response.rect
}

/// The corner of the bar below another one.
pub(super) fn below(above: Rect) -> Pos2 {
    above.left_bottom() + Vec2::new(0.0, 4.0)
}

//! Notices that show for a few seconds, then stay in the log: in a corner of the 3D view, where they cover no field that is
//! being read or typed into.

use super::{IconButton, colours};
use crate::{
    notice::{Level, Notice},
    ui::{icons::Icon, theme::ICON_PT},
};
use egui::{Align2, Area, Context, Id, Order, Rect, Sense, Vec2};

/// The icon of a level.
#[must_use]
pub const fn level_icon(level: Level) -> Icon {
    match level {
        Level::Info => Icon::Info,
        Level::Warn => Icon::Warn,
        Level::Error => Icon::Error,
    }
}

/// How wide a notice is at most, points.
const WIDTH: f32 = 420.0;
/// What lies between notices and the edges of the view, points.
const EDGE: f32 = 12.0;

/// Shows notices at the lower left of a place, the newest at the bottom; the index of one that was closed.
pub fn show(ctx: &Context, notices: &[(usize, &Notice)], place: Rect) -> Option<usize> {
    if notices.is_empty() {
        return None;
    }
    let mut closed = None;
    let corner = place.left_bottom() + Vec2::new(EDGE, -EDGE);
    let width = WIDTH.min(place.width() - 2.0 * EDGE);
    let area = Area::new(Id::unique("toasts")).order(Order::Foreground).pivot(Align2::LEFT_BOTTOM).fixed_pos(corner);
    area.show(ctx, |ui| {
        for (index, notice) in notices {
            egui::Frame::popup(ui.style()).inner_margin(8).show(ui, |ui| {
                ui.set_max_width(width);
                ui.horizontal(|ui| {
                    let colours = colours(ui);
                    let colour = match notice.level {
                        Level::Info => colours.weak,
                        Level::Warn => colours.warn,
                        Level::Error => colours.error,
                    };
                    let (rect, _) = ui.allocate_exact_size(Vec2::splat(ICON_PT), Sense::hover());
                    level_icon(notice.level).paint(ui.painter(), rect, ICON_PT, colour);
                    ui.scope(|ui| {
                        ui.set_max_width(width - 70.0);
                        ui.add(egui::Label::new(&notice.text).wrap());
                    });
                    let name = crate::text::t("widget.close_notice");
                    if IconButton::new(Icon::Close, &name).side(20.0).show(ui).clicked() {
                        closed = Some(*index);
                    }
                });
            });
        }
    });
    closed
}

//! Notices that show for a few seconds at the bottom of the window, then stay in the log.

use super::{IconButton, colours};
use crate::{
    notice::{Level, Notice},
    ui::{icons::Icon, theme::ICON_PT},
};
use egui::{Align2, Area, Context, Id, Order, Sense, Vec2};

/// The icon of a level.
#[must_use]
pub const fn level_icon(level: Level) -> Icon {
    match level {
        Level::Info => Icon::Info,
        Level::Warn => Icon::Warn,
        Level::Error => Icon::Error,
    }
}

/// Shows notices, the newest at the bottom; the index of one that was closed.
pub fn show(ctx: &Context, notices: &[(usize, &Notice)], bottom: f32) -> Option<usize> {
    if notices.is_empty() {
        return None;
    }
    let mut closed = None;
    let area =
        Area::new(Id::unique("toasts")).order(Order::Foreground).anchor(Align2::RIGHT_BOTTOM, [-12.0, -bottom - 12.0]);
    area.show(ctx, |ui| {
        for (index, notice) in notices {
            egui::Frame::popup(ui.style()).inner_margin(8).show(ui, |ui| {
                ui.set_max_width(420.0);
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
                        ui.set_max_width(350.0);
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

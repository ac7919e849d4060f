//! The log: everything that was reported, with details and a way to copy them.

use crate::{
    notice::Level,
    text::{fill, t},
    ui::{
        icons::Icon,
        notices::Entry,
        panel::{Panel, PanelContext},
        theme::ICON_PT,
        widgets::{toast::level_icon, tree::Row},
    },
};
use egui::{Sense, Ui, Vec2};

/// The log.
#[derive(Debug, Default)]
pub struct LogPanel {
    /// The entry whose details show.
    open: Option<usize>,
}

impl Panel for LogPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let entries = ctx.notices.entries();
        if entries.is_empty() {
            ui.weak(t("log.empty").into_owned());
            return;
        }
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]).stick_to_bottom(true);
        scroll.show(ui, |ui| {
            for (index, entry) in entries.iter().enumerate() {
                ui.push_id(index, |ui| self.entry(ui, ctx, index, entry));
            }
        });
    }
}

impl LogPanel {
    fn entry(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, index: usize, entry: &Entry) {
        let notice = &entry.notice;
        let colour = match notice.level {
            Level::Info => ctx.colours.weak,
            Level::Warn => ctx.colours.warn,
            Level::Error => ctx.colours.error,
        };
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(ICON_PT), Sense::hover());
            level_icon(notice.level).paint(ui.painter(), rect, ICON_PT - 2.0, colour);
            let text = match entry.count {
                1 => notice.text.clone(),
                count => fill("log.repeated", &[("text", &notice.text), ("count", &count)]),
            };
            ui.add(egui::Label::new(text).wrap());
        });
        if notice.details.is_empty() {
            return;
        }
        let open = self.open == Some(index);
        let name = t("log.details");
        let row = Row {
            name: &name,
            icon: Icon::Log,
            depth: 1,
            open: Some(open),
            selected: false,
            weak: true,
            right: 0.0,
            ..Row::default()
        };
        let response = row.show(ui);
        if response.toggled || response.row.clicked() {
            self.open = (!open).then_some(index);
        }
        if open {
            ui.indent("details", |ui| {
                ui.add(egui::Label::new(egui::RichText::new(&notice.details).monospace()).wrap().selectable(true));
                if ui.small_button(t("log.copy").into_owned()).clicked() {
                    ui.ctx().copy_text(format!("{notice}\n{}", notice.details));
                }
            });
        }
    }
}

//! The history: every step by name, the present one marked; a click goes there.

use crate::{
    command::Command,
    text::t,
    ui::{
        icons::Icon,
        panel::{Panel, PanelContext},
        widgets::tree::Row,
    },
};
use egui::Ui;

/// The history.
#[derive(Debug, Default)]
pub struct HistoryPanel {
    /// The state that was present when the panel last showed: scrolled to when it changes.
    shown: usize,
}

impl Panel for HistoryPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let history = ctx.session.history();
        let present = history.index();
        let moved = std::mem::replace(&mut self.shown, present) != present;
        let labels: Vec<&str> = history.labels().collect();
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]);
        ui.spacing_mut().item_spacing.y = 0.0;
        scroll.show(ui, |ui| {
            for (index, label) in labels.iter().enumerate() {
                let name = t(label);
                let icon = if index == present { Icon::KeySet } else { Icon::Key };
                let selected = index == present;
                let row = Row {
                    name: &name,
                    icon,
                    depth: 0,
                    open: None,
                    selected,
                    weak: index > present,
                    right: 0.0,
                    ..Row::default()
                };
                let response = ui.push_id(index, |ui| row.show(ui)).inner.row;
                if response.clicked() && !selected {
                    ctx.commands.send(Command::Jump(index));
                }
                if selected && moved {
                    response.scroll_to_me(None);
                }
            }
        });
    }
}

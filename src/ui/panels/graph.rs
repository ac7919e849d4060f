//! The graph editor.

use crate::ui::panel::{Panel, PanelContext};
use egui::Ui;

/// The graph editor.
#[derive(Debug, Default)]
pub struct GraphPanel;

impl Panel for GraphPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        ui.painter().rect_filled(ui.max_rect(), 0.0, ctx.colours.field);
    }
}

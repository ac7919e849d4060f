//! The 3D view.

use crate::ui::panel::{Panel, PanelContext};
use egui::Ui;

/// The 3D view.
#[derive(Debug, Default)]
pub struct ViewportPanel;

impl Panel for ViewportPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        ui.painter().rect_filled(ui.max_rect(), 0.0, ctx.colours.field);
    }
}

//! The inspector.

use crate::ui::panel::{Panel, PanelContext};
use egui::Ui;

/// The inspector.
#[derive(Debug, Default)]
pub struct InspectorPanel;

impl Panel for InspectorPanel {
    fn ui(&mut self, _ui: &mut Ui, _ctx: &mut PanelContext<'_>) {}
}

//! The solver lab: one start pose and one target through all solvers side by side, step by step, with their numbers; for two
//! bones the error over both angles and the two circles; the Jacobian beside differences; common wrong forms, really run.

mod angles;
mod cards;
mod head;
mod jacobian;
mod numbers;
mod picture;
mod state;

use crate::ui::{
    panel::{Panel, PanelContext},
    widgets::lab_section,
};
use egui::Ui;
use state::State;

/// From this width on numbers and pictures of numbers stand in two columns, points.
const TWO_COLUMNS_PT: f32 = 760.0;

/// The lab.
#[derive(Debug, Default)]
pub struct SolverLabPanel {
    state: State,
    contours: angles::Contours,
}

impl Panel for SolverLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let shown = self.state.shown(ctx);
        let height = ui.available_height();
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let step = head::show(ui, ctx, &mut self.state, &shown);
            let room = height - ui.min_rect().height() - ui.spacing().item_spacing.y;
            cards::show(ui, ctx, &mut self.state, &shown, (step, room));
            if ui.available_width() < TWO_COLUMNS_PT {
                self.numbers(ui, ctx, &shown, step);
                self.planes(ui, ctx, &shown, step);
                return;
            }
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    self.numbers(left, ctx, &shown, step);
                    self.planes(right, ctx, &shown, step);
                }
            });
        });
    }
}

impl SolverLabPanel {
    fn numbers(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, shown: &state::Shown, step: usize) {
        lab_section(ui, "solver_lab.table", |ui| numbers::table(ui, ctx, &mut self.state, shown));
        lab_section(ui, "solver_lab.convergence", |ui| numbers::convergence(ui, ctx, shown, step));
    }

    fn planes(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, shown: &state::Shown, step: usize) {
        lab_section(ui, "solver_lab.contours", |ui| self.contours.show(ui, ctx, shown, step));
        lab_section(ui, "solver_lab.jacobian", |ui| jacobian::show(ui, ctx, &mut self.state, shown));
    }
}

//! The help: cards of samples, the tour, what panels are, the sheet of shortcuts.

use crate::{
    app::window::{App, context},
    command::HelpWish,
    ui::{
        about,
        tour::{Tour, steps::STEPS},
    },
};

impl App {
    /// Shows more or less of the help.
    pub(in crate::app) fn help(&mut self, wish: HelpWish) {
        match wish {
            HelpWish::Start(shown) => self.state.start = shown,
            HelpWish::AtStart(shown) => self.state.settings.start_hidden = !shown,
            HelpWish::Tour(step) if step >= STEPS.len() && self.state.tour.is_none() => self.go_to_step(0),
            HelpWish::Tour(step) => self.go_to_step(step),
            HelpWish::LeaveTour => self.state.tour = None,
            HelpWish::Panel(panel) => self.state.about = Some(panel),
        }
        self.state.save_settings();
    }

    fn go_to_step(&mut self, step: usize) {
        self.state.tour.get_or_insert_with(Tour::default).go(step);
        self.begin_step();
    }

    /// Shows what the step speaks of, and keeps where one is.
    fn begin_step(&mut self) {
        let Some(tour) = &self.state.tour else { return };
        self.state.settings.tour_step = tour.step();
        if let Some(step) = tour.spec() {
            self.dock.reveal(self.state.settings.workspace, step.panel);
        }
    }

    /// Shows what of the help is open.
    pub(in crate::app) fn help_windows(&mut self, egui_ctx: &egui::Context) {
        let (standing, frame) = (self.state.standing(), self.state.frame());
        if let Some(mut tour) = self.state.tour.take() {
            let written = self.state.written;
            let ctx = context(&self.state, (&standing, &frame), &mut *self.painter);
            let began = tour.look(&ctx, written);
            let panel = tour.spec().and_then(|step| self.dock.place(step.panel));
            tour.show(egui_ctx, &ctx, self.dock.view, panel);
            self.state.tour = Some(tour);
            if began {
                self.begin_step();
                self.state.save_settings();
                egui_ctx.request_repaint();
            }
        }
        if let Some(mut sheet) = self.state.sheet.take() {
            let ctx = context(&self.state, (&standing, &frame), &mut *self.painter);
            let open = sheet.show(egui_ctx, &ctx);
            self.state.sheet = open.then_some(sheet);
        }
        if let Some(panel) = self.state.about {
            let ctx = context(&self.state, (&standing, &frame), &mut *self.painter);
            if !about::window(egui_ctx, &ctx, panel) {
                self.state.about = None;
            }
        }
    }
}

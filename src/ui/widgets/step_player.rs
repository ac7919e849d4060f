//! A player of steps: to the first, one back, play, one on.

use super::IconButton;
use crate::{text::t, ui::icons::Icon};
use egui::Ui;
use std::ops::RangeInclusive;

/// Seconds a step is shown for while it plays.
const STEP_SECS: f64 = 0.8;

/// Which step is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepPlayer {
    shown: usize,
    /// When the step that is shown began to be, while it plays.
    since: Option<f64>,
}

impl StepPlayer {
    /// Shows a step, and stands.
    pub const fn go(&mut self, step: usize) {
        *self = Self { shown: step, since: None };
    }

    /// The step shown, of those there are.
    #[must_use]
    pub fn step(&self, steps: &RangeInclusive<usize>) -> usize {
        self.shown.clamp(*steps.start(), (*steps.end()).max(*steps.start()))
    }

    /// The buttons; the step shown, of those there are.
    pub fn show(&mut self, ui: &mut Ui, steps: RangeInclusive<usize>) -> usize {
        let (first, last) = (*steps.start(), (*steps.end()).max(*steps.start()));
        self.shown = self.step(&steps);
        if IconButton::new(Icon::First, &t("steps.first")).show(ui).clicked() {
            self.go(first);
        }
        if IconButton::new(Icon::StepBack, &t("steps.back")).show(ui).clicked() {
            self.go(self.shown.saturating_sub(1).max(first));
        }
        let now = ui.input(|input| input.time);
        let (icon, key) =
            if self.since.is_some() { (Icon::Pause, "steps.pause") } else { (Icon::Play, "steps.play") };
        if IconButton::new(icon, &t(key)).show(ui).clicked() {
            self.since = if self.since.is_some() { None } else { Some(now) };
            if self.since.is_some() && self.shown >= last {
                self.shown = first;
            }
        }
        if IconButton::new(Icon::StepForward, &t("steps.forward")).show(ui).clicked() {
            self.go((self.shown + 1).min(last));
        }
        if IconButton::new(Icon::Last, &t("steps.last")).show(ui).clicked() {
            self.go(last);
        }
        if let Some(since) = self.since {
            if now - since >= STEP_SECS {
                self.shown = (self.shown + 1).min(last);
                self.since = (self.shown < last).then_some(now);
            }
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(100));
        }
        self.shown
    }
}

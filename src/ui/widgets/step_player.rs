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
    /// None shows the last, however many there are.
    shown: Option<usize>,
    /// When the step that is shown began to be, while it plays.
    since: Option<f64>,
}

impl StepPlayer {
    /// Shows a step, and stands.
    pub const fn go(&mut self, step: usize) {
        *self = Self { shown: Some(step), since: None };
    }

    /// Shows the last step, and stands.
    pub const fn go_to_last(&mut self) {
        *self = Self { shown: None, since: None };
    }

    /// The step shown, of those there are.
    #[must_use]
    pub fn step(&self, steps: &RangeInclusive<usize>) -> usize {
        let last = (*steps.end()).max(*steps.start());
        self.shown.map_or(last, |shown| shown.clamp(*steps.start(), last))
    }

    /// The buttons; the step shown, of those there are.
    pub fn show(&mut self, ui: &mut Ui, steps: &RangeInclusive<usize>) -> usize {
        let (first, last) = (*steps.start(), (*steps.end()).max(*steps.start()));
        if IconButton::new(Icon::First, &t("steps.first")).show(ui).clicked() {
            self.go(first);
        }
        if IconButton::new(Icon::StepBack, &t("steps.back")).show(ui).clicked() {
            self.go(self.step(steps).saturating_sub(1).max(first));
        }
        self.play_button(ui, steps);
        if IconButton::new(Icon::StepForward, &t("steps.forward")).show(ui).clicked() {
            self.go((self.step(steps) + 1).min(last));
        }
        if IconButton::new(Icon::Last, &t("steps.last")).show(ui).clicked() {
            self.go_to_last();
        }
        self.step(steps)
    }

    fn play_button(&mut self, ui: &mut Ui, steps: &RangeInclusive<usize>) {
        let now = ui.input(|input| input.time);
        let (icon, key) = if self.since.is_some() { (Icon::Pause, "steps.pause") } else { (Icon::Play, "steps.play") };
        let at = self.step(steps);
        if IconButton::new(icon, &t(key)).show(ui).clicked() {
            let from = if at >= *steps.end() { *steps.start() } else { at };
            *self = match self.since {
                Some(_) => Self { shown: Some(at), since: None },
                None => Self { shown: Some(from), since: Some(now) },
            };
        }
        let Some(since) = self.since else { return };
        if now - since >= STEP_SECS {
            let next = at + 1;
            *self = Self { shown: Some(next), since: (next < *steps.end()).then_some(now) };
        }
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(100));
    }
}

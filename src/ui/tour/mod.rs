//! The guided tour: a small card in a corner of the view. Everything can be used while it stands; a step is done by doing it.

pub mod steps;

use super::{icons::Icon, panel::PanelContext, theme::BODY_PT, widgets::IconButton};
use crate::{
    command::{Command, HelpWish},
    text::{fill, t},
};
use egui::{Align, Align2, Area, Context, Id, Layout, Order, Rect, RichText, Stroke, StrokeKind, Ui, vec2};
use steps::{Moment, STEPS, Step, orbit_key};

/// The tour while it runs.
#[derive(Clone, Debug, Default)]
pub struct Tour {
    /// The step, by its place from 0; that after the last is the end.
    step: usize,
    /// The moment the step began.
    begun: Option<Moment>,
    /// The step that was just done.
    done: Option<usize>,
}

/// Width of the card, points.
const WIDTH_PT: f32 = 300.0;
/// The card is not narrower than this, points.
const LEAST_PT: f32 = 180.0;
/// Between the card and the edges of the view, points.
const EDGE_PT: f32 = 12.0;

impl Tour {
    /// The tour from a step on; from the first where that is none.
    #[must_use]
    pub const fn at(step: usize) -> Self {
        Self { step: if step < STEPS.len() { step } else { 0 }, begun: None, done: None }
    }

    /// The step, by its place from 0; the number of steps at the end.
    #[must_use]
    pub const fn step(&self) -> usize {
        self.step
    }

    /// What the step speaks of.
    #[must_use]
    pub fn spec(&self) -> Option<&'static Step> {
        STEPS.get(self.step)
    }

    /// Goes to a step.
    pub fn go(&mut self, step: usize) {
        *self = Self { step: step.min(STEPS.len()), begun: None, done: None };
    }

    /// Looks whether the step was done; whether another began so.
    pub fn look(&mut self, ctx: &PanelContext<'_>, written: u32) -> bool {
        let Some(spec) = self.spec().filter(|_| !ctx.session.in_gesture()) else { return false };
        let now = Moment::of(ctx, written);
        let Some(begun) = &mut self.begun else {
            self.begun = Some(now);
            return false;
        };
        // While the time runs, the frame tells nothing; another document is another beginning.
        if now.playing {
            begun.frame = now.frame;
        }
        if is_another(begun, &now, ctx) {
            *begun = Moment { written: begun.written, ..now };
            return false;
        }
        if !(spec.done)(begun, &now) {
            return false;
        }
        let done = self.step;
        self.go(done + 1);
        (self.begun, self.done) = (Some(now), Some(done));
        true
    }

    /// Shows the card in the lower right corner of a place, and an outline of the panel the step speaks of.
    pub fn show(&self, egui_ctx: &Context, ctx: &PanelContext<'_>, place: Rect, panel: Option<Rect>) {
        if let Some(rect) = panel {
            let layer = egui::LayerId::new(Order::Middle, Id::unique("tour outline"));
            let painter = egui_ctx.layer_painter(layer);
            painter.rect_stroke(rect, 4.0, Stroke::new(2.0, ctx.colours.accent), StrokeKind::Inside);
        }
        let corner = place.right_bottom() - vec2(EDGE_PT, EDGE_PT);
        // Beside what the view says in its other corner.
        let width = (place.width() / 2.0 - 2.0 * EDGE_PT).clamp(LEAST_PT, WIDTH_PT);
        let area = Area::new(Id::unique("tour")).order(Order::Middle).pivot(Align2::RIGHT_BOTTOM);
        area.fixed_pos(corner).constrain(true).show(egui_ctx, |ui| {
            egui::Frame::popup(ui.style()).inner_margin(10).show(ui, |ui| {
                ui.set_width(width);
                self.contents(ui, ctx);
            });
        });
    }

    fn contents(&self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let wish = |wish| ctx.commands.send(Command::Help(wish));
        ui.horizontal(|ui| {
            let count = STEPS.len();
            let place = (self.step + 1).min(count);
            ui.weak(fill("tour.place", &[("step", &place), ("count", &count)]));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if IconButton::new(Icon::Close, &t("tour.leave")).side(20.0).show(ui).clicked() {
                    wish(HelpWish::LeaveTour);
                }
            });
        });
        if let Some(done) = self.done.and_then(|done| STEPS.get(done)) {
            let text = fill("tour.done", &[("title", &t(done.title))]);
            ui.label(RichText::new(text).size(BODY_PT - 1.0).color(ctx.colours.weak));
        }
        let (title, line) = match self.spec() {
            Some(spec) => (t(spec.title).into_owned(), line(spec, ctx)),
            None => (t("tour.end").into_owned(), t("tour.end_line").into_owned()),
        };
        ui.label(RichText::new(title).strong());
        ui.add(egui::Label::new(line).wrap());
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            if ui.add_enabled(self.step > 0, egui::Button::new(t("tour.back").into_owned())).clicked() {
                wish(HelpWish::Tour(self.step.saturating_sub(1)));
            }
            match self.spec() {
                Some(spec) => {
                    if ui.button(t("tour.next").into_owned()).clicked() {
                        wish(HelpWish::Tour(self.step + 1));
                    }
                    let open = ui.button(t("tour.sample").into_owned());
                    if open.on_hover_text(t(spec.sample.spec().title).into_owned()).clicked() {
                        ctx.commands.run(spec.sample);
                    }
                }
                None => {
                    if ui.button(t("tour.finish").into_owned()).clicked() {
                        wish(HelpWish::LeaveTour);
                    }
                }
            }
        });
    }
}

/// Whether another document was opened since: nothing of it was done by hand yet.
fn is_another(begun: &Moment, now: &Moment, ctx: &PanelContext<'_>) -> bool {
    let is_first = ctx.session.history().index() == 0 && !ctx.session.can_redo();
    is_first && !std::sync::Arc::ptr_eq(&begun.document, &now.document)
}

/// What there is to do, with the keys in use.
#[must_use]
pub fn line(spec: &Step, ctx: &PanelContext<'_>) -> String {
    let key = spec.key.map(|key| {
        let text = ctx.keymap.text(key);
        if text.is_empty() { t(key.spec().title).into_owned() } else { text }
    });
    let (key, orbit) = (key.unwrap_or_default(), t(orbit_key(ctx.view.profile)));
    fill(&format!("{}_line", spec.title), &[("key", &key), ("orbit", &orbit)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::has;

    #[test]
    fn every_step_has_its_words_and_says_no_key_by_itself() {
        for step in STEPS {
            let line = format!("{}_line", step.title);
            assert!(has(step.title) && has(&line), "{}", step.title);
            assert_eq!(t(&line).contains("%{key}"), step.key.is_some(), "{line}");
        }
        assert_eq!(Tour::at(STEPS.len()).step(), 0, "after the end it begins anew");
        assert_eq!(Tour::at(3).step(), 3);
    }
}

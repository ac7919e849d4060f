//! The search for the parameter at a length, step by step: the very rounds that followers are placed by.

use crate::ui::widgets::chart::{Chart, Item};
use crate::{
    math::path::{LengthStep, MeasuredPath, arc_length, length_steps},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, FieldEdit, step_player::StepPlayer},
    },
};
use egui::{Grid, Ui};

/// How exactly the search ends, as a part of the segment's size.
const END: f64 = 1e-10;
/// Points of the length curve.
const POINTS: u32 = 60;

/// What is looked for, and how far one has come.
#[derive(Debug)]
pub(super) struct Search {
    /// The part of the length, percent.
    percent: f64,
    /// Rounds shown.
    player: StepPlayer,
}

impl Default for Search {
    fn default() -> Self {
        let mut player = StepPlayer::default();
        player.go(1);
        Self { percent: 20.0, player }
    }
}

impl Search {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, curve: &MeasuredPath) {
        let wanted = curve.length() * self.percent / 100.0;
        let found = curve.parameter_at(wanted).unwrap_or(0.0);
        let index = (found as usize).min(curve.segments().len().saturating_sub(1));
        let Some(segment) = curve.segments().get(index) else { return };
        let before: f64 = curve.segment_lengths().take(index).sum();
        let size = segment.size().max(f64::MIN_POSITIVE);
        let steps = length_steps(segment, wanted - before, END * size);
        self.controls(ui, steps.len());
        let within = format!("{:.6}", wanted - before);
        ui.weak(fill("arc_lab.in_segment", &[("number", &(index + 1)), ("length", &within)]));
        let whole = curve.segment_lengths().nth(index).unwrap_or(0.0).max(f64::MIN_POSITIVE);
        let shown = &steps[..self.player.step(&(1..=steps.len())).min(steps.len())];
        let mut line = vec![[0.0, 0.0]];
        for i in 0..POINTS {
            let (a, b) = (f64::from(i) / f64::from(POINTS), f64::from(i + 1) / f64::from(POINTS));
            let length = line.last().map_or(0.0, |last| last[1]) + arc_length(segment, a, b, 1e-6 * size);
            line.push([b, length]);
        }
        let mut items = vec![
            Item::Line(line, ctx.colours.text, false),
            Item::Line(vec![[0.0, wanted - before], [1.0, wanted - before]], ctx.colours.weak, true),
        ];
        if let Some(last) = shown.last() {
            items.push(Item::Upright(last.bracket.0, ctx.colours.axes[2]));
            items.push(Item::Upright(last.bracket.1, ctx.colours.axes[2]));
            // The tangent that Newton follows.
            let (at, slope) = (wanted - before + last.miss, segment.velocity(last.parameter).norm());
            let to = if last.newton && slope > 0.0 { last.parameter - last.miss / slope } else { last.parameter };
            let tangent = vec![[last.parameter, at], [to, wanted - before]];
            items.push(Item::Line(tangent, ctx.colours.accent, false));
        }
        let places = shown.iter().map(|step| [step.parameter, wanted - before + step.miss]).collect();
        items.push(Item::Dots(places, ctx.colours.accent_text));
        let name = t("arc_lab.search_plot");
        let ends = ["u = 0".to_owned(), "1".to_owned(), "0 m".to_owned(), format!("{whole:.3}")];
        Chart { name: &name, x: (0.0, 1.0), y: (0.0, whole), ends, height: 150.0 }.show(ui, ctx.colours, &items);
        table(ui, shown);
    }

    fn controls(&mut self, ui: &mut Ui, count: usize) {
        ui.horizontal_wrapped(|ui| {
            let name = t("arc_lab.part");
            let (response, edits) =
                DragField::new(&name, self.percent).unit("%").range(0.0, 100.0).speed(0.25).width(60.0).show(ui);
            response.on_hover_text(&*name);
            for edit in edits {
                if let FieldEdit::Change(percent) = edit {
                    self.percent = percent;
                    self.player.go(1);
                }
            }
            let shown = self.player.show(ui, &(1..=count.max(1)));
            let round = fill("arc_lab.round", &[("now", &shown), ("count", &count)]);
            ui.add(egui::Label::new(round).truncate());
        });
    }
}

fn table(ui: &mut Ui, steps: &[LengthStep]) {
    Grid::new("search").num_columns(4).spacing([8.0, 2.0]).striped(true).show(ui, |ui| {
        for key in ["arc_lab.round_number", "arc_lab.u", "arc_lab.miss", "arc_lab.by"] {
            ui.strong(t(key).into_owned());
        }
        ui.end_row();
        for (number, step) in steps.iter().enumerate() {
            ui.label((number + 1).to_string());
            ui.label(format!("{:.8}", step.parameter));
            ui.label(format!("{:.2e}", step.miss));
            let done = number + 1 == steps.len() && step.miss.abs() < 1e-9;
            let key = match (done, step.newton) {
                (true, _) => "arc_lab.done",
                (false, true) => "arc_lab.newton",
                (false, false) => "arc_lab.halved",
            };
            ui.label(t(key).into_owned());
            ui.end_row();
        }
    });
}

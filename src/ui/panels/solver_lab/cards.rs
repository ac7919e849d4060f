//! The solvers side by side: each with its picture, what it did in the step shown, and what can be done with its result.

use super::{
    picture,
    state::{Run, Shown, State},
};
use crate::{
    command::Command,
    eval::{
        ik::{SolveStatus, StepKind},
        solver_lab::{LabStep, Racer, planar},
    },
    notice::Notice,
    text::{fill, t},
    ui::{panel::PanelContext, widgets::drag_field::number_text},
};
use egui::{RichText, Ui, Vec2};

/// The least and the greatest width of a card, points.
const CARD_PT: (f32, f32) = (150.0, 230.0);

/// A racer's name.
pub(super) fn name_of(racer: &Racer) -> String {
    match racer {
        Racer::Solver(spec) => t(&format!("solver.{}", spec.id)).into_owned(),
        Racer::Wrong(form) => t(&format!("solver_lab.{}", form.id)).into_owned(),
    }
}

/// What a racer is, in a sentence.
pub(super) fn hint_of(racer: &Racer) -> String {
    match racer {
        Racer::Solver(spec) => t(&format!("solver.{}_hint", spec.id)).into_owned(),
        Racer::Wrong(form) => t(&format!("solver_lab.{}_hint", form.id)).into_owned(),
    }
}

/// A length for people.
pub(super) fn length_text(ctx: &PanelContext<'_>, metres: f64) -> String {
    if !metres.is_finite() {
        return t("solver_lab.no_number").into_owned();
    }
    let unit = ctx.document.settings.length_unit;
    let value = metres / unit.metres();
    let text = if value == 0.0 || value >= 0.001 { number_text(value, 4) } else { format!("{value:.1e}") };
    format!("{text} {}", unit.symbol())
}

/// The height of a card's title, and the least height of its picture, points.
const TITLE_PT: f32 = 24.0;
const PICTURE_PT: f32 = 72.0;
/// The room of the button in a title, points.
const BUTTON_PT: f32 = 48.0;

/// Shows the cards; `room` is the height of the panel under its head, points.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown, (step, room): (usize, f32)) {
    let gap = ui.spacing().item_spacing.x;
    let width = ui.available_width();
    let fit = ((width + gap) / (CARD_PT.0 + gap)).floor().max(1.0);
    let columns = fit.min(shown.runs.len().max(1) as f32);
    let card = ((width + gap) / columns - gap).min(CARD_PT.1);
    let picture = (0.72 * card).min(room - TITLE_PT).max(PICTURE_PT).round();
    for row in shown.runs.chunks((columns as usize).max(1)) {
        ui.horizontal_top(|ui| {
            for run in row {
                ui.vertical(|ui| {
                    ui.set_width(card);
                    one(ui, ctx, state, shown, run, (Vec2::new(card, picture), step));
                });
            }
        });
        ui.add_space(4.0);
    }
    if shown.runs.is_empty() {
        ui.weak(t("solver_lab.none_shown").into_owned());
    }
}

fn one(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown, run: &Run, (size, step): (Vec2, usize)) {
    let name = name_of(&run.racer);
    let title = RichText::new(&name).strong();
    let title = if run.racer.is_wrong() { title.color(ctx.colours.warn) } else { title };
    // What can be done with it stands above, where a low panel shows it too.
    ui.horizontal(|ui| {
        let width = (ui.available_width() - BUTTON_PT).max(40.0);
        let size = Vec2::new(width, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_size(size);
            ui.add(egui::Label::new(title).truncate()).on_hover_text(hint_of(&run.racer));
        });
        keep(ui, ctx, state, shown, run);
    });
    let picture_name = fill("solver_lab.picture", &[("name", &name)]);
    picture::show(ui, ctx, state, shown, run, (&picture_name, size, step));
    let now = run.trace.at(step);
    ui.add(egui::Label::new(RichText::new(what_text(shown, run, now)).small()).truncate());
    let change = number_text(now.change.to_degrees(), 1);
    let left = length_text(ctx, now.residual);
    let numbers = fill("solver_lab.left_and_change", &[("left", &left), ("change", &change)]);
    ui.add(egui::Label::new(RichText::new(numbers).small().weak()).truncate());
}

/// What a step did, in words.
fn what_text(shown: &Shown, run: &Run, step: &LabStep) -> String {
    let joint = |at: usize| match &shown.limb {
        Some(limb) => limb.name(at),
        None => fill("solver_lab.joint", &[("number", &(at + 1))]),
    };
    let what = match step.kind {
        None => return t("solver_lab.at_start").into_owned(),
        Some(StepKind::Bent) => t("solver_lab.bent").into_owned(),
        Some(StepKind::Joint(at)) => fill("solver_lab.turned", &[("joint", &joint(at))]),
        Some(StepKind::Forward) => t("solver_lab.forward").into_owned(),
        Some(StepKind::Backward) => t("solver_lab.backward").into_owned(),
        Some(StepKind::Linear) => t("solver_lab.linear").into_owned(),
        // A target out of reach is closed too: straight or folded towards it, with what is left beside.
        Some(StepKind::Closed) => match run.trace.status {
            SolveStatus::TooFar => t("solver_lab.closed_far").into_owned(),
            SolveStatus::TooNear => t("solver_lab.closed_near").into_owned(),
            _ => t("solver_lab.closed").into_owned(),
        },
        Some(StepKind::Pole) => t("solver_lab.to_pole").into_owned(),
    };
    if step.iteration == 0 { what } else { format!("{}: {what}", step.iteration) }
}

/// Keys the result on the character, or starts the own arm from it.
fn keep(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown, run: &Run) {
    let name = name_of(&run.racer);
    let end = run.trace.end();
    if let Some(limb) = &shown.limb {
        let button =
            ui.add_enabled(run.trace.is_finite(), egui::Button::new(t("solver_lab.keep").into_owned()).small());
        crate::ui::widgets::set_name(ui, &button, &fill("solver_lab.keep_of", &[("name", &name)]));
        let button = button.on_hover_text(t("solver_lab.keep_hint")).on_disabled_hover_text(t("solver_lab.keep_none"));
        if button.clicked() {
            match limb.keep(ctx.document, ctx.selection, ctx.view.secs, &end.rotations) {
                Ok(edit) => {
                    ctx.commands.apply("history.solver_lab", edit);
                    if let Some(left) = limb.left(ctx.document, ctx.view.secs, &end.rotations) {
                        ctx.commands.send(Command::Tell(Notice::warn(fill("edit.left", &[("joints", &left)]))));
                    }
                }
                Err(error) => {
                    ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", &error)]))));
                }
            }
        }
        return;
    }
    let angles = planar::angles(&end.positions);
    let button = ui.add_enabled(angles.is_some(), egui::Button::new(t("solver_lab.start_here").into_owned()).small());
    crate::ui::widgets::set_name(ui, &button, &fill("solver_lab.start_of", &[("name", &name)]));
    if button.on_hover_text(t("solver_lab.start_here_hint")).clicked()
        && let Some(angles) = angles
    {
        state.start_from(angles);
    }
}

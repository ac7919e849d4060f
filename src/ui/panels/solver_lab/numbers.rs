//! What came of each solve, in a table, and how it came nearer, in a plot.

use super::{
    cards::{hint_of, length_text, name_of},
    state::{Shown, State},
};
use crate::{
    eval::{ik::SolveStatus, solver_lab::Racer},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::race::{badge, rival_colour},
        widgets::{drag_field::number_text, quiet_plot, set_name},
    },
};
use egui::{Grid, Sense, Ui, Vec2};
use egui_plot::{HoverPosition, Line, LineStyle, PlotPoints, Points};

/// Residuals under this part of the chain's length are drawn at it: the logarithm of 0 is none.
const LEAST: f64 = 1e-16;

pub(super) fn table(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown) {
    let times = state.times(&shown.problem);
    egui::ScrollArea::horizontal().id_salt("solver table").show(ui, |ui| {
        Grid::new("solvers").num_columns(6).spacing([10.0, 2.0]).striped(true).show(ui, |ui| {
            for key in ["solver", "says", "iterations", "left", "change", "time"] {
                let hint = t(&format!("solver_lab.{key}_hint"));
                ui.strong(t(&format!("solver_lab.{key}")).into_owned()).on_hover_text(hint);
            }
            ui.end_row();
            for (number, racer) in Racer::all().enumerate() {
                row(ui, ctx, state, shown, (number, &racer), times.get(number).copied().flatten());
                ui.end_row();
            }
        });
    });
}

fn row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    state: &mut State,
    shown: &Shown,
    (number, racer): (usize, &Racer),
    time: Option<f64>,
) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
        badge(ui.painter(), rect.center(), number);
        if let Some(on) = state.shown.get_mut(number) {
            let name = egui::RichText::new(name_of(racer));
            let name = if racer.is_wrong() { name.color(ctx.colours.warn) } else { name };
            ui.checkbox(on, name).on_hover_text(hint_of(racer));
        }
    });
    let Some(run) = shown.runs.iter().find(|run| run.number == number) else { return };
    let end = run.trace.end();
    // A wrong form says what it says; beside it stands what is.
    let honest = end.residual.is_finite() && (run.trace.status != SolveStatus::Reached || reached(shown, end.residual));
    let says = t(&format!("solver_lab.status_{}", run.trace.status.id())).into_owned();
    if honest {
        ui.label(says);
    } else {
        ui.colored_label(ctx.colours.warn, says).on_hover_text(t("solver_lab.false_claim"));
    }
    ui.label(run.trace.iterations.to_string());
    ui.label(length_text(ctx, end.residual));
    ui.label(format!("{}°", number_text(end.change.to_degrees(), 1)));
    match time {
        Some(secs) => ui.label(format!("{} µs", number_text(secs * 1e6, 1))),
        None => ui.weak("–"),
    };
}

/// Whether a distance counts as reached: the notes accept a hundredth, whatever the chain's length.
fn reached(shown: &Shown, residual: f64) -> bool {
    residual <= (shown.problem.settings.tolerance * shown.problem.length()).max(0.01)
}

pub(super) fn convergence(ui: &mut Ui, ctx: &PanelContext<'_>, shown: &Shown, step: usize) {
    let scale = shown.problem.length().max(f64::MIN_POSITIVE);
    let log = |residual: f64| (residual / scale).max(LEAST).log10();
    let hover = |at: &HoverPosition<'_>| match at {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            let left = format!("{:.1e}", 10_f64.powf(position.y));
            let iteration = number_text(position.x, 0);
            Some(fill("solver_lab.left_at", &[("name", plot_name), ("iteration", &iteration), ("left", &left)]))
        }
        HoverPosition::Elsewhere { .. } => None,
    };
    let plot = quiet_plot(ui, "solver lab convergence", 220.0)
        .include_x(0.0)
        .include_y(0.0)
        .y_axis_min_width(40.0)
        .x_axis_formatter(|mark, _| if mark.value.fract() == 0.0 { number_text(mark.value, 0) } else { String::new() })
        .y_axis_formatter(|mark, _| format!("1e{}", number_text(mark.value, 1)))
        .cursor_color(ctx.colours.weak)
        .label_formatter(hover);
    let drawn = plot.show(ui, |plot| {
        for run in &shown.runs {
            let points: Vec<[f64; 2]> =
                run.trace.convergence(usize::MAX).iter().map(|(at, left)| [f64::from(*at), log(*left)]).collect();
            if let Some((iteration, left)) = run.trace.convergence(step).last() {
                let at = PlotPoints::from_iter([[f64::from(*iteration), log(*left)]]);
                plot.points(Points::new("", at).radius(4.0).color(rival_colour(run.number)));
            }
            let style = if run.racer.is_wrong() { LineStyle::Dashed { length: 6.0 } } else { LineStyle::Solid };
            let line = Line::new(name_of(&run.racer), PlotPoints::from(points));
            plot.line(line.color(rival_colour(run.number)).width(1.75).style(style));
        }
    });
    set_name(ui, &drawn.response, &t("solver_lab.convergence"));
}

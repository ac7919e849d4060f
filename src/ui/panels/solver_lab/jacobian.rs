//! The geometric Jacobian beside finite differences: column by column, and the error against the step.

use super::state::{Shown, State};
use crate::{
    eval::{
        ik::bend::area_vector,
        solver_lab::differences::{Difference, finite, geometric, greatest_error},
    },
    math::Vec3,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{
            DragField, FieldEdit,
            chart::{Chart, Item},
        },
    },
};
use egui::{Grid, Ui};

/// Exponents of ten between which the step may be.
const EXPONENTS: (f64, f64) = (-14.0, -1.0);
/// Points of a line.
const POINTS: u32 = 78;

/// The hinges' axis: square to the plane that the start bends in.
fn axis(shown: &Shown) -> Vec3 {
    let normal = area_vector(&shown.problem.positions);
    let length = shown.problem.length();
    if shown.limb.is_none() { Vec3::z() } else { normal.try_normalize(1e-9 * length * length).unwrap_or_else(Vec3::z) }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown) {
    let (positions, axis) = (&shown.problem.positions, axis(shown));
    let name = t("solver_lab.step_size");
    ui.horizontal(|ui| {
        ui.label(&*name);
        let field = DragField::new(&name, state.exponent).decimals(1).range(EXPONENTS.0, EXPONENTS.1).speed(0.05);
        for edit in field.width(56.0).show(ui).1 {
            if let FieldEdit::Change(exponent) = edit {
                state.exponent = exponent;
            }
        }
        let h = 10_f64.powf(state.exponent);
        ui.weak(fill("solver_lab.step_is", &[("step", &format!("{h:.1e}"))]));
    });
    let h = 10_f64.powf(state.exponent);
    columns(ui, positions, &axis, h);
    let log = |value: f64| value.max(1e-17).log10();
    let line = |difference: Difference| -> Vec<[f64; 2]> {
        let exponent = |i: u32| EXPONENTS.0 + (EXPONENTS.1 - EXPONENTS.0) * f64::from(i) / f64::from(POINTS);
        (0..=POINTS)
            .map(|i| [exponent(i), log(greatest_error(positions, &axis, 10_f64.powf(exponent(i)), difference))])
            .collect()
    };
    let items = [
        Item::Line(line(Difference::Forward), ctx.colours.warn, false),
        Item::Line(line(Difference::Central), ctx.colours.accent_text, false),
        Item::Upright(state.exponent, ctx.colours.axes[2]),
    ];
    let ends = ["h = 1e-14", "1e-1", "1e-14", "1"].map(str::to_owned);
    let plot = t("solver_lab.error_plot");
    Chart { name: &plot, x: EXPONENTS, y: (-14.0, 0.0), ends, height: 150.0 }.show(ui, ctx.colours, &items);
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(ctx.colours.warn, t("solver_lab.forward_difference").into_owned());
        ui.colored_label(ctx.colours.accent_text, t("solver_lab.central_difference").into_owned());
    });
}

fn columns(ui: &mut Ui, positions: &[Vec3], axis: &Vec3, h: f64) {
    let exact = geometric(positions, axis);
    let near = finite(positions, axis, h, Difference::Forward);
    egui::ScrollArea::horizontal().id_salt("jacobian").show(ui, |ui| {
        Grid::new("columns").num_columns(4).spacing([10.0, 2.0]).striped(true).show(ui, |ui| {
            for key in ["column", "geometric", "difference", "error"] {
                ui.strong(t(&format!("solver_lab.{key}")).into_owned());
            }
            ui.end_row();
            // Rounded to zero is no minus zero.
            let plain = |v: f64| if v.abs() < 5e-5 { 0.0 } else { v };
            let text = |v: &Vec3| format!("({:.4}, {:.4}, {:.4})", plain(v.x), plain(v.y), plain(v.z));
            for (joint, (exact, near)) in exact.iter().zip(&near).enumerate() {
                ui.label((joint + 1).to_string());
                ui.monospace(text(exact));
                ui.monospace(text(near));
                ui.label(format!("{:.1e}", (exact - near).norm()));
                ui.end_row();
            }
        });
    });
}

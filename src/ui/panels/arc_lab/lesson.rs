//! 11 m/s for 1 s, then 1 m/s for 9 s: the way is what the speeds add up to over time, and the mean speed is the way over the
//! time, not the mean of the speeds.

use crate::ui::widgets::chart::{Chart, Item};
use crate::{
    math::piecewise::Piecewise,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, FieldEdit},
    },
};
use egui::{Grid, Ui};

/// Two stretches, each with its speed (m/s) and its time (s).
#[derive(Debug)]
pub(super) struct Lesson {
    stretches: [(f64, f64); 2],
}

impl Default for Lesson {
    fn default() -> Self {
        Self { stretches: [(11.0, 1.0), (1.0, 9.0)] }
    }
}

impl Lesson {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        Grid::new("lesson").num_columns(3).spacing([10.0, 4.0]).show(ui, |ui| {
            for (number, (speed, secs)) in self.stretches.iter_mut().enumerate() {
                let number = number + 1;
                ui.label(fill("arc_lab.stretch", &[("number", &number)]));
                let name = fill("arc_lab.speed_of", &[("number", &number)]);
                number_field(ui, &name, speed, "m/s", (-50.0, 50.0));
                let name = fill("arc_lab.time_of", &[("number", &number)]);
                number_field(ui, &name, secs, "s", (0.01, 60.0));
                ui.end_row();
            }
        });
        let [(first, first_secs), (second, second_secs)] = self.stretches;
        let total = first_secs + second_secs;
        let speeds = Piecewise::steps(&[0.0, first_secs, total], &[first, second, second]);
        let Some(distance) = speeds.and_then(|speeds| speeds.integral(0.0)) else { return };
        let way = distance.end_value();
        let mean = way / total;
        let of_speeds = f64::midpoint(first, second);
        let middle = distance.value(first_secs);
        let lowest = way.min(middle).min(of_speeds * total).min(0.0);
        let highest = way.max(middle).max(of_speeds * total).max(lowest + 1e-9);
        let name = t("arc_lab.lesson_plot");
        let ends = ["0 s".to_owned(), format!("{total:.1} s"), format!("{lowest:.0} m"), format!("{highest:.0} m")];
        let chart = Chart { name: &name, x: (0.0, total), y: (lowest, highest), ends, height: 120.0 };
        let items = [
            Item::Line(vec![[0.0, 0.0], [total, of_speeds * total]], ctx.colours.warn, true),
            Item::Line(vec![[0.0, 0.0], [total, way]], ctx.colours.accent, true),
            Item::Line(vec![[0.0, 0.0], [first_secs, middle], [total, way]], ctx.colours.text, false),
            Item::Dots(vec![[first_secs, middle], [total, way]], ctx.colours.accent_text),
        ];
        let pointer = chart.show(ui, ctx.colours, &items);
        let parts = [first, first_secs, second, second_secs].map(|number| format!("{number}"));
        let sum = format!("{way:.3}");
        let numbers = [("v1", &parts[0]), ("t1", &parts[1]), ("v2", &parts[2]), ("t2", &parts[3]), ("way", &sum)];
        let shown: Vec<(&str, &dyn std::fmt::Display)> =
            numbers.iter().map(|(key, value)| (*key, *value as &dyn std::fmt::Display)).collect();
        ui.label(fill("arc_lab.way", &shown));
        let (mean, total) = (format!("{mean:.3}"), format!("{total:.3}"));
        ui.colored_label(
            ctx.colours.accent_text,
            fill("arc_lab.mean", &[("mean", &mean), ("way", &sum), ("secs", &total)]),
        );
        let of_speeds = format!("{of_speeds:.3}");
        ui.colored_label(ctx.colours.warn, fill("arc_lab.not_mean", &[("mean", &of_speeds)]));
        if let Some(secs) = pointer {
            let (secs, at) = (format!("{secs:.2}"), format!("{:.3}", distance.value(secs)));
            ui.weak(fill("arc_lab.at", &[("secs", &secs), ("way", &at)]));
        }
    }
}

fn number_field(ui: &mut Ui, name: &str, value: &mut f64, unit: &str, range: (f64, f64)) {
    let field = DragField::new(name, *value).unit(unit).range(range.0, range.1).speed(0.05).width(80.0);
    let (response, edits) = field.show(ui);
    response.on_hover_text(name);
    for edit in edits {
        if let FieldEdit::Change(wanted) = edit {
            *value = wanted;
        }
    }
}

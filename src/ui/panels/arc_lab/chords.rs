//! The length by N chords beside the exact one, and how the error falls.

use crate::ui::widgets::chart::{Chart, Item};
use crate::{math::path::MeasuredPath, text::t, ui::panel::PanelContext};
use egui::{Grid, Ui};

/// The most chords.
const MOST: u32 = 4096;
/// Errors below this part of the length are rounding.
const LEAST: f64 = 1e-14;

/// The length of the polyline through `count` + 1 points at equal parameters.
fn by_chords(curve: &MeasuredPath, count: u32) -> f64 {
    let whole = curve.segments().len() as f64;
    let at = |i: u32| curve.point(whole * f64::from(i) / f64::from(count)).unwrap_or_default();
    let mut before = at(0);
    let mut length = 0.0;
    for i in 1..=count {
        let next = at(i);
        length += (next - before).norm();
        before = next;
    }
    length
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, curve: &MeasuredPath) {
    let exact = curve.length();
    let counts: Vec<u32> = std::iter::successors(Some(1), |n| Some(n * 4)).take_while(|n| *n <= MOST).collect();
    let rows: Vec<(u32, f64, f64)> = counts
        .iter()
        .map(|&count| {
            let length = by_chords(curve, count);
            (count, length, exact - length)
        })
        .collect();
    Grid::new("chords").num_columns(4).spacing([14.0, 2.0]).striped(true).show(ui, |ui| {
        for key in ["arc_lab.n", "arc_lab.by_chords", "arc_lab.error", "arc_lab.ratio"] {
            ui.strong(t(key).into_owned());
        }
        ui.end_row();
        let mut before: Option<f64> = None;
        for (count, length, error) in &rows {
            ui.label(count.to_string());
            ui.label(format!("{length:.6}"));
            ui.label(format!("{error:.2e}"));
            let ratio = before.filter(|before| error.abs() > LEAST * exact && before.abs() > 0.0).map(|b| b / error);
            ui.label(ratio.map_or_else(|| "\u{2013}".to_owned(), |ratio| format!("{ratio:.1}")));
            ui.end_row();
            before = Some(*error);
        }
        ui.label(t("arc_lab.exact").into_owned());
        ui.label(format!("{exact:.6}"));
        ui.end_row();
    });
    let logarithm = |error: f64| (error.abs() / exact.max(f64::MIN_POSITIVE)).max(LEAST).log10();
    let points: Vec<[f64; 2]> =
        rows.iter().map(|(count, _, error)| [f64::from(*count).log10(), logarithm(*error)]).collect();
    let highest = points.iter().map(|point| point[1]).fold(-12.0, f64::max).ceil();
    let lowest = points.iter().map(|point| point[1]).fold(0.0, f64::min).floor().min(highest - 1.0);
    let name = t("arc_lab.error_plot");
    let chart = Chart {
        name: &name,
        x: (0.0, f64::from(MOST).log10()),
        y: (lowest, highest),
        ends: ["N = 1".to_owned(), format!("{MOST}"), format!("1e{lowest:.0}"), format!("1e{highest:.0}")],
        height: 120.0,
    };
    let items = [Item::Line(points.clone(), ctx.colours.accent, false), Item::Dots(points, ctx.colours.accent_text)];
    chart.show(ui, ctx.colours, &items);
}

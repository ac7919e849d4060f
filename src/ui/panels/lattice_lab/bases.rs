//! The basis functions along each axis, the selected point's before the others.

use super::{Seen, basis_key};
use crate::{
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::chart::{Chart, Item},
    },
};
use egui::Ui;

/// Pieces a curve is drawn in.
const PIECES: u32 = 64;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, seen: &Seen<'_>) {
    let [i, j, k] = seen.place.map(|at| at + 1);
    ui.label(fill("lattice_lab.point", &[("i", &i), ("j", &j), ("k", &k)]));
    for (axis, name) in ["s", "t", "u"].into_iter().enumerate() {
        let (count, own) = (seen.shape.counts[axis], seen.place[axis]);
        let basis = seen.shape.bases[axis].of(count);
        let title = fill("lattice_lab.axis", &[("axis", &name), ("basis", &t(basis_key(basis))), ("count", &count)]);
        ui.weak(&title);
        let curve = |index: usize| -> Vec<[f64; 2]> {
            (0..=PIECES)
                .map(|step| {
                    let at = f64::from(step) / f64::from(PIECES);
                    [at, basis.weights(count, at).of(index)]
                })
                .collect()
        };
        let quiet = ctx.colours.weak.gamma_multiply(0.7);
        let mut items: Vec<Item> =
            (0..count).filter(|index| *index != own).map(|index| Item::Line(curve(index), quiet, false)).collect();
        items.push(Item::Line(curve(own), ctx.colours.accent, false));
        if let Some(at) = seen.probed.map(|at| at[axis]) {
            items.push(Item::Upright(at, ctx.colours.warn));
            let weights = basis.weights(count, at);
            items.push(Item::Dots(vec![[at, weights.of(own)]], ctx.colours.accent_text));
        }
        let chart = Chart {
            name: &title,
            x: (0.0, 1.0),
            y: (0.0, 1.0),
            ends: [format!("{name} = 0"), "1".to_owned(), "0".to_owned(), "1".to_owned()],
            height: 92.0,
        };
        chart.show(ui, ctx.colours, &items);
        if let Some(at) = seen.probed.map(|at| at[axis]) {
            let weights = basis.weights(count, at);
            let all: Vec<String> = (0..count).map(|index| format!("{:.3}", weights.of(index))).collect();
            let text = fill("lattice_lab.at", &[("name", &format!("{name} = {at:.3}")), ("weights", &all.join("  "))]);
            ui.add(egui::Label::new(egui::RichText::new(text).small()).wrap());
        }
    }
}

//! The numbers of the selected keys' eases and typed slopes.

use super::{Editing, Field};
use crate::{
    edit::{Edit, KeyEdit, KeySelection},
    interact::tools::{
        graph_curve::{GraphCurve, Points},
        graph_edits::GraphEdit,
    },
    math::easing::{CssBezier, EaseMode},
    model::{EaseShape, Interpolation, Key, Scheme},
    text::t,
    ui::{panel::PanelContext, panels::graph::steps::apply, widgets::section},
};
use egui::Ui;

/// A number of an ease: its name, its range, how fast it is dragged, and where it is.
type Number = (&'static str, (f64, f64), f64, fn(&mut EaseShape) -> &mut f64);

fn numbers(interpolation: Interpolation) -> &'static [Number] {
    match interpolation {
        Interpolation::Power => &[("graph.power", (1.0, 8.0), 0.02, |ease| &mut ease.power)],
        Interpolation::Back => &[("graph.overshoot", (0.0, 100.0), 0.02, |ease| &mut ease.overshoot)],
        Interpolation::Elastic => &[
            ("graph.amplitude", (1.0, 100.0), 0.02, |ease| &mut ease.amplitude),
            ("graph.period", (0.01, 10.0), 0.005, |ease| &mut ease.period),
            ("graph.decay", (0.0, 100.0), 0.05, |ease| &mut ease.decay),
        ],
        Interpolation::Bounce => &[("graph.restitution", (0.0, 1.0), 0.005, |ease| &mut ease.restitution)],
        Interpolation::Css => &[
            ("graph.css_x1", (0.0, 1.0), 0.01, |ease| &mut ease.css[0]),
            ("graph.css_y1", (-10.0, 10.0), 0.01, |ease| &mut ease.css[1]),
            ("graph.css_x2", (0.0, 1.0), 0.01, |ease| &mut ease.css[2]),
            ("graph.css_y2", (-10.0, 10.0), 0.01, |ease| &mut ease.css[3]),
        ],
        _ => &[],
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>) {
    // The first selected key stands for all.
    let first = editing.curves.iter().filter(|curve| curve.editable && curve.has_values).find_map(|curve| {
        let key = curve.points.key(*curve.selected.first()?)?;
        Some((key, curve.unit.scale))
    });
    let Some((key, scale)) = first else { return };
    let schemed = |curve: &GraphCurve| match &curve.points {
        Points::Keyed(keyed) => keyed.scheme != Scheme::PerKey && !curve.selected.is_empty(),
        Points::Sampled(_) | Points::Track(_) => false,
    };
    if editing.curves.iter().any(schemed) {
        ui.label(egui::RichText::new(t("graph.ease_beneath")).small().weak());
        return;
    }
    let keys = editing.selected(true);
    match key.interpolation {
        Interpolation::Hermite => slopes(ui, ctx, &keys, &key, scale),
        Interpolation::Bezier => weighted(ui, ctx, &keys, &key),
        kind if kind.is_ease() => of_ease(ui, ctx, &keys, &key),
        _ => {}
    }
}

fn edit(edit: KeyEdit) -> Option<GraphEdit> {
    Some(GraphEdit { edit: Edit::from(edit), converted: 0 })
}

fn of_ease(ui: &mut Ui, ctx: &PanelContext<'_>, keys: &KeySelection, key: &Key) {
    let (kind, ease) = (key.interpolation, key.ease);
    let set = |ease: EaseShape| edit(KeyEdit::SetEase { keys: keys.clone(), interpolation: None, ease });
    let plain = !kind.has_mode() && numbers(kind).is_empty();
    if plain {
        return;
    }
    section(ui, &t("graph.ease"));
    if kind.has_mode() {
        ui.horizontal(|ui| {
            for mode in EaseMode::ALL {
                let name = match mode {
                    EaseMode::In => "graph.ease_in",
                    EaseMode::Out => "graph.ease_out",
                    EaseMode::InOut => "graph.ease_in_out",
                };
                let label = ui.selectable_label(ease.mode == mode, t(name).into_owned());
                if label.on_hover_text(t(&format!("{name}_hint")).into_owned()).clicked() {
                    apply(ctx, "history.ease", set(EaseShape { mode, ..ease }));
                }
            }
        });
    }
    for (name, range, speed, place) in numbers(kind) {
        let mut present = ease;
        let field =
            Field { name, label: "history.ease", value: *place(&mut present), unit: "", range: *range, speed: *speed };
        field.show(ui, ctx, |value| {
            let mut changed = ease;
            *place(&mut changed) = value.clamp(range.0, range.1);
            set(changed)
        });
    }
    if kind == Interpolation::Bounce {
        let field = Field {
            name: "graph.count",
            label: "history.ease",
            value: f64::from(ease.count),
            unit: "",
            range: (0.0, 32.0),
            speed: 0.05,
        };
        field.show(ui, ctx, |count| set(EaseShape { count: count.round().clamp(0.0, 32.0) as u32, ..ease }));
    }
    if kind == Interpolation::Css {
        ui.horizontal_wrapped(|ui| {
            for (name, css) in CssBezier::PRESETS {
                if ui.selectable_label(ease.css == css, name).clicked() {
                    apply(ctx, "history.ease", set(EaseShape { css, ..ease }));
                }
            }
        });
    }
}

fn slopes(ui: &mut Ui, ctx: &PanelContext<'_>, keys: &KeySelection, key: &Key, scale: f64) {
    section(ui, &t("graph.slopes"));
    let field = |name, value: f64| Field {
        name,
        label: "history.key_shape",
        value: value * scale,
        unit: "",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        speed: 0.1,
    };
    let set = |slope_in, slope_out| edit(KeyEdit::SetSlopes { keys: keys.clone(), slope_in, slope_out });
    field("graph.slope_in", key.slope_in).show(ui, ctx, |slope| set(Some(slope / scale), None));
    field("graph.slope_out", key.slope_out).show(ui, ctx, |slope| set(None, Some(slope / scale)));
}

fn weighted(ui: &mut Ui, ctx: &PanelContext<'_>, keys: &KeySelection, key: &Key) {
    let mut weighted = !key.unweighted;
    let name = t("graph.weighted");
    if ui.checkbox(&mut weighted, name.as_ref()).on_hover_text(t("graph.weighted_hint").into_owned()).clicked() {
        apply(ctx, "history.key_shape", edit(KeyEdit::SetWeighted { keys: keys.clone(), weighted }));
    }
}

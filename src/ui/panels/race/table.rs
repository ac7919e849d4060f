//! The numbers of what races, a row each; where the panel is narrow, a card each.

use super::{badge, entrant_name};
use crate::{
    eval::race::{Entrant, Figures, figures, length_in_space},
    interact::view_state::ViewChange,
    model::{ChannelPath, ClipId, Component, Curve, KeyedCurve, Property},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::graph::{unit_map, unit_name, with_unit},
        widgets::{IconButton, drag_field::number_text},
    },
};
use egui::{Grid, Sense, Ui, Vec2};
use std::sync::Arc;

/// From this width on the numbers stand in a table, points.
const TABLE_PT: f32 = 560.0;
/// Room for an entrant's number and buttons beside its name, points.
const BUTTONS_PT: f32 = 108.0;

/// The numbers last worked out, while the curves are the same.
#[derive(Debug, Default)]
pub(super) struct FigureCache {
    of: Vec<Arc<Curve>>,
    entrants: Vec<Entrant>,
    rows: Vec<Row>,
}

/// What is told of an entrant.
#[derive(Clone, Debug)]
struct Row {
    figures: Option<Figures>,
    /// The way in space, metres, where the channel is part of a place.
    space: Option<f64>,
}

impl FigureCache {
    /// The rows of the entrants for a channel; of a place all that are keyed of its three.
    fn rows(&mut self, curves: &[Arc<Curve>], entrants: &[Entrant], in_space: bool) -> &[Row] {
        let same = self.of.len() == curves.len() && self.of.iter().zip(curves).all(|(a, b)| Arc::ptr_eq(a, b));
        if !same || self.entrants != entrants {
            self.of = curves.to_vec();
            self.entrants = entrants.to_vec();
            self.rows = entrants.iter().map(|entrant| row(curves, *entrant, in_space)).collect();
        }
        &self.rows
    }
}

/// The first of the curves is the channel's own.
fn row(curves: &[Arc<Curve>], entrant: Entrant, in_space: bool) -> Row {
    let keyed = || curves.iter().filter_map(|curve| curve.scalar_keys());
    let own = keyed().next().and_then(|keys| figures(&entrant.curve(keys)?, keys));
    let plain = |curve: KeyedCurve| KeyedCurve { modifiers: Vec::new(), ..curve };
    let all = || keyed().map(|keys| entrant.curve(keys).map(plain)).collect::<Option<Vec<KeyedCurve>>>();
    Row { figures: own, space: if in_space { all().and_then(|all| length_in_space(&all)) } else { None } }
}

/// The channel's curve first, then those of the other components of a place.
fn curves(ctx: &PanelContext<'_>, clip: ClipId, path: ChannelPath) -> Option<(Vec<Arc<Curve>>, bool)> {
    let channels = &ctx.document.clip(clip)?.channels;
    let own = channels.get(&path)?;
    let mut all = vec![Arc::clone(own)];
    let is_place = path.property == Property::Translation;
    if is_place {
        for component in [Component::X, Component::Y, Component::Z] {
            let other = ChannelPath { component, ..path };
            all.extend(channels.get(&other).filter(|_| other != path).cloned());
        }
    }
    Some((all, is_place))
}

/// Shows the numbers of a channel; the entrant that is to be kept, where its button was pressed.
pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    (clip, path): (ClipId, ChannelPath),
    cache: &mut FigureCache,
) -> Option<Entrant> {
    let (curves, in_space) = curves(ctx, clip, path)?;
    let entrants = &ctx.view.race.entrants;
    let rows = cache.rows(&curves, entrants, in_space);
    let length_unit = ctx.document.settings.length_unit;
    let columns = Columns {
        scale: unit_map(path, length_unit).scale.abs(),
        unit: unit_name(path, length_unit),
        metres: length_unit.metres(),
        length: length_unit.symbol(),
        in_space,
    };
    let mut kept = None;
    if ui.available_width() < TABLE_PT {
        for (index, (entrant, row)) in entrants.iter().zip(rows).enumerate() {
            ui.push_id(index, |ui| {
                ui.separator();
                let room = (ui.available_width() - BUTTONS_PT).max(60.0);
                kept = head(ui, ctx, index, (*entrant, room)).or(kept);
                Grid::new("numbers").num_columns(4).spacing([10.0, 1.0]).show(ui, |ui| {
                    for (at, (name, text)) in columns.texts(row).into_iter().enumerate() {
                        ui.label(egui::RichText::new(t(name)).small().weak())
                            .on_hover_text(t(&format!("{name}_hint")).into_owned());
                        ui.label(text);
                        if at % 2 == 1 {
                            ui.end_row();
                        }
                    }
                });
            });
        }
        return kept;
    }
    Grid::new("race").spacing([12.0, 4.0]).striped(true).show(ui, |ui| {
        ui.label("");
        for (name, _) in columns.texts(&Row { figures: None, space: None }) {
            ui.strong(t(name).into_owned()).on_hover_text(t(&format!("{name}_hint")).into_owned());
        }
        ui.end_row();
        for (index, (entrant, row)) in entrants.iter().zip(rows).enumerate() {
            ui.push_id(index, |ui| kept = head(ui, ctx, index, (*entrant, f32::INFINITY)).or(kept));
            for (_, text) in columns.texts(row) {
                ui.label(text);
            }
            ui.end_row();
        }
    });
    kept
}

/// Number, name (in so much room, points), and what can be done with an entrant.
fn head(ui: &mut Ui, ctx: &PanelContext<'_>, index: usize, (entrant, room): (Entrant, f32)) -> Option<Entrant> {
    let mut kept = None;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
        badge(ui.painter(), rect.center(), index);
        let name = entrant_name(entrant);
        if room.is_finite() {
            ui.scope(|ui| {
                ui.set_max_width(room);
                ui.add(egui::Label::new(&name).truncate());
            });
        } else {
            ui.label(&name);
        }
        let named = |key: &str| fill(key, &[("name", &name)]);
        let button = egui::Button::new(t("race.keep").into_owned()).small();
        let button = ui.add_enabled(!entrant.is_wrong(), button).on_disabled_hover_text(t("race.keep_wrong"));
        crate::ui::widgets::set_name(ui, &button, &named("race.keep_name"));
        if button.on_hover_text(t("race.keep_hint").into_owned()).clicked() {
            kept = Some(entrant);
        }
        if IconButton::new(Icon::Delete, &named("race.remove")).show(ui).clicked() {
            ctx.commands.view(ViewChange::Race(ctx.view.race.toggled(entrant)));
        }
    });
    kept
}

/// How numbers are shown.
struct Columns {
    /// Displayed units in one of the channel's own.
    scale: f64,
    unit: &'static str,
    /// Metres in a displayed length.
    metres: f64,
    length: &'static str,
    in_space: bool,
}

impl Columns {
    /// The text keys of the columns and an entrant's texts.
    fn texts(&self, row: &Row) -> Vec<(&'static str, String)> {
        let number = |pick: fn(&Figures) -> f64, per: &str| {
            let Some(figures) = row.figures else { return "\u{2013}".to_owned() };
            let value = pick(&figures) * self.scale;
            if value == 0.0 {
                return "0".to_owned();
            }
            with_unit(&short(value), &format!("{}{per}", self.unit))
        };
        let mut texts = vec![
            ("race.speed", number(|f| f.speed, "/s")),
            ("race.acceleration", number(|f| f.acceleration, "/s²")),
            ("race.c0", number(|f| f.jump, "")),
            ("race.c1", number(|f| f.kink, "/s")),
            ("race.c2", number(|f| f.bend, "/s²")),
            ("race.overshoot", number(|f| f.overshoot, "")),
            ("race.way", number(|f| f.way, "")),
        ];
        if self.in_space {
            let space = row.space.map(|space| with_unit(&short(space / self.metres), self.length));
            texts.push(("race.space", space.unwrap_or_else(|| "\u{2013}".to_owned())));
        }
        texts
    }
}

/// A number with four digits or so.
fn short(value: f64) -> String {
    if !value.is_finite() {
        return "\u{221e}".to_owned();
    }
    let size = value.abs();
    if size >= 1e6 || (size > 0.0 && size < 1e-3) {
        return format!("{value:.2e}");
    }
    number_text(
        value,
        if size >= 1000.0 {
            0
        } else if size >= 100.0 {
            1
        } else if size >= 10.0 {
            2
        } else {
            3
        },
    )
}

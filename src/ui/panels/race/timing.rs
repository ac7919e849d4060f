//! Timing: one action at several lengths side by side, looped from one start, and the one to use.

use super::badge;
use crate::{
    command::Command,
    eval::sample::scalar_values,
    interact::{
        timing::{Action, TimingView, action},
        view_state::ViewChange,
    },
    model::{ChannelPath, Curve, Document},
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::{
            graph::{full_name, unit_map, unit_name, with_unit},
            race::rival_colour,
        },
        subject,
        widgets::{
            DragField, FieldEdit, IconButton,
            chart::{Chart, Item},
            drag_field::number_text,
        },
    },
};
use egui::{Label, RichText, Sense, Ui, Vec2};
use std::sync::Arc;

/// Points of a curve.
const POINTS: u32 = 120;

/// What the tab remembers: which channel is plotted, and what was last worked out.
#[derive(Debug, Default)]
pub(super) struct TimingState {
    channel: Option<ChannelPath>,
    plots: Option<(Of, Vec<Plot>)>,
}

/// What plots were worked out from.
type Of = (Arc<Document>, Action, Vec<u32>, ChannelPath);

/// A channel at one length.
#[derive(Clone, Debug, PartialEq)]
struct Plot {
    /// Frames from the start, displayed values.
    line: Vec<[f64; 2]>,
    /// The greatest change a second, displayed units.
    fastest: f64,
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut TimingState) {
    ui.add(Label::new(RichText::new(t("timing.hint")).weak()).wrap());
    let found =
        subject::clip(ctx.document, ctx.selection).and_then(|(clip, _)| action(ctx.document, clip, ctx.selection));
    let Some(found) = found else {
        ui.add(Label::new(RichText::new(t("timing.nothing")).weak()).wrap());
        return;
    };
    let rate = ctx.document.settings.rate;
    let [first, last] = [found.start, found.end].map(|secs| number_text(rate.frame_f64(secs), 2));
    let length = number_text(found.frames(rate), 2);
    let (keys, curves) = (found.keys.len(), found.keys.curves().count());
    let parts: [(&str, &dyn std::fmt::Display); 5] =
        [("keys", &keys), ("curves", &curves), ("first", &first), ("last", &last), ("frames", &length)];
    ui.add(Label::new(fill("timing.of", &parts)).wrap());
    if found.captured > 0 {
        let text = fill("timing.captured", &[("count", &found.captured)]);
        ui.add(Label::new(RichText::new(text).small().color(ctx.colours.warn)).wrap());
    }
    let mut view = ctx.view.timing.clone();
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut view.shown, t("timing.shown").as_ref()).on_hover_text(t("timing.shown_hint"));
        ui.checkbox(&mut view.together, t("timing.together").as_ref()).on_hover_text(t("timing.together_hint"));
    });
    let plots = plots(ui, ctx, state, &found);
    rows(ui, ctx, &mut view, &found, (plots.0, &plots.1));
    chart(ui, ctx, &found, plots);
    if view != ctx.view.timing {
        ctx.commands.view(ViewChange::Timing(view));
    }
}

/// The lengths, one a row: number, frames, how fast it gets, and what can be done with it.
fn rows(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    view: &mut TimingView,
    found: &Action,
    (path, plots): (Option<ChannelPath>, &[Plot]),
) {
    let unit = path.map_or("", |path| unit_name(path, ctx.document.settings.length_unit));
    let rate = ctx.document.settings.rate;
    let mut gone = None;
    egui::Grid::new("timing").num_columns(4).spacing([8.0, 3.0]).show(ui, |ui| {
        for (index, frames) in view.lengths.iter_mut().enumerate() {
            ui.push_id(index, |ui| {
                ui.horizontal(|ui| {
                    let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
                    badge(ui.painter(), rect.center(), index);
                    let name = fill("timing.length", &[("number", &(index + 1))]);
                    let (low, high) = TimingView::FRAMES;
                    let field = DragField::new(&name, f64::from(*frames)).decimals(0).speed(0.1).unit("fr");
                    let (response, edits) = field.range(f64::from(low), f64::from(high)).width(64.0).show(ui);
                    response.on_hover_text(&name);
                    for edit in edits {
                        if let FieldEdit::Change(wanted) = edit {
                            // Within the range of the field.
                            *frames = wanted.round().clamp(f64::from(low), f64::from(high)) as u32;
                        }
                    }
                });
            });
            let secs = number_text(f64::from(*frames) * rate.frame_secs(), 3);
            ui.weak(fill("timing.secs", &[("secs", &secs)]));
            let fastest = |plot: &Plot| with_unit(&number_text(plot.fastest, 1), &format!("{unit}/s"));
            let fastest = plots.get(index).map_or_else(String::new, fastest);
            ui.weak(fastest).on_hover_text(t("timing.fastest_hint"));
            ui.horizontal(|ui| {
                let edit = found.retimed(*frames, rate);
                let button = ui.add_enabled(edit.is_some(), egui::Button::new(t("timing.use")).small());
                crate::ui::widgets::set_name(ui, &button, &fill("timing.use_name", &[("frames", &*frames)]));
                let button = button.on_disabled_hover_text(t("timing.is_this")).on_hover_text(t("timing.use_hint"));
                if let Some(edit) = edit.filter(|_| button.clicked()) {
                    ctx.commands.apply("history.timing", edit);
                    let text = fill("timing.used", &[("keys", &found.keys.len()), ("frames", &*frames)]);
                    ctx.commands.send(Command::Tell(Notice::info(text)));
                }
                let remove = fill("timing.remove", &[("frames", &*frames)]);
                if IconButton::new(Icon::Delete, &remove).show(ui).clicked() {
                    gone = Some(index);
                }
            });
            ui.end_row();
        }
    });
    if let Some(index) = gone {
        view.lengths.remove(index);
    }
    let add = egui::Button::new(t("timing.add").into_owned());
    if ui.add_enabled(view.lengths.len() < TimingView::MOST, add).clicked() {
        view.lengths.push(found.frames(rate).round().clamp(1.0, 1e4) as u32);
    }
}

/// The channels of an action that can be plotted.
fn channels(ctx: &PanelContext<'_>, found: &Action) -> Vec<ChannelPath> {
    let held = ctx.document.clip(found.clip);
    let is_scalar = |path: &ChannelPath| {
        held.and_then(|clip| clip.channels.get(path)).is_some_and(|curve| matches!(**curve, Curve::Scalar(_)))
    };
    found.keys.curves().map(|(at, _)| at.path).filter(is_scalar).collect()
}

/// Chooses the channel, and works its plots out anew where something is another.
fn plots(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    state: &mut TimingState,
    found: &Action,
) -> (Option<ChannelPath>, Vec<Plot>) {
    let channels = channels(ctx, found);
    let shown = state.channel.filter(|path| channels.contains(path)).or_else(|| channels.first().copied());
    let Some(path) = shown else { return (None, Vec::new()) };
    if channels.len() > 1 {
        ui.horizontal(|ui| {
            ui.label(t("timing.plot_of").into_owned());
            ui.menu_button(full_name(ctx.document, path), |ui| {
                egui::ScrollArea::vertical().max_height(320.0).min_scrolled_height(320.0).show(ui, |ui| {
                    for other in &channels {
                        if ui.selectable_label(*other == path, full_name(ctx.document, *other)).clicked() {
                            state.channel = Some(*other);
                            ui.close();
                        }
                    }
                });
            });
        });
    }
    let lengths = &ctx.view.timing.lengths;
    let same = state.plots.as_ref().is_some_and(|((document, of, known, channel), _)| {
        Arc::ptr_eq(document, ctx.document) && of == found && known == lengths && *channel == path
    });
    if !same {
        let all = lengths.iter().map(|frames| plot(ctx, found, path, *frames)).collect();
        state.plots = Some(((Arc::clone(ctx.document), found.clone(), lengths.clone(), path), all));
    }
    (Some(path), state.plots.as_ref().map_or_else(Vec::new, |(_, plots)| plots.clone()))
}

fn plot(ctx: &PanelContext<'_>, found: &Action, path: ChannelPath, frames: u32) -> Plot {
    let rate = ctx.document.settings.rate;
    let map = unit_map(path, ctx.document.settings.length_unit);
    let length = f64::from(frames) * rate.frame_secs();
    let version = found.document(ctx.document, frames);
    let curve = version.as_ref().and_then(|document| document.clip(found.clip)?.channels.get(&path).cloned());
    let Some(Curve::Scalar(curve)) = curve.as_deref() else { return Plot { line: Vec::new(), fastest: 0.0 } };
    let parts = (0..=POINTS).map(|step| f64::from(step) / f64::from(POINTS));
    let times: Vec<f64> = parts.clone().map(|part| length.mul_add(part, found.start)).collect();
    let points = parts.zip(scalar_values(curve, &times));
    let line: Vec<[f64; 2]> =
        points.filter_map(|(part, value)| Some([f64::from(frames) * part, value? * map.scale])).collect();
    let slope = |pair: &[[f64; 2]]| (pair[1][1] - pair[0][1]).abs() / ((pair[1][0] - pair[0][0]) * rate.frame_secs());
    let fastest = line.windows(2).map(slope).filter(|slope| slope.is_finite()).fold(0.0, f64::max);
    Plot { line, fastest }
}

/// The channel at all lengths over frames from the start, with the playhead as a dot on each.
fn chart(ui: &mut Ui, ctx: &PanelContext<'_>, found: &Action, (path, plots): (Option<ChannelPath>, Vec<Plot>)) {
    let Some(path) = path else { return };
    let points = || plots.iter().flat_map(|plot| plot.line.iter().copied());
    let (low, high) =
        points().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), [_, y]| (low.min(y), high.max(y)));
    if !(high >= low) {
        return;
    }
    let high = if high > low { high } else { low + 1.0 };
    let view = &ctx.view.timing;
    let longest = view.lengths.iter().copied().max().unwrap_or(1);
    let unit = unit_name(path, ctx.document.settings.length_unit);
    let value = |value: f64| with_unit(&number_text(value, 2), unit);
    let ends = ["0 f".to_owned(), format!("{longest} f"), value(low), value(high)];
    let mut items = Vec::with_capacity(2 * plots.len());
    let rate = ctx.document.settings.rate;
    for (index, (plot, frames)) in plots.iter().zip(&view.lengths).enumerate() {
        items.push(Item::Line(plot.line.clone(), rival_colour(index), false));
        let now = view.looped(found.start, *frames, rate, ctx.view.secs) - found.start;
        let at =
            plot.line.partition_point(|[x, _]| *x < now / rate.frame_secs()).min(plot.line.len().saturating_sub(1));
        items.extend(plot.line.get(at).map(|point| Item::Dots(vec![*point], rival_colour(index))));
    }
    let name = t("timing.plot");
    Chart { name: &name, x: (0.0, f64::from(longest)), y: (low, high), ends, height: 140.0 }.show(
        ui,
        ctx.colours,
        &items,
    );
}

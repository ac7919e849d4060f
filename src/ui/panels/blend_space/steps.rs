//! How the samples keep step and the point is smoothed, what that does to the feet, and the way to a clip.

use super::{Subject, change, changed};
use crate::{
    command::Command,
    edit::blend::Reduce,
    eval::{blend::layers::LayerReport, size::skeleton_size},
    interact::blend_space::{BakeWish, PointOf, SlideAsk},
    model::{Smoothing, Sync},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::inspector::send as send_field,
        widgets::{DragField, drag_field::number_text, section},
    },
};
use egui::Ui;

/// The half-life that smoothing begins with, seconds.
const HALF_LIFE: f64 = 0.15;
/// How far keys may be from what plays where nothing else is said, mm in the hands and feet of a figure 1.75 m high.
const WITHIN_MM: f64 = 2.0;

/// How what plays is to be baked.
#[derive(Clone, Debug)]
pub(super) struct Baking {
    reduce: bool,
    within_mm: f64,
}

impl Default for Baking {
    fn default() -> Self {
        Self { reduce: true, within_mm: WITHIN_MM }
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, baking: &mut Baking) {
    sync(ui, ctx, subject);
    slide(ui, ctx, subject);
    smoothing(ui, ctx, subject);
    bake(ui, ctx, subject, baking);
}

/// What the layer that plays the space was at the frame shown.
fn report<'a>(ctx: &PanelContext<'a>, subject: &Subject<'_>) -> Option<&'a LayerReport> {
    let PointOf::Layer(object, layer) = subject.of else { return None };
    ctx.frame.layers.iter().find(|report| report.object == object && report.layer == layer)
}

const fn sync_key(sync: Sync) -> &'static str {
    match sync {
        Sync::Free => "blend_space.sync_free",
        Sync::Normalised => "blend_space.sync_normalised",
        Sync::Markers => "blend_space.sync_markers",
    }
}

fn sync(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    section(ui, &t("blend_space.sync"));
    ui.horizontal_wrapped(|ui| {
        for sync in [Sync::Free, Sync::Normalised, Sync::Markers] {
            let key = sync_key(sync);
            let chosen = subject.space.sync == sync;
            let button = ui.selectable_label(chosen, t(key).into_owned());
            if button.on_hover_text(t(&format!("{key}_hint"))).clicked() && !chosen {
                change(ctx, "history.space_sync", subject.id, |space| space.sync = sync);
            }
        }
    });
    let Some(report) = report(ctx, subject) else { return };
    if report.cycle > 0.0 {
        let (cycle, phase) = (number_text(report.cycle, 3), number_text(report.phase.rem_euclid(1.0), 2));
        ui.weak(fill("blend_space.cycle", &[("secs", &cycle), ("phase", &phase)]));
    }
    let warn = |ui: &mut Ui, key: &str| {
        ui.add(egui::Label::new(egui::RichText::new(t(key)).color(ctx.colours.warn)).wrap());
    };
    if report.unmatched {
        warn(ui, "blend_space.unmatched");
    }
    if report.ignores_pins {
        warn(ui, "blend_space.ignores_pins");
    }
}

/// How far feet slide, each way of keeping step: worked out when asked for.
fn slide(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    let Some(rig) = subject.rig else { return };
    let ask = SlideAsk { rig, id: subject.id, space: subject.as_played(), point: subject.point };
    let slides = ctx.view.blend.slides.as_ref().filter(|slides| slides.of.rig == rig && slides.of.id == subject.id);
    ui.horizontal_wrapped(|ui| {
        let button = ui.button(t("blend_space.measure").into_owned());
        if button.on_hover_text(t("blend_space.measure_hint")).clicked() {
            ctx.commands.send(Command::MeasureSlide(Box::new(ask.clone())));
        }
        if slides.is_some_and(|slides| !slides.of.is_alike(&ask)) {
            ui.weak(t("blend_space.measured_before").into_owned());
        }
    });
    let Some(slides) = slides else { return };
    egui::Grid::new("blend space slide").num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
        for key in
            ["blend_space.sync_short", "blend_space.slide_step", "blend_space.slide_most", "blend_space.slide_speed"]
        {
            ui.weak(t(key).into_owned()).on_hover_text(t("blend_space.slide_hint"));
        }
        ui.end_row();
        for (sync, slide) in &slides.found {
            let text = t(sync_key(*sync)).into_owned();
            if *sync == subject.space.sync {
                ui.colored_label(ctx.colours.accent_text, text);
            } else {
                ui.label(text);
            }
            let Some(slide) = slide else {
                ui.weak(t("blend_space.no_feet").into_owned());
                ui.end_row();
                continue;
            };
            let cm = |metres: f64| format!("{} cm", number_text(100.0 * metres, 1));
            ui.label(cm(slide.mean));
            ui.label(cm(slide.most));
            ui.label(format!("{}/s", cm(slide.speed)));
            ui.end_row();
        }
    });
}

fn smoothing(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    section(ui, &t("blend_space.smoothing"));
    let now = subject.space.smoothing;
    let half_life = now.map_or(HALF_LIFE, Smoothing::half_life);
    ui.horizontal_wrapped(|ui| {
        let ways = [
            ("blend_space.smooth_none", None),
            ("blend_space.smooth_exponential", Some(Smoothing::Exponential(half_life))),
            ("blend_space.smooth_spring", Some(Smoothing::Spring(half_life))),
        ];
        for (key, way) in ways {
            let button = ui.selectable_label(now == way, t(key).into_owned());
            if button.on_hover_text(t(&format!("{key}_hint"))).clicked() && now != way {
                change(ctx, "history.space_smoothing", subject.id, |space| space.smoothing = way);
            }
        }
    });
    if let Some(smoothing) = now {
        ui.horizontal(|ui| {
            let name = t("blend_space.half_life");
            ui.label(name.clone().into_owned()).on_hover_text(t("blend_space.half_life_hint"));
            let field = DragField::new(&name, half_life).unit("s").decimals(3).range(0.001, 60.0).speed(0.005);
            let (_, edits) = field.width(72.0).show(ui);
            send_field(ctx, "history.space_smoothing", edits, |value| {
                changed(ctx, subject.id, |space| {
                    space.smoothing = Some(match smoothing {
                        Smoothing::Spring(_) => Smoothing::Spring(value),
                        Smoothing::Exponential(_) => Smoothing::Exponential(value),
                    });
                })
            });
        });
    }
}

/// The bounds of channels that keep a figure of a size within an error at its ends, metres.
fn bounds(size: f64, within: f64) -> Reduce {
    // A turn moves what hangs on it by at most its angle times how far that reaches: half the figure, through some six
    // joints one after the other, whose errors add up at worst.
    Reduce { translation: 0.5 * within, rotation: within / (3.0 * size.max(1e-3)), scale: 1e-3 }
}

/// The way to a clip.
fn bake(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, baking: &mut Baking) {
    section(ui, &t("blend_space.bake"));
    let PointOf::Layer(object, _) = subject.of else {
        ui.add(egui::Label::new(egui::RichText::new(t("blend_space.not_played")).weak()).wrap());
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut baking.reduce, t("blend_space.reduce")).on_hover_text(t("blend_space.reduce_hint"));
        if baking.reduce {
            let name = t("blend_space.within");
            let field = DragField::new(&name, baking.within_mm).unit("mm").decimals(2).range(0.01, 1000.0).speed(0.05);
            for edit in field.width(72.0).show(ui).1 {
                if let crate::ui::widgets::FieldEdit::Change(value) = edit {
                    baking.within_mm = value;
                }
            }
        }
    });
    let size = ctx.document.object(object).and_then(|object| object.as_rig()).map(|rig| skeleton_size(&rig.skeleton));
    let reduce = baking.reduce.then(|| bounds(size.unwrap_or(1.0), 1e-3 * baking.within_mm));
    ui.horizontal_wrapped(|ui| {
        let range = ctx.document.settings.play_range;
        let take = ui.button(t("blend_space.bake_range").into_owned());
        let hint = fill("blend_space.bake_range_hint", &[("first", &range.first), ("last", &range.last)]);
        let name = |key: &str| fill(key, &[("name", &subject.space.name)]);
        if take.on_hover_text(hint).clicked() {
            let wish = BakeWish { object, loop_at: None, name: name("blend_space.baked_name"), reduce };
            ctx.commands.send(Command::Bake(Box::new(wish)));
        }
        let can_loop = report(ctx, subject).is_some_and(|report| report.cycle > 0.0);
        let button = ui.add_enabled(can_loop, egui::Button::new(t("blend_space.bake_loop").into_owned()));
        let button = button.on_hover_text(t("blend_space.bake_loop_hint"));
        if button.on_disabled_hover_text(t("blend_space.no_cycle")).clicked() {
            let wish = BakeWish { object, loop_at: Some(ctx.view.secs), name: name("blend_space.loop_name"), reduce };
            ctx.commands.send(Command::Bake(Box::new(wish)));
        }
    });
    ui.add(egui::Label::new(egui::RichText::new(t("blend_space.bake_after")).weak()).wrap());
}

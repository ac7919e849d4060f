//! Ways on the ball, and how fast they turn.

use super::{
    globe::Globe,
    state::{Racer, State},
};
use crate::{
    eval::rotation_lab::LabScheme,
    interact::view_state::ViewChange,
    math::Vec3,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::race::{badge, rival_colour},
        widgets::{drag_field::number_text, quiet_plot},
    },
};
use egui::{Sense, Stroke, Ui, Vec2};
use egui_plot::{HoverPosition, Line, PlotPoint, PlotPoints, Points, VLine};

/// The least and the greatest side of the ball, points.
const BALL_PT: (f32, f32) = (150.0, 270.0);
/// Orientations nearer to each other than this have one letter, points.
const LETTER_PT: f32 = 10.0;

/// A scheme's name.
pub(super) fn scheme_name(scheme: LabScheme) -> String {
    match scheme {
        LabScheme::Nlerp => t("graph.rotation_nlerp").into_owned(),
        LabScheme::Slerp => t("graph.rotation_slerp").into_owned(),
        LabScheme::Squad => t("graph.rotation_squad").into_owned(),
        LabScheme::Cubic => t("graph.rotation_cubic").into_owned(),
        LabScheme::Euler(order) => fill("rotation_lab.euler", &[("order", &super::order_name(order))]),
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, racers: &[Racer]) {
    controls(ui, ctx, state);
    let width = ui.available_width();
    if width < 2.2 * BALL_PT.0 {
        ball(ui, ctx, state, racers, width.clamp(BALL_PT.0, BALL_PT.1));
        speeds(ui, ctx, state, racers, 130.0);
    } else {
        let side = (0.46 * width).clamp(BALL_PT.0, BALL_PT.1);
        ui.horizontal_top(|ui| {
            ball(ui, ctx, state, racers, side);
            ui.vertical(|ui| speeds(ui, ctx, state, racers, side - 4.0));
        });
    }
    legend(ui, ctx, state, racers);
}

fn controls(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State) {
    ui.horizontal_wrapped(|ui| {
        ui.label(t("rotation_lab.tip").into_owned());
        for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
            let text = egui::RichText::new(letter).color(ctx.colours.axes[axis]);
            let name = fill("rotation_lab.tip_of", &[("axis", &letter)]);
            let button = ui.selectable_label(state.tip == axis, text).on_hover_text(&name);
            crate::ui::widgets::set_name(ui, &button, &name);
            if button.clicked() {
                state.tip = axis;
            }
        }
        super::order_menu(ui, &mut state.order);
    });
}

fn ball(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, racers: &[Racer], side: f32) {
    let (globe, response) = Globe::new(ui, &t("rotation_lab.ball"), side, &state.camera, ctx.colours);
    if let Some(camera) = Globe::turned(&response, &state.camera) {
        state.camera = camera;
    }
    globe.ball();
    globe.letters();
    let tip = Vec3::ith(state.tip, 1.0);
    for racer in racers {
        globe.line(&racer.trace.tips, Stroke::new(2.0, rival_colour(racer.number)), racer.is_euler());
    }
    if let Some(first) = racers.first() {
        let mut lettered: Vec<egui::Pos2> = Vec::new();
        for (index, key) in first.way.keys().iter().enumerate() {
            let place = key.rotation * tip;
            globe.dot(&place, 3.5, ctx.colours.text);
            let at = globe.at(&place);
            // Letters of orientations that lie together would cover each other: the first one stands for them.
            if lettered.iter().all(|other| other.distance(at) > LETTER_PT) {
                globe.letter(&place, &letter(index), ctx.colours.text);
                lettered.push(at);
            }
        }
    }
    let secs = ctx.view.secs;
    for racer in racers {
        let place = racer.way.rotation(secs) * tip;
        badge(&globe.painter, globe.at(&place), racer.number);
    }
}

/// A, B, C and so on.
pub(super) fn letter(index: usize) -> String {
    char::from_u32('A' as u32 + u32::try_from(index % 26).unwrap_or(0)).map_or_else(String::new, String::from)
}

fn speeds(ui: &mut Ui, ctx: &PanelContext<'_>, state: &State, racers: &[Racer], height: f32) {
    let rate = ctx.document.settings.rate;
    let frame = |secs: f64| rate.frame_f64(secs);
    let title = t("rotation_lab.speed_plot");
    let hover = |at: &HoverPosition<'_>| match at {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            let (frame, speed) = (number_text(position.x, 1), number_text(position.y, 2));
            Some(fill("rotation_lab.speed_at", &[("name", plot_name), ("frame", &frame), ("speed", &speed)]))
        }
        HoverPosition::Elsewhere { .. } => None,
    };
    let top = racers.iter().map(|racer| racer.trace.most).fold(0.0, f64::max).to_degrees();
    let plot = quiet_plot(ui, "rotation lab speeds", height)
        .include_y(0.0)
        .include_y(if top > 0.0 { 1.05 * top } else { 1.0 })
        .y_axis_min_width(34.0)
        .x_axis_formatter(|mark, _| number_text(mark.value, 1))
        .y_axis_formatter(|mark, _| format!("{}°/s", number_text(mark.value, 1)))
        .cursor_color(ctx.colours.weak)
        .label_formatter(hover);
    let shown = plot.show(ui, |plot| {
        for racer in racers {
            let trace = &racer.trace;
            let points = trace.secs.iter().zip(&trace.speeds).map(|(secs, speed)| [frame(*secs), speed.to_degrees()]);
            let line = Line::new(scheme_name(racer.scheme), PlotPoints::from_iter(points));
            let style = if racer.is_euler() {
                egui_plot::LineStyle::Dashed { length: 7.0 }
            } else {
                egui_plot::LineStyle::Solid
            };
            plot.line(line.color(rival_colour(racer.number)).width(1.75).style(style));
            let secs = ctx.view.secs;
            let (from, to) = racer.way.span();
            if (from..=to).contains(&secs) {
                let at = PlotPoints::from_iter([[frame(secs), racer.way.speed(secs).to_degrees()]]);
                plot.points(Points::new("", at).radius(4.0).color(rival_colour(racer.number)));
            }
        }
        plot.vline(VLine::new("", frame(ctx.view.secs)).color(ctx.colours.accent).width(1.0));
        plot.pointer_coordinate()
    });
    crate::ui::widgets::set_name(ui, &shown.response, &title);
    // A press shows the time it is at, as in a ruler.
    if shown.response.is_pointer_button_down_on()
        && let Some(PlotPoint { x, .. }) = shown.inner
    {
        let wanted = rate.secs(x.round().clamp(-1e9, 1e9) as i64);
        if wanted != ctx.view.secs {
            ctx.commands.view(ViewChange::Time(wanted));
        }
    }
    if racers.is_empty() && state.schemes.iter().all(|on| !on) {
        ui.weak(t("rotation_lab.no_scheme").into_owned());
    }
}

fn legend(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, racers: &[Racer]) {
    let narrow = ui.available_width() < 300.0;
    egui::Grid::new("rotation lab schemes").num_columns(4).spacing([8.0, 1.0]).show(ui, |ui| {
        for number in 0..State::SCHEMES {
            let scheme = state.scheme(number);
            let name = scheme_name(scheme);
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
                badge(ui.painter(), rect.center(), number);
                ui.checkbox(&mut state.schemes[number], &name).on_hover_text(t(hint(scheme)).into_owned());
            });
            if let Some(racer) = racers.iter().find(|racer| racer.number == number) {
                let degrees = |radians: f64, decimals| number_text(radians.to_degrees(), decimals);
                let trace = &racer.trace;
                let (way, least, most) = (degrees(trace.way, 2), degrees(trace.least, 1), degrees(trace.most, 1));
                ui.label(fill("rotation_lab.way", &[("way", &way)])).on_hover_text(t("rotation_lab.way_hint"));
                if !narrow {
                    ui.label(fill("rotation_lab.speeds", &[("least", &least), ("most", &most)]))
                        .on_hover_text(t("rotation_lab.speeds_hint"));
                }
                match racer.way.angles(ctx.view.secs) {
                    Some(angles) if !narrow => {
                        let text = angles.map(|angle| format!("{}°", degrees(angle, 1))).join("  ");
                        ui.weak(text);
                    }
                    _ => {}
                }
            }
            ui.end_row();
        }
    });
}

const fn hint(scheme: LabScheme) -> &'static str {
    match scheme {
        LabScheme::Nlerp => "rotation_lab.nlerp_hint",
        LabScheme::Slerp => "rotation_lab.slerp_hint",
        LabScheme::Squad => "rotation_lab.squad_hint",
        LabScheme::Cubic => "rotation_lab.cubic_hint",
        LabScheme::Euler(_) => "rotation_lab.euler_hint",
    }
}

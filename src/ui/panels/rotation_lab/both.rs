//! `q` and `-q`: the same orientation, and both ways to it.

use super::{globe::Globe, state::State, traces::letter};
use crate::{
    eval::rotation_lab::{BothWays, Form, ReadOut},
    math::{Quat, Vec3},
    text::{fill, t},
    ui::{panel::PanelContext, panels::race::rival_colour, widgets::drag_field::number_text},
};
use egui::{RichText, Stroke, Ui};

/// Steps of a way.
const STEPS: u32 = 80;

pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    state: &mut State,
    (index, from, to): (usize, &Quat, &Quat),
    part: f64,
) -> Option<ReadOut> {
    let ways = BothWays::new(from, to);
    let width = ui.available_width();
    let side = if width < 380.0 { width.clamp(150.0, 240.0) } else { (0.46 * width).clamp(150.0, 240.0) };
    let mut wanted = None;
    let ball = |ui: &mut Ui, state: &mut State| {
        let (globe, response) = Globe::new(ui, &t("rotation_lab.both_ball"), side, &state.camera, ctx.colours);
        if let Some(camera) = Globe::turned(&response, &state.camera) {
            state.camera = camera;
        }
        globe.ball();
        let tip = Vec3::ith(state.tip, 1.0);
        for (long, colour) in [(true, long_colour()), (false, short_colour())] {
            let line: Vec<Vec3> =
                (0..=STEPS).map(|step| ways.at(long, f64::from(step) / f64::from(STEPS)) * tip).collect();
            globe.line(&line, Stroke::new(2.5, colour), long);
            globe.dot(&(ways.at(long, part) * tip), 5.0, colour);
        }
        for (q, at) in [(from, index), (to, index + 1)] {
            globe.dot(&(q * tip), 3.5, ctx.colours.text);
            globe.letter(&(q * tip), &letter(at), ctx.colours.text);
        }
    };
    if width < 380.0 {
        ball(ui, state);
        wanted = reading(ui, ctx, &ways, index, to).or(wanted);
    } else {
        ui.horizontal_top(|ui| {
            ball(ui, state);
            ui.vertical(|ui| wanted = reading(ui, ctx, &ways, index, to));
        });
    }
    wanted
}

fn short_colour() -> egui::Color32 {
    rival_colour(3)
}

fn long_colour() -> egui::Color32 {
    rival_colour(4)
}

fn reading(ui: &mut Ui, ctx: &PanelContext<'_>, ways: &BothWays, index: usize, to: &Quat) -> Option<ReadOut> {
    let numbers = |q: &Quat| q.coords.iter().map(|part| number_text(*part, 3)).collect::<Vec<_>>().join(", ");
    let minus = Quat::new_unchecked(-to.into_inner());
    let name = letter(index + 1);
    for (sign, q) in [("", to), ("−", &minus)] {
        let text = fill("rotation_lab.q", &[("sign", &sign), ("name", &name), ("numbers", &numbers(q))]);
        ui.add(egui::Label::new(text).wrap());
    }
    let degrees = |radians: f64| number_text(radians.to_degrees(), 2);
    for (key, angle, colour) in
        [("rotation_lab.short", ways.short, short_colour()), ("rotation_lab.long", ways.long, long_colour())]
    {
        let text = fill(key, &[("degrees", &degrees(angle))]);
        ui.add(egui::Label::new(RichText::new(text).color(colour)).wrap());
    }
    let dot = number_text(ways.dot, 4);
    let key = if ways.dot < 0.0 { "rotation_lab.stored_long" } else { "rotation_lab.stored_short" };
    let text = fill(key, &[("dot", &dot)]);
    ui.add(egui::Label::new(RichText::new(text).color(ctx.colours.weak)).wrap());
    let flip = fill("rotation_lab.negate", &[("name", &name)]);
    let pressed = ui.button(flip).on_hover_text(t("rotation_lab.negate_hint")).clicked();
    pressed.then(|| {
        let [x, y, z, w] = Form::Quaternion.numbers(&minus)[..4].try_into().unwrap_or([0.0; 4]);
        ReadOut::of(*to).with_all(Form::Quaternion, [x, y, z, w, 0.0, 0.0, 0.0, 0.0, 0.0]).settled()
    })
}

//! What is seen of a switch: both figures, the numbers at the switch, what it costs, and a joint over time.

use super::measured::{Measured, slopes};
use crate::{
    style::RIVALS,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        theme::colour,
        widgets::{
            chart::{Chart, Item},
            drag_field::number_text,
            set_name,
            stick::{Eye, figure, places},
        },
    },
};
use egui::{Sense, Ui, Vec2};

/// The text keys of both ways.
const WAYS: [&str; 2] = ["transition_lab.fade", "transition_lab.inertial"];

/// Both figures at a time.
pub(super) fn figures(ui: &mut Ui, ctx: &PanelContext<'_>, measured: &Measured, seen: &mut [f64; 2], time: f64) {
    let skeleton = measured.stage.skeleton();
    let size = crate::eval::size::skeleton_size(skeleton).max(1e-3);
    let gap = ui.spacing().item_spacing.x;
    let side = ((ui.available_width() - gap) / 2.0).clamp(80.0, 190.0);
    ui.horizontal(|ui| {
        for (index, key) in WAYS.into_iter().enumerate() {
            ui.vertical(|ui| {
                ui.set_max_width(side);
                let (rect, response) = ui.allocate_exact_size(Vec2::new(side, side * 0.9), Sense::drag());
                set_name(ui, &response, &t(key));
                Eye::turn(seen, &response);
                let painter = ui.painter_at(rect);
                painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
                let (_, switch) = &measured.switches[index];
                let shown = places(skeleton, &measured.stage.pose(switch, time));
                let mut centre = shown.first().copied().unwrap_or_default();
                // Up and down is to be seen; along the ground it goes along.
                centre.y = 0.5 * size;
                let eye = Eye { seen: *seen, centre, height: 1.35 * size };
                figure(&painter, rect, &eye, skeleton, &shown, colour(RIVALS[index]));
                ui.label(egui::RichText::new(t(key)).color(colour(RIVALS[index])));
            });
        }
    });
    let state = match () {
        () if time < measured.at => "transition_lab.before",
        () if time < measured.end => "transition_lab.during",
        () => "transition_lab.after",
    };
    ui.weak(fill("transition_lab.time", &[("secs", &format!("{time:.2}")), ("state", &t(state))]));
    ui.weak(t("transition_lab.play_hint")).on_hover_text(ctx.keymap.text(crate::command::CommandId::PlayPause));
}

/// What jumps at the switch, and how many clips are looked at.
pub(super) fn numbers(ui: &mut Ui, ctx: &PanelContext<'_>, measured: &Measured, time: f64) {
    egui::Grid::new("transition numbers").num_columns(3).spacing([14.0, 4.0]).striped(true).show(ui, |ui| {
        ui.weak(t("transition_lab.at_switch"));
        for (index, key) in WAYS.into_iter().enumerate() {
            ui.label(egui::RichText::new(t(key)).color(colour(RIVALS[index])));
        }
        ui.end_row();
        let rows = [
            ("transition_lab.jump_place", measured.jumps.map(|jump| jump.place * 1e3), "mm"),
            ("transition_lab.jump_velocity", measured.jumps.map(|jump| jump.velocity * 100.0), "cm/s"),
            ("transition_lab.jump_acceleration", measured.jumps.map(|jump| jump.acceleration), "m/s²"),
        ];
        for (key, values, unit) in rows {
            ui.label(t(key));
            for value in values {
                ui.label(format!("{} {unit}", number_text(value, 2)));
            }
            ui.end_row();
        }
        ui.label(t("transition_lab.meter_now")).on_hover_text(t("transition_lab.meter_hint"));
        for (how, _) in &measured.switches {
            meter(ui, ctx, how.motions_at(time - measured.at));
        }
        ui.end_row();
        ui.label(t("transition_lab.meter_all")).on_hover_text(t("transition_lab.meter_hint"));
        let rate = ctx.document.settings.rate.fps();
        let frames = ((measured.end - measured.at) * rate).ceil().max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
        let count = frames as u32;
        for (how, _) in &measured.switches {
            let looked: usize = (0..count).map(|frame| how.motions_at(f64::from(frame) / rate)).sum();
            ui.label(fill("transition_lab.meter_sum", &[("looked", &looked), ("frames", &count)]));
        }
        ui.end_row();
    });
}

/// So many clips as boxes, and as a number.
fn meter(ui: &mut Ui, ctx: &PanelContext<'_>, clips: usize) {
    ui.horizontal(|ui| {
        for index in 0..2 {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(12.0), Sense::hover());
            let colour = if index < clips { ctx.colours.accent } else { ctx.colours.field };
            ui.painter().rect_filled(rect, 2.0, colour);
        }
        ui.label(clips.to_string());
    });
}

/// The joint along an axis: where it is, how fast, how fast that changes. The time that is pointed at.
pub(super) fn plots(ui: &mut Ui, ctx: &PanelContext<'_>, measured: &Measured, axis: usize, time: f64) -> Option<f64> {
    let values: Vec<Vec<f64>> =
        measured.lines.iter().map(|line| line.iter().map(|place| place[axis.min(2)]).collect()).collect();
    let mut pointed = None;
    let mut shown: Vec<Vec<f64>> = values;
    for (key, scale, unit) in [
        ("transition_lab.place", 100.0, "cm"),
        ("transition_lab.velocity", 100.0, "cm/s"),
        ("transition_lab.acceleration", 1.0, "m/s²"),
    ] {
        ui.weak(fill(key, &[("unit", &unit)]));
        let scaled: Vec<Vec<f64>> = shown.iter().map(|line| line.iter().map(|value| value * scale).collect()).collect();
        let own = chart(ui, ctx, measured, &scaled, (&t(key), time));
        pointed = own.or(pointed);
        shown = shown.iter().map(|line| slopes(&measured.times, line)).collect();
    }
    ui.horizontal_wrapped(|ui| {
        for (index, key) in WAYS.into_iter().enumerate() {
            ui.label(egui::RichText::new(t(key)).color(colour(RIVALS[index])));
        }
        ui.weak(t("transition_lab.dashed"));
    });
    pointed
}

fn chart(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    measured: &Measured,
    lines: &[Vec<f64>],
    (name, time): (&str, f64),
) -> Option<f64> {
    // The two ways count for the range; what they come from and go to is beside.
    let of_both = || lines.iter().take(2).flatten().copied().filter(|value| value.is_finite());
    let (low, high) = (of_both().fold(f64::INFINITY, f64::min), of_both().fold(f64::NEG_INFINITY, f64::max));
    let margin = (0.08 * (high - low)).max(1e-6);
    let y = if low <= high { (low - margin, high + margin) } else { (-1.0, 1.0) };
    let x = measured.span();
    let mut items = vec![
        Item::Upright(measured.at, ctx.colours.text),
        Item::Upright(measured.end, ctx.colours.weak),
        Item::Upright(time, ctx.colours.accent),
    ];
    let points = |values: &[f64]| measured.times.iter().zip(values).map(|(t, v)| [*t, *v]).collect::<Vec<_>>();
    for (index, values) in lines.iter().enumerate().rev() {
        let paint = if index < 2 { colour(RIVALS[index]) } else { ctx.colours.weak.gamma_multiply(0.6) };
        items.push(Item::Line(points(values), paint, index >= 2));
    }
    let ends = [format!("{:.2} s", x.0), format!("{:.2} s", x.1), number_text(y.0, 1), number_text(y.1, 1)];
    Chart { name, x, y, ends, height: 92.0 }.show(ui, ctx.colours, &items)
}

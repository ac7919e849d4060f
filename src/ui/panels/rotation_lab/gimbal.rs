//! Three rings in each other that can be turned, and how near they are to lock.

use super::{
    globe::{Globe, circle},
    state::{Draft, State},
};
use crate::{
    eval::rotation_lab::{Form, ReadOut, meter, ring_frames},
    interact::{gizmo::about_axis, input::ScreenPos, picking::distance_to_segment},
    math::{EulerOrder, Vec3, rotation::nearest_turn},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, FieldEdit, drag_field::number_text},
    },
};
use egui::{CursorIcon, Rect, Response, Sense, Stroke, Ui, Vec2};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The radius of each ring, outermost first.
const RADII: [f64; 3] = [1.0, 0.8, 0.6];
/// How near a ring a press takes hold of it, points.
const HIT_PT: f64 = 9.0;
/// From this near to lock on the meter warns, degrees.
const NEAR_DEG: f64 = 15.0;
const LETTERS: [&str; 3] = ["X", "Y", "Z"];

/// A ring that is being turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct RingDrag {
    ring: usize,
    /// The angles at the press.
    start: [f64; 3],
    /// The axis it turns about.
    axis: Vec3,
    press: ScreenPos,
    /// How far it was turned when last seen: turns are counted.
    turned: f64,
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, active: &Draft) -> Option<ReadOut> {
    let order = state.order;
    let [a, b, c, ..] = active.read.numbers(Form::Euler(order));
    let angles = [a, b, c];
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        super::order_menu(ui, &mut state.order);
        for slot in 0..3 {
            let letter = LETTERS[order.axes()[slot]];
            let name = fill("rotation_lab.ring", &[("axis", &letter), ("place", &place(slot))]);
            let field = DragField::new(&name, angles[slot].to_degrees()).unit("°").decimals(2).speed(0.5).width(66.0);
            let (response, edits) = field.show(ui);
            let edge = response.rect.with_max_x(response.rect.left() + 3.0);
            ui.painter().rect_filled(edge, 1.0, ctx.colours.axes[order.axes()[slot]]);
            response.on_hover_text(&name);
            for edit in edits {
                if let FieldEdit::Change(value) = edit {
                    let mut typed = angles;
                    typed[slot] = value.to_radians();
                    wanted = Some(typed);
                }
            }
        }
        let lock = ui.button(t("rotation_lab.to_lock").into_owned()).on_hover_text(t("rotation_lab.to_lock_hint"));
        if lock.clicked() {
            wanted = Some([angles[0], nearest_turn(FRAC_PI_2, angles[1]), angles[2]]);
        }
    });
    let width = ui.available_width();
    let side = if width < 380.0 { width.clamp(150.0, 260.0) } else { (0.5 * width).clamp(150.0, 260.0) };
    let mut rings = |ui: &mut Ui| {
        let (globe, response) = Globe::new(ui, &t("rotation_lab.rings"), side, &state.camera, ctx.colours);
        let hit = drag(ui, state, &globe, &response, order, angles);
        if let Some(turned) = hit.1 {
            wanted = Some(turned);
        }
        paint(ctx, &globe, order, angles, state.ring.map(|drag| drag.ring).or(hit.0));
    };
    if width < 380.0 {
        rings(ui);
        reading(ui, ctx, order, angles);
    } else {
        ui.horizontal_top(|ui| {
            rings(ui);
            ui.vertical(|ui| reading(ui, ctx, order, angles));
        });
    }
    let [a, b, c] = wanted?;
    Some(active.read.with_all(Form::Euler(order), [a, b, c, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
}

fn place(slot: usize) -> String {
    let key = ["rotation_lab.outer", "rotation_lab.middle", "rotation_lab.inner"];
    key.get(slot).map_or_else(String::new, |key| t(key).into_owned())
}

/// The axis each ring turns about, as the others carry it.
fn axes(order: EulerOrder, angles: [f64; 3]) -> [Vec3; 3] {
    let frames = ring_frames(order, angles);
    let own = |slot: usize| Vec3::ith(order.axes()[slot], 1.0);
    [own(0), frames[0] * own(1), frames[1] * own(2)]
}

/// The line a ring is drawn along: it holds the axis of the ring within it, and its own axis lies in its plane, as pivots do.
fn ring(order: EulerOrder, angles: [f64; 3], slot: usize) -> Vec<Vec3> {
    let frame = ring_frames(order, angles)[slot];
    // In the ring lie its own axis and that of the next; of the innermost ring the body's axis that is left.
    let normal = match slot {
        0 => order.axes()[2],
        1 => order.axes()[0],
        _ => order.axes()[1],
    };
    circle(&(frame * Vec3::ith(normal, 1.0)), RADII[slot])
}

/// The ring under the pointer, and the angles while one is turned.
fn drag(
    ui: &Ui,
    state: &mut State,
    globe: &Globe<'_>,
    response: &Response,
    order: EulerOrder,
    angles: [f64; 3],
) -> (Option<usize>, Option<[f64; 3]>) {
    let pointer = response.interact_pointer_pos().or_else(|| response.hover_pos()).map(|pos| globe.within(pos));
    let near = |at: ScreenPos| {
        let away = |slot: usize| {
            let line = ring(order, angles, slot);
            let seen = |point: &Vec3| globe.view.project(point).unwrap_or([0.0; 2]);
            let edges = line.windows(2).map(|pair| distance_to_segment(at, seen(&pair[0]), seen(&pair[1])));
            edges.fold(f64::INFINITY, f64::min)
        };
        let found = (0..3).map(|slot| (slot, away(slot))).min_by(|a, b| a.1.total_cmp(&b.1));
        found.filter(|(_, away)| *away <= HIT_PT).map(|(slot, _)| slot)
    };
    if response.drag_started()
        && let Some(press) = ui.input(|input| input.pointer.press_origin()).map(|pos| globe.within(pos))
        && let Some(slot) = near(press)
    {
        let axis = axes(order, angles)[slot];
        state.ring = Some(RingDrag { ring: slot, start: angles, axis, press, turned: 0.0 });
    }
    let Some(held) = &mut state.ring else {
        let hovered = pointer.filter(|_| !response.dragged()).and_then(near);
        if hovered.is_some() {
            ui.ctx().set_cursor_icon(CursorIcon::Grab);
        }
        if hovered.is_none() || response.dragged() {
            state.camera = Globe::turned(response, &state.camera).unwrap_or(state.camera);
        }
        return (hovered, None);
    };
    // Esc ends the drag by itself, so it is asked for before the end is.
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        let start = held.start;
        state.ring = None;
        return (None, Some(start));
    }
    if !response.dragged() {
        let ring = held.ring;
        state.ring = None;
        return (Some(ring), None);
    }
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let Some(now) = pointer else { return (Some(held.ring), None) };
    let turned = about_axis(&Vec3::zeros(), &held.axis, &globe.view, held.press, now);
    held.turned = nearest_turn(turned, held.turned);
    let mut wanted = held.start;
    wanted[held.ring] += held.turned;
    (Some(held.ring), (wanted != angles).then_some(wanted))
}

fn paint(ctx: &PanelContext<'_>, globe: &Globe<'_>, order: EulerOrder, angles: [f64; 3], lit: Option<usize>) {
    let meter = meter(order, angles);
    let turns = axes(order, angles);
    let near = meter.from_lock.to_degrees() < NEAR_DEG;
    if near {
        let line = [meter.lost * -1.1, Vec3::zeros(), meter.lost * 1.1];
        globe.line(&line, Stroke::new(1.5, ctx.colours.warn), true);
    }
    let frame = ring_frames(order, angles)[2];
    for axis in 0..3 {
        globe.arrow(&(frame * Vec3::ith(axis, 0.48)), Stroke::new(2.0, ctx.colours.axes[axis]));
    }
    for slot in 0..3 {
        let colour = ctx.colours.axes[order.axes()[slot]];
        let width = if lit == Some(slot) { 5.0 } else { 3.0 };
        globe.line(&ring(order, angles, slot), Stroke::new(width, colour), false);
        // Pivots: where it hangs in the one around it.
        let hung = RADII[slot.saturating_sub(1)] + if slot == 0 { 0.1 } else { 0.0 };
        for side in [-1.0, 1.0] {
            let pin = [turns[slot] * (side * RADII[slot]), turns[slot] * (side * hung)];
            globe.line(&pin, Stroke::new(2.0, ctx.colours.text), false);
            globe.dot(&pin[0], 3.0, ctx.colours.text);
        }
    }
    if near {
        globe.letter(&(meter.lost * 1.1), LETTERS[meter.lost_axis], ctx.colours.warn);
    }
}

/// How near to lock, as a bar and in words.
fn reading(ui: &mut Ui, ctx: &PanelContext<'_>, order: EulerOrder, angles: [f64; 3]) {
    let meter = meter(order, angles);
    let degrees = meter.from_lock.to_degrees();
    let near = degrees < NEAR_DEG;
    let colour = if near { ctx.colours.warn } else { ctx.colours.accent };
    let (rect, bar) = ui.allocate_exact_size(Vec2::new(ui.available_width().clamp(60.0, 220.0), 10.0), Sense::hover());
    let text = fill("rotation_lab.from_lock", &[("degrees", &number_text(degrees, 1))]);
    bar.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Meter, true, &text));
    let full = rect.with_max_x(rect.left() + rect.width() * (degrees / 90.0) as f32);
    ui.painter().rect_filled(rect, 2.0, ctx.colours.field);
    ui.painter().rect_filled(Rect::from_min_max(full.min, full.max), 2.0, colour);
    let letters = order.axes().map(|axis| LETTERS[axis]);
    let strong = egui::RichText::new(&text).color(if near { ctx.colours.warn } else { ctx.colours.text });
    ui.add(egui::Label::new(strong).wrap());
    let lost = LETTERS[meter.lost_axis];
    let parts: [(&str, &dyn std::fmt::Display); 3] = [("first", &letters[0]), ("third", &letters[2]), ("lost", &lost)];
    let key = if degrees < 0.05 {
        "rotation_lab.locked"
    } else if near {
        "rotation_lab.near_lock"
    } else {
        "rotation_lab.free"
    };
    ui.add(egui::Label::new(egui::RichText::new(fill(key, &parts)).color(ctx.colours.weak)).wrap());
    let gain = number_text(meter.gain, 4);
    let half = number_text((meter.from_lock / 2.0).to_degrees(), 2);
    let gain = fill("rotation_lab.gain", &[("gain", &gain), ("half", &half)]);
    ui.add(egui::Label::new(egui::RichText::new(gain).small().color(ctx.colours.weak)).wrap())
        .on_hover_text(t("rotation_lab.gain_hint"));
    let spins = angles.iter().any(|angle| angle.abs() > TAU);
    if spins {
        ui.weak(t("rotation_lab.turns").into_owned());
    }
}

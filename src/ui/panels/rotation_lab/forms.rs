//! The read-out: one rotation in every form, each of which can be typed.

use super::{
    order_name,
    state::{Draft, State},
};
use crate::{
    eval::rotation_lab::{Form, ReadOut, Said},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        theme::GRID_PT,
        widgets::{DragField, FieldEdit, drag_field::number_text},
    },
};
use egui::{Key, RichText, TextEdit, Ui};

const LETTERS: [&str; 4] = ["x", "y", "z", "w"];
/// Width of the names, points.
const NAME_PT: f32 = 92.0;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, active: &Draft) -> Option<ReadOut> {
    let mut wanted = None;
    for form in Form::ALL {
        ui.push_id(form_name(form), |ui| {
            let typed = match &state.text {
                Some((typed, _)) if *typed == form => as_text(ui, state, active, form),
                _ => row(ui, ctx, state, active, form),
            };
            wanted = typed.or(wanted);
        });
        if let Some((of, said)) = active.read.said().filter(|(of, _)| *of == form)
            && let Some(text) = saying(of, said)
        {
            let colour = if said.is_taken() { ctx.colours.warn } else { ctx.colours.error };
            ui.add(egui::Label::new(RichText::new(text).small().color(colour)).wrap());
            if said.is_taken()
                && ui.small_button(t("rotation_lab.settle")).on_hover_text(t("rotation_lab.settle_hint")).clicked()
            {
                wanted = Some(active.read.settled());
            }
        }
    }
    if let Some(key) = state.unread {
        ui.add(egui::Label::new(RichText::new(t(key)).small().color(ctx.colours.error)).wrap());
    }
    wanted
}

pub(super) fn form_name(form: Form) -> String {
    match form {
        Form::Matrix => t("rotation_lab.matrix").into_owned(),
        Form::AxisAngle => t("rotation_lab.axis_angle").into_owned(),
        Form::Quaternion => t("rotation_lab.quaternion").into_owned(),
        Form::Euler(order) => fill("rotation_lab.euler", &[("order", &order_name(order))]),
    }
}

/// What was made of the numbers, where that must be said.
fn saying(form: Form, said: Said) -> Option<String> {
    let key = match said {
        Said::Exact => return None,
        Said::Normalised { length } => {
            return Some(fill("rotation_lab.said_length", &[("length", &number_text(length, 5))]));
        }
        Said::Nearest { off, mirrored } => {
            let key = if mirrored { "rotation_lab.said_mirrored" } else { "rotation_lab.said_nearest" };
            return Some(fill(key, &[("off", &number_text(off, 5))]));
        }
        Said::NotFinite => "rotation_lab.said_not_finite",
        Said::ZeroQuaternion => "rotation_lab.said_zero",
        Said::ZeroAxis => "rotation_lab.said_no_axis",
        Said::Flat => "rotation_lab.said_flat",
    };
    Some(fill(key, &[("form", &form_name(form))]))
}

/// The name of a form's number.
fn slot_name(form: Form, slot: usize) -> String {
    match form {
        Form::Matrix => fill("rotation_lab.entry", &[("row", &(slot / 3 + 1)), ("column", &(slot % 3 + 1))]),
        Form::AxisAngle if slot == 3 => t("rotation_lab.angle").into_owned(),
        Form::AxisAngle => fill("rotation_lab.axis_part", &[("part", &LETTERS[slot])]),
        Form::Quaternion => fill("rotation_lab.q_part", &[("part", &LETTERS[slot])]),
        Form::Euler(order) => {
            let letter = LETTERS[order.axes()[slot]].to_uppercase();
            fill("rotation_lab.euler_part", &[("order", &order_name(order)), ("axis", &letter)])
        }
    }
}

/// The axis whose colour a number has.
const fn axis_of(form: Form, slot: usize) -> Option<usize> {
    match form {
        Form::Matrix => Some(slot % 3),
        Form::AxisAngle | Form::Quaternion => {
            if slot < 3 {
                Some(slot)
            } else {
                None
            }
        }
        Form::Euler(order) => Some(order.axes()[slot]),
    }
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, active: &Draft, form: Form) -> Option<ReadOut> {
    let numbers = active.read.numbers(form);
    let lines = form.count().div_ceil(4);
    let columns = form.count() / lines;
    let mut wanted = None;
    for line in 0..lines {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GRID_PT;
            let start = ui.cursor().left();
            if line == 0 {
                let name = form_name(form);
                let locked = matches!(form, Form::Euler(order) if active.read.is_locked(order));
                let text = if locked { RichText::new(&name).color(ctx.colours.warn) } else { RichText::new(&name) };
                let hint = if locked { "rotation_lab.row_locked" } else { "rotation_lab.row_hint" };
                let link = ui.add(egui::Button::new(text).frame(false)).on_hover_text(t(hint).into_owned());
                if link.clicked() {
                    state.text = Some((form, text_of(form, &numbers)));
                    state.unread = None;
                }
            }
            ui.add_space((start + NAME_PT - ui.cursor().left()).max(0.0));
            let room = ui.available_width() - (columns as f32 - 1.0) * GRID_PT;
            let width = (room / columns as f32).clamp(38.0, 84.0);
            for (slot, number) in numbers.iter().enumerate().skip(line * columns).take(columns) {
                wanted = field(ui, ctx, active, (form, slot), *number, width).or(wanted);
            }
        });
    }
    wanted
}

fn field(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    active: &Draft,
    (form, slot): (Form, usize),
    value: f64,
    width: f32,
) -> Option<ReadOut> {
    let name = slot_name(form, slot);
    let (shown, unit, decimals, speed) =
        if form.is_angle(slot) { (value.to_degrees(), "°", 3, 0.5) } else { (value, "", 4, 0.005) };
    let field = DragField::new(&name, shown).unit(unit).decimals(decimals).speed(speed).width(width);
    let (response, edits) = field.show(ui);
    if let Some(axis) = axis_of(form, slot) {
        let edge = response.rect.with_max_x(response.rect.left() + 3.0);
        ui.painter().rect_filled(edge, 1.0, ctx.colours.axes[axis]);
    }
    response.on_hover_text(&name);
    let mut wanted = None;
    for edit in edits {
        if let FieldEdit::Change(typed) = edit {
            let typed = if form.is_angle(slot) { typed.to_radians() } else { typed };
            wanted = Some(active.read.with(form, slot, typed));
        }
    }
    wanted
}

/// All numbers of a form as one text, angles in degrees.
fn text_of(form: Form, numbers: &[f64; 9]) -> String {
    let shown = |slot: usize| if form.is_angle(slot) { numbers[slot].to_degrees() } else { numbers[slot] };
    (0..form.count()).map(|slot| number_text(shown(slot), 9)).collect::<Vec<_>>().join("  ")
}

/// The numbers of a text, angles in degrees; the key of what is wrong with it.
fn read(form: Form, text: &str) -> Result<[f64; 9], &'static str> {
    let words = text.split(|c: char| c.is_whitespace() || ",;[](){}°".contains(c)).filter(|word| !word.is_empty());
    let mut numbers = [0.0; 9];
    let mut count = 0;
    for word in words {
        // "nan" and "inf" are numbers to the reader, and refused by what takes them.
        let Ok(number) = word.replace('\u{2212}', "-").parse::<f64>() else { return Err("rotation_lab.unread_number") };
        if let Some(slot) = numbers.get_mut(count) {
            *slot = if form.is_angle(count) { number.to_radians() } else { number };
        }
        count += 1;
    }
    if count == form.count() { Ok(numbers) } else { Err("rotation_lab.unread_count") }
}

fn as_text(ui: &mut Ui, state: &mut State, active: &Draft, form: Form) -> Option<ReadOut> {
    let (_, text) = state.text.as_mut()?;
    let response = ui
        .horizontal(|ui| {
            ui.label(form_name(form));
            let edit = TextEdit::singleline(text).desired_width(ui.available_width());
            ui.add(edit)
        })
        .inner;
    crate::ui::widgets::set_name(ui, &response, &fill("rotation_lab.as_text", &[("form", &form_name(form))]));
    if !response.lost_focus() {
        if !response.has_focus() {
            response.request_focus();
        }
        return None;
    }
    let text = std::mem::take(text);
    let (enter, kept) = (ui.input(|input| input.key_pressed(Key::Enter)), text_of(form, &active.read.numbers(form)));
    if !enter || text == kept {
        state.text = None;
        return None;
    }
    match read(form, &text) {
        Ok(numbers) => {
            (state.text, state.unread) = (None, None);
            Some(active.read.with_all(form, numbers))
        }
        Err(key) => {
            (state.text, state.unread) = (Some((form, text)), Some(key));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::EulerOrder;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for form in Form::ALL {
            let mut numbers = [0.0; 9];
            for (slot, number) in numbers.iter_mut().enumerate().take(form.count()) {
                *number = 0.25 * slot as f64 - 0.5;
            }
            let back = read(form, &text_of(form, &numbers)).unwrap();
            assert!(back.iter().zip(&numbers).all(|(a, b)| (a - b).abs() < 1e-9), "{form:?}");
        }
        let matrix = read(Form::Matrix, "[[1, 0, 0],\n [0, 0, -1],\n [0, 1, 0]]").unwrap();
        assert_eq!(matrix, [1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0]);
        let euler = Form::Euler(EulerOrder::Zxy);
        assert_eq!(read(euler, "90° 0° −180°").unwrap()[2], -std::f64::consts::PI);
        assert!(read(euler, "nan 0 0").unwrap()[0].is_nan(), "told by what takes it");
        assert_eq!(read(euler, "1 2"), Err("rotation_lab.unread_count"));
        assert_eq!(read(euler, "1 2 3 4 5 6 7 8 9 10 11"), Err("rotation_lab.unread_count"));
        assert_eq!(read(euler, "1 2 three"), Err("rotation_lab.unread_number"));
        assert_eq!(read(euler, ""), Err("rotation_lab.unread_count"));
    }
}

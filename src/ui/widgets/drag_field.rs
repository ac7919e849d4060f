//! A number that is dragged, typed, or worked out (`+=5`, `90/4`), as one gesture with a beginning and an end: egui's own
//! drag value does not say when a gesture ends.

use super::arithmetic::evaluate;
use crate::{model::LengthUnit, text::fill};
use egui::{Button, Id, Key, Modifiers, Response, Role, Sense, TextEdit, Ui, Vec2, WidgetInfo};
use std::borrow::Cow;

/// What the user does to the number. A drag is `Begin, Change.., Commit`; typing sends the same three at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldEdit {
    /// A gesture begins.
    Begin,
    /// The number wanted now: from the value at the beginning, never an increment.
    Change(f64),
    /// The gesture is done.
    Commit,
    /// The gesture is called off: the value at the beginning is back.
    Cancel,
}

/// What was typed for a number and is none, until it is told.
#[derive(Clone, Debug, Default)]
struct Refused(String);

/// Notes that a text typed for a number is none: [`take_refused`] gives it to whoever tells the user.
pub fn refuse(ui: &Ui, text: String) {
    ui.data_mut(|data| data.insert_temp(Id::NULL, Refused(text)));
    ui.ctx().request_repaint();
}

/// The text that was refused last and is not told yet.
pub fn take_refused(ui: &Ui) -> Option<String> {
    ui.data_mut(|data| data.remove_temp::<Refused>(Id::NULL)).map(|refused| refused.0)
}

/// A field for one number.
#[derive(Debug)]
pub struct DragField<'a> {
    name: &'a str,
    value: f64,
    unit: &'a str,
    decimals: usize,
    speed: f64,
    range: (f64, f64),
    width: f32,
    mixed: bool,
    change: bool,
    rest: Option<f64>,
}

/// What is remembered of a field between frames.
#[derive(Clone, Debug)]
enum State {
    Dragging { base: f64, cancelled: bool, last: f64 },
    Typing { text: String, fresh: bool },
}

/// Holding Shift makes a drag this much finer.
const PRECISION: f64 = 0.1;
/// Decimals kept while the unit still has room beside them.
const LEAST_DECIMALS: usize = 2;
/// How far a number may be rounded, as a part of itself, to keep its unit.
const ROUNDED: f64 = 0.005;
/// Room left and right of the number, points.
const INSET_PT: f32 = 4.5;

impl<'a> DragField<'a> {
    /// A field named for screen readers and tests, showing a value.
    #[must_use]
    pub const fn new(name: &'a str, value: f64) -> Self {
        Self {
            name,
            value,
            unit: "",
            decimals: 2,
            speed: 0.1,
            range: (f64::NEG_INFINITY, f64::INFINITY),
            width: 72.0,
            mixed: false,
            change: false,
            rest: None,
        }
    }

    /// A unit shown after the number.
    #[must_use]
    pub const fn unit(self, unit: &'a str) -> Self {
        Self { unit, ..self }
    }

    /// Most decimals shown.
    #[must_use]
    pub const fn decimals(self, decimals: usize) -> Self {
        Self { decimals, ..self }
    }

    /// Change of the number for a point of dragging; Shift makes it a tenth.
    #[must_use]
    pub const fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// Least and greatest value.
    #[must_use]
    pub const fn range(self, low: f64, high: f64) -> Self {
        Self { range: (low, high), ..self }
    }

    /// Width, points.
    #[must_use]
    pub const fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }

    /// Shows a dash instead of the number: several things with different values.
    #[must_use]
    pub const fn mixed(self, mixed: bool) -> Self {
        Self { mixed, ..self }
    }

    /// Whether the number is a change that begins anew with every drag: while one runs it is shown.
    #[must_use]
    pub const fn as_change(self) -> Self {
        Self { change: true, ..self }
    }

    /// The number it has before anyone changes it: Backspace over the field, or its menu, gives that again.
    #[must_use]
    pub const fn rests_at(self, rest: f64) -> Self {
        Self { rest: Some(rest), ..self }
    }

    /// The number as it is typed over, without its unit: at most the decimals asked for, no trailing zeros.
    fn text(&self) -> String {
        number_text(self.value, self.decimals)
    }

    /// The number and the unit there is room for: a digit or the sign cut off would be another number, so the least
    /// decimals go first, then the unit, then the others, and a long number is written with an exponent.
    fn fitted(&self, fits: impl Fn(&str, &str) -> bool) -> (String, &str) {
        let kept = self.decimals.min(LEAST_DECIMALS);
        let near = |decimals: &usize| {
            let shown = number_text(self.value, *decimals).parse().unwrap_or(f64::NAN);
            *decimals == self.decimals || (self.value - shown).abs() <= ROUNDED * self.value.abs()
        };
        let with_unit = (kept..=self.decimals).rev().filter(near).map(|decimals| (decimals, self.unit));
        let without = (0..=self.decimals).rev().map(|decimals| (decimals, ""));
        for (decimals, unit) in with_unit.chain(without) {
            let text = number_text(self.value, decimals);
            if fits(&text, unit) {
                return (text, unit);
            }
        }
        if self.value.abs() < LONG_FROM || !self.value.is_finite() {
            return (number_text(self.value, 0), "");
        }
        let mut shortened = (0..=EXPONENT_DECIMALS).rev().map(|decimals| exponent_text(self.value, decimals));
        let fitting = shortened.find(|text| fits(text, ""));
        (fitting.unwrap_or_else(|| exponent_text(self.value, 0)), "")
    }

    /// Shows the field; the response and what was done to the number.
    pub fn show(self, ui: &mut Ui) -> (Response, Vec<FieldEdit>) {
        let id = ui.auto_id_with(self.name);
        match ui.data(|data| data.get_temp::<State>(id)) {
            Some(State::Typing { text, fresh }) => self.show_typing(ui, id, text, fresh),
            Some(State::Dragging { base, cancelled, last }) => {
                let value = if self.change && !cancelled { last } else { self.value };
                Self { value, ..self }.show_resting(ui, id, Some((base, cancelled, last)))
            }
            None => self.show_resting(ui, id, None),
        }
    }

    fn show_typing(&self, ui: &mut Ui, id: Id, mut text: String, fresh: bool) -> (Response, Vec<FieldEdit>) {
        let edit = TextEdit::singleline(&mut text).id(id.with("text")).clip_text(true).align(egui::Align2::LEFT_CENTER);
        let response = ui.add_sized(Vec2::new(self.width, ui.spacing().interact_size.y), edit);
        super::set_name(ui, &response, self.name);
        if fresh {
            response.request_focus();
            select_all(ui, response.id, text.chars().count());
            ui.data_mut(|data| data.insert_temp(id, State::Typing { text, fresh: false }));
            return (response, Vec::new());
        }
        if !response.lost_focus() && response.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, State::Typing { text, fresh: false }));
            return (response, Vec::new());
        }
        ui.data_mut(|data| data.remove::<State>(id));
        let given_up = ui.input(|input| input.key_pressed(Key::Escape));
        let edits = match evaluate(&text, self.value) {
            Some(value) if !given_up && text != self.text() => self.at_once(value),
            None if !given_up && !text.trim().is_empty() => {
                refuse(ui, text);
                Vec::new()
            }
            _ => Vec::new(),
        };
        (response, edits)
    }

    fn at_once(&self, value: f64) -> Vec<FieldEdit> {
        vec![FieldEdit::Begin, FieldEdit::Change(value.clamp(self.range.0, self.range.1)), FieldEdit::Commit]
    }

    fn show_resting(&self, ui: &mut Ui, id: Id, drag: Option<(f64, bool, f64)>) -> (Response, Vec<FieldEdit>) {
        let size = Vec2::new(self.width, ui.spacing().interact_size.y);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let mut response = ui.interact(rect, id, Sense::click_and_drag());
        let text = if self.mixed { "\u{2014}".to_owned() } else { self.text() };
        self.paint(ui, &response);
        let (enabled, name, value) = (ui.is_enabled(), self.name, self.value);
        response.widget_info(|| WidgetInfo {
            label: Some(name.to_owned()),
            current_text_value: Some(text.clone()),
            value: Some(value),
            ..WidgetInfo::new(Role::SpinButton)
        });
        if !enabled {
            return (response, Vec::new());
        }
        response = response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
        let enter = response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if response.clicked() || enter {
            let text = if self.mixed { String::new() } else { self.text() };
            ui.data_mut(|data| data.insert_temp(id, State::Typing { text, fresh: true }));
            ui.ctx().request_repaint();
            return (response, Vec::new());
        }
        if let Some(rest) = self.rest.filter(|rest| drag.is_none() && self.asked_to_rest(&response, *rest)) {
            return (response, self.at_once(rest));
        }
        let edits = self.drag(ui, id, &response, drag);
        (response, edits)
    }

    /// Whether the number it rests at is asked for: by Backspace with the pointer over it or the focus in it, or by its menu.
    fn asked_to_rest(&self, response: &Response, rest: f64) -> bool {
        // Where text is typed elsewhere, Backspace is for that, wherever the pointer lies.
        let free = || response.ctx.memory(|memory| memory.focused().is_none());
        let mut asked = (response.has_focus() || response.hovered() && free())
            && response.ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Backspace));
        let value = format!("{} {}", number_text(rest, self.decimals), self.unit);
        response.context_menu(|ui| {
            if ui
                .add(Button::new(fill("field.reset", &[("value", &value.trim())])).shortcut_text("Backspace"))
                .clicked()
            {
                asked = true;
                ui.close();
            }
        });
        asked && (self.mixed || self.value != rest)
    }

    fn drag(&self, ui: &Ui, id: Id, response: &Response, drag: Option<(f64, bool, f64)>) -> Vec<FieldEdit> {
        let mut edits = Vec::new();
        let (base, mut cancelled, last) = match drag {
            Some(drag) => drag,
            None if response.drag_started() => {
                edits.push(FieldEdit::Begin);
                (self.value, false, self.value)
            }
            None => return edits,
        };
        if !response.dragged() && !response.drag_stopped() {
            // The press was taken away: by another widget, a lost window, a vanished pointer.
            ui.data_mut(|data| data.remove::<State>(id));
            if !cancelled {
                edits.push(FieldEdit::Commit);
            }
            return edits;
        }
        let escape = ui.input(|input| input.key_pressed(Key::Escape) || input.pointer.secondary_pressed());
        if escape && !cancelled {
            cancelled = true;
            edits.push(FieldEdit::Cancel);
        }
        let wanted = self.dragged_value(ui, base).unwrap_or(last);
        if !cancelled && wanted != last {
            edits.push(FieldEdit::Change(wanted));
        }
        if response.drag_stopped() {
            ui.data_mut(|data| data.remove::<State>(id));
            if !cancelled {
                edits.push(FieldEdit::Commit);
            }
        } else {
            ui.data_mut(|data| data.insert_temp(id, State::Dragging { base, cancelled, last: wanted }));
        }
        edits
    }

    /// The value for where the pointer is, from the value and the place at the press.
    fn dragged_value(&self, ui: &Ui, base: f64) -> Option<f64> {
        let (origin, now, modifiers) =
            ui.input(|input| (input.pointer.press_origin(), input.pointer.latest_pos(), input.modifiers));
        let moved = f64::from((now? - origin?).x);
        let speed = if modifiers.shift { self.speed * PRECISION } else { self.speed };
        let mut value = base + moved * speed;
        if modifiers.command {
            // Ten points of dragging are one step of snapping.
            let step = self.speed * 10.0;
            value = (value / step).round() * step;
        }
        Some(value.clamp(self.range.0, self.range.1))
    }

    fn paint(&self, ui: &Ui, response: &Response) {
        let visuals = ui.style().interact(response);
        let rect = response.rect;
        let fill =
            if response.hovered() || response.dragged() { visuals.bg_fill } else { ui.visuals().extreme_bg_color };
        ui.painter().rect_filled(rect, visuals.corner_radius, fill);
        if response.has_focus() {
            let stroke = egui::Stroke::new(1.0, ui.visuals().selection.stroke.color);
            ui.painter().rect_stroke(rect, visuals.corner_radius, stroke, egui::StrokeKind::Inside);
        }
        let font = egui::TextStyle::Body.resolve(ui.style());
        let gap = |unit: &str| if unit.is_empty() || unit == "°" { 0.0 } else { 3.0 };
        let wide = |text: &str| {
            let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::WHITE);
            galley.size().x
        };
        let room = rect.width() - 2.0 * INSET_PT;
        let (text, unit) = if self.mixed {
            ("\u{2014}".to_owned(), "")
        } else {
            self.fitted(|text, unit| wide(text) + wide(unit) + gap(unit) <= room)
        };
        let colour = if ui.is_enabled() { visuals.text_color() } else { ui.visuals().weak_text_color() };
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let mut right = rect.right_center() - Vec2::new(INSET_PT, 0.0);
        if !unit.is_empty() {
            let weak = ui.visuals().weak_text_color();
            let drawn = painter.text(right, egui::Align2::RIGHT_CENTER, unit, font.clone(), weak);
            right.x = drawn.left() - gap(unit);
        }
        painter.text(right, egui::Align2::RIGHT_CENTER, text, font, colour);
    }
}

fn select_all(ui: &Ui, id: Id, chars: usize) {
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let (start, end) = (egui::text::CCursor::default(), egui::text::CCursor::new(egui::text::CharIndex(chars)));
    let range = egui::text::CCursorRange::two(start, end);
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), id);
}

/// From this on numbers are written with an exponent: their digits would fill a field and say little.
const EXPONENT_FROM: f64 = 1e12;
/// From this on a number is shorter with an exponent than with all its digits.
const LONG_FROM: f64 = 1e5;
/// Most decimals before an exponent.
const EXPONENT_DECIMALS: usize = 4;

/// A number with an exponent and at most some decimals before it, without trailing zeros.
fn exponent_text(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$e}");
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// A number with at most some decimals, without trailing zeros and without a minus before zero.
#[must_use]
pub fn number_text(value: f64, decimals: usize) -> String {
    if value.abs() >= EXPONENT_FROM && value.is_finite() {
        return exponent_text(value, EXPONENT_DECIMALS);
    }
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// A unit of a file: its name, else how long it is.
#[must_use]
pub fn unit_text(unit: LengthUnit) -> Cow<'static, str> {
    let LengthUnit::Own(own) = unit else { return unit.symbol().into() };
    let metres = own.metres();
    if metres < 1.0 {
        format!("{} mm", number_text(metres * 1e3, 2)).into()
    } else {
        format!("{} m", number_text(metres, 2)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_loses_decimals_then_its_unit_never_digits() {
        let field = DragField::new("x", -1.4292).decimals(4).unit("m");
        let fitted = |field: &DragField<'_>, room: usize| {
            let (text, unit) = field.fitted(|text, unit| text.len() + unit.len() <= room);
            format!("{text}{unit}")
        };
        let shown: Vec<String> = (0..=8).rev().map(|room| fitted(&field, room)).collect();
        assert_eq!(shown, ["-1.4292m", "-1.429m", "-1.43m", "-1.43", "-1.4", "-1", "-1", "-1", "-1"]);
        let small = DragField::new("x", 0.0051).decimals(4).unit("m");
        assert_eq!(
            (fitted(&small, 7), fitted(&small, 6), fitted(&small, 5)),
            ("0.0051m".into(), "0.0051".into(), "0.005".into())
        );
    }

    #[test]
    fn backspace_over_a_field_gives_the_number_it_rests_at() {
        use egui_kittest::{Harness, kittest::Queryable as _};
        let show = |ui: &mut Ui, got: &mut Vec<FieldEdit>| {
            for (name, field) in
                [("set", DragField::new("set", 3.0).rests_at(1.0)), ("free", DragField::new("free", 3.0))]
            {
                got.extend(ui.push_id(name, |ui| field.show(ui).1).inner);
            }
        };
        let mut harness = Harness::new_ui_state(show, Vec::new());
        let mut press = |name: &str| {
            harness.get_by_label(name).hover();
            harness.run();
            harness.key_press(Key::Backspace);
            harness.run();
            std::mem::take(harness.state_mut())
        };
        assert_eq!(press("set"), [FieldEdit::Begin, FieldEdit::Change(1.0), FieldEdit::Commit]);
        assert_eq!(press("free"), []);
    }

    #[test]
    fn backspace_where_text_is_typed_leaves_the_number_under_the_pointer() {
        use egui_kittest::{Harness, kittest::Queryable as _};
        let show = |ui: &mut Ui, (text, got): &mut (String, Vec<FieldEdit>)| {
            let typed = ui.text_edit_singleline(text);
            super::super::set_name(ui, &typed, "words");
            got.extend(DragField::new("set", 3.0).rests_at(1.0).show(ui).1);
        };
        let mut harness = Harness::new_ui_state(show, ("ab".to_owned(), Vec::new()));
        harness.get_by_label("words").focus();
        harness.run();
        harness.get_by_label("set").hover();
        harness.run();
        harness.key_press(Key::Backspace);
        harness.run();
        assert_eq!((harness.state().0.len(), harness.state().1.as_slice()), (1, &[][..]));
    }

    #[test]
    fn what_is_too_long_for_a_field_gets_an_exponent() {
        let fitted = |value: f64, room: usize| {
            let field = DragField::new("x", value).decimals(4).unit("m");
            let (text, unit) = field.fitted(|text, unit| text.len() + unit.len() <= room);
            format!("{text}{unit}")
        };
        assert_eq!(fitted(913_811.548_6, 6), "913812");
        assert_eq!(fitted(913_811.548_6, 5), "9.1e5");
        assert_eq!(fitted(-406_138.466_1, 6), "-4.1e5");
        assert_eq!(fitted(1e9, 9), "1e9");
        assert_eq!(fitted(1e9, 0), "1e9");
        assert_eq!(fitted(-2.6e14, 4), "-3e14");
        assert_eq!(fitted(12_345.0, 3), "12345");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number_text(1.500, 3), "1.5");
        assert_eq!(number_text(1e300, 4), "1e300");
        assert_eq!(number_text(-2.5e14, 0), "-2.5e14");
        assert_eq!(number_text(-0.0001, 2), "0");
        assert_eq!(number_text(120.0, 0), "120");
        assert_eq!(number_text(1.0 / 3.0, 3), "0.333");
    }
}

//! A number on a track, dragged as one gesture: its place shows where it lies between its least and its greatest.

use super::FieldEdit;
use egui::{Id, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// Height of the track with its knob, points.
const HEIGHT_PT: f32 = 18.0;
/// Radius of the knob, points.
const KNOB_PT: f32 = 6.0;
/// Values within this part of the range from the middle snap to it.
const MIDDLE: f64 = 0.02;

/// A number on a track.
#[derive(Debug)]
pub struct Knob<'a> {
    name: &'a str,
    value: f64,
    range: (f64, f64),
    width: f32,
}

/// A drag that runs: whether it was called off, and the value asked for last.
#[derive(Clone, Copy, Debug)]
struct Dragging {
    cancelled: bool,
    last: f64,
}

impl<'a> Knob<'a> {
    /// A knob named for screen readers and tests, at a value of a range.
    #[must_use]
    pub const fn new(name: &'a str, value: f64, range: (f64, f64), width: f32) -> Self {
        Self { name, value, range, width }
    }

    /// Shows it; the response and what was done to the number. A double click puts it in the middle, Esc calls a drag off.
    pub fn show(self, ui: &mut Ui) -> (Response, Vec<FieldEdit>) {
        let (rect, response) = ui.allocate_exact_size(Vec2::new(self.width, HEIGHT_PT), Sense::click_and_drag());
        let (enabled, name, value) = (ui.is_enabled(), self.name, self.value);
        response.widget_info(|| WidgetInfo {
            label: Some(name.to_owned()),
            value: Some(value),
            enabled,
            ..WidgetInfo::new(Role::Slider)
        });
        let track = rect.shrink2(Vec2::new(KNOB_PT + 1.0, 0.0));
        let edits = self.drag(ui, &response, track);
        if ui.is_rect_visible(rect) {
            self.paint(ui, &response, track);
        }
        (response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal), edits)
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.range.0, self.range.1)
    }

    /// The value of a place on the track.
    fn value_at(&self, track: Rect, at: Pos2) -> f64 {
        let (low, high) = self.range;
        let part = f64::from(((at.x - track.left()) / track.width().max(1.0)).clamp(0.0, 1.0));
        let value = (high - low).mul_add(part, low);
        if (value - self.middle()).abs() < MIDDLE * (high - low) / 2.0 { self.middle() } else { value }
    }

    fn drag(&self, ui: &Ui, response: &Response, track: Rect) -> Vec<FieldEdit> {
        if response.double_clicked() {
            return vec![FieldEdit::Begin, FieldEdit::Change(self.middle()), FieldEdit::Commit];
        }
        let id: Id = response.id.with("dragging");
        let mut edits = Vec::new();
        let known = ui.data(|data| data.get_temp::<Dragging>(id));
        let mut state = match known {
            Some(state) => state,
            None if response.drag_started() => {
                edits.push(FieldEdit::Begin);
                Dragging { cancelled: false, last: self.value }
            }
            None => return edits,
        };
        let held = response.dragged() || response.drag_stopped();
        let escape = ui.input(|input| input.key_pressed(Key::Escape) || input.pointer.secondary_pressed());
        if escape && !state.cancelled {
            state.cancelled = true;
            edits.push(FieldEdit::Cancel);
        }
        if let Some(at) = response.interact_pointer_pos().filter(|_| held && !state.cancelled) {
            let wanted = self.value_at(track, at);
            if wanted != state.last {
                state.last = wanted;
                edits.push(FieldEdit::Change(wanted));
            }
        }
        if response.dragged() {
            ui.data_mut(|data| data.insert_temp(id, state));
        } else {
            // Let go, or taken away: by a lost window, a vanished pointer.
            ui.data_mut(|data| data.remove::<Dragging>(id));
            if !state.cancelled {
                edits.push(FieldEdit::Commit);
            }
        }
        edits
    }

    fn paint(&self, ui: &Ui, response: &Response, track: Rect) {
        let visuals = ui.style().interact(response);
        let painter = ui.painter();
        let (low, high) = self.range;
        let x = |value: f64| track.left() + track.width() * (((value - low) / (high - low)).clamp(0.0, 1.0) as f32);
        let y = track.center().y;
        let line = Stroke::new(2.0, ui.visuals().widgets.inactive.bg_fill);
        painter.hline(track.x_range(), y, line);
        painter.vline(x(self.middle()), y - 4.0..=y + 4.0, Stroke::new(1.0, ui.visuals().weak_text_color()));
        let accent = ui.visuals().selection.stroke.color;
        painter.hline(x(self.middle().min(self.value))..=x(self.middle().max(self.value)), y, Stroke::new(2.0, accent));
        let at = pos2(x(self.value), y);
        painter.circle_filled(at, KNOB_PT, visuals.bg_fill);
        let strong = response.hovered() || response.dragged() || response.has_focus();
        painter.circle_stroke(at, KNOB_PT, Stroke::new(if strong { 2.0 } else { 1.2 }, accent));
    }
}

//! From egui's events on a panel's rectangle to what tools are told: [`crate::interact::input`] in points within the
//! panel. A drag belongs to the panel that got the press, wherever the pointer goes.

use crate::interact::input::{Button, Event, Key, KeyEvent, Modifiers, PointerEvent, PointerKind, ScreenPos};
use egui::{PointerButton, Pos2, Rect, Response, Ui};

/// Two clicks nearer than this in time are a double click, seconds.
const DOUBLE_SECS: f64 = 0.4;
/// Two clicks nearer than this are at one place, points.
const SAME_PLACE_PT: f64 = 6.0;
/// Points that one line of a wheel scrolls.
const LINE_PT: f64 = 40.0;

/// What a panel remembers of its input between frames.
#[derive(Debug, Default)]
pub struct PanelInput {
    /// The buttons that went down here and are still down.
    held: Vec<Button>,
    inside: bool,
    modifiers: Modifiers,
    /// Where the pointer was last seen.
    hover: Option<ScreenPos>,
    last_click: Option<(f64, ScreenPos, Button)>,
    press: Option<(f64, ScreenPos, Button)>,
}

/// What of the keyboard a panel gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// None: a text field has the focus (or had it before this frame), or another panel is meant.
    None,
    /// Those that tools know.
    Tool,
}

impl PanelInput {
    /// This frame's events, in order. `response` must be of the panel's whole rectangle and sense drags only
    /// (`Sense::drag()`), so that a drag starts at the press.
    pub fn events(&mut self, ui: &Ui, response: &Response, keys: Keys) -> Vec<Event> {
        let mut events = Vec::new();
        let over = response.contains_pointer();
        self.hover = response.hover_pos().map(|pos| place(pos, response.rect)).or(self.hover);
        ui.input(|input| {
            let modifiers = from_egui(input.modifiers);
            for event in &input.events {
                self.event(event, input.time, response.rect, over, keys, &mut events);
            }
            if modifiers != self.modifiers {
                self.modifiers = modifiers;
                events.push(Event::Modifiers(modifiers));
            }
            // A release that never came: the pointer vanished, or another window took it.
            if !self.held.is_empty() && !input.pointer.any_down() {
                let pos = input.pointer.latest_pos().unwrap_or(response.rect.center());
                for button in std::mem::take(&mut self.held) {
                    events.push(Event::pointer(PointerKind::Release(button), place(pos, response.rect), modifiers));
                }
            }
        });
        let inside = over || !self.held.is_empty();
        if self.inside && !inside {
            events.push(Event::pointer(PointerKind::Leave, [0.0, 0.0], self.modifiers));
        }
        self.inside = inside;
        events
    }

    fn event(&mut self, event: &egui::Event, now: f64, rect: Rect, over: bool, keys: Keys, out: &mut Vec<Event>) {
        match event {
            egui::Event::PointerMoved(pos) if over || !self.held.is_empty() => {
                out.push(Event::pointer(PointerKind::Move, place(*pos, rect), self.modifiers));
            }
            egui::Event::PointerButton { pos, button, pressed, modifiers } => {
                let Some(button) = button_of(*button) else { return };
                let (pos, modifiers) = (place(*pos, rect), from_egui(*modifiers));
                if *pressed && over {
                    self.held.push(button);
                    self.press = Some((now, pos, button));
                    out.push(Event::pointer(PointerKind::Press(button), pos, modifiers));
                } else if !*pressed && self.held.contains(&button) {
                    self.held.retain(|held| *held != button);
                    out.push(Event::pointer(PointerKind::Release(button), pos, modifiers));
                    if self.is_double_click(now, pos, button) {
                        out.push(Event::pointer(PointerKind::DoubleClick(button), pos, modifiers));
                    }
                }
            }
            egui::Event::MouseWheel { unit, delta, source, modifiers, .. } if over => {
                let in_points = *unit == egui::MouseWheelUnit::Point;
                let smooth = match source {
                    egui::MouseWheelSource::Wheel => false,
                    egui::MouseWheelSource::Trackpad | egui::MouseWheelSource::Momentum => true,
                    egui::MouseWheelSource::Unknown => in_points,
                };
                let factor = if in_points { 1.0 } else { LINE_PT };
                let delta = [f64::from(delta.x) * factor, f64::from(delta.y) * factor];
                let pos = self.pointer(rect, out);
                let kind = PointerKind::Scroll { delta, smooth };
                out.push(Event::Pointer(PointerEvent { kind, pos, modifiers: from_egui(*modifiers) }));
            }
            egui::Event::Zoom(factor) if over => {
                let pos = self.pointer(rect, out);
                out.push(Event::pointer(PointerKind::Pinch(f64::from(*factor)), pos, self.modifiers));
            }
            egui::Event::WindowFocused(false) if !self.held.is_empty() => {
                self.held.clear();
                out.push(Event::key(Key::Escape));
            }
            egui::Event::Key { key, pressed: true, modifiers, .. } if keys == Keys::Tool => {
                if let Some(key) = tool_key(*key) {
                    out.push(Event::Key(KeyEvent { key, modifiers: from_egui(*modifiers) }));
                }
            }
            _ => {}
        }
    }

    /// Where the pointer is, for events that do not say.
    fn pointer(&self, rect: Rect, so_far: &[Event]) -> ScreenPos {
        let moved = so_far.iter().rev().find_map(|event| match event {
            Event::Pointer(event) => Some(event.pos),
            _ => None,
        });
        moved.or(self.hover).unwrap_or([f64::from(rect.width()) / 2.0, f64::from(rect.height()) / 2.0])
    }

    fn is_double_click(&mut self, now: f64, pos: ScreenPos, button: Button) -> bool {
        let near = |a: ScreenPos, b: ScreenPos| crate::interact::input::distance(a, b) <= SAME_PLACE_PT;
        let is_click = self.press.is_some_and(|(_, press, with)| with == button && near(press, pos));
        let again = self
            .last_click
            .is_some_and(|(secs, last, with)| with == button && now - secs <= DOUBLE_SECS && near(last, pos));
        let double = is_click && again;
        self.last_click = (is_click && !double).then_some((now, pos, button));
        double
    }
}

/// A place of the window as a place within a panel.
#[must_use]
pub fn place(pos: Pos2, rect: Rect) -> ScreenPos {
    [f64::from(pos.x - rect.left()), f64::from(pos.y - rect.top())]
}

/// Modifiers as tools know them.
#[must_use]
pub const fn from_egui(modifiers: egui::Modifiers) -> Modifiers {
    Modifiers { ctrl: modifiers.command, shift: modifiers.shift, alt: modifiers.alt }
}

const fn button_of(button: PointerButton) -> Option<Button> {
    match button {
        PointerButton::Primary => Some(Button::Primary),
        PointerButton::Middle => Some(Button::Middle),
        PointerButton::Secondary => Some(Button::Secondary),
        PointerButton::Extra1 | PointerButton::Extra2 => None,
    }
}

fn tool_key(key: egui::Key) -> Option<Key> {
    Some(match key {
        egui::Key::X => Key::X,
        egui::Key::Y => Key::Y,
        egui::Key::Z => Key::Z,
        egui::Key::Period | egui::Key::Comma => Key::Point,
        egui::Key::Minus => Key::Minus,
        egui::Key::Tab => Key::Tab,
        egui::Key::Equals => Key::Equals,
        egui::Key::Backspace => Key::Backspace,
        egui::Key::Enter => Key::Enter,
        egui::Key::Escape => Key::Escape,
        other => Key::Digit(other.name().parse().ok().filter(|digit| *digit <= 9)?),
    })
}

//! How a running movement is steered: by the pointer, axis keys, typed numbers, modifiers; and how it ends.

use crate::interact::{
    input::{Button, Event, Key, KeyEvent, Modifiers, PointerKind, ScreenPos, offset},
    modal::{Constraint, PrecisePointer, TypedEntry},
};

/// What ends a running movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// By a press: the release confirms.
    ByPress,
    /// By a key: a press confirms.
    ByKey,
}

/// What an event did to a running movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steer {
    /// It is to be worked out anew.
    Changed,
    /// It is done.
    Confirmed,
    /// It is to be dropped.
    Cancelled,
    /// Nothing.
    Ignored,
}

/// The state of steering.
#[derive(Clone, Debug, PartialEq)]
pub struct Steering {
    begun: Begun,
    press: ScreenPos,
    pointer: PrecisePointer,
    seen: ScreenPos,
    real: ScreenPos,
    modifiers: Modifiers,
    constraint: Constraint,
    typed: TypedEntry,
}

impl Steering {
    /// A movement that begins with the pointer at a place.
    #[must_use]
    pub fn new(begun: Begun, press: ScreenPos) -> Self {
        Self {
            begun,
            press,
            pointer: PrecisePointer::new(press),
            seen: press,
            real: press,
            modifiers: Modifiers::NONE,
            constraint: Constraint::Free,
            typed: TypedEntry::default(),
        }
    }

    /// Where the pointer was when it began.
    #[must_use]
    pub const fn press(&self) -> ScreenPos {
        self.press
    }

    /// Where it counts as being now.
    #[must_use]
    pub const fn now(&self) -> ScreenPos {
        self.seen
    }

    /// Where it really is.
    #[must_use]
    pub const fn pointer(&self) -> ScreenPos {
        self.real
    }

    /// The total way of the pointer, points.
    #[must_use]
    pub fn way(&self) -> [f64; 2] {
        offset(self.press, self.seen)
    }

    /// Which axes it is held to.
    #[must_use]
    pub const fn constraint(&self) -> Constraint {
        self.constraint
    }

    /// Whether it goes in steps.
    #[must_use]
    pub const fn snaps(&self) -> bool {
        self.modifiers.ctrl
    }

    /// Whether what it moves is to be parted from here on.
    #[must_use]
    pub const fn parts(&self) -> bool {
        self.modifiers.alt
    }

    /// Whether it is slow.
    #[must_use]
    pub const fn is_precise(&self) -> bool {
        self.modifiers.shift
    }

    /// The numbers typed.
    #[must_use]
    pub const fn typed(&self) -> &TypedEntry {
        &self.typed
    }

    /// Handles an event.
    pub fn handle(&mut self, event: &Event) -> Steer {
        match event {
            Event::Pointer(pointer) => match (pointer.kind, self.begun) {
                (PointerKind::Move, _) => self.moved(pointer.pos, pointer.modifiers),
                (PointerKind::Release(Button::Primary), Begun::ByPress) => {
                    self.moved(pointer.pos, pointer.modifiers);
                    Steer::Confirmed
                }
                (PointerKind::Press(Button::Primary), Begun::ByKey) => Steer::Confirmed,
                (PointerKind::Press(Button::Secondary), _) => Steer::Cancelled,
                _ => Steer::Ignored,
            },
            Event::Key(key) => self.pressed(*key),
            Event::Modifiers(modifiers) if *modifiers != self.modifiers => self.moved(self.real, *modifiers),
            Event::Modifiers(_) => Steer::Ignored,
        }
    }

    fn moved(&mut self, pos: ScreenPos, modifiers: Modifiers) -> Steer {
        self.real = pos;
        self.modifiers = modifiers;
        self.seen = self.pointer.moved(pos, modifiers.shift);
        Steer::Changed
    }

    fn pressed(&mut self, event: KeyEvent) -> Steer {
        match event.key {
            Key::Escape => Steer::Cancelled,
            Key::Enter => Steer::Confirmed,
            key => {
                if let Some(axis) = Constraint::axis_of(key) {
                    self.constraint = self.constraint.pressed(axis, event.modifiers.shift);
                    Steer::Changed
                } else if self.typed.press(key) {
                    Steer::Changed
                } else {
                    Steer::Ignored
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer(kind: PointerKind, pos: ScreenPos) -> Event {
        Event::pointer(kind, pos, Modifiers::NONE)
    }

    #[test]
    fn a_release_ends_what_a_press_began_and_a_press_what_a_key_began() {
        let (press, release) = (PointerKind::Press(Button::Primary), PointerKind::Release(Button::Primary));
        let mut drag = Steering::new(Begun::ByPress, [0.0, 0.0]);
        assert_eq!(drag.handle(&pointer(press, [1.0, 0.0])), Steer::Ignored);
        assert_eq!(drag.handle(&pointer(release, [9.0, 0.0])), Steer::Confirmed);
        assert_eq!(drag.way(), [9.0, 0.0]);
        let mut modal = Steering::new(Begun::ByKey, [0.0, 0.0]);
        assert_eq!(modal.handle(&pointer(release, [1.0, 0.0])), Steer::Ignored);
        assert_eq!(modal.handle(&pointer(press, [1.0, 0.0])), Steer::Confirmed);
        for mut steering in [drag, modal] {
            assert_eq!(steering.handle(&Event::key(Key::Escape)), Steer::Cancelled);
            assert_eq!(steering.handle(&pointer(PointerKind::Press(Button::Secondary), [0.0; 2])), Steer::Cancelled);
            assert_eq!(steering.handle(&Event::key(Key::Enter)), Steer::Confirmed);
        }
    }

    #[test]
    fn a_modifier_alone_changes_it() {
        let mut drag = Steering::new(Begun::ByPress, [0.0, 0.0]);
        drag.handle(&pointer(PointerKind::Move, [10.0, 0.0]));
        assert_eq!(drag.handle(&Event::Modifiers(Modifiers::NONE)), Steer::Ignored);
        assert_eq!(drag.handle(&Event::Modifiers(Modifiers::CTRL)), Steer::Changed);
        assert!(drag.snaps() && drag.now() == [10.0, 0.0]);
        drag.handle(&Event::Modifiers(Modifiers::SHIFT));
        drag.handle(&Event::pointer(PointerKind::Move, [20.0, 0.0], Modifiers::SHIFT));
        assert_eq!(drag.now(), [11.0, 0.0]);
    }
}

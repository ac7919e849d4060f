//! Input as plain data: what the pointer and the keyboard did, in points within a panel.

/// A place in a panel: logical points from its top left corner, X right, Y down.
pub type ScreenPos = [f64; 2];

/// A pointer button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Button {
    /// The left one, or a tap.
    Primary,
    /// The wheel pressed.
    Middle,
    /// The right one, or a two-finger tap.
    Secondary,
}

/// The modifier keys held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    /// Control; Command on macOS.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt; Option on macOS.
    pub alt: bool,
}

impl Modifiers {
    /// None held.
    pub const NONE: Self = Self { ctrl: false, shift: false, alt: false };
    /// Control alone.
    pub const CTRL: Self = Self { ctrl: true, ..Self::NONE };
    /// Shift alone.
    pub const SHIFT: Self = Self { shift: true, ..Self::NONE };
    /// Alt alone.
    pub const ALT: Self = Self { alt: true, ..Self::NONE };
}

/// What the pointer did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerKind {
    /// It moved.
    Move,
    /// A button went down.
    Press(Button),
    /// A button came up.
    Release(Button),
    /// A button went down and up for the second time at one place. The presses and releases are reported as well.
    DoubleClick(Button),
    /// The wheel turned or two fingers slid, points; positive Y moves content down, that is, towards the viewer.
    Scroll {
        /// Right and down.
        delta: [f64; 2],
        /// Whether it came from a trackpad, which reports points, not from a wheel, which reports clicks.
        smooth: bool,
    },
    /// Two fingers spread: above 1 enlarges; 1 is none.
    Pinch(f64),
    /// It left the panel.
    Leave,
}

/// A pointer event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerEvent {
    /// What happened.
    pub kind: PointerKind,
    /// Where. May lie outside the panel during a drag.
    pub pos: ScreenPos,
    /// The modifiers held at the time.
    pub modifiers: Modifiers,
}

/// The keys that tools listen to. Everything else is a command's shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Constrains to the X axis.
    X,
    /// Constrains to the Y axis.
    Y,
    /// Constrains to the Z axis.
    Z,
    /// 0 to 9, of either block.
    Digit(u8),
    /// The decimal point, or the decimal comma.
    Point,
    /// Turns the sign of the typed number.
    Minus,
    /// Removes the last character typed.
    Backspace,
    /// Goes to the next number.
    Tab,
    /// Turns offsets into coordinates and back.
    Equals,
    /// Confirms.
    Enter,
    /// Cancels.
    Escape,
}

/// A key that went down (or repeats).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEvent {
    /// Which.
    pub key: Key,
    /// The modifiers held at the time.
    pub modifiers: Modifiers,
}

/// Anything a tool may be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The pointer did something.
    Pointer(PointerEvent),
    /// A key went down.
    Key(KeyEvent),
    /// Modifiers changed while nothing else did: a drag is worked out anew.
    Modifiers(Modifiers),
}

impl Event {
    /// A pointer event.
    #[must_use]
    pub const fn pointer(kind: PointerKind, pos: ScreenPos, modifiers: Modifiers) -> Self {
        Self::Pointer(PointerEvent { kind, pos, modifiers })
    }

    /// A key without modifiers.
    #[must_use]
    pub const fn key(key: Key) -> Self {
        Self::Key(KeyEvent { key, modifiers: Modifiers::NONE })
    }
}

/// Movement that makes a press a drag, points.
pub const DRAG_THRESHOLD_PT: f64 = 3.0;

/// Whether the pointer has moved far enough from its press to be dragging.
#[must_use]
pub fn is_drag(press: ScreenPos, now: ScreenPos) -> bool {
    distance(press, now) >= DRAG_THRESHOLD_PT
}

/// Between two places, points.
#[must_use]
pub fn distance(a: ScreenPos, b: ScreenPos) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// From one place to another, points.
#[must_use]
pub fn offset(from: ScreenPos, to: ScreenPos) -> [f64; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

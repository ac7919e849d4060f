//! What moving and turning have in common while they run: axes held by a key, numbers typed, a pointer that can be
//! slowed down.

use super::{
    input::{Key, ScreenPos},
    view_state::TransformSpace,
};

/// Which axes a running movement is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constraint {
    /// None: free in the plane of the screen.
    #[default]
    Free,
    /// One axis (0, 1, 2) of a space.
    Axis(usize, TransformSpace),
    /// The plane square to one axis of a space.
    Plane(usize, TransformSpace),
}

impl Constraint {
    /// After an axis key: that axis of the world, then of the joint, then free again. With Shift the plane square to it.
    #[must_use]
    pub fn pressed(self, axis: usize, plane: bool) -> Self {
        let now = match self {
            Self::Axis(held, space) if held == axis && !plane => Some(space),
            Self::Plane(held, space) if held == axis && plane => Some(space),
            _ => None,
        };
        let next = match now {
            None => TransformSpace::World,
            Some(TransformSpace::World) => TransformSpace::Local,
            Some(_) => return Self::Free,
        };
        if plane { Self::Plane(axis, next) } else { Self::Axis(axis, next) }
    }

    /// The axis a key stands for.
    #[must_use]
    pub const fn axis_of(key: Key) -> Option<usize> {
        match key {
            Key::X => Some(0),
            Key::Y => Some(1),
            Key::Z => Some(2),
            _ => None,
        }
    }

    /// The letters of the axes it is held to; empty where free.
    #[must_use]
    pub fn letters(self) -> String {
        match self {
            Self::Free => String::new(),
            Self::Axis(axis, _) => axis_letter(axis).to_string(),
            Self::Plane(axis, _) => [axis_letter((axis + 1) % 3), axis_letter((axis + 2) % 3)].iter().collect(),
        }
    }

    /// The text key of the space its axes are of; none where free.
    #[must_use]
    pub const fn space_key(self) -> Option<&'static str> {
        match self {
            Self::Free => None,
            Self::Axis(_, space) | Self::Plane(_, space) => Some(match space {
                TransformSpace::Local => "space.local",
                TransformSpace::Parent => "space.parent",
                TransformSpace::World => "space.world",
            }),
        }
    }
}

/// `X`, `Y` or `Z`.
#[must_use]
pub const fn axis_letter(axis: usize) -> char {
    match axis {
        0 => 'X',
        1 => 'Y',
        _ => 'Z',
    }
}

/// A number being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedNumber {
    digits: String,
    negative: bool,
}

impl TypedNumber {
    /// The most characters kept: more digits than a double holds say nothing.
    const MOST: usize = 17;

    /// Takes a key; false where it is none that types.
    pub fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Digit(digit @ 0..=9) => {
                if self.digits.len() < Self::MOST {
                    self.digits.push(char::from(b'0' + digit));
                }
            }
            Key::Point => {
                if !self.digits.contains('.') && self.digits.len() < Self::MOST {
                    self.digits.push('.');
                }
            }
            Key::Minus => self.negative = !self.negative,
            Key::Backspace => {
                if self.digits.pop().is_none() {
                    self.negative = false;
                }
            }
            _ => return false,
        }
        true
    }

    /// Whether anything has been typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty() && !self.negative
    }

    /// The number; none before the first digit.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        // Rust reads "5." and ".5" but not ".".
        let size: f64 = self.digits.parse().ok()?;
        Some(if self.negative { -size } else { size })
    }

    /// As typed.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", if self.negative { "-" } else { "" }, self.digits)
    }
}

/// Numbers being typed for a running movement: one a direction it is free in, as offsets or as coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedEntry {
    numbers: [TypedNumber; 3],
    at: usize,
    absolute: bool,
}

impl TypedEntry {
    /// Takes a key: digits, sign and point for the number in hand, Tab for the next one, = for coordinates in place of
    /// offsets and back. False where it is none of these.
    pub fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Tab => self.at = (self.at + 1) % self.numbers.len(),
            Key::Equals => self.absolute = !self.absolute,
            key => return self.numbers.get_mut(self.at).is_some_and(|number| number.press(key)),
        }
        true
    }

    /// The number in hand.
    #[must_use]
    pub fn number(&self) -> &TypedNumber {
        self.numbers.get(self.at).unwrap_or(&self.numbers[0])
    }

    /// Which number is in hand, 0 to 2.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// All three; none for what has no digit yet.
    #[must_use]
    pub fn values(&self) -> [Option<f64>; 3] {
        [0, 1, 2].map(|place: usize| self.numbers[place].value())
    }

    /// As typed, one of three.
    #[must_use]
    pub fn text(&self, place: usize) -> String {
        self.numbers.get(place).map(TypedNumber::text).unwrap_or_default()
    }

    /// Whether they are coordinates, not offsets.
    #[must_use]
    pub const fn is_absolute(&self) -> bool {
        self.absolute
    }

    /// Whether nothing has been typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.iter().all(TypedNumber::is_empty)
    }
}

/// The pointer, at a tenth of its speed while a modifier is held. Within one speed the place is worked out from where that
/// speed began, so that many small moves end where one big one does; a change of speed moves nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisePointer {
    real: ScreenPos,
    seen: ScreenPos,
    last: ScreenPos,
    precise: bool,
}

impl PrecisePointer {
    const SLOW: f64 = 0.1;

    /// A pointer that was pressed at a place.
    #[must_use]
    pub const fn new(press: ScreenPos) -> Self {
        Self { real: press, seen: press, last: press, precise: false }
    }

    /// Where it counts as being when it is at `pos` and the modifier is or is not held.
    pub fn moved(&mut self, pos: ScreenPos, precise: bool) -> ScreenPos {
        if precise != self.precise {
            // The last place was reached at the old speed.
            self.seen = self.place(self.last);
            self.real = self.last;
            self.precise = precise;
        }
        self.last = pos;
        self.place(pos)
    }

    fn place(&self, pos: ScreenPos) -> ScreenPos {
        if !self.precise {
            let from = |axis: usize| self.seen[axis] + (pos[axis] - self.real[axis]);
            // Without any slow stretch the pointer is exactly where it is.
            return if self.seen == self.real { pos } else { [from(0), from(1)] };
        }
        let slow = |axis: usize| self.seen[axis] + (pos[axis] - self.real[axis]) * Self::SLOW;
        [slow(0), slow(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_key_goes_through_world_local_and_free() {
        let first = Constraint::Free.pressed(0, false);
        assert_eq!(first, Constraint::Axis(0, TransformSpace::World));
        assert_eq!(first.pressed(0, false), Constraint::Axis(0, TransformSpace::Local));
        assert_eq!(first.pressed(0, false).pressed(0, false), Constraint::Free);
        assert_eq!(first.pressed(2, false), Constraint::Axis(2, TransformSpace::World));
        assert_eq!(first.pressed(0, true), Constraint::Plane(0, TransformSpace::World));
        let plane = Constraint::Plane(1, TransformSpace::World);
        assert_eq!((plane.letters().as_str(), plane.space_key()), ("ZX", Some("space.world")));
    }

    #[test]
    fn numbers_are_typed_and_mended() {
        let mut number = TypedNumber::default();
        for key in [Key::Digit(1), Key::Point, Key::Digit(5), Key::Point, Key::Digit(2), Key::Minus] {
            assert!(number.press(key));
        }
        assert_eq!((number.value(), number.text()), (Some(-1.52), "-1.52".to_owned()));
        number.press(Key::Backspace);
        number.press(Key::Minus);
        assert_eq!(number.value(), Some(1.5));
        for _ in 0..9 {
            number.press(Key::Backspace);
        }
        assert!(number.is_empty() && number.value().is_none());
        number.press(Key::Point);
        assert_eq!(number.value(), None);
        number.press(Key::Digit(5));
        assert_eq!(number.value(), Some(0.5));
        assert!(!number.press(Key::Enter));
    }

    #[test]
    fn several_numbers_are_typed_one_after_the_other() {
        let mut entry = TypedEntry::default();
        for key in [Key::Digit(4), Key::Tab, Key::Tab, Key::Digit(2), Key::Minus, Key::Equals] {
            assert!(entry.press(key));
        }
        assert_eq!(entry.values(), [Some(4.0), None, Some(-2.0)]);
        assert!(entry.is_absolute() && !entry.is_empty() && entry.at() == 2 && entry.text(2) == "-2");
        entry.press(Key::Tab);
        assert_eq!(entry.number().text(), "4");
        assert!(!entry.press(Key::Escape));
    }

    #[test]
    fn the_slow_pointer_does_not_jump_and_adds_up_exactly() {
        let mut pointer = PrecisePointer::new([10.0, 20.0]);
        assert_eq!(pointer.moved([30.0, 20.0], false), [30.0, 20.0]);
        assert_eq!(pointer.moved([30.0, 20.0], true), [30.0, 20.0]);
        assert_eq!(pointer.moved([40.0, 10.0], true), [31.0, 19.0]);
        assert_eq!(pointer.moved([40.0, 10.0], false), [31.0, 19.0]);
        assert_eq!(pointer.moved([50.0, 10.0], false), [41.0, 19.0]);
        let (mut once, mut often) = (PrecisePointer::new([0.3, 0.7]), PrecisePointer::new([0.3, 0.7]));
        for step in 1..=100 {
            often.moved([0.3 + f64::from(step) * 0.011, 0.7], true);
        }
        let last = [0.3 + 100.0 * 0.011, 0.7];
        assert_eq!(once.moved(last, true), often.moved(last, true));
    }
}

//! Shortcuts as plain data: which key with which modifiers, read from and shown as text such as `Ctrl+Shift+Z`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// Which set of keys and mouse buttons is in use.
pub use crate::interact::view_state::Profile;

macro_rules! keys {
    ($($key:ident $name:literal),* $(,)?) => {
        /// A key of the keyboard, by what it says in a US layout; the number pad counts as the main row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "each is named as the key is")]
        pub enum Key { $($key),* }

        impl Key {
            /// All keys a shortcut may use.
            pub const ALL: &'static [Self] = &[$(Self::$key),*];

            /// The name shown and saved.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$key => $name),* }
            }
        }
    };
}

keys! {
    A "A", B "B", C "C", D "D", E "E", F "F", G "G", H "H", I "I", J "J", K "K", L "L", M "M", N "N", O "O", P "P", Q "Q",
    R "R", S "S", T "T", U "U", V "V", W "W", X "X", Y "Y", Z "Z",
    Num0 "0", Num1 "1", Num2 "2", Num3 "3", Num4 "4", Num5 "5", Num6 "6", Num7 "7", Num8 "8", Num9 "9",
    F1 "F1", F2 "F2", F3 "F3", F4 "F4", F5 "F5", F6 "F6", F7 "F7", F8 "F8", F9 "F9", F10 "F10", F11 "F11", F12 "F12",
    Left "Left", Right "Right", Up "Up", Down "Down", Home "Home", End "End", PageUp "PageUp", PageDown "PageDown",
    Insert "Insert", Delete "Delete", Backspace "Backspace", Space "Space", Tab "Tab", Enter "Enter", Escape "Escape",
    Comma ",", Period ".", Slash "/", Backslash "\\", Semicolon ";", Quote "'", OpenBracket "[", CloseBracket "]",
    Minus "-", Equals "=", Backtick "`",
}

/// A key with modifiers. On macOS Ctrl stands for the Command key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shortcut {
    /// With Ctrl.
    pub ctrl: bool,
    /// With Alt.
    pub alt: bool,
    /// With Shift.
    pub shift: bool,
    /// The key.
    pub key: Key,
}

impl Shortcut {
    /// Whether typing text would also press it: no Ctrl, and a key that types or moves the text cursor.
    #[must_use]
    pub const fn types_text(self) -> bool {
        !self.ctrl
            && !matches!(self.key, Key::F1 | Key::F2 | Key::F3 | Key::F4 | Key::F5 | Key::F6 | Key::F7 | Key::F8)
            && !matches!(self.key, Key::F9 | Key::F10 | Key::F11 | Key::F12)
            || self.edits_text()
    }

    /// Whether a text field itself uses it: undo, copy and the like belong to the field that has the focus.
    const fn edits_text(self) -> bool {
        self.ctrl && matches!(self.key, Key::A | Key::C | Key::V | Key::X | Key::Z | Key::Y)
            || matches!(self.key, Key::Left | Key::Right | Key::Home | Key::End | Key::Backspace | Key::Delete)
    }
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "Ctrl+"), (self.alt, "Alt+"), (self.shift, "Shift+")] {
            if on {
                f.write_str(name)?;
            }
        }
        f.write_str(self.key.name())
    }
}

/// A text that is not a shortcut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a shortcut such as Ctrl+Shift+Z")]
pub struct ShortcutError(pub String);

impl FromStr for Shortcut {
    type Err = ShortcutError;

    fn from_str(text: &str) -> Result<Self, ShortcutError> {
        let error = || ShortcutError(text.to_owned());
        let mut shortcut = Self { ctrl: false, alt: false, shift: false, key: Key::A };
        let mut rest = text;
        loop {
            let (flag, after) = if let Some(after) = rest.strip_prefix("Ctrl+") {
                (&mut shortcut.ctrl, after)
            } else if let Some(after) = rest.strip_prefix("Alt+") {
                (&mut shortcut.alt, after)
            } else if let Some(after) = rest.strip_prefix("Shift+") {
                (&mut shortcut.shift, after)
            } else {
                break;
            };
            *flag = true;
            rest = after;
        }
        shortcut.key = *Key::ALL.iter().find(|key| key.name() == rest).ok_or_else(error)?;
        Ok(shortcut)
    }
}

impl Serialize for Shortcut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shortcut {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_survive_text() {
        for text in ["Ctrl+Alt+Shift+F12", "A", "Ctrl+.", "Alt+,", "Shift+Space", "[", "-"] {
            assert_eq!(text.parse::<Shortcut>().unwrap().to_string(), text);
        }
        for text in ["", "Ctrl+", "Ctrl+Foo", "Hyper+A", "a"] {
            assert!(text.parse::<Shortcut>().is_err(), "{text}");
        }
    }

    #[test]
    fn letters_wait_while_text_is_typed() {
        let types = |text: &str| text.parse::<Shortcut>().unwrap().types_text();
        assert!(types("G") && types("Shift+G") && types("Alt+B") && types("Space") && types("Ctrl+Z"));
        assert!(!types("Ctrl+S") && !types("F3"));
    }
}

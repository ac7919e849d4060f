//! The panels and widgets. Reads the document, asks for changes by commands, and never changes it itself.

pub mod icons;
pub mod theme;
pub mod widgets;

//! The panels and widgets. Reads the document, asks for changes by commands, and never changes it itself.

pub mod about;
pub mod continuity;
pub mod dock;
pub mod icons;
pub mod input_map;
mod layout;
pub mod naming;
pub mod notices;
pub mod palette;
pub mod panel;
pub mod panel_input;
pub mod panels;
pub mod portraits;
pub mod rotation_form;
pub mod settings_window;
pub mod shell;
pub mod shortcut_sheet;
pub mod start;
pub mod subject;
pub mod theme;
pub mod tour;
pub mod widgets;

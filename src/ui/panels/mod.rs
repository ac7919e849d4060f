//! The panels, a file or folder each.

pub mod arc_lab;
pub mod graph;
pub mod history;
pub mod inspector;
pub mod log;
pub mod outliner;
pub mod poses;
pub mod race;
pub mod spacing;
pub mod timeline;
pub mod viewport;

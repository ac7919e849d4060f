//! Inbetween: a rig-and-curve editor for character animation.

pub mod app;
pub mod cli;
pub mod command;
pub mod edit;
pub mod eval;
pub mod interact;
pub mod io;
pub mod math;
pub mod model;
pub mod notice;
pub mod progress;
pub mod render;
pub mod samples;
pub mod scene;
pub mod style;
pub mod text;
pub mod ui;

rust_i18n::i18n!("assets/text", fallback = "en");

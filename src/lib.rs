//! Inbetween: a rig-and-curve editor for character animation.

pub mod eval;
pub mod interact;
pub mod io;
pub mod math;
pub mod model;
pub mod notice;
pub mod progress;
pub mod render;
pub mod style;

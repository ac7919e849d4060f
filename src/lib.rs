//! Inbetween: a rig-and-curve editor for character animation.

pub mod eval;
pub mod io;
pub mod interact;
pub mod math;
pub mod model;
pub mod render;
pub mod style;

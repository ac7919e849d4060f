//! Inbetween: a rig-and-curve editor for character animation.

pub mod math;
pub mod model;

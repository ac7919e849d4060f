//! Paths in space: cubic segments, their length, and the place at a distance along them.

mod length;
mod measured;
mod segment;

pub use length::{arc_length, parameter_at_length};
pub use measured::MeasuredPath;
pub use segment::{Cubic3, uniform_catmull_rom};

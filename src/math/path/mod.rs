//! Paths in space: cubic segments, their length, and the place at a distance along them.

mod drawn;
mod frames;
mod length;
mod measured;
mod segment;
mod through;
mod whole;

pub use drawn::{FittedPoint, fit_path};
pub use frames::{MinimalFrames, frame, upright};
pub use length::{LengthStep, arc_length, length_steps, parameter_at_length};
pub use measured::MeasuredPath;
pub use segment::{Cubic3, uniform_catmull_rom};
pub use through::{bezier, cardinal, catmull_rom, straight, tcb};
pub use whole::{MOST_POLYNOMIAL, clamped, monotone, natural, not_a_knot, polynomial};

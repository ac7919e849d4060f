//! What the pointer means, without any user interface library: numbers in, gestures out. Imports `math`, `model`, `eval`
//! and `edit`.

pub mod plot_view;
pub mod snap;
pub mod ticks;

//! The tools: explicit state machines, a file each.

pub mod navigate;

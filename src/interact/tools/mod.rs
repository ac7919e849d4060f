//! The tools: explicit state machines, a file each.

pub mod graph_cache;
pub mod graph_curve;
pub mod graph_hit;
pub mod keys;
pub mod navigate;
pub mod tangents;

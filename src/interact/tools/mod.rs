//! The tools: explicit state machines, a file each.

pub mod graph_add;
pub mod graph_cache;
pub mod graph_curve;
pub mod graph_edits;
pub mod graph_hit;
pub mod graph_select;
pub mod graph_tool;
pub mod graph_window;
pub mod keys;
pub mod movement;
pub mod navigate;
pub mod steering;
pub mod turning;
pub mod tangents;

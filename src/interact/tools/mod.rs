//! The tools: explicit state machines, a file each.

pub mod drag_limb;
pub mod drag_spot;
pub mod draw_path;
pub mod graph_add;
pub mod graph_cache;
pub mod graph_corrected;
pub mod graph_curve;
pub mod graph_edits;
pub mod graph_hit;
pub mod graph_ops;
pub mod graph_scale;
pub mod graph_select;
pub mod graph_tool;
pub mod graph_window;
pub mod keys;
mod limb;
pub mod move_joint;
pub mod movement;
pub mod navigate;
mod pinned;
mod pose_write;
pub mod rotate_joint;
pub mod select;
pub mod steering;
pub mod subject;
pub mod tangents;
pub mod turning;

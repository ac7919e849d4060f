//! The panels, a file or folder each.

pub mod arc_lab;
pub mod blend_space;
pub mod clips;
pub mod dope_sheet;
pub mod face_board;
pub mod fk_lab;
pub mod graph;
pub mod history;
pub mod inspector;
pub mod lattice_lab;
pub mod layers;
pub mod log;
mod markers;
pub mod outliner;
pub mod pose_lab;
pub mod poses;
pub mod race;
pub mod retarget;
pub mod rotation_lab;
pub mod skin_lab;
pub mod solver_lab;
pub mod spacing;
pub mod timeline;
pub mod transition_lab;
pub mod viewport;
pub mod warp_lab;

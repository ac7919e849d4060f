//! What the pointer and the keyboard mean, without any toolkit's types: numbers in, gestures out. Imports `math`,
//! `model`, `eval` and `edit`.
//!
//! Places on the screen are logical points from the panel's top left corner, Y down.

pub mod blend_space;
pub mod box_tree;
pub mod brush_prefs;
pub mod camera;
pub mod clip_work;
pub mod curve_view;
pub mod drag_prefs;
pub mod drive;
pub mod gizmo;
pub mod input;
pub mod limit_marks;
pub mod modal;
pub mod new_keys;
pub mod onion;
pub mod overlay;
pub mod pick_scene;
pub mod picking;
pub mod plot_view;
pub mod point_prefs;
pub mod projection;
pub mod race;
pub mod reference;
pub mod rest_mode;
pub mod retarget;
pub mod rotation_lab;
pub mod selecting;
pub mod snap;
pub mod solver_lab;
pub mod surfaces;
pub mod ticks;
pub mod timing;
pub mod tool;
pub mod tool_id;
pub mod tools;
pub mod trails;
pub mod view_state;
pub mod viewport_desk;
pub mod viewport_tools;
pub mod warp;

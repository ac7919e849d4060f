//! Turns an evaluated frame, what is selected, and a style into a [`crate::render::RenderScene`], so that the window,
//! the command line and thumbnails draw the same.

mod anatomy;
mod backdrop;
mod deform_marks;
mod figures;
mod ghosts;
mod gizmo_marks;
mod hands_and_feet;
mod image;
mod limbs;
mod loft;
mod mannequin;
#[cfg(test)]
mod mannequin_tests;
mod portrait;
mod shot;
mod skeleton_marks;
mod stage;
mod surfaces;
mod trail_marks;
mod trunk;

pub use crate::eval::limbs::Side;
pub use anatomy::Body;
pub use backdrop::Backdrop;
pub use figures::Figures;
pub use ghosts::{Ghosts, GhostsOf};
pub use mannequin::{Mannequin, Part};
pub use portrait::Portrait;
pub use shot::{SeenFrom, Shot};
pub use stage::Stage;
pub use trail_marks::TrailShown;

//! Pure evaluation: functions over borrowed slices and documents, no hidden history.

pub mod at_rest;
pub mod cache;
pub mod compare;
pub mod constraint;
pub mod contacts;
pub mod corrections;
pub mod counterparts;
pub mod curve;
pub mod cycle;
mod dense;
pub mod deviation;
pub mod drag;
pub mod drive;
pub mod fk;
pub mod fk_lab;
pub mod follow;
pub mod ik;
pub mod key_poses;
pub mod limbs;
pub mod mesh;
pub mod mirror;
pub mod pins;
pub mod pipeline;
pub mod polyline;
pub mod race;
pub mod retarget;
pub mod rotation_form;
pub mod rotation_lab;
pub mod sample;
pub mod size;
pub mod skin;
pub mod solver_lab;
pub mod stepped;
pub mod trail;

pub use cache::Evaluator;
pub use pipeline::{EvaluatedFrame, ObjectFrame, RigFrame};

//! Integration tests.

mod bvh;
mod bvh_export;
mod cli;
mod corpus;
mod damaged;
mod golden;
mod ik;
mod layering;
mod limbs;
mod open;
mod render;
mod render_in_egui;
mod ron_versions;
mod samples;
mod scene;
mod support;

//! Integration tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that panics has failed, as it should")]

mod app_picture;
mod body_drag;
mod bvh;
mod bvh_export;
mod cli;
mod corpus;
mod damaged;
mod edit_flow;
mod ghosts;
mod gltf;
mod golden;
mod graph;
mod ik;
mod journal;
mod layering;
mod limbs;
mod limits;
mod open;
mod panels;
mod paths;
mod pins;
mod pose_edits;
mod poses;
mod render;
mod render_in_egui;
mod retimes;
mod ron_versions;
mod samples;
mod scene;
mod shortcuts;
mod support;
mod tools;
mod undo_properties;
mod viewport;
mod window;

//! Integration tests.

mod bvh;
mod golden;
mod ik;
mod layering;
mod render;
mod support;

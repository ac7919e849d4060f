//! Integration tests.

mod bvh;
mod golden;
mod ik;
mod limbs;
mod layering;
mod render;
mod support;

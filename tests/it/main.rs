//! Integration tests.

mod bvh;
mod golden;
mod ik;
mod render;
mod support;

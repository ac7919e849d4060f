//! Integration tests.

mod golden;
mod ik;
mod render;
mod support;

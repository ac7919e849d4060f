//! Integration tests.

mod golden;
mod render;
mod support;
mod ik;

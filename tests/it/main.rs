//! Integration tests.

mod golden;

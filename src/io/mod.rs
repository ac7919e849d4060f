//! Bytes to model and back.

pub mod ron;

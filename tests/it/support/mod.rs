//! What several tests need.

pub(crate) mod gl;
pub(crate) mod motion;

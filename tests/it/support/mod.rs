//! What several tests need.

pub(crate) mod arbitrary;
pub(crate) mod blended;
pub(crate) mod deformed;
pub(crate) mod desk;
pub(crate) mod driver;
pub(crate) mod fakes;
pub(crate) mod figures;
pub(crate) mod gl;
pub(crate) mod glow_renderer;
pub(crate) mod motion;
pub(crate) mod seeded;
pub(crate) mod window;

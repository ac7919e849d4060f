//! Blending: weights of samples in a blend space, poses by weights, additive poses, transitions.

pub mod additive;
pub mod pose;
pub mod space;
pub mod transition;

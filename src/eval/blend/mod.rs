//! Blending: weights of samples in a blend space, poses by weights, additive poses, transitions, springs.

pub mod space;

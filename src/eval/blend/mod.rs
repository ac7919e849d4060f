//! Blending: weights of samples in a blend space, poses by weights, additive poses, transitions, and the layers of objects.
//!
//! | to | call |
//! |---|---|
//! | find weights at a point, draw heat maps | [`space::PreparedSpace`], [`space::heat_map`] |
//! | blend, mask, add poses | [`pose::blend_poses`], [`pose::lay_over`], [`additive::add`] |
//! | switch motions | [`transition::Switch`] |
//! | play an object's layers | [`layers::Player`], by [`super::Evaluator`] |
//! | find what a layer must hold for all to give a pose | [`layers::written()`] |
//! | make a clip of what plays | [`bake::baked_clip`] |
//! | find when feet come down | [`steps::marks_of_step`] |
//! | measure how feet slide | [`slide::foot_slide`], [`slide::space_slide`] |
//! | find how fast a clip goes | [`travel::velocity`] |

pub mod additive;
pub mod bake;
pub mod layers;
pub mod pose;
pub mod pose_lab;
pub mod slide;
pub mod space;
pub mod steps;
pub mod transition;
pub mod travel;

//! Channels and poses at a time: curves, then corrections, both read through the retimes, then the edits that wait at
//! exactly that time.
//!
//! [`rig_pose`], [`joint_local`] and [`channel_value`] answer single questions without a cache; playing and drawing go
//! through [`super::Evaluator`], which binds a clip to a skeleton once ([`RigBinding`]) and gives the same numbers.

mod binding;
mod bound;
mod channel;
mod clocks;
mod euler;
mod sampled;
mod track;
mod value;

pub use binding::{BoundJoint, RigBinding};
pub use channel::{
    Stage, channel_value, clip_local, joint_local, number, object_local, own_value, rest_of, rig_pose, static_number,
};
pub use euler::{axis_slot, place_angles, read_angles};
pub(in crate::eval) use sampled::{SampledChannels, SampledRotation};
pub use track::RotationTrack;
pub use value::{rotation_value, scalar_value, scalar_values};

#[cfg(test)]
mod tests;

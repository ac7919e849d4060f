//! Pins: joints held in place, solved after curves and corrections, from the pose those give.
//!
//! A pin turns the joints of its joint's limb (as found, or from the root the user has set) and the joint itself, never the
//! root of the figure. Elbows and knees are solved in closed form in the bend plane of the pose passed in, other limbs by
//! the default chain solver; a place out of reach takes the nearest point, and the gap is reported. While a pin comes, goes
//! or is not at full influence, each turned joint is slerped from the unpinned to the pinned pose. Nothing depends on what
//! was solved before.

mod asked;
pub(in crate::eval) mod bend;
mod chain;
mod goals;
mod order;
mod solve;
mod weight;

pub(in crate::eval) use asked::Asked;
pub use chain::PinChain;
pub use goals::{goals, space_in_world};
pub use solve::{Body, Goal, Space, solve};
pub use weight::{acting, acts_on, ease_at, influence};

use crate::{
    math::Vec3,
    model::{ObjectId, PinId},
};

/// What has become of a pin at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinReport {
    /// The pin, in the clip its object plays.
    pub pin: PinId,
    /// The object of the joint.
    pub object: ObjectId,
    /// The joint, by index.
    pub joint: usize,
    /// How much of it acts, above 0, to 1.
    pub weight: f64,
    /// Where it holds the joint, world.
    pub place: Vec3,
    /// How far from there the joint stays at full weight, metres.
    pub gap: f64,
    /// Whether it was left out, because it is held in what it moves itself.
    pub waits_for_itself: bool,
}

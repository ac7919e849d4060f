//! The weight brush.

use crate::{
    edit::skins::paint::{Falloff, Paint},
    model::JointMaskId,
};
use serde::{Deserialize, Serialize};

/// What the weight brush does and how.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrushPrefs {
    /// What it does.
    pub paint: Paint,
    /// How far it reaches, points on the screen, [`BrushPrefs::RADIUS`].
    pub radius: f64,
    /// How much a dab does in its middle, 0..1.
    pub strength: f64,
    /// How it fades towards its rim.
    pub falloff: Falloff,
    /// Whether the other side of the mesh gets the same for the joint there.
    pub mirror: bool,
    /// The mask whose joints are painted; none before one was chosen.
    #[serde(skip)]
    pub joint_mask: Option<JointMaskId>,
    /// The weight that joints are given, 0..1.
    pub joint_weight: f64,
}

impl Default for BrushPrefs {
    fn default() -> Self {
        Self {
            paint: Paint::Add,
            radius: 28.0,
            strength: 0.35,
            falloff: Falloff::Smooth,
            mirror: false,
            joint_mask: None,
            joint_weight: 1.0,
        }
    }
}

impl BrushPrefs {
    /// The least and the greatest radius, points.
    pub const RADIUS: (f64, f64) = (2.0, 400.0);

    /// Brought within its ranges.
    #[must_use]
    pub fn sound(self) -> Self {
        let usual = Self::default();
        let within = |value: f64, other: f64, (low, high): (f64, f64)| {
            if value.is_finite() { value.clamp(low, high) } else { other }
        };
        Self {
            radius: within(self.radius, usual.radius, Self::RADIUS),
            strength: within(self.strength, usual.strength, (0.0, 1.0)),
            joint_weight: within(self.joint_weight, usual.joint_weight, (0.0, 1.0)),
            ..self
        }
    }
}

//! How the points of lattices are moved together.

use serde::{Deserialize, Serialize};

/// What moves with the selected points of a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PointPrefs {
    /// Whether points near the selected ones go with them, less the farther they are.
    pub soft: bool,
    /// How far that reaches, metres, [`PointPrefs::RADIUS`].
    pub radius: f64,
    /// For each of the lattice's axes, whether the points on the other side of its middle do the same, mirrored.
    pub mirror: [bool; 3],
}

impl Default for PointPrefs {
    fn default() -> Self {
        Self { soft: false, radius: 0.5, mirror: [false; 3] }
    }
}

impl PointPrefs {
    /// The least and the greatest reach.
    pub const RADIUS: (f64, f64) = (1e-3, 1e3);

    /// Brought within its ranges.
    #[must_use]
    pub fn sound(self) -> Self {
        let radius = if self.radius.is_finite() { self.radius } else { Self::default().radius };
        Self { radius: radius.clamp(Self::RADIUS.0, Self::RADIUS.1), ..self }
    }

    /// How much a point goes with a selected one this far away, 1..0: a smooth step.
    #[must_use]
    pub fn share(&self, distance: f64) -> f64 {
        if !self.soft {
            return if distance > 0.0 { 0.0 } else { 1.0 };
        }
        let t = (1.0 - distance / self.radius).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

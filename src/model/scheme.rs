//! Whole-curve schemes.

use super::curve::finite;
use serde::{Deserialize, Serialize};

/// What runs through the keys of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Scheme {
    /// Each key's own interpolation.
    #[default]
    PerKey,
    /// The cubic spline with continuous acceleration, without acceleration at the ends.
    Natural,
    /// The same with given slopes at the ends, per second.
    Clamped(#[serde(deserialize_with = "finite::number")] f64, #[serde(deserialize_with = "finite::number")] f64),
    /// The same whose first two and last two segments are one cubic each.
    NotAKnot,
    /// The same whose slope and acceleration agree at both ends: for loops.
    Periodic,
    /// Cubics that rise where the keys rise and fall where they fall (PCHIP): no overshoot.
    Monotone,
    /// The one polynomial through all keys. Swings wildly between many evenly spaced keys (Runge).
    Lagrange,
}

impl Scheme {
    /// All kinds, in the order they are offered; the clamped one with level ends.
    pub const ALL: [Self; 7] = [
        Self::PerKey,
        Self::Natural,
        Self::Clamped(0.0, 0.0),
        Self::NotAKnot,
        Self::Periodic,
        Self::Monotone,
        Self::Lagrange,
    ];

    /// The most keys the polynomial goes through; a curve of more keys runs as the natural spline instead.
    pub const MOST_LAGRANGE_KEYS: usize = 256;

    /// From how many keys on the polynomial is warned of: evenly spaced ones swing visibly from there.
    pub const RUNGE_KEYS: usize = 9;

    /// Whether both are of one kind, whatever slopes they hold.
    #[must_use]
    pub fn is_kind_of(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether its numbers are finite.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        if let Self::Clamped(start, end) = self { start.is_finite() && end.is_finite() } else { true }
    }
}

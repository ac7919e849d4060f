//! Lights: what a file says about them is kept, keyed and written back; the view has its own light.

use serde::{Deserialize, Serialize};

/// A light. It shines along its own -Z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Light {
    /// How it spreads.
    pub shape: LightShape,
    /// Linear colour, red, green, blue, 0..1.
    pub color: [f64; 3],
    /// Candela of a point or spot light, lux of a directional one; at least 0.
    #[serde(deserialize_with = "super::curve::finite::number")]
    pub intensity: f64,
    /// Where it ends, metres; none for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<f64>,
}

/// How a light spreads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LightShape {
    /// In parallel, from infinitely far.
    Directional,
    /// From a point to all sides.
    Point,
    /// From a point in a cone.
    Spot {
        /// Where it begins to fade, radians from the axis.
        inner: f64,
        /// Where it ends, radians from the axis.
        outer: f64,
    },
}

impl Default for Light {
    /// A white point light of 1 candela.
    fn default() -> Self {
        Self { shape: LightShape::Point, color: [1.0; 3], intensity: 1.0, range: None }
    }
}

impl Light {
    /// Whether every number is finite and within its range.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let cone = match self.shape {
            LightShape::Directional | LightShape::Point => true,
            LightShape::Spot { inner, outer } => {
                0.0 <= inner && inner < outer && outer <= std::f64::consts::FRAC_PI_2 + 1e-6
            }
        };
        let colors = self.color.iter().all(|value| value.is_finite() && *value >= 0.0);
        let range = self.range.is_none_or(|range| range.is_finite() && range > 0.0);
        cone && colors && range && self.intensity.is_finite() && self.intensity >= 0.0
    }
}

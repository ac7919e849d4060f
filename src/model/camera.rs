//! Cameras: what a picture is taken with.

use super::curve::finite;
use serde::{Deserialize, Serialize};

/// A camera: it looks along its object's -Z, with +Y up in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// The field of view from the bottom to the top of the picture, radians, within [`Camera::FIELD`], where a clip has no
    /// curve for it.
    #[serde(deserialize_with = "finite::number")]
    pub fov_y: f64,
    /// Width by height of the picture it was made for; none for that of the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspect: Option<f64>,
    /// What is nearer is not seen, metres.
    #[serde(default = "near", skip_serializing_if = "is_near", deserialize_with = "finite::number")]
    pub near: f64,
    /// What is farther is not seen, metres; none for no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub far: Option<f64>,
    /// Half the width and half the height of the picture of a camera without perspective, metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orthographic: Option<[f64; 2]>,
}

const fn near() -> f64 {
    0.01
}

fn is_near(value: &f64) -> bool {
    value.to_bits() == near().to_bits()
}

impl Camera {
    /// Whether what it sees is within its bounds, all of finite numbers.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        (Self::FIELD.0..=Self::FIELD.1).contains(&self.fov_y)
            && self.aspect.is_none_or(positive)
            && (positive(self.near) || (self.orthographic.is_some() && self.near == 0.0))
            && self.far.is_none_or(|far| far.is_finite() && far > self.near)
            && self.orthographic.is_none_or(|half| half.into_iter().all(|half| half.is_finite() && half != 0.0))
    }

    /// The least and the greatest field of view: 1 and 170 degrees.
    pub const FIELD: (f64, f64) = (1.0 * std::f64::consts::PI / 180.0, 170.0 * std::f64::consts::PI / 180.0);
}

impl Default for Camera {
    /// 40 degrees: about a 50 mm lens on 35 mm film turned upright.
    fn default() -> Self {
        Self { fov_y: 40_f64.to_radians(), aspect: None, near: near(), far: None, orthographic: None }
    }
}

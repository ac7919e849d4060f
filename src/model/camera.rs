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
}

impl Camera {
    /// The least and the greatest field of view: 1 and 170 degrees.
    pub const FIELD: (f64, f64) = (1.0 * std::f64::consts::PI / 180.0, 170.0 * std::f64::consts::PI / 180.0);
}

impl Default for Camera {
    /// 40 degrees: about a 50 mm lens on 35 mm film turned upright.
    fn default() -> Self {
        Self { fov_y: 40_f64.to_radians() }
    }
}

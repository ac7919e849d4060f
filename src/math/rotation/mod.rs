//! Rotations: axis and angle, Euler triples in six orders, shortest arcs, swing and twist, logarithms, interpolation.
//!
//! Quaternions are Hamilton, `v' = q v q*`; `q` and `-q` are the same rotation. Angles are radians.

mod arc;
mod axis_angle;
mod continuity;
mod euler;
mod euler_filter;
mod log;
mod matrix;
mod slerp;
mod squad;

pub use arc::{perpendicular, shortest_arc, swing_twist, twist_angle};
pub use axis_angle::{from_axis_angle, rodrigues, rotation_angle, rotation_vector, skew};
pub use continuity::{align, make_continuous};
pub use euler::{EulerOrder, EulerSolution, euler_rates, euler_solution, from_euler, to_euler};
pub use euler_filter::{filter_euler, nearest_euler, nearest_turn, unwrap_angles, wrap_angle};
pub use log::{exp, log, pow, pow_short};
pub use matrix::{from_matrix, nearest_rotation};
pub use slerp::{chord_angle, nlerp, slerp, slerp_unaligned};
pub use squad::{squad, squad_control};

use super::Quat;
use nalgebra::{Quaternion, Unit};

/// A unit quaternion from its parts, which the caller knows to have length 1.
pub(crate) fn unit(x: f64, y: f64, z: f64, w: f64) -> Quat {
    Unit::new_unchecked(Quaternion::new(w, x, y, z))
}

/// A unit quaternion from parts of any length, or none where they are all zero or not finite.
#[must_use]
pub fn try_unit(x: f64, y: f64, z: f64, w: f64) -> Option<Quat> {
    let largest = x.abs().max(y.abs()).max(z.abs()).max(w.abs());
    if !(largest > 0.0 && largest.is_finite() && (x + y + z + w).is_finite()) {
        return None;
    }
    // Scaled by the largest part first, so that squares neither overflow nor vanish.
    let (x, y, z, w) = (x / largest, y / largest, z / largest, w / largest);
    let norm = (x * x + y * y + z * z + w * w).sqrt();
    Some(unit(x / norm, y / norm, z / norm, w / norm))
}

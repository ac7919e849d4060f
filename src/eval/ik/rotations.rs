//! Joint rotations from joint positions.

use super::bend;
use crate::math::{Quat, Vec3};
use nalgebra::{Quaternion, Unit, UnitQuaternion};

/// The smallest turn that takes direction `from` to direction `to` (any lengths).
///
/// Antiparallel directions turn by pi about the part of `fallback` across `from` (any perpendicular where there is
/// none): the axis is not determined by the directions, so the caller chooses. A zero vector gives the identity.
#[must_use]
pub fn shortest_arc(from: &Vec3, to: &Vec3, fallback: &Vec3) -> Quat {
    let scale = (from.norm_squared() * to.norm_squared()).sqrt();
    if !(scale > 0.0 && scale.is_finite()) {
        return Quat::identity();
    }
    let cross = from.cross(to);
    let real = scale + from.dot(to);
    // Half-angle form: (1 + cos, sin * axis) is twice cos(half) times the quaternion.
    if real > 1e-14 * scale {
        return UnitQuaternion::new_normalize(Quaternion::from_parts(real, cross));
    }
    let axis = from / from.norm();
    let perpendicular = bend::unit(&bend::across(fallback, &axis), 1e-9)
        .unwrap_or_else(|| bend::any_perpendicular(&axis, &Quat::identity()));
    Quat::from_axis_angle(&Unit::new_unchecked(perpendicular), std::f64::consts::PI)
}

/// Turns joints so that they carry their bones from `before` to `after`.
///
/// Joint `i` is turned, in the world, by the shortest arc from its old to its new bone direction, so that twist about the
/// bone is kept. The last joint keeps its rotation relative to the one before it. A bone without a length, before or
/// after, keeps the rotation of its joint. Slices of unequal lengths are worked up to the shortest.
pub fn rotations_from_positions(before: &[Vec3], after: &[Vec3], rotations: &mut [Quat]) {
    let mut last_turn = Quat::identity();
    let bones = before.len().min(after.len()).min(rotations.len()).saturating_sub(1);
    for (i, rotation) in rotations.iter_mut().enumerate() {
        if let (true, Some(old), Some(new)) = (i < bones, before.get(i..i + 2), after.get(i..i + 2)) {
            let (old, new) = (old[1] - old[0], new[1] - new[0]);
            last_turn = if old == new { Quat::identity() } else { shortest_arc(&old, &new, &(*rotation * Vec3::x())) };
        } else if i > bones {
            break;
        }
        // Products of unit quaternions drift by an ulp each: one Newton step keeps the norm at 1.
        *rotation = renormalized(last_turn * *rotation);
    }
}

/// The same rotation with its norm brought back to 1 (for norms that are off by rounding only).
fn renormalized(mut q: Quat) -> Quat {
    q.renormalize_fast();
    q
}

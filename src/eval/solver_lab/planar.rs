//! Chains in the plane z = 0: as angles, the squared error over two of them with its contours, and the two circles on
//! which an elbow lies.

use crate::math::{
    Quat, Vec3,
    contours::{Field, Piece},
};
use std::f64::consts::PI;

/// How far from the plane, as a share of the chain's length, a chain still lies in it.
const FLAT: f64 = 1e-6;

/// A chain from bone lengths (`>= 0`) and the angle of each bone against the one before it (the first against x), radians.
/// Every rotation turns x to its bone; the end's is that of the last bone.
#[must_use]
pub fn chain(lengths: &[f64], angles: &[f64]) -> (Vec<Vec3>, Vec<Quat>) {
    let (mut positions, mut rotations) = (vec![Vec3::zeros()], Vec::new());
    let (mut at, mut heading) = (Vec3::zeros(), 0.0);
    for (length, angle) in lengths.iter().zip(angles) {
        heading += angle;
        at += Vec3::new(f64::cos(heading), f64::sin(heading), 0.0) * *length;
        positions.push(at);
        rotations.push(Quat::from_axis_angle(&Vec3::z_axis(), heading));
    }
    rotations.push(rotations.last().copied().unwrap_or_default());
    (positions, rotations)
}

/// The angle of each bone against the one before it (the first against x), -pi to pi; none for a chain that leaves the
/// plane or is not finite. A bone without a length goes on as the one before it.
#[must_use]
pub fn angles(positions: &[Vec3]) -> Option<Vec<f64>> {
    let length: f64 = positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let flat = positions.iter().all(|p| p.z.abs() <= FLAT * length);
    if !(flat && length.is_finite()) {
        return None;
    }
    let mut heading = 0.0;
    let turn = |pair: &[Vec3]| {
        let bone = pair[1] - pair[0];
        let now = if bone.norm() > 0.0 { bone.y.atan2(bone.x) } else { heading };
        let turn = wrapped(now - heading);
        heading = now;
        turn
    };
    Some(positions.windows(2).map(turn).collect())
}

/// An angle brought to -pi..=pi.
#[must_use]
pub fn wrapped(angle: f64) -> f64 {
    let turned = angle.rem_euclid(2.0 * PI);
    if turned > PI { turned - 2.0 * PI } else { turned }
}

/// The squared distance between the end of a two-bone chain at the origin and a target, at two angles.
#[must_use]
pub fn squared_error(lengths: [f64; 2], target: [f64; 2], angles: [f64; 2]) -> f64 {
    let [first, second] = [angles[0], angles[0] + angles[1]];
    let x = lengths[0] * first.cos() + lengths[1] * second.cos() - target[0];
    let y = lengths[0] * first.sin() + lengths[1] * second.sin() - target[1];
    x * x + y * y
}

/// The contours of the squared error of a two-bone chain at each level, over both angles from -pi to pi, as loose pieces, on
/// a grid of `steps` (at least 2) to a side.
#[must_use]
pub fn contours(lengths: [f64; 2], target: [f64; 2], levels: &[f64], steps: usize) -> Vec<Vec<Piece>> {
    let side = steps.max(2) + 1;
    let grid = Field { columns: side, rows: side, low: [-PI, -PI], high: [PI, PI], values: &[] };
    let at = |angles: [f64; 2]| squared_error(lengths, target, angles);
    let values: Vec<f64> = (0..side * side).map(|index| at(grid.place(index % side, index / side))).collect();
    Field { values: &values, ..grid }.contours(levels, at)
}

/// Where two circles meet: of radius `upper` about the origin and of radius `lower` about a target. No place, one (they
/// touch) or two; circles about one middle have none.
#[must_use]
pub fn elbows(upper: f64, lower: f64, target: [f64; 2]) -> Vec<[f64; 2]> {
    let distance = target[0].hypot(target[1]);
    let rounding = 1e-12 * (upper + lower);
    if !(distance > rounding && distance <= upper + lower + rounding && distance >= (upper - lower).abs() - rounding) {
        return Vec::new();
    }
    let along = 0.5 * (distance + (upper - lower) * (upper + lower) / distance);
    let height = ((upper - along) * (upper + along)).max(0.0).sqrt();
    let [x, y] = target.map(|part| part / distance);
    let place = |height: f64| [x * along - y * height, y * along + x * height];
    if height > 1e-7 * (upper + lower) { vec![place(height), place(-height)] } else { vec![place(0.0)] }
}

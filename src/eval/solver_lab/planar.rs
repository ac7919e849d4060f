//! Chains in the plane z = 0: as angles, the squared error over two of them with its contours, and the two circles on
//! which an elbow lies.

use crate::math::{Quat, Vec3};
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

/// A piece of a contour, between two places of a plane of angles.
pub type Piece = [[f64; 2]; 2];

/// The contours of the squared error of a two-bone chain at each level, over both angles from -pi to pi, as loose pieces.
///
/// By marching squares on a grid of `steps` to a side (at least 2): where a contour crosses a side of a cell is found by
/// straight interpolation, and a cell crossed at all four sides is told by the value in its middle.
#[must_use]
pub fn contours(lengths: [f64; 2], target: [f64; 2], levels: &[f64], steps: usize) -> Vec<Vec<Piece>> {
    let steps = steps.max(2);
    let angle = |index: usize| (2.0 * index as f64 / steps as f64 - 1.0) * PI;
    let value = |x: usize, y: usize| squared_error(lengths, target, [angle(x), angle(y)]);
    let grid: Vec<Vec<f64>> = (0..=steps).map(|x| (0..=steps).map(|y| value(x, y)).collect()).collect();
    let mut out = vec![Vec::new(); levels.len()];
    for x in 0..steps {
        for y in 0..steps {
            let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
            let values = corners.map(|(x, y)| grid[x][y]);
            let places = corners.map(|(x, y)| [angle(x), angle(y)]);
            for (pieces, level) in out.iter_mut().zip(levels) {
                cell(&places, &values, *level, pieces, || {
                    squared_error(lengths, target, [0, 1].map(|i| f64::midpoint(places[0][i], places[2][i])))
                });
            }
        }
    }
    out
}

fn cell(places: &[[f64; 2]; 4], values: &[f64; 4], level: f64, out: &mut Vec<Piece>, middle: impl Fn() -> f64) {
    let mut crossings: Vec<[f64; 2]> = Vec::with_capacity(4);
    for side in 0..4 {
        let (from, to) = (side, (side + 1) % 4);
        let (a, b) = (values[from] - level, values[to] - level);
        if (a < 0.0) != (b < 0.0) {
            let part = a / (a - b);
            crossings.push([0, 1].map(|i| places[from][i] + (places[to][i] - places[from][i]) * part));
        }
    }
    match crossings[..] {
        [a, b] => out.push([a, b]),
        // A saddle: the middle says which corners go together.
        [a, b, c, d] if (middle() < level) == (values[0] < level) => out.extend([[a, b], [c, d]]),
        [a, b, c, d] => out.extend([[d, a], [b, c]]),
        _ => {}
    }
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

//! Frames along a path that turn about it as little as can be.

use super::MeasuredPath;
use crate::math::{
    Quat, Vec3,
    rotation::{perpendicular, shortest_arc},
};
use nalgebra::{Matrix3, Rotation3};

/// Reflections for each segment: the error falls with their fourth power.
const STEPS: u32 = 32;

/// A direction along a path, and one square to it; both unit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rail {
    at: Vec3,
    along: Vec3,
    side: Vec3,
}

/// Rotation-minimising frames of a path: the one at its start carried along by double reflection.
///
/// Source: W. Wang, B. Juettler, D. Zheng and Y. Liu, *Computation of rotation minimizing frames*, ACM Transactions on
/// Graphics 27, 2008.
#[derive(Clone, Debug, PartialEq)]
pub struct MinimalFrames {
    /// At `STEPS + 1` parameters of every segment, ends included: at a corner there are two.
    rails: Vec<Rail>,
    /// On a closed path, by how much the frame that comes back is turned from the first, radians by the right hand about the way.
    turned: f64,
    length: f64,
    /// Places nearer than this are one, metres.
    least: f64,
}

/// Places nearer than this part of a path's length are one: far above rounding, far below a step.
const ONE_PLACE: f64 = 1e-10;

impl Rail {
    /// The rail carried to another place: reflected in the plane between the places, then in the one that brings the direction.
    /// Steps below `least` are rounding: the places are one.
    fn carried(&self, at: Vec3, along: Vec3, least: f64) -> Self {
        let step = at - self.at;
        let square = step.norm_squared();
        let side = if step.norm() > least && square > 0.0 && square.is_finite() {
            let reflect = |v: &Vec3| v - step * (2.0 / square * step.dot(v));
            let (side, before) = (reflect(&self.side), reflect(&self.along));
            let second = along - before;
            let square = second.norm_squared();
            if square > 0.0 { side - second * (2.0 / square * second.dot(&side)) } else { side }
        } else {
            // Two directions at one place: a corner, turned by the short way.
            shortest_arc(&self.along, &along) * self.side
        };
        // Rounding must not add up.
        let side = (side - along * along.dot(&side)).try_normalize(0.0).unwrap_or_else(|| perpendicular(&along));
        Self { at, along, side }
    }

    /// The frame: Z along, Y the side.
    fn rotation(&self) -> Quat {
        frame(&self.along, &self.side)
    }
}

/// The rotation that takes Z to `along` and Y to `up`, both unit and square to each other.
#[must_use]
pub fn frame(along: &Vec3, up: &Vec3) -> Quat {
    let axes = Matrix3::from_columns(&[up.cross(along), *up, *along]);
    Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}

/// The part of `up` square to a unit direction, unit; any direction square to it where there is none.
#[must_use]
pub fn upright(along: &Vec3, up: &Vec3) -> Vec3 {
    let up = up.try_normalize(0.0).unwrap_or_else(Vec3::y);
    let square = up - along * along.dot(&up);
    // Nearer than this the direction is rounding.
    square.try_normalize(1e-9).unwrap_or_else(|| perpendicular(along))
}

impl MinimalFrames {
    /// The frames of a path; on a `closed` one what is missing where it meets itself is spread over its length.
    #[must_use]
    pub fn new(path: &MeasuredPath, closed: bool) -> Self {
        let mut rails: Vec<Rail> = Vec::new();
        let least = ONE_PLACE * path.length();
        for segment in 0..path.segments().len() {
            for step in 0..=STEPS {
                let part = f64::from(step) / f64::from(STEPS);
                let Some((at, along)) = path.place_and_way(segment, part) else { continue };
                let next = match rails.last() {
                    Some(before) => before.carried(at, along, least),
                    None => Rail { at, along, side: perpendicular(&along) },
                };
                rails.push(next);
            }
        }
        let turned = match (rails.first(), rails.last()) {
            (Some(first), Some(last)) if closed => {
                let back = last.carried(first.at, first.along, least);
                first.side.cross(&back.side).dot(&first.along).atan2(first.side.dot(&back.side))
            }
            _ => 0.0,
        };
        Self { rails, turned, length: path.length(), least }
    }

    /// By how much the frame that comes back to the start of a closed path is turned from the first, radians; 0 for open ones.
    #[must_use]
    pub const fn turned(&self) -> f64 {
        self.turned
    }

    /// The frame at a parameter of the path (which is at this length from the start): Z along the path, Y up as at the start, where
    /// it is as near to `up` as can be; `twist` radians are spread evenly over the length. Identity for a path without segments.
    #[must_use]
    pub fn rotation(&self, path: &MeasuredPath, parameter: f64, length: f64, up: &Vec3, twist: f64) -> Quat {
        let Some(first) = self.rails.first() else { return Quat::identity() };
        let last = path.segments().len().saturating_sub(1);
        let parameter = parameter.clamp(0.0, path.segments().len() as f64);
        let segment = (parameter as usize).min(last);
        let within = (parameter - segment as f64) * f64::from(STEPS);
        let index = segment * (STEPS as usize + 1) + (within as usize).min(STEPS as usize);
        let (Some(rail), Some((at, along))) =
            (self.rails.get(index), path.place_and_way(segment, parameter - segment as f64))
        else {
            return first.rotation();
        };
        let here = if within.fract() == 0.0 { *rail } else { rail.carried(at, along, self.least) };
        let wanted = upright(&first.along, up);
        let offset = first.side.cross(&wanted).dot(&first.along).atan2(first.side.dot(&wanted));
        let part = if self.length > 0.0 { (length / self.length).clamp(0.0, 1.0) } else { 0.0 };
        let about = crate::math::rotation::from_axis_angle(&here.along, offset + part * (twist - self.turned));
        about * here.rotation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::path::catmull_rom;
    use std::f64::consts::TAU;

    fn helix(closed: bool) -> MeasuredPath {
        let points: Vec<Vec3> = (0..12)
            .map(|i| {
                let a = f64::from(i) / 12.0 * TAU;
                Vec3::new(2.0 * a.cos(), (2.0 * a).sin(), 2.0 * a.sin() + 0.3 * (3.0 * a).cos())
            })
            .collect();
        MeasuredPath::new(catmull_rom(&points, closed, 0.5), 1e-12)
    }

    #[test]
    fn frames_turn_about_the_way_only_where_they_must() {
        let path = helix(false);
        let frames = MinimalFrames::new(&path, false);
        let h = 1e-4;
        for i in 1..200 {
            let parameter = f64::from(i) / 200.0 * 11.0 + 0.013;
            let at = |p: f64| frames.rotation(&path, p, path.length_at(p).unwrap(), &Vec3::y(), 0.0);
            let (before, after) = (at(parameter - h), at(parameter + h));
            let along = path.velocity(parameter).unwrap().normalize();
            assert!((at(parameter) * Vec3::z() - along).norm() < 1e-9);
            // The angular velocity has no part along the way.
            let turn = (after * before.inverse()).scaled_axis() / (2.0 * h);
            assert!(
                turn.dot(&along).abs() < 2e-3 * (1.0 + turn.norm()),
                "{parameter}: {} of {}",
                turn.dot(&along),
                turn.norm()
            );
        }
    }

    #[test]
    fn nothing_jumps_at_a_point() {
        let path = helix(true);
        let frames = MinimalFrames::new(&path, true);
        for point in 0..=12 {
            for off in [1e-15, 1e-13, 1e-11, 1e-8, 1e-5] {
                let at = |p: f64| {
                    let p = p.clamp(0.0, 12.0);
                    frames.rotation(&path, p, path.length_at(p).unwrap(), &Vec3::y(), 0.0)
                };
                let point = f64::from(point);
                let apart = at(point - off).angle_to(&at(point + off));
                assert!(apart < 1e-3, "{point} {off}: {apart}");
            }
        }
    }

    #[test]
    fn a_closed_path_meets_its_own_frame() {
        let path = helix(true);
        let frames = MinimalFrames::new(&path, true);
        assert!(frames.turned().abs() > 0.01, "a path that needs it: {}", frames.turned());
        for twist in [0.0, TAU] {
            let start = frames.rotation(&path, 0.0, 0.0, &Vec3::y(), twist);
            let end = frames.rotation(&path, 12.0, path.length(), &Vec3::y(), twist);
            assert!(start.angle_to(&end) < 1e-9, "{twist}: {}", start.angle_to(&end));
        }
        // Upright at the start.
        let up = frames.rotation(&path, 0.0, 0.0, &Vec3::y(), 0.0) * Vec3::y();
        let along = path.velocity(0.0).unwrap().normalize();
        assert!((up - upright(&along, &Vec3::y())).norm() < 1e-12);
    }

    #[test]
    fn corners_and_rests_keep_a_frame() {
        let points = [Vec3::zeros(), Vec3::x(), Vec3::x(), Vec3::new(1.0, 0.0, 2.0), Vec3::zeros()];
        let path = MeasuredPath::new(crate::math::path::straight(&points, true), 1e-12);
        let frames = MinimalFrames::new(&path, true);
        for i in 0..=100 {
            let p = f64::from(i) / 20.0;
            let rotation = frames.rotation(&path, p, path.length_at(p).unwrap(), &Vec3::y(), 0.0);
            assert!((rotation * Vec3::y() - Vec3::y()).norm() < 1e-9, "a flat path stays upright at {p}");
        }
        let none = MeasuredPath::new(Vec::new(), 1e-9);
        assert_eq!(MinimalFrames::new(&none, true).rotation(&none, 0.0, 0.0, &Vec3::y(), 1.0), Quat::identity());
    }
}

//! Forward kinematics in the plane, with its matrices: a two-link arm and a sun with an earth and a moon.

use crate::math::{Mat3, Vec3};

/// A turn about the origin, radians, as a homogeneous matrix of the plane.
#[must_use]
pub fn turn(angle: f64) -> Mat3 {
    let (sin, cos) = angle.sin_cos();
    Mat3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0)
}

/// A shift along X.
#[must_use]
pub fn shift(x: f64) -> Mat3 {
    Mat3::new(1.0, 0.0, x, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
}

/// Where a matrix puts its origin.
#[must_use]
pub fn origin(matrix: &Mat3) -> [f64; 2] {
    let at = matrix * Vec3::z();
    [at.x, at.y]
}

/// How a local matrix is put together of a link's length and a joint's angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// Turn, then along the link: the frame stands at the link's end.
    TurnShift,
    /// Along the link, then turn: the frame stands at the joint, and the link before it is the offset.
    ShiftTurn,
}

/// A planar arm: lengths, any unit; angles, radians, each from the link before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// The lengths of upper arm and forearm.
    pub lengths: [f64; 2],
    /// The angles of shoulder and elbow.
    pub angles: [f64; 2],
}

impl Default for Arm {
    /// The example of the course: 30 and 45 degrees, lengths 2 and 1.5.
    fn default() -> Self {
        Self { lengths: [2.0, 1.5], angles: [30.0, 45.0].map(f64::to_radians) }
    }
}

impl Arm {
    /// A link's local matrix.
    #[must_use]
    pub fn local(&self, link: usize, form: Local) -> Mat3 {
        let (turned, along) = (turn(self.angles[link.min(1)]), shift(self.lengths[link.min(1)]));
        match form {
            Local::TurnShift => turned * along,
            Local::ShiftTurn => along * turned,
        }
    }

    /// The two frames in the world: `L0` and `L0 L1`.
    #[must_use]
    pub fn frames(&self, form: Local) -> [Mat3; 2] {
        let first = self.local(0, form);
        [first, first * self.local(1, form)]
    }

    /// The arm with one joint turned so that its link points at a place: the shoulder's first link, or the elbow's second. A
    /// place on the joint itself changes nothing.
    #[must_use]
    pub fn pointed(&self, link: usize, place: [f64; 2]) -> Self {
        let from = if link == 0 { [0.0, 0.0] } else { origin(&self.frames(Local::TurnShift)[0]) };
        let (x, y) = (place[0] - from[0], place[1] - from[1]);
        if x.hypot(y) < 1e-9 {
            return *self;
        }
        let mut arm = *self;
        let before = if link == 0 { 0.0 } else { self.angles[0] };
        let angle = y.atan2(x) - before;
        arm.angles[link.min(1)] = angle.sin().atan2(angle.cos());
        arm
    }
}

/// Earth and moon about a sun at the origin: `W_earth = R(year) T(3)`, `W_moon = W_earth R(month) T(0.8)`. `years` is the time;
/// the moon goes round twelve times a year as seen from the earth.
#[must_use]
pub fn heavens(years: f64) -> [Mat3; 2] {
    let earth = turn(std::f64::consts::TAU * years) * shift(3.0);
    [earth, earth * turn(std::f64::consts::TAU * 12.0 * years) * shift(0.8)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_course_in_both_orders() {
        let arm = Arm::default();
        let at = |form| arm.frames(form).map(|frame| origin(&frame).map(|number| (number * 1e3).round() / 1e3));
        assert_eq!(at(Local::TurnShift), [[1.732, 1.0], [2.12, 2.449]]);
        assert_eq!(at(Local::ShiftTurn), [[2.0, 0.0], [3.299, 0.75]]);
    }

    #[test]
    fn a_link_is_pointed_where_it_is_wanted() {
        let arm = Arm::default().pointed(0, [0.0, 3.0]).pointed(1, [-1.0, 2.0]);
        let [elbow, hand] = arm.frames(Local::TurnShift).map(|frame| origin(&frame));
        assert!((elbow[0]).abs() < 1e-12 && (elbow[1] - 2.0).abs() < 1e-12);
        assert!((hand[0] + 1.5).abs() < 1e-12 && (hand[1] - 2.0).abs() < 1e-12);
        assert_eq!(arm.pointed(0, [0.0, 0.0]), arm);
    }

    #[test]
    fn the_moon_keeps_its_distance_from_the_earth() {
        for years in [0.0, 0.13, 0.5, 7.3] {
            let [earth, moon] = heavens(years).map(|frame| origin(&frame));
            assert!((earth[0].hypot(earth[1]) - 3.0).abs() < 1e-12);
            assert!(((moon[0] - earth[0]).hypot(moon[1] - earth[1]) - 0.8).abs() < 1e-12);
        }
    }
}

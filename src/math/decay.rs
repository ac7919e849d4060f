//! Offsets that die away: the quintic of inertialization, of numbers, vectors and rotations.
//!
//! Source: D. Bollo, *Inertialization: high-performance animation transitions in Gears of War*, GDC 2018.

use super::{
    Quat, Vec3,
    rotation::{align, exp, rotation_vector, twist_angle},
};

/// `x(t) = A t^5 + B t^4 + C t^3 + a0/2 t^2 + v0 t + x0` until it and its first two derivatives are 0, and 0 from there on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quintic {
    /// The coefficients of `t^5`, `t^4` and `t^3`.
    pub abc: [f64; 3],
    /// Acceleration at the start.
    pub a0: f64,
    /// Velocity at the start.
    pub v0: f64,
    /// The offset at the start.
    pub x0: f64,
    /// When it ends, seconds after the start.
    pub secs: f64,
}

impl Quintic {
    /// Bollo's: from an offset `x0 >= 0` with a velocity, away within `secs`. A velocity outwards counts as none; one so fast
    /// inwards that the offset would pass 0 ends it sooner; the acceleration at the start keeps it from undershooting.
    ///
    /// A number that is not finite, or a time that is not above 0, gives no offset at all.
    #[must_use]
    pub fn bollo(x0: f64, v0: f64, secs: f64) -> Self {
        let v0 = v0.min(0.0);
        Self::from_start(x0, v0, if v0 < 0.0 { secs.min(-5.0 * x0 / v0) } else { secs })
    }

    /// The same keeping every velocity over the whole time, so that the start has no kink: outwards the offset grows before it
    /// shrinks, and where it is so fast inwards that it would pass 0 it does. Ended sooner instead, a small offset would leave
    /// its velocity behind at once.
    #[must_use]
    pub fn keeping_velocity(x0: f64, v0: f64, secs: f64) -> Self {
        Self::from_start(x0, v0, secs)
    }

    fn from_start(x0: f64, v0: f64, secs: f64) -> Self {
        if !(secs > 0.0 && secs.is_finite() && x0.is_finite() && v0.is_finite()) {
            return Self::default();
        }
        let a0 = ((-8.0 * v0 * secs - 20.0 * x0) / (secs * secs)).max(0.0);
        let (t2, t3) = (secs * secs, secs * secs * secs);
        let a = -(a0 * t2 + 6.0 * v0 * secs + 12.0 * x0) / (2.0 * t3 * t2);
        let b = (3.0 * a0 * t2 + 16.0 * v0 * secs + 30.0 * x0) / (2.0 * t2 * t2);
        let c = -(3.0 * a0 * t2 + 12.0 * v0 * secs + 20.0 * x0) / (2.0 * t3);
        Self { abc: [a, b, c], a0, v0, x0, secs }
    }

    /// The offset at a time after the start, seconds; before it that at the start.
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        let [a, b, c] = self.abc;
        self.at(t, |t| ((((a * t + b) * t + c) * t + 0.5 * self.a0) * t + self.v0) * t + self.x0)
    }

    /// Its velocity.
    #[must_use]
    pub fn velocity(&self, t: f64) -> f64 {
        let [a, b, c] = self.abc;
        self.at(t, |t| (((5.0 * a * t + 4.0 * b) * t + 3.0 * c) * t + self.a0) * t + self.v0)
    }

    /// Its acceleration.
    #[must_use]
    pub fn acceleration(&self, t: f64) -> f64 {
        let [a, b, c] = self.abc;
        self.at(t, |t| ((20.0 * a * t + 12.0 * b) * t + 6.0 * c) * t + self.a0)
    }

    fn at(&self, t: f64, of: impl Fn(f64) -> f64) -> f64 {
        // NaN is after the end.
        if t < self.secs { of(t.max(0.0)) } else { 0.0 }
    }
}

/// How the velocity at the start of an offset is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecayStart {
    /// All of it: position and velocity are continuous whatever they were.
    #[default]
    Smooth,
    /// As Bollo has it: along the offset only, and inwards only, so that the offset never grows.
    Bollo,
}

/// An offset in space that dies away along its own direction, and, to keep a velocity across it, beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VectorDecay {
    direction: Vec3,
    along: Quintic,
    side: Vec3,
    across: Quintic,
}

impl VectorDecay {
    /// From an offset and its velocity, away within `secs`. None of it where a number is not finite.
    #[must_use]
    pub fn new(offset: Vec3, velocity: Vec3, secs: f64, start: DecayStart) -> Self {
        let x0 = offset.norm();
        let direction = offset.try_normalize(1e-12).unwrap_or_else(Vec3::zeros);
        let v0 = velocity.dot(&direction);
        if start == DecayStart::Bollo {
            return Self { direction, along: Quintic::bollo(x0, v0, secs), ..Self::default() };
        }
        let beside = velocity - direction * v0;
        let side = beside.try_normalize(1e-12).unwrap_or_else(Vec3::zeros);
        let across = Quintic::keeping_velocity(0.0, beside.dot(&side), secs);
        Self { direction, along: Quintic::keeping_velocity(x0, v0, secs), side, across }
    }

    /// The offset at a time after the start, seconds.
    #[must_use]
    pub fn value(&self, t: f64) -> Vec3 {
        self.direction * self.along.value(t) + self.side * self.across.value(t)
    }

    /// When nothing is left, seconds after the start.
    #[must_use]
    pub const fn secs(&self) -> f64 {
        self.along.secs.max(self.across.secs)
    }
}

/// A rotation that dies away: an offset composed before what is turned, `exp(r(t)) * target`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RotationDecay(VectorDecay);

impl RotationDecay {
    /// From an offset as a rotation vector (axis times angle) and its velocity, radians and radians a second.
    #[must_use]
    pub fn new(offset: Vec3, velocity: Vec3, secs: f64, start: DecayStart) -> Self {
        Self(VectorDecay::new(offset, velocity, secs, start))
    }

    /// The rotation at a time after the start.
    #[must_use]
    pub fn rotation(&self, t: f64) -> Quat {
        exp(&(0.5 * self.0.value(t)))
    }
}

/// The offset of a rotation from a target as an angle about an axis, and how fast the angle changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationOffset {
    /// The axis, of length 1; zero where there is no offset.
    pub axis: Vec3,
    /// The angle, radians, 0..=pi.
    pub x0: f64,
    /// Its change from the pose before, radians a second.
    pub v0: f64,
}

impl RotationOffset {
    /// From two poses `dt` seconds apart and the target's: the shortest rotation from the target, and the twist about its
    /// axis before.
    #[must_use]
    pub fn new(now: &Quat, before: &Quat, target: &Quat, dt: f64) -> Self {
        let offset = |q: &Quat| q * target.inverse();
        let vector = rotation_vector(&offset(now));
        let x0 = vector.norm();
        let axis = vector.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let v0 = (x0 - twist_angle(&offset(before), &axis)) / dt;
        Self { axis, x0, v0: if v0.is_finite() && x0 > 0.0 { v0 } else { 0.0 } }
    }
}

/// The rotation vector of `q` near that of `near`: of the two that are one rotation, the one that continues it.
#[must_use]
pub fn rotation_vector_near(q: &Quat, near: &Vec3) -> Vec3 {
    let vector = rotation_vector(&align(q, &exp(&(0.5 * near))));
    let Some(axis) = vector.try_normalize(1e-12) else { return vector };
    let other = vector - axis * std::f64::consts::TAU;
    if (other - near).norm_squared() < (vector - near).norm_squared() { other } else { vector }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_ends_at_rest_and_never_undershoots() {
        for (x0, v0, secs) in
            [(1.0, -3.0, 0.5), (0.2, -20.0, 0.5), (2.0, -1.0, 0.25), (0.7, -10.0, 1.0), (1.0, 4.0, 0.3)]
        {
            let quintic = Quintic::bollo(x0, v0, secs);
            let end = quintic.secs - 1e-9;
            assert!(quintic.value(end).abs() < 1e-8 && quintic.velocity(end).abs() < 1e-6, "{quintic:?}");
            assert!(quintic.secs <= secs && quintic.velocity(0.0) == v0.min(0.0));
            let least = (0..1000).map(|i| quintic.value(quintic.secs * f64::from(i) / 1000.0)).fold(1.0, f64::min);
            assert!(least > -1e-12, "{least}");
        }
        for odd in [Quintic::bollo(f64::NAN, 0.0, 1.0), Quintic::bollo(1.0, 0.0, 0.0), Quintic::bollo(0.0, -1.0, 1.0)] {
            assert_eq!(odd.value(0.0), 0.0);
        }
        assert_eq!(Quintic::bollo(1.0, 0.0, 1.0).value(f64::NAN), 0.0);
    }

    #[test]
    fn a_velocity_is_kept_however_small_the_offset_is() {
        for x0 in [0.0, 1e-9, 1e-3] {
            let quintic = Quintic::keeping_velocity(x0, -1.0, 0.4);
            assert_eq!((quintic.secs, quintic.velocity(0.0)), (0.4, -1.0));
            // It slows down over the whole time, not at once, and comes to rest at 0 from not far beyond.
            assert!(quintic.velocity(4e-3) < -0.9, "{x0}: {}", quintic.velocity(4e-3));
            let least = (0..400).map(|i| quintic.value(1e-3 * f64::from(i))).fold(1.0, f64::min);
            assert!(least < 0.0 && least > -0.04, "{x0}: {least}");
            assert!(quintic.value(0.4 - 1e-9).abs() < 1e-12 && quintic.velocity(0.4 - 1e-9).abs() < 1e-6);
        }
        // In the other form it ends at 0 sooner instead.
        assert!(Quintic::bollo(1e-3, -1.0, 0.4).secs < 0.01);
    }

    #[test]
    fn a_vector_keeps_all_of_its_velocity_unless_told_otherwise() {
        let (offset, velocity) = (Vec3::new(0.1, -0.2, 0.05), Vec3::new(1.0, 0.4, -2.0));
        let smooth = VectorDecay::new(offset, velocity, 0.4, DecayStart::Smooth);
        let h = 1e-7;
        assert!((smooth.value(0.0) - offset).norm() < 1e-15);
        assert!(((smooth.value(h) - smooth.value(0.0)) / h - velocity).norm() < 1e-4);
        assert_eq!(smooth.value(0.4), Vec3::zeros());
        let bollo = VectorDecay::new(offset, velocity, 0.4, DecayStart::Bollo);
        assert!(bollo.value(0.1).cross(&offset).norm() < 1e-16);
    }

    #[test]
    fn the_other_form_of_a_rotation_continues_beyond_half_a_turn() {
        let before = Vec3::new(0.0, 3.1, 0.0);
        let q = exp(&Vec3::new(0.0, 0.5 * 3.2, 0.0));
        assert!((rotation_vector_near(&q, &before) - Vec3::new(0.0, 3.2, 0.0)).norm() < 1e-12);
    }
}

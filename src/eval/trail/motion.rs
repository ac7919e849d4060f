//! How far along its trail a joint is, how fast, and how its speed changes.

use super::{Trail, TrailSampler};
use crate::math::Vec3;

/// Length, speed and acceleration at the points of a trail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The way from the trail's start, metres: the integral of the speed.
    pub length: Vec<f64>,
    /// The velocity, metres a second.
    pub velocity: Vec<Vec3>,
    /// The acceleration, metres a second squared.
    pub acceleration: Vec<Vec3>,
}

/// Half the reach of the differences that give velocity and acceleration, in frames: at 24 frames a second 2.6 ms. Their
/// error is of the fourth order in it, rounding stays below 1e-11 m/s^2.
const REACH_FRAMES: f64 = 1.0 / 16.0;
/// How far the length of a step may be off, as a part of the trail's extent.
const LENGTH_ERROR: f64 = 1e-8;
/// How often a step is halved at most.
const HALVINGS: u32 = 6;

/// The motion along a trail. Lengths are those of ever finer chords, extrapolated, halved until two agree; velocity and
/// acceleration are five-point differences. Where a curve bends sharply (captured motion at its samples) they are those of a
/// few milliseconds about it.
#[must_use]
pub fn motion(trail: &Trail, sampler: &TrailSampler<'_>) -> Motion {
    let mut motion = Motion::default();
    let low = trail.points.iter().fold(Vec3::repeat(f64::INFINITY), |low, at| low.inf(at));
    let high = trail.points.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |high, at| high.sup(at));
    let error = LENGTH_ERROR * (high - low).norm().max(1e-6);
    let reach = trail.rate.frame_secs() * REACH_FRAMES;
    let mut length = 0.0;
    for (index, here) in trail.points.iter().enumerate() {
        let secs = trail.secs(index);
        if let Some(before) = index.checked_sub(1) {
            let from = (trail.secs(before), trail.points[before]);
            length += chords(sampler, from, (secs, *here), error, HALVINGS);
        }
        let [a, b, d, e] = [-2.0, -1.0, 1.0, 2.0].map(|step| sampler.point(secs + step * reach));
        motion.length.push(length);
        motion.velocity.push((8.0 * (d - b) - (e - a)) / (12.0 * reach));
        motion.acceleration.push((16.0 * (b + d) - (a + e) - 30.0 * here) / (12.0 * reach * reach));
    }
    motion
}

/// The length of the way from one place to another.
fn chords(sampler: &TrailSampler<'_>, from: (f64, Vec3), to: (f64, Vec3), error: f64, halvings: u32) -> f64 {
    let secs = 0.5 * (from.0 + to.0);
    let middle = (secs, sampler.point(secs));
    let one = (to.1 - from.1).norm();
    let two = (middle.1 - from.1).norm() + (to.1 - middle.1).norm();
    // Chords fall short by an error of the second order: a third of the gain is still missing (Richardson).
    let rest = (two - one) / 3.0;
    if rest <= error || halvings == 0 {
        return two + rest;
    }
    chords(sampler, from, middle, 0.5 * error, halvings - 1) + chords(sampler, middle, to, 0.5 * error, halvings - 1)
}

impl Motion {
    /// The speed at a point, metres a second.
    #[must_use]
    pub fn speed(&self, index: usize) -> f64 {
        self.velocity.get(index).map_or(0.0, |velocity| velocity.norm())
    }

    /// How fast the speed changes at a point, metres a second squared; where the joint stands still the whole acceleration.
    #[must_use]
    pub fn speed_change(&self, index: usize) -> f64 {
        let (Some(velocity), Some(acceleration)) = (self.velocity.get(index), self.acceleration.get(index)) else {
            return 0.0;
        };
        velocity.try_normalize(1e-9).map_or_else(|| acceleration.norm(), |along| along.dot(acceleration))
    }

    /// The curvature vector at a point, towards the centre, one over metres; none where the joint stands still.
    #[must_use]
    pub fn curvature(&self, index: usize) -> Option<Vec3> {
        let (velocity, acceleration) = (self.velocity.get(index)?, self.acceleration.get(index)?);
        let squared = velocity.norm_squared();
        // Below a millimetre a second the quotient is of rounding.
        (squared > 1e-6).then(|| (acceleration - velocity * (velocity.dot(acceleration) / squared)) / squared)
    }
}

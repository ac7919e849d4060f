//! How far along its trail a joint is, how fast, and how its speed changes.

use super::{Trail, TrailSampler, spread::spread};
use crate::{eval::Evaluator, math::Vec3, model::Document};
use std::ops::Range;

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
/// By how much the length of a step may grow as its chord is halved for it not to be halved once more, as a part of the
/// trail's extent: what is then still missing is of the fourth order, some 1e-9 of it.
const LENGTH_GROWTH: f64 = 1e-5;
/// How often a step is halved at most.
const HALVINGS: u32 = 5;

/// A point's share of a motion: the way to it from the point before, velocity, acceleration.
type Step = (f64, Vec3, Vec3);

/// The motion along a trail of a document. Lengths are those of ever finer chords, extrapolated, halved until two agree;
/// velocity and acceleration are five-point differences from within the trail, at its ends to one side: what comes before
/// and after may be held, and would be a jolt. Where a curve bends sharply they are those of a few milliseconds about it. Captured
/// motion, straight from sample to sample, bends at each: its acceleration is that from frame to frame. Where pins hold, which
/// takes many times as long to work out, all of it is of the trail's points alone: a drag must be followed. None where there
/// is no such joint.
#[must_use]
pub fn motion(evaluator: &Evaluator, document: &Document, trail: &Trail) -> Option<Motion> {
    let low = trail.points.iter().fold(Vec3::repeat(f64::INFINITY), |low, at| low.inf(at));
    let high = trail.points.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |high, at| high.sup(at));
    let error = LENGTH_GROWTH * (high - low).norm().max(1e-6);
    if trail.pinned {
        return Some(of_points(trail));
    }
    let work = |sampler: &TrailSampler<'_>, part: Range<usize>| -> Vec<Step> {
        part.filter_map(|index| step(trail, sampler, index, error)).collect()
    };
    let steps = spread(evaluator, document, trail.spec, trail.points.len(), work)?;
    let mut motion = Motion::default();
    let mut length = 0.0;
    for (way, velocity, acceleration) in steps {
        length += way;
        motion.length.push(length);
        motion.velocity.push(velocity);
        motion.acceleration.push(acceleration);
    }
    Some(motion)
}

/// The motion by five-point differences of the trail's own points; lengths are those of the cubics through them with the
/// velocities found (three-point Gauss quadrature, of the sixth order).
fn of_points(trail: &Trail) -> Motion {
    let points = &trail.points;
    let step = trail.rate.frame_secs() / f64::from(trail.per_frame.max(1));
    let mut motion = Motion::default();
    for index in 0..points.len() {
        let (velocity, acceleration) = difference(points, index);
        motion.velocity.push(velocity / step);
        let whole = trail.captured.then(|| frame_to_frame(trail, index));
        motion.acceleration.push(whole.unwrap_or(acceleration / (step * step)));
    }
    let mut length = 0.0;
    for index in 0..points.len() {
        if index > 0 {
            let [a, b] = [index - 1, index].map(|at| (points[at], motion.velocity[at] * step));
            length += cubic_length(a, b);
        }
        motion.length.push(length);
    }
    motion
}

/// The length of the cubic between two points with their tangents.
fn cubic_length((p, u): (Vec3, Vec3), (q, v): (Vec3, Vec3)) -> f64 {
    let root = (3.0_f64 / 5.0).sqrt() / 2.0;
    let speed = |t: f64| {
        ((q - p) * (6.0 * t * (1.0 - t)) + u * ((1.0 - t) * (1.0 - 3.0 * t)) - v * (t * (2.0 - 3.0 * t))).norm()
    };
    (5.0 * speed(0.5 - root) + 8.0 * speed(0.5) + 5.0 * speed(0.5 + root)) / 18.0
}

/// First and second derivative by the polynomial through the five points about one (fewer where there are fewer), per step and
/// per square of one.
fn difference(points: &[Vec3], index: usize) -> (Vec3, Vec3) {
    let Some(most) = points.len().checked_sub(1).filter(|most| *most > 0) else {
        return (Vec3::zeros(), Vec3::zeros());
    };
    if most < 4 {
        let (a, b) = (index.saturating_sub(1), (index + 1).min(most));
        let velocity = (points[b] - points[a]) / (b - a) as f64;
        let middle = index.clamp(1, most.saturating_sub(1).max(1));
        let bend = points.get(middle + 1).map(|after| after - points[middle] * 2.0 + points[middle - 1]);
        return (velocity, bend.unwrap_or_else(Vec3::zeros));
    }
    let middle = index.clamp(2, most - 2);
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|at| points[middle - 2 + at]);
    quartic([a, b, c, d, e], index as f64 - middle as f64)
}

/// First and second derivative of the quartic through five points a step apart, at `x` steps from the middle one.
fn quartic([a, b, c, d, e]: [Vec3; 5], x: f64) -> (Vec3, Vec3) {
    let (c1, c2) = ((8.0 * (d - b) - (e - a)) / 12.0, (16.0 * (b + d) - (a + e) - 30.0 * c) / 24.0);
    let (c3, c4) = ((e - a - 2.0 * (d - b)) / 12.0, (a + e - 4.0 * (b + d) + 6.0 * c) / 24.0);
    let velocity = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4)));
    (velocity, 2.0 * c2 + x * (6.0 * c3 + x * (12.0 * c4)))
}

fn step(trail: &Trail, sampler: &TrailSampler<'_>, index: usize, error: f64) -> Option<Step> {
    let (here, secs) = (*trail.points.get(index)?, trail.secs(index));
    let before = index.checked_sub(1).and_then(|before| Some((trail.secs(before), *trail.points.get(before)?)));
    let way = before.map_or(0.0, |from| chords(sampler, from, (secs, here), error, HALVINGS));
    let reach = trail.rate.frame_secs() * REACH_FRAMES;
    let (first, last) = (trail.secs(0) + 2.0 * reach, trail.secs(trail.points.len() - 1) - 2.0 * reach);
    let middle = if first < last { secs.clamp(first, last) } else { secs };
    let c = if middle == secs { here } else { sampler.point(middle) };
    let [a, b, d, e] = [-2.0, -1.0, 1.0, 2.0].map(|step| sampler.point(middle + step * reach));
    // The quartic through the five: its derivatives where the point is among them.
    let (velocity, acceleration) = quartic([a, b, c, d, e], (secs - middle) / reach);
    let acceleration = if trail.captured { frame_to_frame(trail, index) } else { acceleration / (reach * reach) };
    Some((way, velocity / reach, acceleration))
}

/// The second difference over whole frames about a point, from within the trail.
fn frame_to_frame(trail: &Trail, index: usize) -> Vec3 {
    let (frame, step) = (trail.rate.frame_secs(), trail.per_frame.max(1) as usize);
    let Some(last) = trail.points.len().checked_sub(1 + step).filter(|last| *last >= step) else {
        return Vec3::zeros();
    };
    let middle = index.clamp(step, last);
    let [before, here, after] = [middle - step, middle, middle + step].map(|at| trail.points[at]);
    (after - here * 2.0 + before) / (frame * frame)
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

    /// The greatest of some numbers, but for the few that stick out far above the rest: where a curve bends sharply the
    /// acceleration has no bound, and a scale by it would show nothing else.
    #[must_use]
    pub fn most(numbers: impl Iterator<Item = f64>) -> f64 {
        let mut numbers: Vec<f64> = numbers.map(f64::abs).filter(|number| number.is_finite()).collect();
        numbers.sort_by(f64::total_cmp);
        let greatest = numbers.last().copied().unwrap_or(0.0);
        let usual = numbers.get(numbers.len() * 19 / 20).copied().unwrap_or(0.0);
        if usual > 0.0 && greatest > 4.0 * usual { 2.0 * usual } else { greatest }
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

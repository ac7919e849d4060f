//! Curves through points in space whose every part depends on all points: splines without a jump of the bend, the monotone
//! spline, the one polynomial. Knots are a chord apart.
//!
//! All take any number of points, coincident ones too: fewer than two give no segment, and the way between coincident points
//! is a rest. A closed path goes on from the last point to the first.

use super::Cubic3;
use crate::math::{
    Vec3,
    spline::{C2Ends, Lagrange, c2_slopes, monotone_slopes},
};

/// The most points (the first again, where closed) that [`polynomial`] goes through.
pub const MOST_POLYNOMIAL: usize = 32;
/// How near the cubics are to the polynomial, relative to its size.
const NEAR: f64 = 1e-8;
/// The most cubics for one way from point to point.
const MOST_PIECES: usize = 64;

/// The points without those that coincide with the one before, their knots, and for each segment its first knot and length.
struct Knots {
    times: Vec<f64>,
    places: Vec<Vec3>,
    of_segment: Vec<(usize, f64)>,
}

impl Knots {
    fn new(points: &[Vec3], closed: bool) -> Self {
        let count = points.len();
        let segments = if count < 2 { 0 } else { count - usize::from(!closed) };
        let mut knots = Self {
            times: vec![0.0],
            places: points.first().copied().into_iter().collect(),
            of_segment: Vec::with_capacity(segments),
        };
        for i in 0..segments {
            let next = points[(i + 1) % count];
            let (from, length) = (knots.times.len() - 1, (next - points[i]).norm());
            if length > 0.0 {
                knots.times.push(knots.times[from] + length);
                knots.places.push(next);
            }
            knots.of_segment.push((from, length));
        }
        knots
    }

    /// The slope at each knot by one function an axis; none where the knots carry no such curve.
    fn slopes(&self, of: impl Fn(usize, &[f64], &[f64]) -> Option<Vec<f64>>) -> Vec<Vec3> {
        let axis = |axis: usize| {
            let values: Vec<f64> = self.places.iter().map(|place| place[axis]).collect();
            of(axis, &self.times, &values).unwrap_or_default()
        };
        let slopes = [axis(0), axis(1), axis(2)];
        let at = |knot: usize| Vec3::from_fn(|axis, _| slopes[axis].get(knot).copied().unwrap_or(0.0));
        (0..self.places.len()).map(at).collect()
    }

    fn cubics(&self, points: &[Vec3], slopes: &[Vec3]) -> Vec<Cubic3> {
        let slope = |knot: usize| slopes.get(knot).copied().unwrap_or_default();
        let segment = |(i, &(from, length)): (usize, &(usize, f64))| {
            let (start, end) = (points[i], points[(i + 1) % points.len()]);
            if length > 0.0 {
                Cubic3::from_hermite(start, end, slope(from) * length, slope(from + 1) * length)
            } else {
                Cubic3::from_hermite(start, end, Vec3::zeros(), Vec3::zeros())
            }
        };
        self.of_segment.iter().enumerate().map(segment).collect()
    }
}

fn c2(points: &[Vec3], closed: bool, ends: impl Fn(usize) -> C2Ends) -> Vec<Cubic3> {
    let knots = Knots::new(points, closed);
    let slopes = knots
        .slopes(|axis, times, values| c2_slopes(times, values, if closed { C2Ends::Periodic } else { ends(axis) }));
    knots.cubics(points, &slopes)
}

/// The cubic spline whose velocity and acceleration are continuous: natural (no acceleration at the ends), or periodic where
/// closed.
#[must_use]
pub fn natural(points: &[Vec3], closed: bool) -> Vec<Cubic3> {
    c2(points, closed, |_| C2Ends::Natural)
}

/// The same whose first two and last two segments are one cubic each; periodic where closed.
#[must_use]
pub fn not_a_knot(points: &[Vec3], closed: bool) -> Vec<Cubic3> {
    c2(points, closed, |_| C2Ends::NotAKnot)
}

/// The same that leaves the first point and reaches the last with given velocities, of which the handles after the first and
/// before the last point are a third (none: straight along the chord); periodic where closed.
#[must_use]
pub fn clamped(points: &[Vec3], closed: bool, handles: [Option<Vec3>; 2]) -> Vec<Cubic3> {
    let knots = Knots::new(points, closed);
    let chord = |from: usize| match (knots.places.get(from), knots.places.get(from + 1)) {
        (Some(a), Some(b)) => b - a,
        _ => Vec3::zeros(),
    };
    // Velocities are by segment, slopes by knot.
    let slope = |way: Vec3, chord: Vec3| {
        let length = chord.norm();
        if length > 0.0 { way / length } else { Vec3::zeros() }
    };
    let (first, last) = (chord(0), chord(knots.places.len().saturating_sub(2)));
    let start = slope(handles[0].map_or(first, |handle| handle * 3.0), first);
    let end = slope(handles[1].map_or(last, |handle| handle * -3.0), last);
    c2(points, closed, |axis| C2Ends::Clamped { start: start[axis], end: end[axis] })
}

/// Cubics that turn back along an axis only where the points do (PCHIP by axis): nothing swings out beyond its points.
#[must_use]
pub fn monotone(points: &[Vec3], closed: bool) -> Vec<Cubic3> {
    let knots = Knots::new(points, closed);
    let slopes = knots.slopes(|_, times, values| {
        let (count, length) = (times.len(), times.last().copied().unwrap_or(0.0));
        if !closed || count < 3 {
            return monotone_slopes(times, values);
        }
        // Once more around at both sides: the slope at the first point is made of the chords at both of its sides.
        let around = |laps: f64, keep: std::ops::Range<usize>| keep.map(move |i| (i, laps));
        let all = around(-1.0, 0..count - 1).chain(around(0.0, 0..count)).chain(around(1.0, 1..count));
        let (wide, around): (Vec<f64>, Vec<f64>) = all.map(|(i, laps)| (times[i] + laps * length, values[i])).unzip();
        monotone_slopes(&wide, &around).map(|slopes| slopes[count - 1..2 * count - 1].to_vec())
    });
    knots.cubics(points, &slopes)
}

/// The one polynomial through all points, as cubics within 1e-8 of its size (or the most pieces there may be), and how many of
/// them lead from point to point. None for more than [`MOST_POLYNOMIAL`] points, or where the points carry none.
///
/// Between many points it swings out towards the ends (Runge): see [`Lagrange`].
#[must_use]
pub fn polynomial(points: &[Vec3], closed: bool) -> Option<(Vec<Cubic3>, usize)> {
    let knots = Knots::new(points, closed);
    if knots.places.len() > MOST_POLYNOMIAL {
        return None;
    }
    let mut axes = Vec::with_capacity(3);
    for axis in 0..3 {
        axes.push(Lagrange::new(&knots.times, &knots.places.iter().map(|place| place[axis]).collect::<Vec<_>>())?);
    }
    let value = |x: f64| Vec3::from_fn(|axis, _| axes[axis].value(x));
    let slope = |x: f64| Vec3::from_fn(|axis, _| axes[axis].derivative(x));
    let cut = |pieces: usize| {
        let mut segments = Vec::with_capacity(knots.of_segment.len() * pieces);
        let (mut off, mut size) = (0.0_f64, 0.0_f64);
        for (i, &(from, length)) in knots.of_segment.iter().enumerate() {
            let (first, step) = (knots.times[from], length / pieces as f64);
            let at = |piece: usize| match piece {
                0 => points[i],
                last if last == pieces => points[(i + 1) % points.len()],
                inner if length > 0.0 => value(first + inner as f64 * step),
                _ => points[i],
            };
            for piece in 0..pieces {
                let x = first + piece as f64 * step;
                let way = |x: f64| if length > 0.0 { slope(x) * step } else { Vec3::zeros() };
                let cubic = Cubic3::from_hermite(at(piece), at(piece + 1), way(x), way(x + step));
                if length > 0.0 {
                    off = off.max((cubic.point(0.5) - value(x + 0.5 * step)).norm());
                }
                size = size.max(cubic.size());
                segments.push(cubic);
            }
        }
        (segments, off <= NEAR * size)
    };
    let mut pieces = 1;
    loop {
        let (segments, near) = cut(pieces);
        if near || pieces >= MOST_PIECES {
            return Some((segments, pieces));
        }
        pieces *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<Vec3> {
        [[0.0, 0.0, 0.0], [1.0, 2.0, 0.5], [1.2, 2.1, 0.4], [4.0, 0.0, -1.0], [5.0, 3.0, 0.0]].map(Vec3::from).to_vec()
    }

    #[test]
    fn the_splines_bend_without_a_jump() {
        for closed in [false, true] {
            let points = points();
            let length = |i: usize| (points[(i + 1) % points.len()] - points[i]).norm();
            let handles = [Some(Vec3::new(0.0, 1.0, 0.0)), None];
            for segments in [natural(&points, closed), not_a_knot(&points, closed), clamped(&points, closed, handles)] {
                let count = segments.len();
                for i in 0..if closed { count } else { count - 1 } {
                    let next = (i + 1) % count;
                    let (a, b) = (length(i), length(next));
                    let velocity = segments[i].velocity(1.0) / a - segments[next].velocity(0.0) / b;
                    let bend = segments[i].acceleration(1.0) / (a * a) - segments[next].acceleration(0.0) / (b * b);
                    assert!(velocity.norm() < 1e-11 && bend.norm() < 1e-9, "{i} {velocity} {bend}");
                }
            }
        }
        let (points, none) = (points(), [None, None]);
        assert!(natural(&points, false)[0].acceleration(0.0).norm() < 1e-11);
        // The first two segments are one cubic: its third derivative by the knots does not jump.
        let third = |segment: &Cubic3, length: f64| segment.c[3] * 6.0 / length.powi(3);
        let own = not_a_knot(&points, false);
        let jump = third(&own[0], (points[1] - points[0]).norm()) - third(&own[1], (points[2] - points[1]).norm());
        assert!(jump.norm() < 1e-9, "{jump}");
        let held = clamped(&points, false, [Some(Vec3::new(0.0, 1.0, 0.0)), None]);
        assert!((held[0].velocity(0.0) - Vec3::new(0.0, 3.0, 0.0)).norm() < 1e-12);
        let straight = clamped(&points, false, none);
        assert!((straight[3].velocity(1.0) - (points[4] - points[3])).norm() < 1e-12);
    }

    #[test]
    fn the_monotone_path_stays_between_its_points() {
        for closed in [false, true] {
            let points = points();
            let segments = monotone(&points, closed);
            for (i, segment) in segments.iter().enumerate() {
                let (a, b) = (points[i], points[(i + 1) % points.len()]);
                for u in (1..20).map(|u| f64::from(u) / 20.0) {
                    let at = segment.point(u);
                    for axis in 0..3 {
                        let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
                        assert!((low - 1e-12..=high + 1e-12).contains(&at[axis]), "{closed} {i} {u} {axis}");
                    }
                }
            }
            if closed {
                let (first, last) = ((points[1] - points[0]).norm(), (points[0] - points[4]).norm());
                let jump = segments[0].velocity(0.0) / first - segments[4].velocity(1.0) / last;
                assert!(jump.norm() < 1e-12, "{jump}");
            }
        }
    }

    #[test]
    fn the_polynomial_is_met_by_its_cubics() {
        let points = points();
        let (segments, pieces) = polynomial(&points, false).unwrap();
        assert_eq!(segments.len(), 4 * pieces);
        let knots = Knots::new(&points, false);
        let of = |axis: usize| {
            Lagrange::new(&knots.times, &knots.places.iter().map(|place| place[axis]).collect::<Vec<_>>()).unwrap()
        };
        let axes = [of(0), of(1), of(2)];
        for (i, segment) in segments.iter().enumerate() {
            let (from, length) = knots.of_segment[i / pieces];
            for u in [0.0, 0.21, 0.5, 0.77, 1.0] {
                let x = knots.times[from] + length * ((i % pieces) as f64 + u) / pieces as f64;
                let exact = Vec3::from_fn(|axis, _| axes[axis].value(x));
                assert!((segment.point(u) - exact).norm() < 1e-6, "{i} {u}");
            }
        }
        // A parabola is one: no piece needs to be cut.
        let parabola: Vec<Vec3> = [0.0, 1.0].iter().map(|x: &f64| Vec3::new(*x, x * x, 0.0)).collect();
        assert_eq!(polynomial(&parabola, false).unwrap().1, 1);
        assert!(polynomial(&vec![Vec3::zeros(); 100], false).is_some(), "all at one place: one point");
        let many: Vec<Vec3> = (0..40).map(|i| Vec3::new(f64::from(i), 0.0, 0.0)).collect();
        assert!(polynomial(&many, false).is_none());
    }
}

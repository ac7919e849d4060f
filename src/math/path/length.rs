//! The length of a cubic, and the parameter at a length.

use super::Cubic3;
use crate::math::poly::{Roots, cubic_roots};

/// Abscissae and weights of the Gauss-Legendre rule of 8 points on -1..1, one half of the symmetric pairs.
const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_361_9),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
];

/// How often an interval is halved at most: beyond that its part of the length is below every tolerance.
const DEPTH: u32 = 40;

/// At how many places a curve is looked at for one where it may rest.
const LOOKS: u32 = 9;

/// The square of a cubic's speed: a polynomial of degree four, which takes a third of the work of the velocity. What rounding
/// it has shows only where the speed is a hundred-millionth of the curve's size, over a stretch as short.
#[derive(Clone, Copy, Debug)]
struct Speed {
    /// The coefficients, constant first.
    q: [f64; 5],
}

impl Speed {
    fn of(curve: &Cubic3) -> Self {
        let [_, a, b, c] = &curve.c;
        // The velocity is a + 2 b u + 3 c u^2.
        let q = [a.dot(a), 4.0 * a.dot(b), 4.0 * b.dot(b) + 6.0 * a.dot(c), 12.0 * b.dot(c), 9.0 * c.dot(c)];
        Self { q }
    }

    #[inline]
    fn square(&self, u: f64) -> f64 {
        let [q0, q1, q2, q3, q4] = self.q;
        q0 + u * (q1 + u * (q2 + u * (q3 + u * q4)))
    }

    #[inline]
    fn at(&self, u: f64) -> f64 {
        self.square(u).max(0.0).sqrt()
    }

    /// The length by one Gauss-Legendre rule: exact where the square of the speed is a square.
    #[inline]
    fn gauss(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let sum: f64 = GAUSS_8.iter().map(|(x, w)| w * (self.at(middle - half * x) + self.at(middle + half * x))).sum();
        half * sum
    }

    /// The length between two parameters in order.
    fn length(&self, from: f64, to: f64, tolerance: f64) -> f64 {
        if self.may_rest(from, to) {
            let slowest = self.slowest();
            let within = slowest.as_slice().iter().copied().filter(|u| *u > from && *u < to);
            let (mut length, mut start) = (0.0, from);
            for end in within.chain([to]) {
                length += self.adaptive(start, end, self.gauss(start, end), tolerance, DEPTH);
                start = end;
            }
            length
        } else {
            self.adaptive(from, to, self.gauss(from, to), tolerance, DEPTH)
        }
    }

    /// Whether the curve may come to rest between two parameters: between places near enough to see that, its speed differs
    /// much. Rules for smooth functions can agree by chance on one with a kink.
    fn may_rest(&self, from: f64, to: f64) -> bool {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for place in 0..LOOKS {
            let square = self.square(from + (to - from) * f64::from(place) / f64::from(LOOKS - 1));
            least = least.min(square);
            most = most.max(square);
        }
        least < most / 16.0
    }

    /// Where the speed may be least: the roots of the derivative of its square.
    fn slowest(&self) -> Roots {
        let [_, q1, q2, q3, q4] = self.q;
        cubic_roots(q1, 2.0 * q2, 3.0 * q3, 4.0 * q4)
    }

    fn adaptive(&self, from: f64, to: f64, whole: f64, tolerance: f64, depth: u32) -> f64 {
        let middle = 0.5 * (from + to);
        let (first, second) = (self.gauss(from, middle), self.gauss(middle, to));
        let halves = first + second;
        // The halves are better than the whole by far more than the difference shows.
        let settled = (halves - whole).abs() <= tolerance;
        if depth == 0 || settled || halves.is_nan() {
            return halves;
        }
        let tolerance = 0.5 * tolerance;
        self.adaptive(from, middle, first, tolerance, depth - 1)
            + self.adaptive(middle, to, second, tolerance, depth - 1)
    }
}

/// The length between two parameters, within `tolerance` (an absolute length, more than 0); negative where `to` is
/// before `from`.
///
/// A curve whose speed differs much is first cut where it is slowest: at a cusp, or where it turns back or rests, the speed
/// has a kink there and is smooth on both sides. Each piece is then halved until its halves add up to it.
#[must_use]
pub fn arc_length(curve: &Cubic3, from: f64, to: f64, tolerance: f64) -> f64 {
    let length = Speed::of(curve).length(from.min(to), from.max(to), tolerance);
    if to < from { -length } else { length }
}

/// The parameter in 0..=1 at which the curve is `length` long from its start, within `tolerance` (an absolute length).
/// Lengths outside the curve give the nearer end; where the curve rests, any parameter of the rest.
///
/// Newton's method, since the derivative of the length is the speed, within a bracket: at a cusp the speed vanishes and
/// the bracket is halved instead. Each step measures only the piece from the last place.
#[must_use]
pub fn parameter_at_length(curve: &Cubic3, length: f64, tolerance: f64) -> f64 {
    parameter_at_length_of(curve, length, arc_length(curve, 0.0, 1.0, 0.1 * tolerance), tolerance)
}

/// [`parameter_at_length`] of a curve whose length is known.
#[must_use]
pub(super) fn parameter_at_length_of(curve: &Cubic3, length: f64, total: f64, tolerance: f64) -> f64 {
    invert(curve, length, total, tolerance, |_| {})
}

/// One round of the search for the parameter at a length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthStep {
    /// The parameter looked at.
    pub parameter: f64,
    /// The length there above the one wanted.
    pub miss: f64,
    /// The bracket that holds the wanted one from here on.
    pub bracket: (f64, f64),
    /// Whether Newton's step was taken to get on; else the bracket was halved.
    pub newton: bool,
}

/// The rounds by which [`parameter_at_length`] finds its parameter.
#[must_use]
pub fn length_steps(curve: &Cubic3, length: f64, tolerance: f64) -> Vec<LengthStep> {
    let mut steps = Vec::new();
    let total = arc_length(curve, 0.0, 1.0, 0.1 * tolerance);
    invert(curve, length, total, tolerance, |step| steps.push(step));
    steps
}

/// The search, told to `seen` round by round.
fn invert(curve: &Cubic3, length: f64, total: f64, tolerance: f64, mut seen: impl FnMut(LengthStep)) -> f64 {
    let fine = 0.1 * tolerance;
    if length <= 0.0 || length.is_nan() {
        return 0.0;
    }
    if length >= total {
        return 1.0;
    }
    let speed = Speed::of(curve);
    let between = |from: f64, to: f64| {
        if from <= to { speed.length(from, to, fine) } else { -speed.length(to, from, fine) }
    };
    let (mut low, mut high) = (0.0, 1.0);
    let mut u = length / total;
    let mut at = between(0.0, u);
    for round in 0..100 {
        let miss = at - length;
        if miss > 0.0 {
            high = u;
        } else {
            low = u;
        }
        let newton = u - miss / speed.at(u);
        // Newton three times of four, so that the bracket halves again and again.
        let by_newton = round % 4 < 3 && newton > low && newton < high;
        seen(LengthStep { parameter: u, miss, bracket: (low, high), newton: by_newton });
        if miss.abs() <= fine {
            break;
        }
        let next = if by_newton { newton } else { f64::midpoint(low, high) };
        if next == u {
            break;
        }
        at += between(u, next);
        u = next;
    }
    u
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    fn curve(points: [[f64; 3]; 4]) -> Cubic3 {
        Cubic3::from_bezier(points.map(Vec3::from))
    }

    fn curves() -> Vec<Cubic3> {
        vec![
            curve([[0.0, 0.0, 0.0], [1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [4.0, 0.0, 0.0]]),
            // A cusp in the middle.
            curve([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
            // Rests at both ends.
            curve([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]),
            // Goes back over itself.
            curve([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        ]
    }

    #[test]
    fn the_length_is_the_limit_of_chords() {
        for curve in curves() {
            let length = arc_length(&curve, 0.0, 1.0, 1e-10);
            let chords = |n: u32| -> f64 {
                let at = |i: u32| curve.point(f64::from(i) / f64::from(n));
                (0..n).map(|i| (at(i + 1) - at(i)).norm()).sum()
            };
            // Chords err by the square of their step, so two counts give a better third.
            let (coarse, fine) = (chords(20_000), chords(40_000));
            assert!((length - (fine + (fine - coarse) / 3.0)).abs() < 1e-8, "{length} {fine}");
            assert!(length >= fine - 1e-12);
        }
    }

    #[test]
    fn lengths_and_parameters_undo_each_other() {
        for curve in curves() {
            let total = arc_length(&curve, 0.0, 1.0, 1e-12);
            for i in 0..=50 {
                let length = total * f64::from(i) / 50.0;
                let u = parameter_at_length(&curve, length, 1e-9);
                assert!((arc_length(&curve, 0.0, u, 1e-12) - length).abs() < 1e-9);
            }
            assert_eq!(parameter_at_length(&curve, -1.0, 1e-9), 0.0);
            assert_eq!(parameter_at_length(&curve, total + 1.0, 1e-9), 1.0);
        }
    }

    #[test]
    fn a_point_has_no_length() {
        let point = curve([[1.0, 2.0, 3.0]; 4]);
        assert_eq!(arc_length(&point, 0.0, 1.0, 1e-9), 0.0);
        assert!((0.0..=1.0).contains(&parameter_at_length(&point, 0.0, 1e-9)));
    }

    #[test]
    fn a_cusp_anywhere_is_no_surprise() {
        let (a, b) = (Vec3::new(1.0, 0.5, -0.2), Vec3::new(-0.3, 1.0, 0.8));
        for i in 1..400 {
            // The velocity is (u - rest) (a + b u).
            let rest = f64::from(i) / 400.0;
            let curve = Cubic3 { c: [Vec3::zeros(), -a * rest, (a - b * rest) / 2.0, b / 3.0] };
            let halves = arc_length(&curve, 0.0, rest, 1e-14) + arc_length(&curve, rest, 1.0, 1e-14);
            for tolerance in [1e-6, 1e-9, 1e-12] {
                let off = (arc_length(&curve, 0.0, 1.0, tolerance) - halves).abs();
                assert!(off <= tolerance.max(1e-13), "{off:e} with the cusp at {rest}");
            }
        }
    }
}

//! The time of a Bezier curve, solved for its parameter.

use super::Cubic;

/// Time along a cubic Bezier segment as a function of its parameter: `x(u)` with control values 0, `a`, `1 - b`, 1, where
/// `a` and `b` in 0..=1 are the handles' lengths as parts of the segment. `x` then never runs backwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BezierTime {
    c1: f64,
    c2: f64,
    c3: f64,
    /// How far the first guess bends away from `u = x`.
    bend: f64,
}

impl BezierTime {
    /// Time with handles of these lengths, each brought into 0..=1 (one that is not a number counts as 0).
    #[must_use]
    pub fn new(handle_out: f64, handle_in: f64) -> Self {
        let unit = |handle: f64| if handle > 0.0 { handle.min(1.0) } else { 0.0 };
        let (a, b) = (unit(handle_out), unit(handle_in));
        // The guess is the parabola through both ends and the middle, x(1/2) = 1/2 + 3 (a - b) / 8.
        let off = 0.375 * (a - b);
        let bend = -off / (0.25 - off * off);
        Self { c1: 3.0 * a, c2: 3.0 - 6.0 * a - 3.0 * b, c3: 3.0 * (a + b) - 2.0, bend }
    }

    /// The lengths of both handles, 0..=1.
    #[must_use]
    pub fn handles(&self) -> [f64; 2] {
        let first = self.c1 / 3.0;
        [first, (self.c3 + 2.0) / 3.0 - first]
    }

    /// `x(u)`.
    #[must_use]
    #[inline]
    pub fn time(&self, u: f64) -> f64 {
        ((self.c3 * u + self.c2) * u + self.c1) * u
    }

    /// `x'(u)`, at least 0 within 0..=1 (but for rounding).
    #[must_use]
    #[inline]
    pub fn speed(&self, u: f64) -> f64 {
        (3.0 * self.c3 * u + 2.0 * self.c2) * u + self.c1
    }

    /// `x''(u)`.
    #[must_use]
    pub fn second_derivative(&self, u: f64) -> f64 {
        6.0 * self.c3 * u + 2.0 * self.c2
    }

    /// `dy/dx` at `u` for a value that is a cubic in the same parameter: the ratio of the first derivatives that are not
    /// both zero, since a curve whose handle has no length still has a direction. Infinite where it is vertical.
    #[must_use]
    pub fn slope_of(&self, value: &Cubic, u: f64) -> f64 {
        const ZERO: f64 = 1e-12;
        let scale = value.c[1].abs() + value.c[2].abs() + value.c[3].abs();
        let (dx, dy) = (self.speed(u), value.derivative(u));
        if dx > ZERO {
            return dy / dx;
        }
        if dy.abs() > ZERO * scale {
            return f64::INFINITY.copysign(dy);
        }
        let (ddx, ddy) = (self.second_derivative(u), value.second_derivative(u));
        if ddx.abs() > ZERO {
            return ddy / ddx;
        }
        if ddy.abs() > ZERO * scale {
            // At the end of a segment the second derivatives point back.
            return f64::INFINITY.copysign(if u > 0.5 { -ddy } else { ddy });
        }
        // Time and value rest together in the middle.
        value.c[3] / self.c3
    }

    /// The `u` in 0..=1 with `x(u) = time`; times outside 0..=1 give the nearer end, one that is not a number 0.
    ///
    /// Machine precision wherever the conditioning allows it (where `x'` is zero the answer has a square or cube root of
    /// it). One step of order five and one of order three settle nearly every segment; what they do not is bracketed.
    #[must_use]
    #[inline]
    pub fn solve(&self, time: f64) -> f64 {
        if time <= 0.0 || time.is_nan() {
            return 0.0;
        }
        if time >= 1.0 {
            return 1.0;
        }
        let (root, settled) = self.solve_straight(time);
        if settled { root } else { self.solve_bracketed(time, root) }
    }

    /// The root after one step of order five and one of order three from the first guess, for a time inside 0..=1, and
    /// whether they have settled it. It takes no turns, so that a processor works on many of them at once.
    #[inline]
    fn solve_straight(&self, time: f64) -> (f64, bool) {
        let guess = time + self.bend * time * (1.0 - time);
        let near = guess - self.step(guess, time);
        let (miss, slope, half) = (self.time(near) - time, self.speed(near), 3.0 * self.c3 * near + self.c2);
        let step = miss * slope / (slope * slope - miss * half);
        let root = near - step;
        // What Halley's step leaves is about step^3 (half^2 - c3 slope) / slope^2. A value that is not a number fails too.
        let left = step * step * (half * half + self.c3.abs() * slope);
        (root, (left <= 2e-11 * (slope * slope)) & (0.0..=1.0).contains(&root))
    }

    /// [`BezierTime::solve`] of many segments at once, each at its own time, to the bit.
    pub fn solve_many<const N: usize>(segments: &[Self; N], times: &[f64; N]) -> [f64; N] {
        let mut roots = [0.0; N];
        let mut settled = [false; N];
        let each = || segments.iter().zip(times);
        for ((root, settled), (segment, time)) in roots.iter_mut().zip(&mut settled).zip(each()) {
            (*root, *settled) = segment.solve_straight(*time);
        }
        for ((root, settled), (segment, time)) in roots.iter_mut().zip(settled).zip(each()) {
            if !(settled && 0.0 < *time && *time < 1.0) {
                *root = segment.solve(*time);
            }
        }
        roots
    }

    /// Householder's step of order five for a cubic: it costs one division, as Newton's does, and replaces two or three
    /// of Newton's. Source: A. S. Householder, *The numerical treatment of a single nonlinear equation*, 1970.
    #[inline]
    fn step(&self, u: f64, time: f64) -> f64 {
        let miss = self.time(u) - time;
        let d = self.speed(u);
        // Half the second and a sixth of the third derivative.
        let (h, k) = (3.0 * self.c3 * u + self.c2, self.c3);
        let (dd, mh, mmk) = (d * d, miss * h, miss * miss * k);
        miss * (d * (dd - 2.0 * mh) + mmk) / (dd * (dd - 3.0 * mh) + mh * mh + 2.0 * mmk * d)
    }

    /// Steps of order five within a bracket that shrinks at every one; where a step leaves the bracket, or the bracket
    /// has not halved, it is halved instead.
    #[cold]
    #[inline(never)]
    fn solve_bracketed(&self, time: f64, guess: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let mut u = if guess > low && guess < high { guess } else { time };
        // Eight steps settle all but the worst; 60 halvings exhaust the digits of the rest.
        for round in 0..80 {
            let miss = self.time(u) - time;
            if miss > 0.0 {
                high = u;
            } else if miss < 0.0 {
                low = u;
            } else {
                return u;
            }
            let stepped = u - self.step(u, time);
            let trusted = round < 8 && stepped >= low && stepped <= high;
            let next = if trusted { stepped } else { 0.5 * (low + high) };
            if (next - u).abs() < 1e-16 {
                return next;
            }
            u = next;
        }
        u
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handle_pair_is_solved_over_decades_of_time() {
        let handles: Vec<f64> = (0..=20).map(|i| f64::from(i) / 20.0).chain([1e-9, 1e-4, 0.999_999, 2.0]).collect();
        let times: Vec<f64> = (0..=40)
            .map(|i| f64::from(i) / 40.0)
            .chain((1..=15).flat_map(|e| [10f64.powi(-e), 1.0 - 10f64.powi(-e), 0.5 + 10f64.powi(-e)]))
            .collect();
        for a in &handles {
            for b in &handles {
                let time = BezierTime::new(*a, *b);
                for t in &times {
                    let u = time.solve(*t);
                    assert!((0.0..=1.0).contains(&u));
                    let miss = (time.time(u) - t).abs();
                    assert!(miss < 2e-15, "handles {a} {b}, time {t}: off by {miss:e}");
                }
            }
        }
    }

    #[test]
    fn many_are_solved_as_one_is() {
        let part = |n: usize| (n as f64 * 0.618_034).fract();
        for start in 0..200 {
            let segments: [BezierTime; 16] =
                std::array::from_fn(|n| BezierTime::new(1.2 * part(start + n) - 0.1, 1.2 * part(start * 7 + 3 * n)));
            let mut times: [f64; 16] = std::array::from_fn(|n| part(start * 3 + 5 * n));
            times[start % 16] = [0.0, 1.0, -1.0, 2.0, f64::NAN, 1e-300][start % 6];
            let one_by_one: [f64; 16] = std::array::from_fn(|n| segments[n].solve(times[n]));
            assert_eq!(BezierTime::solve_many(&segments, &times), one_by_one);
        }
    }

    #[test]
    fn time_runs_forward_whatever_the_handles() {
        for (a, b) in [(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.7, 0.9), (5.0, 5.0)] {
            let time = BezierTime::new(a, b);
            let mut before = 0.0;
            for i in 0..=1000 {
                let u = time.solve(f64::from(i) / 1000.0);
                assert!(u >= before, "{a} {b} {i}: {u} after {before}");
                before = u;
            }
        }
    }

    #[test]
    fn ends_and_bad_times_are_defined() {
        let time = BezierTime::new(0.4, f64::NAN);
        assert_eq!((time.solve(0.0), time.solve(1.0), time.solve(-3.0), time.solve(7.0)), (0.0, 1.0, 0.0, 1.0));
        assert_eq!(time.solve(f64::NAN), 0.0);
    }
}

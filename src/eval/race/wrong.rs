//! Formulas that are printed wrong in course notes, computed as they are printed, so that it is seen what they do. What is
//! right is in [`crate::eval::curve`].

use crate::model::{Interpolation, Key, KeyedCurve, Keys, Scheme};
use std::f64::consts::{LN_2, TAU};

/// A formula that is printed wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongForm {
    /// Kochanek-Bartels with the chords changed over: `(1 - t)(1 - c)(1 + b)` on the chord *after* the key in the incoming
    /// tangent, `(1 + c)(1 + b)` on it in the outgoing one. That reverses continuity and bias.
    Tcb,
    /// The cardinal matrix `0.5 [[0, 2, 0, 0], [-s, 0, s, 0], [2s, s-3, 3-2s, -s], [-s, 2-s, s-2, s]]`, `s = 1 - tension`: two
    /// conventions in one, it misses the second key of every segment by half the way to it. It takes the spacing as even.
    Cardinal,
    /// Bounce as `1 - |sin(2 pi n (1 - u))| e^(-k (1 - u))` with n = 3, k = 4: it starts where it should end, and its bounces grow.
    Bounce,
    /// Elastic as `1 - 2^(-10 u) cos(2 pi b u)` with b = 3: it ends a 1,024th short.
    Elastic,
}

/// Pieces an ease is drawn by, a segment: their ends fall on the six corners of the bounce. The cubics between, with the
/// exact slopes at both ends, are off by less than 1e-5 of the rise.
const PIECES: u32 = 96;

/// A cubic from one time to another by its values and its slopes (per second) at both.
struct Piece {
    times: [f64; 2],
    values: [f64; 2],
    slopes: [f64; 2],
}

impl WrongForm {
    /// All forms, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Tcb, Self::Cardinal, Self::Bounce, Self::Elastic];

    /// The value of an ease at a part of the time, 0..=1; none for the forms that are no eases.
    #[must_use]
    pub fn ease(self, u: f64) -> Option<f64> {
        match self {
            Self::Bounce => Some(1.0 - bounce_swing(u).0.abs() * bounce_growth(u)),
            Self::Elastic => Some(1.0 - (-10.0 * LN_2 * u).exp() * (TAU * ELASTIC_B * u).cos()),
            Self::Tcb | Self::Cardinal => None,
        }
    }

    /// The keys' curve by this form, as keys that draw it.
    pub(super) fn curve(self, curve: &KeyedCurve) -> KeyedCurve {
        let keys: Vec<Key> = curve.keys.iter().collect();
        let mut drawn = Drawn::default();
        for index in 0..keys.len().saturating_sub(1) {
            match self {
                Self::Tcb => drawn.add(&tcb(&keys, index)),
                Self::Cardinal => drawn.add(&cardinal(&keys, index)),
                Self::Bounce => eased(&keys, index, bounce_slopes, |u| self.ease(u), &mut drawn),
                Self::Elastic => eased(&keys, index, elastic_slopes, |u| self.ease(u), &mut drawn),
            }
        }
        KeyedCurve { keys: drawn.finish(keys.last()), scheme: Scheme::PerKey, ..curve.clone() }
    }
}

const BOUNCE_N: f64 = 3.0;
const BOUNCE_K: f64 = 4.0;
const ELASTIC_B: f64 = 3.0;

/// The sine within the bounce and its derivative by `u`.
fn bounce_swing(u: f64) -> (f64, f64) {
    let (sin, cos) = (TAU * BOUNCE_N * (1.0 - u)).sin_cos();
    (sin, -TAU * BOUNCE_N * cos)
}

fn bounce_growth(u: f64) -> f64 {
    (-BOUNCE_K * (1.0 - u)).exp()
}

/// The bounce's slopes by `u` at the start and the end of a piece that holds no corner inside.
fn bounce_slopes(from: f64, to: f64) -> [f64; 2] {
    let sign = bounce_swing(f64::midpoint(from, to)).0.signum();
    [from, to].map(|u| {
        let (swing, turn) = bounce_swing(u);
        -sign * bounce_growth(u) * BOUNCE_K.mul_add(swing, turn)
    })
}

fn elastic_slopes(from: f64, to: f64) -> [f64; 2] {
    [from, to].map(|u| {
        let (sin, cos) = (TAU * ELASTIC_B * u).sin_cos();
        (-10.0 * LN_2 * u).exp() * (10.0 * LN_2).mul_add(cos, TAU * ELASTIC_B * sin)
    })
}

fn eased(
    keys: &[Key],
    index: usize,
    slopes: impl Fn(f64, f64) -> [f64; 2],
    ease: impl Fn(f64) -> Option<f64>,
    drawn: &mut Drawn,
) {
    let (Some(start), Some(end)) = (keys.get(index), keys.get(index + 1)) else { return };
    let (secs, rise) = (end.time - start.time, end.value - start.value);
    for piece in 0..PIECES {
        let parts = [piece, piece + 1].map(|at| f64::from(at) / f64::from(PIECES));
        let time = |part: f64| if part == 1.0 { end.time } else { secs.mul_add(part, start.time) };
        drawn.add(&Piece {
            times: parts.map(time),
            values: parts.map(|part| rise.mul_add(ease(part).unwrap_or(part), start.value)),
            slopes: slopes(parts[0], parts[1]).map(|slope| slope * rise / secs),
        });
    }
}

/// The printed tangents `(into, out of)` a key, with the correction for uneven spacing, so that the changed chords are all
/// that is wrong. At an end the one chord there is.
fn tcb_tangents(keys: &[Key], index: usize) -> (f64, f64) {
    let Some(here) = keys.get(index) else { return (0.0, 0.0) };
    let around = (index.checked_sub(1).and_then(|before| keys.get(before)), keys.get(index + 1));
    let (t, c, b) = (here.tension, here.continuity, here.bias);
    match around {
        (Some(before), Some(after)) => {
            let (left, right) = (here.value - before.value, after.value - here.value);
            let scale = (1.0 - t) / (after.time - before.time);
            (
                scale * ((1.0 - c) * (1.0 + b) * right + (1.0 + c) * (1.0 - b) * left),
                scale * ((1.0 + c) * (1.0 + b) * right + (1.0 - c) * (1.0 - b) * left),
            )
        }
        (Some(other), None) | (None, Some(other)) => {
            let slope = (1.0 - t) * (other.value - here.value) / (other.time - here.time);
            (slope, slope)
        }
        (None, None) => (0.0, 0.0),
    }
}

fn tcb(keys: &[Key], index: usize) -> Piece {
    let ends = [keys[index], keys[index + 1]];
    Piece {
        times: ends.map(|key| key.time),
        values: ends.map(|key| key.value),
        slopes: [tcb_tangents(keys, index).1, tcb_tangents(keys, index + 1).0],
    }
}

/// The printed matrix on four keys; beyond an end stands the key that the end reflects.
fn cardinal(keys: &[Key], index: usize) -> Piece {
    let (start, end) = (keys[index], keys[index + 1]);
    let (p1, p2) = (start.value, end.value);
    let p0 = index.checked_sub(1).and_then(|at| keys.get(at)).map_or(2.0 * p1 - p2, |key| key.value);
    let p3 = keys.get(index + 2).map_or(2.0 * p2 - p1, |key| key.value);
    let s = 1.0 - start.tension;
    let c1 = 0.5 * s * (p2 - p0);
    let c2 = 0.5 * (2.0 * s * p0 + (s - 3.0) * p1 + (3.0 - 2.0 * s) * p2 - s * p3);
    let c3 = 0.5 * (-s * p0 + (2.0 - s) * p1 + (s - 2.0) * p2 + s * p3);
    let secs = end.time - start.time;
    Piece {
        times: [start.time, end.time],
        values: [p1, p1 + c1 + c2 + c3],
        slopes: [c1 / secs, (c1 + 2.0 * c2 + 3.0 * c3) / secs],
    }
}

/// Pieces as Hermite keys. Where a piece does not start where the one before ended, the jump is a key at the last number
/// before that time.
#[derive(Default)]
struct Drawn {
    keys: Vec<Key>,
    /// The end of the last piece: time, value, slope.
    end: Option<[f64; 3]>,
}

impl Drawn {
    fn add(&mut self, piece: &Piece) {
        let into = self.close(piece.times[0], piece.values[0]);
        let mut key = Key::new(piece.times[0], piece.values[0]);
        key.interpolation = Interpolation::Hermite;
        key.slope_in = into;
        key.slope_out = piece.slopes[0];
        self.keys.push(key);
        self.end = Some([piece.times[1], piece.values[1], piece.slopes[1]]);
    }

    /// The slope into the key that comes next; a key of its own for the end of the last piece where the next one does not
    /// start there.
    fn close(&mut self, time: f64, value: f64) -> f64 {
        match self.end.take() {
            Some([at, reached, slope]) if at == time && (reached - value).abs() <= 1e-12 * (1.0 + value.abs()) => slope,
            Some([at, reached, slope]) => {
                let mut key = Key::new(at.next_down(), reached);
                key.interpolation = Interpolation::Step;
                key.slope_in = slope;
                self.keys.push(key);
                0.0
            }
            None => 0.0,
        }
    }

    fn finish(mut self, last: Option<&Key>) -> Keys<Key> {
        if let Some(last) = last {
            let slope_in = self.close(last.time, last.value);
            self.keys.push(Key { slope_in, ..*last });
        }
        self.keys.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::curve::{Cursor, Point, kochanek_bartels_slopes, value, value_and_slope_with};

    fn keys(keys: &[(f64, f64)], shape: [f64; 3]) -> KeyedCurve {
        let [tension, continuity, bias] = shape;
        let key = |(time, value): &(f64, f64)| Key { tension, continuity, bias, ..Key::new(*time, *value) };
        KeyedCurve { keys: keys.iter().map(key).collect(), ..KeyedCurve::default() }
    }

    /// `notes(t, c, b) = KB(t, -c, -b)`, on uneven keys too.
    #[test]
    fn the_printed_tangents_reverse_continuity_and_bias() {
        let points = [(0.0, 0.0), (1.0, 1.0), (1.5, 5.0), (4.0, 2.0)];
        for shape in [[0.0, 0.0, 1.0], [0.3, -1.0, 0.0], [-0.5, 0.25, -0.75]] {
            let curve: Vec<Key> = keys(&points, shape).keys.iter().collect();
            for index in 1..3 {
                let at = |i: usize| Point { time: points[i].0, value: points[i].1 };
                let [t, c, b] = shape;
                let right = kochanek_bartels_slopes(Some(at(index - 1)), at(index), Some(at(index + 1)), [t, -c, -b]);
                let printed = tcb_tangents(&curve, index);
                assert!((printed.0 - right.0).abs() < 1e-12 && (printed.1 - right.1).abs() < 1e-12);
            }
        }
        // Chords of 1 and 4: bias 1 should give the left one on both sides, and gives the right one.
        let curve: Vec<Key> = keys(&[(0.0, 0.0), (1.0, 1.0), (2.0, 5.0)], [0.0, 0.0, 1.0]).keys.iter().collect();
        assert_eq!(tcb_tangents(&curve, 1), (4.0, 4.0));
    }

    /// From 1 to 3 the printed matrix arrives at 2, whatever the tension.
    #[test]
    fn the_printed_matrix_misses_the_second_key() {
        for tension in [0.0, 0.5] {
            let curve = keys(&[(0.0, 1.0), (1.0, 3.0), (2.0, 3.0)], [tension, 0.0, 0.0]);
            let drawn = WrongForm::Cardinal.curve(&curve);
            let at = |time| value(&drawn, time).unwrap();
            assert_eq!(at(0.0), 1.0);
            assert!((at(1.0_f64.next_down()) - 2.0).abs() < 1e-12, "{}", at(1.0_f64.next_down()));
            assert_eq!(at(1.0), 3.0);
            // Against the matrix itself, at the first segment's middle: 0.5 [1 u u² u³] M P.
            let (s, p) = (1.0 - tension, [-1.0, 1.0, 3.0, 3.0]);
            let rows = [
                [0.0, 2.0, 0.0, 0.0],
                [-s, 0.0, s, 0.0],
                [2.0 * s, s - 3.0, 3.0 - 2.0 * s, -s],
                [-s, 2.0 - s, s - 2.0, s],
            ];
            for u in [0.25_f64, 0.5, 0.9] {
                let row = |i: usize| (0..4).map(|j| rows[i][j] * p[j]).sum::<f64>();
                let expected = 0.5 * (row(0) + u * row(1) + u * u * row(2) + u * u * u * row(3));
                assert!((at(u) - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_printed_eases_are_as_the_errata_say() {
        assert!((WrongForm::Bounce.ease(0.0).unwrap() - 1.0).abs() < 1e-12);
        let least = |from: u32, to: u32| {
            (from..=to).map(|i| WrongForm::Bounce.ease(f64::from(i) / 12_000.0).unwrap()).fold(1.0, f64::min)
        };
        assert!((least(0, 2_000) - 0.974).abs() < 1e-3, "{}", least(0, 2_000));
        assert!((least(10_000, 12_000) - 0.267).abs() < 1e-3, "{}", least(10_000, 12_000));
        assert!((WrongForm::Elastic.ease(1.0).unwrap() - 0.999_023).abs() < 1e-6);
        assert_eq!(WrongForm::Tcb.ease(0.5), None);
    }

    #[test]
    fn eases_are_drawn_as_they_are() {
        let curve = keys(&[(1.0, -2.0), (3.0, 4.0), (3.5, 4.5)], [0.0; 3]);
        for form in [WrongForm::Bounce, WrongForm::Elastic] {
            let drawn = form.curve(&curve);
            let mut worst = 0.0_f64;
            for i in 0..20_000 {
                let u = f64::from(i) / 20_000.0;
                let expected = -2.0 + 6.0 * form.ease(u).unwrap();
                worst = worst.max((value(&drawn, 1.0 + 2.0 * u).unwrap() - expected).abs() / 6.0);
            }
            assert!(worst < 1e-5, "{form:?} {worst}");
            assert_eq!(value(&drawn, 3.5), Some(4.5));
            assert!(value_and_slope_with(&drawn, 2.0, &mut Cursor::default()).unwrap().1.is_finite());
        }
    }

    #[test]
    fn few_and_coincident_keys_stay_finite() {
        for form in WrongForm::ALL {
            assert!(form.curve(&KeyedCurve::default()).keys.is_empty());
            let one = form.curve(&keys(&[(1.0, 2.0)], [0.0; 3]));
            assert_eq!(value(&one, 0.0), Some(2.0));
            let near = form.curve(&keys(&[(0.0, 0.0), (1e-9, 1.0), (1.0, 2.0)], [0.0; 3]));
            assert!((0..100).all(|i| value(&near, f64::from(i) * 0.01).unwrap().is_finite()));
        }
    }
}

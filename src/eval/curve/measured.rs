//! Integrals by quadrature: of eases that are no polynomials, and of curves whose modifiers leave no closed form.

use super::{sampled, value};
use crate::model::{ModifierKind, ScalarCurve};
use std::cell::Cell;

/// Abscissae and weights of the Gauss-Legendre rule of 8 points on -1..1, one half of the symmetric pairs: exact to degree 15.
const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_361_9),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
];

/// How often a stretch is halved at most: a jump in it is then found to a part in 2^40.
const DEPTH: u32 = 40;

/// How many halvings a stretch may take: where a curve jumps more often than that, its integral is an estimate.
const MOST_HALVINGS: u32 = 256;

/// The difference from halving below which a stretch's integral stands, relative to its values and time.
const SETTLED: f64 = 1e-13;

/// The most stretches that the time beyond the keys is cut into.
const MOST_STRETCHES: f64 = 256.0;

/// The most steps of a stepped modifier that are looked at one by one.
const MOST_STEPS: f64 = 4_096.0;

/// The rule of 8 points.
pub(super) fn gauss(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    half * GAUSS_8.iter().map(|(x, w)| w * (f(middle - half * x) + f(middle + half * x))).sum::<f64>()
}

/// A curve with its modifiers, to be integrated.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    curve: ScalarCurve,
    /// A usual distance of its knots, seconds.
    usual: f64,
}

impl Measured {
    /// The curve, and the times between which it is likely smooth: its keys (or samples) and where a modifier begins, ends
    /// or steps. None where no modifier acts.
    pub(super) fn new(curve: &ScalarCurve) -> Option<(Self, Vec<f64>)> {
        let (modifiers, mut knots) = match curve {
            ScalarCurve::Keyed(keyed) => (&keyed.modifiers, keyed.keys.times().collect::<Vec<f64>>()),
            ScalarCurve::Sampled(samples) => {
                let at = |index| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
                (&samples.modifiers, (0..samples.values.len()).map(at).collect())
            }
        };
        let (start, end) = (*knots.first()?, *knots.last()?);
        let mut acting = modifiers.iter().filter(|modifier| !modifier.muted && modifier.influence != 0.0).peekable();
        acting.peek()?;
        for modifier in acting {
            if let Some((from, to)) = modifier.range {
                knots.extend([from, from + modifier.blend.0, to - modifier.blend.1, to]);
            }
            match modifier.kind {
                ModifierKind::Cycles { start, end, .. } => knots.extend([start, end]),
                ModifierKind::Stepped { step, offset } if (end - start) / step <= MOST_STEPS => {
                    let (first, last) =
                        (((start - offset) / step).floor() as i64, ((end - offset) / step).ceil() as i64);
                    knots.extend((first..=last).map(|n| (n as f64).mul_add(step, offset)));
                }
                _ => {}
            }
        }
        knots.retain(|time| (start..=end).contains(time));
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        let usual = (end - start) / (knots.len().max(2) - 1) as f64;
        Some((Self { curve: curve.clone(), usual: if usual > 0.0 { usual } else { 1.0 } }, knots))
    }

    /// The value at a time, seconds.
    pub(super) fn value(&self, secs: f64) -> f64 {
        let found = match &self.curve {
            ScalarCurve::Keyed(curve) => value(curve, secs),
            ScalarCurve::Sampled(samples) => sampled::value(samples, secs),
        };
        found.unwrap_or(f64::NAN)
    }

    /// The integral from one time to another (which may be earlier) and the integral of that, in one stretch.
    pub(super) fn stretch(&self, from: f64, to: f64) -> [f64; 2] {
        if from == to {
            return [0.0; 2];
        }
        integrate(from, to, &|secs| self.value(secs))
    }

    /// [`Self::stretch`] for times far apart: in as many stretches as the curve has knots in such a time.
    pub(super) fn beyond(&self, from: f64, to: f64) -> [f64; 2] {
        let count = ((to - from).abs() / self.usual).ceil().clamp(1.0, MOST_STRETCHES);
        let step = (to - from) / count;
        (0..count as u32).fold([0.0; 2], |[once, twice], i| {
            let start = f64::from(i).mul_add(step, from);
            let [first, second] = self.stretch(start, start + step);
            [once + first, twice + once * step + second]
        })
    }
}

/// The integral of a function and the integral of that, by the rule of 8 points, halved until it settles.
///
/// That rule never looks near the ends: a bend just before one would go unseen. So a rule of 7 points that looks at both ends
/// and the middle (Gauss-Lobatto) must agree as well.
pub(super) fn integrate(from: f64, to: f64, f: &impl Fn(f64) -> f64) -> [f64; 2] {
    let work = Work { f, to, left: Cell::new(MOST_HALVINGS) };
    let whole = work.gauss(from, to);
    let size = whole[2].abs();
    let [once, twice, _] = work.halved([from, to], whole, DEPTH, [SETTLED * size, SETTLED * size * (to - from).abs()]);
    [once, twice]
}

/// Places and weights of the Gauss-Lobatto rule of 7 points on -1..1, one half of the symmetric pairs but the middle: exact
/// to degree 11.
const LOBATTO_7: [(f64, f64); 3] = [
    (0.468_848_793_470_714_2, 0.431_745_381_209_862_6),
    (0.830_223_896_278_566_9, 0.276_826_047_361_565_9),
    // The ends themselves belong to the pieces beside as much.
    (1.0 - 1e-12, 1.0 / 21.0),
];

struct Work<'a, F> {
    f: &'a F,
    to: f64,
    left: Cell<u32>,
}

impl<F: Fn(f64) -> f64> Work<'_, F> {
    /// Adds a place to the sums of the value, of the value times the time left, and of its size.
    fn add(&self, sums: &mut [f64; 3], weight: f64, at: f64) {
        let value = (self.f)(at);
        sums[0] += weight * value;
        sums[1] += weight * (self.to - at) * value;
        sums[2] += weight * value.abs();
    }

    fn gauss(&self, from: f64, to: f64) -> [f64; 3] {
        let (middle, half, mut sums) = (0.5 * (from + to), 0.5 * (to - from), [0.0; 3]);
        for (x, w) in GAUSS_8 {
            self.add(&mut sums, w, middle - half * x);
            self.add(&mut sums, w, middle + half * x);
        }
        sums.map(|sum| half * sum)
    }

    fn lobatto(&self, from: f64, to: f64) -> [f64; 3] {
        let (middle, half, mut sums) = (0.5 * (from + to), 0.5 * (to - from), [0.0; 3]);
        self.add(&mut sums, 256.0 / 525.0, middle);
        for (x, w) in LOBATTO_7 {
            self.add(&mut sums, w, middle - half * x);
            self.add(&mut sums, w, middle + half * x);
        }
        sums.map(|sum| half * sum)
    }

    fn halved(&self, [from, to]: [f64; 2], whole: [f64; 3], depth: u32, settled: [f64; 2]) -> [f64; 3] {
        let middle = 0.5 * (from + to);
        let (first, second) = (self.gauss(from, middle), self.gauss(middle, to));
        let sum: [f64; 3] = std::array::from_fn(|n| first[n] + second[n]);
        let near = |other: &[f64; 3]| (0..2).all(|n| (sum[n] - other[n]).abs() <= settled[n]);
        if depth == 0 || self.left.get() == 0 || !sum[0].is_finite() || (near(&whole) && near(&self.lobatto(from, to)))
        {
            return sum;
        }
        self.left.set(self.left.get() - 1);
        let first = self.halved([from, middle], first, depth - 1, settled);
        let second = self.halved([middle, to], second, depth - 1, settled);
        std::array::from_fn(|n| first[n] + second[n])
    }
}

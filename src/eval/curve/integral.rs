//! Integrals of curves over time: speeds to distances, accelerations to speeds and distances.
//!
//! Between keys a curve is a polynomial of the time, or a polynomial of a parameter that the time is a polynomial of: the first
//! is integrated in closed form, the second by a Gauss-Legendre rule that is exact for its degree. Only eases that are no
//! polynomials, and curves with modifiers, are integrated to a tolerance. Cycles add whole turns in closed form, however many.

use super::{
    Segment, Shape,
    measured::{Measured, gauss, integrate},
    segment,
};
use crate::math::cubic::{BezierTime, Cubic};
use crate::model::{Extrapolation, KeyedCurve, Samples, ScalarCurve};
use std::sync::Arc;

/// Into how many pieces a stretch of a polynomial is cut.
const STEPS: u32 = 16;

/// A curve's integrals from its first key (or sample) on.
#[derive(Clone, Debug)]
pub struct Integral {
    pieces: Vec<Piece>,
    /// The end of the last piece, seconds.
    end: f64,
    /// Value and slope at both ends, for what lies beyond.
    ends: [(f64, f64); 2],
    beyond: [Extrapolation; 2],
    /// The first and the second integral over all pieces.
    whole: [f64; 2],
    /// The curve with its modifiers, where any act: what lies beyond its keys is then measured too.
    measured: Option<Arc<Measured>>,
}

/// A stretch of a curve.
#[derive(Clone, Debug)]
struct Piece {
    start: f64,
    secs: f64,
    form: Form,
    /// The integrals from the first piece's start to this one's.
    once: f64,
    twice: f64,
}

/// What a piece is made of.
#[derive(Clone, Debug)]
enum Form {
    /// A segment between two keys.
    Shape(Shape),
    /// A curve with modifiers.
    Measured(Arc<Measured>),
}

impl Piece {
    /// The first and the second integral from its start to a time within it.
    fn integrals(&self, secs: f64) -> [f64; 2] {
        let x = if self.secs > 0.0 { ((secs - self.start) / self.secs).clamp(0.0, 1.0) } else { 0.0 };
        let shape = match &self.form {
            Form::Shape(shape) => shape,
            Form::Measured(curve) => return curve.stretch(self.start, secs),
        };
        let [once, twice] = match shape {
            Shape::Cubic(value) => cubic(value, x),
            Shape::Bezier { time, value } => bezier(time, value, time.solve(x)),
            Shape::Eased { from, rise, ease } => eased(*from, *rise, x, &|y| ease.value(y)),
            Shape::Css { from, rise, ease } => eased(*from, *rise, x, &|y| ease.value(y)),
            Shape::Nearest { from, to } => {
                let late = (x - 0.5).max(0.0);
                [from * x + (to - from) * late, from * x * x / 2.0 + (to - from) * late * late / 2.0]
            }
            Shape::Polynomial { .. } => {
                // Of a degree below 256: exact enough in pieces.
                let part = |i: u32| x * f64::from(i) / f64::from(STEPS);
                let sum = |f: &dyn Fn(f64) -> f64| (0..STEPS).map(|i| gauss(part(i), part(i + 1), f)).sum::<f64>();
                [sum(&|y| self.value(y)), sum(&|y| (x - y) * self.value(y))]
            }
        };
        [once * self.secs, twice * self.secs * self.secs]
    }

    fn value(&self, part: f64) -> f64 {
        let shape = match &self.form {
            Form::Shape(shape) => shape,
            // At its end, the value it comes with.
            Form::Measured(curve) if part >= 1.0 => return curve.value((self.start + self.secs).next_down()),
            Form::Measured(curve) => return curve.value(self.start + part * self.secs),
        };
        match shape {
            Shape::Cubic(value) => value.value(part),
            Shape::Bezier { time, value } => value.value(time.solve(part)),
            Shape::Eased { from, rise, ease } => from + rise * ease.value(part),
            Shape::Css { from, rise, ease } => from + rise * ease.value(part),
            Shape::Nearest { from, to } => {
                if part < 0.5 {
                    *from
                } else {
                    *to
                }
            }
            Shape::Polynomial { from, to, polynomial } => {
                let value = polynomial.value(self.start + part * self.secs);
                if value.is_finite() { value } else { from + (to - from) * part }
            }
        }
    }
}

/// Of an ease from 0 to `x` of its time.
fn eased(from: f64, rise: f64, x: f64, ease: &dyn Fn(f64) -> f64) -> [f64; 2] {
    // Eases that are slow at both ends are two pieces that meet in the middle.
    let half = x.min(0.5);
    let [a, b] = integrate(0.0, half, &ease);
    let [c, d] = if x > half { integrate(half, x, &ease) } else { [0.0; 2] };
    [from * x + rise * (a + c), from * x * x / 2.0 + rise * (b + a * (x - half) + d)]
}

fn cubic(value: &Cubic, x: f64) -> [f64; 2] {
    let [c0, c1, c2, c3] = value.c;
    let once = x * (c0 + x * (c1 / 2.0 + x * (c2 / 3.0 + x * c3 / 4.0)));
    [once, x * x * (c0 / 2.0 + x * (c1 / 6.0 + x * (c2 / 12.0 + x * c3 / 20.0)))]
}

/// Of a value and a time that are cubics of a parameter: the integrands are of degree 5 and 8.
fn bezier(time: &BezierTime, value: &Cubic, u: f64) -> [f64; 2] {
    let end = time.time(u);
    let by_time = |w: f64| value.value(w) * time.speed(w);
    [gauss(0.0, u, by_time), gauss(0.0, u, |w| (end - time.time(w)) * by_time(w))]
}

impl Integral {
    /// The integrals of a curve; none for one without keys or samples.
    #[must_use]
    pub fn new(curve: &ScalarCurve) -> Option<Self> {
        if let Some((measured, knots)) = Measured::new(curve) {
            return Self::of_measured(measured, &knots);
        }
        match curve {
            ScalarCurve::Keyed(curve) => Self::of_keys(curve),
            ScalarCurve::Sampled(samples) => Self::of_samples(samples),
        }
    }

    fn of_measured(measured: Measured, knots: &[f64]) -> Option<Self> {
        let (start, end) = (*knots.first()?, *knots.last()?);
        let curve = Arc::new(measured);
        let pieces = knots.windows(2).map(|pair| (pair[0], pair[1], Form::Measured(Arc::clone(&curve))));
        let ends = [start, end].map(|time| (curve.value(time), 0.0));
        let found = Self::of_pieces(pieces, start, end, ends, [Extrapolation::Constant; 2]);
        Some(Self { measured: Some(curve), ..found })
    }

    fn of_keys(curve: &KeyedCurve) -> Option<Self> {
        let (first, last) = (curve.keys.first()?, curve.keys.last()?);
        let segments: Vec<Segment> =
            (0..curve.keys.len().saturating_sub(1)).filter_map(|i| segment(curve, i)).collect();
        let slope = |segment: Option<&Segment>, at: fn(&Segment) -> f64| {
            segment.map_or(0.0, |segment| segment.slope(at(segment))).clamp(f64::MIN, f64::MAX)
        };
        let level = |slope: f64| if slope.abs() < f64::MAX { slope } else { 0.0 };
        let ends = [
            (first.value, level(slope(segments.first(), Segment::start))),
            (last.value, level(slope(segments.last(), Segment::end))),
        ];
        let pieces =
            segments.iter().map(|segment| (segment.start(), segment.end(), Form::Shape(segment.shape().clone())));
        Some(Self::of_pieces(pieces, first.time, last.time, ends, [curve.pre, curve.post]))
    }

    fn of_samples(samples: &Samples) -> Option<Self> {
        let (first, last) = (samples.values.first()?, samples.values.last()?);
        let at = |index: usize| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
        let pieces = samples.values.windows(2).enumerate().map(|(index, pair)| {
            let line = Shape::Cubic(Cubic { c: [pair[0], pair[1] - pair[0], 0.0, 0.0] });
            (at(index), at(index + 1), Form::Shape(line))
        });
        let end = at(samples.values.len() - 1);
        let held = [Extrapolation::Constant; 2];
        Some(Self::of_pieces(pieces, samples.start, end, [(*first, 0.0), (*last, 0.0)], held))
    }

    fn of_pieces(
        stretches: impl Iterator<Item = (f64, f64, Form)>,
        start: f64,
        end: f64,
        ends: [(f64, f64); 2],
        beyond: [Extrapolation; 2],
    ) -> Self {
        let mut pieces = Vec::new();
        let (mut once, mut twice) = (0.0, 0.0);
        for (from, to, form) in stretches {
            let piece = Piece { start: from, secs: to - from, form, once, twice };
            let [first, second] = piece.integrals(to);
            twice += once * piece.secs + second;
            once += first;
            pieces.push(piece);
        }
        if pieces.is_empty() {
            // A lone key holds its value before and after.
            let form = Form::Shape(Shape::Cubic(Cubic { c: [ends[0].0, 0.0, 0.0, 0.0] }));
            pieces.push(Piece { start, secs: 0.0, form, once: 0.0, twice: 0.0 });
            let (ends, beyond) = ([(ends[0].0, 0.0); 2], [Extrapolation::Constant; 2]);
            return Self { pieces, end: start, ends, beyond, whole: [0.0; 2], measured: None };
        }
        Self { pieces, end, ends, beyond, whole: [once, twice], measured: None }
    }

    /// The time of the first key or sample, seconds: both integrals are 0 there.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.pieces.first().map_or(self.end, |piece| piece.start)
    }

    /// The time of the last key or sample, seconds.
    #[must_use]
    pub const fn end(&self) -> f64 {
        self.end
    }

    /// The integral from the first key to a time, and the integral of that. Beyond the keys the curve is what its extrapolation
    /// says. NaN for a time that is not a number.
    #[must_use]
    pub fn at(&self, secs: f64) -> [f64; 2] {
        let (start, length) = (self.start(), self.end - self.start());
        if (start..=self.end).contains(&secs) {
            return self.inside(secs);
        }
        let before = secs < start;
        let (which, past) = if before { (0, secs - start) } else { (1, secs - self.end) };
        let [once, twice] = if before { [0.0; 2] } else { self.whole };
        if let Some(curve) = &self.measured {
            let [first, second] = curve.beyond(secs - past, secs);
            return [once + first, twice + once * past + second];
        }
        let (value, slope) = self.ends[which];
        let line = |slope: f64| {
            let gained = past * (value + past * slope / 2.0);
            [once + gained, twice + past * (once + past * (value / 2.0 + past * slope / 6.0))]
        };
        match self.beyond[which] {
            Extrapolation::Constant => line(0.0),
            Extrapolation::Linear => line(slope),
            Extrapolation::Cycle => self.turns(secs, length, 0.0, false),
            Extrapolation::CycleOffset => self.turns(secs, length, self.ends[1].0 - self.ends[0].0, false),
            Extrapolation::Mirror => self.turns(secs, length, 0.0, true),
        }
    }

    fn inside(&self, secs: f64) -> [f64; 2] {
        let index = self.pieces.partition_point(|piece| piece.start <= secs).saturating_sub(1);
        let Some(piece) = self.pieces.get(index) else { return [f64::NAN; 2] };
        let [once, twice] = piece.integrals(secs);
        [piece.once + once, piece.twice + piece.once * (secs - piece.start) + twice]
    }

    /// `n` whole turns of the keys and a part of another; `n` is negative before them. The sums over the turns are polynomials of
    /// `n`, which hold for negative ones too.
    fn turns(&self, secs: f64, length: f64, rise: f64, alternate: bool) -> [f64; 2] {
        let start = self.start();
        let n = ((secs - start) / length).floor();
        let passed = (secs - start - n * length).clamp(0.0, length);
        let [whole_once, whole_twice] = self.whole;
        let pairs = n * (n - 1.0) / 2.0;
        let speed = n * whole_once + rise * length * pairs;
        if alternate {
            let reversed = length * whole_once - whole_twice;
            let base = length * whole_once * pairs + (n / 2.0).ceil() * whole_twice + (n / 2.0).floor() * reversed;
            let [once, twice] = if n.rem_euclid(2.0) >= 1.0 {
                let [once, twice] = self.inside((self.end - passed).clamp(start, self.end));
                [whole_once - once, whole_once * passed - (whole_twice - twice)]
            } else {
                self.inside((start + passed).min(self.end))
            };
            return [speed + once, base + speed * passed + twice];
        }
        let triples = pairs * (n - 2.0) / 3.0;
        let base = length * (whole_once * pairs + rise * length * triples)
            + n * whole_twice
            + rise * length * length / 2.0 * pairs;
        let [once, twice] = self.inside((start + passed).min(self.end));
        let offset = n * rise;
        [speed + once + offset * passed, base + speed * passed + twice + offset * passed * passed / 2.0]
    }

    /// Times at which the curve is worth looking at, in order: the ends of its stretches and `within` times in each.
    pub fn times(&self, within: u32) -> impl Iterator<Item = f64> {
        let inner = move |piece: &Piece| {
            let (start, secs) = (piece.start, piece.secs);
            (0..=within).map(move |i| start + secs * f64::from(i) / f64::from(within + 1))
        };
        self.pieces.iter().flat_map(inner).chain([self.end])
    }

    /// The values at the starts and the ends of the stretches, in order of time: where a stretch does not end where the next one
    /// starts, the curve steps.
    pub fn steps(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let next = self.pieces.iter().skip(1).map(|piece| piece.value(0.0)).chain([self.ends[1].0]);
        self.pieces.iter().zip(next).map(|(piece, next)| (piece.start + piece.secs, piece.value(1.0), next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::sample::scalar_value,
        model::{FrameRate, Handle, Interpolation, Key, Modifier, ModifierKind},
    };

    /// The integral by an open rule of three points (Milne), halved until it settles, with Richardson's correction: nothing
    /// of what is tested is in it. It never looks at the ends, so that what jumps may jump there.
    fn slowly(from: f64, to: f64, f: &impl Fn(f64) -> f64) -> f64 {
        fn milne(from: f64, to: f64, f: &impl Fn(f64) -> f64) -> f64 {
            let at = |part: f64| f(from + part * (to - from));
            (to - from) / 3.0 * (2.0 * at(0.25) - at(0.5) + 2.0 * at(0.75))
        }
        fn halved(from: f64, to: f64, whole: f64, depth: u32, f: &impl Fn(f64) -> f64) -> f64 {
            let middle = f64::midpoint(from, to);
            let (first, second) = (milne(from, middle, f), milne(middle, to, f));
            let change = first + second - whole;
            // Simpson's rule looks at the ends: a bend near one is not passed over.
            let end = |part: f64| f(from + part * (to - from));
            let simpson = (to - from) / 6.0 * (end(1e-9) + 4.0 * f(middle) + end(1.0 - 1e-9));
            if depth == 0 || (change.abs() < 1e-12 && (simpson - first - second).abs() < 1e-10) {
                return first + second + change / 15.0;
            }
            halved(from, middle, first, depth - 1, f) + halved(middle, to, second, depth - 1, f)
        }
        halved(from, to, milne(from, to, f), 40, f)
    }

    /// The first and the second integral from the first key (0.2) to each of some times, cut where the curve may bend or jump:
    /// at the keys, half way between them, and at the same places of every turn.
    fn reference(times: &[f64], f: &impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        let inside = [0.2, 0.55, 0.9, 1.45, 2.0, 2.3];
        let mut places: Vec<f64> =
            (-4..=4).flat_map(|turn| inside.map(|place| 2.4f64.mul_add(f64::from(turn), place))).collect();
        // Mirrored turns have the same places seen from the other end.
        places.extend(places.clone().into_iter().map(|place| 2.8 - place));
        places.extend(times);
        places.sort_by(f64::total_cmp);
        places.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
        let stretches: Vec<(f64, f64, f64, f64)> = places
            .windows(2)
            .map(|pair| (pair[0], pair[1], slowly(pair[0], pair[1], f), slowly(pair[0], pair[1], &|t| t * f(t))))
            .collect();
        let to = |secs: f64| {
            let (low, high) = (secs.min(0.2) - 1e-9, secs.max(0.2) + 1e-9);
            let within = stretches.iter().filter(|stretch| low < stretch.0 && stretch.1 < high);
            let [once, moment] = within.fold([0.0; 2], |[a, b], stretch| [a + stretch.2, b + stretch.3]);
            let sign = if secs < 0.2 { -1.0 } else { 1.0 };
            [sign * once, sign * (secs * once - moment)]
        };
        times.iter().map(|secs| to(*secs)).collect()
    }

    fn curve(interpolation: Interpolation, beyond: Extrapolation) -> ScalarCurve {
        let keys = [(0.2, 1.0), (0.9, 3.0), (2.0, -1.0), (2.6, 0.5)].map(|(time, value)| Key {
            interpolation,
            handle_out: Handle::Free(0.3, 1.2),
            handle_in: Handle::Free(-0.2, 0.1),
            tension: 0.2,
            bias: 0.3,
            ..Key::new(time, value)
        });
        ScalarCurve::Keyed(KeyedCurve {
            keys: keys.into_iter().collect(),
            pre: beyond,
            post: beyond,
            ..KeyedCurve::default()
        })
    }

    #[test]
    fn integrals_are_those_of_the_curve_for_every_kind_of_segment_and_beyond_the_keys() {
        let times = [-7.3, -1.0, 0.2, 0.5, 0.9, 1.7, 2.6, 4.1, 9.9];
        for interpolation in Interpolation::ALL {
            for beyond in Extrapolation::ALL {
                let curve = curve(interpolation, beyond);
                let integral = Integral::new(&curve).unwrap();
                let wanted = reference(&times, &|secs| scalar_value(&curve, secs).unwrap());
                for (secs, [a, b]) in times.into_iter().zip(wanted) {
                    let [once, twice] = integral.at(secs);
                    assert!((once - a).abs() < 1e-9, "{interpolation:?} {beyond:?} {secs}: {once} {a}");
                    assert!((twice - b).abs() < 1e-8, "{interpolation:?} {beyond:?} {secs}: {twice} {b}");
                }
            }
        }
    }

    #[test]
    fn modifiers_are_integrated_too() {
        let noise = ModifierKind::Noise { size: 0.7, frequency: 2.0, octaves: 3, seed: 5 };
        let cycles =
            ModifierKind::Cycles { start: 0.5, end: 1.7, before: true, after: true, offset: true, mirror: false };
        let kinds = [
            noise,
            cycles,
            ModifierKind::Limits { low: Some(-0.4), high: Some(1.8) },
            ModifierKind::Stepped { step: 0.35, offset: 0.2 },
            ModifierKind::Smoothing { radius: 0.2 },
        ];
        let times = [-1.0, 0.2, 0.5, 0.9, 1.7, 2.6, 4.1];
        for kind in kinds {
            let faded = Modifier { influence: 0.8, range: Some((0.4, 3.0)), blend: (0.2, 0.3), ..Modifier::new(kind) };
            for modifier in [Modifier::new(kind), faded] {
                let ScalarCurve::Keyed(mut keyed) = curve(Interpolation::CatmullRom, Extrapolation::Linear) else {
                    panic!()
                };
                keyed.modifiers = vec![modifier];
                let curve = ScalarCurve::Keyed(keyed);
                let integral = Integral::new(&curve).unwrap();
                let wanted = reference(&times, &|secs| scalar_value(&curve, secs).unwrap());
                for (secs, [a, b]) in times.into_iter().zip(wanted) {
                    let [once, twice] = integral.at(secs);
                    assert!((once - a).abs() < 1e-8, "{kind:?} {secs}: {once} {a}");
                    assert!((twice - b).abs() < 1e-7, "{kind:?} {secs}: {twice} {b}");
                }
            }
        }
    }

    #[test]
    fn muted_modifiers_change_nothing_and_wild_ones_end() {
        let plain = curve(Interpolation::Bezier, Extrapolation::Cycle);
        let with = |modifiers: Vec<Modifier>| match &plain {
            ScalarCurve::Keyed(keyed) => ScalarCurve::Keyed(KeyedCurve { modifiers, ..keyed.clone() }),
            ScalarCurve::Sampled(_) => panic!(),
        };
        let fine = Modifier::new(ModifierKind::Stepped { step: 1e-6, offset: 0.0 });
        let muted = Integral::new(&with(vec![Modifier { muted: true, ..fine }])).unwrap();
        let exact = Integral::new(&plain).unwrap();
        assert_eq!(muted.at(31.7), exact.at(31.7));
        // A million steps a second are the curve itself but for a millionth.
        let wild = Integral::new(&with(vec![fine])).unwrap();
        assert!((wild.at(2.6)[0] - exact.at(2.6)[0]).abs() < 1e-4 && wild.at(1e6)[0].is_finite());
        let samples = Samples {
            modifiers: vec![Modifier::new(ModifierKind::Limits { low: None, high: Some(1.0) })],
            ..Samples::new(0.0, FrameRate::new(10, 1).unwrap(), vec![0.0, 2.0, 2.0].into())
        };
        let held = Integral::new(&ScalarCurve::Sampled(samples)).unwrap();
        assert!((held.at(0.2)[0] - 0.175).abs() < 1e-12 && (held.at(1.2)[0] - 1.175).abs() < 1e-12);
    }

    #[test]
    fn the_second_integral_is_the_integral_of_the_first() {
        for interpolation in Interpolation::ALL {
            let integral = Integral::new(&curve(interpolation, Extrapolation::Mirror)).unwrap();
            for i in -300..600 {
                let (t, h) = (f64::from(i) / 77.0 + 0.001, 1e-5);
                let slope = (integral.at(t + h)[1] - integral.at(t - h)[1]) / (2.0 * h);
                assert!(
                    (slope - integral.at(t)[0]).abs() < 1e-6,
                    "{interpolation:?} {t} {slope} {}",
                    integral.at(t)[0]
                );
            }
        }
    }

    #[test]
    fn samples_and_lone_keys() {
        let rate = FrameRate::new(10, 1).unwrap();
        let samples = Samples::new(1.0, rate, vec![0.0, 1.0, 3.0].into());
        let integral = Integral::new(&ScalarCurve::Sampled(samples)).unwrap();
        assert!((integral.at(1.2)[0] - 0.25).abs() < 1e-14 && (integral.at(2.2)[0] - 3.25).abs() < 1e-13);
        let lone = KeyedCurve { keys: [Key::new(2.0, 3.0)].into_iter().collect(), ..KeyedCurve::default() };
        let integral = Integral::new(&ScalarCurve::Keyed(lone)).unwrap();
        assert_eq!((integral.at(2.0), integral.at(4.0), integral.at(1.0)), ([0.0; 2], [6.0, 6.0], [-3.0, 1.5]));
        assert!(Integral::new(&ScalarCurve::Keyed(KeyedCurve::default())).is_none());
        assert!(integral.at(f64::NAN)[0].is_nan());
    }
}

//! The numbers of a curve in a race.

use crate::{
    eval::curve::{Cursor, Segment, Shape, segment, value_and_slope_with},
    math::cubic::Cubic,
    model::KeyedCurve,
};

/// The numbers of one curve over its keys, in the channel's own units. Modifiers are not taken in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The greatest speed, units a second; infinite where the curve is upright somewhere.
    pub speed: f64,
    /// The greatest acceleration between kinks, units a second squared; infinite where the speed is.
    pub acceleration: f64,
    /// The greatest jump of the value, at a key or within a segment: 0 is C0.
    pub jump: f64,
    /// The greatest jump of the velocity: 0 (and no jump) is C1.
    pub kink: f64,
    /// The greatest jump of the acceleration at a key: 0 (and no kink) is C2.
    pub bend: f64,
    /// How far the curve leaves the span between the values of the two keys it runs between, at most.
    pub overshoot: f64,
    /// The way the value travels, up and down; jumps are not travelled.
    pub way: f64,
}

/// How many places of a segment that is no cubic are looked at first.
const PLACES: u32 = 96;
/// The step of differences, as a part of the segment.
const STEP: f64 = 1e-4;
/// Pieces shorter than this part of the whole only hold the place of a jump.
const NOTHING: f64 = 1e-12;

/// What is found in one segment.
struct Piece {
    segment: Segment,
    /// Exact, where it is a cubic of time.
    cubic: Option<Cubic>,
}

impl Piece {
    fn new(segment: Segment) -> Self {
        let cubic = if let Shape::Cubic(cubic) = segment.shape() { Some(*cubic) } else { None };
        Self { segment, cubic }
    }

    fn secs(&self) -> f64 {
        self.segment.end() - self.segment.start()
    }

    fn time(&self, part: f64) -> f64 {
        if part == 1.0 { self.segment.end() } else { self.secs().mul_add(part, self.segment.start()) }
    }

    fn value(&self, part: f64) -> f64 {
        self.cubic.map_or_else(|| self.segment.value(self.time(part)), |cubic| cubic.value(part))
    }

    fn slope(&self, part: f64) -> f64 {
        self.cubic.map_or_else(|| self.segment.slope(self.time(part)), |cubic| cubic.derivative(part) / self.secs())
    }

    /// The acceleration from slopes on one side of a place: `side` is 1 or -1. Exact for a cubic.
    fn one_sided(&self, part: f64, side: f64) -> f64 {
        let secs = self.secs();
        if let Some(cubic) = self.cubic {
            return cubic.second_derivative(part) / (secs * secs);
        }
        let at = |steps: f64| self.slope((side * steps * STEP).mul_add(1.0, part).clamp(0.0, 1.0));
        side * (-3.0 * at(0.0) + 4.0 * at(1.0) - at(2.0)) / (2.0 * STEP * secs)
    }

    /// The acceleration at a place: of the two sides the calmer one, as a kink beside it is no acceleration.
    fn acceleration(&self, part: f64) -> f64 {
        let reach = 2.0 * STEP;
        let sides = [
            (part + reach <= 1.0).then(|| self.one_sided(part, 1.0)),
            (part - reach >= 0.0).then(|| self.one_sided(part, -1.0)),
        ];
        sides.into_iter().flatten().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
    }

    /// The places between the ends where the value turns round, in order.
    fn turns(&self) -> Vec<f64> {
        if let Some(cubic) = self.cubic {
            return roots(3.0 * cubic.c[3], 2.0 * cubic.c[2], cubic.c[1]);
        }
        let mut turns = Vec::new();
        let place = |i: u32| f64::from(i) / f64::from(PLACES);
        for i in 0..PLACES {
            let (mut low, mut high) = (place(i), place(i + 1));
            let rising = self.slope(low) > 0.0;
            if rising == (self.slope(high) > 0.0) {
                continue;
            }
            for _ in 0..60 {
                let middle = f64::midpoint(low, high);
                if (self.slope(middle) > 0.0) == rising { low = middle } else { high = middle }
            }
            turns.push(f64::midpoint(low, high));
        }
        turns
    }

    /// The greatest of a function that is not negative, refined where it was found; infinite where it is.
    fn greatest(&self, of: impl Fn(f64) -> f64) -> f64 {
        let place = |i: u32| f64::from(i) / f64::from(PLACES);
        let (mut best, mut most) = (0, 0.0);
        for i in 0..=PLACES {
            let here = of(place(i));
            if here > most {
                (best, most) = (i, here);
            }
        }
        if !most.is_finite() {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (place(best.saturating_sub(1)), place((best + 1).min(PLACES)));
        for _ in 0..50 {
            let (a, b) = (low + (high - low) * 0.381_966, high - (high - low) * 0.381_966);
            let (at_a, at_b) = (of(a), of(b));
            most = most.max(at_a).max(at_b);
            if at_a < at_b { low = a } else { high = b }
        }
        most
    }

    fn speed(&self) -> f64 {
        let Some(cubic) = self.cubic else { return self.greatest(|part| self.slope(part).abs()) };
        // The derivative of a cubic is greatest at an end or at its own vertex.
        let vertex = -cubic.c[2] / (3.0 * cubic.c[3]);
        let inside = (0.0..=1.0).contains(&vertex).then_some(vertex);
        [0.0, 1.0].into_iter().chain(inside).map(|part| self.slope(part).abs()).fold(0.0, f64::max)
    }

    fn fastest_change(&self) -> f64 {
        if self.cubic.is_some() {
            return self.one_sided(0.0, 1.0).abs().max(self.one_sided(1.0, -1.0).abs());
        }
        self.greatest(|part| self.acceleration(part).abs())
    }

    /// The greatest jump of the velocity within the segment: eases may have corners of their own.
    fn kink(&self) -> f64 {
        if !matches!(self.segment.shape(), Shape::Eased { .. }) {
            return 0.0;
        }
        let place = |i: u32| f64::from(i) / f64::from(PLACES);
        let mut worst = 0.0_f64;
        for i in 0..PLACES {
            let (mut low, mut high) = (place(i), place(i + 1));
            let step = |low: f64, high: f64| (self.slope(high) - self.slope(low)).abs();
            let whole = step(low, high);
            if !(whole.is_finite() && whole > 0.0) {
                continue;
            }
            // A smooth change is halved with the stretch; a kink stays as large as it is.
            for _ in 0..30 {
                let middle = f64::midpoint(low, high);
                if step(low, middle) > step(middle, high) { high = middle } else { low = middle }
            }
            if step(low, high) > 0.1 * whole {
                worst = worst.max(step(low, high));
            }
        }
        worst
    }

    /// Adds what the segment says by itself. `bounds` are the values of the keys around it.
    fn add_to(&self, figures: &mut Figures, bounds: Option<(f64, f64)>) {
        if let Shape::Nearest { from, to } = self.segment.shape() {
            figures.jump = figures.jump.max((to - from).abs());
            return;
        }
        figures.speed = figures.speed.max(self.speed());
        figures.acceleration =
            if figures.speed.is_finite() { figures.acceleration.max(self.fastest_change()) } else { f64::INFINITY };
        figures.kink = figures.kink.max(self.kink());
        let mut last = self.value(0.0);
        for part in self.turns().into_iter().chain([1.0]) {
            let here = self.value(part);
            figures.way += (here - last).abs();
            last = here;
            if let Some((low, high)) = bounds {
                figures.overshoot = figures.overshoot.max(low - here).max(here - high);
            }
        }
        if let Some((low, high)) = bounds {
            let first = self.value(0.0);
            figures.overshoot = figures.overshoot.max(low - first).max(first - high);
        }
    }
}

/// The numbers of a curve raced over the keys of another; none for fewer than two keys.
#[must_use]
pub fn figures(curve: &KeyedCurve, keys: &KeyedCurve) -> Option<Figures> {
    let (first, last) = (keys.keys.first()?, keys.keys.last()?);
    let whole = last.time - first.time;
    let pieces = (0..curve.keys.len().saturating_sub(1)).filter_map(|index| segment(curve, index)).map(Piece::new);
    let pieces: Vec<Piece> = pieces.filter(|piece| piece.secs() > NOTHING * whole).collect();
    let mut figures = Figures::default();
    for piece in &pieces {
        let before = keys.keys.count_at_or_before(piece.time(0.5)).checked_sub(1).and_then(|index| {
            let (a, b) = (keys.keys.get(index)?.value, keys.keys.get(index + 1)?.value);
            Some((a.min(b), a.max(b)))
        });
        piece.add_to(&mut figures, before);
    }
    for pair in pieces.windows(2) {
        let [before, after] = pair else { continue };
        figures.jump = figures.jump.max((after.value(0.0) - before.value(1.0)).abs());
        figures.kink = figures.kink.max((after.slope(0.0) - before.slope(1.0)).abs());
        let is_key = keys.keys.count_at_or_before(after.segment.start());
        let is_key = is_key.checked_sub(1).and_then(|index| keys.keys.get(index));
        if is_key.is_some_and(|key| key.time == after.segment.start()) {
            figures.bend = figures.bend.max((after.one_sided(0.0, 1.0) - before.one_sided(1.0, -1.0)).abs());
        }
    }
    // Beyond its ends the curve stands at the keys.
    let (start, end) = (pieces.first()?, pieces.last()?);
    figures.jump = figures.jump.max((start.value(0.0) - first.value).abs()).max((end.value(1.0) - last.value).abs());
    Some(without_noise(figures, whole))
}

/// What is left of rounding is 0: below a billionth of what the way gives by whole.
fn without_noise(mut figures: Figures, whole: f64) -> Figures {
    const NOISE: f64 = 1e-9;
    let clean = |number: &mut f64, scale: f64| {
        if number.abs() <= NOISE * scale {
            *number = 0.0;
        }
    };
    let scale = figures.way + figures.jump;
    clean(&mut figures.jump, scale);
    clean(&mut figures.overshoot, scale);
    let speed = if figures.speed.is_finite() { figures.speed } else { scale / whole };
    clean(&mut figures.kink, speed);
    // Differences of differences keep fewer digits.
    let acceleration = if figures.acceleration.is_finite() { figures.acceleration } else { speed / whole };
    clean(&mut figures.bend, 1e3 * acceleration);
    figures
}

/// The length of the way that up to three channels make in space, over the keys of all: the integral of the speed, to about
/// 1e-9 of itself. None without keys.
#[must_use]
pub fn length_in_space(curves: &[KeyedCurve]) -> Option<f64> {
    let mut times: Vec<f64> = curves.iter().flat_map(|curve| curve.keys.times()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times.first()?;
    let mut cursors = vec![Cursor::default(); curves.len()];
    let mut speed = |secs: f64| {
        let slopes = curves.iter().zip(&mut cursors);
        let square: f64 = slopes
            .filter_map(|(curve, cursor)| value_and_slope_with(curve, secs, cursor))
            .map(|(_, slope)| if slope.is_finite() { slope * slope } else { 0.0 })
            .sum();
        square.sqrt()
    };
    let mut length = 0.0;
    for pair in times.windows(2) {
        let [from, to] = pair else { continue };
        let whole = gauss(&mut speed, *from, *to);
        length += adaptive(&mut speed, (*from, *to), whole, 18);
    }
    Some(length)
}

/// Abscissae and weights of the Gauss-Legendre rule of 5 points on -1..1.
const GAUSS_5: [(f64, f64); 3] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

fn gauss(of: &mut impl FnMut(f64) -> f64, from: f64, to: f64) -> f64 {
    let (middle, half) = (f64::midpoint(from, to), (to - from) / 2.0);
    let mut sum = 0.0;
    for (x, weight) in GAUSS_5 {
        if x == 0.0 {
            sum += weight * of(middle);
        } else {
            sum += weight * (of(middle - half * x) + of(middle + half * x));
        }
    }
    sum * half
}

fn adaptive(of: &mut impl FnMut(f64) -> f64, (from, to): (f64, f64), whole: f64, depth: u32) -> f64 {
    let middle = f64::midpoint(from, to);
    let (first, second) = (gauss(of, from, middle), gauss(of, middle, to));
    let fine = first + second;
    if depth == 0 || (fine - whole).abs() <= 1e-10 * fine.abs() || !fine.is_finite() {
        return fine;
    }
    adaptive(of, (from, middle), first, depth - 1) + adaptive(of, (middle, to), second, depth - 1)
}

/// The real roots of a quadratic strictly within 0..1, in order.
fn roots(a: f64, b: f64, c: f64) -> Vec<f64> {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return Vec::new();
    }
    // The form that loses no digits.
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let mut found: Vec<f64> = [q / a, c / q].into_iter().filter(|root| *root > 0.0 && *root < 1.0).collect();
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Entrant, WrongForm};
    use super::*;
    use crate::model::{Interpolation, Key, Scheme};

    fn keys(keys: &[(f64, f64)]) -> KeyedCurve {
        KeyedCurve { keys: keys.iter().map(|(t, v)| Key::new(*t, *v)).collect(), ..KeyedCurve::default() }
    }

    fn race(entrant: Entrant, points: &[(f64, f64)]) -> Figures {
        let keys = keys(points);
        figures(&entrant.curve(&keys).unwrap(), &keys).unwrap()
    }

    fn near(a: f64, b: f64, within: f64) -> bool {
        (a - b).abs() <= within * (1.0 + b.abs())
    }

    const POINTS: [(f64, f64); 4] = [(0.0, 0.0), (1.0, 2.0), (3.0, 1.0), (4.0, 4.0)];

    #[test]
    fn straight_lines_have_the_slopes_of_their_chords() {
        let found = race(Entrant::Interpolation(Interpolation::Linear), &POINTS);
        let expected =
            Figures { speed: 3.0, acceleration: 0.0, jump: 0.0, kink: 3.5, bend: 0.0, overshoot: 0.0, way: 6.0 };
        assert_eq!(found, expected);
    }

    #[test]
    fn steps_jump_and_travel_nowhere() {
        let found = race(Entrant::Interpolation(Interpolation::Step), &POINTS);
        assert_eq!(found, Figures { jump: 3.0, ..Figures::default() });
        assert_eq!(race(Entrant::Interpolation(Interpolation::Nearest), &POINTS).jump, 3.0);
    }

    /// Smoothstep over a second: v = 6u - 6u², a = 6 - 12u. Smootherstep: greatest v 15/8, greatest a 10/√3.
    #[test]
    fn eases_have_the_numbers_of_their_polynomials() {
        let points = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)];
        let found = race(Entrant::Interpolation(Interpolation::Smoothstep), &points);
        assert!(near(found.speed, 1.5, 1e-9) && near(found.acceleration, 6.0, 1e-5), "{found:?}");
        // At the peak both sides slow down alike: C2 here, though not by design.
        assert!(near(found.bend, 0.0, 1e-3) && found.kink == 0.0 && near(found.way, 2.0, 1e-12), "{found:?}");
        let found = race(Entrant::Interpolation(Interpolation::Smooth), &points);
        assert!(near(found.speed, 15.0 / 8.0, 1e-9), "{found:?}");
        assert!(near(found.acceleration, 10.0 / 3.0_f64.sqrt(), 1e-5), "{found:?}");
        let quad = Key {
            ease: crate::model::EaseShape { mode: crate::math::easing::EaseMode::In, ..Default::default() },
            ..Key::new(0.0, 0.0)
        };
        let keys = KeyedCurve { keys: [quad, Key::new(2.0, 4.0)].into_iter().collect(), ..KeyedCurve::default() };
        let found = figures(&Entrant::Interpolation(Interpolation::Quad).curve(&keys).unwrap(), &keys).unwrap();
        assert!(near(found.speed, 4.0, 1e-9) && near(found.acceleration, 2.0, 1e-5), "{found:?}");
    }

    /// Catmull-Rom between slopes 2, 1/3 over the first second: a(0) = 6 (2) - 4 (2) - 2 (1/3).
    #[test]
    fn catmull_rom_is_c1_and_natural_is_c2() {
        let found = race(Entrant::Interpolation(Interpolation::CatmullRom), &POINTS);
        assert_eq!((found.jump, found.kink), (0.0, 0.0));
        // Segments by chords [2, -1/2, 3] and slopes [2, 1/3, 2/3, 3]: accelerations at their ends by hand.
        let accelerations = |secs: f64, chord: f64, m0: f64, m1: f64| {
            [(6.0 * chord - 4.0 * m0 - 2.0 * m1) / secs, (-6.0 * chord + 2.0 * m0 + 4.0 * m1) / secs]
        };
        let third = 1.0 / 3.0;
        let all = [
            accelerations(1.0, 2.0, 2.0, third),
            accelerations(2.0, -0.5, third, 2.0 * third),
            accelerations(1.0, 3.0, 2.0 * third, 3.0),
        ];
        let greatest = all.iter().flatten().fold(0.0_f64, |most, a| most.max(a.abs()));
        let bend = (all[1][0] - all[0][1]).abs().max((all[2][0] - all[1][1]).abs());
        assert!(near(found.acceleration, greatest, 1e-9) && near(found.bend, bend, 1e-9), "{found:?}");
        assert!(found.overshoot > 0.0);
        let natural = race(Entrant::Scheme(Scheme::Natural), &POINTS);
        assert_eq!((natural.jump, natural.kink, natural.bend), (0.0, 0.0, 0.0));
        let monotone = race(Entrant::Scheme(Scheme::Monotone), &POINTS);
        assert_eq!((monotone.overshoot, monotone.kink), (0.0, 0.0));
        assert!(near(monotone.way, 6.0, 1e-12));
    }

    /// Penner's back out leaves the range by 4s³/(27(s+1)²), about a tenth.
    #[test]
    fn back_overshoots_by_its_closed_form() {
        let keys = keys(&[(0.0, 0.0), (1.0, 10.0)]);
        let key = Key {
            ease: crate::model::EaseShape { mode: crate::math::easing::EaseMode::Out, ..Default::default() },
            ..Key::new(0.0, 0.0)
        };
        let eased = KeyedCurve { keys: [key, Key::new(1.0, 10.0)].into_iter().collect(), ..keys };
        let found = figures(&Entrant::Interpolation(Interpolation::Back).curve(&eased).unwrap(), &eased).unwrap();
        let s = 1.70158_f64;
        let over = 10.0 * 4.0 * s.powi(3) / (27.0 * (s + 1.0).powi(2));
        assert!(near(found.overshoot, over, 1e-9), "{} {over}", found.overshoot);
        assert!(near(found.way, 10.0 + 2.0 * over, 1e-9));
    }

    #[test]
    fn bounces_have_kinks_and_circles_are_upright() {
        let points = [(0.0, 0.0), (1.0, 1.0)];
        let found = race(Entrant::Interpolation(Interpolation::Bounce), &points);
        // It comes out, as where a key is given it: 7.5625 u², with a slope of 5.5 at the first touch and half of it back up.
        assert!(near(found.kink, 8.25, 1e-6), "{found:?}");
        assert!(near(found.acceleration, 2.0 * 7.5625, 1e-5), "{found:?}");
        assert_eq!(found.jump, 0.0);
        let circle = race(Entrant::Interpolation(Interpolation::Circ), &points);
        assert!(circle.speed.is_infinite() && circle.acceleration.is_infinite());
        assert!(circle.kink == 0.0 && near(circle.way, 1.0, 1e-9));
    }

    #[test]
    fn wrong_forms_show_what_is_wrong_with_them() {
        let cardinal = race(Entrant::Wrong(WrongForm::Cardinal), &POINTS);
        assert!(near(cardinal.jump, 1.5, 1e-9), "half of the greatest rise: {cardinal:?}");
        let elastic = race(Entrant::Wrong(WrongForm::Elastic), &[(0.0, 0.0), (1.0, 1.0)]);
        assert!(near(elastic.jump, 1.0 / 1024.0, 1e-9), "{elastic:?}");
        let bounce = race(Entrant::Wrong(WrongForm::Bounce), &[(0.0, 0.0), (1.0, 1.0)]);
        assert!(near(bounce.jump, 1.0, 1e-9), "{bounce:?}");
        assert!(near(bounce.overshoot, 0.0, 1e-9));
    }

    /// A straight way in space, and a parabola x = t, y = t².
    #[test]
    fn ways_in_space_have_their_length() {
        let linear =
            |points: &[(f64, f64)]| Entrant::Interpolation(Interpolation::Linear).curve(&keys(points)).unwrap();
        let straight = [linear(&[(0.0, 0.0), (2.0, 3.0)]), linear(&[(0.0, 1.0), (2.0, 5.0)]), linear(&[(0.0, 0.0)])];
        assert!(near(length_in_space(&straight).unwrap(), 5.0, 1e-12));
        let mut start = Key::new(0.0, 0.0);
        start.interpolation = Interpolation::Hermite;
        let end = Key { slope_in: 2.0, ..Key::new(1.0, 1.0) };
        let parabola = KeyedCurve { keys: [start, end].into_iter().collect(), ..KeyedCurve::default() };
        let expected = 5.0_f64.sqrt() / 2.0 + (2.0 + 5.0_f64.sqrt()).ln() / 4.0;
        let found = length_in_space(&[linear(&[(0.0, 0.0), (1.0, 1.0)]), parabola]).unwrap();
        assert!(near(found, expected, 1e-9), "{found} {expected}");
        assert_eq!(length_in_space(&[]), None);
    }

    #[test]
    fn few_and_odd_keys_have_finite_numbers_or_none() {
        for entrant in Entrant::all() {
            for points in [&[][..], &[(1.0, 2.0)]] {
                let keys = keys(points);
                assert!(figures(&entrant.curve(&keys).unwrap(), &keys).is_none(), "{entrant:?}");
            }
            let found = race(entrant, &[(0.0, 0.0), (1e-9, 1.0), (1e9, 2.0)]);
            let numbers = [found.jump, found.kink, found.bend, found.overshoot, found.way];
            assert!(numbers.iter().all(|number| !number.is_nan()), "{entrant:?} {found:?}");
        }
    }
}

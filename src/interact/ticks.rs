//! The marks on a ruler: steps people count in, and how their numbers are written.

use super::plot_view::Span;

/// How a ruler counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// 1, 2, 5, 10, 20, ...
    Decimal,
    /// As decimal below 10, then 15, 45, 90, 180, 360 and multiples of it.
    Degrees,
}

/// The most marks a ruler gets, whatever it is asked for.
const MAX_TICKS: i64 = 500;

/// Equally spaced marks: multiples of a step people count in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ticks {
    step: f64,
    first: i64,
    count: i64,
}

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Where it stands.
    pub value: f64,
    /// Its number: it stands at `number` steps from 0.
    pub number: i64,
}

impl Ticks {
    /// The marks inside a span, at least `gap` apart.
    #[must_use]
    pub fn new(span: Span, gap: f64, counting: Counting) -> Self {
        let step = nice_step(gap.max(span.length() / MAX_TICKS as f64), counting);
        let first = (span.low() / step).ceil();
        let last = (span.high() / step).floor();
        // Beyond 2^53 numbers of marks are no longer whole.
        if first.abs().max(last.abs()) > 9e15 {
            return Self { step, first: 0, count: 0 };
        }
        Self { step, first: first as i64, count: ((last - first) as i64 + 1).clamp(0, MAX_TICKS) }
    }

    /// The distance between two marks.
    #[must_use]
    pub const fn step(&self) -> f64 {
        self.step
    }

    /// The marks in order.
    pub fn iter(&self) -> impl Iterator<Item = Tick> + use<> {
        let Self { step, first, count } = *self;
        (first..first + count).map(move |number| Tick { value: number as f64 * step, number })
    }

    /// The number of decimals that tell neighbouring marks apart.
    #[must_use]
    pub fn decimals(&self) -> usize {
        decimals(self.step)
    }

    /// How a mark's number is written.
    #[must_use]
    pub fn label(&self, tick: Tick) -> String {
        let decimals = self.decimals();
        // Adding 0 turns -0 into 0.
        let value = tick.value + 0.0;
        if value.abs() < 1e7 && decimals <= 6 {
            return format!("{value:.decimals$}");
        }
        if (0.1..1e7).contains(&value.abs()) && self.step < 1.0 {
            let places = (-self.step.log10().floor()).clamp(0.0, 15.0) as usize;
            return format!("{value:.places$}");
        }
        // As many digits as tell it from its neighbours.
        let digits = (value.abs().log10().floor() - self.step.log10().floor()).clamp(0.0, 15.0) as usize;
        if value == 0.0 { "0".to_owned() } else { format!("{value:.digits$e}") }
    }
}

/// The smallest step people count in that is not less than a distance above 0.
#[must_use]
pub fn nice_step(least: f64, counting: Counting) -> f64 {
    let least = if least.is_finite() { least.clamp(1e-15, 1e17) } else { 1.0 };
    if counting == Counting::Degrees && least > 5.0 {
        if let Some(step) = [10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0].into_iter().find(|step| *step >= least) {
            return step;
        }
        return 360.0 * nice_step(least / 360.0, Counting::Decimal);
    }
    let power = 10_f64.powi(least.log10().floor() as i32);
    // The last one covers rounding in the logarithm.
    [1.0, 2.0, 5.0, 10.0, 20.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(power)
}

/// The number of decimals a multiple of a step needs.
#[must_use]
pub fn decimals(step: f64) -> usize {
    (0..9_i32)
        .find(|places| {
            let scaled = step * 10_f64.powi(*places);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1e-300)
        })
        .map_or(9, |places| usize::try_from(places).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_people_count_in() {
        for (least, step) in
            [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0), (0.012, 0.02), (1e-15, 1e-15)]
        {
            assert!((nice_step(least, Counting::Decimal) / step - 1.0).abs() < 1e-9, "{least}");
        }
        for (least, step) in [(1.5, 2.0), (6.0, 10.0), (12.0, 15.0), (31.0, 45.0), (100.0, 180.0), (400.0, 720.0)] {
            assert!((nice_step(least, Counting::Degrees) / step - 1.0).abs() < 1e-9, "{least}");
        }
        for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(nice_step(odd, Counting::Decimal) > 0.0);
        }
    }

    #[test]
    fn marks_cover_the_span_and_are_whole_multiples() {
        let ticks = Ticks::new(Span::of_values(-1.05, 2.0), 0.5, Counting::Decimal);
        let values: Vec<f64> = ticks.iter().map(|tick| tick.value).collect();
        assert_eq!(values, [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]);
        let labels: Vec<String> = ticks.iter().map(|tick| ticks.label(tick)).collect();
        assert_eq!(labels[..3], ["-1.0", "-0.5", "0.0"]);
        let near = Ticks::new(Span::of_values(83.999_999_95, 84.000_003), 1e-7, Counting::Decimal);
        let labels: Vec<String> = near.iter().map(|tick| near.label(tick)).collect();
        assert_eq!(labels[..2], ["84.0000000", "84.0000001"]);
    }

    #[test]
    fn the_number_of_marks_is_bounded_at_every_zoom() {
        for (low, high) in [(0.0, 1e-9), (1e9, 1e9 + 1e-3), (-1e15, 1e15), (1e18, 2e18)] {
            for gap in [0.0, 1e-20, 1.0] {
                assert!(Ticks::new(Span::of_values(low, high), gap, Counting::Degrees).iter().count() <= 500);
            }
        }
    }
}

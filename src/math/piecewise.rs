//! Functions of time made of polynomials, integrated exactly: speeds to distances, accelerations to speeds.

use super::cubic::Cubic;

/// A function made of polynomials of degree three and less, one between every two times. Before the first time and after
/// the last it holds its end values.
#[derive(Clone, Debug, PartialEq)]
pub struct Piecewise {
    times: Vec<f64>,
    /// In the time since the start of the piece.
    pieces: Vec<Cubic>,
}

impl Piecewise {
    /// Straight lines between keys. None for fewer than two keys, lists of different lengths, anything not finite, or
    /// times that do not increase.
    #[must_use]
    pub fn linear(times: &[f64], values: &[f64]) -> Option<Self> {
        Self::new(times, values, |gap, from, to| [from, (to - from) / gap, 0.0, 0.0])
    }

    /// Each key's value held up to the next. None as for [`Self::linear`]; the last value is not used.
    #[must_use]
    pub fn steps(times: &[f64], values: &[f64]) -> Option<Self> {
        Self::new(times, values, |_, from, _| [from, 0.0, 0.0, 0.0])
    }

    fn new(times: &[f64], values: &[f64], piece: impl Fn(f64, f64, f64) -> [f64; 4]) -> Option<Self> {
        let increasing = times.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = times.iter().chain(values).all(|v| v.is_finite());
        if times.len() < 2 || times.len() != values.len() || !increasing || !finite {
            return None;
        }
        let pieces = times
            .windows(2)
            .zip(values.windows(2))
            .map(|(time, value)| Cubic { c: piece(time[1] - time[0], value[0], value[1]) })
            .collect();
        Some(Self { times: times.to_vec(), pieces })
    }

    /// The integral from the first time on, `start` at that time. None where a piece is of degree three: its integral is of
    /// degree four.
    #[must_use]
    pub fn integral(&self, start: f64) -> Option<Self> {
        let mut value = start;
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (piece, times) in self.pieces.iter().zip(self.times.windows(2)) {
            let [c0, c1, c2, c3] = piece.c;
            if c3 != 0.0 {
                return None;
            }
            let integral = Cubic { c: [value, c0, c1 / 2.0, c2 / 3.0] };
            value = integral.value(times[1] - times[0]);
            pieces.push(integral);
        }
        Some(Self { times: self.times.clone(), pieces })
    }

    /// The value at a time; outside, that of the nearer end.
    #[must_use]
    pub fn value(&self, time: f64) -> f64 {
        let index = self.times.partition_point(|t| *t <= time).clamp(1, self.pieces.len()) - 1;
        let (start, end) = (self.times[index], self.times[index + 1]);
        self.pieces[index].value((time - start).clamp(0.0, end - start))
    }

    /// The value at the last time.
    #[must_use]
    pub fn end_value(&self) -> f64 {
        self.value(f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_are_exact_and_continuous() {
        let (times, values) = ([0.0, 1.0, 1.5, 4.0], [2.0, -1.0, 0.0, 3.0]);
        let speed = Piecewise::linear(&times, &values).unwrap();
        let distance = speed.integral(5.0).unwrap();
        // Trapezoids.
        assert!((distance.value(1.0) - 5.5).abs() < 1e-15 && (distance.end_value() - 9.0).abs() < 1e-15);
        let twice = distance.integral(0.0).unwrap();
        assert_eq!(twice.integral(0.0), None);
        for i in 1..400 {
            let (t, h) = (f64::from(i) / 100.0 + 0.001, 1e-6);
            assert!(((distance.value(t + h) - distance.value(t - h)) / (2.0 * h) - speed.value(t)).abs() < 1e-8);
            assert!(((twice.value(t + h) - twice.value(t - h)) / (2.0 * h) - distance.value(t)).abs() < 1e-8);
        }
        assert_eq!((speed.value(-1.0), speed.value(9.0)), (2.0, 3.0));
    }

    #[test]
    fn steps_hold_and_bad_keys_are_refused() {
        let speed = Piecewise::steps(&[0.0, 1.0, 10.0], &[11.0, 1.0, 1.0]).unwrap();
        assert_eq!((speed.value(0.999), speed.value(1.0), speed.integral(0.0).unwrap().end_value()), (11.0, 1.0, 20.0));
        assert_eq!(Piecewise::linear(&[0.0], &[1.0]), None);
        assert_eq!(Piecewise::linear(&[0.0, 0.0], &[1.0, 2.0]), None);
        assert_eq!(Piecewise::linear(&[0.0, 1.0], &[1.0, f64::NAN]), None);
    }
}

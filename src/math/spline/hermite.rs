//! A cubic between every two keys from values and slopes.

use crate::math::cubic::Cubic;

/// Keys with values and slopes, a cubic between every two. Outside the keys the end cubics go on.
#[derive(Clone, Debug, PartialEq)]
pub struct HermiteSpline {
    times: Vec<f64>,
    /// In the part of the segment's time that has passed.
    segments: Vec<Cubic>,
}

impl HermiteSpline {
    /// The spline of these times, values and slopes (per unit of time). None with fewer than two keys, lists of different
    /// lengths, anything not finite, or times that do not increase.
    #[must_use]
    pub fn new(times: &[f64], values: &[f64], slopes: &[f64]) -> Option<Self> {
        if times.len() < 2 || slopes.len() != times.len() || !super::are_keys(times, values) {
            return None;
        }
        let segment = |i: usize| {
            let gap = times[i + 1] - times[i];
            Cubic::from_hermite(values[i], values[i + 1], slopes[i] * gap, slopes[i + 1] * gap)
        };
        Some(Self { times: times.to_vec(), segments: (0..times.len() - 1).map(segment).collect() })
    }

    /// The segment that holds a time, the part of it that has passed, and its length. At a key it is the segment that
    /// starts there, at the last key the one that ends there.
    fn locate(&self, time: f64) -> (&Cubic, f64, f64) {
        let index = self.times.partition_point(|t| *t <= time).clamp(1, self.segments.len()) - 1;
        let gap = self.times[index + 1] - self.times[index];
        (&self.segments[index], (time - self.times[index]) / gap, gap)
    }

    /// The value at a time.
    #[must_use]
    pub fn value(&self, time: f64) -> f64 {
        let (segment, u, _) = self.locate(time);
        segment.value(u)
    }

    /// The first derivative at a time.
    #[must_use]
    pub fn derivative(&self, time: f64) -> f64 {
        let (segment, u, gap) = self.locate(time);
        segment.derivative(u) / gap
    }

    /// The second derivative at a time.
    #[must_use]
    pub fn second_derivative(&self, time: f64) -> f64 {
        let (segment, u, gap) = self.locate(time);
        segment.second_derivative(u) / (gap * gap)
    }
}

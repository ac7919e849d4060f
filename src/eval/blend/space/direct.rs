//! Each sample has a weight of its own.

use super::{Landing, SchemeOptions, Weigher, WeightScheme};
use crate::math::triangulate::Point;

/// The weights as they were told, negative ones as 0, brought to sum 1.
#[derive(Debug)]
pub(super) struct Direct;

impl WeightScheme for Direct {
    fn prepare(&self, _: &[Point], options: &SchemeOptions) -> Box<dyn Weigher> {
        Box::new(Told(options.direct.clone()))
    }
}

#[derive(Debug)]
struct Told(Vec<f64>);

impl Weigher for Told {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        // Infinite weights would leave nothing of the others and no sum: the largest stand for them.
        let largest = self.0.iter().copied().filter(|weight| weight.is_finite()).fold(0.0, f64::max);
        let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        let mut clamped = 0.0;
        for (weight, told) in weights.iter_mut().zip(&self.0) {
            clamped += if *told < 0.0 { -told } else { 0.0 };
            *weight = if *told == f64::INFINITY { 1.0 } else { told.max(0.0) * scale };
        }
        Landing { clamped, ..Landing::at(at) }
    }
}

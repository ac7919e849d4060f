//! By the inverse square of the distance.

use super::{Landing, SchemeOptions, Weigher, WeightScheme};
use crate::math::triangulate::Point;

/// D. Shepard, *A two-dimensional interpolation function for irregularly-spaced data*, 1968, with power 2. All samples play
/// everywhere; far away all alike.
#[derive(Debug)]
pub(super) struct InverseDistance;

impl WeightScheme for InverseDistance {
    fn prepare(&self, sites: &[Point], _: &SchemeOptions) -> Box<dyn Weigher> {
        // So that squares neither overflow nor vanish.
        let largest = sites.iter().flatten().fold(0.0f64, |largest, v| largest.max(v.abs()));
        let scale = if largest > 0.0 { largest.recip().min(f64::MAX) } else { 1.0 };
        Box::new(Sites { sites: sites.iter().map(|site| site.map(|v| v * scale)).collect(), scale })
    }
}

#[derive(Debug)]
struct Sites {
    sites: Vec<Point>,
    scale: f64,
}

impl Weigher for Sites {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        // Beyond 1e100 of the samples' extent all are as far.
        let p = at.map(|v| (v * self.scale).clamp(-1e100, 1e100));
        let mut least = f64::INFINITY;
        for (weight, site) in weights.iter_mut().zip(&self.sites) {
            let (x, y) = (p[0] - site[0], p[1] - site[1]);
            *weight = x * x + y * y;
            least = least.min(*weight);
        }
        for weight in weights.iter_mut() {
            // Relative to the nearest, whose weight is 1: a distance too small for a square is a hit.
            *weight = if *weight > least || least > 0.0 { least / *weight } else { 1.0 };
        }
        Landing::at(at)
    }
}

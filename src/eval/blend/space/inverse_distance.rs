//! By the inverse square of the distance.

use super::{Landing, Row, SchemeOptions, Weigher, WeightScheme};
use crate::math::{lanes::Lanes, triangulate::Point};
use pulp::{Arch, Simd, WithSimd};

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

impl Sites {
    /// A coordinate in scale: beyond 1e100 of the samples' extent all are as far.
    #[inline(always)]
    fn scaled(&self, value: f64) -> f64 {
        (value * self.scale).clamp(-1e100, 1e100)
    }
}

impl Weigher for Sites {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        let p = at.map(|v| self.scaled(v));
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

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], _: &mut [f64]) {
        Arch::new().dispatch(DistanceRow { of: self, row, weights });
    }
}

struct DistanceRow<'a> {
    of: &'a Sites,
    row: &'a Row,
    weights: &'a mut [Lanes<f64>],
}

impl WithSimd for DistanceRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { of, row, weights } = self;
        let (x, y) = (row.x.map(|x| of.scaled(x)), Lanes::splat(of.scaled(row.y)));
        let mut least = Lanes::splat(f64::INFINITY);
        for (weight, site) in weights.iter_mut().zip(&of.sites) {
            let (x, y) = (x - Lanes::splat(site[0]), y - Lanes::splat(site[1]));
            *weight = x * x + y * y;
            least = least.with(weight, |least, next| if next < least { next } else { least });
        }
        for weight in weights.iter_mut() {
            *weight = weight.with(&least, |far, least| if far > least || least > 0.0 { least / far } else { 1.0 });
        }
    }
}

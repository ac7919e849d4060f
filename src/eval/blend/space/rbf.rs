//! Radial basis functions, clamped at 0.

use super::{Landing, SchemeOptions, Weigher, WeightScheme};
use crate::math::triangulate::Point;
use nalgebra::DMatrix;

/// Cardinal functions of the kernel `-r` with a constant: each sample's is 1 on it and 0 on the others, together they are 1
/// everywhere, and no width has to be chosen. Between samples they fall below 0: clamped there, and brought back to sum 1,
/// which the landing tells. So the sum before is at least 1 and nothing can jump.
/// Source: C. Rose, M. Cohen, B. Bodenheimer, *Verbs and adverbs*, 1998; the kernel is conditionally positive definite of
/// order 1 (C. Micchelli, *Interpolation of scattered data*, 1986), so that it can be solved for any different points.
#[derive(Debug)]
pub(super) struct Rbf;

impl WeightScheme for Rbf {
    fn prepare(&self, sites: &[Point], options: &SchemeOptions) -> Box<dyn Weigher> {
        Cardinal::new(sites).map_or_else(
            // Numbers so far apart that nothing can be solved with them.
            || super::inverse_distance::InverseDistance.prepare(sites, options),
            |cardinal| Box::new(cardinal) as Box<dyn Weigher>,
        )
    }
}

#[derive(Debug)]
struct Cardinal {
    sites: Vec<Point>,
    scale: f64,
    centre: Point,
    /// The coefficients, a row of all samples' for each kernel; the last row is the constant.
    coefficients: Vec<f64>,
}

impl Cardinal {
    /// None where the equations cannot be solved.
    fn new(sites: &[Point]) -> Option<Self> {
        let count = sites.len();
        let range = |axis: usize| {
            let of = || sites.iter().map(|site| site[axis]);
            (of().fold(f64::INFINITY, f64::min), of().fold(f64::NEG_INFINITY, f64::max))
        };
        let (x, y) = (range(0), range(1));
        let centre = [0.5 * x.0 + 0.5 * x.1, 0.5 * y.0 + 0.5 * y.1];
        let extent = (x.1 - x.0).max(y.1 - y.0);
        let scale = if extent > 0.0 { extent.recip() } else { 1.0 };
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        let sites: Vec<Point> =
            sites.iter().map(|site| [(site[0] - centre[0]) * scale, (site[1] - centre[1]) * scale]).collect();
        let system = DMatrix::from_fn(count + 1, count + 1, |row, column| match (sites.get(row), sites.get(column)) {
            (Some(a), Some(b)) => -(a[0] - b[0]).hypot(a[1] - b[1]),
            (None, None) => 0.0,
            _ => 1.0,
        });
        let inverse = system.lu().try_inverse()?;
        let coefficients: Vec<f64> =
            (0..=count).flat_map(|row| (0..count).map(move |sample| (row, sample))).map(|at| inverse[at]).collect();
        coefficients.iter().all(|v| v.is_finite()).then_some(Self { sites, scale, centre, coefficients })
    }
}

impl Weigher for Cardinal {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        // From 1e6 extents away on the functions stand still but for rounding.
        let p: Point = std::array::from_fn(|axis| ((at[axis] - self.centre[axis]) * self.scale).clamp(-1e6, 1e6));
        let count = self.sites.len();
        let (kernels, constant) = self.coefficients.split_at(count * count);
        weights.copy_from_slice(constant);
        for (site, row) in self.sites.iter().zip(kernels.chunks_exact(count)) {
            let (x, y) = (p[0] - site[0], p[1] - site[1]);
            let kernel = -(x * x + y * y).sqrt();
            for (weight, coefficient) in weights.iter_mut().zip(row) {
                *weight += kernel * coefficient;
            }
        }
        let mut clamped = 0.0;
        for weight in weights.iter_mut().filter(|weight| **weight < 0.0) {
            clamped -= *weight;
            *weight = 0.0;
        }
        Landing { clamped, ..Landing::at(at) }
    }
}

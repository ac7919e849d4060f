//! Radial basis functions, clamped at 0.

use super::{Landing, Row, SchemeOptions, Weigher, WeightScheme};
use crate::math::{lanes::Lanes, triangulate::Point};
use nalgebra::DMatrix;
use pulp::{Arch, Simd, WithSimd};

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

impl Cardinal {
    /// A coordinate in scale: from 1e6 extents away on the functions stand still but for rounding.
    #[inline(always)]
    fn placed(&self, axis: usize, value: f64) -> f64 {
        ((value - self.centre[axis]) * self.scale).clamp(-1e6, 1e6)
    }
}

impl Weigher for Cardinal {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        let p: Point = std::array::from_fn(|axis| self.placed(axis, at[axis]));
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

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], _: &mut [f64]) {
        Arch::new().dispatch(CardinalRow { of: self, row, weights });
    }
}

/// How many kernels are summed up at a time: they and what they add to stay near at hand.
const KERNELS: usize = 32;

struct CardinalRow<'a> {
    of: &'a Cardinal,
    row: &'a Row,
    weights: &'a mut [Lanes<f64>],
}

impl WithSimd for CardinalRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { of, row, weights } = self;
        let count = of.sites.len();
        let (x, y) = (row.x.map(|x| of.placed(0, x)), Lanes::splat(of.placed(1, row.y)));
        let (coefficients, constant) = of.coefficients.split_at(count * count);
        for (weight, constant) in weights.iter_mut().zip(constant) {
            *weight = Lanes::splat(*constant);
        }
        let mut kernels = [Lanes::splat(0.0); KERNELS];
        for (sites, rows) in of.sites.chunks(KERNELS).zip(coefficients.chunks(KERNELS * count)) {
            for (kernel, site) in kernels.iter_mut().zip(sites) {
                let (x, y) = (x - Lanes::splat(site[0]), y - Lanes::splat(site[1]));
                *kernel = (x * x + y * y).map(|square| -square.sqrt());
            }
            let terms = || kernels.iter().zip(rows.chunks_exact(count));
            let (fours, rest) = weights.as_chunks_mut::<4>();
            // Four sums at once: none waits for the one before.
            for (at, four) in fours.iter_mut().enumerate() {
                let [mut a, mut b, mut c, mut d] = *four;
                for (kernel, row) in terms() {
                    let [of_a, of_b, of_c, of_d] = row.as_chunks::<4>().0[at];
                    a = a + *kernel * Lanes::splat(of_a);
                    b = b + *kernel * Lanes::splat(of_b);
                    c = c + *kernel * Lanes::splat(of_c);
                    d = d + *kernel * Lanes::splat(of_d);
                }
                *four = [a, b, c, d];
            }
            for (weight, index) in rest.iter_mut().zip(count / 4 * 4..) {
                *weight = terms().fold(*weight, |sum, (kernel, row)| sum + *kernel * Lanes::splat(row[index]));
            }
        }
    }
}

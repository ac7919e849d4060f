//! Warps by radial basis functions: smooth maps of space that bring some points exactly to others.
//!
//! `W(x) = sum w_i phi(|x - s_i|) + A x + b`, from `[[Phi, Q], [Q^T, 0]] [W; b^T; A^T] = [T; 0]` with the rows `[1, s_i]` of Q
//! (Bookstein 1989; SPEC E-DEF-4). `phi(0)` of the thin plate is 0, and not `0 ln 0`. In the plane the thin plate is `r^2 ln r`, in
//! space `r`.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// The most pairs of points of one warp: solving takes time that grows with their cube.
pub const MOST_PAIRS: usize = 128;

/// A radial function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kernel {
    /// Of the least bending; it has no parameter.
    #[default]
    ThinPlate,
    /// `exp(-r^2 / (2 sigma^2))`: what is far away goes with the affine part only.
    Gaussian,
    /// `sqrt(r^2 + c^2)`.
    Multiquadric,
    /// `1 / sqrt(r^2 + c^2)`.
    InverseMultiquadric,
}

impl Kernel {
    /// All of them, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::ThinPlate, Self::Gaussian, Self::Multiquadric, Self::InverseMultiquadric];

    /// Its value at a distance, in so many dimensions; `parameter` is sigma or c, above 0.
    #[must_use]
    pub fn at(self, distance: f64, dimensions: usize, parameter: f64) -> f64 {
        let (r, c) = (distance, parameter.abs().max(1e-12));
        match self {
            Self::ThinPlate if dimensions == 2 => {
                if r > 0.0 {
                    r * r * r.ln()
                } else {
                    0.0
                }
            }
            Self::ThinPlate => r,
            Self::Gaussian => (-(r * r) / (2.0 * c * c)).exp(),
            Self::Multiquadric => r.hypot(c),
            Self::InverseMultiquadric => 1.0 / r.hypot(c),
        }
    }
}

/// What is special about the pairs of a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RbfReport {
    /// How many dimensions the source points span: fewer than there are where they lie on a line (or in a plane, in space). The affine
    /// part is then the smallest that fits.
    pub rank: usize,
    /// Pairs whose source is that of another.
    pub doubles: usize,
    /// Source points about which the warp turns space inside out.
    pub folds: usize,
}

/// A warp of a space of `N` dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Rbf<const N: usize> {
    kernel: Kernel,
    parameter: f64,
    sources: Vec<[f64; N]>,
    /// A row a source.
    weights: Vec<[f64; N]>,
    /// By rows: what each coordinate of the result takes of each coordinate of the place.
    linear: [[f64; N]; N],
    offset: [f64; N],
    report: RbfReport,
}

impl<const N: usize> Rbf<N> {
    /// The warp that brings each source to its target; of two pairs with one source the first counts. None without a pair, with more than
    /// [`MOST_PAIRS`], or where a number is not finite.
    #[must_use]
    pub fn new(kernel: Kernel, parameter: f64, sources: &[[f64; N]], targets: &[[f64; N]]) -> Option<Self> {
        let mut pairs: Vec<([f64; N], [f64; N])> = Vec::new();
        for (source, target) in sources.iter().zip(targets) {
            if !source.iter().chain(target).all(|number| number.is_finite() && number.abs() < 1e12) {
                return None;
            }
            if pairs.iter().all(|(known, _)| known != source) {
                pairs.push((*source, *target));
            }
        }
        if pairs.is_empty() || pairs.len() > MOST_PAIRS || !parameter.is_finite() {
            return None;
        }
        let doubles = sources.len().min(targets.len()) - pairs.len();
        let (sources, targets): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let count = sources.len();
        let size = count + N + 1;
        let entry = |row: usize, column: usize| match (row < count, column < count) {
            (true, true) => kernel.at(distance(&sources[row], &sources[column]), N, parameter),
            (true, false) => affine(&sources[row], column - count),
            (false, true) => affine(&sources[column], row - count),
            (false, false) => 0.0,
        };
        let system = DMatrix::from_fn(size, size, entry);
        let rank = rank_of(&sources);
        let lu = (rank == N).then(|| system.clone().lu());
        // Points on a line leave the affine part open: the smallest solution is taken.
        let svd = lu.is_none().then(|| system.svd(true, true));
        let mut solved = Vec::with_capacity(N);
        for axis in 0..N {
            let wanted = DVector::from_fn(size, |row, _| targets.get(row).map_or(0.0, |target| target[axis]));
            let own = match (&lu, &svd) {
                (Some(lu), _) => lu.solve(&wanted),
                (None, Some(svd)) => svd.solve(&wanted, 1e-10 * svd.singular_values.max()).ok(),
                (None, None) => None,
            };
            solved.push(own.filter(|own| own.iter().all(|number| number.is_finite()))?);
        }
        let weights = (0..count).map(|row| std::array::from_fn(|axis| solved[axis][row])).collect();
        let linear = std::array::from_fn(|axis| std::array::from_fn(|of| solved[axis][count + 1 + of]));
        let offset = std::array::from_fn(|axis| solved[axis][count]);
        let mut out = Self { kernel, parameter, sources, weights, linear, offset, report: RbfReport::default() };
        let folds = out.sources.iter().filter(|source| out.stretch(source) < 0.0).count();
        out.report = RbfReport { rank, doubles, folds };
        Some(out)
    }

    /// Where a place goes.
    #[must_use]
    pub fn warped(&self, at: &[f64; N]) -> [f64; N] {
        let mut out = self.offset;
        for (out, row) in out.iter_mut().zip(&self.linear) {
            *out += row.iter().zip(at).map(|(a, x)| a * x).sum::<f64>();
        }
        for (source, weight) in self.sources.iter().zip(&self.weights) {
            let value = self.kernel.at(distance(source, at), N, self.parameter);
            out.iter_mut().zip(weight).for_each(|(out, weight)| *out += weight * value);
        }
        out
    }

    /// Its radial function.
    #[must_use]
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The parameter of its radial function.
    #[must_use]
    pub const fn parameter(&self) -> f64 {
        self.parameter
    }

    /// The weight of each source, in their order.
    #[must_use]
    pub fn weights(&self) -> &[[f64; N]] {
        &self.weights
    }

    /// The affine part: by rows, and what is added.
    #[must_use]
    pub const fn affine(&self) -> (&[[f64; N]; N], &[f64; N]) {
        (&self.linear, &self.offset)
    }

    /// What is special about its pairs.
    #[must_use]
    pub const fn report(&self) -> RbfReport {
        self.report
    }

    /// The volume of a small box about a place after the warp, in parts of what it was; negative where it is turned inside out.
    #[must_use]
    pub fn stretch(&self, at: &[f64; N]) -> f64 {
        let size = self.sources.iter().map(|source| distance(source, &self.sources[0])).fold(0.0, f64::max);
        let step = 1e-5 * if size > 0.0 { size } else { 1.0 };
        let jacobian = DMatrix::from_fn(N, N, |row, column| {
            let moved = |by: f64| {
                let mut place = *at;
                place[column] += by;
                self.warped(&place)[row]
            };
            (moved(step) - moved(-step)) / (2.0 * step)
        });
        jacobian.determinant()
    }
}

/// An entry of the rows `[1, s]`.
fn affine<const N: usize>(source: &[f64; N], column: usize) -> f64 {
    if column == 0 { 1.0 } else { source[column - 1] }
}

fn distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// How many dimensions points span about their middle.
fn rank_of<const N: usize>(points: &[[f64; N]]) -> usize {
    let count = points.len();
    #[expect(clippy::cast_precision_loss, reason = "at most some hundred")]
    let middle: [f64; N] = std::array::from_fn(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / count as f64);
    let about = DMatrix::from_fn(count, N, |row, column| points[row][column] - middle[column]);
    let values = about.singular_values();
    let largest = values.max();
    if largest > 0.0 { values.iter().filter(|value| **value > 1e-7 * largest).count() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];

    #[test]
    fn every_kernel_hits_its_targets_and_an_affine_move_is_affine_everywhere() {
        let sources = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.0, 1.0, 0.3], [0.2, 0.1, 1.0], [0.7, 0.8, 0.9]];
        let moved = |p: &[f64; 3]| [2.0 * p[0] + 0.1 * p[2] + 1.0, p[1] - p[0], 0.5 * p[2] - 3.0];
        for kernel in Kernel::ALL {
            let mut targets = sources.map(|p| moved(&p));
            let warp = Rbf::new(kernel, 0.6, &sources, &targets).unwrap();
            for at in [[5.0, -2.0, 0.3], [0.1, 0.2, 0.3]] {
                let (a, b) = (warp.warped(&at), moved(&at));
                assert!(distance(&a, &b) < 1e-9, "{kernel:?} {a:?} {b:?}");
            }
            targets[4][1] += 0.4;
            let warp = Rbf::new(kernel, 0.6, &sources, &targets).unwrap();
            for (source, target) in sources.iter().zip(&targets) {
                assert!(distance(&warp.warped(source), target) < 1e-9, "{kernel:?}");
            }
        }
    }

    #[test]
    fn points_on_a_line_and_twice_at_one_place_still_warp_and_are_told() {
        let sources = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]];
        let targets = [[0.0, 0.0], [1.0, 1.5], [2.0, 2.0]];
        for kernel in Kernel::ALL {
            let warp = Rbf::new(kernel, 0.8, &sources, &targets).unwrap();
            assert_eq!(warp.report().rank, 1);
            for (source, target) in sources.iter().zip(&targets) {
                assert!(distance(&warp.warped(source), target) < 1e-6, "{kernel:?} {:?}", warp.warped(source));
            }
            let one = Rbf::new(kernel, 0.8, &[[1.0, 2.0]; 2], &[[3.0, 2.0], [0.0, 0.0]]).unwrap();
            assert_eq!((one.report().rank, one.report().doubles), (0, 1));
            assert!(distance(&one.warped(&[1.0, 2.0]), &[3.0, 2.0]) < 1e-6);
        }
    }

    #[test]
    fn a_warp_that_folds_is_told() {
        let mut targets = CORNERS;
        assert_eq!(Rbf::new(Kernel::ThinPlate, 1.0, &CORNERS, &targets).unwrap().report().folds, 0);
        targets.swap(0, 1);
        targets.swap(2, 3);
        assert_eq!(Rbf::new(Kernel::ThinPlate, 1.0, &CORNERS, &targets).unwrap().report().folds, 4);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let none: [[f64; 2]; 0] = [];
        assert!(Rbf::new(Kernel::Gaussian, 1.0, &none, &none).is_none());
        assert!(Rbf::new(Kernel::Gaussian, f64::NAN, &CORNERS, &CORNERS).is_none());
        assert!(Rbf::new(Kernel::Gaussian, 1.0, &[[f64::NAN, 0.0]], &[[0.0; 2]]).is_none());
        let many: Vec<[f64; 2]> = (0..200).map(|n| [f64::from(n), f64::from(n * n)]).collect();
        assert!(Rbf::new(Kernel::Gaussian, 1.0, &many, &many).is_none());
        assert_eq!(Kernel::ThinPlate.at(0.0, 2, 1.0), 0.0);
    }
}

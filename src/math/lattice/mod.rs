//! Bases of free-form deformation: how much each point of a lattice counts along one axis.
//!
//! Bernstein (Sederberg, Parry, Free-form deformation of solid geometric models, 1986), uniform cubic B-spline (Griessmair,
//! Purgathofer, Deformation of solids with trivariate B-splines, 1989) and piecewise linear. Parameters run from 0 to 1 over the
//! box. All three sum to 1 and reproduce straight lines: points moved by an affine map move everything by that map.

mod elevate;
mod refit;

pub use elevate::elevated;
pub use refit::{Refit, refitted};

/// The greatest number of points along an axis.
pub const MOST: usize = 16;

/// A basis along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Basis {
    /// Bernstein polynomials: every point reaches everywhere, the end points lie on the shape.
    #[default]
    Bernstein,
    /// The uniform cubic B-spline: a point reaches two cells each way, and the outer points stand one cell outside the box.
    /// Under four points it is Bernstein.
    BSpline,
    /// Straight between neighbours.
    Linear,
}

impl Basis {
    /// All of them, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Bernstein, Self::BSpline, Self::Linear];

    /// The basis that is used for so many points.
    #[must_use]
    pub const fn of(self, count: usize) -> Self {
        match self {
            Self::BSpline if count < 4 => Self::Bernstein,
            basis => basis,
        }
    }

    /// The parameter at which a point of so many stands at rest; outside 0..1 for the outer points of a B-spline. The middle for
    /// a single one.
    #[must_use]
    pub fn rest(self, count: usize, index: usize) -> f64 {
        match (self.of(count), count) {
            (_, 0 | 1) => 0.5,
            (Self::BSpline, _) => (index as f64 - 1.0) / (count as f64 - 3.0),
            _ => index as f64 / (count as f64 - 1.0),
        }
    }

    /// How many cells the parameter's range is divided in, each with points of its own: 1 where every point counts everywhere.
    #[must_use]
    pub const fn cells(self, count: usize) -> usize {
        match (self.of(count), count) {
            (Self::Bernstein, _) | (_, 0 | 1) => 1,
            (Self::BSpline, _) => count - 3,
            (Self::Linear, _) => count - 1,
        }
    }

    /// How many points count in a cell.
    #[must_use]
    pub const fn reach(self, count: usize) -> usize {
        match (self.of(count), count) {
            (_, 0 | 1) => 1,
            (Self::Bernstein, _) => count,
            (Self::BSpline, _) => 4,
            (Self::Linear, _) => 2,
        }
    }

    /// How much each point counts at a parameter, which is brought into 0..1; not a number counts as 0.
    #[must_use]
    pub fn weights(self, count: usize, parameter: f64) -> Weights {
        let count = count.clamp(1, MOST);
        let (first, local) = self.cell(count, parameter);
        let mut values = [0.0; MOST];
        match self.of(count) {
            _ if count == 1 => values[0] = 1.0,
            Self::Bernstein => bernstein(count, local, &mut values),
            Self::BSpline => values[..4].copy_from_slice(&cubic(local)),
            Self::Linear => values[..2].copy_from_slice(&[1.0 - local, local]),
        }
        Weights { first, count: self.reach(count), values }
    }

    /// The cell a parameter is in, which is the first point that counts there, and the parameter within it, 0..1.
    #[must_use]
    pub fn cell(self, count: usize, parameter: f64) -> (usize, f64) {
        // The clamp of what is not a number is not one: it falls through to 0.
        let parameter = if parameter > 0.0 { parameter.min(1.0) } else { 0.0 };
        let cells = self.cells(count);
        let along = parameter * cells as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 and the number of cells")]
        let cell = (along as usize).min(cells.saturating_sub(1));
        (cell, along - cell as f64)
    }
}

/// How much the points along one axis count at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The first point that counts.
    pub first: usize,
    /// How many count, one after the other.
    pub count: usize,
    values: [f64; MOST],
}

impl Weights {
    /// How much those that count do, from the first on; they sum to 1.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values[..self.count.min(MOST)]
    }

    /// How much a point counts.
    #[must_use]
    pub fn of(&self, index: usize) -> f64 {
        index.checked_sub(self.first).and_then(|at| self.values().get(at).copied()).unwrap_or(0.0)
    }
}

/// Bernstein polynomials of degree `count - 1`, by repeated linear interpolation: none is computed as a difference of large
/// numbers.
fn bernstein(count: usize, t: f64, values: &mut [f64; MOST]) {
    values[0] = 1.0;
    for degree in 1..count.min(MOST) {
        let mut saved = 0.0;
        for value in &mut values[..degree] {
            let own = *value;
            *value = saved + (1.0 - t) * own;
            saved = t * own;
        }
        values[degree] = saved;
    }
}

fn cubic(f: f64) -> [f64; 4] {
    let g = 1.0 - f;
    [
        g * g * g / 6.0,
        ((3.0 * f - 6.0) * f * f + 4.0) / 6.0,
        (((-3.0 * f + 3.0) * f + 3.0) * f + 1.0) / 6.0,
        f * f * f / 6.0,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> impl Iterator<Item = (Basis, usize)> {
        Basis::ALL.into_iter().flat_map(|basis| (1..=MOST).map(move |count| (basis, count)))
    }

    #[test]
    fn every_basis_sums_to_one_and_keeps_straight_lines() {
        for (basis, count) in every() {
            for step in 0..=40 {
                let t = f64::from(step) / 40.0;
                let weights = basis.weights(count, t);
                let sum: f64 = weights.values().iter().sum();
                assert!((sum - 1.0).abs() < 1e-14, "{basis:?} {count} {t}");
                assert!(weights.values().iter().all(|weight| *weight >= -1e-16));
                assert!(weights.first + weights.count <= count);
                if count > 1 {
                    let line: f64 = (0..count).map(|i| weights.of(i) * basis.rest(count, i)).sum();
                    assert!((line - t).abs() < 1e-14, "{basis:?} {count} {t} {line}");
                }
            }
        }
    }

    #[test]
    fn bernstein_is_the_binomial_formula() {
        let t: f64 = 0.3;
        let weights = Basis::Bernstein.weights(4, t);
        let s = 1.0 - t;
        for (own, wanted) in weights.values().iter().zip([s * s * s, 3.0 * t * s * s, 3.0 * t * t * s, t * t * t]) {
            assert!((own - wanted).abs() < 1e-15);
        }
    }

    #[test]
    fn what_is_outside_or_no_number_counts_as_the_nearest_end() {
        for (basis, count) in every() {
            assert_eq!(basis.weights(count, -3.0), basis.weights(count, 0.0));
            assert_eq!(basis.weights(count, 7.0), basis.weights(count, 1.0));
            assert_eq!(basis.weights(count, f64::NAN), basis.weights(count, 0.0));
        }
    }

    #[test]
    fn the_spline_is_twice_differentiable_across_its_cells() {
        let h = 1e-3;
        let count = 7;
        let second = |t: f64, i: usize| {
            let at = |t: f64| Basis::BSpline.weights(count, t).of(i);
            (at(t + h) - 2.0 * at(t) + at(t - h)) / (h * h)
        };
        for i in 0..count {
            for border in 1..4 {
                let t = f64::from(border) / 4.0;
                assert!((second(t - 2.0 * h, i) - second(t + 2.0 * h, i)).abs() < 0.6, "{i} {t}");
            }
        }
    }
}

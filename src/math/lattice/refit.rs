//! Another number of points or another basis along an axis, as near to the shape as can be.

use super::{Basis, MOST};
use nalgebra::DMatrix;

/// At how many parameters the old and the new shape are compared.
const SAMPLES: usize = 65;

/// From the values of the old points along an axis to those of the new ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Refit {
    /// A row a new point: how much of each old point it is.
    pub rows: Vec<Vec<f64>>,
}

impl Refit {
    /// The new points' values.
    #[must_use]
    pub fn apply<T>(&self, values: &[T], zero: T) -> Vec<T>
    where
        T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
    {
        let row = |row: &Vec<f64>| row.iter().zip(values).fold(zero, |sum, (share, value)| sum + *value * *share);
        self.rows.iter().map(row).collect()
    }
}

/// The points of another basis or number that come nearest to the shape of those of the first, least squares over evenly spaced
/// parameters. Where the new basis holds every shape of the old one (more Bernstein points) this is exact but for rounding.
#[must_use]
pub fn refitted(from: (Basis, usize), to: (Basis, usize)) -> Refit {
    let (old, new) = (from.1.clamp(1, MOST), to.1.clamp(1, MOST));
    let table = |basis: Basis, count: usize| {
        DMatrix::from_fn(SAMPLES, count, |row, column| {
            basis.weights(count, row as f64 / (SAMPLES - 1) as f64).of(column)
        })
    };
    let (old_table, new_table) = (table(from.0, old), table(to.0, new));
    // Both tables are finite and of few columns; a solution always exists.
    let solved = new_table.svd(true, true).solve(&old_table, 1e-12).unwrap_or_else(|_| DMatrix::zeros(new, old));
    Refit { rows: (0..new).map(|row| (0..old).map(|column| solved[(row, column)]).collect()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(basis: Basis, values: &[f64], t: f64) -> f64 {
        let weights = basis.weights(values.len(), t);
        values.iter().enumerate().map(|(i, value)| weights.of(i) * value).sum()
    }

    #[test]
    fn what_the_new_basis_holds_is_kept() {
        let values = [0.3, -0.7, 1.2];
        for (to, count) in [(Basis::Bernstein, 3), (Basis::Bernstein, 9), (Basis::BSpline, 4)] {
            let new = refitted((Basis::Bernstein, 3), (to, count)).apply(&values, 0.0);
            for step in 0..=50 {
                let t = f64::from(step) / 50.0;
                let apart = value(Basis::Bernstein, &values, t) - value(to, &new, t);
                assert!(apart.abs() < 1e-9, "{to:?} {count} {t} {apart}");
            }
        }
    }

    #[test]
    fn all_moved_alike_stays_so_in_every_basis() {
        for from in Basis::ALL {
            for to in Basis::ALL {
                for count in [1, 2, 3, 5, 16] {
                    let new = refitted((from, 6), (to, count)).apply(&[2.5; 6], 0.0);
                    assert!(new.iter().all(|value| (value - 2.5).abs() < 1e-9), "{from:?} {to:?} {count} {new:?}");
                }
            }
        }
    }
}

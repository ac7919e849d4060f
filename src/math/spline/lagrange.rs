//! One polynomial through all keys.

use crate::math::trig::sin_cos;
use std::f64::consts::PI;

/// Products beyond this, or below its inverse, are brought back by it: a power of two.
const BIG: f64 = 1.157_920_892_373_162e77;
/// Its exponent.
const BIG_TWOS: i32 = 256;

/// The polynomial of least degree through a list of points, in barycentric form.
///
/// Between many evenly spaced points it swings ever wider towards the ends (Runge 1901): not for lack of digits but
/// because the interpolation itself amplifies, by 30 for 11 points and 11,000 for 21. Points that crowd at the ends
/// ([`chebyshev_nodes`]) do not have that. Source: J.-P. Berrut and L. N. Trefethen, *Barycentric Lagrange
/// interpolation*, SIAM Review 46, 2004.
#[derive(Clone, Debug, PartialEq)]
pub struct Lagrange {
    nodes: Vec<f64>,
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl Lagrange {
    /// The polynomial through `(nodes[i], values[i])`. None without points, with lists of different lengths, anything not
    /// finite, or two points at one place.
    #[must_use]
    pub fn new(nodes: &[f64], values: &[f64]) -> Option<Self> {
        if nodes.is_empty() || nodes.len() != values.len() || !nodes.iter().chain(values).all(|v| v.is_finite()) {
            return None;
        }
        let low = nodes.iter().copied().fold(f64::INFINITY, f64::min);
        let high = nodes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Weights may have any common factor. Differences over a quarter of the range keep their products near 1; where
        // many make them leave the range all the same, powers of two are counted apart.
        let unit = if high > low { 4.0 / (high - low) } else { 1.0 };
        let weight = |i: usize| {
            let others = nodes.iter().enumerate().filter(|(j, _)| *j != i);
            let (product, twos) = others.fold((1.0, 0), |(product, twos): (f64, i32), (_, node)| {
                let next = product * ((nodes[i] - node) * unit);
                match next.abs() {
                    size if size > BIG => (next / BIG, twos + BIG_TWOS),
                    size if size < 1.0 / BIG => (next * BIG, twos - BIG_TWOS),
                    _ => (next, twos),
                }
            });
            (1.0 / product, -twos)
        };
        let weights: Vec<(f64, i32)> = (0..nodes.len()).map(weight).collect();
        let most = weights.iter().map(|(_, twos)| *twos).max().unwrap_or(0);
        let weights: Vec<f64> =
            weights.into_iter().map(|(weight, twos)| weight * f64::from(twos - most).exp2()).collect();
        weights.iter().all(|weight| weight.is_finite()).then(|| Self {
            nodes: nodes.to_vec(),
            values: values.to_vec(),
            weights,
        })
    }

    /// The derivative at `x`; at a point by the polynomial's own differences, beside one by the barycentric formula.
    /// Source: C. Schneider and W. Werner, *Some new aspects of rational interpolation*, Math. Comp. 47, 1986.
    #[must_use]
    pub fn derivative(&self, x: f64) -> f64 {
        let near = self.nodes.iter().position(|node| (x - node).abs() <= 1e-7 * self.reach());
        if let Some(at) = near {
            let (node, value, weight) = (self.nodes[at], self.values[at], self.weights[at]);
            let others = self.nodes.iter().zip(&self.values).zip(&self.weights).enumerate().filter(|(i, _)| *i != at);
            return others.map(|(_, ((n, v), w))| w / weight * (v - value) / (node - n)).sum();
        }
        let here = self.value(x);
        let (mut over, mut under) = (0.0, 0.0);
        for ((node, value), weight) in self.nodes.iter().zip(&self.values).zip(&self.weights) {
            let part = weight / (x - node);
            over += part * (here - value) / (x - node);
            under += part;
        }
        over / under
    }

    /// The mean distance of neighbours: what is near is so by this measure.
    fn reach(&self) -> f64 {
        let low = self.nodes.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.nodes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (high - low) / self.nodes.len() as f64
    }

    /// The value at `x`.
    #[must_use]
    pub fn value(&self, x: f64) -> f64 {
        let (mut over, mut under) = (0.0, 0.0);
        for ((node, value), weight) in self.nodes.iter().zip(&self.values).zip(&self.weights) {
            if x == *node {
                return *value;
            }
            let part = weight / (x - node);
            over += part * value;
            under += part;
        }
        over / under
    }
}

/// `count` places evenly spaced from -1 to 1, both included; 0 alone for one.
#[must_use]
pub fn equispaced_nodes(count: usize) -> Vec<f64> {
    match count {
        1 => vec![0.0],
        _ => (0..count).map(|i| 2.0 * i as f64 / (count - 1) as f64 - 1.0).collect(),
    }
}

/// The `count` Chebyshev places (of the first kind) in -1..1, `cos(pi (2 i + 1) / (2 count))`, from 1 down.
#[must_use]
pub fn chebyshev_nodes(count: usize) -> Vec<f64> {
    (0..count).map(|i| sin_cos(PI * (2.0 * i as f64 + 1.0) / (2.0 * count as f64)).1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_reproduced_everywhere() {
        let f = |x: f64| ((x - 2.0) * x + 0.5) * x * x - 7.0;
        for nodes in [vec![-1.0, 0.3, 2.0, 5.0, 9.0], equispaced_nodes(5), chebyshev_nodes(7)] {
            let values: Vec<f64> = nodes.iter().map(|x| f(*x)).collect();
            let polynomial = Lagrange::new(&nodes, &values).unwrap();
            for i in -10..=10 {
                let x = f64::from(i) * 0.37;
                assert!((polynomial.value(x) - f(x)).abs() < 1e-9 * (1.0 + f(x).abs()));
            }
        }
    }

    #[test]
    fn many_points_at_any_scale_are_finite_and_bad_ones_refused() {
        for scale in [1e-9, 1.0, 1e9] {
            let nodes: Vec<f64> = chebyshev_nodes(200).iter().map(|x| x * scale).collect();
            let values: Vec<f64> = nodes.iter().map(|x| (x / scale).exp()).collect();
            let polynomial = Lagrange::new(&nodes, &values).unwrap();
            assert!((polynomial.value(0.3 * scale) - 0.3f64.exp()).abs() < 1e-13);
        }
        assert!(Lagrange::new(&[1.0, 1.0], &[0.0, 2.0]).is_none());
        assert!(Lagrange::new(&[], &[]).is_none());
        assert!(Lagrange::new(&[1.0], &[]).is_none());
        assert_eq!(Lagrange::new(&[3.0], &[2.0]).unwrap().value(9.0), 2.0);
    }
}

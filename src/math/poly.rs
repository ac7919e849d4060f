//! Real roots of polynomials of degree three and less, robust where leading coefficients vanish.

/// Up to three real roots in increasing order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Roots {
    roots: [f64; 3],
    count: usize,
}

impl Roots {
    /// The roots in increasing order; a double one is listed once.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.roots[..self.count]
    }

    fn push(&mut self, root: f64) {
        if self.count < 3 && root.is_finite() && self.as_slice().last() != Some(&root) {
            self.roots[self.count] = root;
            self.count += 1;
        }
    }
}

/// The root of `c0 + c1 x`. None where `c1` is 0 (also where everything is a root).
#[must_use]
pub fn linear_roots(c0: f64, c1: f64) -> Roots {
    let mut roots = Roots::default();
    if c1 != 0.0 {
        roots.push(-c0 / c1);
    }
    roots
}

/// The real roots of `c0 + c1 x + c2 x^2`, without cancellation; of lower degree where `c2` is 0. A negative
/// discriminant that is rounding alone counts as a double root.
#[must_use]
pub fn quadratic_roots(c0: f64, c1: f64, c2: f64) -> Roots {
    if c2 == 0.0 {
        return linear_roots(c0, c1);
    }
    let (half, product) = (-0.5 * c1 / c2, c0 / c2);
    let mut roots = Roots::default();
    if !(half.is_finite() && product.is_finite()) {
        // The square term is nothing beside the others: its second root is out of reach.
        return linear_roots(c0, c1);
    }
    let square = half * half;
    let discriminant = square - product;
    if discriminant < -4.0 * f64::EPSILON * square {
        return roots;
    }
    let root = discriminant.max(0.0).sqrt();
    let far = if half < 0.0 { half - root } else { half + root };
    let near = if far == 0.0 { 0.0 } else { product / far };
    roots.push(far.min(near));
    roots.push(far.max(near));
    roots
}

/// The real roots of `c0 + c1 x + c2 x^2 + c3 x^3`; of lower degree where `c3` is 0. Two roots that differ by rounding
/// alone may come as one, and a touching one that rounding lifts off the axis is kept.
///
/// Between its turning points a cubic is monotone: each of those intervals is searched by Newton's method within a
/// bracket, so that no case needs cubic roots of complex numbers.
#[must_use]
pub fn cubic_roots(c0: f64, c1: f64, c2: f64, c3: f64) -> Roots {
    if c3 == 0.0 {
        return quadratic_roots(c0, c1, c2);
    }
    let (a, b, c) = (c2 / c3, c1 / c3, c0 / c3);
    if ![a, b, c].iter().all(|v| v.is_finite()) {
        return quadratic_roots(c0, c1, c2);
    }
    // Every root lies within (Fujiwara 1916).
    let bound = 2.0 * a.abs().max(b.abs().sqrt()).max(c.abs().cbrt());
    let value = |x: f64| ((x + a) * x + b) * x + c;
    // What rounding makes of 0 there.
    let noise = |x: f64| {
        let x = x.abs();
        8.0 * f64::EPSILON * (((x + a.abs()) * x + b.abs()) * x + c.abs())
    };
    let mut roots = Roots::default();
    let mut low = -bound;
    for turn in quadratic_roots(b, 2.0 * a, 3.0).as_slice().iter().copied().chain([bound]) {
        let turn = turn.clamp(low, bound);
        if value(turn).abs() <= noise(turn) {
            roots.push(turn);
        } else if value(low) * value(turn) < 0.0 && value(low).abs() > noise(low) {
            roots.push(monotone_root(low, turn, value, |x| (3.0 * x + 2.0 * a) * x + b));
        }
        low = turn;
    }
    roots
}

/// The root between two values of opposite sign, of a function that is monotone there.
fn monotone_root(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> f64 {
    let rising = value(high) > 0.0;
    let mut x = f64::midpoint(low, high);
    for round in 0..200 {
        let v = value(x);
        if v == 0.0 {
            return x;
        }
        if (v > 0.0) == rising {
            high = x;
        } else {
            low = x;
        }
        let newton = x - v / slope(x);
        // Newton two times of three, so that the bracket halves again and again.
        let next = if round % 3 < 2 && newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if next == x || next <= low || next >= high {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: &Roots, wanted: &[f64], tolerance: f64) -> bool {
        got.as_slice().len() == wanted.len()
            && got.as_slice().iter().zip(wanted).all(|(g, w)| (g - w).abs() <= tolerance * (1.0 + w.abs()))
    }

    #[test]
    fn cubics_made_from_their_roots_give_them_back() {
        for scale in [1.0, -3.0, 1e-8, 1e12] {
            for r in [[-2.0, 0.5, 3.0], [0.0, 1e-3, 1e3], [-5.0, -4.0, 7.0], [1e6, 2e6, 3e6], [-1.0, 0.0, 1.0]] {
                let [p, q, s] = r;
                let c = [-p * q * s, p * q + p * s + q * s, -(p + q + s), 1.0].map(|v| v * scale);
                let got = cubic_roots(c[0], c[1], c[2], c[3]);
                assert!(close(&got, &r, 1e-9), "{r:?}: {got:?}");
            }
        }
    }

    #[test]
    fn single_double_and_triple_roots() {
        // (x - 2)(x^2 + x + 1), (x - 1)^2 (x + 3), (x - 2)^3.
        assert!(close(&cubic_roots(-2.0, -1.0, -1.0, 1.0), &[2.0], 1e-14));
        assert!(close(&cubic_roots(3.0, -5.0, 1.0, 1.0), &[-3.0, 1.0], 1e-7));
        assert!(close(&cubic_roots(-8.0, 12.0, -6.0, 1.0), &[2.0], 1e-5));
        assert!(close(&cubic_roots(0.0, 0.0, 0.0, 5.0), &[0.0], 0.0));
    }

    #[test]
    fn vanishing_leading_coefficients_fall_back() {
        assert!(close(&cubic_roots(6.0, -5.0, 1.0, 0.0), &[2.0, 3.0], 1e-14));
        assert!(close(&cubic_roots(6.0, -5.0, 1.0, 1e-14), &[-1e14, 2.0, 3.0], 1e-9));
        assert!(close(&quadratic_roots(-3.0, 2.0, 0.0), &[1.5], 1e-15));
        assert!(close(&quadratic_roots(-3.0, 2.0, 1e-320), &[1.5], 1e-15));
        assert!(quadratic_roots(1.0, 0.0, 1.0).as_slice().is_empty());
        assert!(close(&quadratic_roots(1.0, -2.0, 1.0), &[1.0], 1e-15));
        // Without care the small root here has no correct digit.
        assert!(close(&quadratic_roots(1.0, -1e9, 1.0), &[1e-9, 1e9], 1e-15));
        assert!(linear_roots(1.0, 0.0).as_slice().is_empty());
        assert!(cubic_roots(f64::NAN, 1.0, 1.0, 1.0).as_slice().is_empty());
    }
}

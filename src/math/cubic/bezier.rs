//! The Bezier form of a cubic, by de Casteljau.

/// The value at `u` of the cubic with these control values; inside 0..=1 it never leaves their range.
#[must_use]
pub fn bezier(p: [f64; 4], u: f64) -> f64 {
    split_bezier(p, u).0[3]
}

/// The derivative by `u` of the cubic with these control values.
#[must_use]
pub fn bezier_derivative([p0, p1, p2, p3]: [f64; 4], u: f64) -> f64 {
    let v = 1.0 - u;
    3.0 * (v * v * (p1 - p0) + 2.0 * u * v * (p2 - p1) + u * u * (p3 - p2))
}

/// The control values of the two parts of the cubic before and after `u`.
#[must_use]
pub fn split_bezier([p0, p1, p2, p3]: [f64; 4], u: f64) -> ([f64; 4], [f64; 4]) {
    // `(1 - u) a + u b` and not `a + u (b - a)`, which at u = 1 may miss b by a rounding error.
    let mix = |a: f64, b: f64| (1.0 - u) * a + u * b;
    let (a, b, c) = (mix(p0, p1), mix(p1, p2), mix(p2, p3));
    let (d, e) = (mix(a, b), mix(b, c));
    let middle = mix(d, e);
    ([p0, a, d, middle], [middle, e, c, p3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_of_a_split_are_the_curve() {
        let p = [0.3, 2.0, -1.0, 0.9];
        for cut in [0.0, 0.21, 0.5, 0.8, 1.0] {
            let (before, after) = split_bezier(p, cut);
            for i in 0..=10 {
                let u = f64::from(i) / 10.0;
                assert!((bezier(before, u) - bezier(p, cut * u)).abs() < 1e-14);
                assert!((bezier(after, u) - bezier(p, cut + (1.0 - cut) * u)).abs() < 1e-14);
            }
            assert_eq!((before[0], before[3], after[3]), (p[0], after[0], p[3]));
        }
    }
}

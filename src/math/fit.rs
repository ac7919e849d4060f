//! Piecewise cubics through samples, the fewest pieces that stay within a bound of them.
//!
//! Greedy: each piece is the longest cubic from where the last one ended, its slopes found by least squares. Source:
//! P. Schneider, *An algorithm for automatically fitting digitized curves*, Graphics Gems, 1990, for functions of one
//! variable (time, or the length of a drawn line) with `N` values each.

/// Samples that are fitted: where, and `N` values at each.
pub struct Samples<'a, const N: usize, B: Fn(usize) -> f64> {
    /// Where the samples are, strictly increasing: seconds, or metres along a line.
    pub at: &'a [f64],
    /// The values there, finite; as many.
    pub values: &'a [[f64; N]],
    /// How far the curve may be from the straight lines between the samples near one of them: own units, at least 0.
    pub bound: B,
}

impl<const N: usize, B: Fn(usize) -> f64> std::fmt::Debug for Samples<'_, N, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Samples").field("count", &self.at.len()).finish_non_exhaustive()
    }
}

/// A cubic over some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<const N: usize> {
    /// How many samples it goes on from its first one.
    pub count: usize,
    /// Its slopes at both ends, own units a unit of where.
    pub slopes: [[f64; N]; 2],
    /// How far it is from the straight lines between its samples at the most, own units.
    pub error: f64,
}

/// The sums of a least-squares fit of both slopes.
struct Sums<const N: usize> {
    a: [f64; 3],
    r: [[f64; N]; 2],
}

impl<const N: usize, B: Fn(usize) -> f64> Samples<'_, N, B> {
    /// The longest piece from a sample (before the last one).
    #[must_use]
    pub fn longest(&self, start: usize, first: Option<[f64; N]>) -> Option<Piece<N>> {
        let most = self.at.len().min(self.values.len()).checked_sub(start + 1)?;
        longest(most, |count| self.piece(start, count, first))
    }

    /// The straight piece from a sample (before the last one) to the next.
    #[must_use]
    pub fn straight(&self, start: usize) -> Piece<N> {
        let (i, j) = (start, start + 1);
        let slope = std::array::from_fn(|k| (self.values[j][k] - self.values[i][k]) / (self.at[j] - self.at[i]));
        Piece { count: 1, slopes: [slope; 2], error: 0.0 }
    }

    /// The cubic over so many samples, at least 1, with the least-squares slopes, the first one given where it is, if it stays
    /// within the bound.
    #[must_use]
    pub fn piece(&self, start: usize, count: usize, first: Option<[f64; N]>) -> Option<Piece<N>> {
        let end = start + count;
        let (from, to) = (&self.values[start], &self.values[end]);
        let span = self.at[end] - self.at[start];
        let rise: [f64; N] = std::array::from_fn(|k| to[k] - from[k]);
        let sums = self.sums(start, end, &rise);
        let [a00, a01, a11] = sums.a;
        let whole = a00 * a11 - a01 * a01;
        let scaled: [[f64; 2]; N] = std::array::from_fn(|k| {
            let (r0, r1) = (sums.r[0][k], sums.r[1][k]);
            match first {
                Some(first) => {
                    let off = first[k] * span - rise[k];
                    [first[k] * span, rise[k] + (r1 - a01 * off) / a11]
                }
                None => [rise[k] + (r0 * a11 - r1 * a01) / whole, rise[k] + (r1 * a00 - r0 * a01) / whole],
            }
        });
        if !scaled.as_flattened().iter().all(|slope| slope.is_finite()) {
            return None;
        }
        let error = self.error(start, end, &rise, &scaled)?;
        let slope = |side: usize| std::array::from_fn(|k| scaled[k][side] / span);
        let slopes = [first.unwrap_or_else(|| slope(0)), slope(1)];
        Some(Piece { count, slopes, error })
    }

    /// The cubic over so many samples, at least 1, that leaves and arrives in given directions (unit), as fast as suits it best by
    /// least squares, if it stays within the bound. Samples at the length of a line are passed at about 1.
    #[must_use]
    pub fn piece_along(&self, start: usize, count: usize, ways: [[f64; N]; 2]) -> Option<Piece<N>> {
        // How much the usual speed counts beside the samples: it decides where they are too few.
        const USUAL: f64 = 1e-6;
        const SPEEDS: (f64, f64) = (0.3, 3.0);
        let end = start + count;
        let (from, to) = (&self.values[start], &self.values[end]);
        let span = self.at[end] - self.at[start];
        let rise: [f64; N] = std::array::from_fn(|k| to[k] - from[k]);
        let dot = |a: &[f64; N], b: &[f64; N]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let across = dot(&ways[0], &ways[1]);
        // The sums are those of the slopes together, projected onto the directions.
        let sums = self.sums(start, end, &rise);
        let [a00, a01, a11] = sums.a;
        let wanted: [[f64; N]; 2] = [
            std::array::from_fn(|k| sums.r[0][k] + (a00 + a01) * rise[k]),
            std::array::from_fn(|k| sums.r[1][k] + (a01 + a11) * rise[k]),
        ];
        let (m00, m01, m11) = (a00 + USUAL, a01 * across, a11 + USUAL);
        let r0 = dot(&wanted[0], &ways[0]) + USUAL * span;
        let r1 = dot(&wanted[1], &ways[1]) + USUAL * span;
        let whole = m00 * m11 - m01 * m01;
        let speed = |of: f64| (of / whole / span).clamp(SPEEDS.0, SPEEDS.1) * span;
        let speeds = [speed(r0 * m11 - r1 * m01), speed(r1 * m00 - r0 * m01)];
        if !speeds.iter().all(|speed| speed.is_finite()) {
            return None;
        }
        let scaled: [[f64; 2]; N] = std::array::from_fn(|k| [ways[0][k] * speeds[0], ways[1][k] * speeds[1]]);
        let error = self.error(start, end, &rise, &scaled)?;
        let slope = |side: usize| std::array::from_fn(|k| scaled[k][side] / span);
        Some(Piece { count, slopes: [slope(0), slope(1)], error })
    }

    /// What the slopes' differences from the straight line's must add to it, for the whole piece, as b0 d0 + b1 d1.
    fn sums(&self, start: usize, end: usize, rise: &[f64; N]) -> Sums<N> {
        let span = self.at[end] - self.at[start];
        let from = &self.values[start];
        let [mut a00, mut a01, mut a11] = [1e-9, 0.0, 1e-9];
        let mut r = [[0.0; N]; 2];
        for i in start + 1..end {
            let u = (self.at[i] - self.at[start]) / span;
            let (b0, b1) = (u * (1.0 - u) * (1.0 - u), u * u * (u - 1.0));
            a00 += b0 * b0;
            a01 += b0 * b1;
            a11 += b1 * b1;
            for k in 0..N {
                let miss = self.values[i][k] - rise[k].mul_add(u, from[k]);
                r[0][k] += b0 * miss;
                r[1][k] += b1 * miss;
            }
        }
        Sums { a: [a00, a01, a11], r }
    }

    /// How far the cubic with such slopes (for the whole piece) is from the lines between the samples; none outside the bound.
    fn error(&self, start: usize, end: usize, rise: &[f64; N], slopes: &[[f64; 2]; N]) -> Option<f64> {
        let span = self.at[end] - self.at[start];
        let from = &self.values[start];
        let terms: [[f64; 2]; N] = std::array::from_fn(|k| {
            let [m0, m1] = slopes[k];
            [3.0 * rise[k] - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise[k]]
        });
        // Between two samples a cubic leaves their chord by at most an eighth of its second derivative times the gap squared.
        let bend_at = |u: f64| length(&std::array::from_fn::<f64, N, _>(|k| 2.0 * terms[k][0] + 6.0 * u * terms[k][1]));
        let bend = bend_at(0.0).max(bend_at(1.0)) / 8.0;
        let (mut error, mut before, mut at) = (0.0_f64, 0.0_f64, 0.0);
        for i in start + 1..=end {
            let u = (self.at[i] - self.at[start]) / span;
            let off = if i == end {
                0.0
            } else {
                length(&std::array::from_fn::<f64, N, _>(|k| {
                    from[k] + u * (slopes[k][0] + u * (terms[k][0] + u * terms[k][1])) - self.values[i][k]
                }))
            };
            let here = off.max(before) + bend * (u - at) * (u - at);
            let bound = (self.bound)(i).min((self.bound)(i - 1));
            if !(here <= bound) {
                return None;
            }
            error = error.max(here);
            (before, at) = (off, u);
        }
        Some(error)
    }
}

/// The longest piece of at most so many samples: lengths are doubled until one fails, then the border is halved in.
pub fn longest<const N: usize>(most: usize, mut piece: impl FnMut(usize) -> Option<Piece<N>>) -> Option<Piece<N>> {
    let mut best = None;
    let mut step = 1;
    let mut failed = most + 1;
    while step <= most {
        match piece(step) {
            Some(found) => best = Some(found),
            None => {
                failed = step;
                break;
            }
        }
        step = if step == most { most + 1 } else { (2 * step).min(most) };
    }
    let mut reached = best.map_or(0, |piece| piece.count);
    while reached + 1 < failed {
        let middle = usize::midpoint(reached, failed);
        match piece(middle) {
            Some(found) => (best, reached) = (Some(found), middle),
            None => failed = middle,
        }
    }
    best
}

fn length<const N: usize>(values: &[f64; N]) -> f64 {
    if N == 1 { values[0].abs() } else { values.iter().map(|value| value * value).sum::<f64>().sqrt() }
}

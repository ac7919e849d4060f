//! The cubic spline with a continuous second derivative.

/// What holds at the ends of a C2 spline, which its keys leave open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum C2Ends {
    /// No curvature at either end.
    Natural,
    /// These slopes.
    Clamped {
        /// At the first key.
        start: f64,
        /// At the last key.
        end: f64,
    },
    /// The third derivative is continuous at the second key and the last but one: the first two segments are one cubic,
    /// and so are the last two.
    NotAKnot,
    /// Slope and curvature agree at both ends, as a loop needs (the values may differ: a loop with an offset).
    Periodic,
}

/// The slopes at the keys of the C2 cubic spline through them. None where the keys carry no spline: fewer than two,
/// times not strictly increasing, anything not finite.
///
/// Two keys give a straight line, unless slopes are given; three keys without knots a parabola. The time is linear in
/// the number of keys. Source: C. de Boor, *A practical guide to splines*, 1978, chapter IV.
#[must_use]
pub fn c2_slopes(times: &[f64], values: &[f64], ends: C2Ends) -> Option<Vec<f64>> {
    if times.len() < 2 || !super::are_keys(times, values) {
        return None;
    }
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let chords: Vec<f64> = values.windows(2).zip(&gaps).map(|(pair, gap)| (pair[1] - pair[0]) / gap).collect();
    match (ends, chords.as_slice()) {
        (C2Ends::Natural | C2Ends::NotAKnot | C2Ends::Periodic, [chord]) => Some(vec![*chord; 2]),
        (C2Ends::NotAKnot, [before, after]) => Some(parabola([*before, *after], [gaps[0], gaps[1]])),
        (C2Ends::Periodic, _) => Some(periodic(&gaps, &chords)),
        _ => Some(open(&gaps, &chords, ends)),
    }
}

/// The slopes of the parabola through three keys.
fn parabola([before, after]: [f64; 2], [left, right]: [f64; 2]) -> Vec<f64> {
    let bend = (after - before) / (left + right);
    vec![before - left * bend, before + left * bend, after + right * bend]
}

/// One equation: `below * m[i-1] + on * m[i] + above * m[i+1] = right`.
#[derive(Clone, Copy)]
struct Row {
    below: f64,
    on: f64,
    above: f64,
    right: f64,
}

/// The second derivatives on both sides of the key between two segments are equal.
fn smooth(gaps: [f64; 2], chords: [f64; 2]) -> Row {
    let ([left, right], [before, after]) = (gaps, chords);
    Row { below: right, on: 2.0 * (left + right), above: left, right: 3.0 * (right * before + left * after) }
}

/// The end condition of the not-a-knot spline, at the end whose first two gaps and chords (inwards) these are.
fn without_knot([near, far]: [f64; 2], [chord, next]: [f64; 2]) -> (f64, f64, f64) {
    let both = near + far;
    (far, both, ((near + 2.0 * both) * far * chord + near * near * next) / both)
}

fn open(gaps: &[f64], chords: &[f64], ends: C2Ends) -> Vec<f64> {
    let last = gaps.len();
    // On the end's own slope, on its neighbour's, and the right side.
    let (first, final_) = match ends {
        C2Ends::Clamped { start, end } => ((1.0, 0.0, start), (1.0, 0.0, end)),
        C2Ends::NotAKnot => (
            without_knot([gaps[0], gaps[1]], [chords[0], chords[1]]),
            without_knot([gaps[last - 1], gaps[last - 2]], [chords[last - 1], chords[last - 2]]),
        ),
        C2Ends::Natural | C2Ends::Periodic => ((2.0, 1.0, 3.0 * chords[0]), (2.0, 1.0, 3.0 * chords[last - 1])),
    };
    let mut rows = vec![Row { below: 0.0, on: first.0, above: first.1, right: first.2 }];
    rows.extend((1..last).map(|i| smooth([gaps[i - 1], gaps[i]], [chords[i - 1], chords[i]])));
    rows.push(Row { below: final_.1, on: final_.0, above: 0.0, right: final_.2 });
    solve(&rows)
}

/// Solves a tridiagonal system by elimination (Thomas). The systems here need no pivots: they are diagonally dominant,
/// but for the end rows of not-a-knot, which elimination leaves regular.
fn solve(rows: &[Row]) -> Vec<f64> {
    let mut above: Vec<f64> = Vec::with_capacity(rows.len());
    let mut right: Vec<f64> = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let (above_before, right_before) = if i == 0 { (0.0, 0.0) } else { (above[i - 1], right[i - 1]) };
        let pivot = row.on - row.below * above_before;
        above.push(row.above / pivot);
        right.push((row.right - row.below * right_before) / pivot);
    }
    for i in (0..rows.len().saturating_sub(1)).rev() {
        right[i] -= above[i] * right[i + 1];
    }
    right
}

/// The loop's system: as many unknowns as segments, the last key's slope being the first's. The two corner entries are
/// split off as a rank-one change (Sherman and Morrison).
fn periodic(gaps: &[f64], chords: &[f64]) -> Vec<f64> {
    let count = gaps.len();
    let before = |i: usize| (i + count - 1) % count;
    let mut rows: Vec<Row> =
        (0..count).map(|i| smooth([gaps[before(i)], gaps[i]], [chords[before(i)], chords[i]])).collect();
    let (corner_top, corner_bottom) = (rows[0].below, rows[count - 1].above);
    let mut slopes = if count == 2 {
        // Both neighbours of each key are the other key.
        let (a, b) = (rows[0].on, rows[0].below + rows[0].above);
        let (c, d) = (rows[1].below + rows[1].above, rows[1].on);
        let determinant = a * d - b * c;
        vec![
            (rows[0].right * d - b * rows[1].right) / determinant,
            (a * rows[1].right - rows[0].right * c) / determinant,
        ]
    } else {
        let shift = -rows[0].on;
        rows[0].below = 0.0;
        rows[count - 1].above = 0.0;
        rows[0].on -= shift;
        rows[count - 1].on -= corner_top * corner_bottom / shift;
        let plain = solve(&rows);
        for row in &mut rows {
            row.right = 0.0;
        }
        rows[0].right = shift;
        rows[count - 1].right = corner_bottom;
        let change = solve(&rows);
        let along = |v: &[f64]| v[0] + corner_top / shift * v[count - 1];
        let part = along(&plain) / (1.0 + along(&change));
        plain.iter().zip(&change).map(|(p, c)| p - part * c).collect()
    };
    slopes.push(slopes[0]);
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::spline::HermiteSpline;

    const TIMES: [f64; 6] = [0.0, 0.3, 1.5, 2.0, 4.0, 4.1];
    const VALUES: [f64; 6] = [1.0, -2.0, 0.5, 3.0, 2.0, 2.5];

    fn spline(n: usize, ends: C2Ends) -> HermiteSpline {
        let slopes = c2_slopes(&TIMES[..n], &VALUES[..n], ends).unwrap();
        HermiteSpline::new(&TIMES[..n], &VALUES[..n], &slopes).unwrap()
    }

    /// The second and the third derivative just before and just after a key.
    fn around(spline: &HermiteSpline, time: f64) -> ([f64; 2], [f64; 2]) {
        let h = 1e-7;
        let second = [spline.second_derivative(time - h), spline.second_derivative(time + h)];
        let third = |a: f64, b: f64| (spline.second_derivative(b) - spline.second_derivative(a)) / (b - a);
        (second, [third(time - 2e-3, time - 1e-3), third(time + 1e-3, time + 2e-3)])
    }

    #[test]
    fn curvature_is_continuous_and_the_ends_are_as_asked() {
        let clamped = C2Ends::Clamped { start: 2.0, end: -1.0 };
        for n in 2..=6 {
            for ends in [C2Ends::Natural, clamped, C2Ends::NotAKnot, C2Ends::Periodic] {
                let s = spline(n, ends);
                for i in 0..n {
                    assert!((s.value(TIMES[i]) - VALUES[i]).abs() < 1e-12);
                }
                for time in &TIMES[1..n - 1] {
                    let ([before, after], _) = around(&s, *time);
                    assert!((before - after).abs() < 1e-3, "{ends:?} {n}: {before} {after}");
                }
                let last = TIMES[n - 1];
                match ends {
                    C2Ends::Natural => {
                        assert!(s.second_derivative(0.0).abs() < 1e-10 && s.second_derivative(last).abs() < 1e-10);
                    }
                    C2Ends::Clamped { start, end } => {
                        assert!((s.derivative(0.0) - start).abs() < 1e-12 && (s.derivative(last) - end).abs() < 1e-11);
                    }
                    C2Ends::NotAKnot => {
                        for time in TIMES[1..n - 1].iter().take(1).chain(TIMES[1..n - 1].iter().rev().take(1)) {
                            let (_, [before, after]) = around(&s, *time);
                            assert!((before - after).abs() < 1e-6 * (1.0 + before.abs()), "{n}: {before} {after}");
                        }
                    }
                    C2Ends::Periodic => {
                        assert!((s.derivative(0.0) - s.derivative(last)).abs() < 1e-10);
                        assert!((s.second_derivative(0.0) - s.second_derivative(last)).abs() < 1e-8, "{n}");
                    }
                }
            }
        }
    }

    #[test]
    fn not_a_knot_reproduces_a_cubic() {
        let cubic = |t: f64| ((0.5 * t - 2.0) * t + 1.0) * t + 3.0;
        let values = TIMES.map(cubic);
        let slopes = c2_slopes(&TIMES, &values, C2Ends::NotAKnot).unwrap();
        for (time, slope) in TIMES.iter().zip(slopes) {
            assert!((slope - ((1.5 * time - 4.0) * time + 1.0)).abs() < 1e-11);
        }
    }

    #[test]
    fn keys_that_carry_no_spline_give_none() {
        assert_eq!(c2_slopes(&[1.0], &[1.0], C2Ends::Natural), None);
        assert_eq!(c2_slopes(&[1.0, 1.0], &[1.0, 2.0], C2Ends::Natural), None);
        assert_eq!(c2_slopes(&[1.0, 2.0], &[1.0, f64::NAN], C2Ends::Natural), None);
        assert_eq!(c2_slopes(&[1.0, 2.0], &[1.0], C2Ends::Periodic), None);
    }
}

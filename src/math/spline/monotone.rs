//! Slopes that never overshoot.

/// The slopes of the monotone piecewise cubic through the keys (PCHIP): the curve rises where the keys rise, falls where
/// they fall and is flat at their extremes. None with fewer than two keys or keys that carry no spline.
///
/// Inside, a weighted harmonic mean of the chords; at the ends a three-point slope, limited. Source: F. N. Fritsch and
/// J. Butland, *A method for constructing local monotone piecewise cubic interpolants*, SIAM J. Sci. Stat. Comput. 5, 1984.
#[must_use]
pub fn monotone_slopes(times: &[f64], values: &[f64]) -> Option<Vec<f64>> {
    if times.len() < 2 || !super::are_keys(times, values) {
        return None;
    }
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let chords: Vec<f64> = values.windows(2).zip(&gaps).map(|(pair, gap)| (pair[1] - pair[0]) / gap).collect();
    let last = gaps.len();
    if last == 1 {
        return Some(vec![chords[0]; 2]);
    }
    let mut slopes = vec![end([gaps[0], gaps[1]], [chords[0], chords[1]])];
    slopes.extend((1..last).map(|i| inner([gaps[i - 1], gaps[i]], [chords[i - 1], chords[i]])));
    slopes.push(end([gaps[last - 1], gaps[last - 2]], [chords[last - 1], chords[last - 2]]));
    Some(slopes)
}

fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

fn inner([left, right]: [f64; 2], [before, after]: [f64; 2]) -> f64 {
    if !same_sign(before, after) {
        return 0.0;
    }
    let (on_before, on_after) = (2.0 * right + left, right + 2.0 * left);
    (on_before + on_after) / (on_before / before + on_after / after)
}

/// The slope at an end, from the gaps and chords inwards.
fn end([near, far]: [f64; 2], [chord, next]: [f64; 2]) -> f64 {
    let slope = ((2.0 * near + far) * chord - near * next) / (near + far);
    if !same_sign(slope, chord) {
        0.0
    } else if !same_sign(chord, next) && slope.abs() > 3.0 * chord.abs() {
        3.0 * chord
    } else {
        slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::spline::HermiteSpline;

    #[test]
    fn the_curve_stays_between_its_keys() {
        let times = [0.0, 1.0, 1.2, 3.0, 3.1, 7.0, 8.0];
        let values = [0.0, 5.0, 5.0, 4.9, -3.0, -3.1, 10.0];
        let spline = HermiteSpline::new(&times, &values, &monotone_slopes(&times, &values).unwrap()).unwrap();
        for i in 0..6 {
            let (low, high) = (values[i].min(values[i + 1]), values[i].max(values[i + 1]));
            for part in 0..=50 {
                let v = spline.value(times[i] + (times[i + 1] - times[i]) * f64::from(part) / 50.0);
                assert!(v >= low - 1e-12 && v <= high + 1e-12, "segment {i}: {v} outside {low}..{high}");
            }
        }
    }

    #[test]
    fn straight_keys_give_a_straight_line() {
        let times = [0.0, 1.0, 4.0];
        let slopes = monotone_slopes(&times, &[1.0, 3.0, 9.0]).unwrap();
        assert!(slopes.iter().all(|slope| (slope - 2.0).abs() < 1e-14), "{slopes:?}");
        assert_eq!(monotone_slopes(&times[..2], &[1.0, 3.0]), Some(vec![2.0, 2.0]));
        assert_eq!(monotone_slopes(&[], &[]), None);
    }
}

//! The polygon with given sides whose corners lie on one circle.
//!
//! For any side lengths that close at all (none longer than the others together) there is exactly one circle, so that a
//! chain of any bone lengths has one evenly bent planar pose for every reachable distance of its end.

use std::f64::consts::{PI, TAU};

/// Directions of the sides of a chain bent along a circle, as angles to its chord.
///
/// `lengths` are the bones (`>= 0`), `chord` the distance between root and end, within the reach of the bones. On return
/// `angles[i]` is the angle of bone `i` from the chord towards the bulge, in `-pi..=pi` and symmetric about 0. Accurate
/// to about 1e-12 of the length; a polygon that cannot close is straight (too long a chord) or folded (too short).
pub fn angles_on_circle(lengths: &[f64], chord: f64, angles: &mut Vec<f64>) {
    let longest_bone = lengths.iter().copied().fold(0.0, f64::max);
    let longest_index = lengths.iter().position(|l| *l >= longest_bone);
    let longest = longest_bone.max(chord);
    angles.clear();
    if longest <= 0.0 {
        angles.resize(lengths.len(), 0.0);
        return;
    }
    let central = |side: f64, curvature: f64| 2.0 * (0.5 * side * curvature).min(1.0).asin();
    let rest = |curvature: f64| {
        lengths.iter().map(|l| central(*l, curvature)).sum::<f64>() + central(chord, curvature)
            - central(longest, curvature)
    };
    let greatest = 2.0 / longest;
    let inside = rest(greatest) >= PI;
    // Zero at the wanted curvature; falls with it in both cases after the sign is chosen.
    let gap = |curvature: f64| {
        let sum = rest(curvature);
        let own = central(longest, curvature);
        if inside { sum + own - TAU } else { sum - own }
    };
    let curvature = root_of(gap, greatest, inside);
    let back = if inside || chord >= longest { None } else { longest_index };
    let arc = |bone: usize, length: f64| {
        let arc = central(length, curvature);
        if back == Some(bone) { TAU - arc } else { arc }
    };
    let total: f64 = lengths.iter().enumerate().map(|(i, l)| arc(i, *l)).sum();
    let mut done = 0.0;
    for (bone, length) in lengths.iter().enumerate() {
        let own = arc(bone, *length);
        angles.push(0.5 * total - done - 0.5 * own);
        done += own;
    }
}

/// The positive root of `gap` in `(0, greatest]`, bracketed; regula falsi with the Illinois rule.
fn root_of(gap: impl Fn(f64) -> f64, greatest: f64, inside: bool) -> f64 {
    // Centre inside: negative (-2 pi) at 0, positive at the greatest curvature. Centre outside: 0 at 0 with a positive
    // slope, negative at the greatest curvature, so the lower end starts at a small positive curvature.
    let (mut low, mut high) = (if inside { 0.0 } else { 1e-4 * greatest }, greatest);
    let (mut at_low, mut at_high) = (gap(low), gap(high));
    if at_low * at_high > 0.0 {
        return low;
    }
    let mut last = 0;
    for _ in 0..80 {
        let mid = (low * at_high - high * at_low) / (at_high - at_low);
        let at_mid = gap(mid);
        if at_mid.abs() < 1e-13 || high - low <= 1e-15 * greatest {
            return mid;
        }
        if (at_mid > 0.0) == (at_high > 0.0) {
            (high, at_high) = (mid, at_mid);
            if last == 1 {
                at_low *= 0.5;
            }
            last = 1;
        } else {
            (low, at_low) = (mid, at_mid);
            if last == -1 {
                at_high *= 0.5;
            }
            last = -1;
        }
    }
    0.5 * (low + high)
}

//! Slopes at a key from its neighbours, per second, for unevenly spaced keys.

use super::span::Point;

/// The Catmull-Rom slope: of the chord between the neighbours, of the one chord there is at an end, 0 for a lone key.
///
/// Source: E. Catmull and R. Rom 1974, with the times of the neighbours in place of two equal steps.
#[must_use]
pub fn catmull_rom_slope(before: Option<Point>, here: Point, after: Option<Point>) -> f64 {
    match (before, after) {
        (Some(before), Some(after)) => before.slope_to(after),
        (Some(before), None) => before.slope_to(here),
        (None, Some(after)) => here.slope_to(after),
        (None, None) => 0.0,
    }
}

/// The cardinal slope: Catmull-Rom's times `1 - tension`.
#[must_use]
pub fn cardinal_slope(before: Option<Point>, here: Point, after: Option<Point>, tension: f64) -> f64 {
    (1.0 - tension) * catmull_rom_slope(before, here, after)
}

/// The Kochanek-Bartels slopes `(into, out of)` a key, corrected for uneven spacing. Bias +1 follows the chord before
/// the key, continuity 0 is smooth. At an end key both are the one chord's times `1 - tension`.
///
/// Source: D. Kochanek and R. Bartels, *Interpolating splines with local tension, continuity, and bias control*, SIGGRAPH
/// 1984, with their adjustment of speeds (without 3D Studio's fading of it by continuity).
#[must_use]
pub fn kochanek_bartels_slopes(
    before: Option<Point>,
    here: Point,
    after: Option<Point>,
    [tension, continuity, bias]: [f64; 3],
) -> (f64, f64) {
    let (Some(before), Some(after)) = (before, after) else {
        let slope = cardinal_slope(before, here, after, tension);
        return (slope, slope);
    };
    let (left, right) = (here.value - before.value, after.value - here.value);
    // Half the weights times two, over the whole gap: the halves cancel.
    let scale = (1.0 - tension) / (after.time - before.time);
    let mix = |on_left: f64, on_right: f64| scale * (on_left * (1.0 + bias) * left + on_right * (1.0 - bias) * right);
    (mix(1.0 - continuity, 1.0 + continuity), mix(1.0 + continuity, 1.0 - continuity))
}

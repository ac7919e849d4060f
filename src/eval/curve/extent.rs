//! The least and the greatest value a curve takes, between its keys too: what overshoots must be seen when it is framed.

use super::{Segment, Shape, modify::modified, segment, unmodified_with};
use crate::{eval::polyline::Extent, math::cubic::Cubic, model::KeyedCurve};

/// Beyond this many keys the keys' own values are all that is looked at.
const MOST_KEYS: usize = 4_096;

/// At how many places what is no cubic is looked at.
const PLACES: u32 = 64;

/// The extent of a curve over its keys' time, modifiers included; that of the keys' values where there are very many.
#[must_use]
pub fn extent(curve: &KeyedCurve, of_keys: Extent) -> Extent {
    let count = curve.keys.len();
    if count > MOST_KEYS {
        return of_keys;
    }
    let mut all = of_keys;
    for index in 0..count.saturating_sub(1) {
        if let Some(segment) = segment(curve, index) {
            all = all.union(of_segment(&segment));
        }
    }
    if curve.modifiers.is_empty() {
        return all;
    }
    let (Some(first), Some(last)) = (curve.keys.first(), curve.keys.last()) else { return all };
    let mut cursor = super::Cursor::default();
    (0..=8 * PLACES).fold(Extent::EMPTY, |extent, place| {
        let time = (last.time - first.time).mul_add(f64::from(place) / f64::from(8 * PLACES), first.time);
        let value = modified(&curve.modifiers, time, &mut |time| unmodified_with(curve, time, &mut cursor));
        value.map_or(extent, |value| extent.with(value))
    })
}

fn of_segment(segment: &Segment) -> Extent {
    let at = |x: f64| segment.value((segment.end() - segment.start()).mul_add(x, segment.start()));
    match segment.shape() {
        Shape::Cubic(cubic) | Shape::Bezier { value: cubic, .. } => turns(cubic),
        Shape::Nearest { from, to } => Extent::EMPTY.with(*from).with(*to),
        Shape::Eased { .. } | Shape::Css { .. } | Shape::Polynomial { .. } => {
            (0..=PLACES).fold(Extent::EMPTY, |extent, place| extent.with(at(f64::from(place) / f64::from(PLACES))))
        }
    }
}

/// A cubic's extent over 0..=1: at its ends and where its derivative is zero.
fn turns(cubic: &Cubic) -> Extent {
    let [_, c1, c2, c3] = cubic.c;
    let mut extent = Extent::EMPTY.with(cubic.value(0.0)).with(cubic.value(1.0));
    let (a, b, c) = (3.0 * c3, 2.0 * c2, c1);
    let discriminant = b * b - 4.0 * a * c;
    if discriminant >= 0.0 {
        // The form that loses no digits.
        let q = -0.5 * (b + discriminant.sqrt().copysign(b));
        for root in [q / a, c / q].into_iter().filter(|root| (0.0..=1.0).contains(root)) {
            extent = extent.with(cubic.value(root));
        }
    }
    extent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::value,
        model::{Interpolation, Key, Modifier, ModifierKind, Scheme},
    };

    #[test]
    fn every_interpolation_and_scheme_stays_within_its_extent() {
        for interpolation in Interpolation::ALL {
            for scheme in Scheme::ALL {
                let key = |(time, value)| Key {
                    interpolation,
                    slope_out: 9.0,
                    slope_in: -3.0,
                    tension: -1.0,
                    ..Key::new(time, value)
                };
                let keys = [(0.0, 0.0), (1.0, 2.0), (1.5, -1.0), (4.0, 0.5)].map(key);
                let mut curve = KeyedCurve { keys: keys.into_iter().collect(), scheme, ..KeyedCurve::default() };
                for _ in 0..2 {
                    let found = extent(&curve, Extent::EMPTY.with(-1.0).with(2.0));
                    let mut seen = Extent::EMPTY;
                    for i in 0..=2_000 {
                        seen = seen.with(value(&curve, f64::from(i) * 0.002).unwrap());
                    }
                    let slack = 0.02 * (found.high - found.low);
                    assert!(
                        found.low - slack <= seen.low && seen.high <= found.high + slack,
                        "{interpolation:?} {scheme:?}"
                    );
                    assert!(
                        found.low >= seen.low - slack && found.high <= seen.high + slack,
                        "{interpolation:?} {scheme:?}"
                    );
                    curve.modifiers.push(Modifier::new(ModifierKind::Limits { low: Some(-0.2), high: None }));
                }
            }
        }
    }
}

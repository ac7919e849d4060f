//! What part of a curve a key shapes: local schemes against global ones.

use crate::model::{Handle, Interpolation, Key, KeyedCurve, Scheme};

/// The stretch of time whose values change when the key at an index is moved in value, seconds; none where there is no such
/// key. Under a scheme that is made of all keys it is the whole curve.
///
/// A step or a straight line reaches to the neighbouring keys, what takes slopes from neighbours one key further.
#[must_use]
pub fn local_support(curve: &KeyedCurve, index: usize) -> Option<(f64, f64)> {
    let keys = &curve.keys;
    let here = keys.time(index)?;
    let ends = (keys.time(0)?, keys.time(keys.len().checked_sub(1)?)?);
    let at = |index: usize| keys.time(index).unwrap_or(ends.1);
    match curve.scheme {
        Scheme::PerKey => {}
        Scheme::Monotone => return Some((at(index.saturating_sub(2)), at(index + 2))),
        _ => return Some(ends),
    }
    let key = |index: usize| keys.get(index);
    // The segments beside the key.
    let mut from = match index.checked_sub(1) {
        Some(before) => match key(before)?.interpolation {
            Interpolation::Step => here,
            Interpolation::Nearest => f64::midpoint(at(before), here),
            _ => at(before),
        },
        None => here,
    };
    let mut to = match (keys.time(index + 1), key(index)?.interpolation) {
        (None, _) => here,
        (Some(next), Interpolation::Nearest) => f64::midpoint(here, next),
        (Some(next), _) => next,
    };
    // One further where the far key's slope is taken from this one.
    if let Some(before) = index.checked_sub(1)
        && let (Some(first), Some(second)) = (before.checked_sub(1).and_then(key), key(before))
        && asks_neighbours(&first, &second, Side::End)
    {
        from = first.time;
    }
    if let (Some(first), Some(second)) = (key(index + 1), key(index + 2))
        && asks_neighbours(&first, &second, Side::Start)
    {
        to = second.time;
    }
    Some((from, to))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    End,
}

/// Whether the segment between two keys takes its slope at one of them from the key beyond.
fn asks_neighbours(first: &Key, second: &Key, side: Side) -> bool {
    match first.interpolation {
        Interpolation::CatmullRom | Interpolation::Cardinal | Interpolation::Tcb => true,
        Interpolation::Bezier => {
            let handle = if side == Side::Start { first.handle_out } else { second.handle_in };
            matches!(handle, Handle::Auto | Handle::AutoClamped)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::curve::value;

    #[test]
    fn nothing_outside_the_support_moves_and_its_ends_do() {
        for interpolation in Interpolation::ALL {
            for scheme in [Scheme::PerKey, Scheme::Monotone, Scheme::Natural, Scheme::Lagrange] {
                let key = |i: i32| Key {
                    interpolation,
                    handle_in: Handle::Auto,
                    handle_out: Handle::Auto,
                    ..Key::new(f64::from(i), f64::from(i * i % 5))
                };
                let curve = KeyedCurve { keys: (0..9).map(key).collect(), scheme, ..KeyedCurve::default() };
                let mut moved = curve.clone();
                moved.keys.replace_same_time(4, Key { value: 0.3, ..curve.keys.get(4).unwrap() });
                let (from, to) = local_support(&curve, 4).unwrap();
                let differs = |time: f64| value(&curve, time) != value(&moved, time);
                for i in 0..=800 {
                    let time = f64::from(i) * 0.01;
                    assert!(!differs(time) || (from <= time && time <= to), "{interpolation:?} {scheme:?} {time}");
                }
                let within = |a: f64, b: f64| (1..400).any(|i| differs((b - a).mul_add(f64::from(i) / 400.0, a)));
                assert!(
                    within(from, from + 0.5) || interpolation == Interpolation::Step || scheme == Scheme::Monotone,
                    "{interpolation:?} {scheme:?}"
                );
            }
        }
        assert_eq!(local_support(&KeyedCurve::default(), 0), None);
    }
}

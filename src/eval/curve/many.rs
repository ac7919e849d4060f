//! A curve at many times in any order.

use super::{
    Cursor, Segment, Shape, Span,
    extrapolate::Ends,
    search::{self, Place},
    unmodified_with, value_with,
};
use crate::{
    math::cubic::{BezierTime, Cubic},
    model::KeyedCurve,
};
use std::hint::black_box;

/// How many times are looked up together: enough for all the memory reads a core can have under way, few enough that what
/// was read is still in its nearest cache when it is used.
const BLOCK: usize = 32;

/// The values of a curve at many times (seconds), in any order, to the bit those of [`super::value`]: none for an empty
/// curve or a time that is not finite.
///
/// A million keys do not fit a processor's caches, and evaluation at random waits for the memory of each key in turn. Here
/// the keys of many times are first touched and then evaluated: no touch needs another's result, so the processor waits
/// for all of them at once. For times in order [`value_with`] and one cursor are faster.
#[must_use]
pub fn values(curve: &KeyedCurve, times: &[f64]) -> Vec<Option<f64>> {
    let mut values = Vec::with_capacity(times.len());
    let mut cursor = Cursor::default();
    let Some(ends) = Ends::of(curve).filter(|_| curve.modifiers.is_empty()) else {
        // Modifiers read a curve at times of their own.
        values.extend(times.iter().map(|time| value_with(curve, *time, &mut cursor)));
        return values;
    };
    for block in times.chunks(BLOCK) {
        let mut places = [None; BLOCK];
        for (place, time) in places.iter_mut().zip(block) {
            let inside = ends.first.time <= *time && *time < ends.last.time;
            *place = if inside { search::guess_place(&curve.keys, *time) } else { None };
        }
        for place in places.iter().flatten() {
            touch(curve, *place);
        }
        let mut bezier = BezierBlock::default();
        let first = values.len();
        values.extend(block.iter().zip(&places).enumerate().map(|(index, (time, place))| {
            let inside = place.and_then(|place| Span::new(curve, search::settle(&curve.keys, *time, place)?));
            match inside.map(|span| Segment::prepare(&span)) {
                Some(segment) => match segment.shape() {
                    Shape::Bezier { time: parameter, value } => {
                        bezier.put(index, *parameter, *value, segment.part(*time));
                        None
                    }
                    _ => Some(segment.value(*time)),
                },
                None => unmodified_with(curve, *time, &mut cursor),
            }
        }));
        bezier.solve(&mut values[first..]);
    }
    values
}

/// The Bezier segments of a block: their times are solved together.
struct BezierBlock {
    there: [bool; BLOCK],
    parts: [f64; BLOCK],
    times: [BezierTime; BLOCK],
    values: [Cubic; BLOCK],
}

impl Default for BezierBlock {
    fn default() -> Self {
        Self {
            there: [false; BLOCK],
            parts: [0.5; BLOCK],
            times: [BezierTime::new(0.0, 0.0); BLOCK],
            values: [Cubic { c: [0.0; 4] }; BLOCK],
        }
    }
}

impl BezierBlock {
    fn put(&mut self, index: usize, time: BezierTime, value: Cubic, part: f64) {
        self.there[index] = true;
        self.parts[index] = part;
        self.times[index] = time;
        self.values[index] = value;
    }

    fn solve(&self, values: &mut [Option<f64>]) {
        let roots = BezierTime::solve_many(&self.times, &self.parts);
        for (index, value) in values.iter_mut().enumerate() {
            if self.there[index] {
                *value = Some(self.values[index].value(roots[index]));
            }
        }
    }
}

/// Has the memory of a key and of the next brought near. What is read is of no use yet: reading it is.
#[inline]
fn touch(curve: &KeyedCurve, place: Place) {
    if let Some(chunk) = place.chunk(&curve.keys) {
        black_box(chunk.bits(place.within()) ^ chunk.bits(place.within() + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::value,
        model::{Extrapolation, Handle, Interpolation, Key, Modifier, ModifierKind},
    };

    #[test]
    fn many_values_are_the_values_one_by_one() {
        let mut state = 3_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for count in [0_u32, 1, 2, 3, 400, 2_000] {
            for extrapolation in Extrapolation::ALL {
                let keys: Vec<Key> = (0..count)
                    .map(|index| Key {
                        interpolation: Interpolation::ALL[index as usize % Interpolation::ALL.len()],
                        handle_out: if index % 3 == 0 { Handle::Free(0.1, random()) } else { Handle::AutoClamped },
                        handle_in: if index % 4 == 0 { Handle::Free(-0.2, random()) } else { Handle::Auto },
                        // Gaps from a hair to a jump: a guess by even spacing goes wrong.
                        ..Key::new(f64::from(index) + 100.0 * (f64::from(index) / 90.0).floor(), random())
                    })
                    .collect();
                let end = keys.last().map_or(1.0, |key| key.time);
                let mut times: Vec<f64> = (0..500).map(|_| end * (1.4 * random() - 0.2)).collect();
                times.extend(keys.iter().map(|key| key.time).take(600));
                times.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, end]);
                let mut curve = KeyedCurve {
                    keys: keys.into_iter().collect(),
                    pre: extrapolation,
                    post: extrapolation,
                    ..KeyedCurve::default()
                };
                for modified in [false, true] {
                    if modified {
                        curve.modifiers.push(Modifier::new(ModifierKind::Stepped { step: 0.7, offset: 0.1 }));
                    }
                    let one_by_one: Vec<Option<f64>> = times.iter().map(|time| value(&curve, *time)).collect();
                    assert_eq!(values(&curve, &times), one_by_one, "{count} {extrapolation:?} {modified}");
                }
            }
        }
        assert!(values(&KeyedCurve::default(), &[]).is_empty());
    }
}

//! Modifiers evaluated: each on what those before it give (see `model::modifier`).

use crate::model::{Modifier, ModifierKind};

/// How many places smoothing reads on each side.
const TAPS: i32 = 6;

/// The value of a curve with its modifiers at a time, seconds; `base` is the curve without them. None where the base has
/// none. The same numbers on every platform, in whatever order times are asked for.
#[must_use]
pub fn modified(modifiers: &[Modifier], time: f64, base: &mut dyn FnMut(f64) -> Option<f64>) -> Option<f64> {
    let Some((modifier, below)) = modifiers.split_last() else { return base(time) };
    let weight = weight(modifier, time);
    if weight == 0.0 {
        return modified(below, time, base);
    }
    match modifier.kind {
        ModifierKind::Noise { size, frequency, octaves, seed } => {
            let value = modified(below, time, base)?;
            Some(value + weight * size * noise(time * frequency, octaves, seed))
        }
        ModifierKind::Limits { low, high } => {
            let value = modified(below, time, base)?;
            let held = value.max(low.unwrap_or(f64::NEG_INFINITY)).min(high.unwrap_or(f64::INFINITY));
            Some(value + weight * (held - value))
        }
        ModifierKind::Stepped { step, offset } => {
            // A time on a step's start within rounding belongs to that step.
            let steps = ((time - offset) / step + 1e-9).floor();
            let value = modified(below, steps * step + offset, base)?;
            mixed_with(weight, value, below, time, base)
        }
        ModifierKind::Cycles { start, end, before, after, offset, mirror } => {
            let (inside, turns) = turned(time, (start, end), (before, after), mirror);
            let mut value = modified(below, inside, base)?;
            if offset && turns != 0.0 && !mirror {
                value += turns * (modified(below, end, base)? - modified(below, start, base)?);
            }
            mixed_with(weight, value, below, time, base)
        }
        ModifierKind::Smoothing { radius } => {
            let (mut sum, mut whole) = (0.0, 0.0);
            for tap in -TAPS..=TAPS {
                let part = f64::from(tap) / f64::from(TAPS);
                let share = (-2.0 * part * part).exp();
                sum += share * modified(below, part.mul_add(radius, time), base)?;
                whole += share;
            }
            mixed_with(weight, sum / whole, below, time, base)
        }
    }
}

/// A value in place of what is below by its weight; what acts wholly need not know what it replaces.
fn mixed_with(
    weight: f64,
    value: f64,
    below: &[Modifier],
    time: f64,
    base: &mut dyn FnMut(f64) -> Option<f64>,
) -> Option<f64> {
    if weight == 1.0 {
        return Some(value);
    }
    let before = modified(below, time, base)?;
    Some(before + weight * (value - before))
}

/// How much of a modifier acts at a time, 0..=1: its influence, faded at the ends of its range.
#[must_use]
pub fn weight(modifier: &Modifier, time: f64) -> f64 {
    if modifier.muted {
        return 0.0;
    }
    let Some((start, end)) = modifier.range else { return modifier.influence };
    if !(start <= time && time <= end) {
        return 0.0;
    }
    let side = |passed: f64, secs: f64| {
        let x = if passed < secs { passed / secs } else { 1.0 };
        x * x * (3.0 - 2.0 * x)
    };
    modifier.influence * side(time - start, modifier.blend.0) * side(end - time, modifier.blend.1)
}

/// A time brought within a stretch that repeats, and how many turns away it was.
fn turned(time: f64, (start, end): (f64, f64), (before, after): (bool, bool), mirror: bool) -> (f64, f64) {
    let outside = (time < start && before) || (time > end && after);
    let length = end - start;
    if !outside || !(length > 0.0) {
        return (time, 0.0);
    }
    let turns = ((time - start) / length).floor();
    let passed = (time - start - turns * length).clamp(0.0, length);
    let backwards = mirror && turns.rem_euclid(2.0) >= 1.0;
    (if backwards { end - passed } else { start + passed }, turns)
}

/// Smooth random motion between -1 and 1 for one octave; each further octave adds half the size at twice the frequency.
///
/// Gradient noise in one dimension, at a phase of its own for each seed and octave, so that its zeros fall on no frame.
/// Source: K. Perlin, *Improving noise*, 2002; the hash is the finaliser of splitmix64 (Steele et al., 2014).
#[must_use]
pub fn noise(at: f64, octaves: u32, seed: u32) -> f64 {
    let (mut sum, mut size, mut scale) = (0.0, 1.0, 1.0);
    for octave in 0..octaves.min(8) {
        let lane = (u64::from(seed) << 8) | u64::from(octave);
        let x = at * scale + unit(hash(lane, i64::MIN));
        let cell = x.floor();
        let part = x - cell;
        let gradient = |step: f64| 2.0 * unit(hash(lane, (cell + step) as i64)) - 1.0;
        let fade = part * part * part * (part * (6.0 * part - 15.0) + 10.0);
        let (left, right) = (gradient(0.0) * part, gradient(1.0) * (part - 1.0));
        sum += size * 2.0 * (left + (right - left) * fade);
        size *= 0.5;
        scale *= 2.0;
    }
    sum
}

/// 0..1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

fn hash(lane: u64, cell: i64) -> u64 {
    let mut z = lane.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(cell.cast_unsigned());
    for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
        z = (z ^ (z >> shift)).wrapping_mul(factor);
    }
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::{PreparedCurve, value, value_and_slope},
        model::{FrameRate, Interpolation, Key, KeyedCurve, Samples},
    };

    fn line(modifiers: Vec<Modifier>) -> KeyedCurve {
        let key = |time, value| Key { interpolation: Interpolation::Linear, ..Key::new(time, value) };
        KeyedCurve { keys: [key(0.0, 0.0), key(10.0, 10.0)].into_iter().collect(), modifiers, ..KeyedCurve::default() }
    }

    fn at(kind: ModifierKind, time: f64) -> f64 {
        value(&line(vec![Modifier::new(kind)]), time).unwrap()
    }

    #[test]
    fn each_kind_does_what_it_says() {
        let limits = ModifierKind::Limits { low: Some(2.0), high: Some(5.0) };
        assert!((at(limits, 3.0) - 3.0).abs() < 1e-12);
        assert_eq!([1.0, 9.0].map(|time| at(limits, time)), [2.0, 5.0]);
        let stepped = ModifierKind::Stepped { step: 0.5, offset: 0.1 };
        assert!((at(stepped, 1.55) - 1.1).abs() < 1e-12 && (at(stepped, 1.6) - 1.6).abs() < 1e-9);
        let cycles =
            |offset, mirror| ModifierKind::Cycles { start: 1.0, end: 3.0, before: true, after: true, offset, mirror };
        assert!(
            (at(cycles(false, false), 4.5) - 2.5).abs() < 1e-12 && (at(cycles(false, false), 0.5) - 2.5).abs() < 1e-12
        );
        assert!(
            (at(cycles(true, false), 4.5) - 4.5).abs() < 1e-12 && (at(cycles(false, true), 4.5) - 1.5).abs() < 1e-12
        );
        // The mean of a straight line is the line.
        assert!((at(ModifierKind::Smoothing { radius: 0.7 }, 5.0) - 5.0).abs() < 1e-12);
    }

    #[test]
    fn noise_is_the_same_for_its_seed_smooth_and_within_its_size() {
        let noise_at =
            |seed, time| at(ModifierKind::Noise { size: 0.5, frequency: 3.0, octaves: 1, seed }, time) - time;
        let mut differs = false;
        for i in 0..2_000 {
            let time = 1.0 + f64::from(i) * 4e-3;
            let here = noise_at(7, time);
            assert!(here.abs() <= 0.5 && here == noise_at(7, time));
            differs |= (here - noise_at(8, time)).abs() > 0.1;
            // One octave of 3 Hz moves at most 2 * 1.9 * size * frequency a second.
            assert!((noise_at(7, time + 1e-4) - here).abs() < 1e-4 * 0.5 * 3.0 * 4.0);
        }
        assert!(differs);
    }

    #[test]
    fn influence_range_and_muting_hold() {
        let shift = ModifierKind::Limits { low: Some(20.0), high: None };
        let mut modifier =
            Modifier { influence: 0.5, range: Some((2.0, 6.0)), blend: (1.0, 1.0), ..Modifier::new(shift) };
        let at = |modifier, time| value(&line(vec![modifier]), time).unwrap();
        for time in [1.9, 2.0, 6.0, 7.0] {
            assert!((at(modifier, time) - time).abs() < 1e-12);
        }
        assert!((at(modifier, 4.0) - 12.0).abs() < 1e-12 && (at(modifier, 2.5) - (2.5 + 0.25 * 17.5)).abs() < 1e-12);
        modifier.muted = true;
        assert_eq!(at(modifier, 4.0), 4.0);
    }

    #[test]
    fn stacks_are_evaluated_in_order_alike_for_keys_samples_and_prepared_curves() {
        let stack = vec![
            Modifier::new(ModifierKind::Stepped { step: 1.0, offset: 0.0 }),
            Modifier::new(ModifierKind::Smoothing { radius: 0.5 }),
            Modifier {
                influence: 0.3,
                ..Modifier::new(ModifierKind::Noise { size: 1.0, frequency: 2.0, octaves: 3, seed: 1 })
            },
            Modifier::new(ModifierKind::Limits { low: None, high: Some(7.0) }),
        ];
        let keyed = line(stack.clone());
        let values = (0..=240).map(|i| f64::from(i) / 24.0).collect();
        let samples = Samples { modifiers: stack, ..Samples::new(0.0, FrameRate::FPS_24, values) };
        let prepared = PreparedCurve::new(&keyed);
        for i in -20..220 {
            let time = f64::from(i) * 0.0531;
            let wanted = value(&keyed, time).unwrap();
            assert_eq!(prepared.value(time), Some(wanted));
            assert!((crate::eval::curve::sampled::value(&samples, time).unwrap() - wanted).abs() < 1e-9);
            assert!(value_and_slope(&keyed, time).unwrap().1.is_finite());
        }
        assert_eq!(value(&keyed, f64::NAN), None);
        let none = KeyedCurve { modifiers: keyed.modifiers, ..KeyedCurve::default() };
        assert_eq!(value(&none, 1.0), None);
    }
}

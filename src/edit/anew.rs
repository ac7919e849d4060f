//! Curves counted anew: with another unit, or from another zero.

use super::drivers::driver_mut;
use crate::{
    math::easing::EaseMode,
    model::{
        ChannelPath, Curve, Document, EaseShape, Handle, Interpolation, Key, KeyedCurve, Keys, Modifier, ModifierKind,
        ScalarCurve, Scheme,
    },
};
use std::sync::Arc;

/// How a number is counted anew: times a factor, then from another zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anew {
    /// Above 0, or -1.
    factor: f64,
    /// In the new unit.
    shift: f64,
}

impl Anew {
    /// Scaled about a place of its own line.
    pub(super) fn scaled(factor: f64, about: f64) -> Self {
        Self { factor, shift: about - about * factor }
    }

    /// The other way round.
    pub(super) const fn turned() -> Self {
        Self { factor: -1.0, shift: 0.0 }
    }

    /// Moved.
    pub(super) const fn shifted(shift: f64) -> Self {
        Self { factor: 1.0, shift }
    }

    /// What a difference becomes.
    pub(super) const fn difference(self) -> Self {
        Self { shift: 0.0, ..self }
    }

    /// What a number becomes.
    pub(super) fn of(self, number: f64) -> f64 {
        number * self.factor + self.shift
    }

    fn is_same(self) -> bool {
        self == Self::shifted(0.0)
    }
}

/// Counts the values of a curve anew; rotations as quaternions have no unit.
pub(super) fn values(curve: &mut Curve, anew: Anew) {
    let factor = anew.factor;
    let handle = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) => Handle::Aligned(dt, dv * factor),
        Handle::Free(dt, dv) => Handle::Free(dt, dv * factor),
        derived => derived,
    };
    let modifier = |modifier: &mut Modifier| match &mut modifier.kind {
        ModifierKind::Noise { size, .. } => *size *= factor,
        ModifierKind::Limits { low, high } => {
            [&mut *low, &mut *high].into_iter().for_each(|bound| *bound = bound.map(|bound| anew.of(bound)));
            if factor < 0.0 {
                std::mem::swap(low, high);
            }
        }
        ModifierKind::Cycles { .. } | ModifierKind::Stepped { .. } | ModifierKind::Smoothing { .. } => {}
    };
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            curve.keys.update_in_place(|_, key| {
                let (handle_in, handle_out) = (handle(key.handle_in), handle(key.handle_out));
                let (slope_in, slope_out) = (key.slope_in * factor, key.slope_out * factor);
                Some(Key { value: anew.of(key.value), handle_in, handle_out, slope_in, slope_out, ..*key })
            });
            if let Scheme::Clamped(start, end) = &mut curve.scheme {
                *start *= factor;
                *end *= factor;
            }
            curve.modifiers.iter_mut().for_each(modifier);
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            samples.modifiers.iter_mut().for_each(modifier);
            samples.values = samples.values.iter().map(|value| anew.of(*value)).collect();
        }
        Curve::Rotation(_) => {}
    }
}

/// Counts anew what the keys of a curve stand at.
fn times(curve: &mut KeyedCurve, anew: Anew) {
    let factor = anew.factor;
    let handle = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) => Handle::Aligned(dt * factor, dv),
        Handle::Free(dt, dv) => Handle::Free(dt * factor, dv),
        derived => derived,
    };
    let key = |key: Key| Key {
        time: anew.of(key.time),
        handle_in: handle(key.handle_in),
        handle_out: handle(key.handle_out),
        slope_in: key.slope_in / factor,
        slope_out: key.slope_out / factor,
        ..key
    };
    curve.keys = curve.keys.iter().map(key).collect::<Keys<Key>>();
    if let Scheme::Clamped(start, end) = &mut curve.scheme {
        *start /= factor;
        *end /= factor;
    }
    for modifier in &mut curve.modifiers {
        match &mut modifier.kind {
            ModifierKind::Noise { frequency, .. } => *frequency /= factor,
            ModifierKind::Cycles { start, end, .. } => [start, end].into_iter().for_each(|at| *at = anew.of(*at)),
            ModifierKind::Stepped { step, offset } => (*step, *offset) = (*step * factor, anew.of(*offset)),
            ModifierKind::Smoothing { radius } => *radius *= factor,
            ModifierKind::Limits { .. } => {}
        }
    }
}

/// A curve of keys run through the other way, each at the other side of zero: `f(-t)`. None of a curve that has no such
/// form: segments that hold the value they start at would have to hold that they end at, and what modifiers do to it has a
/// direction.
pub(super) fn turned_round(curve: &KeyedCurve) -> Option<KeyedCurve> {
    let own = curve.scheme == Scheme::PerKey;
    let steps = own && curve.keys.iter().any(|key| key.interpolation == Interpolation::Step);
    if steps || !curve.modifiers.is_empty() {
        return None;
    }
    let handle = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) => Handle::Aligned(-dt, dv),
        Handle::Free(dt, dv) => Handle::Free(-dt, dv),
        derived => derived,
    };
    let ease = |mut ease: EaseShape| {
        let [x1, y1, x2, y2] = ease.css;
        ease.css = [1.0 - x2, 1.0 - y2, 1.0 - x1, 1.0 - y1];
        ease.mode = match ease.mode {
            EaseMode::In => EaseMode::Out,
            EaseMode::Out => EaseMode::In,
            EaseMode::InOut => EaseMode::InOut,
        };
        ease
    };
    let all: Vec<Key> = curve.keys.iter().collect();
    let keys = all.iter().enumerate().rev().map(|(index, key)| {
        // A segment belongs to the key it starts at, which now is the other one.
        let segment = index.checked_sub(1).and_then(|before| all.get(before)).unwrap_or(key);
        Key {
            time: -key.time,
            interpolation: segment.interpolation,
            ease: ease(segment.ease),
            handle_in: handle(key.handle_out),
            handle_out: handle(key.handle_in),
            slope_in: -key.slope_out,
            slope_out: -key.slope_in,
            bias: -key.bias,
            ..*key
        }
    });
    let scheme = match curve.scheme {
        Scheme::Clamped(start, end) => Scheme::Clamped(-end, -start),
        other => other,
    };
    Some(KeyedCurve { keys: keys.collect(), scheme, pre: curve.post, post: curve.pre, modifiers: Vec::new() })
}

/// Counts the curves of drivers anew: the values where what they drive is, what their keys stand at where what they read is.
pub(super) fn drivers(document: &mut Document, anew: impl Fn(&Document, ChannelPath) -> Option<Anew>) {
    let change = |document: &Document, path| anew(document, path).filter(|anew| !anew.is_same());
    let all = document.objects.values().flat_map(|object| &object.drivers);
    let found: Vec<(ChannelPath, Option<Anew>, Option<Anew>)> = all
        .map(|driver| (driver.driven, change(document, driver.driven), change(document, driver.source)))
        .filter(|(_, of_values, of_times)| of_values.is_some() || of_times.is_some())
        .collect();
    for (driven, of_values, of_times) in found {
        // Each was found in the document.
        let Ok(driver) = driver_mut(document, driven) else { continue };
        let curve = Arc::make_mut(&mut driver.curve);
        if let Some(anew) = of_values {
            values(curve, anew);
        }
        if let (Some(anew), Curve::Scalar(ScalarCurve::Keyed(keyed))) = (of_times, curve) {
            times(keyed, anew);
        }
    }
}

//! A rotation curve read at other times, as a curve of its own.

use super::{Clock, scalar::more_samples};
use crate::model::keys::Timed as _;
use crate::{
    eval::curve::{rotation, sampled},
    math::{Quat, rotation::align},
    model::{KeyedRotation, Phi, RotationInterpolation, RotationKey, RotationSamples, RotationTangents},
};
use std::sync::Arc;

/// How often a piece is halved at most.
const HALVINGS: u32 = 10;
/// At how many places within a piece it is compared.
const LOOKS: u32 = 12;
/// The step of the differences that give slopes, as a part of the piece.
const STEP: f64 = 1.0 / 256.0;

/// The keys made so far.
struct Made {
    keys: Vec<RotationKey>,
    /// Whether the quaternions of the curve's own keys are taken with the other sign.
    turned: bool,
}

impl Made {
    /// A key of the curve, at another time; its interpolation where it stays.
    fn own(&mut self, key: &RotationKey, time: f64) {
        let sign = if self.turned { -1.0_f32 } else { 1.0 };
        let interpolation = match key.interpolation {
            RotationInterpolation::Hermite(tangents) => RotationInterpolation::Hermite(RotationTangents {
                out: tangents.out.map(|slope| sign * slope),
                into: tangents.into.map(|slope| sign * slope),
            }),
            other => other,
        };
        self.push(RotationKey { time, rotation: self.signed(&key.rotation), interpolation, ..*key });
    }

    fn signed(&self, rotation: &Quat) -> Quat {
        if self.turned { Quat::new_unchecked(-rotation.into_inner()) } else { *rotation }
    }

    fn push(&mut self, key: RotationKey) {
        if self.keys.last().is_some_and(|last| last.time >= key.time) {
            self.keys.pop();
        }
        self.keys.push(key);
    }

    /// Keys along which a function runs within a bound, radians, but for the one at the end; gives the rotation there, of
    /// the sign in which it is reached.
    fn fit(&mut self, from: (f64, Quat), to: f64, bound: f64, of: &dyn Fn(f64) -> Quat, halvings: u32) -> Quat {
        let secs = to - from.0;
        let step = secs * STEP;
        let at = |time: f64| align(&of(time), &from.1);
        let end = at(to);
        // Five-point differences from within the piece: it may bend at its ends.
        let slope = |here: Quat, side: f64, origin: f64| {
            let values = [1.0, 2.0, 3.0, 4.0].map(|n| at((side * n).mul_add(step, origin)).coords);
            let rise = here.coords * -25.0 + values[0] * 48.0 - values[1] * 36.0 + values[2] * 16.0 - values[3] * 3.0;
            let slope = rise / (12.0 * side * step);
            [slope.x, slope.y, slope.z, slope.w].map(|slope| slope as f32)
        };
        let tangents = RotationTangents { out: slope(from.1, 1.0, from.0), into: slope(end, -1.0, to) };
        let track = KeyedRotation {
            keys: [
                RotationKey {
                    rotation: from.1,
                    interpolation: RotationInterpolation::Hermite(tangents),
                    ..RotationKey::at(from.0)
                },
                RotationKey { rotation: end, interpolation: RotationInterpolation::Step, ..RotationKey::at(to) },
            ]
            .into_iter()
            .collect(),
        };
        let is_near = |look: u32| {
            let time = secs.mul_add(f64::from(look) / f64::from(LOOKS + 1), from.0);
            rotation::rotation(&track, time).is_some_and(|fitted| fitted.angle_to(&of(time)) <= bound)
        };
        if halvings == 0 || (tangents.is_finite() && (1..=LOOKS).all(is_near)) {
            let interpolation = if tangents.is_finite() {
                RotationInterpolation::Hermite(tangents)
            } else {
                RotationInterpolation::Slerp
            };
            self.push(RotationKey { rotation: from.1, interpolation, ..RotationKey::at(from.0) });
            return end;
        }
        let middle = 0.5 * (from.0 + to);
        let between = self.fit(from, middle, bound, of, halvings - 1);
        self.fit((middle, between), to, bound, of, halvings - 1)
    }
}

/// A track being read at other times.
struct Reading<'a> {
    track: &'a KeyedRotation,
    keys: Vec<RotationKey>,
    phi: &'a Phi,
    bound: f64,
}

impl Reading<'_> {
    fn touched(&self, index: usize) -> bool {
        let (start, end) = self.phi.range();
        let ends = self.keys.get(index).zip(self.keys.get(index + 1));
        ends.is_some_and(|(from, to)| from.time < end && to.time > start)
    }

    /// Whether a segment's run depends on the keys beside it.
    fn leans(&self, index: usize) -> bool {
        let kind = self.keys.get(index).map(|key| key.interpolation);
        matches!(kind, Some(RotationInterpolation::Squad | RotationInterpolation::Cubic)) && index + 1 < self.keys.len()
    }

    /// Fits a segment; gives the rotation at its end as it is reached.
    fn fit(&self, made: &mut Made, index: usize) -> Option<Quat> {
        let (key, next) = (self.keys.get(index)?, self.keys.get(index + 1)?);
        let (time, to) = (self.phi.inverse(key.time), self.phi.inverse(next.time));
        let of = |secs: f64| {
            let read = self.phi.value(secs).clamp(key.time, next.time);
            rotation::rotation(self.track, read).unwrap_or(key.rotation)
        };
        let inside = self.phi.keys().iter().map(|key| key.0).filter(|secs| time < *secs && *secs < to);
        let (mut from, first) = ((time, made.signed(&key.rotation)), made.keys.len());
        for end in inside.chain([to]) {
            from = (end, made.fit(from, end, self.bound, &of, HALVINGS));
        }
        if let Some(first) = made.keys.get_mut(first) {
            first.kind = key.kind;
        }
        Some(from.1)
    }

    /// Which segments are fitted: those that are touched, and beside them those that lean on keys that come to be.
    fn fitted(&self) -> Vec<bool> {
        let count = self.keys.len().saturating_sub(1);
        let mut fitted: Vec<bool> = (0..count)
            .map(|index| self.touched(index) && self.keys[index].interpolation != RotationInterpolation::Step)
            .collect();
        let first = (0..count).find(|index| self.touched(*index)).unwrap_or(count);
        let after = (0..count).rfind(|index| self.touched(*index)).map_or(count, |last| last + 1);
        // Where one cubic does, no key comes between, and the next one stays.
        let many = |index: usize| {
            let mut alone = Made { keys: Vec::new(), turned: false };
            self.fit(&mut alone, index).is_some() && alone.keys.len() > 1
        };
        for index in (0..first.min(count)).rev().take_while(|index| self.leans(*index)) {
            fitted[index] = true;
            if !many(index) {
                break;
            }
        }
        for index in (after..count).take_while(|index| self.leans(*index)) {
            fitted[index] = true;
            if !many(index) {
                break;
            }
        }
        fitted
    }
}

/// The track whose rotation at every time is that of `track` at `phi` of it, within a bound in radians: exact where the
/// segments hold their rotation or lie outside the range.
pub(super) fn keyed(track: &KeyedRotation, phi: &Phi, bound: f64) -> KeyedRotation {
    let reading = Reading { track, keys: track.keys.iter().collect(), phi, bound };
    let fitted = reading.fitted();
    let mut made = Made { keys: Vec::new(), turned: false };
    for (index, key) in reading.keys.iter().enumerate() {
        let end = if fitted.get(index) == Some(&true) { reading.fit(&mut made, index) } else { None };
        match (end, reading.keys.get(index + 1)) {
            (Some(end), Some(next)) => made.turned = end.coords.dot(&next.rotation.coords) < 0.0,
            _ => made.own(key, phi.inverse(key.time)),
        }
    }
    KeyedRotation { keys: made.keys.into_iter().collect() }
}

/// Rotations on the same grid, each read at another time.
pub(super) fn resampled(samples: &RotationSamples, clock: &Clock) -> Option<RotationSamples> {
    let step = samples.rate.frame_secs();
    let (before, after) = more_samples(samples.start, step, samples.values.len(), clock);
    let start = samples.start - step * before as f64;
    let secs = |index: usize| start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
    let count = samples.values.len() + before + after;
    let values: Option<Arc<[Quat]>> =
        (0..count).map(|index| sampled::rotation(samples, clock.source(secs(index)))).collect();
    Some(RotationSamples { start, rate: samples.rate, values: values? })
}

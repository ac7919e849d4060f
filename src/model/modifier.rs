//! Modifiers: what is done to a scalar curve's values on top, without touching its keys or samples.
//!
//! A curve's modifiers are evaluated in order, each on what the ones before give. A modifier of influence w over a range
//! gives `v + w e(t) (m(v, t) - v)`, where `e` fades in and out at the ends of the range.

use super::curve::{finite, is_default};
use serde::{Deserialize, Serialize};

/// The most modifiers of one curve.
pub const MOST_MODIFIERS: usize = 16;

/// The most smoothing modifiers of one curve: each reads several places of what is below it.
pub const MOST_SMOOTHINGS: usize = 3;

/// One modifier of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// What it does.
    pub kind: ModifierKind,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// How much of it acts, 0..1.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub influence: f64,
    /// Where it acts, seconds, start before end; everywhere where there is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub range: Option<(f64, f64)>,
    /// How many seconds it takes to come and to go, within the range; at least 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub blend: (f64, f64),
}

/// What a modifier does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModifierKind {
    /// Adds smooth random motion, the same for the same seed. It holds no frequency above its own by far: gradient noise,
    /// summed over octaves of doubled frequency and halved size.
    Noise {
        /// Greatest deviation of the first octave, own units.
        size: f64,
        /// Of the first octave, times a second, above 0.
        frequency: f64,
        /// 1..8.
        octaves: u32,
        /// Another seed is another motion.
        seed: u32,
    },
    /// Repeats the stretch between two times, seconds.
    Cycles {
        /// Where a turn starts.
        start: f64,
        /// Where it ends, after the start.
        end: f64,
        /// Whether it is repeated before the start.
        before: bool,
        /// Whether it is repeated after the end.
        after: bool,
        /// Whether each turn starts where the last one ended.
        offset: bool,
        /// Whether every other turn runs backwards.
        mirror: bool,
    },
    /// Holds values within bounds.
    Limits {
        /// The least value, own units; none is no bound.
        low: Option<f64>,
        /// The greatest value.
        high: Option<f64>,
    },
    /// Holds each value for a step of time.
    Stepped {
        /// The length of a step, seconds, above 0.
        step: f64,
        /// Where a step starts, seconds.
        offset: f64,
    },
    /// The weighted mean over a stretch of time around each moment (a Gaussian).
    Smoothing {
        /// How far the stretch reaches to each side, seconds, above 0.
        radius: f64,
    },
}

impl Modifier {
    /// A modifier that acts everywhere and wholly.
    #[must_use]
    pub const fn new(kind: ModifierKind) -> Self {
        Self { kind, muted: false, influence: 1.0, range: None, blend: (0.0, 0.0) }
    }

    /// Whether its numbers are finite and within their ranges.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let range = self.range.is_none_or(|(start, end)| start.is_finite() && end.is_finite() && start < end);
        let blend = [self.blend.0, self.blend.1].iter().all(|secs| secs.is_finite() && *secs >= 0.0);
        (0.0..=1.0).contains(&self.influence) && range && blend && self.kind.is_sound()
    }
}

impl ModifierKind {
    fn is_sound(&self) -> bool {
        match *self {
            Self::Noise { size, frequency, octaves, .. } => {
                size.is_finite() && (1e-6..=1e6).contains(&frequency) && (1..=8).contains(&octaves)
            }
            Self::Cycles { start, end, .. } => start.is_finite() && end.is_finite() && end - start >= 1e-6,
            Self::Limits { low, high } => {
                low.is_none_or(f64::is_finite)
                    && high.is_none_or(f64::is_finite)
                    && low.zip(high).is_none_or(|(low, high)| low <= high)
            }
            Self::Stepped { step, offset } => offset.is_finite() && (1e-6..=1e9).contains(&step),
            Self::Smoothing { radius } => (1e-6..=1e6).contains(&radius),
        }
    }
}

/// What is wrong with a curve's modifiers as a whole, if anything.
#[must_use]
pub fn modifiers_are_sound(modifiers: &[Modifier]) -> bool {
    let smoothings = modifiers.iter().filter(|modifier| matches!(modifier.kind, ModifierKind::Smoothing { .. }));
    modifiers.len() <= MOST_MODIFIERS
        && smoothings.count() <= MOST_SMOOTHINGS
        && modifiers.iter().all(Modifier::is_sound)
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

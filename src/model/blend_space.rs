//! Blend spaces: samples of motion at places along one or two axes, from which a point makes a mix.

use super::{
    blend_scheme::{BlendScheme, RotationBlend},
    curve::{finite, is_default},
    document::Document,
    id::{BlendSpaceId, ClipId},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A blend space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlendSpace {
    /// Its name.
    pub name: String,
    /// Its axes; a scheme of one axis reads the first alone.
    pub axes: [Axis; 2],
    /// How weights follow from a point.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: BlendScheme,
    /// How rotations are blended.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotations: RotationBlend,
    /// How the samples keep step with each other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sync: Sync,
    /// What plays where.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<SpaceSample>,
    /// The point that plays where the space is a sample of another.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::pair")]
    pub preview: [f64; 2],
    /// Diagonals turned in by hand where it is triangulated, by places in the list of samples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagonals: Vec<[usize; 2]>,
    /// How the point that plays follows the point told; none for at once. It has a history: it is run from the begin of the
    /// play range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smoothing: Option<Smoothing>,
}

/// An axis of a blend space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// What it measures, such as `speed`.
    pub name: String,
    /// The unit for the eye, such as `m/s`; may be empty. Axes of different units are scaled to their ranges before
    /// distances are taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// From where to where it goes: the point told is brought within.
    #[serde(deserialize_with = "finite::pair")]
    pub range: [f64; 2],
}

impl Axis {
    /// An axis.
    #[must_use]
    pub fn new(name: &str, unit: &str, range: [f64; 2]) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), range }
    }
}

/// How the samples of a space keep step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Sync {
    /// Each runs through once in the same time, which is the blend of their lengths.
    #[default]
    Normalised,
    /// The same from each marker of step to the next ([`super::Marker::sync`]); where names or order differ, as normalised.
    Markers,
    /// Not at all: each at its own pace.
    Free,
}

impl Sync {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Normalised, Self::Markers, Self::Free];
}

/// How a point follows the one told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Smoothing {
    /// By a critically damped spring: when half the way is covered, seconds, above 0.
    Spring(#[serde(deserialize_with = "finite::number")] f64),
    /// By a part of what is left: when half the way is covered, seconds, above 0.
    Exponential(#[serde(deserialize_with = "finite::number")] f64),
}

impl Smoothing {
    /// When half the way is covered, seconds.
    #[must_use]
    pub const fn half_life(self) -> f64 {
        match self {
            Self::Spring(secs) | Self::Exponential(secs) => secs,
        }
    }
}

/// What a sample of a space, or a layer, plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Plays {
    /// A clip.
    Clip(ClipId),
    /// A blend space.
    Space(BlendSpaceId),
}

/// A sample of a space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpaceSample {
    /// What it plays.
    pub plays: Plays,
    /// Where, along the axes.
    #[serde(deserialize_with = "finite::pair")]
    pub at: [f64; 2],
    /// How much of it plays where each sample has a weight of its own; not negative.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub weight: f64,
    /// How fast it plays, of its own pace; above 0.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub speed: f64,
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

impl SpaceSample {
    /// A sample at its own pace.
    #[must_use]
    pub const fn new(plays: Plays, at: [f64; 2]) -> Self {
        Self { plays, at, weight: 0.0, speed: 1.0 }
    }
}

impl BlendSpace {
    /// An empty space of one axis.
    #[must_use]
    pub fn new(name: &str, axes: [Axis; 2]) -> Self {
        Self {
            name: name.to_owned(),
            axes,
            scheme: BlendScheme::default(),
            rotations: RotationBlend::default(),
            sync: Sync::default(),
            samples: Vec::new(),
            preview: [0.0; 2],
            diagonals: Vec::new(),
            smoothing: None,
        }
    }

    /// A point brought within the axes' ranges. What is not a number counts as the middle.
    #[must_use]
    pub fn within(&self, at: [f64; 2]) -> [f64; 2] {
        std::array::from_fn(|axis| {
            let [from, to] = self.axes[axis].range;
            let (low, high) = (from.min(to), from.max(to));
            if at[axis].is_nan() { low + 0.5 * (high - low) } else { at[axis].max(low).min(high) }
        })
    }

    /// A point in the scale in which distances are taken: as it is where both axes have one unit, else in parts of their
    /// ranges.
    #[must_use]
    pub fn measured(&self, at: [f64; 2]) -> [f64; 2] {
        if self.axes[0].unit == self.axes[1].unit || self.scheme.axes() < 2 {
            return at;
        }
        std::array::from_fn(|axis| {
            let [from, to] = self.axes[axis].range;
            let width = (to - from).abs();
            if width > 0.0 { at[axis] / width } else { at[axis] }
        })
    }

    /// The samples that are on the spot of another, by place in the list, each with the first of its spot.
    #[must_use]
    pub fn on_one_spot(&self) -> Vec<(usize, usize)> {
        let same = |a: &SpaceSample, b: &SpaceSample| match self.scheme.axes() {
            0 => false,
            1 => a.at[0] == b.at[0],
            _ => a.at == b.at,
        };
        let first = |(index, sample): (usize, &SpaceSample)| {
            self.samples[..index].iter().position(|other| same(other, sample)).map(|first| (index, first))
        };
        self.samples.iter().enumerate().filter_map(first).collect()
    }

    /// The first number that no space can have, in words; none for a sound one.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let finite = |at: &[f64; 2]| at.iter().all(|v| v.is_finite());
        if !(self.axes.iter().all(|axis| finite(&axis.range)) && finite(&self.preview)) {
            return Some("an axis or the preview point is not of finite numbers");
        }
        if self.axes.iter().take(self.scheme.axes()).any(|axis| axis.range[0] >= axis.range[1]) {
            return Some("an axis does not go upwards");
        }
        if self.samples.iter().any(|s| !(finite(&s.at) && s.weight >= 0.0 && s.weight.is_finite())) {
            return Some("a sample's place or weight is not a finite number, or the weight is below 0");
        }
        if self.samples.iter().any(|s| !(s.speed > 0.0 && s.speed.is_finite())) {
            return Some("a sample's speed is not above 0");
        }
        if self.smoothing.is_some_and(|s| !(s.half_life() > 0.0 && s.half_life().is_finite())) {
            return Some("the time of its smoothing is not above 0");
        }
        let known = |pair: &[usize; 2]| pair[0] != pair[1] && pair.iter().all(|index| *index < self.samples.len());
        if !self.diagonals.iter().all(known) {
            return Some("a diagonal is not between two of its samples");
        }
        None
    }
}

impl Document {
    /// Whether a space plays another, or itself, through its samples or theirs.
    #[must_use]
    pub fn space_contains(&self, space: BlendSpaceId, other: BlendSpaceId) -> bool {
        let mut open = vec![space];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let samples = self.blend_spaces.get(&id).map(|space| space.samples.as_slice()).unwrap_or_default();
            for sample in samples {
                if let Plays::Space(inner) = sample.plays {
                    if inner == other {
                        return true;
                    }
                    if seen.insert(inner) {
                        open.push(inner);
                    }
                }
            }
        }
        false
    }

    /// Whether what something plays exists.
    #[must_use]
    pub fn has(&self, plays: Plays) -> bool {
        match plays {
            Plays::Clip(clip) => self.clip(clip).is_some(),
            Plays::Space(space) => self.blend_spaces.contains_key(&space),
        }
    }
}

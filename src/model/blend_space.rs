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
    /// How much angles count against lengths in polar gradient bands ("alpha" in the thesis), above 0.
    #[serde(default = "two", skip_serializing_if = "is_two", deserialize_with = "finite::number")]
    pub angle_weight: f64,
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
    /// Samples and the point come to lie on multiples of this, counted from 0, while they are dragged; 0 for anywhere.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub snap: f64,
}

/// How much angles count against lengths where nothing is said (Johansen 2009).
const fn two() -> f64 {
    2.0
}

fn is_two(value: &f64) -> bool {
    *value == 2.0
}

impl Axis {
    /// An axis.
    #[must_use]
    pub fn new(name: &str, unit: &str, range: [f64; 2]) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), range, snap: 0.0 }
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
            angle_weight: two(),
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

    /// A point brought onto the axes' steps, then within their ranges.
    #[must_use]
    pub fn snapped(&self, at: [f64; 2]) -> [f64; 2] {
        let on_step = |axis: usize| {
            let step = self.axes[axis].snap;
            // From a step too fine to count no rounding follows.
            let snapped = (at[axis] / step).round() * step;
            if step > 0.0 && snapped.is_finite() { snapped } else { at[axis] }
        };
        self.within([0, 1].map(on_step))
    }

    /// The point along the axes of one in the scale in which distances are taken: the other way of [`Self::measured`].
    #[must_use]
    pub fn along(&self, measured: [f64; 2]) -> [f64; 2] {
        let one = self.measured([1.0, 1.0]);
        [0, 1].map(|axis| measured[axis] / one[axis])
    }

    /// A free place for a sample near the one wanted: that place, else the nearest along the axes' steps, or tenths of their
    /// ranges.
    #[must_use]
    pub fn free_spot(&self, wanted: [f64; 2]) -> [f64; 2] {
        let wanted = self.snapped(wanted);
        let count = self.scheme.axes();
        let same = |a: [f64; 2], b: [f64; 2]| (0..count.max(1)).all(|axis| a[axis] == b[axis]);
        let taken = |at: [f64; 2]| count > 0 && self.samples.iter().any(|sample| same(sample.at, at));
        let step = [0, 1].map(|axis| {
            let Axis { range: [from, to], snap, .. } = self.axes[axis];
            if snap > 0.0 { snap } else { 0.1 * (to - from).abs() }
        });
        let reach = i32::try_from(self.samples.len()).unwrap_or(i32::MAX).min(64);
        let mut ways: Vec<[i32; 2]> = (-reach..=reach)
            .flat_map(|x| if count > 1 { (-reach..=reach).map(|y| [x, y]).collect() } else { vec![[x, 0]] })
            .collect();
        ways.sort_by_key(|[x, y]| x * x + y * y);
        let place = |way: &[i32; 2]| self.within([0, 1].map(|axis| wanted[axis] + f64::from(way[axis]) * step[axis]));
        ways.iter().map(place).find(|at| !taken(*at)).unwrap_or(wanted)
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
        self.on_one_spot_of(self.scheme)
    }

    /// The samples that would be on the spot of another by a scheme, as [`Self::on_one_spot`].
    #[must_use]
    pub fn on_one_spot_of(&self, scheme: BlendScheme) -> Vec<(usize, usize)> {
        let same = |a: &SpaceSample, b: &SpaceSample| match scheme.axes() {
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
        if self.axes.iter().any(|axis| !(axis.snap >= 0.0 && axis.snap.is_finite())) {
            return Some("the step of an axis is below 0 or not a finite number");
        }
        if self.samples.iter().any(|s| !(finite(&s.at) && s.weight >= 0.0 && s.weight.is_finite())) {
            return Some("a sample's place or weight is not a finite number, or the weight is below 0");
        }
        if self.samples.iter().any(|s| !(s.speed > 0.0 && s.speed.is_finite())) {
            return Some("a sample's speed is not above 0");
        }
        if !(self.angle_weight > 0.0 && self.angle_weight.is_finite()) {
            return Some("how much angles count is not above 0");
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

    /// The name of what something plays; its id where it does not exist.
    #[must_use]
    pub fn played_name(&self, plays: Plays) -> String {
        let (name, id) = match plays {
            Plays::Clip(clip) => (self.clip(clip).map(|clip| &clip.name), clip.to_string()),
            Plays::Space(space) => (self.blend_spaces.get(&space).map(|space| &space.name), space.to_string()),
        };
        name.cloned().unwrap_or(id)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_snap_and_samples_find_room() {
        let mut space =
            BlendSpace::new("s", [Axis::new("x", "m/s", [-1.0, 2.0]), Axis::new("y", "deg/s", [0.0, 180.0])]);
        space.scheme = BlendScheme::Delaunay;
        assert_eq!(space.snapped([0.37, 44.0]), [0.37, 44.0]);
        (space.axes[0].snap, space.axes[1].snap) = (0.25, 45.0);
        assert_eq!(space.snapped([0.37, 44.0]), [0.25, 45.0]);
        assert_eq!(space.snapped([9.0, f64::NAN]), [2.0, 90.0]);
        let at = [1.5, 30.0];
        let back = space.along(space.measured(at));
        assert!((back[0] - at[0]).abs() < 1e-12 && (back[1] - at[1]).abs() < 1e-12);
        for _ in 0..40 {
            let free = space.free_spot([0.3, 44.0]);
            assert_eq!(free, space.within(free));
            space.samples.push(SpaceSample::new(Plays::Clip(ClipId(1)), free));
        }
        assert_eq!(space.on_one_spot(), []);
        space.axes[0].snap = f64::NAN;
        assert!(space.fault().is_some());
    }

    #[test]
    fn along_one_axis_there_is_room_too() {
        let mut space = BlendSpace::new("s", [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])]);
        for _ in 0..8 {
            let free = space.free_spot([0.5, 0.0]);
            space.samples.push(SpaceSample::new(Plays::Clip(ClipId(1)), free));
        }
        assert_eq!(space.on_one_spot(), []);
    }
}

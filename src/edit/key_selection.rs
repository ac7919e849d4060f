//! Sets of keys, by curve and exact time.

use crate::model::{ChannelPath, ClipId, Curve, Document, FrameRate, RotationCurve, ScalarCurve};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A curve of a clip, or, as of the clip [`ClipId::DRIVERS`], of the driver of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CurveRef {
    /// The clip.
    pub clip: ClipId,
    /// The channel.
    pub path: ChannelPath,
}

/// A set of keys: for each curve, exact times in increasing order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(CurveRef, Vec<f64>)>", into = "Vec<(CurveRef, Vec<f64>)>")]
pub struct KeySelection {
    curves: BTreeMap<CurveRef, Vec<f64>>,
}

impl KeySelection {
    /// No keys.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keys of one curve.
    #[must_use]
    pub fn of(curve: CurveRef, times: &[f64]) -> Self {
        times.iter().map(|time| (curve, *time)).collect()
    }

    /// The curves that have keys here, in order, with the keys' times.
    pub fn curves(&self) -> impl Iterator<Item = (CurveRef, &[f64])> {
        self.curves.iter().map(|(curve, times)| (*curve, times.as_slice()))
    }

    /// All keys in order of curve and time.
    pub fn iter(&self) -> impl Iterator<Item = (CurveRef, f64)> {
        self.curves().flat_map(|(curve, times)| times.iter().map(move |time| (curve, *time)))
    }

    /// The times of one curve's keys.
    #[must_use]
    pub fn times(&self, curve: CurveRef) -> &[f64] {
        self.curves.get(&curve).map_or(&[], Vec::as_slice)
    }

    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.curves.values().map(Vec::len).sum()
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.curves.is_empty()
    }

    /// Whether a key is in the set.
    #[must_use]
    pub fn contains(&self, curve: CurveRef, time: f64) -> bool {
        place(self.times(curve), time).is_ok()
    }

    /// Adds a key; whether it was new. A time that is not finite is not taken.
    pub fn insert(&mut self, curve: CurveRef, time: f64) -> bool {
        if !time.is_finite() {
            return false;
        }
        let times = self.curves.entry(curve).or_default();
        match place(times, time) {
            Ok(_) => false,
            Err(at) => {
                times.insert(at, time);
                true
            }
        }
    }

    /// Takes a key out; whether it was in.
    pub fn remove(&mut self, curve: CurveRef, time: f64) -> bool {
        let Some(times) = self.curves.get_mut(&curve) else { return false };
        let Ok(at) = place(times, time) else { return false };
        times.remove(at);
        if times.is_empty() {
            self.curves.remove(&curve);
        }
        true
    }

    /// Adds a key that is not in the set, takes out one that is.
    pub fn toggle(&mut self, curve: CurveRef, time: f64) {
        if !self.remove(curve, time) {
            self.insert(curve, time);
        }
    }

    /// Takes all keys out.
    pub fn clear(&mut self) {
        self.curves.clear();
    }

    /// The same keys at other times.
    #[must_use]
    pub fn map_times(&self, mut map: impl FnMut(CurveRef, f64) -> f64) -> Self {
        self.iter().map(|(curve, time)| (curve, map(curve, time))).collect()
    }

    /// Puts other keys of one curve in place of those that are in the set; times in any order.
    pub fn set_times(&mut self, curve: CurveRef, mut times: Vec<f64>) {
        times.retain(|time| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup();
        if times.is_empty() {
            self.curves.remove(&curve);
        } else {
            self.curves.insert(curve, times);
        }
    }

    /// Drops what the document does not have.
    pub fn retain_existing(&mut self, document: &Document) {
        self.curves.retain(|curve, times| {
            let curve = curve.find(document);
            times.retain(|time| curve.is_some_and(|curve| has_key(curve, *time)));
            !times.is_empty()
        });
    }
}

/// Where a time is or would go; -0.0 and 0.0 are one time.
fn place(times: &[f64], time: f64) -> Result<usize, usize> {
    let at = times.partition_point(|other| *other < time);
    if times.get(at) == Some(&time) { Ok(at) } else { Err(at) }
}

fn has_key(curve: &Curve, time: f64) -> bool {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => curve.keys.index_at(time).is_some(),
        Curve::Rotation(RotationCurve::Keyed(curve)) => curve.keys.index_at(time).is_some(),
        // A sample can be picked: the first edit makes a key of it, at the same time.
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            is_sample(samples.start, samples.rate, samples.values.len(), time)
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            is_sample(samples.start, samples.rate, samples.values.len(), time)
        }
    }
}

fn is_sample(start: f64, rate: FrameRate, len: usize, time: f64) -> bool {
    let nearest = rate.nearest_frame(time - start);
    usize::try_from(nearest).is_ok_and(|index| index < len) && start + rate.secs(nearest) == time
}

impl FromIterator<(CurveRef, f64)> for KeySelection {
    fn from_iter<I: IntoIterator<Item = (CurveRef, f64)>>(keys: I) -> Self {
        let mut curves: BTreeMap<CurveRef, Vec<f64>> = BTreeMap::new();
        for (curve, time) in keys.into_iter().filter(|(_, time)| time.is_finite()) {
            curves.entry(curve).or_default().push(time);
        }
        for times in curves.values_mut() {
            times.sort_by(f64::total_cmp);
            times.dedup();
        }
        Self { curves }
    }
}

impl From<Vec<(CurveRef, Vec<f64>)>> for KeySelection {
    fn from(curves: Vec<(CurveRef, Vec<f64>)>) -> Self {
        curves.into_iter().flat_map(|(curve, times)| times.into_iter().map(move |time| (curve, time))).collect()
    }
}

impl From<KeySelection> for Vec<(CurveRef, Vec<f64>)> {
    fn from(keys: KeySelection) -> Self {
        keys.curves.into_iter().collect()
    }
}

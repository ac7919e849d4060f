//! Drivers: a channel as a curve of another channel's value (a set-driven key).
//!
//! A driver belongs to the object whose channel it drives. Its keys stand at values of the source (metres, radians, a factor)
//! as a clip's stand at times. Edits name its curve as one of the clip [`ClipId::DRIVERS`], by the driven channel: there is
//! at most one driver a channel.

use super::{
    channel::{ChannelPath, Component, Property, Target},
    curve::{Curve, KeyedCurve, ScalarCurve, finite, is_default},
    document::Document,
    id::{ClipId, ObjectId},
    names,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

impl ClipId {
    /// No clip: what stands for the drivers of a document where a curve is named by clip and channel. The times of such
    /// curves are values of the channels that drive.
    pub const DRIVERS: Self = Self(u32::MAX);
}

/// Gives a channel the value that a curve has at the value of another channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// The channel it drives, of the object that holds the driver: one number, no pin's, not a follower's speed or
    /// acceleration (those are summed up over time).
    pub driven: ChannelPath,
    /// The channel it reads, of any object: one number, no pin's. An angle of a rotation held as a quaternion is that of X,
    /// then Y, then Z within.
    pub source: ChannelPath,
    /// The driven value over the source's value, keyed; without keys nothing is driven.
    pub curve: Arc<Curve>,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// How much of it acts, 0..1: the rest is the channel's own value.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub influence: f64,
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

impl Driver {
    /// A driver without keys.
    #[must_use]
    pub fn new(driven: ChannelPath, source: ChannelPath) -> Self {
        let curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve::default())));
        Self { driven, source, curve, muted: false, influence: 1.0 }
    }

    /// Its keys; none where the curve is of another kind, which no sound document holds.
    #[must_use]
    pub fn keys(&self) -> Option<&KeyedCurve> {
        self.curve.scalar_keys()
    }

    /// Whether it moves what it drives.
    #[must_use]
    pub fn acts(&self) -> bool {
        !self.muted && self.influence > 0.0 && !self.curve.is_empty()
    }
}

/// Whether a channel can be driven by another: it is one number that is looked up at a time.
#[must_use]
pub fn can_be_driven(path: ChannelPath) -> bool {
    can_drive(path) && !matches!(path.property, Property::Speed | Property::Acceleration)
}

/// Whether a channel can drive another: it is one number and no pin's.
#[must_use]
pub fn can_drive(path: ChannelPath) -> bool {
    path.is_sound() && path.component != Component::Whole && !matches!(path.target, Target::Pin(..))
}

impl Document {
    /// The driver of a channel, acting or not.
    #[must_use]
    pub fn driver_of(&self, path: ChannelPath) -> Option<&Arc<Driver>> {
        let object = self.object(path.target.object())?;
        object.drivers.iter().find(|driver| driver.driven == path)
    }

    /// The drivers that act on a channel: its own, that of its source, and so on. Those that would wait for themselves do not
    /// act. Empty for a channel that nothing drives.
    #[must_use]
    pub fn driver_chain(&self, path: ChannelPath) -> Vec<&Arc<Driver>> {
        let mut chain: Vec<&Arc<Driver>> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut at = path;
        while let Some(driver) = self.driver_of(at).filter(|driver| driver.acts()) {
            if !seen.insert(at) {
                // A channel has one driver at most: what comes again closes the circle, and all since then are on it.
                let first = chain.iter().position(|driver| driver.driven == at).unwrap_or(0);
                chain.truncate(first);
                break;
            }
            chain.push(driver);
            at = driver.source;
        }
        chain
    }

    /// The channels of drivers that wait for themselves, by name; empty in a sound document.
    #[must_use]
    pub fn driver_cycles(&self) -> Vec<Vec<String>> {
        let mut done: BTreeSet<ChannelPath> = BTreeSet::new();
        let mut cycles = Vec::new();
        let all = self.objects.values().flat_map(|object| &object.drivers);
        for start in all.map(|driver| driver.driven) {
            let (mut path, mut at) = (Vec::new(), start);
            while done.insert(at) {
                path.push(at);
                let Some(driver) = self.driver_of(at) else { break };
                at = driver.source;
            }
            if let Some(first) = path.iter().position(|seen| *seen == at).filter(|_| self.driver_of(at).is_some()) {
                let name = |path: &ChannelPath| names::channel_name(self, *path).unwrap_or_else(|| path.to_string());
                cycles.push(path.iter().skip(first).map(name).collect());
            }
        }
        cycles
    }
}

/// What is wrong with the drivers of an object, circles apart: the place in its list, and what.
pub(super) fn faults(document: &Document, id: ObjectId, exists: impl Fn(ChannelPath) -> bool) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let drivers = document.object(id).map(|object| object.drivers.as_slice()).unwrap_or_default();
    for (index, driver) in drivers.iter().enumerate() {
        let mut tell = |what: String| found.push((index, what));
        if driver.driven.target.object() != id {
            tell(format!("it drives {}, which is another object's", driver.driven));
        }
        if drivers.iter().take(index).any(|before| before.driven == driver.driven) {
            tell(format!("{} has a driver already", driver.driven));
        }
        if !can_be_driven(driver.driven) || !exists(driver.driven) {
            tell(format!("there is no channel {} that could be driven", driver.driven));
        }
        if !can_drive(driver.source) || !exists(driver.source) {
            tell(format!("there is no channel {} that could drive", driver.source));
        }
        if !(0.0..=1.0).contains(&driver.influence) {
            tell(format!("its influence {} is outside 0..1", driver.influence));
        }
        if driver.keys().is_none() {
            tell("its curve has no keys of numbers".to_owned());
        }
    }
    found
}

//! Clips: the curves of one motion, the edits waiting to be keyed, and the corrections on top.

use super::{
    additive::Additive,
    channel::{ChannelPath, Component, Property, Target, Value},
    clock::Clock,
    curve::{Curve, RotationCurve, ScalarCurve, is_default},
    id::{CorrectionId, MarkerId, ObjectId, PinId, RetimeId},
    marker::Marker,
    pin::Pin,
    retime::Retime,
    time::FrameRange,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What a clip does after its last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LoopMode {
    /// Starts again.
    #[default]
    Loop,
    /// Stops.
    Once,
}

/// One motion: curves of any channels of any objects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// Its name.
    pub name: String,
    /// Its frames at the document's rate, inclusive.
    pub range: FrameRange,
    /// What comes after the last frame.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loop_mode: LoopMode,
    /// Whether, where it repeats, each time goes on from where the one before came to, over the ground.
    #[serde(default, skip_serializing_if = "is_default")]
    pub travels: bool,
    /// What it is a difference from where a layer adds it; none for the rest pose, in the bones' axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub additive: Option<Additive>,
    /// The frame time as the motion file wrote it: written back while the rate stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_time_text: Option<String>,
    /// The curves.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub channels: BTreeMap<ChannelPath, Arc<Curve>>,
    /// The channels whose curves are switched off: they are there to be edited, and what they would move is as without them.
    /// Each has a curve.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub muted: BTreeSet<ChannelPath>,
    /// Edits that wait to be keyed, in order of time: each overrides the curves and corrections at exactly its time. They
    /// are never played, baked or exported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unkeyed: Vec<UnkeyedFrame>,
    /// Changes on top of the curves, applied in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Arc<Correction>>,
    /// Changes of timing: the curves and corrections of their joints are read at other times. Asked last to first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retimes: Vec<Arc<Retime>>,
    /// Joints held in place, solved in order after the corrections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Arc<Pin>>,
    /// Named places in its time, in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<Marker>,
}

impl Clip {
    /// An empty clip.
    #[must_use]
    pub fn new(name: &str, range: FrameRange) -> Self {
        Self {
            name: name.to_owned(),
            range,
            loop_mode: LoopMode::default(),
            travels: false,
            additive: None,
            frame_time_text: None,
            channels: BTreeMap::new(),
            muted: BTreeSet::new(),
            unkeyed: Vec::new(),
            corrections: Vec::new(),
            retimes: Vec::new(),
            pins: Vec::new(),
            markers: Vec::new(),
        }
    }

    /// The curve that moves a channel: none where there is none, or it is muted.
    #[must_use]
    pub fn acting(&self, path: &ChannelPath) -> Option<&Arc<Curve>> {
        if !self.muted.is_empty() && self.muted.contains(path) {
            return None;
        }
        self.channels.get(path)
    }

    /// The curves of a target's property, muted or not, in order of component.
    pub fn curves_of(&self, target: Target, property: Property) -> impl Iterator<Item = (&ChannelPath, &Arc<Curve>)> {
        let first = ChannelPath { target, property, component: Component::X };
        self.channels.range(first..).take_while(move |(path, _)| path.target == target && path.property == property)
    }

    /// The clip without its muted curves; none where nothing is muted.
    #[must_use]
    pub fn without_muted(&self) -> Option<Self> {
        if self.muted.is_empty() {
            return None;
        }
        let mut clip = Self { muted: BTreeSet::new(), ..self.clone() };
        clip.channels.retain(|path, _| !self.muted.contains(path));
        Some(clip)
    }

    /// The unkeyed edits at exactly a time (within [`SAME_TIME_SECS`]).
    #[must_use]
    pub fn unkeyed_at(&self, secs: f64) -> Option<&UnkeyedFrame> {
        self.unkeyed.iter().find(|frame| (frame.time - secs).abs() <= SAME_TIME_SECS)
    }

    /// Whether any curve, correction, retime or pin of the clip is of an object or its joints.
    #[must_use]
    pub fn moves(&self, object: ObjectId) -> bool {
        let of_object = |path: &ChannelPath| path.target.object() == object;
        self.channels.keys().any(of_object)
            || self.corrections.iter().any(|c| c.deltas.keys().any(of_object))
            || self.pins.iter().any(|pin| pin.object == object)
            || self.retimes.iter().any(|retime| retime.object == object)
    }

    /// A correction by id.
    #[must_use]
    pub fn correction(&self, id: CorrectionId) -> Option<&Arc<Correction>> {
        self.corrections.iter().find(|correction| correction.id == id)
    }

    /// A correction id not in use.
    #[must_use]
    pub fn fresh_correction_id(&self) -> CorrectionId {
        CorrectionId(self.corrections.iter().map(|c| c.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// A retime by id.
    #[must_use]
    pub fn retime(&self, id: RetimeId) -> Option<&Arc<Retime>> {
        self.retimes.iter().find(|retime| retime.id == id)
    }

    /// A retime id not in use.
    #[must_use]
    pub fn fresh_retime_id(&self) -> RetimeId {
        RetimeId(self.retimes.iter().map(|retime| retime.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// When a target's curves are read: through which retimes.
    #[must_use]
    pub fn clock(&self, target: Target) -> Clock {
        Clock::new(self.retimes.iter().filter(|retime| retime.covers(target)))
    }

    /// The time at which a target's curves and corrections are read, for a time shown, seconds. Where nothing retimes it,
    /// that time to the bit.
    #[must_use]
    pub fn source_secs(&self, target: Target, shown: f64) -> f64 {
        let acting = self.retimes.iter().rev().filter(|retime| !retime.muted && retime.covers(target));
        acting.fold(shown, |secs, retime| retime.phi.value(secs))
    }

    /// The time at which a target shows what its curves hold at a time, seconds: the inverse of [`Self::source_secs`].
    #[must_use]
    pub fn shown_secs(&self, target: Target, source: f64) -> f64 {
        let acting = self.retimes.iter().filter(|retime| !retime.muted && retime.covers(target));
        acting.fold(source, |secs, retime| retime.phi.inverse(secs))
    }

    /// A pin by id.
    #[must_use]
    pub fn pin(&self, id: PinId) -> Option<&Arc<Pin>> {
        self.pins.iter().find(|pin| pin.id == id)
    }

    /// A marker by id.
    #[must_use]
    pub fn marker(&self, id: MarkerId) -> Option<&Marker> {
        self.markers.iter().find(|marker| marker.id == id)
    }

    /// A marker id not in use.
    #[must_use]
    pub fn fresh_marker_id(&self) -> MarkerId {
        MarkerId(self.markers.iter().map(|marker| marker.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// The nearest marker after a time, or before it; one at the time itself is passed over.
    #[must_use]
    pub fn neighbour_marker(&self, secs: f64, forward: bool) -> Option<&Marker> {
        let gap = |marker: &Marker| if forward { marker.time - secs } else { secs - marker.time };
        let beyond = self.markers.iter().filter(|marker| gap(marker) > SAME_TIME_SECS);
        beyond.min_by(|a, b| gap(a).total_cmp(&gap(b)))
    }

    /// A pin id not in use.
    #[must_use]
    pub fn fresh_pin_id(&self) -> PinId {
        PinId(self.pins.iter().map(|pin| pin.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }
}

/// Two times nearer than this are one: a tenth of a microsecond is far below any frame, far above rounding.
pub const SAME_TIME_SECS: f64 = 1e-7;

/// The edits that wait at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnkeyedFrame {
    /// Seconds: the edits keep their time when the rate changes.
    #[serde(deserialize_with = "super::curve::finite::number")]
    pub time: f64,
    /// The channels' values.
    pub values: BTreeMap<ChannelPath, Value>,
}

/// A change on top of a clip's curves over a range, neutral at both ends: a joint's rotation becomes
/// `R * D(t)^scale` (bone axes, short arc), a scalar `x + scale * d(t)`. Outside the range nothing is touched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// Its identity in the clip.
    pub id: CorrectionId,
    /// Its name.
    pub name: String,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// How much of it acts, 0..2; 1 is as made.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f64,
    /// Where it acts, seconds: start and end.
    pub range: (f64, f64),
    /// The changes: a rotation curve `D(t)` under a joint's whole rotation, scalar curves `d(t)` elsewhere.
    pub deltas: BTreeMap<ChannelPath, Arc<Curve>>,
    /// What joints of limbs turn by besides, `R * D(t)^scale * S(t)^scale`: found by a solve of the limb on every frame, so
    /// that its end keeps its own path but for an offset that fades. Rotations only, of joints that have deltas; nothing at
    /// the times of the deltas' keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub solved: BTreeMap<ChannelPath, Arc<Curve>>,
}

impl Correction {
    /// The times of its poses, ascending, seconds: of the keys between its ends. A sampled one has none.
    #[must_use]
    pub fn poses(&self) -> Vec<f64> {
        let (start, end) = self.range;
        let inside = |time: &f64| start + SAME_TIME_SECS < *time && *time < end - SAME_TIME_SECS;
        let mut times: Vec<f64> = Vec::new();
        for curve in self.deltas.values() {
            match &**curve {
                Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                    times.extend(curve.keys.iter().map(|key| key.time).filter(inside));
                }
                Curve::Rotation(RotationCurve::Keyed(curve)) => {
                    times.extend(curve.keys.iter().map(|key| key.time).filter(inside));
                }
                Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {}
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() <= SAME_TIME_SECS);
        times
    }
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

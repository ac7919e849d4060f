//! Trails: where a joint goes over time, in the world or in the space that its limb hangs in.
//!
//! Only the joints above the one in question are evaluated, on all cores, so that a trail of hundreds of frames is worked
//! out anew for every move of a drag.

mod arc;
mod keys;
mod motion;
mod sampler;
mod spread;

pub use arc::{CleanArc, clean_arc};
pub use keys::{key_times, neighbour_keys};
pub use motion::{Motion, motion};
pub use sampler::{TrailSampler, limb_parent};

use super::Evaluator;
use crate::{
    math::{Affine, Vec3},
    model::{Document, FrameRange, FrameRate, JointId, ObjectId},
};
use serde::{Deserialize, Serialize};

/// The space of a trail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TrailSpace {
    /// The world.
    #[default]
    World,
    /// The joint that the limb hangs on (of a hand the chest or collar bone, of a foot the hips).
    Limb,
}

/// Which trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrailSpec {
    /// The rig object.
    pub object: ObjectId,
    /// The joint.
    pub joint: JointId,
    /// The space.
    pub space: TrailSpace,
    /// The first frame at the document's rate.
    pub first: i64,
    /// The last frame.
    pub last: i64,
}

/// Where a joint goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// What it was asked for.
    pub spec: TrailSpec,
    /// The document's rate.
    pub rate: FrameRate,
    /// How many points a frame.
    pub per_frame: u32,
    /// The points, from the first frame to the last, both included; in the trail's space, metres.
    pub points: Vec<Vec3>,
    /// The joint whose space the points are in; none for the world.
    pub parent: Option<usize>,
    /// The frames at which a key of its joints is shown, not rounded, in order.
    pub keys: Vec<f64>,
    /// Whether captured motion moves it.
    pub captured: bool,
    /// Whether pins or constraints may move it.
    pub pinned: bool,
}

/// A trail has about this many points, where its frames are fewer.
const POINTS: i64 = 600;
/// The most points a frame.
const MOST_PER_FRAME: i64 = 8;

/// How many points a frame a trail over so many frames has.
fn points_a_frame(range: FrameRange) -> u32 {
    let frames = i64::try_from(range.len()).unwrap_or(i64::MAX).max(1);
    u32::try_from((POINTS / frames).clamp(1, MOST_PER_FRAME)).unwrap_or(1)
}

impl Trail {
    /// Works a trail out; none where there is no such joint.
    #[must_use]
    pub fn new(evaluator: &Evaluator, document: &Document, spec: TrailSpec) -> Option<Self> {
        let sampler = TrailSampler::new(evaluator, document, spec.object, spec.joint, spec.space)?;
        let range = FrameRange::new(spec.first, spec.last);
        let (rate, per_frame) = (document.settings.rate, points_a_frame(range));
        let steps = range.len().saturating_sub(1).saturating_mul(u64::from(per_frame));
        let secs = |step: u64| step_secs(rate, range.first, per_frame, step);
        let count = usize::try_from(steps).unwrap_or(usize::MAX).saturating_add(1);
        let places = |sampler: &TrailSampler<'_>, part: std::ops::Range<usize>| {
            part.map(|step| sampler.point(secs(step as u64))).collect()
        };
        let points = spread::spread(evaluator, document, spec, count, places)?;
        let (start, end) = (rate.secs(range.first), rate.secs(range.last));
        let keys = sampler.key_times((start, end)).into_iter().map(|secs| rate.frame_f64(secs)).collect();
        let (parent, captured, pinned) = (sampler.parent(), sampler.is_captured(), sampler.is_pinned());
        Some(Self { spec, rate, per_frame, points, parent, keys, captured, pinned })
    }

    /// The time of a point, seconds.
    #[must_use]
    pub fn secs(&self, index: usize) -> f64 {
        step_secs(self.rate, self.spec.first.min(self.spec.last), self.per_frame, index as u64)
    }

    /// The frame of a point, where it lies on one.
    #[must_use]
    pub fn frame(&self, index: usize) -> Option<i64> {
        let (frames, rest) = (index / self.per_frame as usize, index % self.per_frame as usize);
        (rest == 0).then(|| self.spec.first.min(self.spec.last).saturating_add_unsigned(frames as u64))
    }

    /// The points that lie on frames: their index, frame and place.
    pub fn frames(&self) -> impl Iterator<Item = (usize, i64, Vec3)> {
        let step = (self.per_frame as usize).max(1);
        let on_frames = self.points.iter().enumerate().step_by(step);
        on_frames.filter_map(|(index, at)| Some((index, self.frame(index)?, *at)))
    }

    /// The index of the point at a frame; none outside the trail.
    #[must_use]
    pub fn index_of(&self, frame: i64) -> Option<usize> {
        let since = frame.checked_sub(self.spec.first.min(self.spec.last))?;
        let index = usize::try_from(since).ok()?.checked_mul(self.per_frame as usize)?;
        (index < self.points.len()).then_some(index)
    }

    /// The place at a time on the polyline of the points; outside the nearer end. None of an empty trail.
    #[must_use]
    pub fn place(&self, secs: f64) -> Option<Vec3> {
        let first = self.spec.first.min(self.spec.last);
        let at = (self.rate.frame_f64(secs) - first as f64) * f64::from(self.per_frame);
        let last = self.points.len().checked_sub(1)?;
        let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, last as f64) };
        let index = (at.floor() as usize).min(last);
        let (a, b) = (self.points.get(index)?, self.points.get(index + 1).or(self.points.get(index))?);
        Some(a + (b - a) * (at - index as f64))
    }

    /// The unit tangent at a point, in the direction of time; none where the joint stands still about it.
    #[must_use]
    pub fn tangent(&self, index: usize) -> Option<Vec3> {
        let near = |step: usize| {
            let after = self.points.get(index.saturating_add(step)).or(self.points.last())?;
            let before = self.points.get(index.saturating_sub(step))?;
            (after - before).try_normalize(1e-9)
        };
        (1..=self.per_frame as usize).find_map(near)
    }

    /// From the trail's space to the world, in a frame; none where what it hangs on does not exist there.
    #[must_use]
    pub fn world(&self, frame: &super::EvaluatedFrame) -> Option<Affine> {
        match self.parent {
            Some(parent) => frame.joint_world(self.spec.object, parent),
            None if self.spec.space == TrailSpace::Limb => Some(frame.objects.get(&self.spec.object)?.world),
            None => Some(Affine::IDENTITY),
        }
    }
}

fn step_secs(rate: FrameRate, first: i64, per_frame: u32, step: u64) -> f64 {
    let (frames, rest) = (step / u64::from(per_frame.max(1)), step % u64::from(per_frame.max(1)));
    let whole = rate.secs(first.saturating_add_unsigned(frames));
    // A point on a frame is at exactly that frame's time: what waits there is shown.
    if rest == 0 { whole } else { whole + rate.frame_secs() * rest as f64 / f64::from(per_frame.max(1)) }
}

#[cfg(test)]
mod tests;

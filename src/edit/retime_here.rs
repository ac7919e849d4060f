//! Moving a moment of a joint along its trail: which retime takes it, over which range, and whether the arc is kept.

use super::{Edit, EditError, RetimeEdit};
use crate::{
    eval::{
        Evaluator,
        limbs::{Role, of_object},
        trail::{TrailSampler, TrailSpace, neighbour_keys},
    },
    model::{
        Clip, ClipId, Document, JointId, ObjectId, Phi, Retime, RetimeId, RetimeScope, Target, clip::SAME_TIME_SECS,
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// Key poses nearer than so many frames are passed over: a retime between two neighbouring frames could move nothing.
const ROOM_FRAMES: f64 = 2.0;

/// How far a retime of captured motion reaches to each side, seconds.
const REACH_SECS: f64 = 1.0 / 3.0;

/// Why an arc is not kept though only its timing is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcBreak {
    /// A pin acts in the range, in its own time.
    Pin,
    /// A constraint leads the object.
    Constraint,
    /// The object hangs on something that goes on in its own time.
    Parent,
    /// Edits wait in the range, each at its frame.
    Waiting,
}

/// How the timing of a joint at one moment can be changed. Made for one document.
#[derive(Clone, Debug)]
pub struct RetimePlan {
    clip: ClipId,
    object: ObjectId,
    scope: RetimeScope,
    secs: f64,
    /// The retime that takes the change, as it is; none for a new one.
    existing: Option<(RetimeId, Phi)>,
    fresh: RetimeId,
    range: (f64, f64),
    breaks: Option<ArcBreak>,
    frame: i64,
}

impl RetimePlan {
    /// The plan for a joint of a rig object at a time shown, in a space. A retime of the same joints that acts then takes
    /// another key. Otherwise a new one is made, between the key poses around; of captured motion 1/3 s to each side.
    ///
    /// # Errors
    /// Where the object plays no clip or has no such joint.
    pub fn new(
        document: &Document,
        evaluator: &Evaluator,
        (object, joint): (ObjectId, JointId),
        space: TrailSpace,
        secs: f64,
    ) -> Result<Self, EditError> {
        let sampler = TrailSampler::new(evaluator, document, object, joint, space);
        let sampler = sampler.ok_or(EditError::NoJoint(object, joint))?;
        let id = document.clip_of(object).ok_or(EditError::NothingToRetime(object))?;
        let clip = document.clip(id).ok_or(EditError::NoClip(id))?;
        let scope = match space {
            TrailSpace::World => RetimeScope::Whole,
            TrailSpace::Limb => RetimeScope::Joints(limb_joints(document, object, &sampler)),
        };
        let existing = taking(clip, object, &scope, secs);
        let range = match &existing {
            Some((_, phi)) => around(phi, secs),
            None => new_range(document, clip, &sampler, secs),
        };
        let breaks = arc_break(document, clip, object, &sampler, space, range);
        let (fresh, frame) = (clip.fresh_retime_id(), document.settings.rate.nearest_frame(secs));
        Ok(Self { clip: id, object, scope, secs, existing, fresh, range, breaks, frame })
    }

    /// Between which times the moment can be moved, seconds.
    #[must_use]
    pub const fn range(&self) -> (f64, f64) {
        self.range
    }

    /// Why the arc will not be kept; none where it will.
    #[must_use]
    pub const fn arc_break(&self) -> Option<ArcBreak> {
        self.breaks
    }

    /// The edit that shows at the plan's time what was shown at another. That is moved to the nearest that leaves the motion
    /// running forwards; where it is the plan's own time nothing is changed.
    ///
    /// # Errors
    /// Where the range leaves no room.
    pub fn edit(&self, shown_before: f64) -> Result<Edit, EditError> {
        if (shown_before - self.secs).abs() <= SAME_TIME_SECS {
            return Ok(Edit::none());
        }
        let (clip, no_room) = (self.clip, || EditError::BadNumber { what: "a moment of a retime", value: self.secs });
        if let Some((retime, phi)) = &self.existing {
            let changed = phi.with_key(self.secs, phi.value(shown_before)).ok_or_else(no_room)?;
            return Ok(RetimeEdit::SetPhi { clip, retime: *retime, keys: changed.keys().to_vec() }.into());
        }
        let (start, end) = self.range;
        let phi = Phi::new(vec![(start, start), (end, end)])?.with_key(self.secs, shown_before);
        let retime = Retime {
            id: self.fresh,
            name: format!("Frame {}", self.frame),
            muted: false,
            object: self.object,
            scope: self.scope.clone(),
            phi: phi.ok_or_else(no_room)?,
        };
        Ok(RetimeEdit::Add { clip, retime: Arc::new(retime) }.into())
    }
}

/// The retime that takes a change of just these joints at a time: none that is asked before it may be of any of them.
fn taking(clip: &Clip, object: ObjectId, scope: &RetimeScope, secs: f64) -> Option<(RetimeId, Phi)> {
    let of = |retime: &&Arc<Retime>| {
        let meant = Retime { scope: scope.clone(), ..(***retime).clone() };
        !retime.muted && retime.object == object && retime.meets(&meant)
    };
    let last = clip.retimes.iter().rev().find(of)?;
    let (start, end) = last.phi.range();
    (last.scope == *scope && start < secs && secs < end).then(|| (last.id, last.phi.clone()))
}

/// The keys around a time, but for one at it.
fn around(phi: &Phi, secs: f64) -> (f64, f64) {
    let times = || phi.keys().iter().map(|key| key.0);
    let before = times().filter(|time| *time < secs - SAME_TIME_SECS).fold(phi.range().0, f64::max);
    let after = times().filter(|time| *time > secs + SAME_TIME_SECS).fold(phi.range().1, f64::min);
    (before, after)
}

fn new_range(document: &Document, clip: &Clip, sampler: &TrailSampler<'_>, secs: f64) -> (f64, f64) {
    if sampler.is_captured() {
        return (secs - REACH_SECS, secs + REACH_SECS);
    }
    let rate = document.settings.rate;
    let room = ROOM_FRAMES * rate.frame_secs();
    let (first, last) = (rate.secs(clip.range.first), rate.secs(clip.range.last));
    let targets: Vec<Target> = sampler.targets().collect();
    let (before, after) = neighbour_keys(clip, &targets, secs, room, (first.min(secs), last.max(secs)));
    let start = before.unwrap_or(if secs - first >= room { first } else { secs - REACH_SECS });
    let end = after.unwrap_or(if last - secs >= room { last } else { secs + REACH_SECS });
    (start, end)
}

/// The joints of the limb that the sampler's joint is of, hands and feet whole; without a limb those that move the joint.
fn limb_joints(document: &Document, object: ObjectId, sampler: &TrailSampler<'_>) -> BTreeSet<JointId> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return BTreeSet::new() };
    let skeleton = &rig.skeleton;
    let mut joints: BTreeSet<usize> = sampler.chain().iter().copied().collect();
    let limbs = of_object(document, object, skeleton);
    if let Some(limb) = sampler.chain().last().and_then(|joint| limbs.containing(*joint)) {
        joints.extend(&limb.joints);
        if matches!(limb.role, Role::Arm | Role::Leg) {
            joints.extend(skeleton.below(limb.end()));
        }
    }
    let moving = joints.into_iter().filter_map(|joint| skeleton.joints().get(joint)).filter(|joint| !joint.is_end());
    moving.map(|joint| joint.id).collect()
}

fn arc_break(
    document: &Document,
    clip: &Clip,
    object: ObjectId,
    sampler: &TrailSampler<'_>,
    space: TrailSpace,
    (start, end): (f64, f64),
) -> Option<ArcBreak> {
    let overlaps = |(from, to): (f64, f64)| from < end && to > start;
    if clip.pins.iter().any(|pin| pin.object == object && !pin.muted && overlaps(pin.reach())) {
        return Some(ArcBreak::Pin);
    }
    let found = document.object(object)?;
    if space == TrailSpace::World && found.constraints.iter().any(|constraint| !constraint.muted) {
        return Some(ArcBreak::Constraint);
    }
    if space == TrailSpace::World && found.parent.is_some() {
        return Some(ArcBreak::Parent);
    }
    let targets: Vec<Target> = sampler.targets().collect();
    let waits = clip.unkeyed.iter().filter(|frame| overlaps((frame.time, frame.time)));
    waits.flat_map(|frame| frame.values.keys()).any(|path| targets.contains(&path.target)).then_some(ArcBreak::Waiting)
}

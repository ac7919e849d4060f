//! Pins made where a joint is now, or where its motion stands still.

use super::{Edit, EditError, PinEdit, pose::clip_for};
use crate::{
    eval::{
        EvaluatedFrame, Evaluator,
        contacts::{Stillness, contacts},
        limbs::{self, Limbs, Role},
        size::skeleton_size,
    },
    math::{Affine, Vec3},
    model::{
        Clip, Curve, Document, FrameRange, JointId, ObjectId, Pin, PinId, PinSpace, Property, Rig, RotationCurve,
        ScalarCurve, Skeleton, Target, clip::SAME_TIME_SECS,
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// How long a new pin takes to come and to go, seconds.
pub const EASE_SECS: f64 = 0.1;
/// How far a pin on moving captured motion reaches to each side, seconds.
const REACH_SECS: f64 = 1.0 / 3.0;
/// How far from its place a joint may stray in sizes of the figure and still be the same contact.
const STRAY: f64 = 0.03;

/// The edit that pins joints in the world where they are at a time; one that a pin holds there already is left alone. Feet
/// are held with their rotation.
///
/// How long: as long as the joint stands still about that time (see [`contacts`]). Where it moves, or where keys are nearer
/// to what is meant, at least from the key pose at or before the time to the next one after it; on captured motion 1/3 s to
/// each side; without any motion over the whole play range.
///
/// # Errors
/// Where an object is no rig or a joint does not exist.
pub fn pin_here(
    document: &Document,
    evaluator: &Evaluator,
    joints: &[(ObjectId, JointId)],
    secs: f64,
) -> Result<Edit, EditError> {
    let frame = evaluator.frame(document, secs);
    let mut maker = Maker::new(document);
    for &(object, joint) in joints {
        let subject = Subject::new(document, object, joint)?;
        let (clip, _) = maker.clip(object);
        if held(&clip, object, joint, (secs, secs)) {
            continue;
        }
        let range = subject.range_about(document, evaluator, &clip, &frame, secs);
        let at = frame.joint_world(object, subject.index).ok_or(EditError::NoJoint(object, joint))?;
        maker.add(&subject, &at, at.translation, range);
    }
    Ok(maker.edit())
}

/// The edit that pins joints wherever their motion in the clip's range stands still, and no pin holds them already. Each is
/// held at the mean of its places there, a foot with its rotation in the middle of the contact.
///
/// # Errors
/// Where an object is no rig or a joint does not exist.
pub fn pin_where_still(
    document: &Document,
    evaluator: &Evaluator,
    joints: &[(ObjectId, JointId)],
) -> Result<Edit, EditError> {
    let mut maker = Maker::new(document);
    let rate = document.settings.rate;
    let subjects: Result<Vec<_>, _> = joints.iter().map(|(o, j)| Subject::new(document, *o, *j)).collect();
    let subjects = subjects?;
    for object in subjects.iter().map(|subject| subject.object).collect::<std::collections::BTreeSet<_>>() {
        let (clip, _) = maker.clip(object);
        let FrameRange { first, last } = clip.range;
        let places: Vec<Arc<EvaluatedFrame>> =
            (first..=last).map(|frame| evaluator.frame(document, rate.secs(frame))).collect();
        for subject in subjects.iter().filter(|subject| subject.object == object) {
            let at = |frame: &Arc<EvaluatedFrame>| frame.joint_world(object, subject.index).unwrap_or_default();
            let worlds: Vec<Affine> = places.iter().map(at).collect();
            let points: Vec<Vec3> = worlds.iter().map(|world| world.translation).collect();
            for (start, end) in contacts(&points, rate.frame_secs(), &subject.stillness()) {
                let secs = |place: usize| rate.secs(first.saturating_add(i64::try_from(place).unwrap_or(i64::MAX)));
                let range = (secs(start), secs(end));
                if held(&clip, object, subject.joint, range) {
                    continue;
                }
                let mean = points[start..=end].iter().sum::<Vec3>() / (end - start + 1) as f64;
                maker.add(subject, &worlds[usize::midpoint(start, end)], mean, range);
            }
        }
    }
    Ok(maker.edit())
}

/// The ends of a rig's legs: what stands on the ground.
#[must_use]
pub fn feet(document: &Document, object: ObjectId) -> Vec<JointId> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return Vec::new() };
    let limbs = limbs::of_object(document, object, &rig.skeleton);
    let ends = limbs.of_role(Role::Leg).filter_map(|limb| rig.skeleton.joints().get(limb.end()));
    ends.map(|joint| joint.id).collect()
}

/// The hips of a rig: a pin does not move them.
#[must_use]
pub fn hips(document: &Document, object: ObjectId) -> Option<JointId> {
    let rig = document.object(object)?.as_rig()?;
    let hips = limbs::of_object(document, object, &rig.skeleton).hips?;
    rig.skeleton.joints().get(hips).map(|joint| joint.id)
}

/// Feet to be planted at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Those that stand; all of them where none does.
    pub feet: Vec<(ObjectId, JointId)>,
    /// Whether they are in the air: then none stands.
    pub in_air: bool,
}

/// A foot no higher than this above the lowest one stands as it does, in sizes of the figure: the toes of one that strikes
/// with its heel are 10 cm up.
const LEVEL: f64 = 0.06;
/// A figure whose lowest foot is farther than this from the ground, in its sizes, stands on nothing.
const IN_AIR: f64 = 0.15;

/// The feet on which figures stand at a time, each judged by the lowest point of it and of what hangs from it. Objects that
/// are no rigs have none.
#[must_use]
pub fn standing(document: &Document, evaluator: &Evaluator, objects: &[ObjectId], secs: f64) -> Standing {
    let frame = evaluator.frame(document, secs);
    let (mut all, mut standing) = (Vec::new(), Vec::new());
    for &object in objects {
        let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { continue };
        let size = skeleton_size(&rig.skeleton);
        let low: Vec<(JointId, f64)> = feet(document, object)
            .into_iter()
            .filter_map(|foot| Some((foot, lowest(&frame, object, &rig.skeleton, rig.skeleton.index_of(foot)?)?)))
            .collect();
        let floor = low.iter().map(|(_, low)| *low).fold(f64::INFINITY, f64::min);
        all.extend(low.iter().map(|(foot, _)| (object, *foot)));
        let stands = |low: f64| floor.abs() <= IN_AIR * size && low - floor <= LEVEL * size;
        standing.extend(low.iter().filter(|(_, low)| stands(*low)).map(|(foot, _)| (object, *foot)));
    }
    let in_air = standing.is_empty();
    Standing { feet: if in_air { all } else { standing }, in_air }
}

/// Height of the lowest of a joint and of all that hangs from it.
fn lowest(frame: &EvaluatedFrame, object: ObjectId, skeleton: &Skeleton, top: usize) -> Option<f64> {
    let mut below = vec![false; skeleton.joints().len()];
    let mut lowest = frame.joint_world(object, top)?.translation.y;
    for joint in top + 1..below.len() {
        below[joint] = skeleton.parents()[joint].is_some_and(|above| above == top || below[above]);
        if let Some(world) = frame.joint_world(object, joint).filter(|_| below[joint]) {
            lowest = lowest.min(world.translation.y);
        }
    }
    Some(lowest)
}

/// The edit that deletes the pins of joints that hold at a time; of all their pins where none does.
#[must_use]
pub fn unpin(document: &Document, joints: &[(ObjectId, JointId)], secs: f64) -> Edit {
    let mut edits = Vec::new();
    for &(object, joint) in joints {
        let Some((id, clip)) = document.clip_of(object).and_then(|id| Some((id, document.clip(id)?))) else { continue };
        let own = || clip.pins.iter().filter(|pin| (pin.object, pin.joint) == (object, joint));
        let here = |pin: &&Arc<Pin>| pin.reach().0 - SAME_TIME_SECS <= secs && secs <= pin.reach().1 + SAME_TIME_SECS;
        let any_here = own().any(|pin| here(&pin));
        let gone = own().filter(|pin| !any_here || here(pin));
        edits.extend(gone.map(|pin| Edit::from(PinEdit::Delete { clip: id, pin: pin.id })));
    }
    Edit::Batch(edits)
}

/// Whether a pin holds a joint anywhere in a range.
fn held(clip: &Clip, object: ObjectId, joint: JointId, range: (f64, f64)) -> bool {
    let meets = |pin: &Pin| pin.range.0 <= range.1 + SAME_TIME_SECS && range.0 <= pin.range.1 + SAME_TIME_SECS;
    clip.pins.iter().any(|pin| (pin.object, pin.joint) == (object, joint) && !pin.muted && meets(pin))
}

/// The pins made so far.
struct Maker<'a> {
    document: &'a Document,
    edits: Vec<Edit>,
    /// Objects that play no clip share the one that is made for the first of them.
    made: BTreeMap<crate::model::ClipId, Arc<Clip>>,
    next: BTreeMap<crate::model::ClipId, u32>,
}

impl<'a> Maker<'a> {
    const fn new(document: &'a Document) -> Self {
        Self { document, edits: Vec::new(), made: BTreeMap::new(), next: BTreeMap::new() }
    }

    fn clip(&mut self, object: ObjectId) -> (Arc<Clip>, crate::model::ClipId) {
        let (id, clip, new) = clip_for(self.document, object);
        if !new.is_empty() && self.made.insert(id, clip.clone()).is_none() {
            self.edits.extend(new);
        }
        (clip, id)
    }

    fn add(&mut self, subject: &Subject<'_>, at: &Affine, place: Vec3, range: (f64, f64)) {
        let (clip, id) = self.clip(subject.object);
        let next = self.next.entry(id).or_insert(clip.fresh_pin_id().0);
        let settings = &self.document.settings;
        let (first, last) =
            (settings.rate.secs(settings.play_range.first), settings.rate.secs(settings.play_range.last));
        let pin = Pin {
            id: PinId(*next),
            name: String::new(),
            object: subject.object,
            joint: subject.joint,
            space: PinSpace::World,
            place,
            orientation: subject.is_foot.then(|| at.rotation()),
            range,
            // Beyond the play range nothing is seen of it.
            ease: (
                if range.0 > first + SAME_TIME_SECS { EASE_SECS } else { 0.0 },
                if range.1 < last - SAME_TIME_SECS { EASE_SECS } else { 0.0 },
            ),
            influence: 1.0,
            muted: false,
        };
        *next = next.saturating_add(1);
        self.edits.push(PinEdit::Add { clip: id, pin: Arc::new(pin) }.into());
    }

    fn edit(self) -> Edit {
        Edit::Batch(self.edits)
    }
}

/// A joint to be pinned.
struct Subject<'a> {
    object: ObjectId,
    joint: JointId,
    index: usize,
    rig: &'a Rig,
    is_foot: bool,
    size: f64,
}

impl<'a> Subject<'a> {
    fn new(document: &'a Document, object: ObjectId, joint: JointId) -> Result<Self, EditError> {
        let rig = document.object(object).ok_or(EditError::NoObject(object))?;
        let rig = rig.as_rig().ok_or(EditError::NotARig(object))?;
        let index = rig.skeleton.index_of(joint).ok_or(EditError::NoJoint(object, joint))?;
        let limbs: Limbs = limbs::of_object(document, object, &rig.skeleton);
        let is_foot = limbs.of_role(Role::Leg).any(|limb| limb.end() == index);
        Ok(Self { object, joint, index, rig, is_foot, size: skeleton_size(&rig.skeleton) })
    }

    fn stillness(&self) -> Stillness {
        Stillness::of_size(self.size, self.is_foot)
    }

    fn range_about(
        &self,
        document: &Document,
        evaluator: &Evaluator,
        clip: &Clip,
        frame: &EvaluatedFrame,
        secs: f64,
    ) -> (f64, f64) {
        let rate = document.settings.rate;
        let play = document.settings.play_range;
        let (first, last) = (rate.secs(play.first).min(secs), rate.secs(play.last).max(secs));
        let still = self.still_about(document, evaluator, frame, secs, (first, last));
        let moved = clip.channels.iter().any(|(path, _)| self.carries(path.target));
        if !moved {
            return (first, last);
        }
        if clip.channels.iter().any(|(path, curve)| self.carries(path.target) && curve.is_sampled()) {
            let long_enough = still.1 - still.0 >= self.stillness().least_secs;
            return if long_enough { still } else { ((secs - REACH_SECS).max(first), (secs + REACH_SECS).min(last)) };
        }
        let times = || {
            let own = clip.channels.iter().filter(|(path, _)| path.target.object() == self.object);
            // Keys are where they are shown: through the retimes.
            own.flat_map(|(path, curve)| {
                key_times((path, curve)).into_iter().map(|secs| clip.shown_secs(path.target, secs))
            })
        };
        let before = times().filter(|time| *time <= secs + SAME_TIME_SECS).fold(first, f64::max);
        let after = times().filter(|time| *time > secs + SAME_TIME_SECS).fold(last, f64::min);
        (still.0.min(before), still.1.max(after))
    }

    /// Whether a target's motion moves the joint.
    fn carries(&self, target: Target) -> bool {
        let Target::Joint(object, joint) = target else { return false };
        let mut at = (object == self.object).then_some(self.index);
        while let Some(index) = at {
            if self.rig.skeleton.joints()[index].id == joint {
                return true;
            }
            at = self.rig.skeleton.parents()[index];
        }
        false
    }

    /// From when to when the joint stands still about a time, within bounds.
    fn still_about(
        &self,
        document: &Document,
        evaluator: &Evaluator,
        frame: &EvaluatedFrame,
        secs: f64,
        (first, last): (f64, f64),
    ) -> (f64, f64) {
        let rate = document.settings.rate;
        let step = rate.frame_secs();
        let place = |frame: &EvaluatedFrame| frame.joint_world(self.object, self.index).map(|world| world.translation);
        let Some(here) = place(frame) else { return (secs, secs) };
        let run = |direction: f64| {
            let (mut at, mut before) = (secs, here);
            loop {
                let next = rate.snap(at + direction * step);
                if next < first - SAME_TIME_SECS || next > last + SAME_TIME_SECS || next == at {
                    return at;
                }
                let Some(then) = place(&evaluator.frame(document, next)) else { return at };
                let slow = (then - before).norm() <= self.stillness().speed * (next - at).abs();
                if !slow || (then - here).norm() > STRAY * self.size {
                    return at;
                }
                (at, before) = (next, then);
            }
        };
        (run(-1.0), run(1.0))
    }
}

fn key_times((path, curve): (&crate::model::ChannelPath, &Arc<Curve>)) -> Vec<f64> {
    match &**curve {
        _ if path.property == Property::Influence => Vec::new(),
        Curve::Scalar(ScalarCurve::Keyed(curve)) => curve.keys.iter().map(|key| key.time).collect(),
        Curve::Rotation(RotationCurve::Keyed(curve)) => curve.keys.iter().map(|key| key.time).collect(),
        _ => Vec::new(),
    }
}

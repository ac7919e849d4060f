//! A chain brought to where the joints' own keys have it, or the keys to where the chain has them: switching the influence
//! between 0 and 1 then moves nothing.

use super::{
    ChainOf, ChainPart, goal_edit, within,
    written::{Course, write},
};
use crate::{
    edit::{
        Edit, EditError,
        pose::{AutoKey, pose_edit},
    },
    eval::{
        EvaluatedFrame, Evaluator,
        constraint::{ChainReport, bend_place},
    },
    math::{Affine, Transform, Vec3},
    model::{ChainPath, ChannelPath, Constraint, Document, JointId, ObjectId, Property, Target},
};
use std::{collections::BTreeSet, sync::Arc};

/// An edit that matches two poses, and how well it does.
#[derive(Clone, Debug)]
pub struct Matched {
    /// The edit.
    pub edit: Edit,
    /// How far a joint jumps at most where the influence is switched, metres, at the times matched.
    pub jump: f64,
    /// By how much a joint turns then, radians.
    pub turn: f64,
}

/// When poses are matched.
#[derive(Clone, Copy, Debug)]
pub enum When<'a> {
    /// At one time, seconds, written as posing is.
    At(f64, AutoKey),
    /// At times, seconds, rising: keys at each of them.
    Over(&'a [f64]),
}

impl When<'_> {
    fn times(&self) -> Vec<f64> {
        match self {
            Self::At(secs, _) => vec![*secs],
            Self::Over(times) => times.to_vec(),
        }
    }
}

/// A document without pins in which a chain acts in full or not at all.
pub(super) fn at_influence(document: &Document, of: ChainOf, influence: f64) -> Result<Document, EditError> {
    let mut document = without_pins(document);
    let (constraint, ..) = of.find(&document)?;
    let constraint = Arc::new(Constraint { influence, muted: false, ..constraint.clone() });
    let path = ChannelPath::constraint(of.object, of.constraint, Property::Influence);
    if let Some(clip) = document.clip_of(of.object)
        && let Some(clip) = document.clip_mut(clip)
    {
        clip.channels.remove(&path);
        for frame in &mut clip.unkeyed {
            frame.values.remove(&path);
        }
    }
    if let Some(object) = document.object_mut(of.object) {
        for other in object.constraints.iter_mut().filter(|other| other.id == of.constraint) {
            *other = constraint.clone();
        }
    }
    Ok(document)
}

/// A document without what acts after constraints.
pub(super) fn without_pins(document: &Document) -> Document {
    let mut document = document.clone();
    let pinned: Vec<_> = document.clips.iter().filter(|(_, clip)| !clip.pins.is_empty()).map(|(id, _)| *id).collect();
    for id in pinned {
        if let Some(clip) = document.clip_mut(id) {
            clip.pins.clear();
        }
    }
    document
}

fn report(frame: &EvaluatedFrame, of: ChainOf) -> Option<&ChainReport> {
    frame.chains.iter().find(|chain| (chain.object, chain.constraint) == (of.object, of.constraint))
}

/// Asked before each frame that is looked at: whether to go on.
pub type GoOn<'a> = &'a dyn Fn() -> bool;

/// How often each frame is looked at while a chain is matched: for progress.
pub const LOOKS: u64 = 2;

/// That work is to go on.
pub(super) fn checked(go_on: GoOn<'_>) -> Result<(), EditError> {
    if go_on() { Ok(()) } else { Err(EditError::Stopped) }
}

/// The edit that brings a chain's target and pole to where the end is and the chain bends to without it.
///
/// # Errors
/// Where there is no such chain or a space of it is not there, or `go_on` says no.
pub fn ik_to_fk(document: &Document, of: ChainOf, when: When<'_>, go_on: GoOn<'_>) -> Result<Matched, EditError> {
    let (_, end, chain) = of.find(document)?;
    let free = at_influence(document, of, 0.0)?;
    let skeleton = &free.object(of.object).and_then(|o| o.as_rig()).ok_or(EditError::NotARig(of.object))?.skeleton;
    let path = ChainPath::new(skeleton, chain.base, end).ok_or(EditError::NoPathOfBones(chain.base, end))?;
    let evaluator = Evaluator::new();
    let mut places: Vec<(f64, Vec3, Option<Vec3>)> = Vec::new();
    for secs in when.times() {
        checked(go_on)?;
        let frame = evaluator.frame(&free, secs);
        let missing = || EditError::NoConstraint(of.object, of.constraint);
        let report = report(&frame, of).ok_or_else(missing)?;
        let at = frame.joint_world(of.object, path.end()).ok_or_else(missing)?.translation;
        let target = within(&report.space, &at).ok_or_else(missing)?;
        let bend = bend_place(&free, &frame, of.object, &path);
        let pole = report.pole.zip(bend).and_then(|((space, _), bend)| within(&space, &bend));
        places.push((secs, target, pole));
    }
    let (target, pole) = (ChainPart::Target.of(of), ChainPart::Pole.of(of));
    let edit = match when {
        When::At(secs, auto_key) => {
            let Some((_, place, bend)) = places.first() else { return Err(EditError::NotARig(of.object)) };
            let first = goal_edit(document, target, secs, place, auto_key)?;
            let mut edits = vec![first];
            if let Some(bend) = bend {
                let mut moved = document.clone();
                edits[0].apply(&mut moved)?;
                edits.push(goal_edit(&moved, pole, secs, bend, auto_key)?);
            }
            Edit::Batch(edits)
        }
        When::Over(_) => {
            let place = |translation| Transform { translation, ..Transform::IDENTITY };
            let properties = vec![Property::Translation];
            let targets = places.iter().map(|(secs, at, _)| (*secs, place(*at))).collect();
            let mut courses = vec![Course { target, properties: properties.clone(), poses: targets }];
            let poles: Vec<_> = places.iter().filter_map(|(secs, _, pole)| Some((*secs, place((*pole)?)))).collect();
            if !poles.is_empty() {
                courses.push(Course { target: pole, properties, poses: poles });
            }
            Edit::Batch(write(document, of.object, &courses)?)
        }
    };
    let full = at_influence(document, of, 1.0)?;
    measured(edit, (&free, &full), of.object, &when.times(), go_on)
}

/// The edit that gives the joints a chain turns the keys that show what it makes of them.
///
/// # Errors
/// Where there is no such chain, or a joint cannot be keyed, or `go_on` says no.
pub fn fk_to_ik(document: &Document, of: ChainOf, when: When<'_>, go_on: GoOn<'_>) -> Result<Matched, EditError> {
    let (_, end, chain) = of.find(document)?;
    let full = at_influence(document, of, 1.0)?;
    let skeleton =
        full.object(of.object).and_then(|o| o.as_rig()).ok_or(EditError::NotARig(of.object))?.skeleton.clone();
    let path = ChainPath::new(&skeleton, chain.base, end).ok_or(EditError::NoPathOfBones(chain.base, end))?;
    let mut joints: BTreeSet<usize> = path.bodies.iter().copied().filter(|joint| path.turns(*joint)).collect();
    joints.extend(path.carrier.into_iter().flat_map(|carrier| [carrier, path.base()]));
    joints.extend(Some(path.end()).filter(|_| chain.keeps_rotation));
    joints.retain(|joint| skeleton.joints().get(*joint).is_some_and(|joint| !joint.is_end()));
    let evaluator = Evaluator::new();
    let pose = |secs: f64| evaluator.frame(&full, secs).rig(of.object).map(|rig| rig.local.clone());
    let edit = match when {
        When::At(secs, auto_key) => {
            let locals = pose(secs).ok_or(EditError::NotARig(of.object))?;
            let change = |joint: &usize| Some((skeleton.joints().get(*joint)?.id, *locals.get(*joint)?));
            let changes: Vec<(JointId, Transform)> = joints.iter().filter_map(change).collect();
            pose_edit(document, of.object, secs, &changes, auto_key)?
        }
        When::Over(times) => {
            let mut poses: Vec<(f64, Vec<Transform>)> = Vec::with_capacity(times.len());
            for secs in times {
                checked(go_on)?;
                poses.extend(pose(*secs).map(|pose| (*secs, pose)));
            }
            let course = |joint: &usize| {
                let id = skeleton.joints().get(*joint)?.id;
                let mut properties = vec![Property::Rotation];
                properties.extend(path.carrier.filter(|carrier| carrier == joint).map(|_| Property::Translation));
                let poses = poses.iter().map(|(secs, locals)| (*secs, locals[*joint])).collect();
                Some(Course { target: Target::Joint(of.object, id), properties, poses })
            };
            Edit::Batch(write(document, of.object, &joints.iter().filter_map(course).collect::<Vec<_>>())?)
        }
    };
    let free = at_influence(document, of, 0.0)?;
    measured(edit, (&full, &free), of.object, &when.times(), go_on)
}

/// An edit with how far the second document, changed by it, is from the first at times.
fn measured(
    edit: Edit,
    (shown, matched): (&Document, &Document),
    object: ObjectId,
    times: &[f64],
    go_on: GoOn<'_>,
) -> Result<Matched, EditError> {
    let mut matched = matched.clone();
    edit.apply(&mut matched)?;
    let (jump, turn) = apart((shown, &without_pins(&matched)), object, times, go_on)?;
    Ok(Matched { edit, jump, turn })
}

/// How far apart the joints and the object itself are in two documents, metres and radians, at the worst of some times.
pub(super) fn apart(
    (a, b): (&Document, &Document),
    object: ObjectId,
    times: &[f64],
    go_on: GoOn<'_>,
) -> Result<(f64, f64), EditError> {
    let (first, second) = (Evaluator::new(), Evaluator::new());
    let (mut far, mut turned) = (0.0_f64, 0.0_f64);
    for secs in times {
        checked(go_on)?;
        let (a, b) = (first.frame(a, *secs), second.frame(b, *secs));
        for (a, b) in all(&a, object).into_iter().zip(all(&b, object)) {
            far = far.max((a.translation - b.translation).norm());
            turned = turned.max(angle_between(&a, &b));
        }
    }
    Ok((far, turned))
}

/// Radians, from the chord: a small angle is not lost in rounding.
fn angle_between(a: &Affine, b: &Affine) -> f64 {
    let (a, b) = (a.rotation().coords, b.rotation().coords);
    let chord = (a - b).norm().min((a + b).norm());
    4.0 * (0.5 * chord).min(1.0).asin()
}

/// The object and its joints in the world.
fn all(frame: &EvaluatedFrame, object: ObjectId) -> Vec<Affine> {
    let Some(placed) = frame.objects.get(&object) else { return Vec::new() };
    let joints = placed.rig.iter().flat_map(|rig| rig.model.iter().map(|model| placed.world * *model));
    std::iter::once(placed.world).chain(joints).collect()
}

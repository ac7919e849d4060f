//! Poses of figures with pins: what is shown is what the pins make of the curves, so that is what is keyed and typed over.

use super::pose_edit_into;
use crate::{
    edit::{AutoKey, Edit, EditError, PinEdit, orientation_numbers},
    eval::{
        Evaluator,
        limbs::of_object,
        pins::{PinChain, acting, acts_on, space_in_world},
    },
    math::{Transform, rotation::nearest_rotation},
    model::{CorrectionId, Document, JointId, ObjectId, Pin, Property, Target, clip::SAME_TIME_SECS},
};
use std::sync::Arc;

/// A joint's local transform in the pose the pins make, where a pin acts on its object at the time; else none: it is what
/// curves, corrections and waiting values give.
#[must_use]
pub fn pinned_local(document: &Document, evaluator: &Evaluator, target: Target, secs: f64) -> Option<Transform> {
    let Target::Joint(object, joint) = target else { return None };
    let clip = document.clip(document.clip_of(object)?)?;
    if !acts_on(clip, object, secs) {
        return None;
    }
    let index = document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
    evaluator.rig_frame(document, object, secs)?.local.get(index).copied()
}

/// What is typed for a joint, and how it is written.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    /// The property that is typed.
    pub property: Property,
    /// The joint's local transform with what is typed.
    pub local: Transform,
    /// What posing writes.
    pub auto_key: AutoKey,
    /// The correction that is selected.
    pub correction: Option<CorrectionId>,
}

/// The edit that gives a joint the transform that is typed, over the pose shown. A joint held by a pin takes the pin along
/// over its bar, as when it is dragged; in a limb that a pin holds, the limb is written as it is shown, so that what is typed
/// is what comes of it as far as the pin lets it.
///
/// # Errors
/// Those of [`pose_edit_into`].
pub fn typed_edit(
    document: &Document,
    evaluator: &Evaluator,
    (object, joint): (ObjectId, JointId),
    secs: f64,
    typed: &Typed,
) -> Result<Edit, EditError> {
    if let Some(edit) = pin_moved(document, evaluator, (object, joint), secs, typed) {
        return Ok(edit);
    }
    let mut changes = in_limb(document, evaluator, (object, joint), secs).unwrap_or_default();
    changes.retain(|(other, _)| *other != joint);
    changes.push((joint, typed.local));
    pose_edit_into(document, object, secs, &changes, typed.auto_key, typed.correction)
}

/// The pin that holds a joint in full at a time, with its clip.
fn own_pin(
    document: &Document,
    object: ObjectId,
    joint: JointId,
    secs: f64,
) -> Option<(crate::model::ClipId, Arc<Pin>)> {
    let id = document.clip_of(object)?;
    let own = acting(document.clip(id)?, object, secs);
    let held = own.filter(|(pin, weight)| pin.joint == joint && *weight >= 1.0 - SAME_TIME_SECS);
    held.last().map(|(pin, _)| (id, pin.clone()))
}

fn pin_moved(
    document: &Document,
    evaluator: &Evaluator,
    (object, joint): (ObjectId, JointId),
    secs: f64,
    typed: &Typed,
) -> Option<Edit> {
    let (clip, pin) = own_pin(document, object, joint, secs)?;
    let skeleton = &document.object(object)?.as_rig()?.skeleton;
    let parent = skeleton.parents()[skeleton.index_of(joint)?]?;
    let frame = evaluator.frame(document, secs);
    let above = frame.joint_world(object, parent)?;
    let space = space_in_world(document, &frame, pin.space)?;
    let (mut place, mut orientation) = (pin.place, pin.orientation);
    match typed.property {
        Property::Translation => place = space.try_inverse()?.point(&above.point(&typed.local.translation)),
        Property::Rotation if orientation.is_some() => {
            let turning = frame.joint_above(object, skeleton, skeleton.index_of(joint)?)?;
            let world = nearest_rotation(&turning) * typed.local.rotation;
            orientation = Some(space.rotation().inverse() * world);
        }
        _ => return None,
    }
    let orientation = orientation_numbers(orientation);
    Some(PinEdit::SetPlace { clip, pin: pin.id, place, orientation }.into())
}

/// The joints of the limbs that pins hold and that a joint lies in, as they are shown.
fn in_limb(
    document: &Document,
    evaluator: &Evaluator,
    (object, joint): (ObjectId, JointId),
    secs: f64,
) -> Option<Vec<(JointId, Transform)>> {
    let clip = document.clip(document.clip_of(object)?)?;
    if !acts_on(clip, object, secs) {
        return None;
    }
    let rig = document.object(object)?.as_rig()?;
    let (skeleton, limbs) = (&rig.skeleton, of_object(document, object, &rig.skeleton));
    let index = skeleton.index_of(joint)?;
    let shown = evaluator.rig_frame(document, object, secs)?;
    let mut joints = Vec::new();
    for (pin, _) in acting(clip, object, secs) {
        let Some(held) = skeleton.index_of(pin.joint) else { continue };
        let chain = PinChain::of(rig, &limbs, held);
        if chain.path.contains(&index) {
            joints.extend(chain.path);
        }
    }
    joints.sort_unstable();
    joints.dedup();
    let local = |at: usize| Some((skeleton.joints().get(at)?.id, *shown.local.get(at)?));
    Some(joints.into_iter().filter_map(local).collect())
}

//! From a pose that was set by hand to the edit that makes it so: keys, corrections of captured motion, or values that
//! wait.
//!
//! A joint's property with a captured curve is corrected, one with keys or without a curve is keyed, and with auto-key off
//! both wait at their frame. What is written is such that the pose shown at that time is exactly the one given; of an object
//! that plays layers too, whose pose goes to the clip of the layer that is worked on.

mod correct;
mod layered;
mod pinned;
mod plan;

use super::{ClipEdit, DeformEdit, Edit, EditError, ObjectEdit, PathEdit, SettingsEdit};
pub use pinned::{Typed, pinned_local, typed_edit};

use crate::{
    math::{Transform, Vec3},
    model::{Clip, ClipId, CorrectionId, Document, JointId, ObjectId, PointId, Property, Target},
};
use layered::layered;
use plan::Plan;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// What posing writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AutoKey {
    /// Nothing yet: the pose waits at its frame until it is keyed or dropped.
    Off,
    /// Keys of the joints that moved.
    #[default]
    On,
    /// Keys of all joints of the rig.
    WholePose,
}

impl AutoKey {
    /// All modes, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Off, Self::On, Self::WholePose];
}

/// The edit that poses joints: `changes` are new transforms in the parents' space. Properties that differ from the pose
/// shown by no more than rounding are left alone.
///
/// # Errors
/// Where the object is no rig, a joint does not exist or is a bone's tip, or a number is not finite.
pub fn pose_edit(
    document: &Document,
    object: ObjectId,
    secs: f64,
    changes: &[(JointId, Transform)],
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    pose_edit_into(document, object, secs, changes, auto_key, None)
}

/// [`pose_edit`] where a correction is selected: captured motion is corrected in that one, if it acts at this time.
/// Otherwise in one that has a key at this very time, or that acts here with room on both sides and already corrects one of
/// the joints (poses set before then stay as set); otherwise in a new one, 1/3 s to each side (more at slow rates,
/// so that no velocity jumps).
///
/// # Errors
/// Those of [`pose_edit`].
pub fn pose_edit_into(
    document: &Document,
    object: ObjectId,
    secs: f64,
    changes: &[(JointId, Transform)],
    auto_key: AutoKey,
    correction: Option<CorrectionId>,
) -> Result<Edit, EditError> {
    write_pose(document, object, secs, changes, auto_key, (correction, false))
}

/// [`pose_edit_into`] while a drag goes on: where a correction reaches far, its limbs are solved on the frames around this
/// one only. The drag's last edit is that of [`pose_edit_into`].
///
/// # Errors
/// Those of [`pose_edit`].
pub fn pose_edit_live(
    document: &Document,
    object: ObjectId,
    secs: f64,
    changes: &[(JointId, Transform)],
    auto_key: AutoKey,
    correction: Option<CorrectionId>,
) -> Result<Edit, EditError> {
    write_pose(document, object, secs, changes, auto_key, (correction, true))
}

/// The joints that would not come to be as wanted: what of them would change is locked, driven, or said by a constraint.
#[must_use]
pub fn left_behind(document: &Document, object: ObjectId, secs: f64, changes: &[(JointId, Transform)]) -> Vec<JointId> {
    let (clip_id, clip, _) = clip_for(document, object);
    let Ok(through) = layered(document, object, secs, changes, AutoKey::On) else { return Vec::new() };
    let (secs, changes) = through.as_ref().map_or((secs, changes), |through| (through.secs, &through.changes));
    let Ok(plan) = Plan::new(document, clip_id, &clip, secs, None) else { return Vec::new() };
    let is_left = |(joint, wanted): &(JointId, Transform)| {
        let target = Target::Joint(object, *joint);
        Property::ALL.into_iter().any(|property| {
            plan.differs(target, property, wanted)
                && (plan.held(target, property, wanted).is_some() || plan.falls_short(target, property, wanted))
        })
    };
    changes.iter().filter(|change| is_left(change)).map(|(joint, _)| *joint).collect()
}

fn write_pose(
    document: &Document,
    object: ObjectId,
    secs: f64,
    changes: &[(JointId, Transform)],
    auto_key: AutoKey,
    (correction, live): (Option<CorrectionId>, bool),
) -> Result<Edit, EditError> {
    let rig = document.object(object).ok_or(EditError::NoObject(object))?.as_rig().ok_or(EditError::NotARig(object))?;
    let (clip_id, clip, mut edits) = clip_for(document, object);
    let through = layered(document, object, secs, changes, auto_key)?;
    let (secs, changes) = through.as_ref().map_or((secs, changes), |through| (through.secs, &through.changes));
    let mut plan = Plan::new(document, clip_id, &clip, secs, correction)?;
    plan.live = live;
    let mut held = None;
    for (joint, wanted) in changes {
        let target = Target::Joint(object, *joint);
        plan.check(target)?;
        for property in Property::ALL {
            if plan.differs(target, property, wanted) {
                match plan.held(target, property, wanted) {
                    // Among other joints that move a driven one follows what drives it.
                    Some(reason) => held = held.or(Some(reason)),
                    None => plan.wish(Wish { target, property, wanted: *wanted }),
                }
            }
        }
    }
    if plan.is_empty() {
        return held.map_or_else(|| Ok(Edit::none()), Err);
    }
    match auto_key {
        AutoKey::Off => edits.extend(plan.wait()?),
        AutoKey::On => edits.extend(plan.write()?),
        AutoKey::WholePose => {
            let by_joint: BTreeMap<JointId, &Transform> = changes.iter().map(|(joint, t)| (*joint, t)).collect();
            let held = |joint: &JointId| through.is_none() || by_joint.contains_key(joint);
            for joint in rig.skeleton.joints().iter().filter(|joint| !joint.is_end() && held(&joint.id)) {
                plan.wish_all(Target::Joint(object, joint.id), by_joint.get(&joint.id).copied());
            }
            edits.extend(plan.write()?);
        }
    }
    Ok(Edit::Batch(edits))
}

/// The edit that places an object, in its parent's space: a property with a curve is keyed like a joint's; one without
/// changes its static value, or is keyed if auto-key is whole pose.
///
/// # Errors
/// Where there is no such object or a number is not finite.
pub fn transform_edit(
    document: &Document,
    object: ObjectId,
    secs: f64,
    wanted: &Transform,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let target = Target::Object(object);
    let (clip_id, clip, new_clip) = clip_for(document, object);
    let mut plan = Plan::new(document, clip_id, &clip, secs, None)?;
    plan.check(target)?;
    let mut rest = found.transform;
    for property in Property::ALL {
        if !plan.differs(target, property, wanted) {
            continue;
        }
        if let Some(reason) = plan.held(target, property, wanted) {
            return Err(reason);
        }
        if plan.has_curve(target, property) || auto_key == AutoKey::WholePose {
            plan.wish(Wish { target, property, wanted: *wanted });
        } else {
            match property {
                Property::Translation => rest.translation = wanted.translation,
                Property::Rotation => rest.rotation = plan::unit_rotation(&wanted.rotation)?,
                Property::Scale => rest.scale = wanted.scale,
                _ => {}
            }
        }
    }
    let mut edits = Vec::new();
    if rest != found.transform {
        edits.push(ObjectEdit::SetTransform { object, transform: rest }.into());
    }
    if !plan.is_empty() {
        edits.extend(new_clip);
        edits.extend(if auto_key == AutoKey::Off { plan.wait()? } else { plan.write()? });
    }
    Ok(Edit::Batch(edits))
}

/// The edit that places points of a path in the path object's space, or gives points of a lattice offsets from rest: a point
/// with a curve is keyed like a joint, one without changes its static place, or is keyed if auto-key is whole pose.
///
/// # Errors
/// Where there is no such path or point or a number is not finite.
pub fn points_edit(
    document: &Document,
    object: ObjectId,
    secs: f64,
    places: &[(PointId, Vec3)],
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let (clip_id, clip, new_clip) = clip_for(document, object);
    let mut plan = Plan::new(document, clip_id, &clip, secs, None)?;
    let mut fixed = Vec::new();
    for (point, place) in places {
        let target = Target::Point(object, *point);
        plan.check(target)?;
        let wanted = Transform { translation: *place, ..Transform::IDENTITY };
        if !plan.differs(target, Property::Translation, &wanted) {
            continue;
        }
        if let Some(reason) = plan.held(target, Property::Translation, &wanted) {
            return Err(reason);
        }
        if plan.has_curve(target, Property::Translation) || auto_key == AutoKey::WholePose {
            plan.wish(Wish { target, property: Property::Translation, wanted });
        } else {
            fixed.push((*point, *place));
        }
    }
    let mut edits = Vec::new();
    if !fixed.is_empty() {
        let carries = document.object(object).is_some_and(|found| found.deforms());
        edits.push(if carries {
            DeformEdit::SetOffsets { object, offsets: fixed }.into()
        } else {
            PathEdit::SetPlaces { object, places: fixed }.into()
        });
    }
    if !plan.is_empty() {
        edits.extend(new_clip);
        edits.extend(if auto_key == AutoKey::Off { plan.wait()? } else { plan.write()? });
    }
    Ok(Edit::Batch(edits))
}

/// The edit that brings properties of joints back to the rest pose at a time.
///
/// # Errors
/// Those of [`pose_edit`].
pub fn clear_to_rest(
    document: &Document,
    object: ObjectId,
    joints: &[JointId],
    properties: &[Property],
    secs: f64,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let rig = document.object(object).ok_or(EditError::NoObject(object))?.as_rig().ok_or(EditError::NotARig(object))?;

    let pose = crate::eval::sample::rig_pose(document, object, secs).ok_or(EditError::NotARig(object))?;
    let mut changes = Vec::with_capacity(joints.len());
    for id in joints {
        let index = rig.skeleton.index_of(*id).ok_or(EditError::NoJoint(object, *id))?;
        let (rest, mut local) = (rig.skeleton.joints()[index].rest, pose[index]);
        for property in properties {
            match property {
                Property::Translation => local.translation = rest.translation,
                Property::Rotation => local.rotation = rest.rotation,
                Property::Scale => local.scale = rest.scale,
                _ => {}
            }
        }
        if !rig.skeleton.joints()[index].is_end() {
            changes.push((*id, local));
        }
    }
    pose_edit(document, object, secs, &changes, auto_key)
}

/// The clip that an object plays; where it plays none, a new one with the edits that make it the document's.
pub(super) fn clip_for(document: &Document, object: ObjectId) -> (ClipId, Arc<Clip>, Vec<Edit>) {
    clip_or_new(document, document.clip_of(object))
}

/// The clip that moves a target, or a new one as [`clip_for`].
pub(super) fn clip_for_target(document: &Document, target: Target) -> (ClipId, Arc<Clip>, Vec<Edit>) {
    clip_or_new(document, document.clip_of_target(target))
}

fn clip_or_new(document: &Document, playing: Option<ClipId>) -> (ClipId, Arc<Clip>, Vec<Edit>) {
    if let Some(id) = playing
        && let Some(clip) = document.clip(id)
    {
        return (id, clip.clone(), Vec::new());
    }
    let id = ClipId(document.next_id);
    let clip = Arc::new(Clip::new("Clip", document.settings.play_range));
    let edits = vec![ClipEdit::Add { id, clip: clip.clone() }.into(), SettingsEdit::SetClip(Some(id)).into()];
    (id, clip, edits)
}

pub(super) use layered::layered_keys;
pub(super) use plan::{Plan as PosePlan, Wish};

#[cfg(test)]
mod tests;

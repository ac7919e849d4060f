//! Poses of objects that play layers: they go to the clip of the layer that is worked on, as much as it takes.

use super::{AutoKey, EditError};
use crate::{
    eval::{
        blend::layers::{plays_layers, written},
        sample::rig_pose,
    },
    math::{Transform, rotation::chord_angle},
    model::{Document, JointId, ObjectId, Target},
};
use std::collections::BTreeMap;

/// What is written into the clip that an object's work goes to.
#[derive(Debug)]
pub(in crate::edit) struct Layered {
    /// When, a time of the clip, seconds.
    pub(in crate::edit) secs: f64,
    /// The local transforms that it is to hold.
    pub(in crate::edit) changes: Vec<(JointId, Transform)>,
}

/// How near a joint is to how it is shown to have been left alone: metres, radians and a factor.
const SAME: f64 = 1e-12;

/// What a pose comes to where layers play; none where they do not. Of joints that are as they are shown nothing is written;
/// of a whole pose those that the clip moves already, so that a layer for an arm does not come to hold the legs.
///
/// # Errors
/// Where no layer can be written so, or the pose would have to wait: layers do not show what waits.
pub(in crate::edit) fn layered(
    document: &Document,
    object: ObjectId,
    secs: f64,
    changes: &[(JointId, Transform)],
    auto_key: AutoKey,
) -> Result<Option<Layered>, EditError> {
    if !plays_layers(document, object) {
        return Ok(None);
    }
    if auto_key == AutoKey::Off {
        return Err(EditError::WaitsInLayers(object));
    }
    let shown = shown(document, object, secs)?;
    let moved = |(joint, wanted): &&(JointId, Transform)| shown.get(joint).is_none_or(|(_, now)| !is_same(now, wanted));
    let moved: BTreeMap<JointId, Transform> = changes.iter().filter(moved).copied().collect();
    let index = |joint: &JointId| shown.get(joint).map(|(index, _)| *index).ok_or(EditError::NoJoint(object, *joint));
    let wanted =
        moved.iter().map(|(joint, wanted)| Ok((index(joint)?, *wanted))).collect::<Result<Vec<_>, EditError>>()?;
    let whole = auto_key == AutoKey::WholePose;
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let moves = |joint: &JointId| {
        let target = Target::Joint(object, *joint);
        clip.is_some_and(|clip| clip.channels.keys().any(|path| path.target == target))
    };
    let others = shown.iter().filter(|(joint, _)| whole && !moved.contains_key(joint) && moves(joint));
    let others: Vec<(usize, Transform)> = others.map(|(_, of)| *of).collect();
    put(document, object, secs, &wanted, &others).map(Some)
}

/// What keys of joints come to where layers play, so that they are shown as they are; none where they do not. Of several
/// those are left out that the layer does not act on.
///
/// # Errors
/// Those of [`layered`].
pub(in crate::edit) fn layered_keys(
    document: &Document,
    object: ObjectId,
    secs: f64,
    joints: impl Iterator<Item = JointId>,
) -> Result<Option<Layered>, EditError> {
    if !plays_layers(document, object) {
        return Ok(None);
    }
    let shown = shown(document, object, secs)?;
    let wanted: Vec<(usize, Transform)> = joints.filter_map(|joint| shown.get(&joint).copied()).collect();
    let found = put(document, object, secs, &[], &wanted)?;
    // With none of them the first one says why.
    let refused = found.changes.is_empty() && !wanted.is_empty();
    if refused { put(document, object, secs, &wanted, &[]).map(Some) } else { Ok(Some(found)) }
}

/// The joints as they are shown, but bones' tips, with their indices.
fn shown(document: &Document, object: ObjectId, secs: f64) -> Result<BTreeMap<JointId, (usize, Transform)>, EditError> {
    let rig = document.object(object).and_then(|found| found.as_rig()).ok_or(EditError::NotARig(object))?;
    let pose = rig_pose(document, object, secs).ok_or(EditError::NotARig(object))?;
    let joints = rig.skeleton.joints().iter().zip(pose).enumerate().filter(|(_, (joint, _))| !joint.is_end());
    Ok(joints.map(|(index, (joint, local))| (joint.id, (index, local))).collect())
}

fn is_same(a: &Transform, b: &Transform) -> bool {
    let shift = (a.translation - b.translation).norm().max((a.scale - b.scale).norm());
    shift <= SAME && chord_angle(&a.rotation, &b.rotation) <= SAME
}

fn put(
    document: &Document,
    object: ObjectId,
    secs: f64,
    wanted: &[(usize, Transform)],
    others: &[(usize, Transform)],
) -> Result<Layered, EditError> {
    let found = written(document, object, secs, wanted, others)?;
    let rig = document.object(object).and_then(|found| found.as_rig()).ok_or(EditError::NotARig(object))?;
    let id = |index: usize| rig.skeleton.joints().get(index).map(|joint| joint.id);
    let changes = found.locals.into_iter().filter_map(|(index, local)| Some((id(index)?, local))).collect();
    Ok(Layered { secs: found.secs, changes })
}

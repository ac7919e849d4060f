//! From new local transforms to the edit that makes them so.

use super::rest_write::rest_edit;
use crate::{
    edit::{
        AutoKey, Edit, EditError,
        chains::goal_edit,
        pose::{points_edit, pose_edit_into, pose_edit_live, transform_edit},
        skeleton::Carry,
    },
    interact::tool::ToolContext,
    math::{Transform, Vec3},
    model::{CorrectionId, Document, JointId, ObjectId, PointId, Property, Target},
};
use std::collections::BTreeMap;

/// Which edit poses joints: while a drag is `live` one that leaves the far frames of long corrections for its end.
type PoseEdit =
    fn(&Document, ObjectId, f64, &[(JointId, Transform)], AutoKey, Option<CorrectionId>) -> Result<Edit, EditError>;

const fn pose_edit(live: bool) -> PoseEdit {
    if live { pose_edit_live } else { pose_edit_into }
}

/// The edit that gives targets new local transforms: keys, corrections, static values or values that wait, as
/// [`crate::edit::pose`] decides; where the rest pose is edited, that of the joints.
///
/// # Errors
/// Those of [`pose_edit_into`] and [`transform_edit`].
pub(super) fn write(ctx: &ToolContext<'_>, changes: &[(Target, Transform)], live: bool) -> Result<Edit, EditError> {
    write_with(ctx, changes, live, Carry::Along)
}

/// The same; where the rest pose is edited, `children` says what becomes of joints under those that change.
///
/// # Errors
/// Those of [`write`].
pub(super) fn write_with(
    ctx: &ToolContext<'_>,
    changes: &[(Target, Transform)],
    live: bool,
    children: Carry,
) -> Result<Edit, EditError> {
    let mut rigs: BTreeMap<ObjectId, Vec<(JointId, Transform)>> = BTreeMap::new();
    let mut objects = Vec::new();
    let mut points: BTreeMap<ObjectId, Vec<(PointId, Vec3)>> = BTreeMap::new();
    let mut goals = Vec::new();
    for (target, local) in changes {
        match *target {
            Target::Object(object) => objects.push((object, *local)),
            Target::Joint(object, joint) => rigs.entry(object).or_default().push((joint, *local)),
            Target::Point(object, point) => points.entry(object).or_default().push((point, local.translation)),
            Target::Constraint(..) | Target::Pole(..) => goals.push((*target, local.translation)),
            // These have no transform.
            Target::Pin(..) | Target::Morph(..) | Target::Deformer(..) | Target::Layer(..) | Target::Sample(..) => {}
        }
    }
    // Each edit acts on the document the one before it leaves: two of them may each want a first clip.
    let mut document = ctx.document.clone();
    let mut edits = Vec::new();
    for (object, local) in objects {
        apply_last(&edits, &mut document)?;
        edits.push(transform_edit(&document, object, ctx.frame.secs, &local, ctx.auto_key)?);
    }
    for (object, places) in points {
        apply_last(&edits, &mut document)?;
        edits.push(points_edit(&document, object, ctx.frame.secs, &places, ctx.auto_key)?);
    }
    for (target, place) in goals {
        apply_last(&edits, &mut document)?;
        edits.push(goal_edit(&document, target, ctx.frame.secs, &place, ctx.auto_key)?);
    }
    for (object, joints) in rigs {
        apply_last(&edits, &mut document)?;
        if let Some(rest) = ctx.rest {
            edits.push(rest_edit(&document, object, &joints, rest, children));
            continue;
        }
        let correction = correction_of(ctx, object);
        edits.push(pose_edit(live)(&document, object, ctx.frame.secs, &joints, ctx.auto_key, correction)?);
    }
    Ok(match edits.len() {
        1 => edits.remove(0),
        _ => Edit::Batch(edits),
    })
}

/// The hint of a drag of targets: where auto-key sets no key, for what has no curve keeps its value at all times, it says so.
pub(super) fn hint_of(
    ctx: &ToolContext<'_>,
    targets: &[Target],
    property: Property,
    usual: &'static str,
) -> &'static str {
    let has_curve = |target: Target| {
        let clip = ctx.document.clip_of(target.object()).and_then(|clip| ctx.document.clip(clip));
        clip.is_some_and(|clip| clip.channels.keys().any(|path| path.target == target && path.property == property))
    };
    let still = |target: &Target| matches!(target, Target::Object(_) | Target::Point(..)) && !has_curve(*target);
    if ctx.auto_key == AutoKey::On && targets.iter().any(still) { "hint.without_key" } else { usual }
}

fn apply_last(edits: &[Edit], document: &mut Document) -> Result<(), EditError> {
    edits.last().map_or(Ok(()), |edit| edit.apply(document))
}

/// [`write`] for joints of one rig object.
pub(super) fn write_joints(
    ctx: &ToolContext<'_>,
    object: ObjectId,
    changes: &[(JointId, Transform)],
    live: bool,
) -> Result<Edit, EditError> {
    if let Some(rest) = ctx.rest {
        return Ok(rest_edit(ctx.document, object, changes, rest, Carry::Along));
    }
    let selected = correction_of(ctx, object);
    pose_edit(live)(ctx.document, object, ctx.frame.secs, changes, ctx.auto_key, selected)
}

/// The selected correction, where it is one of the clip the object plays.
fn correction_of(ctx: &ToolContext<'_>, object: ObjectId) -> Option<CorrectionId> {
    let (clip, correction) = ctx.selection.correction?;
    (ctx.document.clip_of(object) == Some(clip)).then_some(correction)
}

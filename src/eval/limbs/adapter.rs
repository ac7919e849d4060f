//! Limbs of a skeleton of the document.

use super::{Limbs, SkeletonView, correct::corrected, find};
use crate::eval::{fk, sample::rig_pose};
use crate::math::{Affine, Vec3};
use crate::model::{Document, ObjectId, Rig, Skeleton};

/// The limbs of a rig: those found, as its document corrects them. Where its rest pose is none that a body could take, they
/// are found in its clip's first frame.
#[must_use]
pub fn of_object(document: &Document, object: ObjectId, skeleton: &Skeleton) -> Limbs {
    let posed = posed_places(document, object, skeleton);
    match document.object(object).and_then(|object| object.as_rig()) {
        Some(rig) => of_rig(rig, &posed),
        None => of_skeleton(skeleton, &posed),
    }
}

/// The limbs of a rig: those found in its skeleton ([`of_skeleton`]), as its document corrects them.
#[must_use]
pub fn of_rig(rig: &Rig, posed: &[Vec3]) -> Limbs {
    seen(&rig.skeleton, posed, |view| corrected(find(view), rig, view))
}

/// The places of a rig's joints in its clip's first frame, in the rig object's space: what [`of_object`] looks at beside the
/// skeleton.
#[must_use]
pub fn posed_places(document: &Document, object: ObjectId, skeleton: &Skeleton) -> Vec<Vec3> {
    let first = document.clip_of(object).and_then(|clip| document.clip(clip)).map_or(0, |clip| clip.range.first);
    let locals = rig_pose(document, object, document.settings.rate.secs(first)).unwrap_or_default();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.parents(), &locals, &Affine::IDENTITY, &mut model);
    model.iter().map(|model| model.translation).collect()
}

/// Finds the limbs of a skeleton. `posed` holds the positions of its joints in some natural pose, in the skeleton's
/// space, or is empty; see [`SkeletonView::posed`].
#[must_use]
pub fn of_skeleton(skeleton: &Skeleton, posed: &[Vec3]) -> Limbs {
    seen(skeleton, posed, find)
}

/// Looks at a skeleton as [`find`] does.
fn seen<R>(skeleton: &Skeleton, posed: &[Vec3], look: impl FnOnce(&SkeletonView<'_>) -> R) -> R {
    let joints = skeleton.joints();
    let locals: Vec<_> = joints.iter().map(|joint| joint.rest).collect();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.parents(), &locals, &Affine::IDENTITY, &mut model);
    let rest: Vec<Vec3> = model.iter().map(|m| m.translation).collect();
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    let tips: Vec<bool> = joints.iter().map(crate::model::Joint::is_end).collect();
    look(&SkeletonView { parents: skeleton.parents(), names: &names, tips: &tips, rest: &rest, posed })
}

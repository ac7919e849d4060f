//! Limbs of a skeleton of the document.

use super::{Limbs, SkeletonView, correct::corrected, find};
use crate::eval::{fk, sample::rig_pose};
use crate::math::{Affine, Transform, Vec3};
use crate::model::{Document, ObjectId, Rig, Skeleton};

/// The limbs of a rig: those found, as its document corrects them. Where its rest pose is none that a body could take, they
/// are found in its clip's first frame.
#[must_use]
pub fn of_object(document: &Document, object: ObjectId, skeleton: &Skeleton) -> Limbs {
    let posed = first_pose(document, object);
    match document.object(object).and_then(|object| object.as_rig()) {
        Some(rig) => of_rig(rig, &posed),
        None => of_skeleton(skeleton, &posed),
    }
}

/// The limbs of a rig: those found in its skeleton ([`of_skeleton`]), as its document corrects them.
#[must_use]
pub fn of_rig(rig: &Rig, posed: &[Transform]) -> Limbs {
    seen(&rig.skeleton, posed, |view| corrected(find(view), rig, view))
}

/// A rig's joints in its clip's first frame, each in its parent's space: what [`of_object`] looks at beside the skeleton.
#[must_use]
pub fn first_pose(document: &Document, object: ObjectId) -> Vec<Transform> {
    let first = document.clip_of(object).and_then(|clip| document.clip(clip)).map_or(0, |clip| clip.range.first);
    rig_pose(document, object, document.settings.rate.secs(first)).unwrap_or_default()
}

/// Finds the limbs of a skeleton. `posed` holds its joints in some natural pose, each in its parent's space, or is empty; see
/// [`SkeletonView::posed`].
#[must_use]
pub fn of_skeleton(skeleton: &Skeleton, posed: &[Transform]) -> Limbs {
    seen(skeleton, posed, find)
}

/// Looks at a skeleton as [`find`] does.
fn seen(skeleton: &Skeleton, posed: &[Transform], look: impl FnOnce(&SkeletonView<'_>) -> Limbs) -> Limbs {
    let joints = skeleton.joints();
    let places = |locals: &[Transform]| -> Vec<Vec3> {
        let mut model = Vec::new();
        fk::model_from_locals(skeleton.tree(), locals, &Affine::IDENTITY, &mut model);
        model.iter().map(|model| model.translation).collect()
    };
    let rest: Vec<_> = joints.iter().map(|joint| joint.rest).collect();
    let (rest, posed_places) = (places(&rest), places(posed));
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    let tips: Vec<bool> = joints.iter().map(crate::model::Joint::is_end).collect();
    let mut limbs = look(&SkeletonView {
        parents: skeleton.parents(),
        names: &names,
        tips: &tips,
        rest: &rest,
        posed: &posed_places,
    });
    if limbs.by_posed {
        limbs.posed = posed.to_vec();
    }
    limbs
}

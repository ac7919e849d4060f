//! Limbs of a skeleton of the document.

use super::{Limbs, SkeletonView, find};
use crate::eval::fk;
use crate::math::{Affine, Vec3};
use crate::model::Skeleton;

/// Finds the limbs of a skeleton. `posed` holds the positions of its joints in some natural pose, in the skeleton's
/// space, or is empty; see [`SkeletonView::posed`].
#[must_use]
pub fn of_skeleton(skeleton: &Skeleton, posed: &[Vec3]) -> Limbs {
    let joints = skeleton.joints();
    let locals: Vec<_> = joints.iter().map(|joint| joint.rest).collect();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.parents(), &locals, &Affine::IDENTITY, &mut model);
    let rest: Vec<Vec3> = model.iter().map(|m| m.translation).collect();
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    let tips: Vec<bool> = joints.iter().map(crate::model::Joint::is_end).collect();
    find(&SkeletonView { parents: skeleton.parents(), names: &names, tips: &tips, rest: &rest, posed })
}

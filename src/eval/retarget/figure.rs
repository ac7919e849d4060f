//! A figure as retargeting sees it: its joints in a reference pose, standing upright.

use crate::{
    eval::{
        limbs::{self, Limb, Limbs, Role},
        size::skeleton_size,
    },
    math::{Affine, Quat, Transform, Vec3, rotation::shortest_arc},
    model::{Document, JointTree, ObjectId, Rig, Skeleton},
};
use std::sync::Arc;

/// The pose in which two figures are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReferencePose {
    /// The rest pose; the first frame where that is none that a body could take.
    #[default]
    Found,
    /// The rest pose.
    Rest,
    /// The first frame of the clip.
    FirstFrame,
}

impl ReferencePose {
    /// All choices, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Found, Self::Rest, Self::FirstFrame];
}

/// One of the two figures. Positions and rotations are in the upright space: the object's space turned so that the axis the
/// body stands along is +Y.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The rig.
    pub rig: Arc<Rig>,
    /// What was found on it.
    pub limbs: Limbs,
    /// The rest pose, each joint in its parent's space.
    pub rest: Vec<Transform>,
    /// The reference pose, the same way.
    pub reference: Vec<Transform>,
    /// Whether the reference is the first frame.
    pub by_first_frame: bool,
    /// From the object's space to the upright one.
    pub upright: Quat,
    /// Rotations in the reference pose, scale left out.
    pub rotations: Vec<Quat>,
    /// Positions in the reference pose, metres.
    pub positions: Vec<Vec3>,
    /// [`skeleton_size`], metres.
    pub size: f64,
}

impl Figure {
    /// A rig of a document; none where the object is none.
    #[must_use]
    pub fn of_object(document: &Document, object: ObjectId, reference: ReferencePose) -> Option<Self> {
        let rig = document.object(object)?.as_rig()?;
        let posed = limbs::first_pose(document, object);
        Some(Self::new(rig, &posed, reference))
    }

    /// A rig with its first frame, each joint in its parent's space; empty where there is none.
    #[must_use]
    pub fn new(rig: &Arc<Rig>, first_frame: &[Transform], reference: ReferencePose) -> Self {
        let limbs = limbs::of_rig(rig, first_frame);
        let skeleton = &rig.skeleton;
        let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
        let by_first_frame = first_frame.len() == rest.len()
            && match reference {
                ReferencePose::Found => limbs.by_posed,
                ReferencePose::Rest => false,
                ReferencePose::FirstFrame => true,
            };
        let pose = if by_first_frame { first_frame.to_vec() } else { rest.clone() };
        let upright = upright(&limbs);
        let (rotations, positions) = globals(skeleton.tree(), &pose, &upright);
        let size = skeleton_size(skeleton);
        Self { rig: Arc::clone(rig), limbs, rest, reference: pose, by_first_frame, upright, rotations, positions, size }
    }

    /// The joints.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.rig.skeleton
    }

    /// The joint that carries the body through space: the hips, else the first joint.
    #[must_use]
    pub fn travels(&self) -> usize {
        self.limbs.hips.unwrap_or_default()
    }

    /// The affine map from the object's space to the upright one.
    #[must_use]
    pub fn upright_affine(&self) -> Affine {
        Transform::from_rotation(self.upright).to_affine()
    }

    /// Whether `joint` is `top` or under it.
    #[must_use]
    pub fn is_under(&self, joint: usize, top: usize) -> bool {
        let parents = self.skeleton().parents();
        std::iter::successors(Some(joint), |at| parents.get(*at).copied().flatten()).any(|at| at == top)
    }

    /// Whether a leg is a foreleg: it hangs from the chest.
    #[must_use]
    pub fn is_foreleg(&self, limb: &Limb) -> bool {
        self.limbs.four_legged
            && limb.role == Role::Leg
            && self.limbs.chest.is_some_and(|chest| self.is_under(limb.root(), chest))
    }

    /// The mean length of the legs from hip to ankle, metres; none without legs.
    #[must_use]
    pub fn leg_length(&self) -> Option<f64> {
        let of = |limb: &Limb| -> f64 {
            let pairs = limb.joints.windows(2);
            pairs.map(|pair| self.rest.get(pair[1]).map_or(0.0, |joint| joint.translation.norm())).sum()
        };
        let lengths: Vec<f64> = self.limbs.of_role(Role::Leg).filter(|leg| !self.is_foreleg(leg)).map(of).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        (mean > 0.0 && mean.is_finite()).then_some(mean)
    }

    /// The joints of the feet: ankles and what hangs from them, tips included.
    #[must_use]
    pub fn soles(&self) -> Vec<usize> {
        let ends: Vec<usize> = self.limbs.of_role(Role::Leg).map(Limb::end).collect();
        (0..self.rest.len()).filter(|joint| ends.iter().any(|end| self.is_under(*joint, *end))).collect()
    }
}

/// The rotation that stands a body up: the axis nearest to its own up goes to +Y.
fn upright(limbs: &Limbs) -> Quat {
    let up = limbs.frame.up;
    let axis = up.iamax();
    if limbs.limbs.is_empty() || up[axis] == 0.0 {
        return Quat::identity();
    }
    shortest_arc(&Vec3::ith(axis, up[axis].signum()), &Vec3::y())
}

/// Rotations and positions of joints under a rotation that stands above all.
pub(super) fn globals(tree: JointTree<'_>, locals: &[Transform], above: &Quat) -> (Vec<Quat>, Vec<Vec3>) {
    let mut model = Vec::new();
    crate::eval::fk::model_from_locals(tree, locals, &Transform::from_rotation(*above).to_affine(), &mut model);
    let mut rotations: Vec<Quat> = Vec::with_capacity(locals.len());
    for (joint, local) in locals.iter().enumerate() {
        let parent = tree.parent(joint).and_then(|parent| rotations.get(parent));
        rotations.push(parent.unwrap_or(above) * local.rotation);
    }
    (rotations, model.iter().map(|model| model.translation).collect())
}

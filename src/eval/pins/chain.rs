//! Which joints a pin turns.

use crate::{
    eval::{
        ik::{SolverSpec, solver},
        limbs::{Limb, Limbs, Role},
    },
    model::{JointId, Rig},
};

/// The joints a pin turns, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct PinChain {
    /// From the first joint that turns to the one that is held, each the parent of the next; the held one alone where it
    /// hangs from nothing that may turn.
    pub path: Vec<usize>,
    /// The limb, by its place in [`Limbs::limbs`], where it is an arm or a leg held by its end.
    pub(super) limb: Option<usize>,
    /// The solver that was asked for.
    pub(super) solver: Option<&'static SolverSpec>,
    /// A position in the rig object's space towards which it bends.
    pub(super) pole: Option<crate::math::Vec3>,
    /// Whether the joint keeps its rotation in the world where the pin has none: feet do.
    pub(super) keeps_rotation: bool,
}

impl PinChain {
    /// The chain of a joint of a rig, by index.
    #[must_use]
    pub fn of(rig: &Rig, limbs: &Limbs, joint: usize) -> Self {
        let skeleton = &rig.skeleton;
        let id = skeleton.joints().get(joint).map_or(JointId(0), |joint| joint.id);
        let hint = rig.hints.get(&id).cloned().unwrap_or_default();
        let limb = limbs.containing(joint);
        let solver = hint.solver.and_then(|kind| solver(kind.id()));
        let hinted = hint.root.and_then(|root| path_between(skeleton.parents(), skeleton.index_of(root)?, joint));
        let by_hint = hinted.as_ref().is_some_and(|path| path.len() > 1);
        let path = hinted
            .filter(|path| path.len() > 1)
            .or_else(|| limb.and_then(|limb| in_limb(skeleton.parents(), limbs, limb, joint)))
            .unwrap_or_else(|| vec![joint]);
        let is_end = |limb: &&Limb| limb.end() == joint && limb.middle.is_some();
        let bends = limb.filter(is_end).filter(|limb| matches!(limb.role, Role::Arm | Role::Leg));
        let analytic = !by_hint && solver.is_none_or(|solver| solver.id == "two_bone");
        let limb_index = bends.filter(|_| analytic);
        Self {
            path,
            limb: limb_index.and_then(|limb| limbs.limbs.iter().position(|other| std::ptr::eq(other, limb))),
            solver,
            pole: hint.pole,
            keeps_rotation: limb.is_some_and(|limb| limb.role == Role::Leg && limb.end() == joint),
        }
    }

    /// The first joint that turns.
    #[must_use]
    pub fn first(&self) -> usize {
        self.path.first().copied().unwrap_or_default()
    }

    /// The joint that is held.
    #[must_use]
    pub fn last(&self) -> usize {
        self.path.last().copied().unwrap_or_default()
    }
}

/// From the limb's root to the joint; for the limb's first joint what leads to it, and for a finger's or a toe's the joint
/// it hangs from.
fn in_limb(parents: &[Option<usize>], limbs: &Limbs, limb: &Limb, joint: usize) -> Option<Vec<usize>> {
    match limb.joints.iter().position(|other| *other == joint) {
        Some(place) if place > 0 => limb.joints.get(..=place).map(<[usize]>::to_vec),
        Some(_) if matches!(limb.role, Role::Finger | Role::Toe) => {
            let above = parents.get(joint).copied().flatten()?;
            (limbs.hips != Some(above) && parents.get(above)?.is_some()).then(|| vec![above, joint])
        }
        _ => path_between(parents, *limb.lead.first()?, joint).filter(|path| path.len() > 1),
    }
}

/// From `top` down to `joint`, both included; none where `top` is not above it.
fn path_between(parents: &[Option<usize>], top: usize, joint: usize) -> Option<Vec<usize>> {
    let mut path = vec![joint];
    let mut at = joint;
    while at != top {
        at = parents.get(at).copied().flatten().filter(|parent| *parent < at)?;
        path.push(at);
    }
    path.reverse();
    Some(path)
}

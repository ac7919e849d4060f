//! Which joints and pins of a rig say where a few of its joints are: what is asked at many times asks no more.

use super::{Body, Goal};
use super::{PinChain, PinReport, solve::solve_some};
use crate::{
    eval::{drag::anatomy, limbs::Limbs},
    math::{Affine, Transform},
    model::{Clip, ObjectId, Pin, PinId, PinSpace, Rig},
};
use std::{collections::BTreeSet, sync::Arc};

/// The pins that move some joints of a rig, and the joints that say how.
#[derive(Clone, Debug)]
pub(in crate::eval) struct Asked<'a> {
    object: ObjectId,
    rig: &'a Rig,
    limbs: Arc<Limbs>,
    /// In order, each after its parent.
    joints: Vec<usize>,
    pins: BTreeSet<PinId>,
    /// The other objects in whose spaces they are held.
    held_in: BTreeSet<ObjectId>,
}

impl<'a> Asked<'a> {
    /// What says where some joints are, by index; none where no pin of the clip moves any of them, ever.
    pub(in crate::eval) fn new(
        (object, rig): (ObjectId, &'a Rig),
        limbs: Arc<Limbs>,
        clip: &Clip,
        joints: &[usize],
    ) -> Option<Self> {
        let skeleton = &rig.skeleton;
        let own = clip.pins.iter().filter(|pin| pin.object == object && !pin.muted);
        let chain = |pin: &Arc<Pin>| Some((pin.clone(), PinChain::of(rig, &limbs, skeleton.index_of(pin.joint)?)));
        let mut left: Vec<(Arc<Pin>, PinChain)> = own.filter_map(chain).collect();
        let mut needed: BTreeSet<usize> = joints.iter().copied().collect();
        let (mut pins, mut held_in) = (BTreeSet::new(), BTreeSet::new());
        while let Some(at) = left.iter().position(|(_, chain)| chain.path.iter().any(|joint| needed.contains(joint))) {
            let (pin, chain) = left.swap_remove(at);
            if pins.is_empty() {
                needed.extend(anatomy::landmarks(&limbs));
            }
            pins.insert(pin.id);
            needed.extend(chain.path);
            match pin.space {
                PinSpace::Joint(other, joint) if other == object => needed.extend(skeleton.index_of(joint)),
                space => held_in.extend(space.object().filter(|other| *other != object)),
            }
            with_all_above(skeleton.parents(), &mut needed);
        }
        let joints = needed.into_iter().collect();
        (!pins.is_empty()).then_some(Self { object, rig, limbs, joints, pins, held_in })
    }

    /// The joints that are asked, in order.
    pub(in crate::eval) fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// The other objects in whose spaces they are held.
    pub(in crate::eval) const fn held_in(&self) -> &BTreeSet<ObjectId> {
        &self.held_in
    }

    /// Whether a pin is among them.
    pub(in crate::eval) fn has(&self, pin: PinId) -> bool {
        self.pins.contains(&pin)
    }

    /// [`super::solve`] of these pins: of the joints that are not asked nothing is said.
    pub(in crate::eval) fn solve(&self, root: &Affine, locals: &mut Vec<Transform>, goals: &[Goal]) -> Vec<PinReport> {
        let body = Body { object: self.object, rig: self.rig, limbs: &self.limbs, root: *root };
        solve_some(&body, Some(&self.joints), locals, goals)
    }
}

fn with_all_above(parents: &[Option<usize>], joints: &mut BTreeSet<usize>) {
    let own: Vec<usize> = joints.iter().copied().collect();
    for joint in own {
        let up = |joint: &usize| parents.get(*joint).copied().flatten().filter(|parent| parent < joint);
        for above in std::iter::successors(up(&joint), up) {
            if !joints.insert(above) {
                break;
            }
        }
    }
}

//! One joint's place at many times, by the joints above it alone.

use super::{TrailSpace, keys};
use crate::{
    eval::{
        Evaluator, fk, limbs, pins,
        sample::{RigBinding, Stage, object_local},
    },
    math::{Affine, Vec3},
    model::{Clip, Document, JointId, ObjectId, Skeleton, Target},
};
use std::sync::Arc;

/// Gives the places of a joint. Made for one document.
#[derive(Debug)]
pub struct TrailSampler<'a> {
    evaluator: &'a Evaluator,
    document: &'a Document,
    object: ObjectId,
    clip: Option<&'a Arc<Clip>>,
    skeleton: &'a Arc<Skeleton>,
    binding: RigBinding,
    /// The joints that move it in its space, from the first below that space on; the last is the joint itself.
    chain: Vec<usize>,
    /// Whether a joint of the chain leaves its parent's scale out: then products of maps tell its place.
    own_scales: bool,
    space: TrailSpace,
    place: Place,
}

/// Where the rig object is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Always here.
    Fixed(Affine),
    /// As its own channels say.
    Own,
    /// It hangs on something, or something leads it: the whole document must be asked.
    Hangs,
}

/// The joint that the limb of a joint hangs on: above the limb's root, or, where no limb was found, the joint's own parent.
/// None for what hangs on nothing.
#[must_use]
pub fn limb_parent(skeleton: &Skeleton, limbs: &limbs::Limbs, joint: usize) -> Option<usize> {
    let root = limbs.containing(joint).map_or(joint, limbs::Limb::root);
    // A joint of the limb's lead lies above the root.
    let root = if is_above(skeleton, joint, root) { joint } else { root };
    skeleton.parents().get(root).copied().flatten()
}

/// Whether a joint is a proper ancestor of another.
fn is_above(skeleton: &Skeleton, above: usize, joint: usize) -> bool {
    let parent = |joint: &usize| skeleton.parents().get(*joint).copied().flatten();
    std::iter::successors(parent(&joint), parent).any(|joint| joint == above)
}

impl<'a> TrailSampler<'a> {
    /// A sampler of a joint of a rig object; none where there is no such joint.
    #[must_use]
    pub fn new(
        evaluator: &'a Evaluator,
        document: &'a Document,
        object: ObjectId,
        joint: JointId,
        space: TrailSpace,
    ) -> Option<Self> {
        let found = document.object(object)?;
        let skeleton = &found.as_rig()?.skeleton;
        let joint = skeleton.index_of(joint)?;
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        let parent = match space {
            TrailSpace::World => None,
            TrailSpace::Limb => evaluator.limb_parent(document, object, joint),
        };
        let up = |joint: &usize| skeleton.parents().get(*joint).copied().flatten().filter(|up| Some(*up) != parent);
        let mut chain: Vec<usize> = std::iter::successors(Some(joint), up).collect();
        chain.reverse();
        let own_scales = chain.iter().any(|joint| skeleton.tree().left_out(*joint).is_some());
        let all_up = |joint: &usize| skeleton.tree().parent(*joint);
        let needed: Vec<usize> =
            if own_scales { std::iter::successors(Some(joint), all_up).collect() } else { chain.clone() };
        let binding = evaluator.binding(document, object)?.limited_to(&needed);
        let moved = clip.is_some_and(|clip| {
            clip.retimes.iter().any(|retime| retime.covers(Target::Object(object)))
                || clip.channels.keys().any(|path| path.target == Target::Object(object))
                || clip.corrections.iter().any(|c| c.deltas.keys().any(|path| path.target == Target::Object(object)))
                || clip.unkeyed.iter().any(|f| f.values.keys().any(|path| path.target == Target::Object(object)))
        });
        let place = if found.parent.is_some() || !found.constraints.is_empty() {
            Place::Hangs
        } else if moved {
            Place::Own
        } else {
            Place::Fixed(found.transform.to_affine())
        };
        Some(Self { evaluator, document, object, clip, skeleton, binding, chain, own_scales, space, place })
    }

    /// The joint whose space the places are in; none for the world, or of a joint that hangs on none.
    #[must_use]
    pub fn parent(&self) -> Option<usize> {
        let first = self.chain.first().filter(|_| self.space == TrailSpace::Limb)?;
        self.skeleton.parents().get(*first).copied().flatten()
    }

    /// The joints that move it in its space, parents first, by index.
    #[must_use]
    pub fn chain(&self) -> &[usize] {
        &self.chain
    }

    /// The targets whose channels move it in its space.
    pub fn targets(&self) -> impl Iterator<Item = Target> {
        let object = (self.space == TrailSpace::World).then_some(Target::Object(self.object));
        let joints = self.chain.iter().filter_map(|joint| self.skeleton.joints().get(*joint));
        joints.map(|joint| Target::Joint(self.object, joint.id)).chain(object)
    }

    /// Where the joint is at a time, in the trail's space, metres, with what waits there.
    #[must_use]
    pub fn point(&self, secs: f64) -> Vec3 {
        let joint = self.chain.last().copied().unwrap_or_default();
        let constrained =
            self.document.object(self.object).is_some_and(|object| crate::eval::constraint::moves_joints(object));
        let pinned = constrained || self.clip.is_some_and(|clip| pins::acts_on(clip, self.object, secs));
        let frame = if pinned { self.evaluator.rig_frame(self.document, self.object, secs) } else { None };
        let of_object = match &frame {
            Some(frame) => {
                self.seen_from_above(joint, |joint| frame.model.get(joint).copied().unwrap_or(Affine::IDENTITY))
            }
            None if self.own_scales => {
                let pose = self.binding.pose(secs);
                let model = |joint| fk::model_of(self.skeleton.tree(), &pose, &Affine::IDENTITY, joint);
                self.seen_from_above(joint, model)
            }
            None => {
                let pose = self.binding.pose(secs);
                // From the joint's own origin up: a point costs less than a product of maps.
                self.chain.iter().rev().filter_map(|joint| pose.get(*joint)).fold(Vec3::zeros(), |at, local| {
                    local.translation + local.rotation * at.component_mul(&local.scale)
                })
            }
        };
        match self.space {
            TrailSpace::World => self.object_world(secs).point(&of_object),
            TrailSpace::Limb => of_object,
        }
    }

    /// A joint's place in the space of what the chain hangs on, from what the joints are in the rig's space.
    fn seen_from_above(&self, joint: usize, model: impl Fn(usize) -> Affine) -> Vec3 {
        let inverse = self.parent().and_then(|parent| model(parent).try_inverse());
        inverse.unwrap_or(Affine::IDENTITY).point(&model(joint).translation)
    }

    fn object_world(&self, secs: f64) -> Affine {
        match self.place {
            Place::Fixed(world) => world,
            Place::Own => object_local(self.document, self.object, secs, Stage::Shown).unwrap_or_default().to_affine(),
            Place::Hangs => {
                let frame = self.evaluator.frame(self.document, secs);
                frame.objects.get(&self.object).map_or(Affine::IDENTITY, |object| object.world)
            }
        }
    }

    /// The times within an interval at which a key of what moves it is shown, in order, seconds.
    pub(super) fn key_times(&self, within: (f64, f64)) -> Vec<f64> {
        let targets: Vec<Target> = self.targets().collect();
        self.clip.map_or_else(Vec::new, |clip| keys::key_times(clip, &targets, within))
    }

    /// Whether captured motion moves it.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        let targets: Vec<Target> = self.targets().collect();
        let mut curves = self.clip.into_iter().flat_map(|clip| &clip.channels);
        curves.any(|(path, curve)| curve.is_sampled() && targets.contains(&path.target))
    }
}

//! One joint's place at many times, by the joints above it alone.

use super::{TrailSpace, keys};
use crate::{
    eval::{
        Evaluator, ObjectFrame,
        blend::layers::plays_layers,
        constraint, drive, fk, limbs, pins,
        sample::{RigBinding, Stage, object_local},
    },
    math::{Affine, Transform, Vec3},
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
    /// Whether constraints or drivers of its object move joints: then the whole rig is asked.
    constrained: bool,
    held: Option<Held<'a>>,
}

/// What pins say of where it is.
#[derive(Debug)]
struct Held<'a> {
    asked: pins::Asked<'a>,
    /// Of the joints that are asked.
    binding: RigBinding,
    /// Whether what they are held in hangs on nothing and is not pinned itself, so that the rest of the document need not be
    /// asked.
    stand_alone: bool,
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

/// Whether an object is where its own channels say, and its joints too.
fn stands_alone(document: &Document, object: ObjectId) -> bool {
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let pinned = clip.is_some_and(|clip| clip.pins.iter().any(|pin| pin.object == object));
    let free = |object: &crate::model::Object| {
        object.parent.is_none() && object.constraints.is_empty() && object.drivers.is_empty()
    };
    !pinned && document.object(object).is_none_or(|object| free(object))
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
        let rig = found.as_rig()?;
        let skeleton = &rig.skeleton;
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
        let moved = clip.is_some_and(|clip| {
            clip.retimes.iter().any(|retime| retime.covers(Target::Object(object)))
                || clip.channels.keys().any(|path| path.target == Target::Object(object))
                || clip.corrections.iter().any(|c| c.deltas.keys().any(|path| path.target == Target::Object(object)))
                || clip.unkeyed.iter().any(|f| f.values.keys().any(|path| path.target == Target::Object(object)))
        }) || found.drivers.iter().any(|driver| driver.driven.target == Target::Object(object));
        let place = if found.parent.is_some() || !found.constraints.is_empty() {
            Place::Hangs
        } else if moved {
            Place::Own
        } else {
            Place::Fixed(found.transform.to_affine())
        };
        let whole = evaluator.binding(document, object)?;
        let binding = whole.limited_to(&needed);
        let layered = plays_layers(document, object);
        let constrained = constraint::moves_joints(found) || drive::moves_joints(found) || layered;
        let pinned =
            clip.filter(|_| !layered).filter(|clip| clip.pins.iter().any(|pin| pin.object == object && !pin.muted));
        let held = pinned.and_then(|clip| {
            let limbs = evaluator.limbs(document, object)?;
            let asked = pins::Asked::new((object, rig), limbs, clip, &chain)?;
            let binding = whole.limited_to(asked.joints());
            let stand_alone = skeleton.tree().own_scale.is_empty()
                && asked.held_in().iter().all(|other| stands_alone(document, *other));
            Some(Held { asked, binding, stand_alone })
        });
        Some(Self {
            evaluator,
            document,
            object,
            clip,
            skeleton,
            binding,
            chain,
            own_scales,
            space,
            place,
            constrained,
            held,
        })
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
        let acting = self.held.as_ref().filter(|held| self.acts(held, secs));
        let joint = self.chain.last().copied().unwrap_or_default();
        let whole = self.constrained || acting.is_some_and(|held| !held.stand_alone);
        let frame = if whole { self.evaluator.rig_frame(self.document, self.object, secs) } else { None };
        let world = || self.object_world(secs);
        let of_object = match (&frame, acting) {
            (Some(frame), _) => {
                self.seen_from_above(joint, |joint| frame.model.get(joint).copied().unwrap_or(Affine::IDENTITY))
            }
            (None, Some(held)) => self.along_chain(&self.held_pose(held, secs, &world())),
            (None, None) if self.own_scales => {
                let pose = self.binding.pose(secs);
                let model = |joint| fk::model_of(self.skeleton.tree(), &pose, &Affine::IDENTITY, joint);
                self.seen_from_above(joint, model)
            }
            (None, None) => self.along_chain(&self.binding.pose(secs)),
        };
        match self.space {
            TrailSpace::World => world().point(&of_object),
            TrailSpace::Limb => of_object,
        }
    }

    /// The place of the chain's last joint in the space that the chain hangs in, from the joint's own origin up: a point
    /// costs less than a product of maps.
    fn along_chain(&self, pose: &[Transform]) -> Vec3 {
        self.chain
            .iter()
            .rev()
            .filter_map(|joint| pose.get(*joint))
            .fold(Vec3::zeros(), |at, local| local.translation + local.rotation * at.component_mul(&local.scale))
    }

    /// A joint's place in the space of what the chain hangs on, from what the joints are in the rig's space.
    fn seen_from_above(&self, joint: usize, model: impl Fn(usize) -> Affine) -> Vec3 {
        let inverse = self.parent().and_then(|parent| model(parent).try_inverse());
        inverse.unwrap_or(Affine::IDENTITY).point(&model(joint).translation)
    }

    /// Whether any of the pins acts.
    fn acts(&self, held: &Held<'_>, secs: f64) -> bool {
        self.clip.is_some_and(|clip| pins::acting(clip, self.object, secs).any(|(pin, _)| held.asked.has(pin.id)))
    }

    /// The joints that are asked, held by their pins; `world` is where the object is.
    fn held_pose(&self, held: &Held<'_>, secs: f64, world: &Affine) -> Vec<Transform> {
        let other = |other: &ObjectId| {
            let world = self.evaluator.object_world(self.document, *other, secs)?;
            let rig = self.evaluator.rig_frame(self.document, *other, secs);
            Some((*other, ObjectFrame { world, rig, path: None }))
        };
        let others = held.asked.held_in().iter().filter_map(other).collect();
        let goals = self
            .clip
            .map(|clip| pins::goals(self.document, clip, self.object, secs, &others, world))
            .unwrap_or_default();
        let goals: Vec<pins::Goal> = goals.into_iter().filter(|goal| held.asked.has(goal.pin)).collect();
        let mut pose = held.binding.pose(secs);
        held.asked.solve(world, &mut pose, &goals);
        pose
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

    /// Whether pins or constraints may move it, at any time.
    #[must_use]
    pub const fn is_pinned(&self) -> bool {
        self.constrained || self.held.is_some()
    }

    /// Whether captured motion moves it.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        let targets: Vec<Target> = self.targets().collect();
        let mut curves = self.clip.into_iter().flat_map(|clip| &clip.channels);
        curves.any(|(path, curve)| curve.is_sampled() && targets.contains(&path.target))
    }
}

//! Whole frames of a played document: each moment is worked out once, whoever asks for a node in it.

use super::{OwnMotion, target_of};
use crate::{
    eval::{EvaluatedFrame, Evaluator, constraint::moves_joints, pins::acts_on, sample::RigBinding},
    io::gltf::decomposed,
    math::{Affine, Transform},
    model::{Clip, Document, JointId, ObjectId, Parent},
    progress::{Cancelled, Progress, on_cores},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicUsize, Ordering},
};

/// So many transforms are kept: 160 MB. What is beyond is worked out when it is asked for.
const MOST_KEPT: usize = 2_000_000;
/// A thread is worth starting for so many frames.
const LEAST_FRAMES: usize = 32;

/// What tells the motion of nodes, on any thread.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) document: &'a Document,
    pub(super) clip: &'a Clip,
    pub(super) bindings: &'a BTreeMap<ObjectId, RigBinding>,
}

impl<'a> Parts<'a> {
    /// A node's own motion, whatever pins and constraints make of it.
    pub(super) fn own_motion(&self, node: Parent) -> OwnMotion<'a> {
        let bound = || {
            let Parent::Joint(object, joint) = node else { return None };
            let driven = !self.document.object(object)?.drivers.is_empty();
            let index = joint_index(self.document, object, joint).filter(|_| !driven)?;
            self.bindings.get(&object)?.joint(index).map(OwnMotion::Joint)
        };
        bound().unwrap_or(OwnMotion::Channels { document: self.document, clip: self.clip, target: target_of(node) })
    }

    /// A node's transform in its parent's space in a whole frame.
    fn in_frame(&self, node: Parent, frame: &EvaluatedFrame) -> Transform {
        let found = match node {
            Parent::Joint(object, joint) => {
                let index = joint_index(self.document, object, joint);
                index.and_then(|index| frame.rig(object)?.local.get(index).copied())
            }
            Parent::Object(object) => {
                let above = match self.document.object(object).and_then(|object| object.parent) {
                    None => Some(Affine::IDENTITY),
                    Some(Parent::Object(parent)) => frame.objects.get(&parent).map(|parent| parent.world),
                    Some(Parent::Joint(rig, joint)) => {
                        let index = joint_index(self.document, rig, joint);
                        index.and_then(|index| frame.joint_world(rig, index))
                    }
                };
                let own = frame.objects.get(&object).map(|own| own.world);
                above.and_then(|above| Some(decomposed(&(above.try_inverse()? * own?))))
            }
        };
        found.unwrap_or_else(|| self.own_motion(node).local(frame.secs))
    }

    /// Nodes in the whole frame of a time, in order.
    fn all(&self, nodes: &[Parent], evaluator: &Evaluator, secs: f64) -> Box<[Transform]> {
        let frame = evaluator.frame(self.document, secs);
        nodes.iter().map(|node| self.in_frame(*node, &frame)).collect()
    }
}

fn joint_index(document: &Document, object: ObjectId, joint: JointId) -> Option<usize> {
    document.object(object)?.as_rig()?.skeleton.index_of(joint)
}

/// The nodes that take whole frames, and what was found of them.
#[derive(Default)]
pub(super) struct Frames {
    nodes: Vec<Parent>,
    /// Their places in `nodes`.
    places: BTreeMap<Parent, usize>,
    /// The rigs that nothing but pins act on.
    by_pins: BTreeSet<ObjectId>,
    /// Whether a node is not of such a rig.
    always: bool,
    /// By the bits of their time, in the order of `nodes`.
    known: BTreeMap<u64, Box<[Transform]>>,
}

impl Frames {
    /// None yet, of the nodes that take whole frames.
    pub(super) fn of(document: &Document, nodes: Vec<Parent>) -> Self {
        let by_pins = |node: &Parent| match *node {
            Parent::Joint(object, _) => document.object(object).is_some_and(|object| !moves_joints(object)),
            Parent::Object(_) => false,
        };
        Self {
            places: nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect(),
            always: !nodes.iter().all(by_pins),
            by_pins: nodes.iter().filter(|node| by_pins(node)).map(|node| node.object()).collect(),
            known: BTreeMap::new(),
            nodes,
        }
    }

    /// Whether no node takes whole frames.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn keeps_more(&self) -> bool {
        self.known.len() * self.nodes.len() < MOST_KEPT
    }

    /// A node's transform in its parent's space at a time. Where no pin acts, a joint that nothing else moves is where its own
    /// motion has it.
    pub(super) fn local(&mut self, parts: &Parts<'_>, evaluator: &Evaluator, node: Parent, secs: f64) -> Transform {
        let object = node.object();
        let free = matches!(node, Parent::Joint(..)) && self.by_pins.contains(&object);
        let place = self.places.get(&node).copied();
        let Some(place) = place.filter(|_| !free || acts_on(parts.clip, object, secs)) else {
            return parts.own_motion(node).local(secs);
        };
        let known = self.known.get(&secs.to_bits()).and_then(|all| all.get(place));
        if let Some(local) = known {
            return *local;
        }
        if !self.keeps_more() {
            return parts.in_frame(node, &evaluator.frame(parts.document, secs));
        }
        let all = parts.all(&self.nodes, evaluator, secs);
        let local = all.get(place).copied().unwrap_or_default();
        self.known.insert(secs.to_bits(), all);
        local
    }

    /// Works out all nodes at those of some times at which anything acts, so far as they are kept.
    pub(super) fn prepare(
        &mut self,
        parts: &Parts<'_>,
        evaluator: &Evaluator,
        times: &[f64],
        (progress, units): (&Progress, u64),
    ) -> Result<(), Cancelled> {
        let acts = |secs: f64| self.always || self.by_pins.iter().any(|object| acts_on(parts.clip, *object, secs));
        let unknown = |secs: &f64| !self.known.contains_key(&secs.to_bits()) && acts(*secs);
        let room = MOST_KEPT / self.nodes.len().max(1);
        let room = room.saturating_sub(self.known.len());
        let times: Vec<f64> = times.iter().copied().filter(unknown).take(room).collect();
        let (done, told) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let tell = |count: usize| {
            let all = done.fetch_add(count, Ordering::Relaxed) + count;
            let now = usize::try_from(units).unwrap_or(usize::MAX).saturating_mul(all) / times.len().max(1);
            let before = told.fetch_max(now, Ordering::Relaxed);
            progress.advance(now.saturating_sub(before) as u64);
        };
        if let Some(first) = times.first() {
            // What all threads need is found once.
            drop(evaluator.frame(parts.document, *first));
        }
        let runs: Vec<(&[f64], Evaluator)> =
            times.chunks(LEAST_FRAMES).map(|times| (times, evaluator.fork())).collect();
        let (worth, nodes) = (runs.len(), &self.nodes);
        let found = on_cores(runs, worth, |(times, evaluator)| {
            let mut found = Vec::with_capacity(times.len());
            for secs in times.iter().take_while(|_| !progress.is_cancelled()) {
                found.push((secs.to_bits(), parts.all(nodes, &evaluator, *secs)));
            }
            tell(times.len());
            found
        });
        progress.check()?;
        if times.is_empty() {
            progress.advance(units);
        }
        self.known.extend(found.into_iter().flatten());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        eval::Evaluator,
        io::played::{Played, target_of},
        math::Vec3,
        model::{Document, JointId, ObjectId, Parent, Pin, PinId, PinSpace},
        progress::Progress,
    };
    use std::sync::Arc;

    /// The sample with a foot held for a while.
    fn document() -> (Document, ObjectId, JointId) {
        let mut document = crate::io::ron::load(include_str!("../../../assets/samples/walk.ron")).unwrap();
        let (rig, foot) = {
            let (rig, ..) = document.rigs().next().unwrap();
            (rig, crate::edit::pin_here::feet(&document, rig)[0])
        };
        let clip = document.clip_of(rig).unwrap();
        let pins = &mut document.clip_mut(clip).unwrap().pins;
        let id = PinId(pins.iter().map(|pin| pin.id.0 + 1).max().unwrap_or(0));
        let place = Vec3::new(0.1, 0.2, 0.3);
        let pin = Pin {
            id,
            name: String::new(),
            object: rig,
            joint: foot,
            space: PinSpace::World,
            place,
            orientation: None,
            range: (0.4, 0.6),
            ease: (0.05, 0.05),
            influence: 1.0,
            muted: false,
        };
        pins.push(Arc::new(pin));
        (document, rig, foot)
    }

    #[test]
    fn what_is_prepared_is_what_is_asked_for_one_by_one_and_what_is_shown() {
        let (document, rig, foot) = document();
        let clip = document.clip_of(rig).unwrap();
        let [one, all] = [(); 2].map(|()| Played::new(&document, clip).unwrap());
        let times: Vec<f64> = (0..120).map(|at| f64::from(at) * 0.01).collect();
        let progress = Progress::new();
        progress.start("", 10);
        all.prepare(&times, &progress, 10).unwrap();
        assert_eq!(progress.done(), 10);
        let evaluator = Evaluator::new();
        let skeleton = &document.object(rig).unwrap().as_rig().unwrap().skeleton;
        let mut turned = 0;
        for secs in &times {
            let shown = evaluator.frame(&one.document, *secs);
            for (index, joint) in skeleton.joints().iter().enumerate() {
                let node = Parent::Joint(rig, joint.id);
                let (a, b) = (one.local(node, *secs), all.local(node, *secs));
                assert_eq!(a, b, "{:?} at {secs}", target_of(node));
                let wanted = shown.rig(rig).unwrap().local[index];
                assert!((a.translation - wanted.translation).norm() < 1e-12);
                assert!(a.rotation.angle_to(&wanted.rotation) < 1e-7, "{} at {secs}", joint.name);
                turned += usize::from(all.needs_frame(node));
            }
        }
        assert!(turned > 0 && turned < times.len() * skeleton.joints().len() / 4, "the leg alone: {turned}");
        assert!(all.needs_frame(Parent::Joint(rig, foot)));
    }

    #[test]
    fn work_that_is_stopped_says_so() {
        let (document, rig, _) = document();
        let played = Played::new(&document, document.clip_of(rig).unwrap()).unwrap();
        let progress = Progress::new();
        progress.cancel();
        assert!(played.prepare(&[0.5], &progress, 1).is_err());
    }
}

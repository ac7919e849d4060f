//! A document as it plays one clip: what exports read and are measured against.

use crate::{
    eval::{
        Evaluator,
        constraint::moves_joints,
        sample::{BoundJoint, RigBinding, Stage, clip_local, number},
    },
    io::gltf::decomposed,
    math::{Affine, Transform},
    model::{ChannelPath, Clip, ClipId, Document, JointId, Object, ObjectId, Parent, Target},
};
use std::{collections::BTreeMap, sync::Arc};

/// A document in one clip, nothing else playing and nothing waiting to be keyed.
pub(crate) struct Played {
    pub(crate) document: Document,
    pub(crate) clip: Arc<Clip>,
    pub(crate) evaluator: Evaluator,
    bindings: BTreeMap<ObjectId, RigBinding>,
}

/// A node's own motion, its curves found once: what nothing but these, corrections and drivers tell. For many times, on any thread.
#[derive(Clone, Copy)]
pub(crate) enum OwnMotion<'a> {
    Joint(BoundJoint<'a>),
    Channels { document: &'a Document, clip: &'a Clip, target: Target },
}

impl OwnMotion<'_> {
    /// The transform in the parent's space.
    pub(crate) fn local(&self, secs: f64) -> Transform {
        match *self {
            Self::Joint(joint) => joint.local(secs),
            Self::Channels { document, clip, target } => {
                clip_local(document, Some(clip), target, secs, Stage::Corrected).unwrap_or(Transform::IDENTITY)
            }
        }
    }
}

/// A node's motion, whatever tells it.
#[derive(Clone, Copy)]
pub(crate) enum NodeMotion<'a> {
    /// Curves, corrections and drivers.
    Own(OwnMotion<'a>),
    /// Whole frames.
    Framed { played: &'a Played, node: Parent },
}

impl NodeMotion<'_> {
    /// The transform in the parent's space.
    pub(crate) fn local(&self, secs: f64) -> Transform {
        match self {
            Self::Own(own) => own.local(secs),
            Self::Framed { played, node } => played.framed(*node, secs),
        }
    }
}

impl Played {
    pub(crate) fn new(document: &Document, id: ClipId) -> Option<Self> {
        let mut document = document.clone();
        Arc::make_mut(&mut document.settings).clip = Some(id);
        let own: Vec<ObjectId> = document
            .objects
            .iter()
            .filter(|(_, o)| o.clip.is_some() || !o.layers.is_empty())
            .map(|(id, _)| *id)
            .collect();
        for object in own {
            if let Some(object) = document.object_mut(object) {
                object.clip = None;
                object.layers.clear();
            }
        }
        if document.clip(id)?.unkeyed.iter().any(|frame| !frame.values.is_empty()) {
            document.clip_mut(id)?.unkeyed.clear();
        }
        let clip = document.clip(id)?.clone();
        let bound = document.rigs().map(|(id, _, rig)| (id, RigBinding::trackless(id, &rig.skeleton, Some(&clip))));
        let bindings = bound.collect();
        Some(Self { document, clip, evaluator: Evaluator::new(), bindings })
    }

    /// Whether only a whole frame tells where a node is: pins and constraints act.
    pub(crate) fn needs_frame(&self, node: Parent) -> bool {
        match node {
            Parent::Object(object) => self.document.object(object).is_some_and(|object| !object.constraints.is_empty()),
            Parent::Joint(object, _) => {
                self.clip.pins.iter().any(|pin| pin.object == object)
                    || self.document.object(object).is_some_and(|object| moves_joints(object))
            }
        }
    }

    /// Whether only a whole frame tells a node's scale: pins change none, a joint's own constraints may.
    pub(crate) fn scale_needs_frame(&self, node: Parent) -> bool {
        let Parent::Joint(object, joint) = node else { return self.needs_frame(node) };
        let own = |object: &Arc<Object>| object.constraints.iter().any(|c| !c.muted && c.joint == Some(joint));
        self.document.object(object).is_some_and(own)
    }

    /// The channels that drive a channel, one through the other.
    pub(crate) fn drivers_of(&self, path: ChannelPath) -> impl Iterator<Item = ChannelPath> {
        self.document.driver_chain(path).into_iter().map(|driver| driver.source)
    }

    /// A joint's index in its rig's skeleton.
    fn joint_index(&self, object: ObjectId, joint: JointId) -> Option<usize> {
        self.document.object(object)?.as_rig()?.skeleton.index_of(joint)
    }

    /// A node's own motion, whatever pins and constraints make of it.
    pub(crate) fn own_motion(&self, node: Parent) -> OwnMotion<'_> {
        let bound = || {
            let Parent::Joint(object, joint) = node else { return None };
            let driven = !self.document.object(object)?.drivers.is_empty();
            let index = self.joint_index(object, joint).filter(|_| !driven)?;
            self.bindings.get(&object)?.joint(index).map(OwnMotion::Joint)
        };
        bound().unwrap_or(OwnMotion::Channels { document: &self.document, clip: &self.clip, target: target_of(node) })
    }

    /// A node's motion.
    pub(crate) fn motion(&self, node: Parent) -> NodeMotion<'_> {
        if self.needs_frame(node) {
            NodeMotion::Framed { played: self, node }
        } else {
            NodeMotion::Own(self.own_motion(node))
        }
    }

    /// A node's transform in its parent's space.
    pub(crate) fn local(&self, node: Parent, secs: f64) -> Transform {
        self.motion(node).local(secs)
    }

    fn framed(&self, node: Parent, secs: f64) -> Transform {
        let frame = self.evaluator.frame(&self.document, secs);
        let found = match node {
            Parent::Joint(object, joint) => {
                let index = self.joint_index(object, joint);
                index.and_then(|index| frame.rig(object)?.local.get(index).copied())
            }
            Parent::Object(object) => {
                let above = match self.document.object(object).and_then(|object| object.parent) {
                    None => Some(Affine::IDENTITY),
                    Some(Parent::Object(parent)) => frame.objects.get(&parent).map(|parent| parent.world),
                    Some(Parent::Joint(rig, joint)) => {
                        let index = self.joint_index(rig, joint);
                        index.and_then(|index| frame.joint_world(rig, index))
                    }
                };
                let own = frame.objects.get(&object).map(|own| own.world);
                above.and_then(|above| Some(decomposed(&(above.try_inverse()? * own?))))
            }
        };
        found.unwrap_or_else(|| self.own_motion(node).local(secs))
    }

    pub(crate) fn number(&self, path: ChannelPath, secs: f64) -> f64 {
        number(&self.document, Some(&self.clip), path, secs, Stage::Corrected).unwrap_or_default()
    }

    /// First and last time of everything that moves, and what the document counts as the clip's end.
    pub(crate) fn span(&self) -> (f64, f64) {
        let rate = self.document.settings.rate;
        let range = (rate.secs(self.clip.range.first), rate.secs(self.clip.range.last));
        let spans = self.clip.channels.values().filter_map(|curve| curve.span());
        spans.fold(range, |all, span| (all.0.min(span.0), all.1.max(span.1)))
    }
}

/// What channels name a node by.
pub(crate) fn target_of(node: Parent) -> Target {
    match node {
        Parent::Object(object) => Target::Object(object),
        Parent::Joint(object, joint) => Target::Joint(object, joint),
    }
}

//! A document as it plays one clip: what exports read and are measured against.

mod whole;

use crate::{
    eval::{
        Evaluator,
        constraint::moves_joints,
        pins::PinChain,
        sample::{BoundJoint, RigBinding, Stage, clip_local, number},
    },
    math::Transform,
    model::{ChannelPath, Clip, ClipId, Document, JointId, Object, ObjectId, Parent, Property, Target},
    progress::{Cancelled, Progress},
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use whole::{Frames, Parts};

/// A document in one clip, nothing else playing and nothing waiting to be keyed.
pub(crate) struct Played {
    pub(crate) document: Document,
    pub(crate) clip: Arc<Clip>,
    pub(crate) evaluator: Evaluator,
    bindings: BTreeMap<ObjectId, RigBinding>,
    /// The joints that pins turn.
    pinned: BTreeSet<(ObjectId, JointId)>,
    frames: RefCell<Frames>,
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
        let evaluator = Evaluator::new();
        let pinned = pinned(&document, &clip, &evaluator);
        let frames = RefCell::default();
        let played = Self { document, clip, evaluator, bindings, pinned, frames };
        let framed: Vec<Parent> = played.nodes().filter(|node| played.needs_frame(*node)).collect();
        *played.frames.borrow_mut() = Frames::of(&played.document, framed);
        Some(played)
    }

    /// All objects and joints.
    fn nodes(&self) -> impl Iterator<Item = Parent> {
        self.document.objects.iter().flat_map(|(id, object)| {
            let joints = object.as_rig().into_iter().flat_map(|rig| rig.skeleton.joints());
            [Parent::Object(*id)].into_iter().chain(joints.map(|joint| Parent::Joint(*id, joint.id)))
        })
    }

    /// Whether only a whole frame tells where a node is: pins turn it, or constraints act on it.
    pub(crate) fn needs_frame(&self, node: Parent) -> bool {
        self.places_need_frame(node)
            || matches!(node, Parent::Joint(object, joint) if self.pinned.contains(&(object, joint)))
    }

    /// Whether only a whole frame tells a property of a node: pins turn joints, and do no more.
    pub(crate) fn property_needs_frame(&self, node: Parent, property: Property) -> bool {
        match property {
            Property::Rotation => self.needs_frame(node),
            Property::Scale => self.scale_needs_frame(node),
            _ => self.places_need_frame(node),
        }
    }

    fn places_need_frame(&self, node: Parent) -> bool {
        let object = self.document.object(node.object());
        object.is_some_and(|object| match node {
            Parent::Object(_) => !object.constraints.is_empty(),
            Parent::Joint(..) => moves_joints(object),
        })
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

    fn parts(&self) -> Parts<'_> {
        Parts { document: &self.document, clip: &self.clip, bindings: &self.bindings }
    }

    /// A node's own motion, whatever pins and constraints make of it.
    pub(crate) fn own_motion(&self, node: Parent) -> OwnMotion<'_> {
        self.parts().own_motion(node)
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
        self.frames.borrow_mut().local(&self.parts(), &self.evaluator, node, secs)
    }

    /// Works the whole frames out that nodes need at some times, on as many cores as there are, so that each is worked out
    /// once, whatever nodes are asked for. Tells its progress in `units` units.
    ///
    /// # Errors
    /// Where someone asks to stop.
    pub(crate) fn prepare(&self, times: &[f64], progress: &Progress, units: u64) -> Result<(), Cancelled> {
        self.frames.borrow_mut().prepare(&self.parts(), &self.evaluator, times, (progress, units))
    }

    /// Whether anything in it takes whole frames to tell.
    pub(crate) fn has_frames(&self) -> bool {
        !self.frames.borrow().is_empty()
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

/// The joints that the pins of a clip turn.
fn pinned(document: &Document, clip: &Clip, evaluator: &Evaluator) -> BTreeSet<(ObjectId, JointId)> {
    let turned = |pin: &Arc<crate::model::Pin>| {
        let rig = document.object(pin.object)?.as_rig()?;
        let limbs = evaluator.limbs(document, pin.object)?;
        let joints = rig.skeleton.joints();
        let path = PinChain::of(rig, &limbs, rig.skeleton.index_of(pin.joint)?).path;
        let ids = path.into_iter().filter_map(|joint| Some((pin.object, joints.get(joint)?.id)));
        Some(ids.collect::<Vec<_>>())
    };
    clip.pins.iter().filter(|pin| !pin.muted).filter_map(turned).flatten().collect()
}

/// What channels name a node by.
pub(crate) fn target_of(node: Parent) -> Target {
    match node {
        Parent::Object(object) => Target::Object(object),
        Parent::Joint(object, joint) => Target::Joint(object, joint),
    }
}

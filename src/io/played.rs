//! A document as it plays one clip: what exports read and are measured against.

use crate::{
    eval::{
        Evaluator,
        constraint::moves_joints,
        sample::{Stage, clip_local, number},
    },
    io::gltf::decomposed,
    math::{Affine, Transform},
    model::{ChannelPath, Clip, ClipId, Document, Object, ObjectId, Parent, Target},
};
use std::sync::Arc;

/// A document in one clip, nothing else playing and nothing waiting to be keyed.
pub(crate) struct Played {
    pub(crate) document: Document,
    pub(crate) clip: Arc<Clip>,
    pub(crate) evaluator: Evaluator,
}

impl Played {
    pub(crate) fn new(document: &Document, id: ClipId) -> Option<Self> {
        let mut document = document.clone();
        Arc::make_mut(&mut document.settings).clip = Some(id);
        let own: Vec<ObjectId> =
            document.objects.iter().filter(|(_, object)| object.clip.is_some()).map(|(id, _)| *id).collect();
        for object in own {
            if let Some(object) = document.object_mut(object) {
                object.clip = None;
            }
        }
        if document.clip(id)?.unkeyed.iter().any(|frame| !frame.values.is_empty()) {
            document.clip_mut(id)?.unkeyed.clear();
        }
        let clip = document.clip(id)?.clone();
        Some(Self { document, clip, evaluator: Evaluator::new() })
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

    /// A node's transform in its parent's space.
    pub(crate) fn local(&self, node: Parent, secs: f64) -> Transform {
        let target = target_of(node);
        let plain = || {
            clip_local(&self.document, Some(&self.clip), target, secs, Stage::Corrected).unwrap_or(Transform::IDENTITY)
        };
        if !self.needs_frame(node) {
            return plain();
        }
        let frame = self.evaluator.frame(&self.document, secs);
        let found = match node {
            Parent::Joint(object, joint) => {
                let index = self.document.object(object).and_then(|o| o.as_rig()?.skeleton.index_of(joint));
                index.and_then(|index| frame.rig(object)?.local.get(index).copied())
            }
            Parent::Object(object) => {
                let above = match self.document.object(object).and_then(|object| object.parent) {
                    None => Some(Affine::IDENTITY),
                    Some(Parent::Object(parent)) => frame.objects.get(&parent).map(|parent| parent.world),
                    Some(Parent::Joint(rig, joint)) => {
                        let index = self.document.object(rig).and_then(|o| o.as_rig()?.skeleton.index_of(joint));
                        index.and_then(|index| frame.joint_world(rig, index))
                    }
                };
                let own = frame.objects.get(&object).map(|own| own.world);
                above.and_then(|above| Some(decomposed(&(above.try_inverse()? * own?))))
            }
        };
        found.unwrap_or_else(plain)
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

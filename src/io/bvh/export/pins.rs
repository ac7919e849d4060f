//! Pins, constraints, IK chains and drivers written into the joints: BVH has none.

use crate::eval::constraint::moves_joints;
use crate::eval::limbs::of_object;
use crate::eval::pins::{PinChain, acts_on};
use crate::eval::{EvaluatedFrame, Evaluator, drive, fk};
use crate::math::rotation::slerp;
use crate::math::{Affine, Transform};
use crate::model::{ChainPath, Clip, Document, ObjectId, Property};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A pin at full weight holds from this weight on.
const FULL: f64 = 1.0 - 1e-9;

/// The pins and constraints of a rig in a clip, solved row by row.
pub(super) struct Baked {
    /// The document as it is played: the rig plays the clip, nothing waits.
    document: Document,
    object: ObjectId,
    clip: Arc<Clip>,
    evaluator: Evaluator,
    /// The joints that pins turn, or constraints.
    joints: BTreeSet<usize>,
    /// The joints that constraints put to other places.
    moved: BTreeSet<usize>,
    before: Option<Arc<EvaluatedFrame>>,
    /// How many pins.
    pub(super) count: usize,
    /// How many constraints and chains.
    pub(super) constraints: usize,
    /// How many drivers of joints.
    pub(super) drivers: usize,
    /// How far a fully held joint is from its place halfway between two rows, metres, at most: readers interpolate. Where
    /// constraints act, how far any joint is.
    pub(super) between_rows: f64,
}

impl Baked {
    /// None where no pin of the clip acts on the rig, and no constraint or driver on its joints.
    pub(super) fn new(document: &Document, object: ObjectId, clip: Option<&Arc<Clip>>) -> Option<Self> {
        let clip = clip?.clone();
        let own: Vec<_> = clip.pins.iter().filter(|pin| pin.object == object && !pin.muted).cloned().collect();
        let id = document.clips.iter().find(|(_, other)| Arc::ptr_eq(other, &clip)).map(|(id, _)| *id)?;
        let mut played = document.clone();
        let waiting: Vec<_> = played.clips.iter().filter(|(_, c)| !c.unkeyed.is_empty()).map(|(id, _)| *id).collect();
        for id in waiting {
            played.clip_mut(id)?.unkeyed.clear();
        }
        played.object_mut(object)?.clip = Some(id);
        let rig = document.object(object)?.as_rig()?;
        let limbs = of_object(&played, object, &rig.skeleton);
        let held = own.iter().filter_map(|pin| rig.skeleton.index_of(pin.joint));
        let mut joints: BTreeSet<usize> = held.flat_map(|joint| PinChain::of(rig, &limbs, joint).path).collect();
        let (mut moved, mut constraints) = (BTreeSet::new(), 0);
        let acting = document.object(object)?.constraints.iter().filter(|constraint| !constraint.muted);
        for (constraint, joint) in acting.filter_map(|it| Some((it, rig.skeleton.index_of(it.joint?)?))) {
            constraints += 1;
            joints.insert(joint);
            let path = constraint
                .as_chain()
                .zip(constraint.joint)
                .and_then(|(chain, end)| ChainPath::new(&rig.skeleton, chain.base, end));
            match path {
                Some(path) => {
                    joints.extend(path.bodies.iter().chain(&path.points));
                    moved.extend(path.carrier);
                }
                None => {
                    moved.insert(joint);
                }
            }
        }
        let mut drivers = 0;
        for driver in document.object(object)?.drivers.iter().filter(|driver| driver.acts()) {
            let Some(joint) = driver.driven.target.joint().and_then(|joint| rig.skeleton.index_of(joint)) else {
                continue;
            };
            drivers += 1;
            match driver.driven.property {
                Property::Rotation => drop(joints.insert(joint)),
                Property::Translation => drop(moved.insert(joint)),
                _ => {}
            }
        }
        let (evaluator, count) = (Evaluator::new(), own.len());
        let (before, between_rows) = (None, 0.0);
        let document = played;
        let baked = Self {
            document,
            object,
            clip,
            evaluator,
            joints,
            moved,
            before,
            count,
            constraints,
            drivers,
            between_rows,
        };
        (count > 0 || baked.constrained()).then_some(baked)
    }

    /// Whether constraints or drivers act on joints of the rig.
    fn constrained(&self) -> bool {
        self.document.object(self.object).is_some_and(|object| moves_joints(object) || drive::moves_joints(object))
    }

    /// Whether a pin or a constraint turns a joint at any time.
    pub(super) fn turns(&self, joint: usize) -> bool {
        self.joints.contains(&joint)
    }

    /// Whether a constraint puts a joint to another place at any time.
    pub(super) fn moves(&self, joint: usize) -> bool {
        self.moved.contains(&joint)
    }

    /// The local transforms of a row; none where nothing acts then.
    pub(super) fn row(&mut self, secs: f64) -> Option<Vec<Transform>> {
        let frame = (self.constrained() || acts_on(&self.clip, self.object, secs))
            .then(|| self.evaluator.frame(&self.document, secs));
        let before = std::mem::replace(&mut self.before, frame.clone());
        let frame = frame?;
        if let Some(before) = before {
            self.between_rows = self.between_rows.max(self.halfway(&before, &frame).unwrap_or(0.0));
        }
        Some(frame.rig(self.object)?.local.clone())
    }

    /// The farthest a joint held in full at two rows is from halfway between its places, with each joint halfway; where
    /// constraints act the farthest of all from where they have it then.
    fn halfway(&self, a: &EvaluatedFrame, b: &EvaluatedFrame) -> Option<f64> {
        let skeleton = &self.document.object(self.object)?.as_rig()?.skeleton;
        let (from, to) = (a.rig(self.object)?, b.rig(self.object)?);
        let between = |(a, b): (&Transform, &Transform)| Transform {
            translation: (a.translation + b.translation) * 0.5,
            rotation: slerp(&a.rotation, &b.rotation, 0.5),
            scale: (a.scale + b.scale) * 0.5,
        };
        let locals: Vec<Transform> = from.local.iter().zip(&to.local).map(between).collect();
        let mut model = Vec::new();
        fk::model_from_locals(skeleton.tree(), &locals, &Affine::IDENTITY, &mut model);
        if self.constrained() {
            let halfway = self.evaluator.frame(&self.document, 0.5 * (a.secs + b.secs));
            let wanted = &halfway.rig(self.object)?.model;
            let off = model.iter().zip(wanted).map(|(at, wanted)| (at.translation - wanted.translation).norm());
            return Some(off.fold(0.0, f64::max));
        }
        let both = a.pins.iter().filter(|pin| pin.object == self.object && pin.weight >= FULL);
        let off = both.filter_map(|pin| {
            b.pins.iter().find(|other| other.pin == pin.pin && other.weight >= FULL && other.object == pin.object)?;
            let wanted = (from.model.get(pin.joint)?.translation + to.model.get(pin.joint)?.translation) * 0.5;
            Some((model.get(pin.joint)?.translation - wanted).norm())
        });
        Some(off.fold(0.0, f64::max))
    }
}

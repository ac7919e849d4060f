//! Pins while a limb is dragged: those of other joints hold, the grabbed joint's own goes with it.

use crate::{
    edit::{Edit, PinEdit, orientation_numbers},
    eval::{
        drag::Hold,
        limbs::Limbs,
        pins::{self, Body, Goal, PinChain, Space},
    },
    interact::tool::ToolContext,
    math::{Affine, Transform, Vec3},
    model::{ClipId, ObjectId, Pin, Rig},
};
use std::sync::Arc;

/// A pin acts in full from this weight on: one that is coming or going holds nothing against a drag.
const FULL: f64 = 1.0 - 1e-9;
/// How far two poses may lie apart and be one.
const SAME: f64 = 1e-12;
/// How long the parts of a pin that was parted take from one place to the other, seconds, at most.
const PART_SECS: f64 = 0.1;

/// The pins that act on a rig at the press.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    object: ObjectId,
    rig: Option<Arc<Rig>>,
    joint: usize,
    held: Vec<Goal>,
    own: Option<Own>,
}

/// The pin of the grabbed joint.
#[derive(Clone, Debug)]
struct Own {
    clip: ClipId,
    pin: Arc<Pin>,
    /// From the pin's space to the world.
    space: Affine,
}

impl Pinned {
    /// The pins on a rig object whose joint of this index is grabbed.
    pub(super) fn new(ctx: &ToolContext<'_>, object: ObjectId, joint: usize) -> Self {
        let rig = ctx.document.object(object).and_then(|object| object.as_rig()).cloned();
        let mut pinned = Self { object, rig, joint, held: Vec::new(), own: None };
        let clip = ctx.document.clip_of(object).and_then(|id| Some((id, ctx.document.clip(id)?)));
        let (Some((id, clip)), Some(placed)) = (clip, ctx.frame.objects.get(&object)) else { return pinned };
        let (secs, objects) = (ctx.frame.secs, &ctx.frame.objects);
        let goals = pins::goals(ctx.document, clip, object, secs, objects, &placed.world);
        for goal in goals {
            if goal.joint != joint {
                pinned.held.extend(Some(goal).filter(|goal| goal.weight >= FULL));
                continue;
            }
            let space = match goal.space {
                Space::Fixed(space) => Some(space),
                Space::Own(of) => ctx.frame.joint_world(object, of),
            };
            if let (Some(pin), Some(space)) = (clip.pin(goal.pin), space) {
                pinned.own = Some(Own { clip: id, pin: pin.clone(), space });
            }
        }
        // One that turns nothing (of a root) is not in the way.
        let limbs = |rig: &Rig| crate::eval::limbs::of_object(ctx.document, object, &rig.skeleton);
        let moves = |rig: &Arc<Rig>| PinChain::of(rig, &limbs(rig), joint).path.len() > 1;
        if !(pinned.own.is_some() && pinned.rig.as_ref().is_some_and(moves)) {
            pinned.own = None;
        }
        pinned
    }

    /// The joints that the pins hold in place, where they are in the world.
    pub(super) fn holds(&self) -> Vec<Hold> {
        let hold = |goal: &Goal| match goal.space {
            Space::Fixed(space) => Some(Hold { joint: goal.joint, place: Some(space.point(&goal.place)) }),
            // Where it is depends on the pose.
            Space::Own(_) => None,
        };
        self.held.iter().filter_map(hold).collect()
    }

    /// Whether the grabbed joint has a pin that goes with it.
    pub(super) const fn has_own(&self) -> bool {
        self.own.is_some()
    }

    /// Solves the pins that hold over what a drag has changed since the press. Limbs that are held and changed at all are
    /// changed whole, so that the pose stays when the pin goes.
    pub(super) fn hold(
        &self,
        limbs: &Limbs,
        root: Affine,
        pressed: &[Transform],
        changed: &mut Vec<(usize, Transform)>,
    ) {
        let Some(rig) = self.rig.as_ref().filter(|_| !self.held.is_empty()) else { return };
        let mut locals = with(pressed, changed);
        pins::solve(&Body { object: self.object, rig, limbs, root }, &mut locals, &self.held);
        let differs = |joint: &usize| is_other(&locals[*joint], &pressed[*joint]);
        let mut all: Vec<usize> = (0..locals.len()).filter(differs).collect();
        for goal in &self.held {
            let chain = PinChain::of(rig, limbs, goal.joint);
            if chain.path.iter().any(differs) {
                all.extend(chain.path);
            }
        }
        all.sort_unstable();
        all.dedup();
        *changed = all.into_iter().map(|joint| (joint, locals[joint])).collect();
    }

    /// Where the grabbed joint has come, world.
    pub(super) fn end(&self, pressed: &[Transform], root: Affine, changed: &[(usize, Transform)]) -> Vec3 {
        let locals = with(pressed, changed);
        let tree = self.rig.as_ref().map(|rig| rig.skeleton.tree()).unwrap_or_default();
        let mut model = Vec::new();
        crate::eval::fk::model_from_locals(tree, &locals, &root, &mut model);
        model.get(self.joint).map(|joint| joint.translation).unwrap_or_default()
    }

    /// The edit that takes the grabbed joint's pin to a place in the world; none where it has no pin.
    pub(super) fn moved(&self, ctx: &ToolContext<'_>, end: &Vec3, parts: bool) -> Option<Edit> {
        let Own { clip, pin, space } = self.own.as_ref()?;
        let place = space.try_inverse()?.point(end);
        let orientation = orientation_numbers(pin.orientation);
        let secs = ctx.frame.secs;
        let set = |pin| Edit::from(PinEdit::SetPlace { clip: *clip, pin, place, orientation });
        if parts && pin.range.0 < secs && secs < pin.range.1 {
            let second = ctx.document.clip(*clip)?.fresh_pin_id();
            let gap = PART_SECS.min(0.5 * (secs - pin.range.0));
            let split = PinEdit::Split { clip: *clip, pin: pin.id, secs, gap, second };
            return Some(Edit::Batch(vec![split.into(), set(second)]));
        }
        Some(set(pin.id))
    }
}

fn with(pressed: &[Transform], changed: &[(usize, Transform)]) -> Vec<Transform> {
    let mut locals = pressed.to_vec();
    for (joint, local) in changed {
        if let Some(slot) = locals.get_mut(*joint) {
            *slot = *local;
        }
    }
    locals
}

fn is_other(a: &Transform, b: &Transform) -> bool {
    let (p, q) = (a.rotation.coords, b.rotation.coords);
    let turned = (p - q).norm().min((p + q).norm());
    turned > SAME || (a.translation - b.translation).norm() > SAME * (1.0 + b.translation.norm())
}

//! From the pins of a clip to goals at one time.

use super::{Goal, Space, acting};
use crate::{
    eval::{EvaluatedFrame, ObjectFrame, pipeline::joint_model},
    math::Affine,
    model::{Clip, Document, ObjectId, Pin, PinSpace},
};
use std::{collections::BTreeMap, sync::Arc};

/// The goals of the pins that act on a rig object at a time. `objects` holds the frames of the other objects; a pin in
/// the space of one that is not there (it waits for this rig itself) is passed over.
#[must_use]
pub fn goals(
    document: &Document,
    clip: &Clip,
    object: ObjectId,
    secs: f64,
    objects: &BTreeMap<ObjectId, ObjectFrame>,
    own: &Affine,
) -> Vec<Goal> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return Vec::new() };
    let goal = |(pin, weight): (&Arc<Pin>, f64)| {
        let space = match pin.space {
            PinSpace::World => Space::Fixed(Affine::IDENTITY),
            PinSpace::Object(other) if other == object => Space::Fixed(*own),
            PinSpace::Object(other) => Space::Fixed(objects.get(&other)?.world),
            PinSpace::Joint(other, joint) if other == object => Space::Own(rig.skeleton.index_of(joint)?),
            PinSpace::Joint(other, joint) => {
                let frame = objects.get(&other)?;
                Space::Fixed(frame.world * joint_model(document, other, joint, frame)?)
            }
        };
        let joint = rig.skeleton.index_of(pin.joint)?;
        Some(Goal { pin: pin.id, joint, space, place: pin.place, orientation: pin.orientation, weight })
    };
    acting(clip, object, secs).filter_map(goal).collect()
}

/// From a pin's space to the world in a frame; none where it does not exist.
#[must_use]
pub fn space_in_world(document: &Document, frame: &EvaluatedFrame, space: PinSpace) -> Option<Affine> {
    match space {
        PinSpace::World => Some(Affine::IDENTITY),
        PinSpace::Object(object) => Some(frame.objects.get(&object)?.world),
        PinSpace::Joint(object, joint) => {
            let rig = document.object(object)?.as_rig()?;
            frame.joint_world(object, rig.skeleton.index_of(joint)?)
        }
    }
}

//! From the pins of a clip to goals at one time.

use super::{Goal, Space, acting};
use crate::{
    eval::{ObjectFrame, pipeline::joint_model},
    model::{Clip, Document, ObjectId, PinSpace},
};
use std::collections::BTreeMap;

/// The goals of the pins that act on a rig object at a time. `objects` holds the frames of the other objects; a pin in
/// the space of one that is not there (it waits for this rig itself) is passed over.
#[must_use]
pub fn goals(
    document: &Document,
    clip: &Clip,
    object: ObjectId,
    secs: f64,
    objects: &BTreeMap<ObjectId, ObjectFrame>,
    own: &crate::math::Affine,
) -> Vec<Goal> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return Vec::new() };
    let goal = |(pin, weight): (&std::sync::Arc<crate::model::Pin>, f64)| {
        let space = match pin.space {
            PinSpace::World => Space::Fixed(crate::math::Affine::IDENTITY),
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

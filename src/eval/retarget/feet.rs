//! Feet that stand: found in the source, held in the target.

use super::{Figure, JointMap};
use crate::{
    eval::{
        contacts::{Stillness, contacts},
        limbs::Role,
    },
    math::Vec3,
    model::{JointId, ObjectId, Pin, PinId, PinSpace},
};

/// A foot of both figures: the joints at the ends of the legs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootPair {
    /// The source's, by index.
    pub source: usize,
    /// The target's, by index.
    pub target: usize,
}

/// A foot that stands for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The foot.
    pub foot: FootPair,
    /// First and last frame, counted from the clip's first.
    pub frames: (usize, usize),
    /// Where the target's foot is held, its object's space.
    pub place: Vec3,
    /// How far the target's foot slides over the ground as it was carried over, metres: the farthest it comes from where it
    /// first stood.
    pub slide_before: f64,
    /// The same as it is held; as before where it is not.
    pub slide_after: f64,
}

/// How long a foot takes to come to where it is held, seconds, where there is time.
const EASE: f64 = 0.12;

/// The feet that stand for each other.
#[must_use]
pub(super) fn feet(source: &Figure, target: &Figure, map: &JointMap) -> Vec<FootPair> {
    let ends = source.limbs.of_role(Role::Leg).map(crate::eval::limbs::Limb::end).collect::<Vec<_>>();
    let of = |target: usize| {
        let source = map.of(target)?.source;
        ends.contains(&source).then_some(FootPair { source, target })
    };
    target.limbs.of_role(Role::Leg).filter_map(|leg| of(leg.end())).collect()
}

/// When the feet of the source stand. `places` has those of each foot, by frame, in the upright space.
#[must_use]
pub(super) fn standing(places: &[Vec<Vec3>], frame_secs: f64, size: f64) -> Vec<Vec<(usize, usize)>> {
    let stillness = Stillness::of_size(size, true);
    places.iter().map(|places| contacts(places, frame_secs, &stillness)).collect()
}

/// How far a foot comes over the ground from where it was first, metres.
pub(super) fn slide(places: &[Vec3]) -> f64 {
    let Some(first) = places.first() else { return 0.0 };
    places.iter().map(|place| (place.x - first.x).hypot(place.z - first.z)).fold(0.0, f64::max)
}

/// The pins that hold the contacts, in the space of the target's object, so that they go where the character is put.
pub(super) fn pins(
    contacts: &[Contact],
    target: (ObjectId, &Figure),
    secs: impl Fn(usize) -> f64,
    frame_secs: f64,
) -> Vec<Pin> {
    let (object, figure) = target;
    let joint = |index: usize| figure.skeleton().joints().get(index).map_or(JointId(0), |joint| joint.id);
    let pin = |(index, contact): (usize, &Contact)| {
        let same = |other: &&Contact| other.foot == contact.foot;
        let before = contacts[..index].iter().rev().find(same).map(|other| other.frames.1);
        let after = contacts[index + 1..].iter().find(same).map(|other| other.frames.0);
        // Two of one foot do not act at once.
        let room = |frames: usize| (0.5 * frames as f64 * frame_secs).min(EASE);
        let ease = (
            before.map_or(EASE, |before| room(contact.frames.0.saturating_sub(before))),
            after.map_or(EASE, |after| room(after.saturating_sub(contact.frames.1))),
        );
        Pin {
            id: PinId(u32::try_from(index).unwrap_or(u32::MAX)),
            name: String::new(),
            object,
            joint: joint(contact.foot.target),
            space: PinSpace::Object(object),
            place: contact.place,
            orientation: None,
            range: (secs(contact.frames.0), secs(contact.frames.1)),
            ease,
            influence: 1.0,
            muted: false,
        }
    };
    contacts.iter().enumerate().map(pin).collect()
}

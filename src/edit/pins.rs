//! Edits of pins.

use super::{Edit, EditError, clips::clip_mut, error::finite};
use crate::{
    math::{Quat, Vec3},
    model::{ChannelPath, Clip, ClipId, Document, ObjectId, Pin, PinId, PinSpace},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a clip's pins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PinEdit {
    /// Adds a pin after the others.
    Add {
        /// The clip.
        clip: ClipId,
        /// The pin; its id must be new in the clip.
        pin: Arc<Pin>,
    },
    /// Deletes a pin with its influence curve. What was posed while it acted stays.
    Delete {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
    },
    /// Renames a pin.
    Rename {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// The name; empty for the joint's.
        name: String,
    },
    /// Switches a pin off or on.
    Mute {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// Whether it is off.
        muted: bool,
    },
    /// Sets where a pin holds its joint, over all its range.
    SetPlace {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// Where, in the pin's space, metres.
        place: Vec3,
        /// The joint's rotation in the pin's space; none leaves it to the limb.
        orientation: Option<[f64; 4]>,
    },
    /// Sets what a pin is at rest in, and where in it.
    SetSpace {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// The space.
        space: PinSpace,
        /// Where, in that space, metres.
        place: Vec3,
        /// The joint's rotation in that space; none leaves it to the limb.
        orientation: Option<[f64; 4]>,
    },
    /// Sets when a pin holds.
    SetRange {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// Start and end, seconds.
        range: (f64, f64),
    },
    /// Sets how long a pin takes to come and to go.
    SetEase {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// Before its range and after it, seconds, >= 0.
        ease: (f64, f64),
    },
    /// Sets how much of a pin acts where its influence has no curve.
    SetInfluence {
        /// The clip.
        clip: ClipId,
        /// The pin.
        pin: PinId,
        /// 0..1.
        influence: f64,
    },
    /// Splits a pin at a time within its range: a second one, with the same place and influence, holds from there on. With a
    /// `gap` the first lets go so much earlier, and both ease over it: then the second can be moved without a jump.
    Split {
        /// The clip.
        clip: ClipId,
        /// The pin, which becomes the first part.
        pin: PinId,
        /// The time, seconds.
        secs: f64,
        /// Seconds between the parts, >= 0; at most what is before the time.
        gap: f64,
        /// The id of the second part, new in the clip.
        second: PinId,
    },
}

impl From<PinEdit> for Edit {
    fn from(edit: PinEdit) -> Self {
        Self::Pin(edit)
    }
}

/// A rotation as the four numbers of an edit, x, y, z, w.
#[must_use]
pub fn orientation_numbers(rotation: Option<Quat>) -> Option<[f64; 4]> {
    rotation.map(|rotation| [rotation.i, rotation.j, rotation.k, rotation.w])
}

fn orientation(numbers: Option<[f64; 4]>) -> Result<Option<Quat>, EditError> {
    let bad = EditError::BadNumber { what: "a rotation", value: f64::NAN };
    match numbers {
        None => Ok(None),
        Some([x, y, z, w]) => crate::math::rotation::try_unit(x, y, z, w).map(Some).ok_or(bad),
    }
}

impl PinEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Add { clip, pin } => {
                let found = clip_mut(document, *clip)?;
                if found.pin(pin.id).is_some() {
                    return Err(EditError::IdInUse(pin.id.0));
                }
                found.pins.push(pin.clone());
            }
            Self::Delete { clip, pin } => {
                let found = clip_mut(document, *clip)?;
                let at = place(found, *clip, *pin)?;
                let removed = found.pins.remove(at);
                found.channels.remove(&ChannelPath::influence(removed.object, removed.id));
            }
            Self::Split { clip, pin, secs, gap, second } => {
                split(clip_mut(document, *clip)?, *clip, *pin, (*secs, *gap), *second)?;
            }
            other => other.change(document)?,
        }
        check(document)
    }

    /// What changes one pin and no list.
    fn change(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Rename { clip, pin, name } => pin_mut(document, *clip, *pin)?.name.clone_from(name),
            Self::Mute { clip, pin, muted } => pin_mut(document, *clip, *pin)?.muted = *muted,
            Self::SetPlace { clip, pin, place, orientation: numbers } => {
                let rotation = orientation(*numbers)?;
                let pin = pin_mut(document, *clip, *pin)?;
                (pin.place, pin.orientation) = (*place, rotation);
            }
            Self::SetSpace { clip, pin, space, place, orientation: numbers } => {
                let rotation = orientation(*numbers)?;
                let pin = pin_mut(document, *clip, *pin)?;
                (pin.space, pin.place, pin.orientation) = (*space, *place, rotation);
            }
            Self::SetRange { clip, pin, range } => pin_mut(document, *clip, *pin)?.range = *range,
            Self::SetEase { clip, pin, ease } => pin_mut(document, *clip, *pin)?.ease = *ease,
            Self::SetInfluence { clip, pin, influence } => {
                pin_mut(document, *clip, *pin)?.influence = *influence;
            }
            Self::Add { .. } | Self::Delete { .. } | Self::Split { .. } => {}
        }
        let (Self::Rename { clip, pin, .. }
        | Self::Mute { clip, pin, .. }
        | Self::SetPlace { clip, pin, .. }
        | Self::SetSpace { clip, pin, .. }
        | Self::SetRange { clip, pin, .. }
        | Self::SetEase { clip, pin, .. }
        | Self::SetInfluence { clip, pin, .. }
        | Self::Delete { clip, pin }
        | Self::Split { clip, pin, .. }) = self
        else {
            return Ok(());
        };
        sound(pin_mut(document, *clip, *pin)?)
    }
}

fn place(clip: &Clip, id: ClipId, pin: PinId) -> Result<usize, EditError> {
    clip.pins.iter().position(|other| other.id == pin).ok_or(EditError::NoPin(id, pin))
}

fn pin_mut(document: &mut Document, id: ClipId, pin: PinId) -> Result<&mut Pin, EditError> {
    let clip = clip_mut(document, id)?;
    let at = place(clip, id, pin)?;
    clip.pins.get_mut(at).map(Arc::make_mut).ok_or(EditError::NoPin(id, pin))
}

/// That the numbers of a pin are sound.
fn sound(pin: &Pin) -> Result<(), EditError> {
    for number in pin.place.iter() {
        finite("a pin's place", *number)?;
    }
    for number in [pin.range.0, pin.range.1, pin.ease.0, pin.ease.1] {
        finite("a pin's time", number)?;
    }
    if pin.range.0 > pin.range.1 {
        return Err(EditError::BadNumber { what: "the end of a range", value: pin.range.1 });
    }
    if let Some(bad) = [pin.ease.0, pin.ease.1].into_iter().find(|ease| *ease < 0.0) {
        return Err(EditError::BadNumber { what: "what a pin takes to come or go", value: bad });
    }
    if !(0.0..=1.0).contains(&pin.influence) {
        return Err(EditError::BadNumber { what: "a pin's influence", value: pin.influence });
    }
    Ok(())
}

/// That what the pins of a document name exists, and none waits for itself.
fn check(document: &Document) -> Result<(), EditError> {
    let joint = |object, joint| {
        let rig = document.object(object).ok_or(EditError::NoObject(object))?;
        let rig = rig.as_rig().ok_or(EditError::NotARig(object))?;
        rig.skeleton.joint(joint).map(|_| ()).ok_or(EditError::NoJoint(object, joint))
    };
    for pin in document.clips.values().flat_map(|clip| &clip.pins) {
        sound(pin)?;
        joint(pin.object, pin.joint)?;
        match pin.space {
            PinSpace::World => {}
            PinSpace::Object(object) => {
                document.object(object).ok_or(EditError::NoObject(object))?;
            }
            PinSpace::Joint(object, of) => joint(object, of)?,
        }
    }
    match document.waiting_cycles().into_iter().next() {
        Some(members) => Err(EditError::PinCycle(members.join(", "))),
        None => Ok(()),
    }
}

fn split(clip: &mut Clip, id: ClipId, pin: PinId, (secs, gap): (f64, f64), second: PinId) -> Result<(), EditError> {
    let at = place(clip, id, pin)?;
    if clip.pin(second).is_some() {
        return Err(EditError::IdInUse(second.0));
    }
    let (start, end) = clip.pins[at].range;
    if !(start < secs && secs < end) {
        return Err(EditError::BadNumber { what: "a time within the pin's range", value: secs });
    }
    if !(0.0..=secs - start).contains(&gap) {
        return Err(EditError::BadNumber { what: "the time between the parts of a pin", value: gap });
    }
    let first = Arc::make_mut(&mut clip.pins[at]);
    let later = Pin { id: second, range: (secs, end), ease: (gap, first.ease.1), ..first.clone() };
    first.range.1 = secs - gap;
    first.ease.1 = gap;
    let (of, to) = (ChannelPath::influence(later.object, pin), ChannelPath::influence(later.object, second));
    if let Some(curve) = clip.channels.get(&of).cloned() {
        clip.channels.insert(to, curve);
    }
    clip.pins.insert(at + 1, Arc::new(later));
    Ok(())
}

/// Drops the pins of an object's joints and those in its spaces, with their curves.
pub(super) fn forget(clip: &mut Clip, object: ObjectId) {
    let gone: Vec<_> = clip.pins.iter().filter(|pin| pin.mentions(object)).map(|pin| (pin.object, pin.id)).collect();
    for (of, pin) in gone {
        clip.channels.remove(&ChannelPath::influence(of, pin));
    }
    clip.pins.retain(|pin| !pin.mentions(object));
}

//! Locks: numbers of a joint that nothing done by hand changes.

use super::{
    channel::{ChannelPath, Component, Property, Target},
    curve::is_default,
    document::Document,
};
use serde::{Deserialize, Serialize};

/// Which numbers of a joint's transform stay as its curves and its rest pose have them: no tool, drag or key changes them.
/// Drivers, constraints and IK chains act all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locks {
    /// Along X, Y and Z.
    #[serde(default, skip_serializing_if = "is_default")]
    pub translation: [bool; 3],
    /// About X, Y and Z, as angles in the joint's order; of a rotation held as a quaternion X, then Y, then Z within.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: [bool; 3],
    /// Along the joint's own axes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scale: [bool; 3],
}

impl Locks {
    /// Those of a property; none but of a transform's.
    #[must_use]
    pub const fn of(&self, property: Property) -> [bool; 3] {
        match property {
            Property::Translation => self.translation,
            Property::Rotation => self.rotation,
            Property::Scale => self.scale,
            _ => [false; 3],
        }
    }

    /// Those of a property, to change.
    pub const fn of_mut(&mut self, property: Property) -> Option<&mut [bool; 3]> {
        match property {
            Property::Translation => Some(&mut self.translation),
            Property::Rotation => Some(&mut self.rotation),
            Property::Scale => Some(&mut self.scale),
            _ => None,
        }
    }
}

impl Document {
    /// The locks of a target; none but of joints.
    #[must_use]
    pub fn locks(&self, target: Target) -> Option<&Locks> {
        let rig = self.object(target.object())?.as_rig()?;
        rig.locks.get(&target.joint()?)
    }

    /// Whether a channel is locked: a quaternion where all three angles are.
    #[must_use]
    pub fn is_locked(&self, path: ChannelPath) -> bool {
        let Some(locks) = self.locks(path.target) else { return false };
        let of = locks.of(path.property);
        match (path.component, path.component.axis()) {
            (_, Some(axis)) => of[axis],
            (Component::Whole, _) => of == [true; 3],
            _ => false,
        }
    }
}

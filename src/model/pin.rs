//! Pins: joints held in place over a range of time.

use super::{
    curve::{finite, is_default},
    id::{JointId, ObjectId, PinId},
};
use crate::math::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A joint held in place. It acts after the clip's curves and corrections, by turning the joint's limb and the joint itself,
/// never the root; a joint that cannot reach its place comes as near as it can.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Its identity in the clip.
    pub id: PinId,
    /// Its name; empty for the joint's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The rig object of the joint.
    pub object: ObjectId,
    /// The joint that is held.
    pub joint: JointId,
    /// The space that place and orientation are in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub space: PinSpace,
    /// Where the joint is held, metres in `space`.
    pub place: Vec3,
    /// The joint's rotation in `space`; none leaves it to the limb.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "orientation")]
    pub orientation: Option<Quat>,
    /// From when to when it holds in full, seconds, both included; start <= end.
    pub range: (f64, f64),
    /// How long it takes to come before the range, and to go after it, seconds, >= 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ease: (f64, f64),
    /// How much of it acts, 0..1, where its influence has no curve.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub influence: f64,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
}

/// What a pin is at rest in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PinSpace {
    /// The world.
    #[default]
    World,
    /// An object: the pin goes where it goes.
    Object(ObjectId),
    /// A joint of a rig object.
    Joint(ObjectId, JointId),
}

impl PinSpace {
    /// The object that is or carries the space; none for the world.
    #[must_use]
    pub const fn object(self) -> Option<ObjectId> {
        match self {
            Self::World => None,
            Self::Object(object) | Self::Joint(object, _) => Some(object),
        }
    }
}

impl Pin {
    /// The times between which it does anything: its range with what it takes to come and go.
    #[must_use]
    pub fn reach(&self) -> (f64, f64) {
        (self.range.0 - self.ease.0, self.range.1 + self.ease.1)
    }

    /// Whether an object is held by it or carries its space.
    #[must_use]
    pub fn mentions(&self, object: ObjectId) -> bool {
        self.object == object || self.space.object() == Some(object)
    }
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

mod orientation {
    use super::Quat;
    use crate::model::curve::unit_quaternion;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Unit(#[serde(with = "unit_quaternion")] Quat);

    #[expect(clippy::ref_option, reason = "serde passes the field as it is")]
    pub(super) fn serialize<S: Serializer>(value: &Option<Quat>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(Unit).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Quat>, D::Error> {
        Ok(Option::<Unit>::deserialize(deserializer)?.map(|unit| unit.0))
    }
}

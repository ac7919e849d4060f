//! Objects: the things in the scene.

use super::{
    id::{ClipId, JointId, ObjectId},
    rig::Rig,
};
use crate::math::Transform;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use super::skeleton::rest as transform_parts;

/// A thing in the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Its name; need not be unique.
    pub name: String,
    /// What it moves with; none for the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
    /// Its static transform in the parent's space: the value of its channels where a clip has no curve for them.
    #[serde(default, skip_serializing_if = "super::curve::is_default", with = "transform_parts")]
    pub transform: Transform,
    /// Whether it is hidden.
    #[serde(default, skip_serializing_if = "super::curve::is_default")]
    pub hidden: bool,
    /// The clip it plays; none for its parent's, or the document's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipId>,
    /// What it is.
    pub kind: ObjectKind,
}

/// What an object moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Parent {
    /// Another object.
    Object(ObjectId),
    /// A joint of a rig object.
    Joint(ObjectId, JointId),
}

impl Parent {
    /// The object that is or holds the parent.
    #[must_use]
    pub const fn object(self) -> ObjectId {
        match self {
            Self::Object(object) | Self::Joint(object, _) => object,
        }
    }
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A skeleton that can be posed.
    Rig(Arc<Rig>),
}

impl Object {
    /// An object of a rig.
    #[must_use]
    pub fn rig(name: &str, rig: Rig) -> Self {
        Self {
            name: name.to_owned(),
            parent: None,
            transform: Transform::IDENTITY,
            hidden: false,
            clip: None,
            kind: ObjectKind::Rig(Arc::new(rig)),
        }
    }

    /// The rig, where the object is one.
    #[must_use]
    pub const fn as_rig(&self) -> Option<&Arc<Rig>> {
        match &self.kind {
            ObjectKind::Rig(rig) => Some(rig),
        }
    }
}

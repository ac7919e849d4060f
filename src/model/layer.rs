//! Layers: what an object plays, one over the other.

use super::{
    blend_scheme::RotationBlend,
    blend_space::Plays,
    channel::{ChannelPath, Component, Property, Target},
    curve::{finite, is_default},
    id::{JointMaskId, LayerId, ObjectId},
};
use serde::{Deserialize, Serialize};

/// A layer of an object. The weight and the point of a space are channels, whose curves are those of the document's clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Its identity in the object.
    pub id: LayerId,
    /// Its name.
    pub name: String,
    /// What it plays.
    pub plays: Plays,
    /// Whether it goes over what lies below or is added to it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mode: LayerMode,
    /// How rotations go over to it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotations: RotationBlend,
    /// How much of it acts where no curve says so, 0..1; an added one may have more.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub weight: f64,
    /// The point of the space it plays where no curves say so.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::pair")]
    pub point: [f64; 2],
    /// The joints it acts on, and how much; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<JointMaskId>,
    /// By how much later than the document's time it plays, seconds.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub start: f64,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// Whether it alone plays, with others so marked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub solo: bool,
}

/// How a layer acts on what lies below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LayerMode {
    /// It takes the place of what lies below, by its weight.
    #[default]
    Override,
    /// What it differs by from its clip's reference is added ([`super::Additive`]).
    Additive,
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

impl Layer {
    /// A layer over all that lies below.
    #[must_use]
    pub fn new(id: LayerId, name: &str, plays: Plays) -> Self {
        Self {
            id,
            name: name.to_owned(),
            plays,
            mode: LayerMode::default(),
            rotations: RotationBlend::default(),
            weight: 1.0,
            point: [0.0; 2],
            mask: None,
            start: 0.0,
            muted: false,
            solo: false,
        }
    }

    /// No layer starts farther from time 0, seconds: from there on single frames can hardly be told apart.
    pub const MOST_START: f64 = 1e9;

    /// The first number that no layer can have, in words; none for a sound one.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        if !(self.weight.is_finite() && self.weight >= 0.0) {
            return Some("its weight is not a finite number or below 0");
        }
        if !(self.start.abs() <= Self::MOST_START) {
            return Some("its start is not within 1e9 seconds of 0");
        }
        if !self.point.iter().all(|v| v.is_finite()) {
            return Some("its point is not of finite numbers");
        }
        None
    }
}

impl ChannelPath {
    /// How much of a sample of the space that a layer plays, by its place in the list, plays where each has a weight of its own.
    #[must_use]
    pub const fn sample(object: ObjectId, layer: LayerId, place: u32) -> Self {
        Self { target: Target::Sample(object, layer, place), property: Property::Weight, component: Component::Only }
    }

    /// A channel of a layer: its weight, or a coordinate of the point it plays.
    #[must_use]
    pub const fn layer(object: ObjectId, layer: LayerId, property: Property) -> Self {
        Self { target: Target::Layer(object, layer), property, component: Component::Only }
    }
}

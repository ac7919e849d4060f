//! Channels: names for everything that can move.

use super::id::{ConstraintId, DeformerId, JointId, LayerId, MorphId, ObjectId, PinId, PointId};
use crate::math::Quat;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// What a channel belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// An object as a whole.
    Object(ObjectId),
    /// A joint of a rig object.
    Joint(ObjectId, JointId),
    /// A pin, in the clip that holds the channel, of a joint of this object.
    Pin(ObjectId, PinId),
    /// A point of a path object, or of a lattice object: there the translation is the offset from rest.
    Point(ObjectId, PointId),
    /// A constraint of an object; of an IK chain the translation is that of what it reaches for.
    Constraint(ObjectId, ConstraintId),
    /// A morph target of a mesh object.
    Morph(ObjectId, MorphId),
    /// What an IK chain bends towards.
    Pole(ObjectId, ConstraintId),
    /// An entry of a mesh object's deformer stack.
    Deformer(ObjectId, DeformerId),
    /// A layer of an object, whose curves are those of the document's clip.
    Layer(ObjectId, LayerId),
    /// A sample of the blend space that a layer plays, by its place in the list: how much of it plays where each sample has a
    /// weight of its own.
    Sample(ObjectId, LayerId, u32),
}

impl Target {
    /// The object the target is or belongs to.
    #[must_use]
    pub const fn object(self) -> ObjectId {
        match self {
            Self::Object(object)
            | Self::Joint(object, _)
            | Self::Pin(object, _)
            | Self::Point(object, _)
            | Self::Constraint(object, _)
            | Self::Morph(object, _)
            | Self::Pole(object, _)
            | Self::Deformer(object, _)
            | Self::Layer(object, _)
            | Self::Sample(object, ..) => object,
        }
    }

    /// The same part of another object.
    #[must_use]
    pub const fn on(self, object: ObjectId) -> Self {
        match self {
            Self::Object(_) => Self::Object(object),
            Self::Joint(_, joint) => Self::Joint(object, joint),
            Self::Pin(_, pin) => Self::Pin(object, pin),
            Self::Point(_, point) => Self::Point(object, point),
            Self::Constraint(_, constraint) => Self::Constraint(object, constraint),
            Self::Morph(_, morph) => Self::Morph(object, morph),
            Self::Pole(_, constraint) => Self::Pole(object, constraint),
            Self::Deformer(_, entry) => Self::Deformer(object, entry),
            Self::Layer(_, layer) => Self::Layer(object, layer),
            Self::Sample(_, layer, place) => Self::Sample(object, layer, place),
        }
    }

    /// The joint, where the target is one.
    #[must_use]
    pub const fn joint(self) -> Option<JointId> {
        match self {
            Self::Object(_)
            | Self::Pin(..)
            | Self::Point(..)
            | Self::Constraint(..)
            | Self::Morph(..)
            | Self::Pole(..)
            | Self::Deformer(..)
            | Self::Layer(..)
            | Self::Sample(..) => None,
            Self::Joint(_, joint) => Some(joint),
        }
    }

    /// The properties of a transform that the target has.
    #[must_use]
    pub const fn transform_properties(self) -> &'static [Property] {
        match self {
            Self::Object(_) | Self::Joint(..) => &Property::ALL,
            Self::Point(..) | Self::Constraint(..) | Self::Pole(..) => &[Property::Translation],
            Self::Pin(..) | Self::Morph(..) | Self::Deformer(..) | Self::Layer(..) | Self::Sample(..) => &[],
        }
    }
}

/// What of the target moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Property {
    /// Position in the parent's space, metres.
    Translation,
    /// Rotation in the parent's space: Euler angles in the joint's order, radians, or one quaternion.
    Rotation,
    /// Scale along the local axes.
    Scale,
    /// How much of a pin, a constraint or an entry of a deformer stack acts, 0..1.
    Influence,
    /// How far along its path a follower is, metres or (tied) parts of the path.
    Distance,
    /// How fast a follower goes along its path, metres a second.
    Speed,
    /// How a follower's speed changes, metres a second squared.
    Acceleration,
    /// Which of its parents holds what a constraint moves: its place among them.
    Source,
    /// The field of view of a camera from the bottom to the top of the picture, radians.
    FieldOfView,
    /// How much of a morph target, a layer or a sample acts; beyond 0..1 it is overdriven.
    Weight,
    /// How strong a light is: candela, or lux of a directional one.
    Intensity,
    /// The red part of a light's linear colour.
    Red,
    /// The green part of a light's linear colour.
    Green,
    /// The blue part of a light's linear colour.
    Blue,
    /// By how much a deformer turns from its low end to its high one, radians.
    Angle,
    /// How much of its action a deformer has: a factor, or a slope.
    Factor,
    /// Where along its axis a deformer begins, metres.
    Low,
    /// Where along its axis a deformer ends, metres.
    High,
    /// How high the waves of a deformer are, metres from the middle.
    Amplitude,
    /// How far apart the waves of a deformer are, metres.
    Wavelength,
    /// How far the waves of a deformer have gone on, radians.
    Phase,
    /// How far a deformer acts from its landmarks, or the parameter of its kernel, metres.
    Radius,
    /// How much a mesh follows its joints by dual quaternions, 0..1.
    Blend,
    /// The first coordinate of the point of a blend space that a layer plays, in the axis's unit.
    Horizontal,
    /// The second coordinate of that point.
    Vertical,
}

impl Property {
    /// The properties of objects and joints: those of a transform.
    pub const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// The properties that are one number.
    pub const NUMBERS: [Self; 22] = [
        Self::Influence,
        Self::Source,
        Self::Distance,
        Self::Speed,
        Self::Acceleration,
        Self::FieldOfView,
        Self::Weight,
        Self::Intensity,
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Angle,
        Self::Factor,
        Self::Low,
        Self::High,
        Self::Amplitude,
        Self::Wavelength,
        Self::Phase,
        Self::Radius,
        Self::Blend,
        Self::Horizontal,
        Self::Vertical,
    ];

    /// The properties of a layer.
    pub const LAYER: [Self; 3] = [Self::Weight, Self::Horizontal, Self::Vertical];

    /// The properties of a light.
    pub const LIGHT: [Self; 4] = [Self::Intensity, Self::Red, Self::Green, Self::Blue];

    /// The properties of deformers; each kind has some of them.
    pub const DEFORMER: [Self; 8] = [
        Self::Angle,
        Self::Factor,
        Self::Low,
        Self::High,
        Self::Amplitude,
        Self::Wavelength,
        Self::Phase,
        Self::Radius,
    ];

    /// Whether it is one of those of a transform.
    #[must_use]
    pub const fn is_of_transform(self) -> bool {
        matches!(self, Self::Translation | Self::Rotation | Self::Scale)
    }

    /// The name in paths: `translation`, `rotation`, `scale`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Influence => "influence",
            Self::Distance => "distance",
            Self::Speed => "speed",
            Self::Acceleration => "acceleration",
            Self::Source => "source",
            Self::FieldOfView => "field_of_view",
            Self::Weight => "weight",
            Self::Intensity => "intensity",
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Angle => "angle",
            Self::Factor => "factor",
            Self::Low => "low",
            Self::High => "high",
            Self::Amplitude => "amplitude",
            Self::Wavelength => "wavelength",
            Self::Phase => "phase",
            Self::Radius => "radius",
            Self::Blend => "blend",
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
        }
    }

    /// The property of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain(Self::NUMBERS).find(|property| property.name() == name)
    }
}

/// Which number of the property; a quaternion track is one [`Component::Whole`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Component {
    /// Along or about X.
    X,
    /// Along or about Y.
    Y,
    /// Along or about Z.
    Z,
    /// All at once: a rotation as a quaternion.
    Whole,
    /// The number itself, of a property that is one number.
    Only,
}

impl Component {
    /// The three axes.
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// 0, 1 or 2 for an axis.
    #[must_use]
    pub const fn axis(self) -> Option<usize> {
        match self {
            Self::X => Some(0),
            Self::Y => Some(1),
            Self::Z => Some(2),
            Self::Whole | Self::Only => None,
        }
    }

    /// The suffix in paths: `.x`, `.y`, `.z` or nothing.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::X => ".x",
            Self::Y => ".y",
            Self::Z => ".z",
            Self::Whole | Self::Only => "",
        }
    }
}

/// The name of one channel, by ids: `3/j12/rotation.x`. In a document's text it is a string of this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelPath {
    /// What moves.
    pub target: Target,
    /// Which property of it.
    pub property: Property,
    /// Which component of the property.
    pub component: Component,
}

impl ChannelPath {
    /// A channel of an object as a whole.
    #[must_use]
    pub const fn object(object: ObjectId, property: Property, component: Component) -> Self {
        Self { target: Target::Object(object), property, component }
    }

    /// A channel of a joint.
    #[must_use]
    pub const fn joint(object: ObjectId, joint: JointId, property: Property, component: Component) -> Self {
        Self { target: Target::Joint(object, joint), property, component }
    }

    /// The influence of a pin.
    #[must_use]
    pub const fn influence(object: ObjectId, pin: PinId) -> Self {
        Self { target: Target::Pin(object, pin), property: Property::Influence, component: Component::Only }
    }

    /// A channel of a constraint.
    #[must_use]
    pub const fn constraint(object: ObjectId, constraint: ConstraintId, property: Property) -> Self {
        Self { target: Target::Constraint(object, constraint), property, component: Component::Only }
    }

    /// A coordinate of a point of a path.
    #[must_use]
    pub const fn point(object: ObjectId, point: PointId, component: Component) -> Self {
        Self { target: Target::Point(object, point), property: Property::Translation, component }
    }

    /// Whether target, property and component fit each other.
    #[must_use]
    pub fn is_sound(self) -> bool {
        let fits = match self.component {
            Component::Whole => self.property == Property::Rotation,
            Component::Only => !self.property.is_of_transform(),
            _ => self.property.is_of_transform(),
        };
        fits && match self.property {
            Property::Translation => !matches!(
                self.target,
                Target::Pin(..) | Target::Morph(..) | Target::Deformer(..) | Target::Layer(..) | Target::Sample(..)
            ),
            Property::Rotation | Property::Scale => matches!(self.target, Target::Object(_) | Target::Joint(..)),
            Property::Influence => {
                matches!(self.target, Target::Pin(..) | Target::Constraint(..) | Target::Deformer(..))
            }
            Property::Distance | Property::Speed | Property::Acceleration | Property::Source => {
                matches!(self.target, Target::Constraint(..))
            }
            Property::Weight => {
                matches!(self.target, Target::Morph(..) | Target::Layer(..) | Target::Sample(..))
            }
            Property::Horizontal | Property::Vertical => matches!(self.target, Target::Layer(..)),
            _ => matches!(self.target, Target::Object(_)),
        }
    }

    /// The same target and property, another component.
    #[must_use]
    pub const fn with_component(self, component: Component) -> Self {
        Self { component, ..self }
    }
}

impl fmt::Display for ChannelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (property, suffix) = (self.property.name(), self.component.suffix());
        match self.target {
            Target::Object(object) => write!(f, "{object}/{property}{suffix}"),
            Target::Joint(object, joint) => write!(f, "{object}/{joint}/{property}{suffix}"),
            Target::Pin(object, pin) => write!(f, "{object}/{pin}/{property}{suffix}"),
            Target::Point(object, point) => write!(f, "{object}/{point}/{property}{suffix}"),
            Target::Constraint(object, constraint) => write!(f, "{object}/{constraint}/{property}{suffix}"),
            Target::Morph(object, morph) => write!(f, "{object}/{morph}/{property}{suffix}"),
            Target::Pole(object, constraint) => write!(f, "{object}/q{}/{property}{suffix}", constraint.0),
            Target::Deformer(object, entry) => write!(f, "{object}/{entry}/{property}{suffix}"),
            Target::Layer(object, layer) => write!(f, "{object}/{layer}/{property}{suffix}"),
            Target::Sample(object, layer, place) => write!(f, "{object}/{layer}s{place}/{property}{suffix}"),
        }
    }
}

/// A text that is not a channel path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a channel path such as 3/j12/rotation.x")]
pub struct PathError(pub String);

impl FromStr for ChannelPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        parse_path(text).ok_or_else(|| PathError(text.to_owned()))
    }
}

fn parse_path(text: &str) -> Option<ChannelPath> {
    let mut parts = text.split('/');
    let object = ObjectId(parts.next()?.parse().ok()?);
    let mut part = parts.next()?;
    let mut target = Target::Object(object);
    // A letter and a number is a part of the object; the names of properties have no digit.
    if let Some(number) = part.get(1..).and_then(|number| number.parse::<u32>().ok()) {
        target = match part.chars().next()? {
            'j' => Target::Joint(object, JointId(number)),
            'p' => Target::Pin(object, PinId(number)),
            'v' => Target::Point(object, PointId(number)),
            'k' => Target::Constraint(object, ConstraintId(number)),
            'm' => Target::Morph(object, MorphId(number)),
            'q' => Target::Pole(object, ConstraintId(number)),
            'd' => Target::Deformer(object, DeformerId(number)),
            'l' => Target::Layer(object, LayerId(number)),
            _ => return None,
        };
        part = parts.next()?;
    } else if let Some((layer, place)) = part.strip_prefix('l').and_then(|rest| rest.split_once('s'))
        && let (Ok(layer), Ok(place)) = (layer.parse(), place.parse())
    {
        target = Target::Sample(object, LayerId(layer), place);
        part = parts.next()?;
    }
    if parts.next().is_some() {
        return None;
    }
    let (name, component) = match part.split_once('.') {
        None if Property::NUMBERS.iter().any(|number| number.name() == part) => (part, Component::Only),
        None => (part, Component::Whole),
        Some((name, "x")) => (name, Component::X),
        Some((name, "y")) => (name, Component::Y),
        Some((name, "z")) => (name, Component::Z),
        Some(_) => return None,
    };
    let property = Property::from_name(name)?;
    Some(ChannelPath { target, property, component }).filter(|path| path.is_sound())
}

impl Serialize for ChannelPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ChannelPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A channel's value: absolute and local (translation in the parent's space, rotation not relative to rest).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Metres, radians or a factor.
    Scalar(#[serde(deserialize_with = "super::curve::finite::number")] f64),
    /// A rotation.
    Rotation(#[serde(with = "super::curve::unit_quaternion")] Quat),
}

impl Value {
    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Scalar(value) => value.is_finite(),
            Self::Rotation(rotation) => rotation.coords.iter().all(|value| value.is_finite()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_text() {
        for text in [
            "3/j12/rotation.x",
            "3/translation.z",
            "0/j0/rotation",
            "7/j4294967295/scale.y",
            "3/p4/influence",
            "3/v7/translation.y",
            "3/k0/distance",
            "3/k1/influence",
            "3/field_of_view",
            "3/m2/weight",
            "3/intensity",
            "3/red",
            "3/k1/translation.x",
            "3/q1/translation.z",
            "3/d2/influence",
            "3/phase",
            "3/blend",
            "3/high",
        ] {
            assert_eq!(text.parse::<ChannelPath>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "3",
            "3/j12",
            "3/j12/rotation.w",
            "x/rotation.x",
            "3/j1/scale",
            "3/j1/rotation.x/y",
            "3/influence",
            "3/p1/rotation.x",
            "3/v1/rotation.x",
            "3/k1/rotation.x",
            "3/q1/influence",
            "3/d1/translation.x",
            "3/d1/angle",
            "3/distance",
            "3/j1/field_of_view",
        ] {
            assert!(text.parse::<ChannelPath>().is_err(), "{text}");
        }
    }
}

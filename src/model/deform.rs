//! Deformers: what moves the vertices of meshes besides joints and morph targets. Each is an object, placed, parented and keyed
//! like any other; a mesh names those that act on it in its ordered stack.

use super::{
    channel::Property,
    curve::{finite, is_default},
    id::{DeformerId, MaskId, ObjectId, PointId},
    kinds::kinds,
    object::Parent,
};
use crate::math::{
    Vec3,
    rbf::{Kernel, MOST_PAIRS},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An entry of a mesh's deformer stack. Entries act in their order, on what those before them leave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackEntry {
    /// Its identity in the mesh.
    pub id: DeformerId,
    /// The lattice or deformer object that acts.
    pub by: ObjectId,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// How much of it acts, 0..1, where its influence has no curve.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub influence: f64,
    /// Whether it acts before the mesh follows its joints, in the space the mesh was bound in; else after, in the world. Of no
    /// meaning without a skin.
    #[serde(default, skip_serializing_if = "is_default")]
    pub before_skin: bool,
    /// Which vertices it acts on; all where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
    /// How far from the deformer's origin it acts, in lengths of the deformer's space: wholly at the origin, fading smoothly to
    /// nothing there. 0 is everywhere.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub reach: f64,
}

impl StackEntry {
    /// An entry that acts in full.
    #[must_use]
    pub const fn new(id: DeformerId, by: ObjectId) -> Self {
        Self { id, by, muted: false, influence: 1.0, before_skin: false, mask: None, reach: 0.0 }
    }
}

const fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_one(value: &f64) -> bool {
    *value == one()
}

/// Which vertices of a mesh something acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mask {
    /// Those that follow a joint of the mesh's skin, by how much they do; none of a mesh that does not follow it.
    Joint(Parent),
    /// Those of one part of the mesh, by its number from 0; none where there is no such part.
    Part(u32),
    /// Those of a painted mask, by how much they belong to it.
    Painted(MaskId),
}

/// A function of space, in the space of its object: along its Y axis, those that have ends from `low` to `high`. What is beyond
/// an end goes with it rigidly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deformer {
    /// Which function.
    pub kind: DeformerKind,
    /// Its numbers where no clip moves them; those left out have the resting value of the kind's table.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "numbers")]
    pub numbers: BTreeMap<Property, f64>,
    /// The radial function of a warp.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kernel: Kernel,
    /// The points that a drag or a warp carries along: the offsets are where no clip moves them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "by_number")]
    pub landmarks: BTreeMap<PointId, Landmark>,
}

/// A point that carries what is about it along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landmark {
    /// Where it is at rest, in the deformer's space.
    #[serde(deserialize_with = "finite::vector")]
    pub at: Vec3,
    /// From there to where it is, in the deformer's space.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::vector")]
    pub offset: Vec3,
}

kinds! {
    /// A function of space.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum DeformerKind {
        /// Along an arc (Barr 1984).
        Bend,
        /// About its axis, more and more.
        Twist,
        /// Wider or narrower along its axis.
        Taper,
        /// Longer along its axis and narrower across, so that the volume stays; or the other way.
        Squash,
        /// Sideways, more and more.
        Shear,
        /// Up and down in a sine wave.
        Wave,
        /// Outwards from its axis, most in the middle between its ends: a muscle that swells (a flexor).
        Bulge,
        /// Along with its landmarks, less and less up to a distance from each: vertices pulled with a soft hand.
        Drag,
        /// Smoothly through its landmarks: a warp by radial basis functions (Bookstein 1989).
        Warp,
    }
}

/// A number of a deformer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Which property it is: its channel is that of the deformer object.
    pub property: Property,
    /// The value of a new deformer.
    pub resting: f64,
    /// The least and the greatest value.
    pub range: (f64, f64),
}

const fn parameter(property: Property, resting: f64, range: (f64, f64)) -> Parameter {
    Parameter { property, resting, range }
}

/// No bounds.
const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const LOW: Parameter = parameter(Property::Low, -0.5, ANY);
const HIGH: Parameter = parameter(Property::High, 0.5, ANY);

impl DeformerKind {
    /// Whether it has landmarks: what it does is theirs, and not its numbers' alone.
    #[must_use]
    pub const fn has_landmarks(self) -> bool {
        matches!(self, Self::Drag | Self::Warp)
    }

    /// The numbers of the kind, in the order they are shown: a new kind is a row here and a function in
    /// `eval::deform`.
    #[must_use]
    pub const fn parameters(self) -> &'static [Parameter] {
        match self {
            // Radians from the low end to the high one.
            Self::Bend | Self::Twist => const { &[parameter(Property::Angle, 0.0, ANY), LOW, HIGH] },
            // How wide it is at the high end; 1 at the low one.
            Self::Taper => const { &[parameter(Property::Factor, 1.0, (0.0, f64::INFINITY)), LOW, HIGH] },
            // How long it is; at 0 the volume could not stay.
            Self::Squash => const { &[parameter(Property::Factor, 1.0, (0.01, 100.0))] },
            // Metres sideways for a metre up.
            Self::Shear => const { &[parameter(Property::Factor, 0.0, ANY), LOW, HIGH] },
            // How much wider it is in the middle; narrower below 0.
            Self::Bulge => const { &[parameter(Property::Factor, 0.0, (-1.0, 100.0)), LOW, HIGH] },
            // How far from a landmark it acts.
            Self::Drag => const { &[parameter(Property::Radius, 0.2, (1e-6, f64::INFINITY))] },
            // The kernel's parameter.
            Self::Warp => const { &[parameter(Property::Radius, 0.3, (1e-6, f64::INFINITY))] },
            Self::Wave => {
                const {
                    &[
                        parameter(Property::Amplitude, 0.0, ANY),
                        parameter(Property::Wavelength, 0.5, (1e-6, f64::INFINITY)),
                        parameter(Property::Phase, 0.0, ANY),
                    ]
                }
            }
        }
    }

    /// A number of the kind by its property; none where it has no such number.
    #[must_use]
    pub fn parameter(self, property: Property) -> Option<&'static Parameter> {
        self.parameters().iter().find(|parameter| parameter.property == property)
    }

    /// The text key of the kind's name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Bend => "deform.bend",
            Self::Twist => "deform.twist",
            Self::Taper => "deform.taper",
            Self::Squash => "deform.squash",
            Self::Shear => "deform.shear",
            Self::Wave => "deform.wave",
            Self::Bulge => "deform.bulge",
            Self::Drag => "deform.drag",
            Self::Warp => "deform.warp",
        }
    }
}

impl Deformer {
    /// A deformer that moves nothing yet.
    #[must_use]
    pub const fn new(kind: DeformerKind) -> Self {
        Self { kind, numbers: BTreeMap::new(), kernel: Kernel::ThinPlate, landmarks: BTreeMap::new() }
    }

    /// A number where no clip moves it; none where the kind has no such number.
    #[must_use]
    pub fn number(&self, property: Property) -> Option<f64> {
        let parameter = self.kind.parameter(property)?;
        Some(self.numbers.get(&property).copied().unwrap_or(parameter.resting))
    }

    /// An id of a landmark not in use.
    #[must_use]
    pub fn fresh_landmark_id(&self) -> PointId {
        PointId(self.landmarks.keys().next_back().map_or(0, |last| last.0.saturating_add(1)))
    }

    /// What is wrong with it, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        if !self.landmarks.is_empty() && !self.kind.has_landmarks() {
            return Some("a deformer of its kind has no landmarks".to_owned());
        }
        if self.landmarks.len() > MOST_PAIRS {
            return Some(format!("it has {} landmarks, more than {MOST_PAIRS}", self.landmarks.len()));
        }
        let numbers = self.landmarks.values().flat_map(|one| one.at.iter().chain(one.offset.iter()));
        if numbers.into_iter().any(|number| !number.is_finite()) {
            return Some("a landmark is not of finite numbers".to_owned());
        }
        for (property, value) in &self.numbers {
            let Some(parameter) = self.kind.parameter(*property) else {
                return Some(format!("a deformer of its kind has no {}", property.name()));
            };
            if !(value.is_finite() && (parameter.range.0..=parameter.range.1).contains(value)) {
                return Some(format!("its {} {value} is outside {:?}", property.name(), parameter.range));
            }
        }
        None
    }
}

/// Landmarks by their numbers, a line each.
mod by_number {
    use super::{BTreeMap, Landmark, PointId};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(
        map: &BTreeMap<PointId, Landmark>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let named: BTreeMap<String, Landmark> = map.iter().map(|(id, one)| (format!("{:04}", id.0), *one)).collect();
        named.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<PointId, Landmark>, D::Error> {
        let entry = |(name, one): (String, Landmark)| match name.parse() {
            Ok(id) => Ok((PointId(id), one)),
            Err(_) => Err(D::Error::custom(format!("'{name}' is not a landmark's number"))),
        };
        BTreeMap::<String, Landmark>::deserialize(deserializer)?.into_iter().map(entry).collect()
    }
}

/// Numbers by the names of their properties.
mod numbers {
    use super::{BTreeMap, Property};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<Property, f64>, serializer: S) -> Result<S::Ok, S::Error> {
        let named: BTreeMap<&str, f64> = map.iter().map(|(property, value)| (property.name(), *value)).collect();
        named.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Property, f64>, D::Error> {
        let named = BTreeMap::<String, f64>::deserialize(deserializer)?;
        let entry = |(name, value): (String, f64)| match Property::from_name(&name) {
            Some(property) if value.is_finite() => Ok((property, value)),
            Some(_) => Err(D::Error::custom(format!("{value} is not a number to use here"))),
            None => Err(D::Error::custom(format!("'{name}' is not a property"))),
        };
        named.into_iter().map(entry).collect()
    }
}

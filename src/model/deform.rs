//! Deformers: what moves the vertices of meshes besides joints and morph targets. Each is an object, placed, parented and keyed
//! like any other; a mesh names those that act on it in its ordered stack.

use super::{
    channel::Property,
    curve::{finite, is_default},
    id::{DeformerId, ObjectId},
    object::Parent,
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
}

impl StackEntry {
    /// An entry that acts in full.
    #[must_use]
    pub const fn new(id: DeformerId, by: ObjectId) -> Self {
        Self { id, by, muted: false, influence: 1.0, before_skin: false, mask: None }
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
}

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
    /// All kinds, in the order they are offered.
    pub const ALL: [Self; 6] = [Self::Bend, Self::Twist, Self::Taper, Self::Squash, Self::Shear, Self::Wave];

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
        }
    }
}

impl Deformer {
    /// A deformer that moves nothing yet.
    #[must_use]
    pub const fn new(kind: DeformerKind) -> Self {
        Self { kind, numbers: BTreeMap::new() }
    }

    /// A number where no clip moves it; none where the kind has no such number.
    #[must_use]
    pub fn number(&self, property: Property) -> Option<f64> {
        let parameter = self.kind.parameter(property)?;
        Some(self.numbers.get(&property).copied().unwrap_or(parameter.resting))
    }

    /// What is wrong with it, if anything.
    pub(super) fn problem(&self) -> Option<String> {
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

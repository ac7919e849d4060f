//! Shapes that meshes blend to, what they make of each other, and vertices chosen by painting.

use super::{
    blob,
    curve::is_default,
    id::{MaskId, MorphId},
    mesh::{empty, slice_is_empty},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A shape to blend to: `vertex + weight * delta` (E-DEF-5: weights beyond 0..1 are allowed).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MorphTarget {
    /// Its identity in the mesh.
    pub id: MorphId,
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How much of it acts where no curve says so.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "super::curve::finite::number")]
    pub weight: f64,
    /// How each vertex moves at weight 1, metres; one a vertex.
    #[serde(with = "blob")]
    pub positions: Arc<[[f32; 3]]>,
    /// How each normal changes at weight 1; one a vertex, or none at all.
    #[serde(default = "empty", skip_serializing_if = "slice_is_empty", with = "blob")]
    pub normals: Arc<[[f32; 3]]>,
    /// What it is for: where it stands among the shapes of a face.
    #[serde(default, skip_serializing_if = "is_default")]
    pub group: MorphGroup,
    /// What its weight does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rule: MorphRule,
}

/// What a morph target is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MorphGroup {
    /// Anything.
    #[default]
    Other,
    /// An action unit of the Facial Action Coding System, by its number (Ekman, Friesen 1978).
    Action(u8),
    /// A mixture of others that is a whole face: sad, happy.
    Expression,
    /// A mixture of others that is a sound's mouth.
    Viseme,
    /// How a face is built: its length, its nose, its jaw.
    Conformation,
}

/// What the weight of a morph target does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum MorphRule {
    /// Adds its shape.
    #[default]
    Own,
    /// Adds its shape times the product of the weights of others, each within 0..1: it corrects what they make together.
    Product(Vec<MorphId>),
    /// Adds to the weights of others, of each its share; it has no shape of its own.
    Mix(Vec<(MorphId, f64)>),
}

impl MorphTarget {
    /// A shape of its own that does not act yet.
    #[must_use]
    pub fn new(id: MorphId, name: &str, positions: Arc<[[f32; 3]]>) -> Self {
        Self {
            id,
            name: name.to_owned(),
            weight: 0.0,
            positions,
            normals: empty(),
            group: MorphGroup::Other,
            rule: MorphRule::Own,
        }
    }

    /// Those that its rule names.
    pub fn named(&self) -> impl Iterator<Item = MorphId> + '_ {
        let (product, mix): (&[MorphId], &[(MorphId, f64)]) = match &self.rule {
            MorphRule::Own => (&[], &[]),
            MorphRule::Product(factors) => (factors, &[]),
            MorphRule::Mix(parts) => (&[], parts),
        };
        product.iter().copied().chain(mix.iter().map(|(id, _)| *id))
    }

    /// Whether it is a mixture of others, without a shape.
    #[must_use]
    pub const fn is_mix(&self) -> bool {
        matches!(self.rule, MorphRule::Mix(_))
    }
}

/// Vertices chosen by painting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexMask {
    /// Its identity in the mesh.
    pub id: MaskId,
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How much each vertex belongs to it, 0..1; one a vertex.
    #[serde(with = "blob")]
    pub weights: Arc<[f32]>,
}

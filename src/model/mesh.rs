//! Meshes: triangles, what they look like, the shapes they blend to and the joints they follow.

use super::{
    MorphRule, MorphTarget, VertexMask, blob,
    curve::is_default,
    deform::StackEntry,
    id::{DeformerId, ImageId, MaskId, MorphId},
    object::Parent,
};
use crate::math::{Affine, Mat3, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A triangle mesh. Heavy parts are shared: cloning copies none of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// The mesh's own name in the file it came from, where that is another than the object's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Vertices and triangles.
    pub geometry: Arc<Geometry>,
    /// Runs of vertices and triangles that look alike, one after the other over the whole mesh.
    pub parts: Vec<MeshPart>,
    /// What the parts look like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Arc<Material>>,
    /// The shapes it can be blended to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<Arc<MorphTarget>>,
    /// The joints it follows; none for a mesh that is placed by its object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<Arc<Skin>>,
    /// How much it follows its joints by dual quaternions, 0..1, where its blend has no curve: 0 is linear blend, which pinches
    /// bends and twists. Of no meaning without a skin.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "super::curve::finite::number")]
    pub dual: f64,
    /// Vertices chosen by painting, by how much: what entries of the stack act on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<Arc<VertexMask>>,
    /// What deforms it, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<StackEntry>,
}

/// Vertices and triangles, in the mesh's space, metres.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Positions at rest.
    #[serde(with = "blob")]
    pub positions: Arc<[[f32; 3]]>,
    /// Unit normals at rest, one a vertex, or none at all: then they are worked out from the triangles.
    #[serde(default = "empty", skip_serializing_if = "slice_is_empty", with = "blob")]
    pub normals: Arc<[[f32; 3]]>,
    /// Texture coordinates, one a vertex or none; (0, 0) is the image's top left corner.
    #[serde(default = "empty", skip_serializing_if = "slice_is_empty", with = "blob")]
    pub uvs: Arc<[[f32; 2]]>,
    /// Linear colours with straight alpha, one a vertex or none; multiply the material's.
    #[serde(default = "empty", skip_serializing_if = "slice_is_empty", with = "blob")]
    pub colors: Arc<[[f32; 4]]>,
    /// Three vertices a triangle, counter-clockwise seen from the front.
    #[serde(with = "blob")]
    pub indices: Arc<[u32]>,
}

pub(super) fn empty<T>() -> Arc<[T]> {
    Arc::from(Vec::new())
}

pub(super) fn slice_is_empty<T>(values: &Arc<[T]>) -> bool {
    values.is_empty()
}

/// A run of vertices, and of triangles between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshPart {
    /// The number of vertices.
    pub vertices: u32,
    /// The number of indices: three a triangle. They point into these very vertices, counted over the whole mesh.
    pub indices: u32,
    /// Which of the mesh's materials; none for plain white.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<u32>,
}

/// What a surface looks like, as far as it is shown here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Linear colour with straight alpha, 0..1; multiplies the texture.
    pub color: [f32; 4],
    /// An image for the colour, sRGB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<ImageId>,
    /// Whether its back is seen too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub double_sided: bool,
    /// What alpha does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alpha: AlphaMode,
    /// How metallic, 0..1. Kept for other programs.
    pub metallic: f32,
    /// How rough, 0..1. Kept for other programs.
    pub roughness: f32,
}

impl Default for Material {
    /// White, of no metal, rough.
    fn default() -> Self {
        Self {
            name: String::new(),
            color: [1.0; 4],
            texture: None,
            double_sided: false,
            alpha: AlphaMode::Opaque,
            metallic: 0.0,
            roughness: 1.0,
        }
    }
}

/// What a colour's alpha does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Below this it is not there at all.
    Mask(f32),
    /// It lets through what is behind.
    Blend,
}

/// Which joints each vertex follows, and where the joints stood when the mesh was bound to them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skin {
    /// The name of the skin in the file it came from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The joints, in the order that `influences` count them: joints of rigs, or whole objects.
    pub joints: Vec<SkinJoint>,
    /// How many influences each vertex has: at least 1.
    pub per_vertex: u32,
    /// Which joints a vertex follows, `per_vertex` a vertex; those of weight 0 count for nothing.
    #[serde(with = "blob")]
    pub influences: Arc<[u16]>,
    /// How much a vertex follows each of them, not negative. They are divided by their sum when used (E-SKN-2); a vertex
    /// whose weights are all zero follows the first joint.
    #[serde(with = "blob")]
    pub weights: Arc<[f32]>,
}

/// A joint of a skin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkinJoint {
    /// The joint, or the object.
    pub joint: Parent,
    /// From the mesh's space to the joint's, as they stood when bound: the inverse bind matrix, by rows of
    /// `[x, y, z, translation]`.
    pub joint_from_mesh: [[f64; 4]; 3],
}

impl SkinJoint {
    /// The inverse bind matrix as a map.
    #[must_use]
    pub fn inverse_bind(&self) -> Affine {
        let m = &self.joint_from_mesh;
        Affine {
            linear: Mat3::from_fn(|row, column| m[row][column]),
            translation: Vec3::new(m[0][3], m[1][3], m[2][3]),
        }
    }

    /// The rows of an inverse bind matrix.
    #[must_use]
    pub fn rows(map: &Affine) -> [[f64; 4]; 3] {
        let (m, t) = (&map.linear, &map.translation);
        std::array::from_fn(|row| [m[(row, 0)], m[(row, 1)], m[(row, 2)], t[row]])
    }
}

impl Mesh {
    /// The number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.geometry.positions.len()
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.geometry.positions.is_empty()
    }

    /// A morph target by id.
    #[must_use]
    pub fn morph(&self, id: MorphId) -> Option<&Arc<MorphTarget>> {
        self.morphs.iter().find(|morph| morph.id == id)
    }

    /// A painted mask by id.
    #[must_use]
    pub fn mask(&self, id: MaskId) -> Option<&Arc<VertexMask>> {
        self.masks.iter().find(|mask| mask.id == id)
    }

    /// An id of a painted mask not in use.
    #[must_use]
    pub fn fresh_mask_id(&self) -> MaskId {
        MaskId(self.masks.iter().map(|mask| mask.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// An entry of the deformer stack by id.
    #[must_use]
    pub fn entry(&self, id: DeformerId) -> Option<&StackEntry> {
        self.stack.iter().find(|entry| entry.id == id)
    }

    /// An id of a stack entry not in use.
    #[must_use]
    pub fn fresh_deformer_id(&self) -> DeformerId {
        DeformerId(self.stack.iter().map(|entry| entry.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// An id of a morph target not in use.
    #[must_use]
    pub fn fresh_morph_id(&self) -> MorphId {
        MorphId(self.morphs.iter().map(|morph| morph.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// Each part with its vertices and its indices, as ranges of the whole mesh's.
    pub fn ranges(&self) -> impl Iterator<Item = (MeshPart, std::ops::Range<usize>, std::ops::Range<usize>)> + '_ {
        let (mut vertex, mut index) = (0_usize, 0_usize);
        self.parts.iter().map(move |part| {
            let vertices = vertex..vertex.saturating_add(part.vertices as usize);
            let indices = index..index.saturating_add(part.indices as usize);
            (vertex, index) = (vertices.end, indices.end);
            (*part, vertices, indices)
        })
    }

    /// What is wrong within the mesh itself; nothing of a sound one. That its images, joints and so on exist is for the
    /// document to say.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut found = Vec::new();
        let count = self.len();
        let mut one_each = |what: &str, len: usize| {
            if len != 0 && len != count {
                found.push(format!("it has {len} {what} for {count} vertices"));
            }
        };
        let geometry = &self.geometry;
        one_each("normals", geometry.normals.len());
        one_each("texture coordinates", geometry.uvs.len());
        one_each("colours", geometry.colors.len());
        for morph in &self.morphs {
            one_each("normals of a morph target", morph.normals.len());
        }
        let moves = |morph: &MorphTarget| morph.positions.len() == if morph.is_mix() { 0 } else { count };
        if self.morphs.iter().any(|morph| !moves(morph)) {
            found.push(format!("a morph target does not move each of its {count} vertices"));
        }
        self.range_faults(&mut found);
        for (index, morph) in self.morphs.iter().enumerate() {
            if self.morphs[..index].iter().any(|other| other.id == morph.id) {
                found.push(format!("morph target id {} is used twice", morph.id));
            }
        }
        self.rule_faults(&mut found);
        self.mask_faults(&mut found);
        if let Some(skin) = &self.skin {
            skin.faults(count, &mut found);
        }
        if !(0.0..=1.0).contains(&self.dual) {
            found.push(format!("its blend {} to dual quaternions is outside 0..1", self.dual));
        }
        for (index, entry) in self.stack.iter().enumerate() {
            if self.stack[..index].iter().any(|other| other.id == entry.id) {
                found.push(format!("stack entry id {} is used twice", entry.id));
            }
            if !(0.0..=1.0).contains(&entry.influence) {
                found.push(format!("the influence {} of stack entry {} is outside 0..1", entry.influence, entry.id));
            }
        }
        found
    }

    /// What is wrong with what its morph targets make of each other.
    fn rule_faults(&self, found: &mut Vec<String>) {
        for morph in &self.morphs {
            let other = |id: MorphId| self.morph(id).filter(|other| other.id != morph.id);
            let fits = match &morph.rule {
                MorphRule::Own => true,
                MorphRule::Product(factors) => {
                    let own = |id: &MorphId| other(*id).is_some_and(|other| other.rule == MorphRule::Own);
                    !factors.is_empty() && factors.iter().all(own)
                }
                MorphRule::Mix(parts) => {
                    let shape = |(id, share): &(MorphId, f64)| {
                        share.is_finite() && other(*id).is_some_and(|other| other.rule == MorphRule::Own)
                    };
                    parts.iter().all(shape)
                }
            };
            if !fits {
                found.push(format!("morph target {} is made of what is no shape of its own", morph.id));
            }
        }
    }

    fn mask_faults(&self, found: &mut Vec<String>) {
        for (index, mask) in self.masks.iter().enumerate() {
            if self.masks[..index].iter().any(|other| other.id == mask.id) {
                found.push(format!("mask id {} is used twice", mask.id));
            }
            let sound = mask.weights.iter().all(|weight| (0.0..=1.0).contains(weight));
            if mask.weights.len() != self.len() || !sound {
                found.push(format!("mask {} does not have a weight of 0..1 for each vertex", mask.id));
            }
        }
        for entry in &self.stack {
            if let Some(super::deform::Mask::Painted(id)) = entry.mask
                && self.mask(id).is_none()
            {
                found.push(format!("the mask {id} of stack entry {} does not exist", entry.id));
            }
            if !(entry.reach.is_finite() && entry.reach >= 0.0) {
                found.push(format!("the reach {} of stack entry {} is below 0", entry.reach, entry.id));
            }
        }
    }

    fn range_faults(&self, found: &mut Vec<String>) {
        let geometry = &self.geometry;
        let mut ends = (0, 0);
        for (index, (part, vertices, indices)) in self.ranges().enumerate() {
            ends = (vertices.end, indices.end);
            let Some(own) = geometry.indices.get(indices) else { break };
            if !own.len().is_multiple_of(3) || own.iter().any(|vertex| !vertices.contains(&(*vertex as usize))) {
                found.push(format!("part {index} is not of whole triangles between its own vertices"));
            }
            if part.material.is_some_and(|material| material as usize >= self.materials.len()) {
                found.push(format!("the material of part {index} does not exist"));
            }
        }
        if ends != (geometry.positions.len(), geometry.indices.len()) {
            found.push("its parts do not cover its vertices and triangles".to_owned());
        }
        let finite = [geometry.positions.as_flattened(), geometry.normals.as_flattened(), geometry.uvs.as_flattened()];
        let colors = geometry.colors.as_flattened();
        if finite.into_iter().chain([colors]).any(|values| values.iter().any(|value| !value.is_finite())) {
            found.push("a vertex is not of finite numbers".to_owned());
        }
        let morphs =
            self.morphs.iter().flat_map(|morph| [morph.positions.as_flattened(), morph.normals.as_flattened()]);
        let weights = self.morphs.iter().all(|morph| morph.weight.is_finite());
        if !weights || morphs.flatten().any(|value| !value.is_finite()) {
            found.push("a morph target is not of finite numbers".to_owned());
        }
        let materials = self.materials.iter().flat_map(|m| m.color.into_iter().chain([m.metallic, m.roughness]));
        if materials.into_iter().any(|value| !value.is_finite()) {
            found.push("a material is not of finite numbers".to_owned());
        }
    }
}

impl Skin {
    fn faults(&self, vertices: usize, found: &mut Vec<String>) {
        let expected = vertices.saturating_mul(self.per_vertex as usize);
        if self.per_vertex == 0 || self.joints.is_empty() {
            found.push("its skin has no joint or no influence a vertex".to_owned());
        }
        if self.influences.len() != expected || self.weights.len() != expected {
            found.push(format!("its skin does not have {} influences for each vertex", self.per_vertex));
        }
        if self.influences.iter().any(|joint| usize::from(*joint) >= self.joints.len()) {
            found.push("its skin names a joint beyond its list".to_owned());
        }
        if self.weights.iter().any(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            found.push("a weight of its skin is negative or not a number".to_owned());
        }
        let finite = self.joints.iter().flat_map(|joint| joint.joint_from_mesh.as_flattened());
        if finite.into_iter().any(|value| !value.is_finite()) {
            found.push("an inverse bind matrix is not of finite numbers".to_owned());
        }
    }

    /// The weights of one vertex that count, with their joints, divided by their sum; the first joint alone where all
    /// are zero. Empty where there is no such vertex.
    pub fn vertex(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let each = self.per_vertex as usize;
        let range = vertex.saturating_mul(each)..vertex.saturating_add(1).saturating_mul(each);
        let joints = self.influences.get(range.clone()).unwrap_or_default();
        let weights = self.weights.get(range).unwrap_or_default();
        let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        joints.iter().zip(weights).enumerate().filter_map(move |(slot, (joint, weight))| {
            let share = if sum > 0.0 { f64::from(*weight) / sum } else { f64::from(u8::from(slot == 0)) };
            (share > 0.0).then_some((usize::from(*joint), share))
        })
    }
}

/// An image as the file had it: what materials are painted with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How it is encoded.
    pub format: ImageFormat,
    /// The encoded file.
    #[serde(with = "blob")]
    pub bytes: Arc<[u8]>,
}

/// How an image is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl ImageFormat {
    /// Its media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    /// The ending of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }

    /// The format that a file begins like.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Mesh {
        let geometry = Geometry {
            positions: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into(),
            indices: [0, 1, 2].into(),
            ..Geometry::default()
        };
        let part = MeshPart { vertices: 3, indices: 3, material: None };
        Mesh { geometry: Arc::new(geometry), parts: vec![part], ..Mesh::default() }
    }

    #[test]
    fn a_mesh_is_sound_or_says_why_not() {
        assert_eq!(triangle().faults(), Vec::<String>::new());
        let wrong = |change: &dyn Fn(&mut Mesh)| {
            let mut mesh = triangle();
            change(&mut mesh);
            mesh.faults().len()
        };
        assert_eq!(wrong(&|mesh| Arc::make_mut(&mut mesh.geometry).indices = [0, 1, 3].into()), 1);
        assert_eq!(wrong(&|mesh| Arc::make_mut(&mut mesh.geometry).normals = [[0.0; 3]].into()), 1);
        assert_eq!(wrong(&|mesh| mesh.parts[0].vertices = u32::MAX), 1);
        assert_eq!(wrong(&|mesh| mesh.parts[0].material = Some(0)), 1);
        assert_eq!(wrong(&|mesh| mesh.skin = Some(Arc::default())), 1);
    }

    #[test]
    fn weights_are_divided_by_their_sum_and_none_at_all_is_the_first_joint() {
        let skin = Skin {
            per_vertex: 2,
            influences: [0, 1, 1, 0, 1, 0].into(),
            weights: [0.49, 0.49, 0.98, 0.0, 0.0, 0.0].into(),
            ..Skin::default()
        };
        let of = |vertex| skin.vertex(vertex).collect::<Vec<_>>();
        assert_eq!(of(0), [(0, 0.5), (1, 0.5)]);
        assert_eq!(of(1), [(1, 1.0)]);
        assert_eq!(of(2), [(1, 1.0)]);
        assert_eq!(of(usize::MAX), []);
    }
}

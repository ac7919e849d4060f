//! The form of a glTF file's JSON, as far as it is used. Unknown members are passed over; extensions are reported by name.

use super::GltfError;
use crate::model::FrameRate;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::fmt;

/// A whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Root {
    pub(super) asset: Asset,
    pub(super) extensions_used: Vec<String>,
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<usize>,
    pub(super) scenes: Vec<Scene>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) cameras: Vec<Camera>,
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<BufferView>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) extensions: RootExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) min_version: Option<String>,
    pub(super) extras: AssetExtras,
}

/// What our own files state there: glTF has no frames.
#[derive(Debug, Default)]
pub(super) struct AssetExtras {
    pub(super) frame_rate: Option<FrameRate>,
}

impl AssetExtras {
    /// The name of the rate: a list of frames, and of the seconds they take.
    pub(super) const FRAME_RATE: &str = "frameRate";
}

impl<'de> Deserialize<'de> for AssetExtras {
    /// As those of meshes: what is no rate is passed over.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Listed::Extras(Self::FRAME_RATE).deserialize(deserializer)?;
        let frame_rate = match parts.as_slice() {
            [num, den] => num.parse().ok().zip(den.parse().ok()).and_then(|(num, den)| FrameRate::new(num, den)),
            _ => None,
        };
        Ok(Self { frame_rate })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(super) lights: Option<Lights>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Lights {
    pub(super) lights: Vec<Light>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Light {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default = "white3")]
    pub(super) color: [f64; 3],
    #[serde(default = "one")]
    pub(super) intensity: f64,
    #[serde(default)]
    pub(super) range: Option<f64>,
    #[serde(default)]
    pub(super) spot: Option<Spot>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Spot {
    pub(super) inner_cone_angle: f64,
    pub(super) outer_cone_angle: f64,
}

impl Default for Spot {
    fn default() -> Self {
        Self { inner_cone_angle: 0.0, outer_cone_angle: std::f64::consts::FRAC_PI_4 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Scene {
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) camera: Option<usize>,
    pub(super) weights: Vec<f64>,
    pub(super) extensions: NodeExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub(super) light: Option<NodeLight>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeLight {
    pub(super) light: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    pub(super) weights: Vec<f64>,
    pub(super) extras: MeshExtras,
}

/// What nearly all programs write there: the names of the morph targets.
#[derive(Debug, Default)]
pub(super) struct MeshExtras {
    pub(super) target_names: Vec<String>,
}

impl<'de> Deserialize<'de> for MeshExtras {
    /// Extras may be anything, however deep: what is not the names is passed over.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { target_names: Listed::Extras("targetNames").deserialize(deserializer)? })
    }
}

/// What of the extras is looked at: a list of texts or whole numbers.
#[derive(Clone, Copy)]
enum Listed {
    /// The extras: an object with the list in it, under this name.
    Extras(&'static str),
    /// The list.
    List,
    /// One of its texts or numbers.
    One,
}

impl<'de> DeserializeSeed<'de> for Listed {
    type Value = Vec<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Listed {
    type Value = Vec<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(if matches!(self, Self::One) { vec![number.to_string()] } else { Vec::new() })
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(if matches!(self, Self::One) { vec![text.to_owned()] } else { Vec::new() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        if matches!(self, Self::List) {
            while let Some(mut name) = list.next_element_seed(Self::One)? {
                names.push(name.pop().unwrap_or_default());
            }
        } else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(names)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if matches!(self, Self::Extras(wanted) if key == wanted) {
                names = map.next_value_seed(Self::List)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(names)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub(super) attributes: std::collections::BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) mode: Option<u32>,
    pub(super) targets: Vec<std::collections::BTreeMap<String, usize>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Skin {
    pub(super) name: String,
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    #[serde(default)]
    pub(super) interpolation: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Camera {
    pub(super) perspective: Option<Perspective>,
    pub(super) orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Perspective {
    pub(super) yfov: f64,
    #[serde(rename = "aspectRatio")]
    pub(super) aspect_ratio: Option<f64>,
    pub(super) znear: f64,
    pub(super) zfar: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Orthographic {
    pub(super) xmag: f64,
    pub(super) ymag: f64,
    pub(super) znear: f64,
    pub(super) zfar: f64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material {
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: Pbr,
    pub(super) normal_texture: Option<TextureInfo>,
    pub(super) occlusion_texture: Option<TextureInfo>,
    pub(super) emissive_texture: Option<TextureInfo>,
    pub(super) emissive_factor: [f32; 3],
    pub(super) alpha_mode: Option<String>,
    pub(super) alpha_cutoff: Option<f32>,
    pub(super) double_sided: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Pbr {
    pub(super) base_color_factor: [f32; 4],
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
    pub(super) metallic_roughness_texture: Option<TextureInfo>,
}

impl Default for Pbr {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct TextureInfo {
    pub(super) index: usize,
    #[serde(rename = "texCoord", default)]
    pub(super) tex_coord: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Texture {
    pub(super) source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image {
    pub(super) name: String,
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

const fn white3() -> [f64; 3] {
    [1.0; 3]
}

const fn one() -> f64 {
    1.0
}

/// Reads the JSON text.
pub(super) fn parse(text: &[u8]) -> Result<Root, GltfError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if let Err(error) = std::str::from_utf8(text) {
        let before = text.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.len() - before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1) + 1;
        return Err(GltfError::Json { line, column, what: "the text is not UTF-8; save it again as UTF-8".to_owned() });
    }
    let root: Root = serde_json::from_slice(text).map_err(|error| GltfError::Json {
        line: error.line(),
        column: error.column(),
        what: in_words(&error),
    })?;
    let version = root.asset.min_version.as_deref().unwrap_or(&root.asset.version);
    if !root.asset.version.starts_with("2.") || (version != "2.0" && root.asset.min_version.is_some()) {
        let found = if root.asset.version.is_empty() { "no version" } else { &root.asset.version };
        return Err(GltfError::part("asset.version", format!("glTF 2.0 is read, this is {found}; convert it first")));
    }
    Ok(root)
}

/// What is wrong with a JSON text and what to do; the place is given apart.
pub(super) fn in_words(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let detail = without_place(&error.to_string());
    match error.classify() {
        Category::Eof => "the text ends in the middle: it was cut off; get a whole copy, or export it again".to_owned(),
        Category::Data => format!("this is not what glTF has here ({detail}); correct it, or export the file again"),
        _ => format!("the text is no JSON from here on ({detail}); correct it, or export the file again"),
    }
}

/// The message without the place at its end.
fn without_place(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(before, _)| before).to_owned()
}

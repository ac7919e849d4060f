//! Writing meshes, their skins, materials and images.

use super::{
    builder::{ViewUse, short},
    container::uri_of,
    export::{GltfLayout, Writer},
    meshes::unit,
};
use crate::{
    io::{
        file::safe_name,
        report::{Place, Report},
    },
    model::{AlphaMode, Image, ImageId, Material, Mesh, Skin},
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl Writer<'_> {
    /// The index of a mesh, written once.
    pub(super) fn mesh(&mut self, mesh: &Arc<Mesh>, report: &mut Report) -> usize {
        let same = |other: &Arc<Mesh>| {
            let influences =
                |mesh: &Mesh| mesh.skin.as_ref().map(|skin| (skin.influences.clone(), skin.weights.clone()));
            let shapes =
                |mesh: &Mesh| mesh.morphs.iter().map(|m| (m.name.clone(), m.positions.clone())).collect::<Vec<_>>();
            Arc::ptr_eq(other, mesh)
                || other.name == mesh.name
                    && other.geometry == mesh.geometry
                    && other.parts == mesh.parts
                    && other.materials == mesh.materials
                    && shapes(other) == shapes(mesh)
                    && influences(other) == influences(mesh)
        };
        if let Some((_, index)) = self.meshes.iter().find(|(other, _)| same(other)) {
            return *index;
        }
        let materials: Vec<usize> = mesh.materials.iter().map(|material| self.material(material)).collect();
        let ranges: Vec<_> = mesh.ranges().collect();
        let mut dropped = 0.0_f64;
        let primitives =
            ranges.into_iter().filter(|(_, _, indices)| !indices.is_empty()).map(|(part, vertices, indices)| {
                let mut attributes = self.attributes(mesh, vertices.clone());
                if let Some(skin) = &mesh.skin {
                    dropped = dropped.max(self.influences(skin, vertices.clone(), &mut attributes));
                }
                let first = u32::try_from(vertices.start).unwrap_or(u32::MAX);
                let own = mesh.geometry.indices.get(indices).unwrap_or_default();
                let own: Vec<[u32; 1]> = own.iter().map(|vertex| [vertex.saturating_sub(first)]).collect();
                let indices = self.out.wholes(&own, ViewUse::Indices);
                let mut primitive = json!({ "attributes": attributes, "indices": indices });
                if let Some(material) = part.material.and_then(|material| materials.get(material as usize)) {
                    primitive["material"] = json!(material);
                }
                let targets = mesh.morphs.iter().map(|morph| {
                    let positions = morph.positions.get(vertices.clone()).unwrap_or_default();
                    let mut target = json!({ "POSITION": self.out.floats(positions, ViewUse::Vertices, true) });
                    if let Some(normals) = morph.normals.get(vertices.clone()).filter(|normals| !normals.is_empty()) {
                        target["NORMAL"] = json!(self.out.floats(normals, ViewUse::Vertices, false));
                    }
                    target
                });
                let targets: Vec<Value> = targets.collect();
                if !targets.is_empty() {
                    primitive["targets"] = Value::Array(targets);
                }
                primitive
            });
        let primitives: Vec<Value> = primitives.collect();
        if dropped > 0.0 {
            let found = format!(
                "vertices with more than 4 influences, up to {:.1} % of one's weight beyond them",
                dropped * 100.0
            );
            report.warn(
                "influences",
                Place::Part(mesh.name.clone()),
                found,
                "the 4 largest written, their sum brought to 1",
            );
        }
        let mut json = json!({ "primitives": primitives });
        if !mesh.name.is_empty() {
            json["name"] = json!(mesh.name);
        }
        if !mesh.morphs.is_empty() {
            let names: Vec<&str> = mesh.morphs.iter().map(|morph| morph.name.as_str()).collect();
            json["weights"] = json!(vec![0.0; names.len()]);
            if names.iter().any(|name| !name.is_empty()) {
                json["extras"] = json!({ "targetNames": names });
            }
        }
        let index = self.json.meshes.len();
        self.json.meshes.push(json);
        self.meshes.push((mesh.clone(), index));
        index
    }

    fn attributes(&mut self, mesh: &Mesh, vertices: std::ops::Range<usize>) -> Map<String, Value> {
        let geometry = &mesh.geometry;
        let mut json = Map::new();
        let positions = geometry.positions.get(vertices.clone()).unwrap_or_default();
        json.insert("POSITION".to_owned(), json!(self.out.floats(positions, ViewUse::Vertices, true)));
        if let Some(normals) = geometry.normals.get(vertices.clone()).filter(|normals| !normals.is_empty()) {
            let unit: Vec<[f32; 3]> = normals.iter().map(|normal| unit(*normal)).collect();
            json.insert("NORMAL".to_owned(), json!(self.out.floats(&unit, ViewUse::Vertices, false)));
        }
        if let Some(uvs) = geometry.uvs.get(vertices.clone()).filter(|uvs| !uvs.is_empty()) {
            json.insert("TEXCOORD_0".to_owned(), json!(self.out.floats(uvs, ViewUse::Vertices, false)));
        } else if mesh.materials.iter().any(|material| material.texture.is_some()) {
            let none = vec![[0.0; 2]; vertices.len()];
            json.insert("TEXCOORD_0".to_owned(), json!(self.out.floats(&none, ViewUse::Vertices, false)));
        }
        if let Some(colors) = geometry.colors.get(vertices).filter(|colors| !colors.is_empty()) {
            let colors: Vec<[f32; 4]> = colors.iter().map(|color| color.map(|part| part.clamp(0.0, 1.0))).collect();
            json.insert("COLOR_0".to_owned(), json!(self.out.floats(&colors, ViewUse::Vertices, false)));
        }
        json
    }

    /// Writes the influences; the largest part of a vertex's weight that was left out.
    fn influences(&mut self, skin: &Skin, vertices: std::ops::Range<usize>, json: &mut Map<String, Value>) -> f64 {
        let sets = if self.options.all_influences { (skin.per_vertex as usize).div_ceil(4).max(1) } else { 1 };
        let mut joints = vec![vec![[0_u32; 4]; vertices.len()]; sets];
        let mut weights = vec![vec![[0.0_f32; 4]; vertices.len()]; sets];
        let mut dropped = 0.0_f64;
        for (place, vertex) in vertices.enumerate() {
            let mut own: Vec<(usize, f64)> = Vec::new();
            for (joint, share) in skin.vertex(vertex) {
                match own.iter_mut().find(|(other, _)| *other == joint) {
                    Some((_, sum)) => *sum += share,
                    None => own.push((joint, share)),
                }
            }
            if own.len() > 4 * sets {
                own.sort_by(|a, b| b.1.total_cmp(&a.1));
                dropped = dropped.max(own.iter().skip(4 * sets).map(|(_, share)| share).sum());
                own.truncate(4 * sets);
            }
            let sum: f64 = own.iter().map(|(_, share)| share).sum();
            for (slot, (joint, share)) in own.into_iter().enumerate() {
                joints[slot / 4][place][slot % 4] = u32::try_from(joint).unwrap_or_default();
                #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
                let share = (share / sum) as f32;
                weights[slot / 4][place][slot % 4] = share;
            }
        }
        for (set, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
            json.insert(format!("JOINTS_{set}"), json!(self.out.wholes(joints, ViewUse::Vertices)));
            json.insert(format!("WEIGHTS_{set}"), json!(self.out.floats(weights, ViewUse::Vertices, false)));
        }
        dropped
    }

    pub(super) fn skin(&mut self, skin: &Arc<Skin>) -> usize {
        let same = |other: &Skin| other.name == skin.name && other.joints == skin.joints;
        if let Some((_, index)) = self.skins.iter().find(|(other, _)| same(other)) {
            return *index;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
        let matrix = |joint: &crate::model::SkinJoint| -> [f32; 16] {
            let m = joint.inverse_bind().to_mat4();
            std::array::from_fn(|k| m[(k % 4, k / 4)] as f32)
        };
        let matrices: Vec<[f32; 16]> = skin.joints.iter().map(matrix).collect();
        let joints: Vec<usize> =
            skin.joints.iter().map(|joint| self.nodes.index.get(&joint.joint).copied().unwrap_or_default()).collect();
        let mut json = json!({
            "joints": joints,
            "inverseBindMatrices": self.out.floats(&matrices, ViewUse::Other, false),
        });
        if !skin.name.is_empty() {
            json["name"] = json!(skin.name);
        }
        let index = self.json.skins.len();
        self.json.skins.push(json);
        self.skins.push((skin.clone(), index));
        index
    }

    fn material(&mut self, material: &Material) -> usize {
        let mut pbr = json!({
            "baseColorFactor": material.color.map(|part| short(part.clamp(0.0, 1.0))),
            "metallicFactor": short(material.metallic.clamp(0.0, 1.0)),
            "roughnessFactor": short(material.roughness.clamp(0.0, 1.0)),
        });
        if let Some(texture) = material.texture.and_then(|image| self.texture(image)) {
            pbr["baseColorTexture"] = json!({ "index": texture });
        }
        let mut json = json!({ "pbrMetallicRoughness": pbr });
        if !material.name.is_empty() {
            json["name"] = json!(material.name);
        }
        if material.double_sided {
            json["doubleSided"] = json!(true);
        }
        match material.alpha {
            AlphaMode::Opaque => {}
            AlphaMode::Blend => json["alphaMode"] = json!("BLEND"),
            AlphaMode::Mask(cutoff) => {
                json["alphaMode"] = json!("MASK");
                json["alphaCutoff"] = short(cutoff.max(0.0));
            }
        }
        if let Some(index) = self.json.materials.iter().position(|other| *other == json) {
            return index;
        }
        self.json.materials.push(json);
        self.json.materials.len() - 1
    }

    fn texture(&mut self, id: ImageId) -> Option<usize> {
        if let Some(index) = self.images.get(&id) {
            return Some(*index);
        }
        let image = self.document.images.get(&id)?;
        let mut json = match self.options.layout.clone() {
            GltfLayout::Split { stem } => {
                let name = self.picture_name(&stem, image);
                let json = json!({ "uri": uri_of(&name), "mimeType": image.format.media_type() });
                self.pictures.push((name, image.bytes.to_vec()));
                json
            }
            GltfLayout::Binary | GltfLayout::Embedded => {
                let view = self.out.view(&image.bytes, ViewUse::Other);
                json!({ "bufferView": view, "mimeType": image.format.media_type() })
            }
        };
        if !image.name.is_empty() {
            json["name"] = json!(image.name);
        }
        let index = self.json.textures.len();
        self.json.images.push(json);
        self.json.textures.push(json!({ "source": index }));
        self.images.insert(id, index);
        Some(index)
    }

    /// A name for a picture's file that no other has, in any case of its letters.
    fn picture_name(&self, stem: &str, image: &Image) -> String {
        let own = if image.name.is_empty() { format!("picture {}", self.pictures.len()) } else { image.name.clone() };
        let extension = image.format.extension();
        let named = |number: usize| {
            let again = if number == 0 { String::new() } else { format!(" {}", number + 1) };
            let whole = if own.starts_with(stem) { own.clone() } else { format!("{stem} {own}") };
            format!("{}{again}.{extension}", safe_name(&whole))
        };
        let free = |name: &String| {
            let same = |other: &str| other.to_lowercase() == name.to_lowercase();
            !self.pictures.iter().any(|(other, _)| same(other))
        };
        (0..=self.pictures.len()).map(named).find(free).unwrap_or_else(|| named(self.pictures.len() + 1))
    }
}

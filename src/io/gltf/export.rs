//! From a document to a file: nodes, meshes, skins, cameras, lights; the motion is in [`super::tracks`].

use super::{
    builder::{Builder, ViewUse, put_list, short},
    container::{CHUNK_BIN, CHUNK_JSON, MAGIC},
    measure::measured,
    tracks::Motion,
};
use crate::{
    io::{
        channel_error::{ChannelError, tell_errors},
        report::{Place, Report},
    },
    math::Transform,
    model::{
        AlphaMode, Camera, Document, ImageId, JointId, Light, LightShape, Material, Mesh, Object, ObjectId, ObjectKind,
        Parent, Skin,
    },
    progress::{Cancelled, Progress},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GltfExport {
    /// How far a channel that glTF cannot say exactly may be from what it was, metres (or parts of a scale or a weight).
    pub tolerance: f64,
    /// The same for rotations, radians.
    pub tolerance_angle: f64,
    /// All influences of a vertex, not only the four largest: many programs read no more than four.
    pub all_influences: bool,
    /// One binary file; else text with its data within it.
    pub binary: bool,
}

impl Default for GltfExport {
    /// A tenth of a millimetre, a twentieth of a degree, four influences, binary.
    fn default() -> Self {
        Self { tolerance: 1e-4, tolerance_angle: 0.05_f64.to_radians(), all_influences: false, binary: true }
    }
}

/// A written file.
#[derive(Debug)]
pub struct GltfWritten {
    /// The file.
    pub bytes: Vec<u8>,
    /// How far each channel of the written file is from the document's, measured.
    pub errors: Vec<ChannelError>,
}

/// Why nothing could be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GltfExportError {
    /// There is nothing to write.
    #[error("the document holds no object; there is nothing to write")]
    Empty,
    /// The file would be larger than the container can say.
    #[error("the file would be larger than 4 GB, the most that .glb can be; write fewer clips")]
    TooLarge,
    /// Someone asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Writes a document: all its objects and all its clips.
///
/// # Errors
/// [`GltfExportError`].
pub fn export(
    document: &Document,
    options: GltfExport,
    progress: &Progress,
    report: &mut Report,
) -> Result<GltfWritten, GltfExportError> {
    if document.objects.is_empty() {
        return Err(GltfExportError::Empty);
    }
    let nodes = Nodes::new(document);
    let mut writer = Writer {
        document,
        nodes: &nodes,
        options,
        out: Builder::default(),
        meshes: Vec::new(),
        skins: Vec::new(),
        images: BTreeMap::new(),
        json: Lists::default(),
    };
    writer.write_nodes(report);
    let mut motion = Motion::new(document, &nodes, options);
    let mut animations = Vec::new();
    for (id, clip) in document.clips.iter() {
        progress.check()?;
        let written = motion.clip(*id, clip, &mut writer.out, progress, report)?;
        animations.push((*id, written));
    }
    let clips: Vec<_> = animations.iter().filter(|(_, value)| value.is_some()).map(|(id, _)| *id).collect();
    let animations = animations.into_iter().filter_map(|(_, value)| value).collect();
    let bytes = writer.finish(animations)?;
    let errors = measured(document, &nodes, &clips, &bytes, progress)?;
    tell_errors(&errors, "it is not one that glTF can say exactly", report);
    Ok(GltfWritten { bytes, errors })
}

/// The nodes of a file and what stands behind them.
#[derive(Debug)]
pub(super) struct Nodes {
    /// In the file's order.
    pub(super) list: Vec<Parent>,
    pub(super) index: BTreeMap<Parent, usize>,
    pub(super) parents: Vec<Option<usize>>,
}

impl Nodes {
    fn new(document: &Document) -> Self {
        let exists = |node: &Parent| match *node {
            Parent::Object(object) => document.object(object).is_some(),
            Parent::Joint(object, joint) => {
                document.object(object).and_then(|o| o.as_rig()).is_some_and(|rig| rig.skeleton.joint(joint).is_some())
            }
        };
        let mut list: Vec<Parent> = document.node_order.iter().copied().filter(exists).collect();
        let known: BTreeMap<Parent, ()> = list.iter().map(|node| (*node, ())).collect();
        let is_bare = |id: ObjectId, object: &Object| {
            let moves = document
                .clips
                .values()
                .any(|clip| clip.channels.keys().any(|path| path.target == crate::model::Target::Object(id)));
            !known.contains_key(&Parent::Object(id))
                && object.as_rig().is_some_and(|rig| {
                    rig.skeleton.joints().iter().any(|joint| known.contains_key(&Parent::Joint(id, joint.id)))
                })
                && object.transform == Transform::IDENTITY
                && object.constraints.is_empty()
                && !moves
        };
        let bare: BTreeMap<ObjectId, ()> =
            document.objects.iter().filter(|(id, object)| is_bare(**id, object)).map(|(id, _)| (*id, ())).collect();
        for (id, object) in document.objects.iter() {
            let joints = object.as_rig().into_iter().flat_map(|rig| rig.skeleton.joints());
            let own = Some(Parent::Object(*id)).filter(|_| !bare.contains_key(id));
            let all = own.into_iter().chain(joints.map(|joint| Parent::Joint(*id, joint.id)));
            list.extend(all.filter(|node| !known.contains_key(node)));
        }
        let index: BTreeMap<Parent, usize> = list.iter().enumerate().map(|(index, node)| (*node, index)).collect();
        let parents = list.iter().map(|node| {
            let mut above = parent_of(document, *node);
            while let Some(node) = above
                && !index.contains_key(&node)
            {
                above = parent_of(document, node);
            }
            above.and_then(|above| index.get(&above).copied())
        });
        let parents = parents.collect();
        Self { list, index, parents }
    }
}

fn parent_of(document: &Document, node: Parent) -> Option<Parent> {
    match node {
        Parent::Object(object) => {
            let own = document.object(object)?;
            // What a skin moves stands at the root: its own place does not act, and programs warn of it elsewhere.
            if is_skinned(own) && !has_children(document, object) { None } else { own.parent }
        }
        Parent::Joint(object, joint) => {
            let parent = document.object(object)?.as_rig()?.skeleton.joint(joint)?.parent;
            Some(parent.map_or(Parent::Object(object), |parent| Parent::Joint(object, parent)))
        }
    }
}

pub(super) fn is_skinned(object: &Object) -> bool {
    object.as_mesh().is_some_and(|mesh| mesh.skin.is_some())
}

fn has_children(document: &Document, id: ObjectId) -> bool {
    document.objects.values().any(|object| object.parent == Some(Parent::Object(id)))
}

#[derive(Debug, Default)]
struct Lists {
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    skins: Vec<Value>,
    cameras: Vec<Value>,
    lights: Vec<Value>,
    materials: Vec<Value>,
    textures: Vec<Value>,
    images: Vec<Value>,
    scene: Vec<usize>,
}

struct Writer<'a> {
    document: &'a Document,
    nodes: &'a Nodes,
    options: GltfExport,
    out: Builder,
    meshes: Vec<(Arc<Mesh>, usize)>,
    skins: Vec<(Arc<Skin>, usize)>,
    images: BTreeMap<ImageId, usize>,
    json: Lists,
}

impl Writer<'_> {
    fn write_nodes(&mut self, report: &mut Report) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.list.len()];
        for (index, parent) in self.nodes.parents.iter().enumerate() {
            match parent {
                Some(parent) => children[*parent].push(index),
                None => self.json.scene.push(index),
            }
        }
        for (index, node) in self.nodes.list.iter().enumerate() {
            let mut json = Map::new();
            match *node {
                Parent::Object(id) => {
                    if let Some(object) = self.document.object(id) {
                        self.object(id, object, &mut json, report);
                    }
                }
                Parent::Joint(object, joint) => self.joint(object, joint, &mut json),
            }
            if !children[index].is_empty() {
                json.insert("children".to_owned(), json!(children[index]));
            }
            self.json.nodes.push(Value::Object(json));
        }
    }

    fn joint(&self, object: ObjectId, joint: JointId, json: &mut Map<String, Value>) {
        let rig = self.document.object(object).and_then(|object| object.as_rig());
        if let Some(joint) = rig.and_then(|rig| rig.skeleton.joint(joint)) {
            json.insert("name".to_owned(), json!(joint.name));
            transform(&joint.rest, json);
        }
    }

    fn object(&mut self, id: ObjectId, object: &Object, json: &mut Map<String, Value>, report: &mut Report) {
        json.insert("name".to_owned(), json!(object.name));
        if !is_skinned(object) || has_children(self.document, id) {
            transform(&object.transform, json);
        }
        match &object.kind {
            ObjectKind::Mesh(mesh) if !mesh.geometry.indices.is_empty() => {
                let index = self.mesh(mesh, report);
                json.insert("mesh".to_owned(), json!(index));
                if !mesh.morphs.is_empty() {
                    let weights: Vec<f64> = mesh.morphs.iter().map(|morph| morph.weight).collect();
                    json.insert("weights".to_owned(), json!(weights));
                }
                if let Some(skin) = &mesh.skin {
                    let index = self.skin(skin);
                    json.insert("skin".to_owned(), json!(index));
                }
            }
            ObjectKind::Camera(camera) => {
                json.insert("camera".to_owned(), json!(self.json.cameras.len()));
                self.json.cameras.push(camera_json(camera, &object.name));
            }
            ObjectKind::Light(light) => {
                json.insert(
                    "extensions".to_owned(),
                    json!({ "KHR_lights_punctual": { "light": self.json.lights.len() } }),
                );
                self.json.lights.push(light_json(light, &object.name));
            }
            ObjectKind::Path(_) => {
                let place = Place::Part(object.name.clone());
                report.warn(
                    "path",
                    place,
                    "glTF has no paths",
                    "written as an empty node; what follows it is written as motion",
                );
            }
            ObjectKind::Rig(_) | ObjectKind::Empty | ObjectKind::Mesh(_) => {}
        }
    }

    /// The index of a mesh, written once.
    fn mesh(&mut self, mesh: &Arc<Mesh>, report: &mut Report) -> usize {
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

    fn skin(&mut self, skin: &Arc<Skin>) -> usize {
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
        let view = self.out.view(&image.bytes, ViewUse::Other);
        let mut json = json!({ "bufferView": view, "mimeType": image.format.media_type() });
        if !image.name.is_empty() {
            json["name"] = json!(image.name);
        }
        let index = self.json.textures.len();
        self.json.images.push(json);
        self.json.textures.push(json!({ "source": index }));
        self.images.insert(id, index);
        Some(index)
    }

    fn finish(mut self, animations: Vec<Value>) -> Result<Vec<u8>, GltfExportError> {
        let mut root = Map::new();
        root.insert("asset".to_owned(), json!({ "version": "2.0", "generator": "Inbetween" }));
        if !self.json.lights.is_empty() {
            root.insert("extensionsUsed".to_owned(), json!(["KHR_lights_punctual"]));
            root.insert("extensions".to_owned(), json!({ "KHR_lights_punctual": { "lights": self.json.lights } }));
        }
        root.insert("scene".to_owned(), json!(0));
        root.insert("scenes".to_owned(), json!([{ "nodes": self.json.scene }]));
        while !self.out.bin.len().is_multiple_of(4) {
            self.out.bin.push(0);
        }
        let lists = [
            ("nodes", self.json.nodes),
            ("meshes", self.json.meshes),
            ("skins", self.json.skins),
            ("cameras", self.json.cameras),
            ("materials", self.json.materials),
            ("textures", self.json.textures),
            ("images", self.json.images),
            ("animations", animations),
            ("accessors", self.out.accessors),
            ("bufferViews", self.out.views),
        ];
        for (name, list) in lists {
            put_list(&mut root, name, list);
        }
        if !self.out.bin.is_empty() {
            let mut buffer = json!({ "byteLength": self.out.bin.len() });
            if !self.options.binary {
                let data = STANDARD.encode(&self.out.bin);
                buffer["uri"] = json!(format!("data:application/octet-stream;base64,{data}"));
            }
            root.insert("buffers".to_owned(), json!([buffer]));
        }
        let json = Value::Object(root);
        if self.options.binary { binary(&json, &self.out.bin) } else { Ok(format!("{json:#}\n").into_bytes()) }
    }
}

/// The binary container.
fn binary(json: &Value, bin: &[u8]) -> Result<Vec<u8>, GltfExportError> {
    let mut text = json.to_string().into_bytes();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let length = |length: usize| u32::try_from(length).map_err(|_unit| GltfExportError::TooLarge);
    let bin_chunk = if bin.is_empty() { 0 } else { 8 + bin.len() };
    let mut out = Vec::with_capacity(20 + text.len() + bin_chunk);
    out.extend(MAGIC);
    out.extend(2_u32.to_le_bytes());
    out.extend(length(20 + text.len() + bin_chunk)?.to_le_bytes());
    out.extend(length(text.len())?.to_le_bytes());
    out.extend(CHUNK_JSON.to_le_bytes());
    out.extend(text);
    if !bin.is_empty() {
        out.extend(length(bin.len())?.to_le_bytes());
        out.extend(CHUNK_BIN.to_le_bytes());
        out.extend(bin);
    }
    Ok(out)
}

fn transform(transform: &Transform, json: &mut Map<String, Value>) {
    let Transform { translation: t, rotation: q, scale: s } = transform;
    if t.iter().any(|value| *value != 0.0) {
        json.insert("translation".to_owned(), json!([t.x, t.y, t.z]));
    }
    if *q != Transform::IDENTITY.rotation {
        #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
        let parts = [q.i, q.j, q.k, q.w].map(|value| short(value as f32));
        json.insert("rotation".to_owned(), json!(parts));
    }
    if s.iter().any(|value| *value != 1.0) {
        json.insert("scale".to_owned(), json!([s.x, s.y, s.z]));
    }
}

fn camera_json(camera: &Camera, name: &str) -> Value {
    let far = camera.far;
    if let Some([x, y]) = camera.orthographic {
        let far = far.unwrap_or(camera.near + 100.0);
        let lens = json!({ "xmag": x, "ymag": y, "znear": camera.near, "zfar": far });
        return json!({ "type": "orthographic", "name": name, "orthographic": lens });
    }
    let mut lens = json!({ "yfov": camera.fov_y, "znear": camera.near });
    if let Some(aspect) = camera.aspect {
        lens["aspectRatio"] = json!(aspect);
    }
    if let Some(far) = far {
        lens["zfar"] = json!(far);
    }
    json!({ "type": "perspective", "name": name, "perspective": lens })
}

fn light_json(light: &Light, name: &str) -> Value {
    let mut json =
        json!({ "name": name, "color": light.color.map(|part| part.min(1.0)), "intensity": light.intensity });
    let kind = match light.shape {
        LightShape::Directional => "directional",
        LightShape::Point => "point",
        LightShape::Spot { inner, outer } => {
            json["spot"] = json!({ "innerConeAngle": inner, "outerConeAngle": outer });
            "spot"
        }
    };
    json["type"] = json!(kind);
    if let Some(range) = light.range.filter(|_| light.shape != LightShape::Directional) {
        json["range"] = json!(range);
    }
    json
}

fn unit([x, y, z]: [f32; 3]) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    if (length - 1.0).abs() < 1e-5 {
        [x, y, z]
    } else if length > 1e-20 {
        [x / length, y / length, z / length]
    } else {
        [0.0, 0.0, 1.0]
    }
}

//! From a document to a file: nodes, cameras, lights and the whole; meshes are in
//! [`super::mesh_out`], the motion in [`super::tracks`].

use super::{
    GltfFile,
    baked::without_stacks,
    builder::{Builder, put_list, short},
    container::{CHUNK_BIN, CHUNK_JSON, MAGIC, uri_of},
    json,
    measure::measured,
    own_scale,
    tracks::Motion,
};
use crate::{
    eval::blend::bake::with_layer_clips,
    io::{
        channel_error::{ChannelError, tell_errors},
        file::safe_name,
        played::Played,
        report::{Place, Report},
    },
    math::Transform,
    model::{
        Camera, ClipId, Document, ImageId, JointId, Light, LightShape, Mesh, Object, ObjectId, ObjectKind, Parent, Skin,
    },
    progress::{Cancelled, Progress},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// How a file and its data lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GltfLayout {
    /// One binary file, .glb.
    Binary,
    /// Text with its data within it, .gltf.
    Embedded,
    /// Text, its data in a .bin and its pictures in files of their own beside it.
    Split {
        /// What the files beside it begin with: the name of the text file without its ending.
        stem: String,
    },
}

/// How a file is written.
#[derive(Clone, Debug, PartialEq)]
pub struct GltfExport {
    /// How far a channel that glTF cannot say exactly may be from what it was, metres (or parts of a scale or a weight).
    pub tolerance: f64,
    /// The same for rotations, radians.
    pub tolerance_angle: f64,
    /// All influences of a vertex, not only the four largest: many programs read no more than four.
    pub all_influences: bool,
    /// How the file and its data lie.
    pub layout: GltfLayout,
    /// What becomes of deformer stacks.
    pub deformers: DeformersOut,
    /// How far a vertex of a baked stack may be from where it was, metres in the world.
    pub shape_tolerance: f64,
    /// What dual quaternion skinning does differently is baked too: glTF blends linearly.
    pub bake_dual: bool,
}

/// What becomes of deformer stacks, which glTF does not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DeformersOut {
    /// Morph targets with animated weights.
    Bake,
    /// The shape they make at a time, for all times.
    Apply {
        /// The time, seconds.
        secs: f64,
    },
    /// The mesh without them.
    Leave,
}

impl Default for GltfExport {
    /// A tenth of a millimetre, a twentieth of a degree, four influences, binary; stacks baked within half a millimetre.
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            tolerance_angle: 0.05_f64.to_radians(),
            all_influences: false,
            layout: GltfLayout::Binary,
            deformers: DeformersOut::Bake,
            shape_tolerance: 5e-4,
            bake_dual: false,
        }
    }
}

/// A written file.
#[derive(Debug)]
pub struct GltfWritten {
    /// The file.
    pub bytes: Vec<u8>,
    /// The files beside it, by name: its data and its pictures. None but with [`GltfLayout::Split`].
    pub beside: Vec<(String, Vec<u8>)>,
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
    let played = document.without_muted();
    let layered = with_layer_clips(&played, progress)?;
    let baked = without_stacks(&layered, &options, progress, report)?;
    let document = &baked;
    let nodes = Nodes::new(document);
    let mut writer = Writer {
        document,
        nodes: &nodes,
        options: options.clone(),
        out: Builder::default(),
        meshes: Vec::new(),
        skins: Vec::new(),
        images: BTreeMap::new(),
        pictures: Vec::new(),
        json: Lists::default(),
    };
    writer.write_nodes(report);
    let sources = document.clips.keys().filter_map(|id| Some((*id, Played::new(document, *id)?)));
    let sources: Vec<(ClipId, Played)> = sources.collect();
    // Each node is sampled, then compared, in each clip; so are the whole frames that nodes of a clip need.
    let rounds: u64 = sources.iter().map(|(_, source)| if source.has_frames() { 4 } else { 2 }).sum();
    progress.start("Sampling motion", rounds * nodes.list.len() as u64);
    let mut motion = Motion::new(document, &nodes, &options, progress);
    let (mut animations, mut clips) = (Vec::new(), Vec::new());
    for (id, source) in sources {
        progress.check()?;
        let Some(clip) = document.clip(id) else { continue };
        if let Some(animation) = motion.clip(clip, &source, &mut writer.out, report)? {
            animations.push(animation);
            clips.push(id);
        }
    }
    let mut written = writer.finish(animations);
    let errors = written.measured(document, &nodes, &clips, progress)?;
    tell_errors(&errors, "it is not one that glTF can say exactly", report);
    written.laid_out(&options.layout, errors)
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
                && object.drivers.is_empty()
                && !moves
                && (object.parent.is_some() || !has_many_roots(object))
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

/// Whether nothing but the object itself joins the joints of a skeleton: a skin's joints must have a node in common.
fn has_many_roots(object: &Object) -> bool {
    let joints = object.as_rig().into_iter().flat_map(|rig| rig.skeleton.joints());
    joints.filter(|joint| joint.parent.is_none()).nth(1).is_some()
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
pub(super) struct Lists {
    pub(super) nodes: Vec<Value>,
    pub(super) meshes: Vec<Value>,
    pub(super) skins: Vec<Value>,
    pub(super) cameras: Vec<Value>,
    pub(super) lights: Vec<Value>,
    pub(super) materials: Vec<Value>,
    pub(super) textures: Vec<Value>,
    pub(super) images: Vec<Value>,
    pub(super) scene: Vec<usize>,
}

pub(super) struct Writer<'a> {
    pub(super) document: &'a Document,
    pub(super) nodes: &'a Nodes,
    pub(super) options: GltfExport,
    pub(super) out: Builder,
    pub(super) meshes: Vec<(Arc<Mesh>, usize)>,
    pub(super) skins: Vec<(Arc<Skin>, usize)>,
    pub(super) images: BTreeMap<ImageId, usize>,
    /// Pictures that are files of their own.
    pub(super) pictures: Vec<(String, Vec<u8>)>,
    pub(super) json: Lists,
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
                Parent::Joint(object, joint) => self.joint(object, joint, &mut json, report),
            }
            if !children[index].is_empty() {
                json.insert("children".to_owned(), json!(children[index]));
            }
            self.json.nodes.push(Value::Object(json));
        }
        self.bare_skeletons();
        self.join_skins(report);
    }

    /// A skin for each skeleton that moves no mesh: nothing else in glTF says that nodes are joints.
    fn bare_skeletons(&mut self) {
        let skinned = |id: ObjectId| {
            let joints = self.skins.iter().flat_map(|(skin, _)| &skin.joints);
            joints.map(|joint| joint.joint).any(|joint| matches!(joint, Parent::Joint(object, _) if object == id))
        };
        let bare: Vec<Value> = self
            .document
            .rigs()
            .filter(|(id, ..)| !skinned(*id))
            .filter_map(|(id, object, rig)| {
                let joints = rig.skeleton.joints().iter().map(|joint| Parent::Joint(id, joint.id));
                let joints: Vec<usize> = joints.filter_map(|joint| self.nodes.index.get(&joint).copied()).collect();
                (!joints.is_empty()).then(|| json!({ "name": object.name, "joints": joints }))
            })
            .collect();
        self.json.skins.extend(bare);
    }

    fn joint(&self, object: ObjectId, joint: JointId, json: &mut Map<String, Value>, report: &mut Report) {
        let rig = self.document.object(object).and_then(|object| object.as_rig());
        if let Some(joint) = rig.and_then(|rig| rig.skeleton.joint(joint)) {
            json.insert("name".to_owned(), json!(joint.name));
            let rest = own_scale::rest(self.document, Parent::Joint(object, joint.id), report);
            transform(&rest.unwrap_or(joint.rest), json);
        }
    }

    fn object(&mut self, id: ObjectId, object: &Object, json: &mut Map<String, Value>, report: &mut Report) {
        json.insert("name".to_owned(), json!(object.name));
        if !is_skinned(object) || has_children(self.document, id) {
            transform(&object.transform, json);
        }
        match &object.kind {
            ObjectKind::Mesh(mesh) if !mesh.geometry.indices.is_empty() => {
                if mesh.skin.is_some() && mesh.dual > 0.0 {
                    let place = Place::Part(object.name.clone());
                    report.warn(
                        "skin",
                        place,
                        "glTF has no dual quaternion skinning",
                        "it is written for linear blend",
                    );
                }
                if mesh.stack.iter().any(|entry| !entry.muted) {
                    let place = Place::Part(object.name.clone());
                    report.warn(
                        "deformer",
                        place,
                        "glTF has no deformer stacks",
                        "the mesh is written without its own",
                    );
                }
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
            ObjectKind::Lattice(_) | ObjectKind::Deformer(_) => {
                let place = Place::Part(object.name.clone());
                report.warn("deformer", place, "glTF has no lattices and deformers", "written as an empty node");
            }
            ObjectKind::Rig(_) | ObjectKind::Empty | ObjectKind::Mesh(_) => {}
        }
    }

    fn finish(mut self, animations: Vec<Value>) -> Written {
        let mut root = Map::new();
        let rate = self.document.settings.rate;
        let extras = json!({ json::AssetExtras::FRAME_RATE: [rate.num(), rate.den()] });
        root.insert("asset".to_owned(), json!({ "version": "2.0", "generator": "Inbetween", "extras": extras }));
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
            root.insert("buffers".to_owned(), json!([{ "byteLength": self.out.bin.len() }]));
        }
        Written { json: Value::Object(root), bin: self.out.bin, pictures: self.pictures }
    }
}

/// A whole file whose data has no place yet.
struct Written {
    json: Value,
    bin: Vec<u8>,
    pictures: Vec<(String, Vec<u8>)>,
}

impl Written {
    /// How far its motion is from the document's.
    fn measured(
        &mut self,
        document: &Document,
        nodes: &Nodes,
        clips: &[ClipId],
        progress: &Progress,
    ) -> Result<Vec<ChannelError>, GltfExportError> {
        // What was written just now reads.
        let Ok(root) = json::parse(self.json.to_string().as_bytes()) else { return Ok(Vec::new()) };
        let buffers = if self.bin.is_empty() { Vec::new() } else { vec![std::mem::take(&mut self.bin)] };
        let mut file = GltfFile { root, buffers, folder: None };
        let errors = measured(document, nodes, clips, &file, progress);
        self.bin = file.buffers.pop().unwrap_or_default();
        errors
    }

    /// The file, and those beside it.
    fn laid_out(mut self, layout: &GltfLayout, errors: Vec<ChannelError>) -> Result<GltfWritten, GltfExportError> {
        let mut beside = self.pictures;
        let uri = match layout {
            GltfLayout::Binary => {
                let bytes = binary(&self.json, &self.bin)?;
                return Ok(GltfWritten { bytes, beside, errors });
            }
            GltfLayout::Embedded => {
                format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bin))
            }
            GltfLayout::Split { stem } => {
                let name = format!("{}.bin", safe_name(stem));
                let uri = uri_of(&name);
                if !self.bin.is_empty() {
                    beside.insert(0, (name, self.bin));
                }
                uri
            }
        };
        // By look-up: an index would put in the list that is not there.
        if let Some(buffer) = self.json.get_mut("buffers").and_then(|buffers| buffers.get_mut(0)) {
            buffer["uri"] = json!(uri);
        }
        let bytes = format!("{:#}\n", self.json).into_bytes();
        Ok(GltfWritten { bytes, beside, errors })
    }
}

/// The binary container.
pub(super) fn binary(json: &Value, bin: &[u8]) -> Result<Vec<u8>, GltfExportError> {
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

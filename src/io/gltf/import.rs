//! From a file to the parts of a document.

use super::{
    GltfError,
    accessor::Arrays,
    animation::{AnimationReader, NodeTarget, rotation_of},
    json,
    meshes::{MeshReader, ReadMesh, images},
    rate,
    tree::{RigPlan, Tree, rigs},
};
use crate::{
    io::report::{Place, Report},
    math::{Affine, Mat3, Transform, Vec3, rotation::from_matrix},
    model::{
        Camera, Clip, ClipId, Document, FrameRange, FrameRate, Image, ImageId, Joint, JointId, JointKind, Light,
        LightShape, Object, ObjectId, ObjectKind, Parent, Rig, RotationMode, Skeleton, Skin, SkinJoint, Target,
    },
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file taken apart but not yet looked at.
#[derive(Debug)]
pub struct GltfFile {
    pub(super) root: json::Root,
    pub(super) buffers: Vec<Vec<u8>>,
    pub(super) folder: Option<PathBuf>,
}

/// What a file holds, in the document's terms.
#[derive(Debug, Default)]
pub struct GltfParts {
    /// The objects, in order of id.
    pub objects: Vec<(ObjectId, Arc<Object>)>,
    /// The clips, in order of id; their ranges count frames at `rate`.
    pub clips: Vec<(ClipId, Arc<Clip>)>,
    /// The images, in order of id.
    pub images: Vec<(ImageId, Arc<Image>)>,
    /// What stands for the file's nodes, in its order.
    pub node_order: Vec<Parent>,
    /// The rate that the file states, as ours do, or that fits its keys.
    pub rate: FrameRate,
    /// The last key of each clip, seconds.
    pub ends: Vec<f64>,
    /// The next id to give.
    pub next_id: u32,
}

/// Extensions whose content is carried.
const CARRIED: &[&str] = &["KHR_lights_punctual", "KHR_mesh_quantization"];
/// Extensions without which there is nothing to read.
const COMPRESSED: &[&str] = &["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Turns a file into parts, with ids from `next_id` on.
///
/// # Errors
/// What makes no sense in the file, with its place.
pub fn to_parts(file: &GltfFile, name: &str, next_id: u32, report: &mut Report) -> Result<GltfParts, GltfError> {
    let root = &file.root;
    report_extensions(root, report)?;
    let arrays = Arrays::new(root, &file.buffers);
    let tree = Tree::new(root)?;
    let rigs = rigs(root, &tree)?;
    let mut ids = Ids(next_id);
    let mut maker = Maker::new(root, &tree, &rigs, &mut ids);
    maker.joints(name)?;
    let images = images(root, &arrays, file.folder.as_deref(), report);
    let placed: Vec<(usize, ImageId, Arc<Image>)> =
        images.into_iter().map(|(index, image)| (index, ImageId(ids.take()), image)).collect();
    let image_ids = placed.iter().map(|(index, id, _)| (*index, *id)).collect();
    let reader = MeshReader { root, arrays: &arrays, images: &image_ids };
    maker.objects(&reader, &mut ids, report)?;
    let mut parts = maker.finish();
    parts.images = placed.into_iter().map(|(_, id, image)| (id, image)).collect();
    let mut animations = AnimationReader { root, arrays: &arrays, nodes: &parts.nodes, times: BTreeMap::new() };
    let mut clips = Vec::new();
    for (index, animation) in root.animations.iter().enumerate() {
        let channels = animations.read(index, report)?;
        let end = channels.values().filter_map(|curve| curve.span()).fold(0.0, |end: f64, span| end.max(span.1));
        let name = animation.name.clone().unwrap_or_else(|| format!("{name} {}", index + 1));
        clips.push((name, channels, end));
    }
    let tracks = animations.times.values().map(|times| times.secs.as_slice());
    let rate = root.asset.extras.frame_rate.unwrap_or_else(|| rate::fitting(tracks, report));
    let mut ends = Vec::new();
    let clips = clips.into_iter().map(|(name, channels, end)| {
        ends.push(end);
        (ClipId(ids.take()), Arc::new(Clip { channels, ..Clip::new(&name, range_to(end, rate)) }))
    });
    let clips = clips.collect();
    let Made { objects, images, node_order, .. } = parts;
    Ok(GltfParts { objects, clips, images, node_order, rate, ends, next_id: ids.0 })
}

impl GltfParts {
    /// A new document of the parts, with the rate that fits the keys.
    #[must_use]
    pub fn into_document(self) -> Document {
        let mut document = Document {
            objects: Arc::new(self.objects.into_iter().collect()),
            clips: Arc::new(self.clips.into_iter().collect()),
            images: Arc::new(self.images.into_iter().collect()),
            node_order: Arc::new(self.node_order),
            next_id: self.next_id,
            ..Document::default()
        };
        let settings = Arc::make_mut(&mut document.settings);
        settings.rate = self.rate;
        if let Some((id, clip)) = document.clips.first_key_value() {
            settings.clip = Some(*id);
            settings.play_range = clip.range;
        }
        document
    }
}

/// The frames from 0 to a time, the last one not before it.
#[must_use]
pub fn range_to(end: f64, rate: FrameRate) -> FrameRange {
    #[expect(clippy::cast_possible_truncation, reason = "times of single precision")]
    let last = (rate.frame_f64(end) - 1e-3).ceil().max(0.0) as i64;
    FrameRange::new(0, last)
}

fn report_extensions(root: &json::Root, report: &mut Report) -> Result<(), GltfError> {
    for (place, name) in root.extensions_required.iter().enumerate() {
        if COMPRESSED.contains(&name.as_str()) {
            let what = format!("the data is packed by {name}, which is not read; export it without");
            return Err(GltfError::part(format!("extensionsRequired[{place}]"), what));
        }
    }
    for name in root.extensions_used.iter().filter(|name| !CARRIED.contains(&name.as_str())) {
        report.warn(
            "extension",
            Place::Part("extensionsUsed".to_owned()),
            format!("the extension {name}"),
            "not carried",
        );
    }
    for (index, material) in root.materials.iter().enumerate() {
        let textures = [
            (&material.normal_texture, "normal texture"),
            (&material.occlusion_texture, "occlusion texture"),
            (&material.emissive_texture, "emissive texture"),
            (&material.pbr_metallic_roughness.metallic_roughness_texture, "metal and roughness texture"),
        ];
        let place = || Place::Part(format!("materials[{index}]"));
        for (_, what) in textures.into_iter().filter(|(texture, _)| texture.is_some()) {
            report.warn("material", place(), what, "not carried");
        }
        if material.emissive_factor != [0.0; 3] {
            report.warn("material", place(), "emission", "not carried");
        }
    }
    Ok(())
}

struct Ids(u32);

impl Ids {
    fn take(&mut self) -> u32 {
        let id = self.0;
        self.0 = self.0.saturating_add(1);
        id
    }
}

/// Objects on the way.
struct Maker<'a> {
    root: &'a json::Root,
    tree: &'a Tree,
    rigs: &'a [RigPlan],
    rig_of: Vec<Option<usize>>,
    holder_of: BTreeMap<usize, usize>,
    rig_objects: Vec<ObjectId>,
    node_ids: Vec<Option<ObjectId>>,
    joints: Vec<Option<JointId>>,
    made: Made,
}

#[derive(Default)]
struct Made {
    objects: Vec<(ObjectId, Arc<Object>)>,
    images: Vec<(ImageId, Arc<Image>)>,
    node_order: Vec<Parent>,
    nodes: Vec<NodeTarget>,
}

impl<'a> Maker<'a> {
    /// Gives ids: to each rig without a node of its own first, then to each node that is no joint, in the file's order.
    fn new(root: &'a json::Root, tree: &'a Tree, rigs: &'a [RigPlan], ids: &mut Ids) -> Self {
        let mut rig_of = vec![None; root.nodes.len()];
        for (index, rig) in rigs.iter().enumerate() {
            rig.joints.iter().for_each(|joint| rig_of[*joint] = Some(index));
        }
        let mut rig_objects: Vec<Option<ObjectId>> =
            rigs.iter().map(|rig| rig.holder.is_none().then(|| ObjectId(ids.take()))).collect();
        let holder_of: BTreeMap<usize, usize> =
            rigs.iter().enumerate().filter_map(|(index, rig)| Some((rig.holder?, index))).collect();
        let mut node_ids = vec![None; root.nodes.len()];
        for (node, id) in node_ids.iter_mut().enumerate().filter(|(node, _)| rig_of[*node].is_none()) {
            let object = ObjectId(ids.take());
            *id = Some(object);
            if let Some(rig) = holder_of.get(&node) {
                rig_objects[*rig] = Some(object);
            }
        }
        let rig_objects = rig_objects.into_iter().map(Option::unwrap_or_default).collect();
        let joints = vec![None; root.nodes.len()];
        Self { root, tree, rigs, rig_of, holder_of, rig_objects, node_ids, joints, made: Made::default() }
    }

    /// What stands for a node.
    fn stand_in(&self, node: usize) -> Option<Parent> {
        match self.rig_of.get(node).copied().flatten() {
            Some(rig) => Some(Parent::Joint(*self.rig_objects.get(rig)?, self.joints.get(node).copied().flatten()?)),
            None => self.node_ids.get(node).copied().flatten().map(Parent::Object),
        }
    }

    /// Makes the rigs.
    fn joints(&mut self, file_name: &str) -> Result<(), GltfError> {
        let mut counts = vec![0_u32; self.rigs.len()];
        let mut lists: Vec<Vec<Joint>> = vec![Vec::new(); self.rigs.len()];
        for &node in &self.tree.order {
            let Some(rig) = self.rig_of[node] else { continue };
            let id = JointId(counts[rig]);
            counts[rig] += 1;
            self.joints[node] = Some(id);
            let above = self.tree.parents[node].filter(|parent| self.rig_of[*parent] == Some(rig));
            lists[rig].push(Joint {
                id,
                name: node_name(self.root, node),
                parent: above.and_then(|above| self.joints[above]),
                kind: JointKind::Joint,
                rest: local(self.root, node, &mut Report::new())?,
                rotation: RotationMode::Quaternion,
                own_scale: false,
                file_channels: Vec::new(),
            });
        }
        for (index, joints) in lists.into_iter().enumerate() {
            let plan = &self.rigs[index];
            let broken = |error: crate::model::SkeletonError| {
                GltfError::part(format!("skins[{}]", plan.skin), error.to_string())
            };
            let skeleton = Arc::new(Skeleton::new(joints).map_err(broken)?);
            let rig = Rig { skeleton, ..Rig::default() };
            let mut object = match plan.holder {
                Some(holder) => self.object(holder, ObjectKind::Rig(Arc::new(rig)), &mut Report::new())?,
                None => {
                    let skin = &self.root.skins[plan.skin].name;
                    Object::rig(if skin.is_empty() { file_name } else { skin }, rig)
                }
            };
            if plan.holder.is_none() {
                let tops = plan.joints.iter().filter_map(|joint| self.tree.parents[*joint]);
                let above = tops.filter(|parent| self.rig_of[*parent] != Some(index)).min();
                object.parent = above.and_then(|above| self.stand_in(above));
                object.hidden = !plan.joints.iter().any(|joint| self.tree.shown[*joint]);
            }
            self.made.objects.push((self.rig_objects[index], Arc::new(object)));
        }
        Ok(())
    }

    fn object(&self, node: usize, kind: ObjectKind, report: &mut Report) -> Result<Object, GltfError> {
        Ok(Object {
            parent: self.tree.parents[node].and_then(|parent| self.stand_in(parent)),
            transform: local(self.root, node, report)?,
            rotation: RotationMode::Quaternion,
            hidden: !self.tree.shown[node],
            ..Object::new(&node_name(self.root, node), kind)
        })
    }

    /// Makes all that is no rig. What more than one thing a node is hangs on it as objects of their own.
    fn objects(&mut self, meshes: &MeshReader<'_>, ids: &mut Ids, report: &mut Report) -> Result<(), GltfError> {
        let mut read: BTreeMap<usize, ReadMesh> = BTreeMap::new();
        for node in 0..self.root.nodes.len() {
            let stand_in = self.stand_in(node).unwrap_or(Parent::Object(ObjectId::default()));
            self.made.node_order.push(stand_in);
            let mut target = NodeTarget {
                target: match stand_in {
                    Parent::Object(object) => Target::Object(object),
                    Parent::Joint(rig, joint) => Target::Joint(rig, joint),
                },
                morphs: None,
            };
            let mut kinds = self.kinds(node, meshes, &mut read, report)?;
            let own = self.node_ids[node].filter(|_| !self.holder_of.contains_key(&node));
            if own.is_some() && kinds.is_empty() {
                kinds.push(ObjectKind::Empty);
            }
            for (number, kind) in kinds.into_iter().enumerate() {
                let (id, object) = match own.filter(|_| number == 0) {
                    Some(id) => (id, self.object(node, kind, report)?),
                    None => {
                        let place = Place::Part(format!("nodes[{node}]"));
                        report.info("node-split", place, "a node that is several things", "the others hang on it");
                        let name = node_name(self.root, node);
                        let hidden = !self.tree.shown[node];
                        let object = Object { parent: Some(stand_in), hidden, ..Object::new(&name, kind) };
                        (ObjectId(ids.take()), Object { rotation: RotationMode::Quaternion, ..object })
                    }
                };
                if let Some(mesh) = object.as_mesh() {
                    target.morphs = Some((id, mesh.morphs.len()));
                }
                self.made.objects.push((id, Arc::new(object)));
            }
            self.made.nodes.push(target);
        }
        Ok(())
    }

    /// What a node is, besides a place.
    fn kinds(
        &self,
        node: usize,
        meshes: &MeshReader<'_>,
        read: &mut BTreeMap<usize, ReadMesh>,
        report: &mut Report,
    ) -> Result<Vec<ObjectKind>, GltfError> {
        let mut kinds = Vec::new();
        let own = &self.root.nodes[node];
        if let Some(mesh) = own.mesh {
            let found = match read.entry(mesh) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => entry.insert(meshes.read(mesh, node, report)?),
            };
            let mut mesh = found.mesh.clone();
            for (morph, weight) in mesh.morphs.iter_mut().zip(&own.weights).filter(|(_, weight)| weight.is_finite()) {
                Arc::make_mut(morph).weight = *weight;
            }
            if let Some(skin) = own.skin {
                mesh.skin = self.skin(node, skin, found, meshes.arrays, report)?;
            }
            kinds.push(ObjectKind::Mesh(Arc::new(mesh)));
        }
        if let Some(camera) = own.camera {
            let path = || format!("nodes[{node}].camera");
            let there = self.root.cameras.len();
            let found = self.root.cameras.get(camera);
            let found = found.ok_or_else(|| GltfError::missing(path(), "cameras", camera, there))?;
            kinds.push(ObjectKind::Camera(camera_of(found, &format!("cameras[{camera}]"))?));
        }
        if let Some(light) = &own.extensions.light {
            let lights = self.root.extensions.lights.as_ref().map_or(&[][..], |lights| &lights.lights);
            let path = || format!("nodes[{node}].extensions.KHR_lights_punctual.light");
            let found = lights.get(light.light);
            let found = found.ok_or_else(|| GltfError::missing(path(), "lights", light.light, lights.len()))?;
            kinds.push(ObjectKind::Light(light_of(found, light.light)?));
        }
        Ok(kinds)
    }

    fn skin(
        &self,
        node: usize,
        index: usize,
        mesh: &ReadMesh,
        arrays: &Arrays<'_>,
        report: &mut Report,
    ) -> Result<Option<Arc<Skin>>, GltfError> {
        let there = self.root.skins.len();
        let skin = self.root.skins.get(index);
        let skin = skin.ok_or_else(|| GltfError::missing(format!("nodes[{node}].skin"), "skins", index, there))?;
        if mesh.per_vertex == 0 {
            let place = Place::Part(format!("nodes[{node}]"));
            report.warn("no-influences", place, "its mesh names no joints", "shown without its skin");
            return Ok(None);
        }
        let highest = mesh.influences.iter().copied().max().map_or(0, usize::from);
        if highest >= skin.joints.len() {
            let what = format!("a vertex follows joint {highest}, and skins[{index}] has {}", skin.joints.len());
            return Err(GltfError::part(format!("nodes[{node}].mesh"), what));
        }
        let binds: Vec<[f32; 16]> = match skin.inverse_bind_matrices {
            None => Vec::new(),
            Some(accessor) => {
                let path = format!("skins[{index}].inverseBindMatrices");
                let binds = arrays.floats(accessor, &path)?;
                if binds.len() < skin.joints.len() {
                    let what = format!("{} matrices for {} joints", binds.len(), skin.joints.len());
                    return Err(GltfError::part(path, what));
                }
                binds
            }
        };
        let joint = |(number, node): (usize, &usize)| SkinJoint {
            joint: self.stand_in(*node).unwrap_or(Parent::Object(ObjectId::default())),
            joint_from_mesh: SkinJoint::rows(
                &binds.get(number).map_or(Affine::IDENTITY, |m| affine(&m.map(f64::from))),
            ),
        };
        Ok(Some(Arc::new(Skin {
            name: skin.name.clone(),
            joints: skin.joints.iter().enumerate().map(joint).collect(),
            per_vertex: u32::try_from(mesh.per_vertex).unwrap_or(u32::MAX),
            influences: mesh.influences.clone(),
            weights: mesh.weights.clone(),
        })))
    }

    fn finish(mut self) -> Made {
        self.made.objects.sort_by_key(|(id, _)| *id);
        self.made
    }
}

/// A node's name, or what it is called where it has none.
fn node_name(root: &json::Root, node: usize) -> String {
    let name = &root.nodes[node].name;
    if name.is_empty() { format!("node {node}") } else { name.clone() }
}

/// A column-major matrix; its last row is taken as 0 0 0 1.
fn affine(m: &[f64; 16]) -> Affine {
    Affine { linear: Mat3::from_fn(|row, column| m[4 * column + row]), translation: Vec3::new(m[12], m[13], m[14]) }
}

/// A node's transform in its parent's space.
fn local(root: &json::Root, node: usize, report: &mut Report) -> Result<Transform, GltfError> {
    let own = &root.nodes[node];
    let path = |what: &str| format!("nodes[{node}].{what}");
    let finite = |values: &[f64], what: &str| match values.iter().all(|value| value.is_finite()) {
        true => Ok(()),
        false => Err(GltfError::part(path(what), "a number of it is too large")),
    };
    if let Some(matrix) = &own.matrix {
        finite(matrix, "matrix")?;
        let map = affine(matrix);
        if map.shear() > 1e-6 {
            report.warn("shear", Place::Part(path("matrix")), "a matrix that shears", "taken without the shear");
        }
        return Ok(decomposed(&map));
    }
    let translation = own.translation.unwrap_or_default();
    let scale = own.scale.unwrap_or([1.0; 3]);
    finite(&translation, "translation")?;
    finite(&scale, "scale")?;
    let rotation = own.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
    let rotation = rotation_of(rotation.map(|value| value as f32))
        .ok_or_else(|| GltfError::part(path("rotation"), "a quaternion of length 0 is no rotation"))?;
    Ok(Transform { translation: translation.into(), rotation, scale: scale.into() })
}

/// Translation, rotation and scale of a map; a mirrored one is mirrored along X.
pub(crate) fn decomposed(map: &Affine) -> Transform {
    let mut linear = map.linear;
    let mut scale = Vec3::new(linear.column(0).norm(), linear.column(1).norm(), linear.column(2).norm());
    if linear.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    for axis in 0..3 {
        if scale[axis] != 0.0 {
            linear.column_mut(axis).scale_mut(1.0 / scale[axis]);
        }
    }
    let rotation = if scale.iter().all(|scale| *scale != 0.0) { from_matrix(&linear) } else { map.rotation() };
    Transform { translation: map.translation, rotation, scale }
}

fn camera_of(camera: &json::Camera, path: &str) -> Result<Camera, GltfError> {
    let camera = match (&camera.perspective, &camera.orthographic) {
        (Some(perspective), _) => Camera {
            fov_y: perspective.yfov.clamp(Camera::FIELD.0, Camera::FIELD.1),
            aspect: perspective.aspect_ratio,
            near: perspective.znear,
            far: perspective.zfar,
            orthographic: None,
        },
        (None, Some(orthographic)) => Camera {
            near: orthographic.znear,
            far: Some(orthographic.zfar),
            orthographic: Some([orthographic.xmag, orthographic.ymag]),
            ..Camera::default()
        },
        (None, None) => return Err(GltfError::part(path, "it is neither perspective nor orthographic")),
    };
    if camera.is_sound() { Ok(camera) } else { Err(GltfError::part(path, "its numbers make no picture")) }
}

fn light_of(light: &json::Light, index: usize) -> Result<Light, GltfError> {
    let path = format!("extensions.KHR_lights_punctual.lights[{index}]");
    let shape = match (light.kind.as_str(), &light.spot) {
        ("directional", _) => LightShape::Directional,
        ("point", _) => LightShape::Point,
        ("spot", spot) => {
            let fallback = json::Spot::default();
            let spot = spot.as_ref().unwrap_or(&fallback);
            LightShape::Spot { inner: spot.inner_cone_angle, outer: spot.outer_cone_angle }
        }
        (other, _) => return Err(GltfError::part(format!("{path}.type"), format!("'{other}' is no kind of light"))),
    };
    let light = Light { shape, color: light.color, intensity: light.intensity, range: light.range };
    if light.is_sound() { Ok(light) } else { Err(GltfError::part(path, "its numbers are out of range")) }
}

/// The folder that a file's URIs are looked up in.
pub(super) fn folder_of(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.to_owned())
}

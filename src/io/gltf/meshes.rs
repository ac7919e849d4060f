//! Meshes, materials and images of a file.

use super::{GltfError, accessor::Arrays, container::fetch, json};
use crate::{
    eval::mesh::smooth_normals,
    io::report::{Place, Report},
    model::{AlphaMode, Geometry, Image, ImageFormat, ImageId, Material, Mesh, MeshPart, MorphId, MorphTarget},
};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// A mesh and the influences that a skin gives its joints to.
#[derive(Debug)]
pub(super) struct ReadMesh {
    pub(super) mesh: Mesh,
    /// How many influences a vertex has; 0 for a mesh that none of its primitives binds.
    pub(super) per_vertex: usize,
    pub(super) influences: Arc<[u16]>,
    pub(super) weights: Arc<[f32]>,
}

/// How positions and normals change.
type Deltas = (Vec<[f32; 3]>, Vec<[f32; 3]>);

/// Four joints and their weights, one a vertex.
type InfluenceSet = (Vec<[u32; 4]>, Vec<[f32; 4]>);

/// The attributes of the primitives so far, one after the other.
#[derive(Debug, Default)]
struct Vertices {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    /// The influences of each primitive, as many sets of 4 as it has.
    bound: Vec<Bound>,
    targets: Vec<Deltas>,
    parts: Vec<MeshPart>,
    materials: BTreeMap<usize, u32>,
}

/// The influences of one primitive's vertices.
#[derive(Debug, Default)]
struct Bound {
    count: usize,
    sets: Vec<InfluenceSet>,
}

/// What meshes are read with.
pub(super) struct MeshReader<'a> {
    pub(super) root: &'a json::Root,
    pub(super) arrays: &'a Arrays<'a>,
    /// The document's image of each of the file's.
    pub(super) images: &'a BTreeMap<usize, ImageId>,
}

impl MeshReader<'_> {
    /// Reads the mesh of a node.
    pub(super) fn read(&self, index: usize, node: usize, report: &mut Report) -> Result<ReadMesh, GltfError> {
        let there = self.root.meshes.len();
        let path = || format!("nodes[{node}].mesh");
        let mesh = self.root.meshes.get(index).ok_or_else(|| GltfError::missing(path(), "meshes", index, there))?;
        let mut vertices = Vertices::default();
        let targets = mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or_default();
        vertices.targets.resize_with(targets, Default::default);
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let path = format!("meshes[{index}].primitives[{number}]");
            match primitive.mode.unwrap_or(4) {
                4..=6 => self.primitive(primitive, &path, &mut vertices, report)?,
                mode @ 0..=3 => {
                    report.warn(
                        "primitive-mode",
                        Place::Part(path),
                        format!("points or lines (mode {mode})"),
                        "left out",
                    );
                }
                mode => return Err(GltfError::part(format!("{path}.mode"), format!("{mode} is none that glTF knows"))),
            }
        }
        vertices.finish(self, mesh)
    }

    fn primitive(
        &self,
        primitive: &json::Primitive,
        path: &str,
        out: &mut Vertices,
        report: &mut Report,
    ) -> Result<(), GltfError> {
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            report.warn("no-positions", Place::Part(path.to_owned()), "it has no POSITION", "left out");
            return Ok(());
        };
        let positions: Vec<[f32; 3]> = self.arrays.floats(positions, &format!("{path}.attributes.POSITION"))?;
        let (base, count) = (out.positions.len(), positions.len());
        let own = triangles(&self.indices(primitive, count, path)?, primitive.mode.unwrap_or(4));
        if let Some(wrong) = own.iter().find(|vertex| **vertex as usize >= count) {
            let what = format!("vertex {wrong} is used, and there are {count}");
            return Err(GltfError::part(format!("{path}.indices"), what));
        }
        let too_many = || GltfError::part(path, "the mesh has more vertices than can be counted");
        let first = u32::try_from(base).map_err(|_unit| too_many())?;
        u32::try_from(base + count).map_err(|_unit| too_many())?;
        let material = match primitive.material {
            None => None,
            Some(material) => {
                let (next, there) = (out.materials.len(), self.root.materials.len());
                if material >= there {
                    return Err(GltfError::missing(format!("{path}.material"), "materials", material, there));
                }
                Some(*out.materials.entry(material).or_insert(u32::try_from(next).unwrap_or(u32::MAX)))
            }
        };
        let vertices = u32::try_from(count).unwrap_or(u32::MAX);
        out.parts.push(MeshPart { vertices, indices: u32::try_from(own.len()).map_err(|_unit| too_many())?, material });
        self.attributes(primitive, &positions, &own, path, out, report)?;
        self.influences(primitive, count, path, out)?;
        self.targets(primitive, count, path, out, report)?;
        out.positions.extend(positions);
        out.indices.extend(own.into_iter().map(|vertex| first + vertex));
        Ok(())
    }

    fn indices(&self, primitive: &json::Primitive, count: usize, path: &str) -> Result<Vec<u32>, GltfError> {
        match primitive.indices {
            None => Ok((0..u32::try_from(count).unwrap_or(u32::MAX)).collect()),
            Some(index) => {
                let read: Vec<[u32; 1]> = self.arrays.wholes(index, &format!("{path}.indices"))?;
                Ok(read.into_iter().map(|[vertex]| vertex).collect())
            }
        }
    }

    /// An attribute, one a vertex; none where the primitive does not have it.
    fn attribute<const N: usize>(
        &self,
        attributes: &BTreeMap<String, usize>,
        name: &str,
        count: usize,
        path: &str,
    ) -> Result<Option<Vec<[f32; N]>>, GltfError> {
        let Some(&index) = attributes.get(name) else { return Ok(None) };
        let path = format!("{path}.{name}");
        let values = self.arrays.floats(index, &path)?;
        same_count(values.len(), count, &path)?;
        Ok(Some(values))
    }

    fn attributes(
        &self,
        primitive: &json::Primitive,
        positions: &[[f32; 3]],
        indices: &[u32],
        path: &str,
        out: &mut Vertices,
        report: &mut Report,
    ) -> Result<(), GltfError> {
        let (base, count) = (out.positions.len(), positions.len());
        let path = format!("{path}.attributes");
        let normals = self.attribute::<3>(&primitive.attributes, "NORMAL", count, &path)?;
        if let Some(normals) = normals {
            out.normals.resize(base, [0.0, 0.0, 1.0]);
            out.normals.extend(normals.into_iter().map(unit));
        } else if !out.normals.is_empty() {
            out.normals.extend(smooth_normals(positions, indices));
        }
        let coordinate = primitive.material.and_then(|material| self.root.materials.get(material));
        let coordinate = coordinate.and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
        let name = format!("TEXCOORD_{}", coordinate.map_or(0, |texture| texture.tex_coord));
        if let Some(uvs) = self.attribute::<2>(&primitive.attributes, &name, count, &path)? {
            out.uvs.resize(base, [0.0; 2]);
            out.uvs.extend(uvs);
        } else if !out.uvs.is_empty() {
            out.uvs.resize(base + count, [0.0; 2]);
        }
        if let Some(&index) = primitive.attributes.get("COLOR_0") {
            let three = self.root.accessors.get(index).is_some_and(|accessor| accessor.kind == "VEC3");
            let colors = if three {
                let colors = self.attribute::<3>(&primitive.attributes, "COLOR_0", count, &path)?.unwrap_or_default();
                colors.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
            } else {
                self.attribute::<4>(&primitive.attributes, "COLOR_0", count, &path)?.unwrap_or_default()
            };
            out.colors.resize(base, [1.0; 4]);
            out.colors.extend(colors);
        } else if !out.colors.is_empty() {
            out.colors.resize(base + count, [1.0; 4]);
        }
        let known = |key: &str| {
            matches!(key, "POSITION" | "NORMAL" | "COLOR_0")
                || key == name
                || key.starts_with("JOINTS_")
                || key.starts_with("WEIGHTS_")
        };
        for other in primitive.attributes.keys().filter(|key| !known(key)) {
            report.warn("attribute", Place::Part(path.clone()), format!("the attribute {other}"), "not carried");
        }
        Ok(())
    }

    fn influences(
        &self,
        primitive: &json::Primitive,
        count: usize,
        path: &str,
        out: &mut Vertices,
    ) -> Result<(), GltfError> {
        let mut bound = Bound { count, sets: Vec::new() };
        for set in 0.. {
            let Some(&joints) = primitive.attributes.get(&format!("JOINTS_{set}")) else { break };
            let place = format!("{path}.attributes.JOINTS_{set}");
            let Some(&weights) = primitive.attributes.get(&format!("WEIGHTS_{set}")) else {
                return Err(GltfError::part(place, format!("there is no WEIGHTS_{set} to it")));
            };
            let joints: Vec<[u32; 4]> = self.arrays.wholes(joints, &place)?;
            same_count(joints.len(), count, &place)?;
            let place = format!("{path}.attributes.WEIGHTS_{set}");
            let weights: Vec<[f32; 4]> = self.arrays.floats(weights, &place)?;
            same_count(weights.len(), count, &place)?;
            if let Some(vertex) = weights.iter().position(|weights| weights.iter().any(|weight| *weight < 0.0)) {
                return Err(GltfError::part(place, format!("the weight of vertex {vertex} is negative")));
            }
            bound.sets.push((joints, weights));
        }
        out.bound.push(bound);
        Ok(())
    }

    fn targets(
        &self,
        primitive: &json::Primitive,
        count: usize,
        path: &str,
        out: &mut Vertices,
        report: &mut Report,
    ) -> Result<(), GltfError> {
        let base = out.positions.len();
        for (number, (positions, normals)) in out.targets.iter_mut().enumerate() {
            positions.resize(base, [0.0; 3]);
            let Some(target) = primitive.targets.get(number) else {
                positions.resize(base + count, [0.0; 3]);
                continue;
            };
            let path = format!("{path}.targets[{number}]");
            let own = self.attribute::<3>(target, "POSITION", count, &path)?;
            positions.extend(own.unwrap_or_else(|| vec![[0.0; 3]; count]));
            if let Some(own) = self.attribute::<3>(target, "NORMAL", count, &path)? {
                normals.resize(base, [0.0; 3]);
                normals.extend(own);
            }
            for other in target.keys().filter(|key| !matches!(key.as_str(), "POSITION" | "NORMAL")) {
                report.warn("attribute", Place::Part(path.clone()), format!("the attribute {other}"), "not carried");
            }
        }
        Ok(())
    }
}

impl Vertices {
    fn finish(self, reader: &MeshReader<'_>, mesh: &json::Mesh) -> Result<ReadMesh, GltfError> {
        let count = self.positions.len();
        let per_vertex = 4 * self.bound.iter().map(|bound| bound.sets.len()).max().unwrap_or_default();
        let (influences, weights) = bound_vertices(&self.bound, per_vertex)?;
        let name = |number: usize| mesh.extras.target_names.get(number).cloned().unwrap_or_default();
        let morphs = self.targets.into_iter().enumerate().map(|(number, (positions, mut normals))| {
            if !normals.is_empty() {
                normals.resize(count, [0.0; 3]);
            }
            Arc::new(MorphTarget {
                group: crate::model::MorphGroup::Other,
                rule: crate::model::MorphRule::Own,
                id: MorphId(u32::try_from(number).unwrap_or(u32::MAX)),
                name: name(number),
                weight: mesh.weights.get(number).copied().filter(|weight| weight.is_finite()).unwrap_or_default(),
                positions: positions.into(),
                normals: normals.into(),
            })
        });
        let morphs = morphs.collect();
        let mut materials: Vec<(usize, u32)> = self.materials.into_iter().collect();
        materials.sort_by_key(|(_, place)| *place);
        let materials = materials.into_iter().map(|(index, _)| material(reader, index).map(Arc::new));
        let geometry = Geometry {
            positions: self.positions.into(),
            normals: self.normals.into(),
            uvs: self.uvs.into(),
            colors: self.colors.into(),
            indices: self.indices.into(),
        };
        let mesh = Mesh {
            masks: Vec::new(),
            name: mesh.name.clone(),
            geometry: Arc::new(geometry),
            parts: self.parts,
            materials: materials.collect::<Result<_, _>>()?,
            morphs,
            skin: None,
            dual: 0.0,
            stack: Vec::new(),
        };
        Ok(ReadMesh { mesh, per_vertex, influences: influences.into(), weights: weights.into() })
    }
}

/// The influences of all vertices in one list; those of primitives with fewer sets are filled up with nothing.
fn bound_vertices(bound: &[Bound], per_vertex: usize) -> Result<(Vec<u16>, Vec<f32>), GltfError> {
    let (mut influences, mut weights) = (Vec::new(), Vec::new());
    if per_vertex == 0 {
        return Ok((influences, weights));
    }
    for primitive in bound {
        for vertex in 0..primitive.count {
            for set in 0..per_vertex / 4 {
                let (joints, shares) = match primitive.sets.get(set) {
                    Some((joints, shares)) => (joints[vertex], shares[vertex]),
                    None => ([0; 4], [0.0; 4]),
                };
                for (joint, share) in joints.into_iter().zip(shares) {
                    let joint = if share > 0.0 { joint } else { 0 };
                    influences.push(u16::try_from(joint).map_err(|_unit| {
                        GltfError::part("meshes", format!("joint {joint} of a vertex is beyond the 65536 there can be"))
                    })?);
                    weights.push(share);
                }
            }
        }
    }
    Ok((influences, weights))
}

fn same_count(count: usize, wanted: usize, path: &str) -> Result<(), GltfError> {
    if count == wanted {
        return Ok(());
    }
    Err(GltfError::part(path, format!("{count} values for {wanted} vertices")))
}

/// The triangles of a list, a strip or a fan; every other one of a strip is turned so that all face the same way.
fn triangles(indices: &[u32], mode: u32) -> Vec<u32> {
    match mode {
        5 => indices
            .windows(3)
            .enumerate()
            .flat_map(|(n, w)| if n % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] })
            .collect(),
        6 => match indices.split_first() {
            Some((first, rest)) => rest.windows(2).flat_map(|pair| [*first, pair[0], pair[1]]).collect(),
            None => Vec::new(),
        },
        _ => indices.get(..indices.len() - indices.len() % 3).unwrap_or_default().to_vec(),
    }
}

/// A normal of length 1, as it is where it is near enough; along Z where it has no direction.
pub(super) fn unit([x, y, z]: [f32; 3]) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    if (length - 1.0).abs() < 1e-5 {
        [x, y, z]
    } else if length > 1e-20 {
        [x / length, y / length, z / length]
    } else {
        [0.0, 0.0, 1.0]
    }
}

fn material(reader: &MeshReader<'_>, index: usize) -> Result<Material, GltfError> {
    let Some(from) = reader.root.materials.get(index) else { return Ok(Material::default()) };
    let pbr = &from.pbr_metallic_roughness;
    let path = format!("materials[{index}]");
    let numbers = pbr.base_color_factor.iter().chain([&pbr.metallic_factor, &pbr.roughness_factor]);
    if numbers.chain(&from.alpha_cutoff).any(|value| !value.is_finite()) {
        return Err(GltfError::part(path, "a number of it is too large"));
    }
    let texture = match &pbr.base_color_texture {
        None => None,
        Some(info) => {
            let path = format!("{path}.pbrMetallicRoughness.baseColorTexture.index");
            let there = reader.root.textures.len();
            let texture = reader.root.textures.get(info.index);
            let texture = texture.ok_or_else(|| GltfError::missing(path, "textures", info.index, there))?;
            texture.source.and_then(|source| reader.images.get(&source).copied())
        }
    };
    Ok(Material {
        name: from.name.clone(),
        color: pbr.base_color_factor,
        texture,
        double_sided: from.double_sided,
        alpha: match from.alpha_mode.as_deref() {
            Some("MASK") => AlphaMode::Mask(from.alpha_cutoff.unwrap_or(0.5)),
            Some("BLEND") => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        },
        metallic: pbr.metallic_factor,
        roughness: pbr.roughness_factor,
    })
}

/// The images that materials paint colour with, by their index in the file. One that cannot be read is left out and said.
pub(super) fn images(
    root: &json::Root,
    arrays: &Arrays<'_>,
    folder: Option<&Path>,
    report: &mut Report,
) -> Vec<(usize, Arc<Image>)> {
    let textures =
        root.materials.iter().filter_map(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
    let sources = textures.filter_map(|texture| root.textures.get(texture.index)?.source);
    let mut used: Vec<usize> = sources.collect();
    used.sort_unstable();
    used.dedup();
    let mut out = Vec::new();
    for index in used {
        let path = format!("images[{index}]");
        match image(root, arrays, folder, index) {
            Ok(image) => out.push((index, Arc::new(image))),
            Err(error) => report.warn("image", Place::Part(path), error.to_string(), "the surface is shown without it"),
        }
    }
    out
}

fn image(root: &json::Root, arrays: &Arrays<'_>, folder: Option<&Path>, index: usize) -> Result<Image, GltfError> {
    let path = format!("images[{index}]");
    let image = root.images.get(index);
    let image = image.ok_or_else(|| GltfError::missing("textures", "images", index, root.images.len()))?;
    let bytes = match (&image.uri, image.buffer_view) {
        (Some(uri), _) => fetch(uri, folder, &format!("{path}.uri"))?,
        (None, Some(view)) => arrays.view(view, &format!("{path}.bufferView"))?.to_vec(),
        (None, None) => return Err(GltfError::part(path, "it has neither a uri nor a bufferView")),
    };
    let format = ImageFormat::of_bytes(&bytes);
    let format = format.ok_or_else(|| GltfError::part(&path, "it is neither PNG nor JPEG"))?;
    let stem = |uri: &String| {
        let name = uri.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
    };
    let own = image.uri.as_ref().filter(|uri| !uri.starts_with("data:")).map(stem);
    let name = if image.name.is_empty() { own.unwrap_or_default() } else { image.name.clone() };
    Ok(Image { name, format, bytes: bytes.into() })
}

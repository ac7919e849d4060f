//! The shape of a moment as a file.

use crate::{
    eval::{
        Evaluator,
        mesh::{mesh_state, positions, turned_normals},
    },
    io::{
        file::safe_name,
        report::{Place, Report},
    },
    model::{Document, LengthUnit, Material, Mesh, ObjectId},
    progress::{Cancelled, Progress},
};
use std::{collections::HashMap, fmt::Write as _, sync::Arc};

/// How a file is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjExport {
    /// The moment, seconds.
    pub secs: f64,
    /// The unit of lengths.
    pub unit: LengthUnit,
    /// What the file of materials beside it is called, without its ending.
    pub stem: String,
}

/// A written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjWritten {
    /// The file.
    pub bytes: Vec<u8>,
    /// The file of materials beside it, by name; none where nothing has one.
    pub beside: Vec<(String, Vec<u8>)>,
}

/// Why nothing could be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjExportError {
    /// There is nothing to write.
    #[error("nothing that is shown has triangles, and OBJ holds nothing else; add a mesh, or show one")]
    Empty,
    /// Someone asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Writes all meshes that are not hidden as they are at a moment: morphed, deformed, on their joints, in the world.
///
/// # Errors
/// [`ObjExportError`].
pub fn export(
    document: &Document,
    options: &ObjExport,
    progress: &Progress,
    report: &mut Report,
) -> Result<ObjWritten, ObjExportError> {
    let shown = |id: &ObjectId| {
        let object = document.object(*id).filter(|object| !object.hidden)?;
        object.as_mesh().filter(|mesh| !mesh.geometry.indices.is_empty())
    };
    let meshes: Vec<(ObjectId, &Arc<Mesh>)> =
        document.objects.keys().filter_map(|id| Some((*id, shown(id)?))).collect();
    if meshes.is_empty() {
        return Err(ObjExportError::Empty);
    }
    let frame = Evaluator::new().frame(document, options.secs);
    let mut out = Out { text: String::from("# Inbetween\n"), first: [1; 3], materials: Vec::new() };
    let library = format!("{}.mtl", safe_name(&options.stem));
    if meshes.iter().any(|(_, mesh)| !mesh.materials.is_empty()) {
        out.line(format_args!("mtllib {library}"));
    }
    for (id, mesh) in meshes {
        progress.check()?;
        let Some(state) = mesh_state(document, &frame, id) else { continue };
        let places = positions(mesh, &state);
        let name = document.object(id).map(|object| object.name.clone()).unwrap_or_default();
        out.mesh(&name, mesh, (&places, 1.0 / options.unit.metres()));
        let left_out = [
            (mesh.skin.is_some(), "its joints"),
            (!mesh.morphs.is_empty(), "its morph targets"),
            (!mesh.stack.is_empty(), "its deformers"),
        ];
        let left_out: Vec<&str> = left_out.into_iter().filter(|(has, _)| *has).map(|(_, what)| what).collect();
        if !left_out.is_empty() {
            let done = format!("its shape at {:.3} s is written", options.secs);
            report.info("shape", Place::Part(name), format!("{}, which OBJ does not have", left_out.join(", ")), done);
        }
    }
    let beside = if out.materials.is_empty() { Vec::new() } else { vec![(library, library_of(&out.materials))] };
    Ok(ObjWritten { bytes: out.text.into_bytes(), beside })
}

struct Out {
    text: String,
    /// The numbers that the next position, texture coordinate and normal have.
    first: [usize; 3],
    materials: Vec<(String, Material)>,
}

impl Out {
    fn line(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _written = writeln!(self.text, "{what}");
    }

    fn mesh(&mut self, name: &str, mesh: &Mesh, (places, scale): (&[crate::math::Vec3], f64)) {
        let geometry = &mesh.geometry;
        self.line(format_args!("o {}", line_of(name)));
        #[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
        let moved: Vec<[f32; 3]> = places.iter().map(|at| [at.x as f32, at.y as f32, at.z as f32]).collect();
        let normals = turned_normals(geometry, &moved);
        // Vertices that lie together at rest and now are one position: what divides them are normals and texture coordinates.
        let mut known: HashMap<[u32; 6], usize> = HashMap::new();
        let mut numbers = Vec::with_capacity(moved.len());
        for (rest, now) in geometry.positions.iter().zip(&moved) {
            let key: [u32; 6] = std::array::from_fn(|at| if at < 3 { rest[at] } else { now[at - 3] }.to_bits());
            let next = self.first[0] + known.len();
            let number = *known.entry(key).or_insert(next);
            if number == next {
                let [x, y, z] = now.map(|number| number * scale as f32);
                self.line(format_args!("v {x} {y} {z}"));
            }
            numbers.push(number);
        }
        for [u, v] in geometry.uvs.iter() {
            self.line(format_args!("vt {u} {}", 1.0 - v));
        }
        for [x, y, z] in &normals {
            self.line(format_args!("vn {x:.6} {y:.6} {z:.6}"));
        }
        for (part, _, indices) in mesh.ranges() {
            if let Some(material) = part.material.and_then(|at| mesh.materials.get(at as usize)) {
                let own = self.material(material);
                self.line(format_args!("usemtl {own}"));
            }
            for triangle in geometry.indices.get(indices).unwrap_or_default().as_chunks::<3>().0 {
                self.text.push('f');
                for vertex in triangle {
                    let at = *vertex as usize;
                    let number = numbers.get(at).copied().unwrap_or(1);
                    let uv = (!geometry.uvs.is_empty()).then(|| self.first[1] + at);
                    let normal = (!normals.is_empty()).then(|| self.first[2] + at);
                    let _written = match (uv, normal) {
                        (Some(uv), Some(normal)) => write!(self.text, " {number}/{uv}/{normal}"),
                        (Some(uv), None) => write!(self.text, " {number}/{uv}"),
                        (None, Some(normal)) => write!(self.text, " {number}//{normal}"),
                        (None, None) => write!(self.text, " {number}"),
                    };
                }
                self.text.push('\n');
            }
        }
        let [v, vt, vn] = &mut self.first;
        (*v, *vt, *vn) = (*v + known.len(), *vt + geometry.uvs.len(), *vn + normals.len());
    }

    /// The name that a material has in the library.
    fn material(&mut self, material: &Material) -> String {
        if let Some((name, _)) = self.materials.iter().find(|(_, known)| known == material) {
            return name.clone();
        }
        let own = if material.name.trim().is_empty() { "material".to_owned() } else { line_of(&material.name) };
        let taken = |name: &str| self.materials.iter().any(|(known, _)| known == name);
        let mut name = own.clone();
        let mut number = 2;
        while taken(&name) {
            name = format!("{own} {number}");
            number += 1;
        }
        self.materials.push((name.clone(), material.clone()));
        name
    }
}

/// A name on one line.
fn line_of(name: &str) -> String {
    let kept: String = name.chars().map(|c| if c.is_control() || c == '#' || c == '\\' { '_' } else { c }).collect();
    kept.trim().to_owned()
}

fn library_of(materials: &[(String, Material)]) -> Vec<u8> {
    let mut text = String::from("# Inbetween\n");
    for (name, material) in materials {
        let [red, green, blue, alpha] = material.color;
        let _written = writeln!(text, "newmtl {name}\nKd {red} {green} {blue}\nd {alpha}");
    }
    text.into_bytes()
}

//! A file as meshes.

use super::{Corner, ObjFile, ObjMaterial, Run};
use crate::{
    io::report::{Place, Report},
    math::{Transform, Vec3, polygon},
    model::{Geometry, Material, Mesh, MeshPart, Object, ObjectKind},
};
use std::{collections::HashMap, sync::Arc};

/// A file may be of so many objects; what follows is of the last one.
pub const MOST_OBJECTS: usize = 4_096;

/// The mesh objects of a file: one for each name after `o`, or each group where there is no `o`. Lengths times `metres`; each placed
/// by `transform`. What of an object is of another group or material is a part of its own.
#[must_use]
pub fn to_objects(
    file: &ObjFile,
    (name, materials): (&str, &[ObjMaterial]),
    (metres, transform): (f64, Transform),
    report: &mut Report,
) -> Vec<Object> {
    let by_object = file.runs.iter().any(|run| !run.object.is_empty());
    let mut named: Vec<(&str, Vec<&Run>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for run in &file.runs {
        let own = if by_object { run.object.as_str() } else { run.group.as_str() };
        let at = *places.entry(own).or_insert_with(|| {
            if named.len() < MOST_OBJECTS {
                named.push((own, Vec::new()));
            }
            named.len() - 1
        });
        if let Some((_, runs)) = named.get_mut(at) {
            runs.push(run);
        }
    }
    let unnamed = |own: &str| if own.is_empty() { name.to_owned() } else { own.to_owned() };
    let objects = named.into_iter().map(|(own, runs)| {
        let mut builder = Builder { file, materials, metres, ..Builder::default_of(file) };
        runs.into_iter().for_each(|run| builder.run(run));
        let mesh = builder.finish(&unnamed(own), report);
        Object { transform, ..Object::new(&unnamed(own), ObjectKind::Mesh(Arc::new(mesh))) }
    });
    objects.collect()
}

struct Builder<'a> {
    file: &'a ObjFile,
    materials: &'a [ObjMaterial],
    metres: f64,
    positions: Vec<[f32; 3]>,
    normals: Vec<Option<[f32; 3]>>,
    uvs: Vec<Option<[f32; 2]>>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    parts: Vec<MeshPart>,
    used: Vec<Arc<Material>>,
    fans: usize,
}

impl<'a> Builder<'a> {
    const fn default_of(file: &'a ObjFile) -> Self {
        Self {
            file,
            materials: &[],
            metres: 1.0,
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            colors: Vec::new(),
            indices: Vec::new(),
            parts: Vec::new(),
            used: Vec::new(),
            fans: 0,
        }
    }

    fn run(&mut self, run: &Run) {
        let (first_vertex, first_index) = (self.positions.len(), self.indices.len());
        let mut known: HashMap<Corner, u32> = HashMap::new();
        let mut at = 0;
        for size in &run.sizes {
            let corners = run.corners.get(at..at + *size as usize).unwrap_or_default();
            at += *size as usize;
            let places: Vec<Vec3> = corners.iter().map(|corner| self.place(*corner)).collect();
            self.fans += usize::from(corners.len() > polygon::MOST_EARS);
            let own: Vec<u32> = corners.iter().map(|corner| self.vertex(*corner, &mut known)).collect();
            for triangle in polygon::triangles(&places) {
                self.indices.extend(triangle.map(|corner| own[corner]));
            }
        }
        let count = |now: usize, first: usize| u32::try_from(now - first).unwrap_or(u32::MAX);
        let vertices = count(self.positions.len(), first_vertex);
        let indices = count(self.indices.len(), first_index);
        let material = self.material(&run.material);
        self.parts.push(MeshPart { vertices, indices, material });
    }

    fn place(&self, corner: Corner) -> Vec3 {
        let at = self.file.positions.get(corner.position as usize).copied().unwrap_or_default();
        Vec3::from(at.map(f64::from)) * self.metres
    }

    fn vertex(&mut self, corner: Corner, known: &mut HashMap<Corner, u32>) -> u32 {
        if let Some(vertex) = known.get(&corner) {
            return *vertex;
        }
        let vertex = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        let at = self.place(corner);
        #[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
        let at = [at.x as f32, at.y as f32, at.z as f32].map(|number| number.clamp(f32::MIN, f32::MAX));
        self.positions.push(at);
        self.normals.push(corner.normal.and_then(|normal| unit(*self.file.normals.get(normal as usize)?)));
        // Here the first row of an image is on top.
        let uv = corner.uv.and_then(|uv| self.file.uvs.get(uv as usize)).map(|[u, v]| [*u, 1.0 - v]);
        self.uvs.push(uv);
        let color = self.file.colors.get(corner.position as usize).map(|[red, green, blue]| [*red, *green, *blue, 1.0]);
        self.colors.extend(color.map(|color| color.map(|part| part.clamp(0.0, 1.0))));
        known.insert(corner, vertex);
        vertex
    }

    fn material(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        let at = self.used.iter().position(|known| known.name == name).unwrap_or_else(|| {
            let found = self.materials.iter().find(|known| known.name == name);
            let unknown = || Material { name: name.to_owned(), ..Material::default() };
            self.used.push(Arc::new(found.map_or_else(unknown, |found| found.material.clone())));
            self.used.len() - 1
        });
        u32::try_from(at).ok()
    }

    fn finish(self, name: &str, report: &mut Report) -> Mesh {
        let place = || Place::Part(name.to_owned());
        if self.fans > 0 {
            let found = format!("{} polygons of more than {} corners", self.fans, polygon::MOST_EARS);
            report.warn("polygon", place(), found, "cut as fans about their first corner");
        }
        let without = self.normals.iter().filter(|normal| normal.is_none()).count();
        if without > 0 && without < self.normals.len() {
            let found = format!("{without} of {} vertices have no normal", self.normals.len());
            report.info("normals", place(), found, "all normals are worked out from the triangles");
        }
        let all = |without: usize| without == 0;
        let normals: Vec<[f32; 3]> =
            if all(without) { self.normals.into_iter().flatten().collect() } else { Vec::new() };
        let uvs: Vec<[f32; 2]> = if self.uvs.iter().any(Option::is_some) {
            self.uvs.into_iter().map(Option::unwrap_or_default).collect()
        } else {
            Vec::new()
        };
        let geometry = Geometry {
            positions: self.positions.into(),
            normals: normals.into(),
            uvs: uvs.into(),
            colors: self.colors.into(),
            indices: self.indices.into(),
        };
        Mesh { geometry: Arc::new(geometry), parts: self.parts, materials: self.used, ..Mesh::default() }
    }
}

/// A normal of length 1; none of one without length.
fn unit(normal: [f32; 3]) -> Option<[f32; 3]> {
    let wide = Vec3::from(normal.map(f64::from));
    let unit = wide.try_normalize(1e-20)?;
    #[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
    Some([unit.x as f32, unit.y as f32, unit.z as f32])
}

//! The meshes of a document as surfaces in the world, worked out anew only where something of them is another.

use super::image::decode;
use crate::eval::{
    EvaluatedFrame,
    mesh::{MeshState, mesh_state, posed},
};
use crate::model::{AlphaMode, Document, Image, Material, Mesh, ObjectId};
use crate::render::{Picture, Surface, SurfaceAlpha, SurfacePart};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The surfaces made last, by object, and the pictures of their images.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    posed: BTreeMap<ObjectId, Posed>,
    pictures: Vec<(Arc<Image>, Option<Arc<Picture>>)>,
}

#[derive(Debug)]
struct Posed {
    mesh: Arc<Mesh>,
    state: MeshState,
    positions: Arc<Vec<[f32; 3]>>,
    normals: Arc<Vec<[f32; 3]>>,
}

impl Surfaces {
    fn posed(&mut self, document: &Document, frame: &EvaluatedFrame, object: ObjectId) -> Option<&Posed> {
        let mesh = document.object(object)?.as_mesh()?;
        let state = mesh_state(document, frame, object)?;
        let same = |known: &Posed| Arc::ptr_eq(&known.mesh, mesh) && known.state == state;
        if !self.posed.get(&object).is_some_and(same) {
            self.posed.retain(|id, _| document.object(*id).is_some());
            let now = posed(mesh, &state);
            let (positions, normals) = (Arc::new(now.positions), Arc::new(now.normals));
            self.posed.insert(object, Posed { mesh: mesh.clone(), state, positions, normals });
        }
        self.posed.get(&object)
    }

    /// The surface of a mesh object, with light of its own laid over it (linear colour, how much of it 0..1); none where
    /// the object is no mesh.
    pub(super) fn surface(
        &mut self,
        document: &Document,
        frame: &EvaluatedFrame,
        object: ObjectId,
        glow: [f32; 4],
    ) -> Option<Surface> {
        let mesh = document.object(object)?.as_mesh()?.clone();
        let posed = self.posed(document, frame, object)?;
        let (positions, normals) = (posed.positions.clone(), posed.normals.clone());
        let mirrored =
            !posed.state.skinned && posed.state.maps.first().is_some_and(|map| map.linear.determinant() < 0.0);
        let plain = Material::default();
        let parts = mesh.ranges().map(|(part, _, indices)| {
            let material = part.material.and_then(|at| mesh.materials.get(at as usize)).map_or(&plain, |m| m);
            let image = material.texture.and_then(|image| document.images.get(&image));
            SurfacePart {
                indices,
                color: material.color,
                texture: image.and_then(|image| self.picture(image)),
                double_sided: material.double_sided,
                alpha: match material.alpha {
                    AlphaMode::Opaque => SurfaceAlpha::Opaque,
                    AlphaMode::Mask(cutoff) => SurfaceAlpha::Mask(cutoff),
                    AlphaMode::Blend => SurfaceAlpha::Blend,
                },
                glow,
            }
        });
        let parts = parts.collect();
        let geometry = &mesh.geometry;
        Some(Surface {
            positions,
            normals,
            uvs: geometry.uvs.clone(),
            colors: geometry.colors.clone(),
            indices: geometry.indices.clone(),
            parts,
            mirrored,
        })
    }

    fn picture(&mut self, image: &Arc<Image>) -> Option<Arc<Picture>> {
        if let Some((_, picture)) = self.pictures.iter().find(|(known, _)| Arc::ptr_eq(known, image)) {
            return picture.clone();
        }
        let picture = decode(image).map(Arc::new);
        // Images held by nothing but this list belong to a document that is gone.
        self.pictures.retain(|(known, _)| Arc::strong_count(known) > 1);
        self.pictures.push((image.clone(), picture.clone()));
        picture
    }
}

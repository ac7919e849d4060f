//! The meshes of a document as surfaces in the world, worked out anew only where something of them is another.

use super::image::decode;
use crate::eval::deform::influence::Probe;
use crate::eval::skin::weights::{of_joint, without_weight};
use crate::eval::{
    EvaluatedFrame,
    mesh::{MeshState, Poser, mesh_state},
};
use crate::model::{AlphaMode, Document, Image, MaskId, Material, Mesh, ObjectId, Parent, PointId, Skin, VertexMask};
use crate::render::{Picture, Surface, SurfaceAlpha, SurfacePart};
use crate::style::{UNWEIGHTED, heat};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A colour a vertex.
type Colors = Arc<[[f32; 4]]>;

/// The surfaces made last, by object, and the pictures of their images.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    posed: BTreeMap<ObjectId, Posed>,
    heated: BTreeMap<ObjectId, Heated>,
    weighed: BTreeMap<ObjectId, Weighed>,
    pictures: Vec<(Arc<Image>, Option<Arc<Picture>>)>,
    masked: Option<(Arc<VertexMask>, Colors)>,
}

/// What is to be seen on surfaces in colours.
pub(super) enum Heat {
    /// How much points of a lattice move each vertex.
    Points { lattice: ObjectId, points: BTreeSet<PointId> },
    /// How much each vertex of a mesh object belongs to a painted mask.
    Mask(ObjectId, MaskId),
    /// How much each vertex follows a joint.
    Joint(Parent),
}

/// The colours of a mesh by how much points of a lattice move it, and what they were made from.
#[derive(Debug)]
struct Heated {
    probe: Probe,
    points: BTreeSet<PointId>,
    colors: Arc<[[f32; 4]]>,
}

/// The colours of a mesh by how much it follows a joint.
#[derive(Debug)]
struct Weighed {
    skin: Arc<Skin>,
    joint: Parent,
    colors: Arc<[[f32; 4]]>,
}

#[derive(Debug)]
struct Posed {
    mesh: Arc<Mesh>,
    state: MeshState,
    positions: Arc<Vec<[f32; 3]>>,
    normals: Arc<Vec<[f32; 3]>>,
    poser: Poser,
}

impl Surfaces {
    fn posed(&mut self, document: &Document, frame: &EvaluatedFrame, object: ObjectId) -> Option<&Posed> {
        let mesh = document.object(object)?.as_mesh()?;
        let state = mesh_state(document, frame, object)?;
        let same = |known: &Posed| Arc::ptr_eq(&known.mesh, mesh) && known.state == state;
        if !self.posed.get(&object).is_some_and(same) {
            self.posed.retain(|id, _| document.object(*id).is_some());
            let mut poser = self.posed.remove(&object).map(|known| known.poser).unwrap_or_default();
            let (positions, normals) = poser.pose(mesh, &state);
            self.posed.insert(object, Posed { mesh: mesh.clone(), state, positions, normals, poser });
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
        heat: Option<&Heat>,
    ) -> Option<Surface> {
        let heated = heat.and_then(|heat| match heat {
            Heat::Points { lattice, points } => self.heated((document, frame), object, *lattice, points),
            Heat::Mask(of, mask) => self.masked(document, object, (*of, *mask)),
            Heat::Joint(joint) => self.weighed(document, object, *joint),
        });
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
        let mut parts: Vec<SurfacePart> = parts.collect();
        if heated.is_some() {
            for part in &mut parts {
                (part.color, part.texture, part.alpha) = ([1.0; 4], None, SurfaceAlpha::Opaque);
            }
        }
        let geometry = &mesh.geometry;
        Some(Surface {
            positions,
            normals,
            uvs: geometry.uvs.clone(),
            colors: heated.unwrap_or_else(|| geometry.colors.clone()),
            indices: geometry.indices.clone(),
            parts,
            mirrored,
        })
    }

    /// The colours of a mesh by how much points move it; none where their lattice does not deform it.
    fn heated(
        &mut self,
        (document, frame): (&Document, &EvaluatedFrame),
        object: ObjectId,
        lattice: ObjectId,
        points: &BTreeSet<PointId>,
    ) -> Option<Arc<[[f32; 4]]>> {
        let probe = Probe::new(document, frame, object, lattice)?;
        let same = |known: &&Heated| known.points == *points && known.probe == probe;
        if let Some(known) = self.heated.get(&object).filter(same) {
            return Some(known.colors.clone());
        }
        self.heated.retain(|id, _| document.object(*id).is_some());
        let shares = probe.shares(points);
        // The most there is shows brightest: of many points each moves little.
        let most = shares.iter().copied().fold(0.0, f64::max);
        let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
        let colors: Arc<[[f32; 4]]> = shares.into_iter().map(|share| linear_heat(share * scale)).collect();
        self.heated.insert(object, Heated { probe, points: points.clone(), colors: colors.clone() });
        Some(colors)
    }

    /// The colours of a mesh by a painted mask; none of another object.
    fn masked(
        &mut self,
        document: &Document,
        object: ObjectId,
        (of, mask): (ObjectId, MaskId),
    ) -> Option<Arc<[[f32; 4]]>> {
        let mask = document.object(object).filter(|_| of == object)?.as_mesh()?.mask(mask)?;
        if let Some((known, colors)) = &self.masked
            && Arc::ptr_eq(known, mask)
        {
            return Some(colors.clone());
        }
        let colors: Arc<[[f32; 4]]> = mask.weights.iter().map(|weight| linear_heat(f64::from(*weight))).collect();
        self.masked = Some((mask.clone(), colors.clone()));
        Some(colors)
    }

    /// The colours of a mesh by how much it follows a joint, vertices without any weight in a colour of their own; none where it does
    /// not follow the joint at all.
    fn weighed(&mut self, document: &Document, object: ObjectId, joint: Parent) -> Option<Arc<[[f32; 4]]>> {
        let skin = document.object(object)?.as_mesh()?.skin.as_ref()?;
        let same = |known: &&Weighed| known.joint == joint && Arc::ptr_eq(&known.skin, skin);
        if let Some(known) = self.weighed.get(&object).filter(same) {
            return Some(known.colors.clone());
        }
        let slot = skin.joints.iter().position(|own| own.joint == joint)?;
        self.weighed.retain(|id, _| document.object(*id).is_some());
        let mut colors: Vec<[f32; 4]> =
            of_joint(skin, u16::try_from(slot).ok()?).iter().map(|share| linear_heat(f64::from(*share))).collect();
        let [r, g, b, _] = UNWEIGHTED.0.map(|channel| f32::from(channel) / 255.0);
        for vertex in without_weight(skin) {
            colors[vertex] = [r * r, g * g, b * b, 1.0];
        }
        let colors: Arc<[[f32; 4]]> = colors.into();
        self.weighed.insert(object, Weighed { skin: skin.clone(), joint, colors: colors.clone() });
        Some(colors)
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

/// The colour of a part as light: the shader takes the root of it.
fn linear_heat(part: f64) -> [f32; 4] {
    let [r, g, b, _] = heat(part).0.map(|channel| f32::from(channel) / 255.0);
    [r * r, g * g, b * b, 1.0]
}

//! Edits of meshes and lights.

use super::{
    Edit, EditError,
    error::finite,
    objects::{forget_target, object_mut},
};
use crate::model::{
    Document, Geometry, Mesh, MorphId, MorphRule, MorphTarget, ObjectId, ObjectKind, Property, Skin, Target,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a mesh or a light object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MeshEdit {
    /// Sets how much of a morph target acts where no curve says so.
    SetWeight {
        /// The mesh object.
        object: ObjectId,
        /// The morph target.
        morph: MorphId,
        /// The weight; any finite number.
        weight: f64,
    },
    /// Gives a mesh other vertices; there must be as many, and the same triangles.
    SetGeometry {
        /// The mesh object.
        object: ObjectId,
        /// What it is made of from now on.
        geometry: Arc<Geometry>,
    },
    /// Gives a mesh other joints and weights to follow, or none.
    SetSkin {
        /// The mesh object.
        object: ObjectId,
        /// What it follows from now on; it must fit the vertices.
        skin: Option<Arc<Skin>>,
    },
    /// Adds a morph target.
    AddMorph {
        /// The mesh object.
        object: ObjectId,
        /// The morph target; its id new in the mesh, one offset a vertex.
        morph: Arc<MorphTarget>,
    },
    /// Puts a morph target in the place of the one with its id.
    SetMorph {
        /// The mesh object.
        object: ObjectId,
        /// The morph target.
        morph: Arc<MorphTarget>,
    },
    /// Takes a morph target away, with its curves; what was made of it is made of the others. A corrective of nothing goes with it.
    DeleteMorph {
        /// The mesh object.
        object: ObjectId,
        /// The morph target.
        morph: MorphId,
    },
    /// Sets how much a mesh follows its joints by dual quaternions where no curve says so; brought within 0..1.
    SetDual {
        /// The mesh object.
        object: ObjectId,
        /// How much; 0 is linear blend.
        dual: f64,
    },
    /// Sets one number of a light where no curve says so.
    SetLight {
        /// The light object.
        object: ObjectId,
        /// One of [`Property::LIGHT`].
        property: Property,
        /// The value; below 0 it is 0.
        value: f64,
    },
}

impl From<MeshEdit> for Edit {
    fn from(edit: MeshEdit) -> Self {
        Self::Mesh(edit)
    }
}

impl MeshEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::SetWeight { object, morph, weight } => {
                let (object, morph, weight) = (*object, *morph, *weight);
                let weight = finite("a weight", weight)?;
                let ObjectKind::Mesh(mesh) = &mut object_mut(document, object)?.kind else {
                    return Err(EditError::NoMorph(object, morph));
                };
                let mut morphs = Arc::make_mut(mesh).morphs.iter_mut();
                let found = morphs.find(|other| other.id == morph).ok_or(EditError::NoMorph(object, morph))?;
                Arc::make_mut(found).weight = weight;
            }
            Self::SetGeometry { object, geometry } => {
                change(document, *object, |mesh| mesh.geometry = geometry.clone())?
            }
            Self::SetSkin { object, skin } => change(document, *object, |mesh| mesh.skin = skin.clone())?,
            Self::AddMorph { object, morph } => {
                if mesh_of(document, *object)?.morph(morph.id).is_some() {
                    return Err(EditError::IdInUse(morph.id.0));
                }
                change(document, *object, |mesh| mesh.morphs.push(morph.clone()))?;
            }
            Self::SetMorph { object, morph } => {
                mesh_of(document, *object)?.morph(morph.id).ok_or(EditError::NoMorph(*object, morph.id))?;
                change(document, *object, |mesh| {
                    let place = mesh.morphs.iter_mut().find(|known| known.id == morph.id);
                    place.into_iter().for_each(|known| *known = morph.clone());
                })?;
            }
            Self::DeleteMorph { object, morph } => {
                mesh_of(document, *object)?.morph(*morph).ok_or(EditError::NoMorph(*object, *morph))?;
                let mut gone = vec![*morph];
                change(document, *object, |mesh| without_morph(mesh, *morph, &mut gone))?;
                for morph in gone {
                    forget_target(document, Target::Morph(*object, morph));
                }
            }
            Self::SetDual { object, dual } => {
                let (object, dual) = (*object, *dual);
                let dual = finite("a blend", dual)?.clamp(0.0, 1.0);
                let ObjectKind::Mesh(mesh) = &mut object_mut(document, object)?.kind else {
                    return Err(EditError::NotAMesh(object));
                };
                Arc::make_mut(mesh).dual = dual;
            }
            Self::SetLight { object, property, value } => {
                let (object, property, value) = (*object, *property, *value);
                let value = finite("a number of a light", value)?.max(0.0);
                let ObjectKind::Light(light) = &mut object_mut(document, object)?.kind else {
                    return Err(EditError::NotALight(object));
                };
                match property {
                    Property::Red => light.color[0] = value,
                    Property::Green => light.color[1] = value,
                    Property::Blue => light.color[2] = value,
                    _ => light.intensity = value,
                }
            }
        }
        Ok(())
    }
}

/// Takes a morph target out of a mesh and of what others are made of.
fn without_morph(mesh: &mut Mesh, gone: MorphId, all: &mut Vec<MorphId>) {
    mesh.morphs.retain(|morph| morph.id != gone);
    for morph in &mut mesh.morphs {
        if !morph.named().any(|id| id == gone) {
            continue;
        }
        match &mut Arc::make_mut(morph).rule {
            MorphRule::Own => {}
            MorphRule::Product(factors) => factors.retain(|id| *id != gone),
            MorphRule::Mix(parts) => parts.retain(|(id, _)| *id != gone),
        }
    }
    let empty = |morph: &Arc<MorphTarget>| matches!(&morph.rule, MorphRule::Product(factors) if factors.is_empty());
    all.extend(mesh.morphs.iter().filter(|morph| empty(morph)).map(|morph| morph.id));
    mesh.morphs.retain(|morph| !empty(morph));
}

fn mesh_of(document: &mut Document, object: ObjectId) -> Result<&mut Arc<Mesh>, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Mesh(mesh) => Ok(mesh),
        _ => Err(EditError::NotAMesh(object)),
    }
}

/// A change of a mesh that must leave it sound.
fn change(document: &mut Document, object: ObjectId, change: impl FnOnce(&mut Mesh)) -> Result<(), EditError> {
    let mesh = Arc::make_mut(mesh_of(document, object)?);
    let indices = mesh.geometry.indices.clone();
    change(mesh);
    if mesh.geometry.indices != indices || !mesh.faults().is_empty() {
        return Err(EditError::BadMesh(object));
    }
    Ok(())
}

/// Takes an object out of the skins of meshes and out of the order of nodes: a mesh on its joints is left without a skin.
pub(super) fn forget_object(document: &mut Document, gone: ObjectId) {
    if document.node_order.iter().any(|node| node.object() == gone) {
        Arc::make_mut(&mut document.node_order).retain(|node| node.object() != gone);
    }
    let needs = |object: &crate::model::Object| {
        let skin = object.as_mesh().and_then(|mesh| mesh.skin.as_ref());
        skin.is_some_and(|skin| skin.joints.iter().any(|joint| joint.joint.object() == gone))
    };
    let skinned: Vec<_> = document.objects.iter().filter(|(_, object)| needs(object)).map(|(id, _)| *id).collect();
    for id in skinned {
        if let Some(ObjectKind::Mesh(mesh)) = document.object_mut(id).map(|object| &mut object.kind) {
            Arc::make_mut(mesh).skin = None;
        }
    }
}

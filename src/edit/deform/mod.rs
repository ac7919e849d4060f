//! Edits of lattices, deformers and the stacks of meshes.

mod bounce;
mod flexor;
mod freeze;
mod landing;
mod regrid;
mod reset;
mod stack;

pub use bounce::{Bounce, bounce_keys};
pub use flexor::flexor;
pub use freeze::{FreezeTo, freeze};
pub use landing::landing_keys;
pub use regrid::{Regrid, regrid};
pub use reset::{pose_edit as take_pose, reset};
pub use stack::{add_to_stack, edges_of, fitted};

use super::{
    Edit, EditError,
    error::finite,
    objects::{forget_target, object_mut},
};
use crate::{
    math::{
        Vec3,
        lattice::{Basis, MOST},
        rbf::{Kernel, MOST_PAIRS},
    },
    model::{
        Deformer, DeformerId, Document, Landmark, Lattice, LatticePose, Mask, MaskId, Mesh, ObjectId, ObjectKind,
        PointId, Property, StackEntry, Target, VertexMask,
    },
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// An edit of a lattice, a deformer or a mesh's stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DeformEdit {
    /// Adds an entry at the end of a mesh's stack.
    AddEntry {
        /// The mesh object.
        object: ObjectId,
        /// The entry; its id must be new in the mesh.
        entry: StackEntry,
    },
    /// Puts an entry in the place of the one with its id.
    SetEntry {
        /// The mesh object.
        object: ObjectId,
        /// The entry.
        entry: StackEntry,
    },
    /// Puts an entry before the one that stands at a place of the stack as it is without it; beyond the end it is the last.
    MoveEntry {
        /// The mesh object.
        object: ObjectId,
        /// The entry.
        entry: DeformerId,
        /// The place it comes to, 0 the first.
        to: usize,
    },
    /// Takes an entry out, with its curves.
    DeleteEntry {
        /// The mesh object.
        object: ObjectId,
        /// The entry.
        entry: DeformerId,
    },
    /// Sets how much an entry acts where no curve says so; brought within 0..1.
    SetInfluence {
        /// The mesh object.
        object: ObjectId,
        /// The entry.
        entry: DeformerId,
        /// How much.
        influence: f64,
    },
    /// Sets a number of a deformer where no curve says so; brought within its range.
    SetNumber {
        /// The deformer object.
        object: ObjectId,
        /// Which number.
        property: Property,
        /// The value.
        value: f64,
    },
    /// Sets where points of a lattice are where no clip moves them.
    SetOffsets {
        /// The lattice object.
        object: ObjectId,
        /// The points with their offsets from rest, metres in the lattice's space.
        offsets: Vec<(PointId, Vec3)>,
    },
    /// Sets a lattice's box. The points keep their offsets.
    SetBox {
        /// The lattice object.
        object: ObjectId,
        /// The edges, metres; below 0 they are 0.
        size: Vec3,
        /// Where the effect fades, in parts of the box; brought within its range.
        falloff: f64,
    },
    /// Gives a lattice other points. The curves of points that are no more go.
    SetGrid {
        /// The lattice object.
        object: ObjectId,
        /// Points an axis, 1 to 16.
        counts: [u8; 3],
        /// The basis an axis.
        bases: [Basis; 3],
        /// Where all points are where no clip moves them.
        offsets: Vec<(PointId, Vec3)>,
        /// Those of its poses, in their order.
        poses: Vec<Vec<(PointId, Vec3)>>,
    },
    /// Keeps a shape of a lattice, in place of one with its name.
    KeepPose {
        /// The lattice object.
        object: ObjectId,
        /// The name; not empty.
        name: String,
        /// The points with their offsets.
        offsets: Vec<(PointId, Vec3)>,
    },
    /// Sets, adds or takes out landmarks of a deformer; the curves of those that are no more go.
    SetLandmarks {
        /// The deformer object.
        object: ObjectId,
        /// Which, with what they are from now on; none to take one out.
        landmarks: Vec<(PointId, Option<Landmark>)>,
    },
    /// Sets the radial function of a warp.
    SetKernel {
        /// The deformer object.
        object: ObjectId,
        /// Which.
        kernel: Kernel,
    },
    /// Sets a painted mask of a mesh, in place of the one with its id.
    SetMask {
        /// The mesh object.
        object: ObjectId,
        /// The mask; one weight of 0..1 a vertex.
        mask: Arc<VertexMask>,
    },
    /// Takes a painted mask away: entries of the stack that had it act on all vertices.
    DeleteMask {
        /// The mesh object.
        object: ObjectId,
        /// Which.
        mask: MaskId,
    },
    /// Forgets a kept shape.
    DropPose {
        /// The lattice object.
        object: ObjectId,
        /// Its name.
        name: String,
    },
}

impl From<DeformEdit> for Edit {
    fn from(edit: DeformEdit) -> Self {
        Self::Deform(edit)
    }
}

impl DeformEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::AddEntry { object, entry } => {
                check(document, entry)?;
                check_mask(document, *object, entry)?;
                let mesh = mesh_mut(document, *object)?;
                if mesh.entry(entry.id).is_some() {
                    return Err(EditError::IdInUse(entry.id.0));
                }
                mesh.stack.push(*entry);
            }
            Self::SetEntry { object, entry } => {
                check(document, entry)?;
                check_mask(document, *object, entry)?;
                *entry_mut(document, *object, entry.id)? = *entry;
            }
            Self::MoveEntry { object, entry, to } => {
                let stack = &mut mesh_mut(document, *object)?.stack;
                let at = stack.iter().position(|other| other.id == *entry);
                let moved = stack.remove(at.ok_or(EditError::NoStackEntry(*object, *entry))?);
                let to = (*to).min(stack.len());
                stack.insert(to, moved);
            }
            Self::DeleteEntry { object, entry } => {
                let stack = &mut mesh_mut(document, *object)?.stack;
                let at = stack.iter().position(|other| other.id == *entry);
                stack.remove(at.ok_or(EditError::NoStackEntry(*object, *entry))?);
                forget_target(document, Target::Deformer(*object, *entry));
            }
            Self::SetInfluence { object, entry, influence } => {
                let influence = finite("an influence", *influence)?.clamp(0.0, 1.0);
                entry_mut(document, *object, *entry)?.influence = influence;
            }
            Self::SetNumber { object, property, value } => set_number(document, *object, *property, *value)?,
            Self::SetOffsets { object, offsets } => set_offsets(document, *object, offsets)?,
            Self::SetLandmarks { object, landmarks } => set_landmarks(document, *object, landmarks)?,
            Self::SetKernel { object, kernel } => deformer_mut(document, *object)?.kernel = *kernel,
            Self::SetMask { object, mask } => set_mask(document, *object, mask)?,
            Self::DeleteMask { object, mask } => delete_mask(document, *object, *mask)?,
            Self::SetBox { object, size, falloff } => {
                size.iter().chain([falloff]).try_for_each(|number| finite("a lattice", *number).map(|_| ()))?;
                let lattice = lattice_mut(document, *object)?;
                lattice.size = size.map(|edge| edge.max(0.0));
                lattice.falloff = falloff.clamp(0.0, Lattice::FALLOFF_MOST);
            }
            Self::SetGrid { object, counts, bases, offsets, poses } => {
                set_grid(document, *object, (*counts, *bases), offsets, poses)?;
            }
            Self::KeepPose { object, name, offsets } => {
                if name.trim().is_empty() {
                    return Err(EditError::BadName(name.clone()));
                }
                let lattice = lattice_mut(document, *object)?;
                let pose = LatticePose { name: name.clone(), offsets: sparse(*object, lattice, offsets)? };
                match lattice.poses.iter_mut().find(|other| other.name == *name) {
                    Some(known) => *known = pose,
                    None => lattice.poses.push(pose),
                }
            }
            Self::DropPose { object, name } => {
                let poses = &mut lattice_mut(document, *object)?.poses;
                let at = poses.iter().position(|pose| pose.name == *name);
                poses.remove(at.ok_or_else(|| EditError::NoSet(*object, name.clone()))?);
            }
        }
        Ok(())
    }
}

/// Sets where points of a lattice, or landmarks, are.
fn set_offsets(document: &mut Document, object: ObjectId, offsets: &[(PointId, Vec3)]) -> Result<(), EditError> {
    if document.object(object).is_some_and(|found| found.as_deformer().is_some()) {
        let deformer = deformer_mut(document, object)?;
        for (point, offset) in offsets {
            offset.iter().try_for_each(|number| finite("an offset", *number).map(|_| ()))?;
            let found = deformer.landmarks.get_mut(point).ok_or(EditError::NoPoint(object, *point))?;
            found.offset = *offset;
        }
        return Ok(());
    }
    let lattice = lattice_mut(document, object)?;
    let own = sparse(object, lattice, offsets)?;
    lattice.offsets.retain(|point, _| offsets.iter().all(|(other, _)| other != point));
    lattice.offsets.extend(own);
    Ok(())
}

fn set_mask(document: &mut Document, object: ObjectId, mask: &Arc<VertexMask>) -> Result<(), EditError> {
    let mesh = mesh_mut(document, object)?;
    let sound = mask.weights.len() == mesh.len() && mask.weights.iter().all(|w| (0.0..=1.0).contains(w));
    if !sound {
        return Err(EditError::BadMesh(object));
    }
    match mesh.masks.iter_mut().find(|known| known.id == mask.id) {
        Some(known) => *known = mask.clone(),
        None => mesh.masks.push(mask.clone()),
    }
    Ok(())
}

fn delete_mask(document: &mut Document, object: ObjectId, mask: MaskId) -> Result<(), EditError> {
    let mesh = mesh_mut(document, object)?;
    let at = mesh.masks.iter().position(|known| known.id == mask);
    mesh.masks.remove(at.ok_or(EditError::NoMask(object, mask))?);
    for entry in mesh.stack.iter_mut().filter(|entry| entry.mask == Some(Mask::Painted(mask))) {
        entry.mask = None;
    }
    Ok(())
}

fn set_landmarks(
    document: &mut Document,
    object: ObjectId,
    landmarks: &[(PointId, Option<Landmark>)],
) -> Result<(), EditError> {
    let deformer = deformer_mut(document, object)?;
    if !deformer.kind.has_landmarks() {
        return Err(EditError::NotADeformer(object));
    }
    for (point, landmark) in landmarks {
        match landmark {
            Some(landmark) => {
                let numbers = landmark.at.iter().chain(landmark.offset.iter());
                numbers.into_iter().try_for_each(|number| finite("a landmark", *number).map(|_| ()))?;
                deformer.landmarks.insert(*point, *landmark);
            }
            None => {
                deformer.landmarks.remove(point).ok_or(EditError::NoPoint(object, *point))?;
            }
        }
    }
    if deformer.landmarks.len() > MOST_PAIRS {
        return Err(EditError::BadNumber { what: "a number of landmarks", value: deformer.landmarks.len() as f64 });
    }
    for (point, _) in landmarks.iter().filter(|(_, landmark)| landmark.is_none()) {
        forget_target(document, Target::Point(object, *point));
    }
    Ok(())
}

/// Offsets of points that exist, finite, those of none left out.
fn sparse(
    object: ObjectId,
    lattice: &Lattice,
    offsets: &[(PointId, Vec3)],
) -> Result<BTreeMap<PointId, Vec3>, EditError> {
    let mut out = BTreeMap::new();
    for (point, offset) in offsets {
        lattice.place_of(*point).ok_or(EditError::NoPoint(object, *point))?;
        offset.iter().try_for_each(|number| finite("an offset", *number).map(|_| ()))?;
        if *offset != Vec3::zeros() {
            out.insert(*point, *offset);
        }
    }
    Ok(out)
}

fn set_number(document: &mut Document, object: ObjectId, property: Property, value: f64) -> Result<(), EditError> {
    let value = finite("a number of a deformer", value)?;
    let deformer = deformer_mut(document, object)?;
    let parameter = deformer.kind.parameter(property).ok_or(EditError::NotADeformer(object))?;
    let value = value.clamp(parameter.range.0, parameter.range.1);
    if value == parameter.resting {
        deformer.numbers.remove(&property);
    } else {
        deformer.numbers.insert(property, value);
    }
    Ok(())
}

fn set_grid(
    document: &mut Document,
    object: ObjectId,
    (counts, bases): ([u8; 3], [Basis; 3]),
    offsets: &[(PointId, Vec3)],
    poses: &[Vec<(PointId, Vec3)>],
) -> Result<(), EditError> {
    if let Some(bad) = counts.iter().find(|count| !(1..=MOST).contains(&usize::from(**count))) {
        return Err(EditError::BadNumber { what: "a number of points", value: f64::from(*bad) });
    }
    let lattice = lattice_mut(document, object)?;
    let before: Vec<PointId> = lattice.points().map(|(point, _)| point).collect();
    (lattice.counts, lattice.bases) = (counts, bases);
    lattice.offsets = sparse(object, lattice, offsets)?;
    for (at, offsets) in poses.iter().enumerate() {
        let own = sparse(object, lattice, offsets)?;
        if let Some(pose) = lattice.poses.get_mut(at) {
            pose.offsets = own;
        }
    }
    let now = lattice.clone();
    for gone in before.into_iter().filter(|point| now.place_of(*point).is_none()) {
        forget_target(document, Target::Point(object, gone));
    }
    Ok(())
}

fn check(document: &Document, entry: &StackEntry) -> Result<(), EditError> {
    if !(0.0..=1.0).contains(&entry.influence) {
        return Err(EditError::BadNumber { what: "an influence", value: entry.influence });
    }
    if !(entry.reach.is_finite() && entry.reach >= 0.0) {
        return Err(EditError::BadNumber { what: "a reach", value: entry.reach });
    }
    let by = document.object(entry.by).ok_or(EditError::NoObject(entry.by))?;
    if by.deforms() { Ok(()) } else { Err(EditError::NotADeformer(entry.by)) }
}

/// That a painted mask of an entry exists.
fn check_mask(document: &Document, object: ObjectId, entry: &StackEntry) -> Result<(), EditError> {
    let Some(Mask::Painted(id)) = entry.mask else { return Ok(()) };
    let mesh = document.object(object).and_then(|found| found.as_mesh());
    if mesh.is_some_and(|mesh| mesh.mask(id).is_some()) { Ok(()) } else { Err(EditError::NoMask(object, id)) }
}

fn mesh_mut(document: &mut Document, object: ObjectId) -> Result<&mut Mesh, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Mesh(mesh) => Ok(Arc::make_mut(mesh)),
        _ => Err(EditError::NotAMesh(object)),
    }
}

fn entry_mut(document: &mut Document, object: ObjectId, id: DeformerId) -> Result<&mut StackEntry, EditError> {
    let mesh = mesh_mut(document, object)?;
    mesh.stack.iter_mut().find(|entry| entry.id == id).ok_or(EditError::NoStackEntry(object, id))
}

fn deformer_mut(document: &mut Document, object: ObjectId) -> Result<&mut Deformer, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Deformer(deformer) => Ok(deformer),
        _ => Err(EditError::NotADeformer(object)),
    }
}

pub(super) fn lattice_mut(document: &mut Document, object: ObjectId) -> Result<&mut Lattice, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Lattice(lattice) => Ok(Arc::make_mut(lattice)),
        _ => Err(EditError::NotALattice(object)),
    }
}

/// Takes an object that deforms out of the stacks of meshes, with the channels of their entries.
pub(super) fn forget_deformer(document: &mut Document, gone: ObjectId) {
    let found: Vec<(ObjectId, Vec<DeformerId>)> = crate::eval::deform::deformed_by(document, gone)
        .map(|(id, object)| {
            let stack = object.as_mesh().into_iter().flat_map(|mesh| &mesh.stack);
            (id, stack.filter(|entry| entry.by == gone).map(|entry| entry.id).collect())
        })
        .collect();
    for (object, entries) in found {
        if let Ok(mesh) = mesh_mut(document, object) {
            mesh.stack.retain(|entry| entry.by != gone);
        }
        for entry in entries {
            forget_target(document, Target::Deformer(object, entry));
        }
    }
}

#[cfg(test)]
mod tests;

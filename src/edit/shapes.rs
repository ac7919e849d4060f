//! Morph targets made from what is there: from the present shape, from another mesh, mirrored, as correctives, as mixtures.

use super::{Edit, EditError, MeshEdit};
use crate::{
    eval::{
        EvaluatedFrame,
        mesh::{MeshState, mesh_state, offsets_at_rest, turned_normals, twins},
    },
    math::Vec3,
    model::{Document, Mesh, MorphGroup, MorphId, MorphRule, MorphTarget, ObjectId},
};
use std::sync::Arc;

/// A weight below this does not count as acting.
const ACTS: f64 = 1e-3;

fn mesh_of(document: &Document, object: ObjectId) -> Result<&Arc<Mesh>, EditError> {
    document.object(object).and_then(|found| found.as_mesh()).ok_or(EditError::NotAMesh(object))
}

/// A shape of some offsets at rest, its normals turned as its triangles are.
fn shape(mesh: &Mesh, name: &str, by: &[Vec3]) -> MorphTarget {
    let by: Vec<[f32; 3]> = by.iter().map(narrow).collect();
    let add = |(a, b): (&[f32; 3], &[f32; 3])| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let moved: Vec<[f32; 3]> = mesh.geometry.positions.iter().zip(&by).map(add).collect();
    let turned = turned_normals(&mesh.geometry, &moved);
    let from = |(to, from): (&[f32; 3], &[f32; 3])| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    let normals: Vec<[f32; 3]> = turned.iter().zip(&*mesh.geometry.normals).map(from).collect();
    MorphTarget { normals: normals.into(), ..MorphTarget::new(mesh.fresh_morph_id(), name, by.into()) }
}

#[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
fn narrow(at: &Vec3) -> [f32; 3] {
    [at.x as f32, at.y as f32, at.z as f32]
}

/// What the morph targets of a mesh make of its vertices at rest now.
fn blend(mesh: &Mesh, state: &MeshState) -> Vec<Vec3> {
    let mut sum = vec![Vec3::zeros(); mesh.len()];
    for (morph, weight) in mesh.morphs.iter().zip(&state.weights).filter(|(_, weight)| **weight != 0.0) {
        for (to, by) in sum.iter_mut().zip(&*morph.positions) {
            *to += Vec3::from(by.map(f64::from)) * *weight;
        }
    }
    sum
}

/// The edit that keeps a mesh's present shape, morphed and deformed, as a morph target that does not act yet.
///
/// # Errors
/// Where the object is no mesh.
pub fn present_shape(
    document: &Document,
    frame: &EvaluatedFrame,
    object: ObjectId,
    name: &str,
) -> Result<Edit, EditError> {
    let mesh = mesh_of(document, object)?;
    let state = mesh_state(document, frame, object).ok_or(EditError::NotAMesh(object))?;
    let mut by = blend(mesh, &state);
    by.iter_mut().zip(offsets_at_rest(mesh, &state, false)).for_each(|(to, own)| *to += own);
    Ok(MeshEdit::AddMorph { object, morph: Arc::new(shape(mesh, name, &by)) }.into())
}

/// The edit that takes the shape of another mesh, of as many vertices in the same order, as a morph target that does not act yet.
///
/// # Errors
/// Where one is no mesh, or they do not have the same number of vertices.
pub fn taken_shape(document: &Document, object: ObjectId, from: ObjectId) -> Result<Edit, EditError> {
    let (mesh, other) = (mesh_of(document, object)?, mesh_of(document, from)?);
    if mesh.len() != other.len() || object == from {
        return Err(EditError::OtherVertices { object, has: mesh.len(), other: other.len() });
    }
    let at = |p: &[f32; 3]| Vec3::from(p.map(f64::from));
    let pairs = mesh.geometry.positions.iter().zip(&*other.geometry.positions);
    let by: Vec<Vec3> = pairs.map(|(a, b)| at(b) - at(a)).collect();
    let name = document.object(from).map(|found| found.name.clone()).unwrap_or_default();
    Ok(MeshEdit::AddMorph { object, morph: Arc::new(shape(mesh, &name, &by)) }.into())
}

/// A name with its sides exchanged: `L` and `R` after a number or at an end, `left` and `right`; none where it has none.
#[must_use]
pub fn other_side(name: &str) -> Option<String> {
    for (a, b) in [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")] {
        if let Some(at) = name.find(a) {
            return Some(format!("{}{b}{}", &name[..at], &name[at + a.len()..]));
        }
        if let Some(at) = name.find(b) {
            return Some(format!("{}{a}{}", &name[..at], &name[at + b.len()..]));
        }
    }
    let chars: Vec<char> = name.chars().collect();
    let swapped = |c: char| match c {
        'L' => Some('R'),
        'R' => Some('L'),
        'l' => Some('r'),
        'r' => Some('l'),
        _ => None,
    };
    let single = |at: usize| {
        let after = chars.get(at + 1).is_none_or(|next| !next.is_alphanumeric());
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        after && before.is_none_or(|before| !before.is_alphabetic())
    };
    let at = (0..chars.len()).find(|at| swapped(chars[*at]).is_some() && single(*at))?;
    let mut out = chars.clone();
    out[at] = swapped(chars[at])?;
    Some(out.into_iter().collect())
}

/// How far from the mirror image of a vertex another may be to be it, in parts of the mesh's size.
const TWIN: f64 = 1e-3;

/// The edit that adds the mirror image of a shape across X = 0 as a morph target of its own, and how many vertices have no mirror
/// image: those it leaves at rest.
///
/// # Errors
/// Where there is no such mesh or morph target, or it is a mixture.
pub fn mirrored_shape(document: &Document, object: ObjectId, morph: MorphId) -> Result<(Edit, usize), EditError> {
    let mesh = mesh_of(document, object)?;
    let own = mesh.morph(morph).filter(|own| !own.is_mix()).ok_or(EditError::NoMorph(object, morph))?;
    let size = mesh.geometry.positions.iter().flatten().fold(0.0_f32, |most, x| most.max(x.abs()));
    #[expect(clippy::cast_possible_truncation, reason = "a length")]
    let found = twins(&mesh.geometry.positions, (f64::from(size) * TWIN) as f32);
    let alone = found.iter().filter(|twin| twin.is_none()).count();
    let across = |twin: &Option<usize>| {
        let by = twin.and_then(|twin| own.positions.get(twin)).copied().unwrap_or_default();
        Vec3::new(-f64::from(by[0]), f64::from(by[1]), f64::from(by[2]))
    };
    let by: Vec<Vec3> = found.iter().map(across).collect();
    let name = other_side(&own.name).unwrap_or_else(|| format!("{} mirrored", own.name));
    let image = MorphTarget { group: own.group, ..shape(mesh, &name, &by) };
    Ok((MeshEdit::AddMorph { object, morph: Arc::new(image) }.into(), alone))
}

/// The shapes of a mesh that act now, with by how much: mixtures counted as what they add to.
fn acting(mesh: &Mesh, state: &MeshState) -> Vec<(MorphId, f64)> {
    let own = mesh.morphs.iter().zip(&state.weights);
    let own = own.filter(|(morph, weight)| morph.rule == MorphRule::Own && weight.abs() >= ACTS);
    own.map(|(morph, weight)| (morph.id, *weight)).collect()
}

/// The edit that keeps how much the shapes of a mesh act now as a mixture of them.
///
/// # Errors
/// Where the object is no mesh, or no shape of it acts.
pub fn mixture(
    document: &Document,
    frame: &EvaluatedFrame,
    object: ObjectId,
    (name, group): (&str, MorphGroup),
) -> Result<Edit, EditError> {
    let mesh = mesh_of(document, object)?;
    let state = mesh_state(document, frame, object).ok_or(EditError::NotAMesh(object))?;
    let parts = acting(mesh, &state);
    if parts.is_empty() {
        return Err(EditError::NothingActs(object));
    }
    let mix = MorphTarget::new(mesh.fresh_morph_id(), name, Vec::new().into());
    let morph = Arc::new(MorphTarget { group, rule: MorphRule::Mix(parts), ..mix });
    Ok(MeshEdit::AddMorph { object, morph }.into())
}

/// The edit that makes what the stack of a mesh does now a corrective of the shapes that act now, and takes the stack off: it comes as
/// they do together. Those that are not sculpted yet begin without a shape.
///
/// # Errors
/// Where the object is no mesh, or fewer than two of its shapes act.
pub fn corrective(
    document: &Document,
    frame: &EvaluatedFrame,
    object: ObjectId,
    name: &str,
) -> Result<Edit, EditError> {
    let mesh = mesh_of(document, object)?;
    let state = mesh_state(document, frame, object).ok_or(EditError::NotAMesh(object))?;
    let parts: Vec<(MorphId, f64)> = acting(mesh, &state).into_iter().filter(|(_, weight)| *weight > 0.0).collect();
    if parts.len() < 2 {
        return Err(EditError::NothingActs(object));
    }
    let product: f64 = parts.iter().map(|(_, weight)| weight.clamp(0.0, 1.0)).product();
    let by: Vec<Vec3> = offsets_at_rest(mesh, &state, false).iter().map(|by| by / product.max(ACTS)).collect();
    let factors = parts.into_iter().map(|(id, _)| id).collect();
    let own = MorphTarget { weight: 1.0, rule: MorphRule::Product(factors), ..shape(mesh, name, &by) };
    let off = mesh.stack.iter().map(|entry| super::DeformEdit::DeleteEntry { object, entry: entry.id }.into());
    let mut edits: Vec<Edit> = off.collect();
    edits.push(MeshEdit::AddMorph { object, morph: Arc::new(own) }.into());
    Ok(Edit::Batch(edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_sides() {
        let pairs = [("AU12L Lip corner", "AU12R Lip corner"), ("brow_l", "brow_r"), ("smile.R", "smile.L")];
        for (a, b) in pairs.into_iter().chain([("Left eye", "Right eye")]) {
            assert_eq!(other_side(a).as_deref(), Some(b));
            assert_eq!(other_side(b).as_deref(), Some(a));
        }
        assert_eq!(other_side("Jaw drop"), None);
    }
}

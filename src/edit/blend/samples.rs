//! From what is done to one sample of a space to the edit of the space.

use super::{BlendEdit, Edit, EditError};
use crate::{
    edit::objects::{forget_targets, rename_targets},
    math::triangulate::Triangulation,
    model::{BlendSpace, BlendSpaceId, Document, LayerId, Object, ObjectId, Plays, SpaceSample, Target},
};
use std::sync::Arc;

fn changed(
    document: &Document,
    id: BlendSpaceId,
    change: impl FnOnce(&mut BlendSpace) -> Result<(), EditError>,
) -> Result<Edit, EditError> {
    let mut space = (**document.blend_spaces.get(&id).ok_or(EditError::NoSpace(id))?).clone();
    change(&mut space)?;
    Ok(BlendEdit::SetSpace { id, space: Arc::new(space) }.into())
}

fn sample_mut(space: &mut BlendSpace, id: BlendSpaceId, at: usize) -> Result<&mut SpaceSample, EditError> {
    space.samples.get_mut(at).ok_or(EditError::NoSample(id, at))
}

/// The edit that adds a sample, or puts it in the place of one by its place in the list.
///
/// # Errors
/// Where there is no such space or sample. The edit itself is refused where the spot is taken or what it plays would contain
/// the space.
pub fn set_sample(
    document: &Document,
    id: BlendSpaceId,
    at: Option<usize>,
    sample: SpaceSample,
) -> Result<Edit, EditError> {
    changed(document, id, |space| {
        match at {
            Some(at) => *sample_mut(space, id, at)? = sample,
            None => space.samples.push(sample),
        }
        Ok(())
    })
}

/// The edit that moves a sample to a point, brought within the axes' ranges.
///
/// # Errors
/// As [`set_sample`].
pub fn move_sample(document: &Document, id: BlendSpaceId, at: usize, to: [f64; 2]) -> Result<Edit, EditError> {
    changed(document, id, |space| {
        let to = space.within(to);
        sample_mut(space, id, at)?.at = to;
        Ok(())
    })
}

/// The edit that gives a sample another weight, of its own.
///
/// # Errors
/// As [`set_sample`].
pub fn weighed(document: &Document, id: BlendSpaceId, at: usize, weight: f64) -> Result<Edit, EditError> {
    changed(document, id, |space| {
        sample_mut(space, id, at)?.weight = weight;
        Ok(())
    })
}

/// The edit that takes a sample out of a space, with the diagonals that end at it and the curves of its weight.
///
/// # Errors
/// As [`set_sample`].
pub fn remove_sample(document: &Document, id: BlendSpaceId, at: usize) -> Result<Edit, EditError> {
    let space = document.blend_spaces.get(&id).ok_or(EditError::NoSpace(id))?;
    space.samples.get(at).ok_or(EditError::NoSample(id, at))?;
    Ok(BlendEdit::RemoveSample { id, sample: at }.into())
}

/// The edit that turns a diagonal of a space's triangulation to the other one of its quadrangle; none where it is of the
/// border or the quadrangle is not convex.
///
/// # Errors
/// Where there is no such space.
pub fn turn_diagonal(document: &Document, id: BlendSpaceId, edge: [usize; 2]) -> Result<Option<Edit>, EditError> {
    let space = document.blend_spaces.get(&id).ok_or(EditError::NoSpace(id))?;
    let points: Vec<[f64; 2]> = space.samples.iter().map(|sample| space.measured(sample.at)).collect();
    let Some(other) = Triangulation::with_diagonals(&points, &space.diagonals).other_diagonal(edge) else {
        return Ok(None);
    };
    let same = |pair: &[usize; 2]| pair.iter().all(|end| edge.contains(end));
    changed(document, id, |space| {
        space.diagonals.retain(|pair| !same(pair));
        // Where the triangulation turns it so by itself nothing need be said.
        if Triangulation::with_diagonals(&points, &space.diagonals).other_diagonal(edge).is_some() {
            space.diagonals.push(other);
        }
        Ok(())
    })
    .map(Some)
}

/// Takes a sample out; the numbers of those after it change in the diagonals and in the channels of their weights.
pub(super) fn take_out(document: &mut Document, id: BlendSpaceId, at: usize) -> Result<(), EditError> {
    let space = Arc::make_mut(&mut document.blend_spaces).get_mut(&id).map(Arc::make_mut);
    let space = space.ok_or(EditError::NoSpace(id))?;
    sample_mut(space, id, at)?;
    space.samples.remove(at);
    space.diagonals.retain(|pair| !pair.contains(&at));
    for end in space.diagonals.iter_mut().flatten().filter(|end| **end > at) {
        *end -= 1;
    }
    let playing = |(object, found): (&ObjectId, &Arc<Object>)| {
        let layers = found.layers.iter().filter(|layer| layer.plays == Plays::Space(id));
        layers.map(|layer| (*object, layer.id)).collect::<Vec<_>>()
    };
    let layers: Vec<(ObjectId, LayerId)> = document.objects.iter().flat_map(playing).collect();
    for (object, layer) in layers {
        let place = |of: Target| match of {
            Target::Sample(o, l, place) if (o, l) == (object, layer) => Some(place as usize),
            _ => None,
        };
        forget_targets(document, object, |of| place(of) == Some(at));
        rename_targets(document, object, |of| match of {
            Target::Sample(o, l, number) if place(of).is_some_and(|place| place > at) => {
                Target::Sample(o, l, number - 1)
            }
            other => other,
        });
    }
    Ok(())
}

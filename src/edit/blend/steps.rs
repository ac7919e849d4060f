//! Marks of step put into clips.

use crate::{
    edit::{ClipEdit, Edit, EditError},
    eval::blend::steps::marks_of_step,
    model::{ClipId, Document, ObjectId},
};

/// The edit that marks in a clip when the feet of a rig come down ([`marks_of_step`]), in place of the marks of step it had.
///
/// # Errors
/// Where there is no such rig or clip.
pub fn mark_steps(document: &Document, object: ObjectId, clip: ClipId) -> Result<Edit, EditError> {
    document.object(object).ok_or(EditError::NoObject(object))?.as_rig().ok_or(EditError::NotARig(object))?;
    let marked = document.clip(clip).ok_or(EditError::NoClip(clip))?;
    let found = marks_of_step(document, object, clip).ok_or(EditError::NotARig(object))?;
    let old = marked.markers.iter().filter(|marker| marker.sync);
    let gone = old.map(|marker| ClipEdit::DeleteMarker { clip, marker: marker.id }.into());
    let new = found.into_iter().map(|marker| ClipEdit::SetMarker { clip, marker }.into());
    Ok(Edit::Batch(gone.chain(new).collect()))
}

//! Blend spaces made, copied, and played by a character.

use super::BlendEdit;
use crate::{
    edit::Edit,
    model::{Axis, BlendScheme, BlendSpace, BlendSpaceId, Document},
};
use std::sync::Arc;

/// A name that no blend space has: the one wanted, else with the first free number after it.
#[must_use]
pub fn free_space_name(document: &Document, wanted: &str) -> String {
    let taken = |name: &str| document.blend_spaces.values().any(|space| space.name == name);
    if !taken(wanted) {
        return wanted.to_owned();
    }
    let numbered = (2_u32..).map(|number| format!("{wanted} {number}"));
    numbered.into_iter().find(|name| !taken(name)).unwrap_or_else(|| wanted.to_owned())
}

/// The edit that adds an empty space of one axis or two, and its id.
#[must_use]
pub fn new_space(document: &Document, name: &str, axes: usize) -> (BlendSpaceId, Edit) {
    let mut space = BlendSpace::new(
        &free_space_name(document, name),
        [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])],
    );
    if axes > 1 {
        space.scheme = BlendScheme::Delaunay;
    }
    added(document, space)
}

/// The edit that adds a space, and its id.
#[must_use]
pub fn added(document: &Document, space: BlendSpace) -> (BlendSpaceId, Edit) {
    let id = BlendSpaceId(document.next_id);
    (id, BlendEdit::AddSpace { id, space: Arc::new(space) }.into())
}

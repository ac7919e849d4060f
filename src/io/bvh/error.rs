//! Why a file could not be read as BVH.

use crate::io::report::Place;
use crate::io::text::place_of;

/// A fault that leaves the meaning of the file in doubt, so that nothing is read from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {found}, wanted {wanted}; {remedy}")]
pub struct BvhError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub wanted: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl BvhError {
    /// An error at a byte offset of the text.
    pub(super) fn at(
        text: &[u8],
        offset: usize,
        found: String,
        wanted: impl Into<String>,
        remedy: &'static str,
    ) -> Self {
        let (line, column) = match place_of(text, offset) {
            Place::Text { line, column } => (line, column),
            Place::Whole | Place::Byte { .. } | Place::Part(_) => (1, 1),
        };
        Self { line, column, found, wanted: wanted.into(), remedy }
    }
}

/// A word of the file for a message: quoted, at most 40 characters.
pub(super) fn quoted(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(200)]);
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < word.len() {
        shown.push('…');
    }
    format!("`{shown}`")
}

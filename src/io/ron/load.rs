//! Text to document.

use super::{LoadError, header};
use crate::model::Document;

/// Reads a document from the text of a file and checks it whole.
///
/// # Errors
/// Names the line and column of what does not read, the field a newer version wrote, or the parts that cannot be right.
pub fn load(text: &str) -> Result<Document, LoadError> {
    let (_, body) = header::split(text)?;
    let document: Document = ron::from_str(body).map_err(LoadError::in_body)?;
    let problems = document.problems();
    if problems.is_empty() { Ok(document) } else { Err(LoadError::Unsound(problems)) }
}

//! Wavefront OBJ (Advanced Visualizer manual, appendix B): polygons with normals and texture coordinates, named and grouped.
//!
//! Read by our own reader, not by the crate `tobj`: that one does not say on which line a file is wrong, and stops where one face
//! among thousands names a vertex that is not there. Lines are read one after the other; nothing is larger than the file says by its
//! own length.

mod convert;
mod materials;
mod parse;
mod write;

pub use convert::{MOST_OBJECTS, to_objects};
pub use materials::{ObjMaterial, materials};
pub use parse::{Corner, ObjFile, Run, parse};
pub use write::{ObjExport, ObjExportError, ObjWritten, export};

/// Why a text is no OBJ file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ObjError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it, and what to do.
    pub what: String,
}

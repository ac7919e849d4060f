//! glTF 2.0 (Khronos, ISO/IEC 12113), text and binary.
//!
//! The JSON is read into our own structs by `serde_json` and the arrays by our own reader, not by the crate `gltf`: that one
//! stops at its first check without saying which byte or which part, and copies every value through an iterator of enums.
//! Here every fault names its JSON path, line or byte, nothing is allocated before its bounds are checked, and an array of
//! floats is one pass over the bytes.

mod accessor;
mod animation;
mod baked;
mod builder;
mod container;
mod error;
mod export;
mod import;
mod json;
mod measure;
mod mend;
mod mesh_out;
mod meshes;
mod own_scale;
mod rate;
mod resample;
mod skin_nodes;
mod tracks;
mod tree;

pub use error::GltfError;
pub use export::{DeformersOut, GltfExport, GltfExportError, GltfLayout, GltfWritten, export};
pub(crate) use import::decomposed;
pub use import::{GltfFile, GltfParts, range_to, to_parts};
pub(in crate::io) use mend::look;

use std::path::Path;

/// Takes a file apart: the container, its JSON, and the buffers it names. `path` is where it lies: other files are looked up
/// beside it; none where there is only the one.
///
/// # Errors
/// What is wrong and where.
pub fn parse(bytes: &[u8], path: Option<&Path>) -> Result<GltfFile, GltfError> {
    let chunks = container::split(bytes)?;
    let root = json::parse(chunks.json)?;
    let folder = path.and_then(import::folder_of);
    let buffers = container::buffers(&root, chunks.bin, folder.as_deref())?;
    Ok(GltfFile { root, buffers, folder })
}

//! The journal of what is done to the open document, so that a crash or a kill loses nothing that was finished.
//!
//! Each open document has a folder of its own under the recovery folder, made at the first change:
//!
//! | file | holds |
//! |---|---|
//! | `lock` | nothing; locked while its program lives, whatever way that ends |
//! | `about.json` | what the document is called, where it is saved, whether it was offered |
//! | `base-N.ron` | the whole document at the beginning of the part N |
//! | `edits-N` | what happened since, appended record by record |
//!
//! A record is its length and the CRC-32 of its bytes (both little-endian `u32`), then the bytes: MessagePack with named
//! fields. States are numbered from 0, the base; an edit names the state it acted on and makes the next one, so that undo,
//! redo and jumps are one record that names a state. A torn record at the end is where the program died.
//!
//! Now and then the journal is folded: the next base is written whole under its name, only then the former part goes. At
//! each moment one part is complete.

mod found;
mod record;
mod writer;

pub use found::{Found, Recovered, discard, list, mark_offered, recover};
pub use writer::Journal;

use super::file::FileError;
use serde::{Deserialize, Serialize};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What is known of a journal's document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// What it is called in the window.
    pub name: String,
    /// Where it is saved; none for one that never was.
    pub path: Option<PathBuf>,
    /// Whether its recovery was offered at a start already.
    #[serde(default)]
    pub offered: bool,
}

/// Why a journal cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system refuses.
    #[error("{doing} fails ({source}): {}", path.display())]
    System {
        /// What was tried.
        doing: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something cannot be put into the form it is kept in.
    #[error("a change cannot be kept in the journal: {0}")]
    Form(String),
    /// There is no base that can be read.
    #[error("no whole document is left in {}", .0.display())]
    NoBase(PathBuf),
}

impl JournalError {
    fn system(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::System { doing, path, source }
    }
}

const ABOUT: &str = "about.json";
const LOCK: &str = "lock";

fn base_path(folder: &Path, part: u32) -> PathBuf {
    folder.join(format!("base-{part}.ron"))
}

fn edits_path(folder: &Path, part: u32) -> PathBuf {
    folder.join(format!("edits-{part}"))
}

fn write_about(folder: &Path, about: &About) -> Result<(), JournalError> {
    let text = serde_json::to_string_pretty(about).map_err(|error| JournalError::Form(error.to_string()))?;
    Ok(super::file::write_without_backup(&folder.join(ABOUT), text.as_bytes())?)
}

#[cfg(test)]
mod tests;

//! The first line of a document: what it is and which version of the format it follows.

use super::LoadError;
use serde::{Deserialize, Serialize};

/// The version this program writes. It rises only when the *meaning* of something changes; a new field with a default
/// does not need it.
pub const VERSION: u32 = 1;

/// The name that marks a document.
const FORMAT: &str = "inbetween";

/// The header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Always `inbetween`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
}

impl Default for Header {
    fn default() -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION }
    }
}

/// Reads the header line of a document and returns it with the rest of the text.
///
/// # Errors
/// Where the first line is no header, or names a version this program does not know.
pub fn split(text: &str) -> Result<(Header, &str), LoadError> {
    let (line, body) = text.split_once('\n').unwrap_or((text, ""));
    let header: Header = ron::from_str(line.trim_end_matches('\r').trim_start_matches('\u{feff}'))
        .map_err(|_form| LoadError::NotADocument { detail: "its first line is no header".to_owned() })?;
    if header.format != FORMAT {
        return Err(LoadError::NotADocument { detail: format!("it says it is '{}'", header.format) });
    }
    match header.version {
        1..=VERSION => Ok((header, body)),
        0 => Err(LoadError::NotADocument { detail: "version 0 does not exist".to_owned() }),
        version => Err(LoadError::Newer { version }),
    }
}

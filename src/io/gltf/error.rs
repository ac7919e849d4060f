//! What can be wrong with a glTF file: what, where in it, and what to do.

/// Why a file could not be read as glTF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GltfError {
    /// The binary container is damaged.
    #[error("byte {byte}: {what}")]
    Container {
        /// Where, bytes from the start of the file.
        byte: usize,
        /// What is wrong there.
        what: String,
    },
    /// The text is not JSON, or not of glTF's form.
    #[error("line {line}, column {column}: {what}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// A part of it does not make sense.
    #[error("{path}: {what}")]
    Part {
        /// Where, as a JSON path such as `accessors[3].count`.
        path: String,
        /// What is wrong there, and what to do.
        what: String,
    },
}

impl GltfError {
    /// A part that makes no sense.
    pub(super) fn part(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Part { path: path.into(), what: what.into() }
    }

    /// A number in one list that stands for nothing in another.
    pub(super) fn missing(path: impl Into<String>, list: &str, index: usize, there: usize) -> Self {
        Self::part(path, format!("there is no {list}[{index}]: there are {there}"))
    }
}

//! Why a text is no document.

use super::VERSION;
use crate::model::Problem;

/// Why a text is no document. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// The first line is not an Inbetween header.
    #[error("line 1: this is not an Inbetween document ({detail}); open a .ron file that Inbetween saved")]
    NotADocument {
        /// What was found instead.
        detail: String,
    },
    /// A later version of the format.
    #[error(
        "line 1: written by a newer Inbetween (format version {version}, this program reads up to {VERSION}); update \
         Inbetween to open it"
    )]
    Newer {
        /// The version found.
        version: u32,
    },
    /// A field or a kind this program does not know.
    #[error(
        "line {line}, column {column}: '{name}' is not known{inside}: the file was written by a newer Inbetween, or \
         edited by hand; update Inbetween, or take it out"
    )]
    UnknownName {
        /// Line of the text.
        line: usize,
        /// Column of the text.
        column: usize,
        /// The field or the kind.
        name: String,
        /// ` in TYPE`, or nothing.
        inside: String,
        /// The names that are known there.
        known: &'static [&'static str],
    },
    /// A field that every value of its kind has, and this one has not.
    #[error(
        "line {line}, column {column}: the field '{field}' is missing{inside}; write it there, or restore the file from \
         its backup (.bak)"
    )]
    MissingField {
        /// Line of the text where the value ends.
        line: usize,
        /// Column of the text.
        column: usize,
        /// The field.
        field: &'static str,
        /// ` in TYPE`, or nothing.
        inside: String,
    },
    /// Text that does not read as a document.
    #[error("line {line}, column {column}: {what}; restore the file from its backup (.bak) or mend the line")]
    Syntax {
        /// Line of the text.
        line: usize,
        /// Column of the text.
        column: usize,
        /// What was found or wanted.
        what: String,
    },
    /// A document that reads but cannot be right.
    #[error("{}", list(.0))]
    Unsound(
        /// What is wrong, at least one.
        Vec<Problem>,
    ),
}

impl LoadError {
    /// Line and column of what does not read, both from 1; none where the whole is meant.
    #[must_use]
    pub const fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::UnknownName { line, column, .. }
            | Self::MissingField { line, column, .. }
            | Self::Syntax { line, column, .. } => Some((*line, *column)),
            Self::NotADocument { .. } | Self::Newer { .. } | Self::Unsound(_) => None,
        }
    }

    /// An error of the body, which starts on the second line.
    pub(super) fn in_body(error: ron::error::SpannedError) -> Self {
        use ron::Error as Code;
        let (line, column) = (error.span.start.line + 1, error.span.start.col);
        let inside = |outer: Option<String>| outer.map_or_else(String::new, |outer| format!(" in {outer}"));
        match error.code {
            Code::NoSuchStructField { expected: known, found: name, outer }
            | Code::NoSuchEnumVariant { expected: known, found: name, outer } => {
                Self::UnknownName { line, column, name, inside: inside(outer), known }
            }
            Code::MissingStructField { field, outer } => {
                Self::MissingField { line, column, field, inside: inside(outer) }
            }
            code => Self::Syntax { line, column, what: in_words(&code) },
        }
    }
}

/// What is wrong with a text, before the reader's own words for it.
pub(super) fn in_words(code: &ron::Error) -> String {
    match code {
        ron::Error::Eof => "the text ends in the middle: the file was cut off".to_owned(),
        // What the document's own types say is plain.
        ron::Error::Message(what) => what.clone(),
        other => {
            let words = other.to_string();
            let mut letters = words.chars();
            let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
            format!("this cannot be read here ({first}{})", letters.as_str())
        }
    }
}

/// The first problems, and how many more there are.
fn list(problems: &[Problem]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = problems.iter().take(SHOWN).map(ToString::to_string).collect();
    let mut text = shown.join("; ");
    if problems.len() > SHOWN {
        text.push_str(&format!("; and {} more", problems.len() - SHOWN));
    }
    text.push_str(" - restore the file from its backup (.bak) or mend what is named");
    text
}

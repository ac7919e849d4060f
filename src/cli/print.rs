//! What the commands print.

use crate::io::report::Report;
use std::{
    io::{IsTerminal as _, Write as _},
    path::Path,
};

/// A line on standard output. A closed pipe (as of `head`) ends the output, not the program.
pub(super) fn line(text: &str) {
    drop(writeln!(std::io::stdout(), "{text}"));
}

/// A text as it is on standard output.
pub(super) fn text(text: &str) {
    drop(write!(std::io::stdout(), "{text}"));
}

/// A value as indented JSON on standard output.
pub(super) fn json(value: &serde_json::Value) {
    line(&format!("{value:#}"));
}

/// An error on standard error.
pub(super) fn error(text: &str) {
    drop(writeln!(std::io::stderr(), "error: {text}"));
}

/// The remarks of a report on standard error, each with the file it is about.
pub(super) fn remarks(path: &Path, report: &Report) {
    for text in report.remarks() {
        remark(path, &text);
    }
}

/// A remark on standard error, with the file it is about.
pub(super) fn remark(path: &Path, text: &str) {
    drop(writeln!(std::io::stderr(), "{}: {text}", path.display()));
}

/// What is being done, on a terminal only: a line that the next one overwrites.
pub(super) fn progress(text: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        drop(write!(out, "\r\x1b[K{text}"));
        drop(out.flush());
    }
}

/// Clears the progress line.
pub(super) fn progress_done() {
    progress("");
}

//! What is wrong with a file, all of it, each with its place and what to do; and a mended one where it can be mended.
//!
//! Opening a file stops at the first fault that leaves its meaning in doubt. Here the fault is noted, taken out of a copy,
//! and the look goes on. What was taken out or put in to go on is the mend: a file is mended as little as lets it be read.

mod bvh;
mod bvh_hierarchy;
mod bvh_rows;
mod gltf;
mod obj;
pub(in crate::io) mod patch;
mod ron;
mod ron_lint;
mod ron_reader;
mod ron_tree;

use super::{
    file::{self, FileError},
    foreign::foreign,
    open::FileKind,
    report::{Entry, Place, Report},
    text,
};
use crate::notice::Level;
use std::{fmt, path::Path};

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// Error: the file cannot be opened so. Warning: it opens, but not exactly as it says. Info: worth knowing.
    pub level: Level,
    /// A stable word for the kind of fault, for machines.
    pub kind: &'static str,
    /// Where in the file.
    pub place: Place,
    /// Where in what the file means: a JSON path, a part of a document, a joint. Empty where the place says all.
    pub part: String,
    /// What is wrong.
    pub found: String,
    /// What to do about it by hand.
    pub remedy: String,
    /// What a repair does about it; none where it can do nothing.
    pub mend: Option<String>,
    /// Whether that mend leaves out, or replaces by something made up, what the file had.
    pub lost: bool,
}

impl Finding {
    /// A fault that keeps the file from being opened.
    fn error(kind: &'static str, place: Place, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (found, remedy) = (found.into(), remedy.into());
        Self { level: Level::Error, kind, place, part: String::new(), found, remedy, mend: None, lost: false }
    }

    fn of_part(mut self, part: impl Into<String>) -> Self {
        self.part = part.into();
        self
    }

    /// Mended with all kept that the file had.
    fn mended(mut self, by: impl Into<String>) -> Self {
        self.mend = Some(by.into());
        self
    }

    /// Mended by leaving something out, or by making something up in its place.
    fn losing(mut self, by: impl Into<String>) -> Self {
        self.lost = true;
        self.mended(by)
    }

    /// What a reader mended on its own: a repair writes it so.
    fn of_entry(entry: &Entry) -> Self {
        let mend = (entry.level > Level::Info).then(|| entry.done.clone());
        let (place, part) = match &entry.place {
            Place::Part(part) => (Place::Whole, part.clone()),
            place => (place.clone(), String::new()),
        };
        Self {
            level: entry.level,
            kind: entry.kind,
            place,
            part,
            found: entry.found.clone(),
            remedy: entry.done.clone(),
            lost: mend.is_some() && !LOSSLESS.contains(&entry.kind),
            mend,
        }
    }
}

/// What readers mend with all kept: counts that the rows correct, bytes of another encoding.
const LOSSLESS: [&str; 2] = ["frames-count", "encoding"];

impl fmt::Display for Finding {
    /// `line 3, column 7: error: PART: what is wrong; what to do`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::Whole {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}: ", self.level)?;
        if !self.part.is_empty() {
            write!(f, "{}: ", self.part)?;
        }
        write!(f, "{}; {}", self.found, self.remedy)
    }
}

/// What a look at a file came to.
#[derive(Debug)]
pub struct Checked {
    /// What the file is; none where that cannot be told.
    pub kind: Option<FileKind>,
    /// All that is wrong, in the order of the file.
    pub findings: Vec<Finding>,
    /// How many more of the findings there are than are listed, by kind.
    pub unlisted: usize,
    /// Whether any mend, listed or not, loses something.
    pub loses: bool,
    /// The mended file, sound and of the same kind; none where something could not be mended. Of a sound file a copy in
    /// the form that is written here.
    pub mended: Option<Vec<u8>>,
}

impl Checked {
    /// The most findings that are listed: a file of nothing but faults cannot fill the memory with words about them.
    pub const LISTED: usize = 1000;

    /// Whether the file opens as it is.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.findings.iter().all(|finding| finding.level < Level::Error)
    }

    /// Whether it opens and means exactly what it says.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.level < Level::Warn)
    }

    fn new(kind: FileKind) -> Self {
        Self { kind: Some(kind), findings: Vec::new(), unlisted: 0, loses: false, mended: None }
    }

    fn add(&mut self, finding: Finding) {
        self.loses |= finding.lost;
        if self.findings.len() < Self::LISTED {
            self.findings.push(finding);
        } else {
            self.unlisted += 1;
        }
    }
}

/// Looks at a file.
///
/// # Errors
/// Where it cannot be read at all.
pub fn check(path: &Path) -> Result<Checked, FileError> {
    let bytes = file::read(path)?;
    let kind = FileKind::of_name(path).or_else(|| FileKind::of_bytes(&bytes));
    Ok(check_bytes(bytes, kind, Some(path)))
}

/// Looks at the bytes of a file of a kind. `path` is where it lies: other files are looked up beside it.
#[must_use]
pub fn check_bytes(bytes: Vec<u8>, kind: Option<FileKind>, path: Option<&Path>) -> Checked {
    if let Some((kind, what)) = kind.and_then(|kind| Some((kind, foreign(&bytes, kind)?))) {
        let (found, remedy) = what.split_once("; ").unwrap_or((&what, "choose another file"));
        let mut checked = Checked::new(kind);
        checked.add(Finding::error("other-kind", text::place_of(b"", 0), found, remedy));
        return checked;
    }
    match kind {
        Some(FileKind::Gltf | FileKind::Glb) => gltf::check(&bytes, path),
        Some(kind) => {
            let mut report = Report::new();
            let text = text::decode(bytes, &mut report);
            let mut checked = match kind {
                FileKind::Ron => ron::check(&text),
                FileKind::Obj => obj::check(&text),
                _ => bvh::check(&text),
            };
            checked.findings.splice(0..0, report.entries().iter().map(Finding::of_entry));
            checked
        }
        None => {
            let found = "neither its name nor its beginning says what it is";
            let remedy = "give it the right extension: .ron, .bvh, .gltf, .glb or .obj";
            let finding = Finding::error("unknown-kind", Place::Whole, found, remedy);
            Checked { kind: None, findings: vec![finding], unlisted: 0, loses: false, mended: None }
        }
    }
}

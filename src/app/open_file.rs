//! Which file the open document is.

use crate::io::{file::safe_name, open::FileKind};
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Which file the open document is, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenFile {
    /// Where it is saved; none for an untitled one.
    pub(super) path: Option<PathBuf>,
    /// What it is called in the window.
    pub(super) name: String,
    /// Whether it is a new, empty document or the sample: a dropped motion file then opens.
    pub(super) blank: bool,
    /// What the file was like when it was read or written last.
    stamp: Option<Stamp>,
}

/// By which a change of a file by another program is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    /// None where there is no such file.
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok(), bytes: metadata.len() })
    }
}

impl OpenFile {
    /// A document that is no file yet.
    pub(super) fn untitled(name: &str) -> Self {
        Self { path: None, name: name.to_owned(), blank: true, stamp: None }
    }

    /// A document opened from a file: a document is saved in place, motion makes an untitled one.
    pub(super) fn opened(path: &Path, kind: FileKind) -> Self {
        let name = |name: Option<&std::ffi::OsStr>| name.unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match kind {
            FileKind::Ron => {
                Self { path: Some(path.to_owned()), name: name(path.file_name()), blank: false, stamp: Stamp::of(path) }
            }
            FileKind::Bvh | FileKind::Gltf | FileKind::Glb | FileKind::Obj => {
                Self { path: None, name: name(path.file_stem()), blank: false, stamp: None }
            }
        }
    }

    /// A document that was recovered, to be saved where it was saved before.
    pub(super) fn recovered(path: Option<PathBuf>, name: &str) -> Self {
        let stamp = path.as_deref().and_then(Stamp::of);
        Self { path, name: name.to_owned(), blank: false, stamp }
    }

    /// Whether another program has changed the file since it was read or written here. A file that is gone is not changed:
    /// saving makes it again.
    pub(super) fn changed_on_disk(&self) -> bool {
        let now = self.path.as_deref().and_then(Stamp::of);
        now.is_some() && now != self.stamp
    }

    /// The file is known to be as it is now.
    pub(super) fn acknowledge(&mut self) {
        self.stamp = self.path.as_deref().and_then(Stamp::of);
    }

    /// What files beside it are called, without an extension.
    pub(super) fn stem(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_stem);
        safe_name(&name.map_or_else(|| self.name.clone(), |name| name.to_string_lossy().into_owned()))
    }

    /// The name proposed for a file of an extension.
    pub(super) fn proposed(&self, extension: &str) -> String {
        format!("{}.{extension}", self.stem())
    }
}

/// A path with the first of these extensions, added where it has none of them: dialogs do not add it everywhere.
pub(super) fn with_extension(path: &Path, extensions: &[&str]) -> PathBuf {
    let Some(extension) = extensions.first() else { return path.to_owned() };
    let has = |own: &std::ffi::OsStr| extensions.iter().any(|extension| own.eq_ignore_ascii_case(extension));
    if path.extension().is_some_and(has) {
        return path.to_owned();
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(extension);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_proposed_and_made_safe() {
        let motion = OpenFile::opened(Path::new("/a/walk.one.bvh"), FileKind::Bvh);
        assert_eq!((motion.path.as_deref(), motion.proposed("ron").as_str()), (None, "walk.one.ron"));
        let document = OpenFile::opened(Path::new("/a/walk.ron"), FileKind::Ron);
        assert_eq!(document.proposed("bvh"), "walk.bvh");
        assert_eq!(OpenFile::untitled("a/b: c.").proposed("ron"), "a_b_ c.ron");
        assert_eq!(OpenFile::untitled(" ").proposed("ron"), "untitled.ron");
    }

    #[test]
    fn extensions_are_added_once() {
        assert_eq!(with_extension(Path::new("/a/b"), &["ron"]), Path::new("/a/b.ron"));
        assert_eq!(with_extension(Path::new("/a/b.RON"), &["ron"]), Path::new("/a/b.RON"));
        assert_eq!(with_extension(Path::new("/a/b.bvh"), &["ron"]), Path::new("/a/b.bvh.ron"));
        assert_eq!(with_extension(Path::new("/a/b.PNG"), &["svg", "png"]), Path::new("/a/b.PNG"));
    }
}

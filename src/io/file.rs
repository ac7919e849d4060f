//! Files on disk: reads with a size guard, writes that replace a file whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The largest file that is read, bytes: far above any real motion file, far below what would exhaust a machine.
pub const SIZE_LIMIT: u64 = 2 << 30;

/// Why a file could not be read or written. Nothing was changed on disk.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file is not there.
    #[error("there is no such file; check the name: {}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The folder to write into is not there.
    #[error("the folder does not exist; make it or choose another: {}", path.display())]
    MissingFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A folder where a file was wanted.
    #[error("this is a folder, a file is wanted: {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// Larger than [`SIZE_LIMIT`].
    #[error("the file is larger than {limit} bytes, the most that is read: {}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit, bytes.
        limit: u64,
    },
    /// The target or its disk may not be written.
    #[error("the file or its disk is read-only; nothing was written, save elsewhere: {}", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// No room left.
    #[error("the disk is full; the file there is as it was, make room or save elsewhere: {}", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// The system does not allow it.
    #[error("not allowed to {verb} it; check its permissions: {}", path.display())]
    NotAllowed {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        verb: &'static str,
    },
    /// Anything else the system says.
    #[error("cannot {verb} it ({source}): {}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        verb: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl FileError {
    fn reading(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::IsADirectory => Self::Folder { path },
            io::ErrorKind::PermissionDenied => Self::NotAllowed { path, verb: "read" },
            _ => Self::Other { path, verb: "read", source },
        }
    }

    fn writing(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::MissingFolder { path: path.parent().map(Path::to_owned).unwrap_or(path) },
            io::ErrorKind::IsADirectory => Self::Folder { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::WriteZero => {
                Self::DiskFull { path }
            }
            io::ErrorKind::PermissionDenied => Self::NotAllowed { path, verb: "write" },
            _ => Self::Other { path, verb: "write", source },
        }
    }
}

/// Reads a whole file of at most [`SIZE_LIMIT`] bytes.
///
/// # Errors
/// [`FileError`], the path in it.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    read_limited(path, SIZE_LIMIT)
}

fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let failed = |source| FileError::reading(path, source);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(FileError::Folder { path: path.to_owned() });
    }
    if metadata.len() > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    // The stated length is only a hint: a device or a growing file may have more.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default().saturating_add(1));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

/// Replaces a file by these bytes, whole or not at all.
///
/// The bytes go to a temporary file in the same folder, are flushed and synced, and take the name by a rename. What was
/// there before is kept as `NAME.bak` (one backup, replaced each time). Permissions of an existing file are kept, a
/// symbolic link stays one and its target is replaced. Something that is not an ordinary file (a pipe, a device) is
/// written to directly.
///
/// # Errors
/// [`FileError`]; then the file is as it was, and nothing is left beside it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace(path, bytes, true)
}

/// [`write()`] without a backup: for files that only the program itself reads.
///
/// # Errors
/// As [`write()`].
pub fn write_without_backup(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace(path, bytes, false)
}

fn replace(path: &Path, bytes: &[u8], backup: bool) -> Result<(), FileError> {
    prepare(path, bytes)?.take_name(backup)
}

/// Bytes that are on the disk and wait for their name; none that wait where the target is no ordinary file.
struct Ready {
    target: PathBuf,
    folder: PathBuf,
    temporary: Option<tempfile::NamedTempFile>,
    exists: bool,
}

impl Ready {
    fn take_name(self, backup: bool) -> Result<(), FileError> {
        let Self { target, folder, temporary, exists } = self;
        let failed = |source| FileError::writing(&target, source);
        let Some(temporary) = temporary else { return Ok(()) };
        if backup && exists {
            keep_backup(&target, &folder).map_err(failed)?;
        }
        // After a crash the name is that of the old file or of the new one, either whole.
        temporary.persist(&target).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// Puts the bytes on the disk beside the file whose name they are to take.
fn prepare(path: &Path, bytes: &[u8]) -> Result<Ready, FileError> {
    let target = follow_links(path);
    let failed = |source| FileError::writing(&target, source);
    let existing = match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => return Err(FileError::Folder { path: target }),
        Ok(metadata) if !metadata.is_file() => {
            write_through(&target, bytes).map_err(failed)?;
            return Ok(Ready { folder: PathBuf::new(), temporary: None, exists: true, target });
        }
        Ok(metadata) if metadata.permissions().readonly() => return Err(FileError::ReadOnly { path: target }),
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(FileError::MissingFolder { path: folder.to_owned() });
    }
    let mut temporary = new_temporary(folder).map_err(failed)?;
    temporary.write_all(bytes).map_err(failed)?;
    temporary.flush().map_err(failed)?;
    if let Some(metadata) = &existing {
        // Some file systems have no permissions to set; the bytes matter more.
        if let Err(error) = temporary.as_file().set_permissions(metadata.permissions()) {
            log::debug!("permissions of {} not kept: {error}", target.display());
        }
    }
    temporary.as_file().sync_all().map_err(failed)?;
    let folder = folder.to_owned();
    Ok(Ready { folder, temporary: Some(temporary), exists: existing.is_some(), target })
}

/// The most bytes of a name that is made here: file systems end at 255, and endings and backups need some.
const LONGEST_NAME: usize = 180;

/// A name without what file systems refuse: signs of theirs, dots at the end, too many letters; `untitled` where nothing
/// is left.
#[must_use]
pub fn safe_name(name: &str) -> String {
    let refused = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let safe: String = name.chars().map(|c| if refused(c) { '_' } else { c }).collect();
    let end = (0..=LONGEST_NAME.min(safe.len())).rev().find(|end| safe.is_char_boundary(*end)).unwrap_or(0);
    let safe = safe.get(..end).unwrap_or_default().trim().trim_end_matches('.').trim_start_matches('.');
    if safe.is_empty() { "untitled".to_owned() } else { safe.to_owned() }
}

/// Replaces several files that belong together. All are written and on the disk under other names before the first takes
/// its own; then they take them in order, so that the one that names the others comes last. What was there is kept as
/// with [`write()`].
///
/// # Errors
/// [`FileError`]; where it comes before the names are taken, every file is as it was.
pub fn write_together(files: &[(PathBuf, &[u8])]) -> Result<(), FileError> {
    let ready: Result<Vec<Ready>, FileError> = files.iter().map(|(path, bytes)| prepare(path, bytes)).collect();
    ready?.into_iter().try_for_each(|ready| ready.take_name(true))
}

/// `NAME.bak` beside a file.
#[must_use]
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().map(std::ffi::OsStr::to_owned).unwrap_or_default();
    name.push(".bak");
    path.with_file_name(name)
}

/// A temporary file with the permissions a new file of this user gets, not the private ones of a temporary one.
fn new_temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".inbetween-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
        builder.tempfile_in(folder)
    }
    #[cfg(not(unix))]
    builder.tempfile_in(folder)
}

/// Makes `NAME.bak` the present file while that keeps its name, so that no moment is without it.
fn keep_backup(target: &Path, folder: &Path) -> io::Result<()> {
    let backup = backup_path(target);
    // The name is free once the temporary file is gone; the link takes its place.
    let spare = new_temporary(folder)?.into_temp_path();
    fs::remove_file(&spare)?;
    if fs::hard_link(target, &spare).is_err() {
        fs::copy(target, &spare)?;
    }
    spare.persist(&backup).map_err(|error| error.error)
}

fn write_through(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(target)?;
    file.write_all(bytes)?;
    file.flush()
}

/// The file a chain of symbolic links ends at, there or not.
fn follow_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // As many hops as Linux allows; a circle ends here and fails when it is opened.
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&target) else { break };
        target = match target.parent() {
            Some(folder) if next.is_relative() => folder.join(next),
            _ => next,
        };
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_whole_and_keeps_one_backup() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.ron");
        for text in ["one", "two", "three"] {
            write(&path, text.as_bytes()).unwrap();
        }
        assert_eq!(read(&path).unwrap(), b"three");
        assert_eq!(read(&backup_path(&path)).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["walk.ron", "walk.ron.bak"]);
    }

    #[test]
    fn errors_say_what_and_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bvh");
        assert!(matches!(read(&path), Err(FileError::Missing { .. })));
        assert!(matches!(read(folder.path()), Err(FileError::Folder { .. })));
        assert!(matches!(write(folder.path(), b""), Err(FileError::Folder { .. })));
        assert!(matches!(write(&folder.path().join("no/a.bvh"), b""), Err(FileError::MissingFolder { .. })));
        write(&path, b"kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(write(&path, b"lost"), Err(FileError::ReadOnly { .. })));
        assert_eq!(read(&path).unwrap(), b"kept");
        assert_eq!(names(folder.path()), ["a.bvh"]);
        assert!(matches!(read_limited(&path, 3), Err(FileError::TooLarge { limit: 3, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_and_keeps_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.bvh");
        let link = folder.path().join("link.bvh");
        write(&real, b"old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("real.bvh", &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(read(&backup_path(&real)).unwrap(), b"old");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_said_to_be_full() {
        let full = Path::new("/dev/full");
        if full.exists() {
            assert!(matches!(write(full, b"x"), Err(FileError::DiskFull { .. })));
            assert!(full.exists(), "a device is never replaced by a file");
        }
    }
}

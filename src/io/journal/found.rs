//! Finding journals that a crash or a kill left behind, and reading documents out of them.

use super::{
    ABOUT, About, JournalError, LOCK, base_path, edits_path,
    record::{Record, records},
    write_about,
    writer::remove,
};
use crate::{
    io::{file, ron},
    model::Document,
};
use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// A journal left behind: its program lives no more.
#[derive(Debug)]
pub struct Found {
    /// What is known of its document.
    pub about: About,
    folder: PathBuf,
    /// Held, so that no other program offers it at the same time.
    _lock: File,
}

/// A document read out of a journal.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// It, as of the last step that was finished.
    pub document: Arc<Document>,
    /// How many steps there were since the last whole document.
    pub steps: usize,
    /// Whether it is what its file holds: nothing to recover.
    pub saved: bool,
    /// When the last step was written.
    pub time: SystemTime,
}

/// The journals under the recovery folder `root` whose programs are gone, in order of their folders' names. Those of
/// programs that run are left alone; folders that cannot be read are passed over.
#[must_use]
pub fn list(root: &Path) -> Vec<Found> {
    let Ok(entries) = fs::read_dir(root) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders.into_iter().filter_map(take).collect()
}

fn take(folder: PathBuf) -> Option<Found> {
    // One that is being made this moment has no base yet.
    parts(&folder).last()?;
    let lock = File::open(folder.join(LOCK)).ok()?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return None,
        Err(TryLockError::Error(error)) => {
            log::debug!("{} cannot be locked: {error}", folder.display());
            return None;
        }
    }
    let about = fs::read_to_string(folder.join(ABOUT)).ok().and_then(|text| serde_json::from_str(&text).ok());
    Some(Found { about: about.unwrap_or_default(), folder, _lock: lock })
}

/// Reads the document out of a journal: the last base that is whole, and what happened since, up to where the program died.
///
/// # Errors
/// [`JournalError::NoBase`] where no base can be read.
pub fn recover(found: &Found) -> Result<Recovered, JournalError> {
    let (part, base) = last_base(&found.folder).ok_or_else(|| JournalError::NoBase(found.folder.clone()))?;
    let edits = edits_path(&found.folder, part);
    let bytes = match file::read(&edits) {
        Ok(bytes) => bytes,
        Err(file::FileError::Missing { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let mut states = vec![Arc::new(base)];
    let (mut present, mut saved, mut steps) = (0, None, 0);
    for record in records(&bytes) {
        match record {
            Record::Edit(from, edit) => {
                let Some(base) = states.get(from as usize) else { break };
                let mut document = Document::clone(base);
                if let Err(error) = edit.apply(&mut document) {
                    log::warn!("the journal ends early: {error}");
                    break;
                }
                present = states.len();
                states.push(Arc::new(document));
                steps += 1;
            }
            Record::Went(to) => {
                if to as usize >= states.len() {
                    break;
                }
                present = to as usize;
            }
            Record::Saved => saved = Some(present),
        }
    }
    let time = |path: PathBuf| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let time = time(edits).max(time(base_path(&found.folder, part))).unwrap_or(SystemTime::UNIX_EPOCH);
    let saved = saved.is_some_and(|saved| saved == present || states[saved] == states[present]);
    Ok(Recovered { document: states.swap_remove(present), steps, saved, time })
}

/// The highest part whose base is whole.
fn last_base(folder: &Path) -> Option<(u32, Document)> {
    parts(folder).into_iter().rev().find_map(|part| {
        let bytes = file::read(&base_path(folder, part)).ok()?;
        Some((part, ron::load(std::str::from_utf8(&bytes).ok()?).ok()?))
    })
}

/// The parts that have a base, in order.
fn parts(folder: &Path) -> Vec<u32> {
    let number = |name: &str| name.strip_prefix("base-")?.strip_suffix(".ron")?.parse::<u32>().ok();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut parts: Vec<u32> = entries.filter_map(|entry| number(&entry.file_name().to_string_lossy())).collect();
    parts.sort_unstable();
    parts
}

/// Drops a journal: its document was recovered into another, or is not wanted.
pub fn discard(found: Found) {
    let Found { folder, _lock: lock, .. } = found;
    // Some systems remove no folder with an open file in it.
    drop(lock);
    remove(&folder);
}

/// Keeps a journal for later, but out of the way: it will not be offered at a start again.
///
/// # Errors
/// What the system refuses.
pub fn mark_offered(found: &mut Found) -> Result<(), JournalError> {
    found.about.offered = true;
    write_about(&found.folder, &found.about)
}

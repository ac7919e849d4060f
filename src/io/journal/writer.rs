//! Keeping a journal.

use super::{
    About, JournalError, LOCK, base_path, edits_path,
    record::{Record, append},
    write_about,
};
use crate::{edit::Recorded, io::ron, model::Document};
use std::{
    borrow::Cow,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

/// States kept in one part at most: they hold on to memory that the history may have let go.
const STATES: usize = 400;
/// Bytes of edits in one part at most: replaying more takes longer than reading a whole document.
const BYTES: u64 = 8 << 20;

/// The journal of one open document. Nothing is on disk before the first change.
#[derive(Debug)]
pub struct Journal {
    root: PathBuf,
    about: About,
    folder: Option<Folder>,
    /// Whether the document as opened is what its file holds.
    opened_saved: bool,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
    part: u32,
    edits: File,
    bytes: u64,
    /// The states of this part, the base first.
    states: Vec<Arc<Document>>,
    present: usize,
    /// Whether the last bytes may be torn: what comes after them would never be read.
    torn: bool,
}

impl Journal {
    /// A journal under the recovery folder `root`. `saved` says whether the document as it is now is what its file holds.
    #[must_use]
    pub const fn new(root: PathBuf, about: About, saved: bool) -> Self {
        Self { root, about, folder: None, opened_saved: saved }
    }

    /// Appends what happened and sees to it that it is on the disk. An empty slice does nothing.
    ///
    /// # Errors
    /// What the system refuses. The same journal may be tried again with what comes next: it then begins a new part.
    pub fn record(&mut self, happened: &[Recorded]) -> Result<(), JournalError> {
        let mut bytes = Vec::new();
        for (index, recorded) in happened.iter().enumerate() {
            if self.folder.is_none() {
                self.create(first_state(recorded))?;
            }
            let Some(folder) = &mut self.folder else { return Ok(()) };
            // A state of before this part, or bytes that may be torn: the part begins anew, at the last state there is.
            if folder.torn || !folder.append(&mut bytes, recorded)? {
                let last = happened[index..].last().unwrap_or(recorded);
                return self.fold(last_state(last));
            }
        }
        let Some(folder) = &mut self.folder else { return Ok(()) };
        folder.write(&bytes)?;
        if folder.bytes > BYTES || folder.states.len() > STATES {
            let present = folder.states[folder.present].clone();
            self.fold(&present)?;
        }
        Ok(())
    }

    /// Says where the document, as it was then, is saved now.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn saved(&mut self, name: &str, path: &Path, document: &Arc<Document>) -> Result<(), JournalError> {
        self.about = About { name: name.to_owned(), path: Some(path.to_owned()), offered: false };
        let Some(folder) = &mut self.folder else {
            self.opened_saved = true;
            return Ok(());
        };
        write_about(&folder.path, &self.about)?;
        let at = |number: usize| Record::Went(u32::try_from(number).unwrap_or(u32::MAX));
        let Some(saved) = folder.number(document) else { return Ok(()) };
        let mut bytes = Vec::new();
        for record in [at(saved), Record::Saved, at(folder.present)] {
            append(&mut bytes, &record)?;
        }
        folder.write(&bytes)
    }

    /// Begins a new part with a document that is not saved: for one that was recovered.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn keep(&mut self, document: &Arc<Document>) -> Result<(), JournalError> {
        self.opened_saved = false;
        if self.folder.is_none() { self.create(document) } else { self.fold(document) }
    }

    /// Folds what was appended into a whole document, where anything was.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn autosave(&mut self) -> Result<(), JournalError> {
        match &self.folder {
            Some(folder) if folder.bytes > 0 => {
                let present = folder.states[folder.present].clone();
                self.fold(&present)
            }
            _ => Ok(()),
        }
    }

    /// Ends the journal of a document that was saved or given up: nothing of it stays.
    pub fn end(self) {
        if let Some(folder) = self.folder {
            drop(folder.edits);
            remove(&folder.path);
        }
    }

    fn create(&mut self, base: &Arc<Document>) -> Result<(), JournalError> {
        let root = &self.root;
        fs::create_dir_all(root).map_err(JournalError::system("making the folder", root))?;
        let path = tempfile::Builder::new()
            .prefix("document-")
            .tempdir_in(root)
            .map_err(JournalError::system("making a folder", root))?
            .keep();
        let (lock, edits) = begin(&path, &self.about, base).inspect_err(|_| remove(&path))?;
        let mut folder =
            Folder { path, _lock: lock, part: 0, edits, bytes: 0, states: vec![base.clone()], present: 0, torn: false };
        if self.opened_saved {
            let mut bytes = Vec::new();
            append(&mut bytes, &Record::Saved)?;
            folder.write(&bytes)?;
        }
        self.folder = Some(folder);
        Ok(())
    }

    /// Begins the next part with this document; the former part goes once that is whole on disk.
    fn fold(&mut self, document: &Arc<Document>) -> Result<(), JournalError> {
        let Some(folder) = &mut self.folder else { return Ok(()) };
        let part = folder.part + 1;
        folder.edits = begin_part(&folder.path, part, document)?;
        let old = std::mem::replace(&mut folder.part, part);
        (folder.bytes, folder.states, folder.present, folder.torn) = (0, vec![document.clone()], 0, false);
        for path in [base_path(&folder.path, old), edits_path(&folder.path, old)] {
            if let Err(error) = fs::remove_file(&path) {
                // Only the last part is ever read.
                log::debug!("{} stays: {error}", path.display());
            }
        }
        Ok(())
    }
}

impl Folder {
    fn number(&self, document: &Arc<Document>) -> Option<usize> {
        self.states.iter().rposition(|state| Arc::ptr_eq(state, document))
    }

    /// Adds a record; false where it refers to a state that is not of this part.
    fn append(&mut self, bytes: &mut Vec<u8>, recorded: &Recorded) -> Result<bool, JournalError> {
        let (state, record) = match recorded {
            Recorded::Edited { base, edit, .. } => {
                let Some(base) = self.number(base) else { return Ok(false) };
                (self.states.len(), Record::Edit(u32::try_from(base).unwrap_or(u32::MAX), Cow::Borrowed(edit)))
            }
            Recorded::Went { document } => {
                let Some(state) = self.number(document) else { return Ok(false) };
                (state, Record::Went(u32::try_from(state).unwrap_or(u32::MAX)))
            }
        };
        append(bytes, &record)?;
        if let Recorded::Edited { document, .. } = recorded {
            self.states.push(document.clone());
        }
        self.present = state;
        Ok(true)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let path = edits_path(&self.path, self.part);
        self.torn = true;
        self.edits.write_all(bytes).map_err(JournalError::system("appending to the file", &path))?;
        self.edits.sync_data().map_err(JournalError::system("flushing the file", &path))?;
        self.bytes += bytes.len() as u64;
        self.torn = false;
        Ok(())
    }
}

/// What a new journal's folder holds. The base comes last: without one nobody looks at the folder.
fn begin(folder: &Path, about: &About, base: &Document) -> Result<(File, File), JournalError> {
    let path = folder.join(LOCK);
    let lock = File::create(&path).map_err(JournalError::system("making the file", &path))?;
    lock.lock().map_err(JournalError::system("locking the file", &path))?;
    write_about(folder, about)?;
    Ok((lock, begin_part(folder, 0, base)?))
}

fn begin_part(folder: &Path, part: u32, document: &Document) -> Result<File, JournalError> {
    let text = ron::save(document).map_err(|error| JournalError::Form(error.to_string()))?;
    // The edits first: a base is read with the edits of its number, which must not be those of a part before a crash.
    let edits = edits_path(folder, part);
    let file = File::create(&edits).map_err(JournalError::system("making the file", &edits))?;
    crate::io::file::write_without_backup(&base_path(folder, part), text.as_bytes())?;
    Ok(file)
}

/// The state before what happened: where a journal begins.
const fn first_state(recorded: &Recorded) -> &Arc<Document> {
    match recorded {
        Recorded::Edited { base, .. } => base,
        Recorded::Went { document } => document,
    }
}

const fn last_state(recorded: &Recorded) -> &Arc<Document> {
    match recorded {
        Recorded::Edited { document, .. } | Recorded::Went { document } => document,
    }
}

/// Removes a folder of a journal.
pub(super) fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        log::debug!("{} stays: {error}", folder.display());
    }
}

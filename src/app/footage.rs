//! The pictures of references in memory: read beside the window, the last used kept within a bound.

use super::services::JobRunner;
use crate::{
    io::footage::{at_frame, full_path, load, siblings},
    model::Document,
    render::Picture,
    scene::Backdrop,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

/// The most memory of pictures that are kept, bytes; those shown now are kept beyond it.
const KEPT_BYTES: usize = 192 << 20;
type Read = (PathBuf, Result<Arc<Picture>, String>);

struct Known {
    picture: Result<Arc<Picture>, String>,
    used: u64,
}

/// The pictures.
pub(super) struct Footage {
    runner: JobRunner,
    known: BTreeMap<PathBuf, Known>,
    /// The files beside each reference's own.
    sequences: BTreeMap<PathBuf, Vec<(u64, PathBuf)>>,
    reading: BTreeSet<PathBuf>,
    /// What each reference showed last: it stays while the next is read.
    last: BTreeMap<PathBuf, Arc<Picture>>,
    told: BTreeSet<PathBuf>,
    clock: u64,
    sender: Sender<Read>,
    receiver: Receiver<Read>,
}

impl Footage {
    pub(super) fn new(runner: JobRunner) -> Self {
        let (sender, receiver) = channel();
        Self {
            runner,
            known: BTreeMap::new(),
            sequences: BTreeMap::new(),
            reading: BTreeSet::new(),
            last: BTreeMap::new(),
            told: BTreeSet::new(),
            clock: 0,
            sender,
            receiver,
        }
    }

    /// Looks at the files anew: they may have been put right.
    pub(super) fn look_again(&mut self) {
        self.sequences.clear();
        self.told.clear();
        self.known.retain(|_, known| known.picture.is_ok());
    }

    /// What a document's references show at a frame, and what could not be read since the last call.
    pub(super) fn at(
        &mut self,
        document: &Document,
        folder: Option<&Path>,
        frame: i64,
        ctx: &egui::Context,
    ) -> (Vec<Backdrop>, Vec<String>) {
        while let Ok((path, picture)) = self.receiver.try_recv() {
            self.reading.remove(&path);
            self.known.insert(path, Known { picture, used: self.clock });
        }
        self.clock += 1;
        let mut faults = Vec::new();
        let mut backdrops = Vec::new();
        for reference in &document.settings.references {
            let full = full_path(reference, folder);
            let mut backdrop = Backdrop { reference: reference.clone(), picture: None, fault: None };
            if !reference.hidden {
                let all = self.sequences.entry(full.clone()).or_insert_with(|| siblings(&full));
                if let Some(path) = at_frame(reference, &full, all, frame) {
                    match self.picture(&path, ctx) {
                        Some(Ok(picture)) => {
                            self.last.insert(full, picture.clone());
                            backdrop.picture = Some(picture);
                        }
                        Some(Err(fault)) => {
                            if self.told.insert(path) {
                                faults.push(fault.clone());
                            }
                            backdrop.fault = Some(fault);
                        }
                        None => backdrop.picture = self.last.get(&full).cloned(),
                    }
                }
            }
            backdrops.push(backdrop);
        }
        self.forget();
        (backdrops, faults)
    }

    /// A file's picture; none while it is read.
    fn picture(&mut self, path: &Path, ctx: &egui::Context) -> Option<Result<Arc<Picture>, String>> {
        if let Some(known) = self.known.get_mut(path) {
            known.used = self.clock;
            return Some(known.picture.clone());
        }
        // One at a time: what is scrubbed past need not be read.
        if self.reading.is_empty() {
            let (sender, own, ctx) = (self.sender.clone(), path.to_owned(), ctx.clone());
            let read = move || {
                let picture = load(&own).map(|pixels| {
                    Arc::new(Picture { width: pixels.width, height: pixels.height, pixels: pixels.pixels })
                });
                // The receiver lives as long as the program.
                if sender.send((own, picture)).is_ok() {
                    ctx.request_repaint();
                }
            };
            let started = match self.runner {
                JobRunner::AtOnce => {
                    read();
                    true
                }
                JobRunner::Threads => std::thread::Builder::new().name("reference".to_owned()).spawn(read).is_ok(),
            };
            if started {
                self.reading.insert(path.to_owned());
            }
        }
        None
    }

    /// Drops the longest unused pictures beyond the bound.
    fn forget(&mut self) {
        let bytes = |known: &Known| known.picture.as_ref().map_or(0, |picture| picture.pixels.len() * 4);
        let mut all: usize = self.known.values().map(bytes).sum();
        while all > KEPT_BYTES {
            let oldest = self.known.iter().filter(|(_, known)| known.used < self.clock && bytes(known) > 0);
            let Some(path) = oldest.min_by_key(|(_, known)| known.used).map(|(path, _)| path.clone()) else { return };
            all -= self.known.remove(&path).as_ref().map_or(0, bytes);
        }
    }
}

//! Files dropped on the window: one, or several one after the other with one report.

use super::{files::name_of, references::is_picture};
use crate::{
    app::{jobs::JobKind, state::Pending, window::App},
    io::open::FileKind,
    notice::{Level, Notice},
    text::{fill, t},
};
use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

/// Several dropped files on their way in.
#[derive(Debug, Default)]
pub(in crate::app) struct Dropped {
    waiting: VecDeque<PathBuf>,
    /// What was said of each so far.
    told: Vec<Notice>,
}

fn is_document(path: &Path) -> bool {
    FileKind::of_name(path) == Some(FileKind::Ron)
}

impl App {
    /// Dropped files: a document opens; a picture becomes a reference; motion opens where nothing was done yet, else is
    /// imported. Of several the first document is opened, else the first file as if it were alone; the others are imported
    /// after it, a step of undo each. Documents beside the first would take its place: they are refused.
    pub(in crate::app) fn drop_files(&mut self, mut paths: Vec<PathBuf>, ctx: &egui::Context) {
        if self.state.question.is_some() || self.state.recovery.is_some() {
            // What is typed there stays.
            return self.state.tell(Notice::warn(t("file.dropped_meanwhile")));
        }
        if let Some(place) = paths.iter().position(|path| is_document(path)) {
            paths[..=place].rotate_right(1);
        }
        if let Some(dropped) = &mut self.state.dropped {
            dropped.waiting.extend(paths);
            return;
        }
        match paths.as_slice() {
            [] => {}
            [only] => self.drop_file(only.clone(), ctx),
            [first, ..] if self.opens(first) => self.guarded(Pending::OpenAll(paths), ctx),
            _ => self.bring_in(paths, ctx),
        }
    }

    fn drop_file(&mut self, path: PathBuf, ctx: &egui::Context) {
        if is_picture(&path) {
            self.add_reference(&path);
        } else if self.opens(&path) {
            self.guarded(Pending::Open(Some(path)), ctx);
        } else {
            self.import(path, ctx);
        }
    }

    /// Whether a dropped file takes the place of what is open.
    fn opens(&self, path: &Path) -> bool {
        let motion = FileKind::of_name(path).is_some_and(|kind| kind != FileKind::Ron);
        let untouched = self.state.file.blank && !self.state.session.is_modified();
        !is_picture(path) && (!motion || untouched)
    }

    /// Opens the first of several files and imports the others into it.
    pub(in crate::app) fn open_all(&mut self, paths: Vec<PathBuf>, ctx: &egui::Context) {
        let mut paths = VecDeque::from(paths);
        let Some(first) = paths.pop_front() else { return };
        self.state.dropped = Some(Dropped { waiting: paths, told: Vec::new() });
        self.open(first, ctx);
    }

    fn bring_in(&mut self, paths: Vec<PathBuf>, ctx: &egui::Context) {
        self.state.dropped = Some(Dropped { waiting: paths.into(), told: Vec::new() });
        self.next_dropped(ctx);
    }

    /// What became of a file: said at once, or with the others that were dropped with it.
    pub(in crate::app) fn tell_of_file(&mut self, notice: Notice) {
        match &mut self.state.dropped {
            Some(dropped) => dropped.told.push(notice),
            None => self.state.tell(notice),
        }
    }

    /// Goes on with the next of several dropped files; says what became of them after the last.
    pub(in crate::app) fn next_dropped(&mut self, ctx: &egui::Context) {
        while let Some(dropped) = &mut self.state.dropped {
            if self.state.jobs.is_running(JobKind::Open) {
                return;
            }
            let Some(path) = dropped.waiting.pop_front() else {
                let told = std::mem::take(&mut dropped.told);
                self.state.dropped = None;
                return self.state.tell(summary(&told));
            };
            if is_picture(&path) {
                dropped.told.push(Notice::info(fill("file.referenced", &[("name", &name_of(&path))])));
                self.add_reference(&path);
            } else if is_document(&path) {
                dropped.told.push(Notice::error(fill("file.dropped_document", &[("name", &name_of(&path))])));
            } else if self.opens(&path) {
                // The first could not be read, and nothing was done here yet.
                self.open(path, ctx);
            } else {
                self.import(path, ctx);
            }
        }
    }
}

/// One notice of what became of several files.
fn summary(told: &[Notice]) -> Notice {
    let refused = told.iter().filter(|notice| notice.level == Level::Error).count();
    let (count, done) = (told.len(), told.len() - refused);
    let text = if refused == 0 {
        fill("file.dropped_all", &[("count", &count)])
    } else {
        fill("file.dropped_some", &[("count", &count), ("done", &done)])
    };
    let level = told.iter().map(|notice| notice.level).max().unwrap_or(Level::Info);
    let line = |notice: &Notice| match notice.details.is_empty() {
        true => notice.text.clone(),
        false => format!("{}\n  {}", notice.text, notice.details.replace('\n', "\n  ")),
    };
    Notice::new(level, text).with_details(told.iter().map(line).collect::<Vec<_>>().join("\n"))
}

//! Work that takes long runs beside the window: a thread each, with progress and a way to stop it, no two of a kind.

use super::services::JobRunner;
use crate::progress::Progress;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a piece of work is, in the sense that two of a kind never run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// Reads a file.
    Open,
    /// Writes the document.
    Save,
    /// Writes a motion file.
    Export,
    /// Draws what plays.
    Playblast,
    /// Looks for fonts.
    Fonts,
    /// Looks for work to recover.
    Recovery,
    /// Finds the fewest keys of curves.
    Simplify,
    /// Brings motion to a character, or makes a clip of another.
    Retarget,
    /// Matches chains over many frames, or bakes constraints.
    Rigging,
    /// Binds meshes to a rig.
    Binding,
    /// Makes clips of clips, of files or of what plays.
    Clips,
    /// Measures how feet slide.
    Slide,
}

impl JobKind {
    /// The text key of what it does.
    #[must_use]
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Open => "job.open",
            Self::Save => "job.save",
            Self::Export => "job.export",
            Self::Playblast => "job.playblast",
            Self::Fonts => "job.fonts",
            Self::Recovery => "job.recovery",
            Self::Simplify => "job.simplify",
            Self::Retarget => "job.retarget",
            Self::Rigging => "job.rigging",
            Self::Binding => "job.binding",
            Self::Clips => "job.clips",
            Self::Slide => "job.slide",
        }
    }
}

/// A piece of work that runs.
#[derive(Debug)]
pub(super) struct Running {
    /// What it is.
    pub kind: JobKind,
    /// How far it is.
    pub progress: Progress,
}

/// The work that runs, and the results that came.
#[derive(Debug)]
pub(super) struct Jobs<T> {
    runner: JobRunner,
    running: Vec<Running>,
    sender: Sender<(JobKind, T)>,
    receiver: Receiver<(JobKind, T)>,
}

impl<T: Send + 'static> Jobs<T> {
    /// None running.
    #[must_use]
    pub(super) fn new(runner: JobRunner) -> Self {
        let (sender, receiver) = channel();
        Self { runner, running: Vec::new(), sender, receiver }
    }

    /// Starts work; false, and nothing done, where one of its kind runs already. `ctx` is woken when it ends.
    pub(super) fn start(
        &mut self,
        kind: JobKind,
        ctx: &egui::Context,
        work: impl FnOnce(&Progress) -> T + Send + 'static,
    ) -> bool {
        if self.is_running(kind) {
            return false;
        }
        let progress = Progress::new();
        let (sender, own, ctx) = (self.sender.clone(), progress.clone(), ctx.clone());
        let run = move || {
            // The receiver lives as long as the program; where it is gone nobody wants the result.
            if sender.send((kind, work(&own))).is_ok() {
                ctx.request_repaint();
            }
        };
        let started = match self.runner {
            JobRunner::AtOnce => {
                run();
                true
            }
            JobRunner::Threads => std::thread::Builder::new().name(format!("{kind:?}")).spawn(run).is_ok(),
        };
        if started {
            self.running.push(Running { kind, progress });
        }
        started
    }

    /// Whether work of a kind runs.
    #[must_use]
    pub(super) fn is_running(&self, kind: JobKind) -> bool {
        self.running.iter().any(|running| running.kind == kind)
    }

    /// What runs.
    #[must_use]
    pub(super) fn running(&self) -> &[Running] {
        &self.running
    }

    /// The results that came since the last call.
    pub(super) fn finished(&mut self) -> Vec<T> {
        let mut results = Vec::new();
        while let Ok((kind, result)) = self.receiver.try_recv() {
            self.running.retain(|running| running.kind != kind);
            results.push(result);
        }
        results
    }
}

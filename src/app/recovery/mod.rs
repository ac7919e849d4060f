//! Nothing finished is lost: a thread keeps the journal of the open document, and at the next start what a crash or a kill
//! left behind is offered.

mod keeper;
mod picture;
mod window;

pub(super) use keeper::Keeper;
pub(super) use window::{Answer, RecoveryWindow, Row};

use super::{
    jobs::JobKind,
    open_file::OpenFile,
    state::{JobResult, Pending},
    window::App,
};
use crate::{
    edit::Session,
    io::journal::{self, About, Found, Recovered},
    model::Document,
    notice::Notice,
    text::{fill, t},
};
use std::path::PathBuf;

/// What was found at the start.
pub(super) type FoundDocuments = Vec<(Found, Recovered)>;

/// Reads what programs that are gone left under the recovery folder; what is saved anyway is cleared away.
fn find(root: &std::path::Path, again: bool) -> FoundDocuments {
    let mut documents = Vec::new();
    for found in journal::list(root) {
        match journal::recover(&found) {
            Ok(recovered) if recovered.saved => journal::discard(found),
            Ok(recovered) if again || !found.about.offered => documents.push((found, recovered)),
            Ok(_) => {}
            Err(error) => log::warn!("{}", fill("recovery.unreadable", &[("error", &error)])),
        }
    }
    // The newest first: it is most likely what is looked for.
    documents.sort_by_key(|(_, recovered)| std::cmp::Reverse(recovered.time));
    documents
}

impl App {
    /// Looks for documents to recover, beside the window. `again`: also for those that were put off before.
    pub(super) fn look_for_lost_work(&mut self, again: bool, ctx: &egui::Context) {
        let Some(root) = self.state.services.recovery.clone() else { return };
        self.state.jobs.start(JobKind::Recovery, ctx, move |_| JobResult::Lost(find(&root, again), again));
    }

    /// What was found is shown, if anything was.
    pub(super) fn lost_work_found(&mut self, found: FoundDocuments, asked: bool) {
        if !found.is_empty() {
            self.state.recovery = Some(RecoveryWindow::new(found.into_iter().map(Row::new).collect()));
        } else if asked {
            self.state.tell(Notice::info(t("recovery.nothing")));
        }
    }

    /// Shows what can be recovered, and does what it is answered with.
    pub(super) fn recovery(&mut self, ctx: &egui::Context) {
        let Some(mut window) = self.state.recovery.take() else { return };
        match window.show(ctx, &self.state.colours, self.state.view.theme, &mut *self.painter) {
            None => {
                self.state.recovery = Some(window);
                return;
            }
            Some(Answer::Recover(index)) => {
                let row = window.rows.remove(index);
                window.put_off();
                self.state.recovering = Some(row);
                self.guarded(Pending::Recover, ctx);
            }
            Some(Answer::Discard(index)) => {
                journal::discard(window.rows.remove(index).found);
                if !window.rows.is_empty() {
                    self.state.recovery = Some(window);
                }
            }
            Some(Answer::Later) => window.put_off(),
        }
        ctx.request_repaint();
    }

    /// Opens the document to be recovered in place of the present one.
    pub(super) fn open_recovered(&mut self) {
        let Some(Row { found, recovered, .. }) = self.state.recovering.take() else { return };
        let About { name, path, .. } = found.about.clone();
        let file = OpenFile::recovered(path, &name);
        self.replace(Session::unsaved(Document::clone(&recovered.document)), file);
        // Its new journal holds it before the old one goes.
        self.state.keeper.recovered(self.state.session.document().clone(), found);
        self.state.tell(Notice::info(fill("recovery.done", &[("name", &name)])));
    }
}

/// The folder journals are kept in: beside the user's other data.
pub(super) fn folder() -> Option<PathBuf> {
    Some(directories::ProjectDirs::from("", "", "Inbetween")?.data_local_dir().join("recovery"))
}

//! Reference images: chosen or dropped, added to the document.

use crate::{
    app::window::App,
    edit::SettingsEdit,
    interact::view_state::ViewState,
    io::footage::{kept_path, siblings},
    model::Reference,
    notice::Notice,
    scene::Backdrop,
    text::fill,
};
use std::path::{Path, PathBuf};

/// Extensions of the pictures that are read.
pub(in crate::app) const PICTURES: &[&str] = &["png", "jpg", "jpeg"];

/// Whether a file's name says that it is a picture.
pub(in crate::app) fn is_picture(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|extension| PICTURES.contains(&extension.as_str()))
}

impl App {
    /// Adds a picture, or the numbered sequence that it belongs to, from the frame shown on.
    pub(in crate::app) fn add_reference(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let all = siblings(&path);
        let first =
            if all.len() > 1 { all.first().map_or_else(|| path.clone(), |(_, first)| first.clone()) } else { path };
        let document = self.state.session.document();
        let frame = self.state.view.frame(document.settings.rate);
        let reference = Reference::new(kept_path(&first, self.folder().as_deref()), all.len() > 1, frame);
        let done = self.state.session.apply("history.add_reference", &SettingsEdit::AddReference(reference).into());
        crate::app::dispatch::told(self, done.map(|_| ()));
        if all.len() > 1 {
            let name = super::files::name_of(&first);
            self.state.tell(Notice::info(fill("references.sequence", &[("name", &name), ("count", &all.len())])));
        }
        self.state.footage.look_again();
    }

    /// The folder of the document's file.
    fn folder(&self) -> Option<PathBuf> {
        self.state.file.path.as_deref().and_then(Path::parent).map(Path::to_owned)
    }

    /// What the references show now; says what cannot be read.
    pub(in crate::app) fn backdrops(&mut self, ctx: &egui::Context) -> Vec<Backdrop> {
        let document = self.state.session.document().clone();
        if document.settings.references.is_empty() {
            return Vec::new();
        }
        let frame = ViewState::frame(&self.state.view, document.settings.rate);
        let folder = self.folder();
        let (backdrops, faults) = self.state.footage.at(&document, folder.as_deref(), frame, ctx);
        for fault in faults {
            self.state.tell(Notice::warn(fill("references.fault", &[("fault", &fault)])));
        }
        backdrops
    }
}

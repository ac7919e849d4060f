//! What is kept between runs: layouts, shortcuts, what is shown, recent files.

use super::{actions::export_beside::ExportKinds, services::Storage};
use crate::{
    command::{Workspace, keymap::Overrides},
    interact::view_state::ViewState,
    ui::dock::Layouts,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name they are kept under.
const FILE: &str = "settings.json";
/// How many recent files are kept.
const RECENT: usize = 10;

/// What is kept between runs. Anything missing or unreadable is as in a fresh installation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// What is shown and how.
    pub view: ViewState,
    /// How the panels lie.
    pub layouts: Layouts,
    /// The workspace in front.
    pub workspace: Workspace,
    /// Changed shortcuts.
    pub shortcuts: Overrides,
    /// Files opened lately, newest first.
    pub recent: Vec<PathBuf>,
    /// The folder files were last taken from.
    pub folder: Option<PathBuf>,
    /// What is exported beside a document.
    pub export: ExportKinds,
    /// Whether the cards of samples stay away when the program starts.
    pub start_hidden: bool,
    /// The step of the tour that was shown last, from 0.
    pub tour_step: usize,
    /// Size of the window, points.
    pub window: Option<[f32; 2]>,
}

impl Settings {
    /// Those kept, or fresh ones with the reason why the kept ones cannot be read.
    #[must_use]
    pub(super) fn load(storage: &dyn Storage) -> (Self, Option<String>) {
        match storage.load(FILE).map(|text| serde_json::from_str(&text)) {
            None => (Self::default(), None),
            Some(Ok(settings)) => (settings, None),
            Some(Err(error)) => (Self::default(), Some(error.to_string())),
        }
    }

    /// Keeps them.
    ///
    /// # Errors
    /// Why they could not be kept.
    pub(super) fn save(&self, storage: &mut dyn Storage) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        storage.save(FILE, &text)
    }

    /// Puts a file at the head of the recent ones.
    pub(super) fn add_recent(&mut self, path: &Path) {
        self.recent.retain(|other| other != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(RECENT);
        if let Some(folder) = path.parent() {
            self.folder = Some(folder.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_text_and_garbage_is_refused_whole() {
        let mut settings = Settings::default();
        settings.add_recent(Path::new("/a/b.bvh"));
        settings.add_recent(Path::new("/a/c.ron"));
        settings.add_recent(Path::new("/a/b.bvh"));
        settings.layouts = crate::ui::dock::Dock::new(Layouts::default()).layouts();
        let text = serde_json::to_string(&settings).unwrap();
        let back: Settings = serde_json::from_str(&text).unwrap();
        assert_eq!(back.recent, [Path::new("/a/b.bvh"), Path::new("/a/c.ron")]);
        assert_eq!(back.view, settings.view);
        // The tiles of a layout come in any order.
        assert_eq!(serde_json::to_value(&back).unwrap(), serde_json::to_value(&settings).unwrap());
        assert!(serde_json::from_str::<Settings>("{\"view\": 3}").is_err());
    }
}

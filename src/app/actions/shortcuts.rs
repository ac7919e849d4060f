//! Changing shortcuts.

use crate::{app::window::App, command::Keymap, ui::settings_window::ShortcutChange};

impl App {
    /// Changes the shortcuts of the present profile, and keeps them.
    pub(in crate::app) fn change_shortcuts(&mut self, change: ShortcutChange) {
        let own = self.state.settings.shortcuts.0.entry(self.state.view.profile).or_default();
        match change {
            ShortcutChange::Set(id, shortcuts) => {
                own.insert(id.name().to_owned(), shortcuts);
            }
            ShortcutChange::Reset(id) => {
                own.remove(id.name());
            }
            ShortcutChange::ResetAll => own.clear(),
        }
        self.rebuild_keymap();
    }

    /// Makes the shortcuts those of the present profile, and keeps which it is.
    pub(in crate::app) fn rebuild_keymap(&mut self) {
        self.state.keymap = Keymap::new(self.state.view.profile, &self.state.settings.shortcuts);
        self.state.save_settings();
    }
}

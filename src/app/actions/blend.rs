//! Blend spaces made by commands, and their panel brought to the front.

use crate::{
    app::{dispatch::told, window::App},
    command::{CommandId as Id, PanelId},
    edit::blend::new_space,
    interact::view_state::ViewChange,
    text::t,
};

impl App {
    /// Carries out a command about blend spaces.
    pub(in crate::app) fn blend_spaces(&mut self, id: Id) {
        let axes = match id {
            Id::AddSpaceLine => 1,
            Id::AddSpacePlane => 2,
            _ => 0,
        };
        if axes > 0 {
            let name = t(if axes == 1 { "blend_space.new_line" } else { "blend_space.new_plane" });
            let (space, edit) = new_space(self.state.session.document(), &name, axes);
            let done = self.state.session.apply("history.space_add", &edit).map(|_| ());
            told(self, done);
            let view = self.state.view.blend.of_space(space);
            self.state.view.apply(ViewChange::Blend(view));
        }
        self.dock.reveal(self.state.settings.workspace, PanelId::BlendSpace);
    }
}

//! The blend space panel: a space's samples in its plane, the point that plays, and how weights come about.

mod head;

use crate::{
    command::CommandId,
    text::t,
    ui::panel::{Panel, PanelContext},
};
use egui::Ui;

/// The panel.
#[derive(Debug, Default)]
pub struct BlendSpacePanel;

impl Panel for BlendSpacePanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let shown = ctx.view.blend.shown(ctx.document, ctx.selection);
        let Some((id, space)) = shown.and_then(|id| Some((id, ctx.document.blend_spaces.get(&id)?))) else {
            nothing(ui, ctx);
            return;
        };
        head::show(ui, ctx, id, space);
    }
}

/// What to do where there is no space.
fn nothing(ui: &mut Ui, ctx: &PanelContext<'_>) {
    ui.add(egui::Label::new(egui::RichText::new(t("blend_space.none")).weak()).wrap());
    ui.add_space(8.0);
    for id in [CommandId::AddSpaceLine, CommandId::AddSpacePlane, CommandId::OpenMoves] {
        if ui.button(t(id.spec().title).into_owned()).on_hover_text(crate::ui::shell::hint_of(id)).clicked() {
            ctx.commands.run(id);
        }
    }
}

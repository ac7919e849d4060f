//! Which space it is, and what is done to the whole of it.

use crate::{
    interact::view_state::ViewChange,
    model::{BlendSpace, BlendSpaceId},
    text::t,
    ui::{panel::PanelContext, widgets::Chooser},
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, id: BlendSpaceId, space: &BlendSpace) {
    ui.horizontal(|ui| {
        let name = t("blend_space.space");
        let spaces = || ctx.document.blend_spaces.iter().map(|(id, space)| (*id, space.name.clone())).collect();
        let (_, chosen) = Chooser::new("blend space", &name, space.name.clone()).show(ui, Some(&id), spaces);
        if let Some(chosen) = chosen {
            ctx.commands.view(ViewChange::Blend(ctx.view.blend.of_space(chosen)));
        }
    });
}

//! The clips: which one plays, their names, deleting them.

use super::folding;
use crate::{
    edit::{ClipEdit, clips::played_by},
    model::{ClipId, ObjectId},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        theme::ROW_PT,
        widgets::{IconButton, set_name},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    if ctx.document.clips.is_empty() {
        return;
    }
    let playing = ctx.document.clip_of(object);
    folding(ui, "inspector.clips", |ui| {
        for id in ctx.document.listed_clips() {
            let Some(clip) = ctx.document.clip(id) else { continue };
            ui.push_id(id, |ui| row(ui, ctx, object, id, &clip.name, playing == Some(id)));
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, clip: ClipId, name: &str, playing: bool) {
    ui.horizontal(|ui| {
        let play = fill("inspector.play_clip", &[("name", &name)]);
        let radio = ui.radio(playing, "").on_hover_text(&play);
        set_name(ui, &radio, &play);
        if radio.clicked() && !playing {
            ctx.commands.apply("history.set_clip", played_by(ctx.document, object, clip));
        }
        let width = (ui.available_width() - ROW_PT * 2.0 - 60.0).max(60.0);
        let (_, renamed) = {
            let is_taken = |name: &str| ctx.document.clips.values().any(|other| other.name == name);
            name_field(ui, ctx, (&t("inspector.clip_name"), name, width), is_taken)
        };
        if let Some(name) = renamed {
            ctx.commands.apply("history.rename", ClipEdit::Rename { clip, name }.into());
        }
        if let Some(clip) = ctx.document.clip(clip) {
            ui.weak(fill("inspector.frames", &[("first", &clip.range.first), ("last", &clip.range.last)]));
        }
        let delete = fill("inspector.delete", &[("name", &name)]);
        if IconButton::new(Icon::Delete, &delete).colour(ctx.colours.weak).show(ui).clicked() {
            crate::ui::panels::clips::delete(ctx, clip);
        }
    });
}

//! The corrections of captured motion: picked, named, muted, scaled, deleted.

use super::{folding, send};
use crate::{
    edit::CorrectionEdit,
    model::{ClipId, Correction},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        subject,
        theme::ROW_PT,
        widgets::{DragField, IconButton, drag_field::number_text, text_field},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let Some((clip, found)) = subject::clip(ctx.document, ctx.selection) else { return };
    if found.corrections.is_empty() {
        return;
    }
    folding(ui, "inspector.corrections", |ui| {
        for correction in &found.corrections {
            ui.push_id(correction.id, |ui| row(ui, ctx, clip, correction));
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, correction: &Correction) {
    let id = correction.id;
    let chosen = ctx.selection.correction == Some((clip, id));
    ui.horizontal(|ui| {
        let name = fill("inspector.pick_correction", &[("name", &correction.name)]);
        if IconButton::new(Icon::Correction, &name).selected(chosen).show(ui).clicked() {
            let mut selection = ctx.selection.clone();
            selection.correction = (!chosen).then_some((clip, id));
            ctx.commands.select(selection);
        }
        let width = (ui.available_width() - ROW_PT * 2.0 - 72.0).max(60.0);
        let (_, renamed) = text_field(ui, &t("inspector.correction_name"), &correction.name, width);
        if let Some(name) = renamed.filter(|name| !name.trim().is_empty()) {
            let edit = CorrectionEdit::Rename { clip, correction: id, name: name.trim().to_owned() };
            ctx.commands.apply("history.correction_rename", edit.into());
        }
        let name = fill("inspector.correction_scale", &[("name", &correction.name)]);
        let field = DragField::new(&name, correction.scale * 100.0).decimals(0).speed(0.5).unit("%").range(0.0, 200.0);
        let (response, edits) = field.width(56.0).show(ui);
        response.on_hover_text(&name);
        send(ctx, "history.correction_scale", edits, |percent| {
            Ok(CorrectionEdit::SetScale { clip, correction: id, scale: percent / 100.0 }.into())
        });
        let key = if correction.muted { "inspector.unmute" } else { "inspector.mute" };
        let name = fill(key, &[("name", &correction.name)]);
        let icon = if correction.muted { Icon::EyeOff } else { Icon::Eye };
        if IconButton::new(icon, &name).colour(ctx.colours.weak).show(ui).clicked() {
            let edit = CorrectionEdit::Mute { clip, correction: id, muted: !correction.muted };
            ctx.commands.apply("history.correction_mute", edit.into());
        }
        let name = fill("inspector.delete", &[("name", &correction.name)]);
        if IconButton::new(Icon::Delete, &name).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.correction_delete", CorrectionEdit::Delete { clip, correction: id }.into());
        }
    });
    if chosen {
        let rate = ctx.document.settings.rate;
        let frame = |secs: f64| number_text(rate.frame_f64(secs), 1);
        let (first, last) = (frame(correction.range.0), frame(correction.range.1));
        ui.weak(fill("inspector.frames", &[("first", &first), ("last", &last)]));
    }
}

//! The retimes of the clip in question: named, muted, applied, deleted.

use super::folding;
use crate::{
    edit::RetimeEdit,
    model::{ClipId, Retime},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::timeline::retimes::apply,
        subject,
        theme::ROW_PT,
        widgets::{IconButton, drag_field::number_text},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let Some((clip, found)) = subject::clip(ctx.document, ctx.selection) else { return };
    if found.retimes.is_empty() {
        return;
    }
    folding(ui, "retimes.title", |ui| {
        for retime in &found.retimes {
            ui.push_id(retime.id, |ui| row(ui, ctx, clip, retime));
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, retime: &Retime) {
    let id = retime.id;
    ui.horizontal(|ui| {
        let width = (ui.available_width() - ROW_PT * 3.0 - 104.0).max(60.0);
        let (_, renamed) = name_field(ui, ctx, (&t("retimes.name"), &retime.name, width), |_| false);
        if let Some(name) = renamed {
            let edit = RetimeEdit::Rename { clip, retime: id, name };
            ctx.commands.apply("history.retime_rename", edit.into());
        }
        let rate = ctx.document.settings.rate;
        let frame = |secs: f64| number_text(rate.frame_f64(secs), 1);
        let (start, end) = retime.phi.range();
        ui.weak(fill("inspector.frames", &[("first", &frame(start)), ("last", &frame(end))]));
        let name = fill(if retime.muted { "retimes.unmute" } else { "retimes.mute" }, &[("name", &retime.name)]);
        let icon = if retime.muted { Icon::EyeOff } else { Icon::Eye };
        if IconButton::new(icon, &name).colour(ctx.colours.weak).show(ui).clicked() {
            let edit = RetimeEdit::Mute { clip, retime: id, muted: !retime.muted };
            ctx.commands.apply("history.retime_mute", edit.into());
        }
        let name = fill("retimes.apply", &[("name", &retime.name)]);
        let hint = t("retimes.apply_hint");
        let button = IconButton::new(Icon::KeySet, &name).hint(&hint).colour(ctx.colours.weak);
        if ui.add_enabled_ui(!retime.muted, |ui| button.show(ui)).inner.clicked() {
            apply(ctx, clip, id);
        }
        let name = fill("retimes.delete", &[("name", &retime.name)]);
        if IconButton::new(Icon::Delete, &name).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.retime_delete", RetimeEdit::Delete { clip, retime: id }.into());
        }
    });
}

//! The corrections of captured motion: picked, named, muted, scaled, put in order, merged, deleted.

use super::{folding, send};
use crate::ui::panels::timeline::corrections::{choose, whole_clip};
use crate::{
    command::CommandId,
    edit::{CorrectionEdit, limbs::with_limbs},
    model::{Clip, ClipId, Correction},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        subject,
        theme::ROW_PT,
        widgets::{DragField, IconButton, drag_field::number_text},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let Some((clip, found)) = subject::clip(ctx.document, ctx.selection) else { return };
    if found.corrections.is_empty() {
        return;
    }
    folding(ui, "inspector.corrections", |ui| {
        for place in 0..found.corrections.len() {
            if let Some(correction) = found.corrections.get(place) {
                ui.push_id(correction.id, |ui| row(ui, ctx, (clip, found, place), correction));
            }
        }
        let several = ctx.selection.corrections.len() > 1;
        let merge = ui.add_enabled(several, egui::Button::new(t("corrections.merge").into_owned()));
        let merge = merge.on_hover_text(t("corrections.merge_hint").into_owned());
        if merge.on_disabled_hover_text(t("corrections.merge_hint").into_owned()).clicked() {
            ctx.commands.run(CommandId::MergeCorrections);
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, place: (ClipId, &Clip, usize), correction: &Correction) {
    let (clip, id) = (place.0, correction.id);
    let chosen = ctx.selection.correction == Some((clip, id)) || ctx.selection.corrections.contains(&(clip, id));
    ui.horizontal(|ui| {
        let name = fill("inspector.pick_correction", &[("name", &correction.name)]);
        if IconButton::new(Icon::Correction, &name).selected(chosen).show(ui).clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            choose(ctx, (clip, correction), modifiers.shift || modifiers.command);
        }
        let width = (ui.available_width() - ROW_PT * 2.0 - 72.0).max(60.0);
        let label = t("inspector.correction_name");
        let (_, renamed) = name_field(ui, ctx, (&label, &correction.name, width), |_| false);
        if let Some(name) = renamed {
            let edit = CorrectionEdit::Rename { clip, correction: id, name };
            ctx.commands.apply("history.correction_rename", edit.into());
        }
        let name = fill("inspector.correction_scale", &[("name", &correction.name)]);
        let field = DragField::new(&name, correction.scale * 100.0).decimals(0).speed(0.5).unit("%").range(0.0, 200.0);
        let (response, edits) = field.width(56.0).rests_at(100.0).show(ui);
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
        ui.horizontal(|ui| details(ui, ctx, place, correction));
    }
}

/// When a correction acts, and what else can be done with it.
fn details(ui: &mut Ui, ctx: &PanelContext<'_>, (clip, found, place): (ClipId, &Clip, usize), correction: &Correction) {
    let (id, name) = (correction.id, &correction.name);
    let rate = ctx.document.settings.rate;
    let frame = |secs: f64| number_text(rate.frame_f64(secs), 1);
    let (first, last) = (frame(correction.range.0), frame(correction.range.1));
    ui.weak(fill("inspector.frames", &[("first", &first), ("last", &last)]));
    let button = |ui: &mut Ui, icon: Icon, key: &str| {
        IconButton::new(icon, &fill(key, &[("name", name)])).colour(ctx.colours.weak).show(ui).clicked()
    };
    if button(ui, Icon::FrameAll, "corrections.whole_clip") {
        let range = whole_clip(ctx.document, found.range, correction);
        let edit = CorrectionEdit::SetRange { clip, correction: id, range };
        ctx.commands.apply("history.correction_range", with_limbs(ctx.document, edit));
    }
    let reorder = |to: usize| {
        let edit = CorrectionEdit::Reorder { clip, correction: id, to };
        ctx.commands.apply("history.correction_order", edit.into());
    };
    if let Some(to) = place.checked_sub(1)
        && button(ui, Icon::ChevronUp, "corrections.up")
    {
        reorder(to);
    }
    if place + 1 < found.corrections.len() && button(ui, Icon::ChevronDown, "corrections.down") {
        reorder(place + 1);
    }
}

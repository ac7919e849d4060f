//! Core poses: with which clips the one that is chosen goes on smoothly.

use super::work;
use crate::{
    eval::clips::seams::Ends,
    interact::clip_work::ClipWork,
    model::{ClipId, ObjectId},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::inspector::labelled,
        widgets::{drag_field::number_text, section},
    },
};
use egui::{Label, RichText, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, from: ClipId, ends: Option<&Ends>) {
    let Some(ends) = ends else { return };
    let Some(rig) = ctx.document.object(object).and_then(|found| found.as_rig()) else { return };
    section(ui, &t("clips.seams"));
    ui.add(Label::new(RichText::new(t("clips.seams_hint")).weak()).wrap());
    let joint = |index: usize| rig.skeleton.joints().get(index).map_or("", |joint| joint.name.as_str());
    for to in ctx.document.listed_clips() {
        let (Some(clip), Some(seam)) = (ctx.document.clip(to), ends.seam(from, to)) else { continue };
        ui.push_id(to, |ui| {
            labelled(ui, &clip.name, |ui| {
                let splice = ui.small_button(t("clips.splice"));
                if splice.on_hover_text(fill("clips.splice_hint", &[("name", &clip.name)])).clicked() {
                    work(ctx, ClipWork::Splice(object, from, to));
                }
                let numbers = fill(
                    "clips.seam_text",
                    &[
                        ("turn", &number_text(seam.turn.to_degrees(), 1)),
                        ("joint", &joint(seam.turned)),
                        ("way", &number_text(seam.way * 100.0, 1)),
                        ("moved", &joint(seam.moved)),
                    ],
                );
                if seam.is_smooth() {
                    ui.colored_label(ctx.colours.accent, t("clips.seam_smooth")).on_hover_text(numbers);
                } else {
                    ui.add(Label::new(&numbers).truncate()).on_hover_text(&numbers);
                }
            });
        });
    }
}

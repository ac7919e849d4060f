//! How smoothly curves pass the selected keys, with the size of the jumps; and what makes them smoother.

use crate::{
    eval::polyline::derivative::smoothness,
    text::{fill, t},
    ui::{
        continuity::{buttons, words},
        panel::PanelContext,
        panels::graph::full_name,
        widgets::{drag_field::number_text, section},
    },
};
use egui::Ui;

/// Keys that are listed one by one; of more the number is said.
const MOST: usize = 8;

/// Shows the selected keys between the first and the last of their curves.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    if ctx.selection.keys.is_empty() {
        return;
    }
    section(ui, &t("continuity.title"));
    let rate = ctx.document.settings.rate;
    let mut rows = Vec::new();
    let mut more = 0_usize;
    for (at, times) in ctx.selection.keys.curves() {
        let curve = ctx.document.clip(at.clip).and_then(|clip| clip.channels.get(&at.path));
        let Some(curve) = curve.and_then(|curve| curve.scalar_keys()) else { continue };
        if rows.len() >= MOST {
            more += times.len();
            continue;
        }
        for (place, time) in times.iter().enumerate() {
            if rows.len() >= MOST {
                more += times.len() - place;
                break;
            }
            let how = curve.keys.index_at(*time).and_then(|index| smoothness(curve, index));
            if let Some(how) = how {
                let frame = number_text(rate.frame_f64(*time), 2);
                let channel = full_name(ctx.document, at.path);
                rows.push((fill("continuity.row", &[("channel", &channel), ("frame", &frame)]), at.path, how));
            }
        }
    }
    if rows.is_empty() {
        ui.weak(t("continuity.no_keys").into_owned());
        return;
    }
    for (name, path, how) in rows {
        ui.weak(name);
        ui.label(words(ctx, path, how));
    }
    if more > 0 {
        ui.weak(fill("continuity.more", &[("count", &more)]));
    }
    buttons(ui, ctx);
}

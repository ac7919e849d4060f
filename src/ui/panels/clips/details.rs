//! What can be done with the clip that is chosen.

use super::{
    ClipsPanel,
    card::{copy, delete, listed_at, refuse},
    seams, steps, work,
};
use crate::{
    edit::{ClipEdit, clips},
    eval::{
        blend::layers::{plays_layers, written_layer},
        cycle::Travel,
    },
    interact::clip_work::ClipWork,
    model::{Clip, ClipId, FrameRange, LoopMode, ObjectId, Plays},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::inspector::send,
        theme::ROW_PT,
        widgets::{DragField, FieldEdit, IconButton},
    },
};
use egui::{Button, RichText, Ui};
use std::sync::Arc;

impl ClipsPanel {
    /// Shows the chosen clip.
    pub(super) fn details(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, id: ClipId) {
        let Some(clip) = ctx.document.clip(id).cloned() else { return };
        // What is typed for one clip is none of another's.
        ui.push_id(id, |ui| {
            let renames = self.renames.take_if(|renamed| *renamed == id).is_some();
            head(ui, ctx, object, (id, &clip), renames);
            if !clip.moves(object) {
                ui.colored_label(ctx.colours.warn, t("clips.no_motion"));
            }
            frames(ui, ctx, id, &clip);
            self.tools(ui, ctx, object, id, &clip);
            steps::show(ui, ctx, object, id, &clip);
            if clip.moves(object) {
                let ends = self.ends(ctx, object);
                seams::show(ui, ctx, object, id, ends);
            }
        });
    }

    /// Backwards, round, faster and slower.
    fn tools(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, id: ClipId, clip: &Clip) {
        let frames = clip.range.last - clip.range.first;
        if frames < 1 {
            ui.add(egui::Label::new(RichText::new(t("clips.short")).weak()).wrap());
            return;
        }
        let mut wanted = self.length.filter(|(of, _)| *of == id).map_or(frames, |(_, frames)| frames);
        ui.horizontal_wrapped(|ui| {
            if ui.button(t("clips.reverse")).on_hover_text(t("clips.reverse_hint")).clicked() {
                work(ctx, ClipWork::Reverse(id));
            }
            ui.label(t("clips.length"));
            let name = t("clips.length_field");
            let field = DragField::new(&name, wanted as f64).decimals(0).speed(0.25).range(1.0, 1e6).width(56.0);
            let (response, edits) = field.show(ui);
            response.on_hover_text(t("clips.length_hint"));
            for edit in edits {
                if let FieldEdit::Change(frames) = edit {
                    #[expect(clippy::cast_possible_truncation, reason = "within the field's range")]
                    let frames = frames.round() as i64;
                    wanted = frames;
                    self.length = Some((id, wanted));
                }
            }
            let run = ui.add_enabled(wanted != frames, Button::new(t("clips.length_run")));
            if run.on_hover_text(t("clips.length_hint")).clicked() {
                work(ctx, ClipWork::Length(id, wanted));
                self.length = None;
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.label(t("clips.round"));
            let rows = [("clips.round_stay", Travel::InPlace), ("clips.round_keep", Travel::Kept)];
            for (key, travel) in rows {
                let button = ui.add_enabled(clip.moves(object), Button::new(t(key)));
                if button.on_hover_text(t(&format!("{key}_hint"))).clicked() {
                    work(ctx, ClipWork::Loop(object, id, travel));
                }
            }
        });
    }
}

fn head(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, (id, clip): (ClipId, &Clip), renames: bool) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 4.0 * (ROW_PT + 6.0)).clamp(60.0, 260.0);
        let (name, renamed) = {
            let is_taken = |name: &str| ctx.document.clips.values().any(|other| other.name == name);
            name_field(ui, ctx, (&t("clips.name"), &clip.name, width), is_taken)
        };
        if renames {
            name.request_focus();
            name.scroll_to_me(None);
        }
        if let Some(name) = renamed {
            ctx.commands.apply("history.rename", ClipEdit::Rename { clip: id, name }.into());
        }
        let order = ctx.document.listed_clips();
        let at = order.iter().position(|other| *other == id).unwrap_or_default();
        let steps = [
            (Icon::ChevronUp, "clips.earlier", at.checked_sub(1)),
            (Icon::ChevronDown, "clips.later", Some(at + 1).filter(|at| *at < order.len())),
        ];
        for (icon, key, to) in steps {
            ui.add_enabled_ui(to.is_some(), |ui| {
                if IconButton::new(icon, &t(key)).colour(ctx.colours.weak).show(ui).clicked()
                    && let Some(to) = to
                {
                    listed_at(ctx, id, to);
                }
            });
        }
        if IconButton::new(Icon::Delete, &t("clips.delete")).colour(ctx.colours.weak).show(ui).clicked() {
            delete(ctx, id);
        }
    });
    ui.horizontal_wrapped(|ui| {
        let plays = ctx.document.clip_of(object) == Some(id);
        let current = ui.add_enabled(!plays, Button::new(t("clips.make_current")));
        if current.on_hover_text(t("clips.make_current_hint")).clicked() {
            ctx.commands.apply("history.set_clip", clips::played_by(ctx.document, object, id));
        }
        if ui.button(t("clips.duplicate")).clicked() {
            copy(ctx, id);
        }
        let mut loops = clip.loop_mode == LoopMode::Loop;
        if ui.checkbox(&mut loops, t("clips.loops")).on_hover_text(t("clips.loops_hint")).changed() {
            let loop_mode = if loops { LoopMode::Loop } else { LoopMode::Once };
            ctx.commands.apply("history.clip_loop", ClipEdit::SetLoopMode { clip: id, loop_mode }.into());
        }
        let mut travels = clip.travels;
        if ui.checkbox(&mut travels, t("clips.travels")).on_hover_text(t("clips.travels_hint")).changed() {
            ctx.commands.apply("history.clip_travels", ClipEdit::SetTravels { clip: id, travels }.into());
        }
    });
    if plays_layers(ctx.document, object) {
        let written = written_layer(ctx.document, object).filter(|layer| layer.plays == Plays::Clip(id));
        let text = match written {
            Some(layer) => fill("clips.layers_written", &[("name", &layer.name)]),
            None => {
                let name = crate::model::names::object_name(ctx.document, object).unwrap_or_default();
                fill("clips.layers_play", &[("name", &name)])
            }
        };
        ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
    }
}

/// The first and the last frame: what lies beyond is cut off, and kept.
fn frames(ui: &mut Ui, ctx: &PanelContext<'_>, id: ClipId, clip: &Arc<Clip>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(t("clips.trim")).on_hover_text(t("clips.trim_hint"));
        let range = clip.range;
        let rows = [
            ("clips.first", range.first, (-1e6, range.last as f64)),
            ("clips.last", range.last, (range.first as f64, 1e6)),
        ];
        for (key, frame, (low, high)) in rows {
            let name = t(key);
            let field = DragField::new(&name, frame as f64).decimals(0).speed(0.25).range(low, high).width(56.0);
            let (response, edits) = field.show(ui);
            response.on_hover_text(t("clips.trim_hint"));
            send(ctx, "history.clip_trim", edits, |frame| {
                #[expect(clippy::cast_possible_truncation, reason = "within the field's range")]
                let frame = frame.round() as i64;
                let old = ctx.session.base().clip(id).map_or(range, |clip| clip.range);
                let cut = if key == "clips.first" {
                    FrameRange::new(frame.min(old.last), old.last)
                } else {
                    FrameRange::new(old.first, frame.max(old.first))
                };
                clips::trimmed(ctx.session.base(), id, cut)
            });
        }
        let frames = range.last - range.first;
        let secs = format!("{:.2}", ctx.document.settings.rate.secs(frames));
        ui.weak(fill("clips.frames_secs", &[("frames", &frames), ("secs", &secs)]));
    });
}

/// Puts a mark of step at a time of a clip, or tells why not.
pub(super) fn add_mark(ctx: &PanelContext<'_>, id: ClipId, name: &str, colour: crate::model::MarkerColour) {
    let Some(clip) = ctx.document.clip(id) else { return refuse(ctx, &crate::edit::EditError::NoClip(id)) };
    let time = ctx.document.settings.rate.snap(ctx.view.secs);
    let marker = crate::model::Marker { id: clip.fresh_marker_id(), time, name: name.to_owned(), colour, sync: true };
    ctx.commands.apply("history.clip_step", ClipEdit::SetMarker { clip: id, marker }.into());
}

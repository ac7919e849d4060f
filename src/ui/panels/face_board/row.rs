//! A shape: its slider, its number, its key, and what can be done to it.

use super::{FaceBoardPanel, path_of, twin, weigh, weight};
use crate::{
    edit::{Gesture, MeshEdit, numbers::key_numbers, shapes::mirrored_shape},
    model::{Mesh, MorphGroup, MorphRule, MorphTarget, ObjectId},
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        subject::morph_name,
        widgets::{DragField, FieldEdit, IconButton, set_name},
    },
};
use egui::{Slider, Ui};
use std::sync::Arc;

/// How far sliders go: beyond 0..1, so that shapes can be overdriven; numbers go as far as one likes.
const RANGE: std::ops::RangeInclusive<f64> = -0.5..=1.5;

impl FaceBoardPanel {
    pub(super) fn row(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        (object, mesh): (ObjectId, &Arc<Mesh>),
        morph: &Arc<MorphTarget>,
    ) {
        let name = morph_name(morph);
        let value = weight(ctx, object, morph);
        let own: Vec<_> = std::iter::once(morph.id).chain(twin(mesh, morph).filter(|_| self.both)).collect();
        let set = |value: f64| {
            let all: Vec<_> = own.iter().map(|morph| (*morph, value)).collect();
            match weigh(ctx, object, &all) {
                Ok(edit) => ctx.commands.gesture(Gesture::Update(edit)),
                Err(error) => {
                    let notice = Notice::warn(fill("edit.refused", &[("error", &error)]));
                    ctx.commands.send(crate::command::Command::Tell(notice));
                }
            }
        };
        ui.push_id(morph.id, |ui| {
            ui.horizontal(|ui| {
                self.title(ui, ctx, (object, mesh), morph, &name);
                let width = (ui.available_width() - 92.0).clamp(40.0, 220.0);
                ui.spacing_mut().slider_width = width;
                let range = if morph.group == MorphGroup::Conformation { -1.0..=1.0 } else { RANGE };
                let mut shown = value.clamp(*range.start(), *range.end());
                let slider = ui.add(Slider::new(&mut shown, range).show_value(false));
                set_name(ui, &slider, &fill("face.slider_of", &[("name", &name)]));
                slide(ctx, &slider, shown, &set);
                ui.name_inputs(&name, |ui| {
                    let field = DragField::new(&name, value).speed(0.01).decimals(2).width(52.0).rests_at(0.0);
                    let (_, edits) = field.show(ui);
                    for edit in edits {
                        match edit {
                            FieldEdit::Begin => ctx.commands.gesture(Gesture::Begin { label: "history.weight" }),
                            FieldEdit::Change(value) => set(value),
                            FieldEdit::Commit => ctx.commands.gesture(Gesture::Commit),
                            FieldEdit::Cancel => ctx.commands.gesture(Gesture::Cancel),
                        }
                    }
                });
                let key = fill("inspector.key_number", &[("name", &name)]);
                if IconButton::new(Icon::Key, &key).side(20.0).show(ui).clicked() {
                    let all: Vec<_> = own.iter().map(|morph| (path_of(object, *morph), value)).collect();
                    if let Ok(edit) = key_numbers(ctx.document, &all, ctx.view.secs) {
                        ctx.commands.apply("history.key_number", edit);
                    }
                }
            });
        });
    }

    /// The name, with what can be done in a menu; or a field where it is typed.
    fn title(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        (object, mesh): (ObjectId, &Arc<Mesh>),
        morph: &Arc<MorphTarget>,
        name: &str,
    ) {
        let width = (ui.available_width() * 0.36).clamp(84.0, 190.0);
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        if let Some((_, _, typed)) = self.renamed.as_mut().filter(|(of, id, _)| (*of, *id) == (object, morph.id)) {
            let response = ui.add_sized(size, egui::TextEdit::singleline(typed));
            response.request_focus();
            if response.lost_focus() || ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                let renamed = MorphTarget { name: typed.trim().to_owned(), ..(**morph).clone() };
                if renamed.name != morph.name && !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                    let edit = MeshEdit::SetMorph { object, morph: Arc::new(renamed) };
                    ctx.commands.apply("history.shape", edit.into());
                }
                self.renamed = None;
            }
            return;
        }
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let shown = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(egui::Label::new(name).truncate().sense(egui::Sense::click()))
        });
        let hint = match &morph.rule {
            MorphRule::Own => name.to_owned(),
            MorphRule::Product(factors) => fill("face.corrects", &[("names", &names(mesh, factors.iter().copied()))]),
            MorphRule::Mix(_) => fill("face.mixes", &[("names", &names(mesh, morph.named()))]),
        };
        let response = shown.inner.on_hover_text(hint);
        set_name(ui, &response, &fill("face.menu_of", &[("name", &name)]));
        response.context_menu(|ui| {
            if ui.button(t("face.rename")).clicked() {
                self.renamed = Some((object, morph.id, morph.name.clone()));
                ui.close();
            }
            if !morph.is_mix() && ui.button(t("face.mirror")).on_hover_text(t("face.mirror_hint")).clicked() {
                mirror(ctx, object, morph);
                ui.close();
            }
            if ui.button(t("face.delete")).clicked() {
                let edit = MeshEdit::DeleteMorph { object, morph: morph.id };
                ctx.commands.apply("history.shape_delete", edit.into());
                ui.close();
            }
        });
    }
}

/// A slider's drag is one step of undo, a click on it another.
fn slide(ctx: &PanelContext<'_>, slider: &egui::Response, shown: f64, set: &dyn Fn(f64)) {
    if slider.drag_started() {
        ctx.commands.gesture(Gesture::Begin { label: "history.weight" });
    }
    if slider.changed() {
        let alone = !slider.dragged() && !slider.drag_started() && !slider.drag_stopped();
        if alone {
            ctx.commands.gesture(Gesture::Begin { label: "history.weight" });
        }
        set(shown);
        if alone {
            ctx.commands.gesture(Gesture::Commit);
        }
    }
    if slider.drag_stopped() {
        let escape = slider.ctx.input(|input| input.key_pressed(egui::Key::Escape));
        ctx.commands.gesture(if escape { Gesture::Cancel } else { Gesture::Commit });
    }
}

fn names(mesh: &Mesh, ids: impl Iterator<Item = crate::model::MorphId>) -> String {
    let names: Vec<String> = ids.filter_map(|id| mesh.morph(id).map(morph_name)).collect();
    names.join(", ")
}

fn mirror(ctx: &PanelContext<'_>, object: ObjectId, morph: &MorphTarget) {
    match mirrored_shape(ctx.document, object, morph.id) {
        Ok((edit, alone)) => {
            ctx.commands.apply("history.shape", edit);
            if alone > 0 {
                let notice = Notice::warn(fill("face.without_twin", &[("count", &alone)]));
                ctx.commands.send(crate::command::Command::Tell(notice));
            }
        }
        Err(error) => {
            let notice = Notice::warn(fill("edit.refused", &[("error", &error)]));
            ctx.commands.send(crate::command::Command::Tell(notice));
        }
    }
}

//! The samples as a list: what they play, where, how fast; adding and removing them.

use super::{
    Subject, change, changed,
    operate::{add, choose, refusal},
    send,
};
use crate::{
    edit::blend::remove_sample,
    model::{Document, Plays, SpaceSample},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::{inspector::send as send_field, race::badge},
        widgets::{Chooser, DragField, IconButton},
    },
};
use egui::{Sense, Ui, Vec2};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    ui.horizontal_wrapped(|ui| {
        let name = t("blend_space.add");
        let rows = || offered(ctx.document, subject);
        let chooser = Chooser::new("blend space add", &name, name.clone().into_owned()).width(110.0);
        if let (_, Some(plays)) = chooser.show(ui, None, rows) {
            add(ctx, subject, plays, subject.point);
        }
    });
    if subject.space.samples.is_empty() {
        ui.add(egui::Label::new(egui::RichText::new(t("blend_space.empty")).weak()).wrap());
        return;
    }
    ui.add_space(2.0);
    let now = ctx.view.blend.sample.filter(|index| *index < subject.space.samples.len());
    let is_new = changed_to(ui, now);
    for (index, sample) in subject.space.samples.iter().enumerate() {
        ui.push_id(index, |ui| {
            row(ui, ctx, subject, index, sample);
            if now == Some(index) {
                // Right below its row: after all the others it would be out of sight.
                let numbers = ui.indent("numbers", |ui| chosen(ui, ctx, subject, index, sample));
                if is_new {
                    numbers.response.scroll_to_me(None);
                }
            }
        });
    }
    if now.is_none() {
        ui.weak(t("blend_space.choose").into_owned());
    }
}

/// Whether another sample is chosen than when this was asked last.
fn changed_to(ui: &Ui, now: Option<usize>) -> bool {
    let id = ui.scope_id().with("chosen sample");
    let before = ui.data(|data| data.get_temp::<Option<usize>>(id)).flatten();
    ui.data_mut(|data| data.insert_temp(id, now));
    before != now
}

/// All that can be a sample: clips, then spaces that do not play this one.
fn offered(document: &Document, subject: &Subject<'_>) -> Vec<(Plays, String)> {
    let clips = document.clips.iter().map(|(id, clip)| (Plays::Clip(*id), clip.name.clone()));
    let spaces = document.blend_spaces.iter().filter(|(id, _)| **id != subject.id);
    let spaces = spaces.map(|(id, space)| {
        let key = if refusal(document, subject.id, Plays::Space(*id)).is_some() {
            "blend_space.space_refused"
        } else {
            "blend_space.space_named"
        };
        (Plays::Space(*id), fill(key, &[("name", &space.name)]))
    });
    clips.chain(spaces).collect()
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, index: usize, sample: &SpaceSample) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(18.0), Sense::hover());
        badge(ui.painter(), rect.center(), index);
        let name = ctx.document.played_name(sample.plays);
        let is_chosen = ctx.view.blend.sample == Some(index);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let remove = fill("blend_space.remove", &[("name", &name)]);
            if IconButton::new(Icon::Delete, &remove).colour(ctx.colours.weak).show(ui).clicked() {
                send(ctx, "history.space_sample_remove", remove_sample(ctx.document, subject.id, index));
                choose(ctx, None);
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let row = ui.add(egui::Button::selectable(is_chosen, &name).truncate());
                if row.clicked() {
                    choose(ctx, if is_chosen { None } else { Some(index) });
                }
            });
        });
    });
}

/// The numbers of the chosen sample.
fn chosen(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, index: usize, sample: &SpaceSample) {
    let space = subject.space;
    egui::Grid::new("chosen sample").num_columns(2).spacing([8.0, 4.0]).show(ui, |ui| {
        ui.label(t("blend_space.plays").into_owned());
        let name = t("blend_space.plays");
        let chooser = Chooser::new("sample plays", &name, ctx.document.played_name(sample.plays)).width(110.0);
        if let (_, Some(plays)) = chooser.show(ui, Some(&sample.plays), || offered(ctx.document, subject)) {
            match refusal(ctx.document, subject.id, plays) {
                Some(why) => super::tell(ctx, why),
                None => change(ctx, "history.space_sample", subject.id, |space| {
                    if let Some(sample) = space.samples.get_mut(index) {
                        sample.plays = plays;
                    }
                }),
            }
        }
        ui.end_row();
        for axis in 0..space.scheme.axes().min(2) {
            let of = &space.axes[axis];
            ui.label(&of.name);
            let [from, to] = of.range;
            let name = fill("blend_space.sample_along", &[("axis", &of.name)]);
            let field = DragField::new(&name, sample.at[axis]).unit(&of.unit).decimals(4);
            let (_, edits) = field.range(from, to).speed(0.005 * (to - from).abs().max(1e-6)).width(96.0).show(ui);
            send_field(ctx, "history.space_sample_move", edits, |value| {
                changed(ctx, subject.id, |space| {
                    if let Some(sample) = space.samples.get_mut(index) {
                        sample.at[axis] = value;
                    }
                })
            });
            ui.end_row();
        }
        if space.scheme.axes() == 0 {
            ui.label(t("blend_space.weight").into_owned());
            let told = subject.direct.as_ref().and_then(|told| told.get(index).copied());
            super::direct::field(ui, ctx, subject, (index, told.unwrap_or(sample.weight)), 96.0);
            ui.end_row();
        }
        let name = t("blend_space.speed");
        ui.label(name.clone().into_owned()).on_hover_text(t("blend_space.speed_hint"));
        let field = DragField::new(&name, sample.speed).unit("x").decimals(3).range(0.01, 100.0).speed(0.01);
        let (_, edits) = field.width(96.0).show(ui);
        send_field(ctx, "history.space_sample_speed", edits, |value| {
            changed(ctx, subject.id, |space| {
                if let Some(sample) = space.samples.get_mut(index) {
                    sample.speed = value;
                }
            })
        });
        ui.end_row();
    });
}

//! Which space it is, what plays it, its scheme, and what is seen of it.

use super::{Subject, change, scheme_key, send, template};
use crate::{
    command::CommandId,
    edit::{
        BlendEdit,
        blend::{added, free_space_name, play_space, stop_space},
    },
    interact::{
        blend_space::{BlendView, Heat, Known, PointOf},
        view_state::{ViewChange, ViewportOptions},
    },
    model::{BlendScheme, BlendSpace},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        widgets::{Chooser, IconButton},
    },
};
use egui::{
    PopupCloseBehavior, Ui,
    containers::menu::{MenuButton, MenuConfig},
};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, form: &mut Option<template::Form>) {
    ui.horizontal_wrapped(|ui| {
        let name = t("blend_space.space");
        let spaces = || ctx.document.blend_spaces.iter().map(|(id, space)| (*id, space.name.clone())).collect();
        let chooser = Chooser::new("blend space", &name, subject.space.name.clone()).width(96.0);
        if let (_, Some(chosen)) = chooser.show(ui, Some(&subject.id), spaces) {
            ctx.commands.view(ViewChange::Blend(ctx.view.blend.of_space(chosen)));
        }
        ui.menu_button(t("blend_space.new").into_owned(), |ui| {
            for id in [CommandId::AddSpaceLine, CommandId::AddSpacePlane] {
                if ui.button(t(id.spec().title).into_owned()).on_hover_text(crate::ui::shell::hint_of(id)).clicked() {
                    ctx.commands.run(id);
                    ui.close();
                }
            }
            template::buttons(ui, ctx, form);
        });
        let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        MenuButton::new(t("blend_space.edit").into_owned()).config(stays).ui(ui, |ui| whole(ui, ctx, subject));
        playing(ui, ctx, subject);
    });
    ui.horizontal_wrapped(|ui| {
        scheme(ui, ctx, subject);
        seen(ui, ctx, subject);
    });
    explanation(ui, ctx, subject.space);
}

/// What is done to the whole of a space.
fn whole(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    ui.horizontal(|ui| {
        ui.label(t("blend_space.name").into_owned());
        let (_, named) = {
            let is_taken = |name: &str| ctx.document.blend_spaces.values().any(|other| other.name == name);
            name_field(ui, ctx, (&t("blend_space.name"), &subject.space.name, 140.0), is_taken)
        };
        if let Some(named) = named {
            change(ctx, "history.space_rename", subject.id, |space| space.name = named);
        }
    });
    if ui.button(t("blend_space.duplicate").into_owned()).clicked() {
        let name = free_space_name(ctx.document, &subject.space.name);
        let (id, edit) = added(ctx.document, BlendSpace { name, ..(**subject.space).clone() });
        ctx.commands.apply("history.space_add", edit);
        ctx.commands.view(ViewChange::Blend(ctx.view.blend.of_space(id)));
        ui.close();
    }
    let delete = ui.button(t("blend_space.delete").into_owned()).on_hover_text(t("blend_space.delete_hint"));
    if delete.clicked() {
        ctx.commands.apply("history.space_delete", BlendEdit::DeleteSpace { id: subject.id }.into());
        ui.close();
    }
}

/// The button by which a character plays the space, or no longer does.
fn playing(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    let name = |object| ctx.document.object(object).map(|object| object.name.clone()).unwrap_or_default();
    match (subject.of, subject.rig) {
        (PointOf::Layer(object, layer), _) => {
            let key = super::axes::key_name(subject);
            let button = IconButton::new(Icon::Key, &t(key)).hint(&t(&format!("{key}_hint"))).show(ui);
            if button.clicked() {
                super::axes::key_point(ctx, subject, (object, layer));
            }
            ui.weak(fill("blend_space.played_by", &[("name", &name(object))]));
            let text = fill("blend_space.stop", &[("name", &name(object))]);
            let button = IconButton::new(Icon::Close, &text).colour(ctx.colours.weak).show(ui);
            if button.clicked()
                && let Some(edit) = stop_space(ctx.document, object, subject.id)
            {
                ctx.commands.apply("history.space_stop", edit);
            }
        }
        (PointOf::Space, Some(rig)) => {
            let text = egui::RichText::new(t("blend_space.play")).color(ctx.colours.accent_text);
            let button = egui::Button::new(text).fill(ctx.colours.accent_ground);
            let response = ui.add_enabled(!subject.space.samples.is_empty(), button);
            let hint = fill("blend_space.play_hint", &[("name", &name(rig))]);
            if response.on_hover_text(hint).on_disabled_hover_text(t("blend_space.empty")).clicked() {
                let take = fill("blend_space.take", &[("name", &subject.space.name)]);
                send(ctx, "history.space_play", play_space(ctx.document, rig, subject.id, &take));
                // It goes on and on: else it would walk out of the view.
                let follow = ViewportOptions { follow: true, ..ctx.view.viewport };
                ctx.commands.view(ViewChange::Viewport(follow));
            }
        }
        (PointOf::Space, None) => {
            ui.weak(t("blend_space.no_rig").into_owned());
        }
    }
}

fn scheme(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    let now = subject.space.scheme;
    let name = t("blend_space.scheme");
    let menu = ui.menu_button(t(&scheme_key(now)).into_owned(), |ui| {
        if let Some(chosen) = schemes(ui, now, |_| true) {
            let weights = weights_now(ctx, subject, chosen);
            change(ctx, "history.space_scheme", subject.id, |space| {
                space.scheme = chosen;
                for (sample, weight) in space.samples.iter_mut().zip(weights) {
                    sample.weight = weight;
                }
            });
            let range = if chosen.axes() == now.axes() { ctx.view.blend.range } else { None };
            ctx.commands.view(ViewChange::Blend(BlendView { range, ..ctx.view.blend.clone() }));
        }
    });
    crate::ui::widgets::set_name(ui, &menu.response, &name);
    menu.response.on_hover_text(name);
}

/// The weights at the point, for a scheme in which each sample has one of its own and none has been given.
fn weights_now(ctx: &PanelContext<'_>, subject: &Subject<'_>, chosen: BlendScheme) -> Vec<f64> {
    let given = subject.space.samples.iter().any(|sample| sample.weight > 0.0);
    if chosen.axes() > 0 || given {
        return Vec::new();
    }
    let played = match subject.of {
        PointOf::Layer(object, layer) => {
            ctx.frame.layers.iter().find(|report| report.object == object && report.layer == layer)
        }
        PointOf::Space => None,
    };
    let played = played.map(|report| report.samples.clone());
    played.unwrap_or_else(|| Known::new(subject.space).weights(subject.point).0)
}

/// A list of the schemes that fit; which was chosen.
fn schemes(ui: &mut Ui, now: BlendScheme, fits: impl Fn(BlendScheme) -> bool) -> Option<BlendScheme> {
    let mut chosen = None;
    for scheme in BlendScheme::ALL.into_iter().filter(|scheme| fits(*scheme)) {
        let row = ui.selectable_label(scheme == now, t(&scheme_key(scheme)).into_owned());
        if row.on_hover_text(t(&format!("{}_hint", scheme_key(scheme)))).clicked() {
            chosen = Some(scheme);
            ui.close();
        }
    }
    chosen
}

/// What is seen: heat, lines, another scheme beside.
fn seen(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    let view = &ctx.view.blend;
    let show = |view: BlendView| ctx.commands.view(ViewChange::Blend(view));
    if subject.space.scheme.axes() == 2 {
        let text = |heat: Heat| {
            t(match heat {
                Heat::Off => "blend_space.heat_off",
                Heat::All => "blend_space.heat_all",
                Heat::Chosen => "blend_space.heat_chosen",
            })
            .into_owned()
        };
        let name = t("blend_space.heat");
        let rows = || Heat::ALL.map(|heat| (heat, text(heat))).into();
        let chooser = Chooser::new("blend space heat", &name, text(view.heat)).width(92.0);
        if let (_, Some(heat)) = chooser.show(ui, Some(&view.heat), rows) {
            show(BlendView { heat, ..view.clone() });
        }
        let mut lines = view.lines;
        if ui.checkbox(&mut lines, t("blend_space.lines")).on_hover_text(t("blend_space.lines_hint")).clicked() {
            show(BlendView { lines, ..view.clone() });
        }
    }
    if subject.space.scheme.axes() > 0 {
        let text = view.against.map_or_else(
            || t("blend_space.compare").into_owned(),
            |other| fill("blend_space.against", &[("name", &t(&scheme_key(other)))]),
        );
        let own = subject.space.scheme;
        let menu = ui.menu_button(text, |ui| {
            if ui.selectable_label(view.against.is_none(), t("blend_space.compare_none").into_owned()).clicked() {
                show(BlendView { against: None, ..view.clone() });
                ui.close();
            }
            let fits = |other: BlendScheme| other != own && other.axes() > 0 && other.axes() >= own.axes();
            if let Some(other) = schemes(ui, view.against.unwrap_or(own), fits) {
                show(BlendView { against: Some(other), ..view.clone() });
            }
        });
        menu.response.on_hover_text(t("blend_space.compare_hint"));
        if view.range.is_some() && ui.button(t("blend_space.fit").into_owned()).clicked() {
            show(BlendView { range: None, ..view.clone() });
        }
    }
}

/// What the scheme does, where it jumps, and what is odd about the samples.
fn explanation(ui: &mut Ui, ctx: &PanelContext<'_>, space: &BlendSpace) {
    let key = scheme_key(space.scheme);
    let mut text = t(&format!("{key}_hint")).into_owned();
    let jumps = format!("{key}_jumps");
    if crate::text::has(&jumps) {
        text.push(' ');
        text.push_str(&t(&jumps));
    }
    ui.add(egui::Label::new(egui::RichText::new(text).weak()).wrap());
    let shared = space.on_one_spot();
    if !shared.is_empty() {
        let names: Vec<String> = shared
            .iter()
            .filter_map(|(index, _)| Some(ctx.document.played_name(space.samples.get(*index)?.plays)))
            .collect();
        let text = fill("blend_space.shared", &[("names", &names.join(", "))]);
        ui.add(egui::Label::new(egui::RichText::new(text).color(ctx.colours.warn)).wrap());
    }
}

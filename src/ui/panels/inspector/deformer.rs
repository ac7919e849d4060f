//! A deformer: its numbers.

use super::{NumberRow, folding, labelled, send, told};
use crate::{
    edit::numbers::{key_number, number_edit},
    eval::{
        deform::{deformed_by, function},
        sample::{Stage, number},
    },
    model::{ChannelPath, Component, Parameter, Property, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::graph::{channels::property_name, unit_map, unit_name},
        widgets::{DragField, IconButton},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let id = target.object();
    let Some(deformer) = ctx.document.object(id).and_then(|object| object.as_deformer()) else { return };
    folding(ui, deformer.kind.title(), |ui| {
        for parameter in deformer.kind.parameters() {
            row(ui, ctx, target, parameter);
        }
        let own = function(ctx.document, id, deformer, ctx.view.secs);
        let at = |property| deformer.kind.parameters().iter().position(|p| p.property == property);
        let ends = at(Property::Low).zip(at(Property::High)).map(|(low, high)| (own.numbers[low], own.numbers[high]));
        if ends.is_some_and(|(low, high)| high <= low) {
            ui.colored_label(ctx.colours.warn, t("deform.no_length"));
        }
        let names: Vec<&str> = deformed_by(ctx.document, id).map(|(_, mesh)| mesh.name.as_str()).collect();
        let text = if names.is_empty() { t("lattice.deforms_nothing").into_owned() } else { names.join(", ") };
        told(ui, &t("lattice.deforms"), &text);
    });
}

/// A number in the unit it is shown in.
fn row(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target, parameter: &Parameter) {
    let path = ChannelPath { target, property: parameter.property, component: Component::Only };
    let unit = ctx.document.settings.length_unit;
    let (map, symbol) = (unit_map(path, unit), unit_name(path, unit));
    let clip = ctx.document.clip_of(target.object()).and_then(|clip| ctx.document.clip(clip));
    let value = number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown);
    let value = value.unwrap_or(parameter.resting);
    let name = property_name(parameter.property);
    let row = NumberRow {
        name: &name,
        unit: symbol,
        range: (map.shown(parameter.range.0), map.shown(parameter.range.1)),
        speed: if symbol == "°" { 0.5 } else { 0.01 },
        history: "history.deformer_number",
        resting: map.shown(parameter.resting),
    };
    labelled(ui, row.name, |ui| {
        let field = DragField::new(row.name, map.shown(value)).unit(row.unit).range(row.range.0, row.range.1);
        let (response, edits) = field.speed(row.speed).decimals(3).show(ui);
        response.on_hover_text(row.name);
        send(ctx, row.history, edits, |value| {
            number_edit(ctx.session.base(), path, ctx.view.secs, map.own(value), ctx.view.auto_key)
        });
        let key = fill("inspector.key_number", &[("name", &row.name)]);
        if IconButton::new(Icon::Key, &key).show(ui).clicked()
            && let Ok(edit) = key_number(ctx.document, path, &[(ctx.view.secs, value)])
        {
            ctx.commands.apply("history.key_number", edit);
        }
    });
}

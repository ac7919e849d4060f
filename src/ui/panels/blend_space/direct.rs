//! A space without axes: how much of each sample plays, told one by one; where a layer plays it each is a channel.

use super::{Subject, changed, weights::bar};
use crate::{
    edit::{Edit, EditError, numbers},
    interact::blend_space::PointOf,
    model::{ChannelPath, LayerId, ObjectId},
    text::{fill, t},
    ui::{panel::PanelContext, panels::inspector::send as send_field, widgets::DragField},
};
use egui::{Ui, Vec2};

/// The width of the field beside a bar, points.
const FIELD_PT: f32 = 66.0;

/// Each sample as a bar of its weight, with a field to change it.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    if subject.space.samples.is_empty() {
        ui.add(egui::Label::new(egui::RichText::new(t("blend_space.empty")).weak()).wrap());
        return;
    }
    let weights: Vec<f64> = subject.as_played().samples.iter().map(|sample| sample.weight).collect();
    let whole: f64 = weights.iter().sum();
    if !(whole > 0.0) {
        let text = egui::RichText::new(t("blend_space.no_weight")).color(ctx.colours.warn);
        ui.add(egui::Label::new(text).wrap());
    }
    egui::ScrollArea::vertical().id_salt("blend space direct").show(ui, |ui| {
        for (index, (sample, weight)) in subject.space.samples.iter().zip(&weights).enumerate() {
            let name = ctx.document.played_name(sample.plays);
            let part = if whole > 0.0 { weight / whole } else { 0.0 };
            ui.push_id(index, |ui| {
                ui.horizontal(|ui| {
                    let room = ui.available_width() - FIELD_PT - 2.0 * ui.spacing().item_spacing.x;
                    ui.allocate_ui(Vec2::new(room, 20.0), |ui| bar(ui, ctx, (index, &name), part, None));
                    field(ui, ctx, subject, (index, *weight), FIELD_PT);
                });
            });
        }
    });
}

/// A field for the weight of a sample.
pub(super) fn field(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    subject: &Subject<'_>,
    (index, weight): (usize, f64),
    width: f32,
) {
    let name = subject.space.samples.get(index).map(|sample| ctx.document.played_name(sample.plays));
    let name = fill("blend_space.own_weight_of", &[("name", &name.unwrap_or_default())]);
    let field = DragField::new(&name, weight).decimals(3).range(0.0, MOST).speed(0.01).width(width);
    let (_, edits) = field.show(ui);
    send_field(ctx, "history.space_sample_weight", edits, |value| weigh(ctx, subject, index, value));
}

/// The greatest weight that can be told.
const MOST: f64 = 1e6;

/// The edit that gives a sample another weight: its channel where a layer plays the space.
fn weigh(ctx: &PanelContext<'_>, subject: &Subject<'_>, index: usize, value: f64) -> Result<Edit, EditError> {
    match subject.of {
        PointOf::Layer(object, layer) => {
            let path = path((object, layer), index);
            numbers::number_edit(ctx.session.base(), path, ctx.view.secs, value, ctx.view.auto_key)
        }
        PointOf::Space => changed(ctx, subject.id, |space| {
            if let Some(sample) = space.samples.get_mut(index) {
                sample.weight = value;
            }
        }),
    }
}

/// The channel of a sample's weight.
fn path((object, layer): (ObjectId, LayerId), index: usize) -> ChannelPath {
    ChannelPath::sample(object, layer, u32::try_from(index).unwrap_or(u32::MAX))
}

/// The channels of all weights, each with what it is now.
pub(super) fn values(subject: &Subject<'_>, of: (ObjectId, LayerId)) -> Vec<(ChannelPath, f64)> {
    subject.direct.iter().flatten().enumerate().map(|(index, weight)| (path(of, index), *weight)).collect()
}

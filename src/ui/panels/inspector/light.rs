//! A light: how strong it is, and its colour.

use super::{NumberRow, folding, labelled, number_row, told};
use crate::{
    eval::sample::{Stage, number},
    model::{ChannelPath, Component, LightShape, Property, Target},
    text::{fill, t},
    ui::panel::PanelContext,
};
use egui::{Color32, Rgba, Sense, Ui, Vec2};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let object = target.object();
    let Some(light) = ctx.document.object(object).and_then(|object| object.as_light()) else { return };
    let path = |property| ChannelPath::object(object, property, Component::Only);
    folding(ui, "light.title", |ui| {
        let (shape, unit) = match light.shape {
            LightShape::Directional => (t("light.directional").into_owned(), "lx"),
            LightShape::Point => (t("light.point").into_owned(), "cd"),
            LightShape::Spot { outer, .. } => {
                (fill("light.spot", &[("angle", &format!("{:.0}", 2.0 * outer.to_degrees()))]), "cd")
            }
        };
        told(ui, &t("light.shape"), &shape);
        let resting = [light.intensity, light.color[0], light.color[1], light.color[2]];
        let keys = ["light.intensity", "light.red", "light.green", "light.blue"];
        for ((property, key), resting) in Property::LIGHT.into_iter().zip(keys).zip(resting) {
            let is_color = property != Property::Intensity;
            let row = NumberRow {
                name: &t(key),
                unit: if is_color { "" } else { unit },
                range: (0.0, if is_color { 1.0 } else { f64::INFINITY }),
                speed: if is_color { 0.005 } else { 0.02 * resting.max(0.5) },
                history: "history.light",
                resting,
            };
            number_row(ui, ctx, path(property), &row);
        }
        labelled(ui, &t("light.colour"), |ui| {
            let clip = ctx.document.clip_of(object).and_then(|clip| ctx.document.clip(clip)).map(|clip| &**clip);
            let part = |property| number(ctx.document, clip, path(property), ctx.view.secs, Stage::Shown);
            #[expect(clippy::cast_possible_truncation, reason = "a colour on the screen")]
            let [red, green, blue] = [Property::Red, Property::Green, Property::Blue]
                .map(|property| part(property).unwrap_or(1.0).clamp(0.0, 1.0) as f32);
            let (rect, _) = ui.allocate_exact_size(Vec2::new(72.0, ui.spacing().interact_size.y), Sense::hover());
            ui.painter().rect_filled(rect, 3.0, Color32::from(Rgba::from_rgb(red, green, blue)));
        });
    });
}

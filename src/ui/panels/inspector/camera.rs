//! A camera: its field of view, and looking through it.

use super::{folding, labelled, send};
use crate::{
    command::CommandId,
    edit::numbers::{key_number, number_edit},
    eval::sample::{Stage, number},
    model::{Camera, ChannelPath, Component, Property, Target},
    text::t,
    ui::{
        icons::Icon,
        panel::PanelContext,
        widgets::{DragField, IconButton},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let object = target.object();
    let Some(camera) = ctx.document.object(object).and_then(|object| object.as_camera()) else { return };
    folding(ui, "camera.title", |ui| {
        labelled(ui, &t("camera.field_of_view"), |ui| {
            let path = ChannelPath::object(object, Property::FieldOfView, Component::Only);
            let clip = ctx.document.clip_of(object).and_then(|clip| ctx.document.clip(clip));
            let value = number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown);
            let value = value.unwrap_or(camera.fov_y);
            let name = t("camera.field_of_view");
            let (low, high) = (Camera::FIELD.0.to_degrees(), Camera::FIELD.1.to_degrees());
            let field = DragField::new(&name, value.to_degrees()).unit("°").range(low, high).speed(0.2);
            let (response, edits) = field.rests_at(Camera::default().fov_y.to_degrees()).show(ui);
            response.on_hover_text(&*name);
            send(ctx, "history.camera", edits, |degrees| {
                number_edit(ctx.session.base(), path, ctx.view.secs, degrees.to_radians(), ctx.view.auto_key)
            });
            if IconButton::new(Icon::Key, &t("camera.key")).show(ui).clicked()
                && let Ok(edit) = key_number(ctx.document, path, &[(ctx.view.secs, value)])
            {
                ctx.commands.apply("history.camera_key", edit);
            }
        });
        let button = ui.button(t("command.look_through").into_owned());
        if button.on_hover_text(t("command.look_through_hint").into_owned()).clicked() {
            ctx.commands.run(CommandId::LookThrough);
        }
    });
}

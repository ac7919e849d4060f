//! New shapes from what is there.

use crate::{
    edit::{
        Edit, EditError,
        shapes::{corrective, mixture, present_shape, taken_shape},
    },
    model::{Mesh, MorphGroup, ObjectId},
    notice::Notice,
    text::{fill, t},
    ui::panel::PanelContext,
};
use egui::Ui;

pub(super) fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Mesh) {
    let done = |edit: Result<Edit, EditError>| match edit {
        Ok(edit) => ctx.commands.apply("history.shape", edit),
        Err(error) => {
            let notice = Notice::warn(fill("edit.refused", &[("error", &error)]));
            ctx.commands.send(crate::command::Command::Tell(notice));
        }
    };
    let fresh = |key: &str| fill(key, &[("number", &(mesh.morphs.len() + 1))]);
    ui.menu_button(t("face.new"), |ui| {
        let mut item = |key: &str, hint: &str, edit: &dyn Fn() -> Result<Edit, EditError>| {
            if ui.button(t(key)).on_hover_text(t(hint)).clicked() {
                done(edit());
                ui.close();
            }
        };
        let frame = &**ctx.frame;
        item("face.from_present", "face.from_present_hint", &|| {
            present_shape(ctx.document, frame, object, &fresh("face.shape_name"))
        });
        item("face.expression", "face.expression_hint", &|| {
            mixture(ctx.document, frame, object, (&fresh("face.expression_name"), MorphGroup::Expression))
        });
        item("face.viseme", "face.viseme_hint", &|| {
            mixture(ctx.document, frame, object, (&fresh("face.viseme_name"), MorphGroup::Viseme))
        });
        item("face.corrective", "face.corrective_hint", &|| {
            corrective(ctx.document, frame, object, &fresh("face.corrective_name"))
        });
        ui.separator();
        let others = ctx.document.objects.iter().filter(|(id, other)| {
            **id != object && other.as_mesh().is_some_and(|other| other.len() == mesh.len() && !other.is_empty())
        });
        let others: Vec<_> = others.collect();
        if others.is_empty() {
            ui.weak(t("face.no_other"));
        }
        for (id, other) in others {
            let text = fill("face.taken_from", &[("name", &other.name)]);
            if ui.button(text).clicked() {
                done(taken_shape(ctx.document, object, *id));
                ui.close();
            }
        }
    })
    .response
    .on_hover_text(t("face.new_hint"));
}

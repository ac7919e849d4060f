//! A rig as a whole: the unit of its file, which way is up.

use super::{folding, labelled, send};
use crate::{
    command::CommandId,
    edit::{EditError, RigEdit, rigs::stands_up},
    eval::size::told_size_of,
    model::{LengthUnit, ObjectId, OwnUnit},
    text::t,
    ui::{
        panel::PanelContext,
        panels::timeline::status::{could_stand, length_text},
        widgets::{DragField, drag_field::unit_text},
    },
};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    folding(ui, "inspector.character", |ui| {
        labelled(ui, &t("inspector.file_unit"), |ui| {
            let combo = ComboBox::from_id_salt("file unit").selected_text(unit_text(rig.unit)).width(72.0);
            let response = combo.show_ui(ui, |ui| {
                for unit in LengthUnit::ALL {
                    if ui.selectable_label(rig.unit == unit, unit.symbol()).clicked() && rig.unit != unit {
                        ctx.commands.apply("history.unit", RigEdit::SetUnit { object, unit }.into());
                    }
                }
            });
            response.response.on_hover_text(t("inspector.file_unit_hint").into_owned());
        });
        let (height, is_height) = told_size_of(&rig.skeleton);
        let name = t(if is_height { "inspector.height" } else { "inspector.length" });
        labelled(ui, &name, |ui| {
            let shown = ctx.document.settings.length_unit;
            let range = [OwnUnit::RANGE.0, OwnUnit::RANGE.1].map(|unit| unit * height / rig.unit.metres());
            if height <= 0.0 || !range.iter().all(|end| end.is_finite()) {
                ui.label(length_text(height, ctx.document));
                return;
            }
            let field = DragField::new(&name, height / shown.metres()).unit(shown.symbol()).width(84.0);
            let field = field.speed(0.01 / shown.metres()).range(range[0] / shown.metres(), range[1] / shown.metres());
            let (response, edits) = field.show(ui);
            response.on_hover_text(
                t(if is_height { "inspector.height_hint" } else { "inspector.length_hint" }).into_owned(),
            );
            // What a figure is tall says how long the unit of its file is: both grow alike while the field is dragged.
            let longer = rig.unit.metres() / height;
            send(ctx, "history.height", edits, |typed| {
                let metres = typed * shown.metres() * longer;
                let unit =
                    LengthUnit::from_metres(metres).ok_or(EditError::BadNumber { what: "a height", value: typed })?;
                Ok(RigEdit::SetUnit { object, unit }.into())
            });
        });
        // Turned already, it goes back to how its file has it; what is upright by its file is not laid down.
        let turned = ctx.document.object(object).is_some_and(|object| stands_up(object.transform.rotation));
        if !turned && !could_stand(ui, ctx, object) {
            return;
        }
        labelled(ui, &t("inspector.up"), |ui| {
            let button = ui.button(t(if turned { "inspector.lie_down" } else { "command.stand_up" }).into_owned());
            if button.on_hover_text(t("command.stand_up_hint").into_owned()).clicked() {
                ctx.commands.run(CommandId::StandUp);
            }
        });
    });
}

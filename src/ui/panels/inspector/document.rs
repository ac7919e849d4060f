//! What holds for the whole document.

use super::{folding, labelled};
use crate::{edit::SettingsEdit, model::LengthUnit, text::t, ui::panel::PanelContext};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let shown = ctx.document.settings.length_unit;
    folding(ui, "inspector.document", |ui| {
        labelled(ui, &t("inspector.length_unit"), |ui| {
            ComboBox::from_id_salt("length unit").selected_text(shown.symbol()).width(72.0).show_ui(ui, |ui| {
                for unit in LengthUnit::ALL {
                    if ui.selectable_label(shown == unit, unit.symbol()).clicked() && shown != unit {
                        ctx.commands.apply("history.length_unit", SettingsEdit::SetLengthUnit(unit).into());
                    }
                }
            });
        });
    });
}

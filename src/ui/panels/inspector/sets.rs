//! Selection sets: selected by a click, changed, renamed, deleted.

use super::folding;
use crate::{
    command::CommandId,
    edit::RigEdit,
    model::{JointId, ObjectId, Target},
    style::{RIVALS, Rgba},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        theme::{ROW_PT, colour},
        widgets::IconButton,
    },
};
use egui::Ui;
use std::collections::BTreeSet;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    folding(ui, "poses.sets", |ui| {
        for (name, joints) in &rig.sets {
            ui.push_id(name, |ui| row(ui, ctx, object, name, joints));
        }
        let button = egui::Button::new(t("command.add_selection_set").into_owned());
        let has_joints = ctx.selection.joints(object).next().is_some();
        let button = ui.add_enabled(has_joints, button);
        if button.on_hover_text(t("command.add_selection_set_hint").into_owned()).clicked() {
            ctx.commands.run(CommandId::AddSelectionSet);
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, name: &str, joints: &BTreeSet<JointId>) {
    let selected: BTreeSet<JointId> = ctx.selection.joints(object).collect();
    ui.horizontal(|ui| {
        let text = fill("poses.select", &[("name", &name)]);
        if IconButton::new(Icon::Select, &text).selected(selected == *joints).show(ui).clicked() {
            select(ui, ctx, object, joints);
        }
        color(ui, ctx, object, name);
        let width = (ui.available_width() - 2.0 * (ROW_PT + ui.spacing().item_spacing.x)).max(60.0);
        let (_, renamed) = {
            let rig = ctx.document.object(object).and_then(|object| object.as_rig());
            let is_taken = |name: &str| rig.is_some_and(|rig| rig.sets.contains_key(name));
            name_field(ui, ctx, (&t("poses.set_name"), name, width), is_taken)
        };
        if let Some(to) = renamed {
            let edit = RigEdit::RenameSet { object, name: name.to_owned(), to };
            ctx.commands.apply("history.rename_set", edit.into());
        }
        ui.add_enabled_ui(!selected.is_empty() && selected != *joints, |ui| {
            let text = fill("poses.change", &[("name", &name)]);
            if IconButton::new(Icon::KeySet, &text).colour(ctx.colours.weak).show(ui).clicked() {
                let edit = RigEdit::SetJoints { object, name: name.to_owned(), joints: selected.clone() };
                ctx.commands.apply("history.change_set", edit.into());
            }
        });
        let text = fill("poses.delete", &[("name", &name)]);
        if IconButton::new(Icon::Delete, &text).colour(ctx.colours.weak).show(ui).clicked() {
            let edit = RigEdit::SetJoints { object, name: name.to_owned(), joints: BTreeSet::new() };
            ctx.commands.apply("history.delete_set", edit.into());
        }
    });
}

/// The colour that the joints of a set are drawn in.
fn color(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, name: &str) {
    let rig = ctx.document.object(object).and_then(|object| object.as_rig());
    let now = rig.and_then(|rig| rig.set_colors.get(name)).copied();
    let title = fill("poses.set_color", &[("name", &name)]);
    let swatch = |ui: &mut Ui, color: Option<[u8; 3]>, label: &str| {
        let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(18.0), egui::Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label));
        let inner = rect.shrink(3.0);
        let own = color.map(|[r, g, b]| colour(Rgba([r, g, b, 255])));
        ui.painter().rect_filled(inner, 3.0, own.unwrap_or(egui::Color32::TRANSPARENT));
        if own.is_none() {
            ui.painter().rect_stroke(inner, 3.0, (1.0, ui.visuals().weak_text_color()), egui::StrokeKind::Inside);
        }
        if response.hovered() || response.has_focus() {
            ui.painter().rect_stroke(rect, 3.0, (1.0, ui.visuals().text_color()), egui::StrokeKind::Inside);
        }
        response
    };
    let response = swatch(ui, now, &title);
    egui::Popup::menu(&response).show(|ui| {
        ui.horizontal(|ui| {
            let chosen = |ui: &mut Ui, number: usize, color: Option<[u8; 3]>| {
                let label = if color.is_some() {
                    fill("poses.color", &[("number", &number)])
                } else {
                    t("poses.no_color").into_owned()
                };
                swatch(ui, color, &label).on_hover_text(&label).clicked()
            };
            let offered = RIVALS.iter().map(|color| Some([color.0[0], color.0[1], color.0[2]]));
            for (number, color) in std::iter::once(None).chain(offered).enumerate() {
                if chosen(ui, number, color) {
                    let edit = RigEdit::SetColor { object, name: name.to_owned(), color };
                    ctx.commands.apply("history.set_color", edit.into());
                    ui.close();
                }
            }
        });
    });
    response.on_hover_text(title);
}

/// Selects the joints of a set, with Shift beside what is selected.
fn select(ui: &Ui, ctx: &PanelContext<'_>, object: ObjectId, joints: &BTreeSet<JointId>) {
    let mut selection = ctx.selection.clone();
    if !ui.input(|input| input.modifiers.shift) {
        selection.clear_targets();
    }
    joints.iter().for_each(|joint| selection.insert(Target::Joint(object, *joint)));
    ctx.commands.select(selection);
}

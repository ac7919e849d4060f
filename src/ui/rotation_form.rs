//! The form a rotation is held in: offered as a menu, changed as one step that says what it costs.

use super::panel::PanelContext;
use crate::{
    command::{Command, CommandId},
    edit::rotation_form::rotation_form,
    math::EulerOrder,
    model::{ChannelPath, Property, RotationMode, Target},
    notice::Notice,
    text::{fill, t},
    ui::widgets::drag_field::number_text,
};
use egui::Ui;

/// The forms with the commands that ask for them, in the order they are offered.
const FORMS: [(CommandId, RotationMode); 7] = [
    (CommandId::RotationAsXyz, RotationMode::Euler(EulerOrder::Xyz)),
    (CommandId::RotationAsXzy, RotationMode::Euler(EulerOrder::Xzy)),
    (CommandId::RotationAsYxz, RotationMode::Euler(EulerOrder::Yxz)),
    (CommandId::RotationAsYzx, RotationMode::Euler(EulerOrder::Yzx)),
    (CommandId::RotationAsZxy, RotationMode::Euler(EulerOrder::Zxy)),
    (CommandId::RotationAsZyx, RotationMode::Euler(EulerOrder::Zyx)),
    (CommandId::RotationAsQuaternion, RotationMode::Quaternion),
];

/// The form a command asks for.
#[must_use]
pub fn form_of(command: CommandId) -> Option<RotationMode> {
    FORMS.iter().find(|(id, _)| *id == command).map(|(_, mode)| *mode)
}

/// From which deviation before and after the keys on it is told, radians.
const BEYOND_TOLD: f64 = 1e-4;

fn name(mode: RotationMode) -> String {
    let id = FORMS.iter().find(|(_, other)| *other == mode).map(|(id, _)| *id);
    id.map_or_else(String::new, |id| t(&format!("graph.{}", id.name())).into_owned())
}

/// A menu of the forms, the present one marked; what is clicked is done to the targets.
pub fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, targets: &[Target]) {
    let present = targets.first().and_then(|target| ctx.document.rotation_mode(*target));
    for (_, mode) in FORMS {
        if ui.selectable_label(present == Some(mode), name(mode)).clicked() {
            convert(ctx, targets, mode);
            ui.close();
        }
    }
}

/// [`menu`] behind a button that shows the present form.
pub fn menu_button(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let Some(present) = ctx.document.rotation_mode(target) else { return };
    let button = ui.menu_button(name(present), |ui| menu(ui, ctx, &[target]));
    button.response.on_hover_text(t("graph.rotation_form_hint").into_owned());
}

/// Gives targets' rotations another form, in all clips, as one step, and tells by how much the motion differs.
pub fn convert(ctx: &PanelContext<'_>, targets: &[Target], mode: RotationMode) {
    let turning: Vec<Target> =
        targets.iter().copied().filter(|target| ctx.document.rotation_mode(*target).is_some()).collect();
    if turning.is_empty() {
        ctx.commands.send(Command::Tell(Notice::warn(t("graph.rotation_form_none"))));
        return;
    }
    let Some((edit, report)) = rotation_form(ctx.document, &turning, mode) else {
        ctx.commands.send(Command::Tell(Notice::info(t("graph.rotation_form_same"))));
        return;
    };
    ctx.commands.apply("history.rotation_form", edit);
    let by = number_text(report.error.to_degrees(), 4);
    let mut text = fill("graph.rotation_form_done", &[("form", &name(mode)), ("by", &by)]);
    let counts = [("added", report.added), ("kept", report.kept), ("baked", report.baked), ("gone", report.gone)];
    for (what, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        text.push_str(&fill(&format!("graph.rotation_form_{what}"), &[("count", &count)]));
    }
    let beyond = report.beyond > BEYOND_TOLD;
    if beyond {
        let by = number_text(report.beyond.to_degrees(), 2);
        text.push_str(&fill("graph.rotation_form_beyond", &[("by", &by)]));
    }
    let counted = |path: ChannelPath| path.property == Property::Rotation && turning.contains(&path.target);
    let drivers = ctx.document.objects.values().flat_map(|object| &object.drivers);
    let drivers = drivers.filter(|driver| counted(driver.driven) || counted(driver.source)).count();
    if drivers > 0 {
        text.push_str(&fill("graph.rotation_form_drivers", &[("count", &drivers)]));
    }
    let warn = report.lost_turns > 0.0 || drivers > 0 || report.baked > 0 || beyond;
    if report.lost_turns > 0.0 {
        text.push_str(&fill("graph.rotation_form_lost", &[("count", &report.lost_turns)]));
    }
    ctx.commands.send(Command::Tell(if warn { Notice::warn(text) } else { Notice::info(text) }));
}

//! The pose library: poses brought on by dragging, renamed, deleted.

use super::{folding, send};
use crate::{
    command::CommandId,
    edit::{Edit, EditError, PoseEdit, PoseTarget},
    model::{ObjectId, Pose, PoseId, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        theme::ROW_PT,
        widgets::{DragField, FieldEdit, IconButton, text_field},
    },
};
use egui::Ui;
use std::collections::BTreeSet;

/// How much of a pose is on while its field is dragged, percent.
#[derive(Clone, Copy, Debug)]
struct Amount(f64);

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    if ctx.document.object(object).and_then(|object| object.as_rig()).is_none() {
        return;
    }
    folding(ui, "poses.library", |ui| {
        for (id, pose) in ctx.document.poses.iter() {
            ui.push_id(id, |ui| row(ui, ctx, object, *id, pose));
        }
        let button = ui.button(t("command.add_pose").into_owned());
        if button.on_hover_text(t("command.add_pose_hint").into_owned()).clicked() {
            ctx.commands.run(CommandId::AddPose);
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, id: PoseId, pose: &Pose) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - ROW_PT - 88.0).max(60.0);
        let (_, renamed) = text_field(ui, &t("poses.name"), &pose.name, width);
        if let Some(name) = renamed.filter(|name| !name.trim().is_empty()) {
            ctx.commands
                .apply("history.rename_pose", PoseEdit::Rename { pose: id, name: name.trim().to_owned() }.into());
        }
        let name = fill("poses.apply", &[("name", &pose.name)]);
        let kept = ui.scope_id().with("amount");
        let amount = ui.data(|data| data.get_temp::<Amount>(kept)).filter(|_| ctx.session.in_gesture());
        let field = DragField::new(&name, amount.map_or(0.0, |amount| amount.0)).decimals(0).speed(0.5).unit("%");
        let (response, edits) = field.range(-100.0, 200.0).width(72.0).show(ui);
        response.on_hover_text(t("poses.apply_hint").into_owned());
        for edit in &edits {
            ui.data_mut(|data| match edit {
                FieldEdit::Change(percent) => {
                    data.insert_temp(kept, Amount(*percent));
                }
                _ => data.remove::<Amount>(kept),
            });
        }
        send(ctx, "history.apply_pose", edits, |percent| apply(ctx, object, pose, percent / 100.0));
        let name = fill("poses.delete", &[("name", &pose.name)]);
        if IconButton::new(Icon::Delete, &name).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.delete_pose", PoseEdit::Delete { pose: id }.into());
        }
    });
}

/// The edit that brings a share of a pose on, from the document as it was when the gesture began.
fn apply(ctx: &PanelContext<'_>, object: ObjectId, pose: &Pose, amount: f64) -> Result<Edit, EditError> {
    let (document, secs, auto_key) = (ctx.session.base(), ctx.view.secs, ctx.view.auto_key);
    let frame = ctx.evaluator.frame(document, secs);
    let Some(rig) = frame.rig(object) else { return Ok(Edit::none()) };
    // The object itself stands for all its joints.
    let is_whole = ctx.selection.contains(Target::Object(object));
    let only = if is_whole { BTreeSet::new() } else { ctx.selection.joints(object).collect() };
    let clip = document.clip_of(object);
    let correction = ctx.selection.correction.filter(|(of, _)| Some(*of) == clip).map(|(_, id)| id);
    let target = PoseTarget { document, object, secs, present: &rig.local, only: &only, auto_key, correction };
    target.blend(pose, amount)
}

//! The commands that the 3D view carries out.

use super::{ViewportPanel, carry_out, shown};
use crate::{
    command::{Command, CommandId},
    eval::limbs::foot::FootPivot,
    interact::{
        camera::ViewDirection,
        selecting::{self, Step},
        trails::toggled,
        view_state::ViewChange,
        viewport_desk::{framing_all, framing_selected},
        viewport_tools::Grab,
    },
    model::Target,
    notice::Notice,
    text::t,
    ui::panel::PanelContext,
};

impl ViewportPanel {
    /// Carries out a command of the table.
    pub(super) fn carry_out_command(&mut self, command: CommandId, ctx: &PanelContext<'_>) {
        let now = shown(ctx, self.size, &self.trails);
        let camera = ctx.view.camera;
        let (document, selection) = (ctx.document, ctx.selection);
        let is_shown = |id| now.is_shown(id);
        let figures = &mut self.figures;
        let mut parts = |document: &_, frame: &_| figures.part_shapes(document, frame, is_shown);
        let moved = match command {
            CommandId::FrameAll => Some(framing_all(&now, ctx.evaluator, &mut parts)),
            CommandId::FrameSelected => Some(framing_selected(&now, &mut parts)),
            CommandId::ViewFront => Some(camera.along(ViewDirection::Front)),
            CommandId::ViewBack => Some(camera.along(ViewDirection::Back)),
            CommandId::ViewRight => Some(camera.along(ViewDirection::Right)),
            CommandId::ViewLeft => Some(camera.along(ViewDirection::Left)),
            CommandId::ViewTop => Some(camera.along(ViewDirection::Top)),
            CommandId::ViewBottom => Some(camera.along(ViewDirection::Bottom)),
            CommandId::TogglePerspective => Some(camera.with_toggled_projection()),
            _ => None,
        };
        if let Some(camera) = moved {
            ctx.commands.view(ViewChange::Camera(camera));
            return;
        }
        if command == CommandId::ToggleTrail {
            self.toggle_trail(ctx);
            return;
        }
        let selected = match command {
            CommandId::SelectAll => Some(selecting::all(document, selection, is_shown)),
            CommandId::SelectNone => Some(selecting::none(selection)),
            CommandId::SelectInvert => Some(selecting::inverted(document, selection, is_shown)),
            CommandId::SelectParent => Some(selecting::stepped(document, selection, Step::Parent, false)),
            CommandId::SelectChild => Some(selecting::stepped(document, selection, Step::Child, false)),
            CommandId::ExtendParent => Some(selecting::stepped(document, selection, Step::Parent, true)),
            CommandId::ExtendChild => Some(selecting::stepped(document, selection, Step::Child, true)),
            _ => None,
        };
        if let Some(selection) = selected {
            ctx.commands.select(selection);
            return;
        }
        let grab = match command {
            CommandId::BoxSelect => Grab::Box,
            CommandId::GrabMove => Grab::Move,
            CommandId::GrabRotate => Grab::Rotate,
            CommandId::GrabScale => Grab::Scale,
            CommandId::GrabExtrude => Grab::Extrude,
            CommandId::RollHeel => Grab::Roll(FootPivot::Heel),
            CommandId::RollBall => Grab::Roll(FootPivot::Ball),
            CommandId::RollToe => Grab::Roll(FootPivot::Toe),
            _ => return,
        };
        let output = self.desk.begin(grab, &now, &mut parts);
        if grab == Grab::Extrude && output.gestures.is_empty() {
            let why = if ctx.view.rest.on { "rest.no_joint" } else { "rest.first" };
            ctx.commands.send(Command::Tell(Notice::info(t(why))));
        }
        carry_out(output, ctx);
    }

    /// Shows or hides the trail of the joint under the pointer, else those of the selected joints.
    fn toggle_trail(&self, ctx: &PanelContext<'_>) {
        let of = |target: &Target| Some((target.object(), target.joint()?));
        let joints: Vec<_> = match self.over.as_ref().and_then(of) {
            Some(joint) => vec![joint],
            None => ctx.selection.targets.iter().filter_map(of).collect(),
        };
        if joints.is_empty() {
            ctx.commands.send(Command::Tell(Notice::info(t("trails.no_joint"))));
        } else {
            ctx.commands.view(ViewChange::Trailed(toggled(&ctx.view.trailed, &joints)));
        }
    }
}

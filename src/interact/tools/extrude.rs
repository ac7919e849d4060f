//! Growing a joint out of the active one: a key begins it, the pointer or typed numbers say how far, a click makes it so.

use super::{
    movement::Movement,
    rest_write::grown_edit,
    steering::{Begun, Steer},
    subject::Subject,
};
use crate::{
    edit::{Gesture, Selection, skeleton::free_name},
    interact::{
        input::{Event, ScreenPos},
        overlay::{Ink, Overlay},
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::Affine,
    model::{JointId, ObjectId, Target},
};

/// The text key of a growth in the history.
const LABEL: &str = "history.extrude";

/// A growth that is running.
#[derive(Clone, Debug)]
struct Run {
    movement: Movement,
    object: ObjectId,
    parent: JointId,
    /// From the parent's space to the world.
    world: Affine,
    name: String,
    /// The id that the new joint will have.
    fresh: JointId,
}

/// Grows a joint out of the active one until it is confirmed; only while the rest pose is edited.
#[derive(Clone, Debug)]
pub struct Extrude {
    run: Option<Run>,
}

impl Extrude {
    /// Begins with the pointer at a place; none where no joint is active or the rest pose is not edited.
    #[must_use]
    pub fn begin(at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        ctx.rest?;
        let Target::Joint(object, parent) = ctx.selection.active? else { return None };
        let subject = Subject::in_hand(ctx, Target::Joint(object, parent))?;
        let skeleton = &ctx.document.object(object)?.as_rig()?.skeleton;
        let world = subject.world();
        let unit = ctx.document.settings.length_unit;
        let movement = Movement::new(Begun::ByKey, at, world.translation, |space| subject.axes(space), unit);
        let movement = movement.of(world.translation, ctx.drag.to_grid);
        let (name, fresh) = (free_name(skeleton, parent), skeleton.fresh_id());
        let run = Run { movement, object, parent, world, name, fresh };
        Some((Self { run: Some(run) }, ToolOutput::gesture(Gesture::Begin { label: LABEL })))
    }
}

impl Tool for Extrude {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let (Some(run), Some(rest)) = (&mut self.run, ctx.rest) else { return ToolOutput::IGNORED };
        let steer = run.movement.steer(event);
        let (mut output, ended) = ToolOutput::of_steer(steer, |_| {
            let by = run.movement.displacement(ctx.view);
            let offset = run.world.try_inverse().map(|inverse| inverse.vector(&by)).unwrap_or_default();
            Ok(grown_edit(ctx.document, (run.object, run.parent), &run.name, offset, rest))
        });
        if ended {
            if steer == Steer::Confirmed {
                output.selection = Some(Selection::single(Target::Joint(run.object, run.fresh)));
            }
            self.run = None;
        }
        output
    }

    fn cancel(&mut self) -> ToolOutput {
        if self.run.take().is_some() { ToolOutput::gesture(Gesture::Cancel) } else { ToolOutput::IGNORED }
    }

    fn is_busy(&self) -> bool {
        self.run.is_some()
    }

    fn gesture(&self) -> Option<&'static str> {
        self.run.as_ref().map(|_| LABEL)
    }

    fn is_modal(&self) -> bool {
        true
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let Some(run) = &self.run else { return Look::default() };
        let mut overlay = Overlay::default();
        let (from, by) = (run.world.translation, run.movement.displacement(ctx.view));
        if let Some([a, b]) = ctx.view.project_segment(&from, &(from + by)) {
            overlay.line(a, b, Ink::Selected);
        }
        run.movement.draw(&mut overlay, ctx.view);
        let readout = run.movement.readout_in(ctx.view);
        Look { overlay, cursor: Cursor::Grabbing, hint: "hint.extruding", readout, ..Look::default() }
    }
}

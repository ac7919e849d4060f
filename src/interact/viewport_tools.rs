//! The tools of the 3D view together: navigation first, then what a key began, then trails, then the tool in hand.

use super::{
    camera::OrbitCamera,
    input::{Button, Event, PointerKind},
    tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    tools::{
        drag_limb::DragLimbTool,
        draw_path::DrawPathTool,
        extrude::Extrude,
        mask::MaskTool,
        move_joint::{GrabMove, MoveTool},
        navigate::{Motion, Navigate},
        paint_mask::PaintMaskTool,
        paint_weights::PaintWeightsTool,
        pull::PullTool,
        roll_foot::{self, RollFoot},
        rotate_joint::{GrabRotate, RotateTool},
        scaling::GrabScale,
        select::{BoxSelect, SelectTool},
        trail::TrailTool,
    },
    view_state::{Profile, ToolId},
};
use crate::{eval::limbs::foot::FootPivot, math::Vec3};

/// What a key begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grab {
    /// Selecting by a box.
    Box,
    /// Moving.
    Move,
    /// Turning.
    Rotate,
    /// Making larger or smaller.
    Scale,
    /// Growing a joint out of the active one.
    Extrude,
    /// Rolling the active foot.
    Roll(FootPivot),
}

/// What came of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handled {
    /// What a tool asks for.
    pub output: ToolOutput,
    /// The camera from now on.
    pub camera: Option<OrbitCamera>,
}

/// All tools of one 3D view.
pub struct ViewportTools {
    navigate: Navigate,
    id: ToolId,
    tool: Box<dyn Tool>,
    grab: Option<Box<dyn Tool>>,
    trail: TrailTool,
}

impl std::fmt::Debug for ViewportTools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewportTools").field("navigate", &self.navigate).field("id", &self.id).finish_non_exhaustive()
    }
}

impl Default for ViewportTools {
    fn default() -> Self {
        let id = ToolId::default();
        Self { navigate: Navigate::default(), id, tool: made(id), grab: None, trail: TrailTool::default() }
    }
}

fn made(id: ToolId) -> Box<dyn Tool> {
    match id {
        ToolId::Select => Box::<SelectTool>::default(),
        ToolId::DragLimb => Box::<DragLimbTool>::default(),
        ToolId::Move => Box::<MoveTool>::default(),
        ToolId::Rotate => Box::<RotateTool>::default(),
        ToolId::DrawPath => Box::<DrawPathTool>::default(),
        ToolId::Pull => Box::<PullTool>::default(),
        ToolId::Mask => Box::<MaskTool>::default(),
        ToolId::PaintMask => Box::<PaintMaskTool>::default(),
        ToolId::PaintWeights => Box::<PaintWeightsTool>::default(),
    }
}

impl ViewportTools {
    /// Takes a tool in hand. What was running is dropped.
    pub fn take_in_hand(&mut self, id: ToolId) -> ToolOutput {
        if id == self.id {
            return ToolOutput::IGNORED;
        }
        let output = self.cancel();
        (self.id, self.tool) = (id, made(id));
        output
    }

    /// Begins what a key asks for with the pointer where it is, or in the middle of the panel. Nothing where nothing can
    /// move.
    pub fn begin(&mut self, grab: Grab, ctx: &ToolContext<'_>) -> ToolOutput {
        let mut output = self.cancel();
        let size = ctx.view.size();
        let at = ctx.pointer.unwrap_or([size[0] / 2.0, size[1] / 2.0]);
        let begun: Option<(Box<dyn Tool>, ToolOutput)> = match grab {
            Grab::Box => Some((Box::<BoxSelect>::default(), ToolOutput::taken())),
            Grab::Move => GrabMove::begin(at, ctx).map(|(tool, output)| (Box::new(tool) as Box<dyn Tool>, output)),
            Grab::Extrude => Extrude::begin(at, ctx).map(|(tool, output)| (Box::new(tool) as Box<dyn Tool>, output)),
            Grab::Roll(pivot) => {
                RollFoot::begin(pivot, at, ctx).map(|(tool, output)| (Box::new(tool) as Box<dyn Tool>, output))
            }
            Grab::Scale => GrabScale::begin(at, ctx).map(|(tool, output)| (Box::new(tool) as Box<dyn Tool>, output)),
            Grab::Rotate => GrabRotate::begin(at, ctx).map(|(tool, output)| (Box::new(tool) as Box<dyn Tool>, output)),
        };
        if let Some((tool, began)) = begun {
            self.grab = Some(tool);
            output.append(began);
        }
        output
    }

    /// Handles an event. While a movement runs the camera stands; one that was `carried` so far, metres, goes on from where
    /// it is carried to during a drag.
    pub fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>, profile: Profile, carried: Vec3) -> Handled {
        if !self.is_tool_busy() {
            let own = ctx.view.camera().carried(-carried);
            let navigated = self.navigate.handle(event, &own, ctx.view.size(), profile);
            if navigated.taken {
                let camera = navigated.camera.map(|camera| camera.carried(carried));
                return Handled { output: ToolOutput::taken(), camera };
            }
        }
        // The handles of a foot lie over what the tool in hand would take.
        if let Some((tool, output)) = self.pressed_handle(event, ctx) {
            self.grab = Some(Box::new(tool));
            return Handled { output, camera: None };
        }
        let output = match &mut self.grab {
            Some(grab) => {
                let output = grab.handle(event, ctx);
                if !grab.is_busy() {
                    self.grab = None;
                }
                output
            }
            None => self.in_hand(event, ctx),
        };
        Handled { output, camera: None }
    }

    fn pressed_handle(&self, event: &Event, ctx: &ToolContext<'_>) -> Option<(RollFoot, ToolOutput)> {
        let Event::Pointer(pointer) = event else { return None };
        let plain = !pointer.modifiers.ctrl && !pointer.modifiers.shift && !pointer.modifiers.alt;
        let pressed = pointer.kind == PointerKind::Press(Button::Primary) && plain && !self.is_tool_busy();
        pressed.then(|| RollFoot::press(pointer.pos, ctx)).flatten()
    }

    /// A dot of a trail comes before what the tool in hand would do there.
    fn in_hand(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        if !self.tool.is_busy() && (self.trail.is_busy() || !ctx.trails.is_empty()) {
            let output = self.trail.handle(event, ctx);
            if output.taken {
                return output;
            }
        }
        self.tool.handle(event, ctx)
    }

    /// Drops what is running, the camera's movement too (which stays where it is).
    pub fn cancel(&mut self) -> ToolOutput {
        self.navigate = Navigate::default();
        match self.grab.take() {
            Some(mut grab) => grab.cancel(),
            None if self.trail.is_busy() => self.trail.cancel(),
            None => self.tool.cancel(),
        }
    }

    /// Whether a tool is in the middle of something.
    #[must_use]
    pub fn is_tool_busy(&self) -> bool {
        self.grab.is_some() || self.trail.is_busy() || self.tool.is_busy()
    }

    /// Whether anything is in the middle of something: then plain keys belong to it.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.is_tool_busy() || self.navigate.motion().is_some()
    }

    /// The label of the session's gesture that is the tools'.
    #[must_use]
    pub fn gesture(&self) -> Option<&'static str> {
        match &self.grab {
            Some(grab) => grab.gesture(),
            None => self.trail.gesture().or_else(|| self.tool.gesture()),
        }
    }

    /// Whether something follows the pointer wherever it goes, until a click or a key ends it.
    #[must_use]
    pub fn is_modal(&self) -> bool {
        self.grab.as_ref().is_some_and(|grab| grab.is_modal())
    }

    /// How it looks, for what is shown.
    #[must_use]
    pub fn look(&self, ctx: &ToolContext<'_>) -> Look {
        if let Some(motion) = self.navigate.motion() {
            let hint = match motion {
                Motion::Orbit => "hint.orbit",
                Motion::Pan => "hint.pan",
                Motion::Dolly => "hint.dolly",
            };
            // The gizmo stays; nothing is under a pointer that turns the view.
            return Look { hint, cursor: Cursor::Grabbing, hovered: None, ..self.tool.look(ctx) };
        }
        match &self.grab {
            Some(grab) => Look { gizmo: None, ..grab.look(ctx) },
            None if self.trail.is_busy() || (!self.tool.is_busy() && self.trail.is_over(ctx)) => self.trail.look(ctx),
            None => {
                let mut look = self.tool.look(ctx);
                if !self.tool.is_busy() && roll_foot::draw(ctx, &mut look.overlay).is_some() {
                    (look.hovered, look.cursor, look.hint) = (None, Cursor::Grab, "hint.roll_over");
                }
                look
            }
        }
    }
}

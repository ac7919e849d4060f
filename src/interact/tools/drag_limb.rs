//! Grabbing a hand, a foot, a head, the hips, any joint or part of the mannequin: the limb follows the pointer.

use super::{
    drag_spot::SpotDrag,
    limb::{LimbGrab, LimbPose},
    movement::Movement,
    select::Picker,
    steering::Begun,
    subject::Subject,
};
use crate::{
    edit::{Edit, EditError, Gesture, Selection},
    interact::{
        input::{Button, Event, Key, PointerEvent, PointerKind, ScreenPos, is_drag},
        overlay::Overlay,
        picking::{Hit, SpotPart},
        projection::View,
        tool::{Cursor, Hovered, Look, Tool, ToolContext, ToolOutput},
    },
    model::{JointId, ObjectId, Target},
};

/// The text key of a drag in the history.
const LABEL: &str = "history.drag_limb";
/// The text key of a drag of a point or an object without a body.
const SPOT_LABEL: &str = "history.move";

/// A drag that is running: a grabbed joint led by a movement.
#[derive(Clone, Debug)]
pub(super) struct LimbDrag {
    movement: Movement,
    grab: LimbGrab,
    /// What the last event gave, for drawing.
    pose: Option<LimbPose>,
}

impl LimbDrag {
    /// Grabs a joint at a point of the world with the pointer at a place. None where it is no joint that can be dragged.
    pub(super) fn new(
        begun: Begun,
        at: ScreenPos,
        target: Target,
        point: Option<crate::math::Vec3>,
        ctx: &ToolContext<'_>,
    ) -> Option<Self> {
        let grab = LimbGrab::new(ctx, target)?;
        let origin = point.unwrap_or(grab.start());
        // A tip has the axes of the joint it belongs to.
        let axes = Subject::new(ctx.document, ctx.frame, Target::Joint(grab.object(), grab.axes_of()))?;
        let unit = ctx.document.settings.length_unit;
        let movement = Movement::new(begun, at, origin, |space| axes.axes(space), unit);
        let movement = movement.of(grab.start(), ctx.drag.to_grid);
        Some(Self { movement, grab, pose: None })
    }

    /// The same drag, led by a part of a gizmo.
    pub(super) fn by_handle(
        mut self,
        gizmo: crate::interact::gizmo::Gizmo,
        handle: crate::interact::gizmo::Handle,
    ) -> Self {
        self.movement = self.movement.by_handle(gizmo, handle);
        self
    }

    /// Passes an event on; what is asked for, and whether the drag has ended.
    pub(super) fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> (ToolOutput, bool) {
        let steer = self.movement.steer(event);
        ToolOutput::of_steer(steer, |live| self.edit(ctx, live))
    }

    fn edit(&mut self, ctx: &ToolContext<'_>, live: bool) -> Result<Edit, EditError> {
        let target = self.grab.start() + self.movement.displacement(ctx.view);
        let pose = self.grab.solve(&target, self.movement.is_typed(), self.movement.parts());
        let edit = self.grab.edit(&pose, ctx, self.movement.parts(), live);
        self.pose = Some(pose);
        edit
    }

    /// The limb's reach, the held axis, the gap.
    pub(super) fn draw(&self, overlay: &mut Overlay, view: &View) {
        if let Some(pose) = &self.pose {
            pose.draw(overlay, view);
        }
        self.movement.draw(overlay, view);
    }

    /// How far, in numbers.
    pub(super) fn readout(&self, view: &View) -> String {
        self.movement.readout_in(view)
    }

    /// Which joint is dragged.
    pub(super) fn target(&self) -> Target {
        Target::Joint(self.grab.object(), self.grab.axes_of())
    }
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Pressed {
        hit: Hit,
        at: ScreenPos,
    },
    Dragging(Box<LimbDrag>),
    Moving {
        drag: Box<SpotDrag>,
        target: Target,
    },
}

/// The tool: a click selects, a drag poses, a drag on empty ground selects by box.
#[derive(Clone, Debug, Default)]
pub struct DragLimbTool {
    picker: Picker,
    state: State,
}

impl DragLimbTool {
    fn press(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>) -> ToolOutput {
        let plain = !event.modifiers.ctrl && !event.modifiers.shift;
        let hits = ctx.scene.hits(ctx.view, event.pos, &ctx.selection.targets);
        match hits.first().filter(|_| plain) {
            Some(hit) => {
                self.state = State::Pressed { hit: *hit, at: event.pos };
                ToolOutput::taken()
            }
            None => self.picker.handle(event, ctx),
        }
    }

    fn begin(&mut self, hit: &Hit, at: ScreenPos, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        if let Some(spot) = hit.spot {
            return self.begin_spot(hit, spot, at, event, ctx);
        }
        if let Some(target) = chain_of(ctx, (hit.object, hit.dragged)) {
            return self.begin_spot(hit, (target, SpotPart::Body), at, event, ctx);
        }
        if let Some(refused) = held_by_constraint(ctx, (hit.object, hit.dragged)) {
            self.state = State::Idle;
            return ToolOutput { refused: Some(refused), ..ToolOutput::taken() };
        }
        let dragged = Target::Joint(hit.object, hit.dragged);
        let Some(drag) = LimbDrag::new(Begun::ByPress, at, dragged, Some(hit.point), ctx) else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        self.state = State::Dragging(Box::new(drag));
        let mut output = ToolOutput::gesture(Gesture::Begin { label: LABEL });
        if !ctx.selection.contains(hit.target()) {
            let mut selection = Selection { correction: ctx.selection.correction, ..Selection::default() };
            selection.insert(hit.target());
            output.selection = Some(selection);
        }
        output.append(self.run(event, ctx));
        output
    }

    fn begin_spot(
        &mut self,
        hit: &Hit,
        spot: (Target, SpotPart),
        at: ScreenPos,
        event: &Event,
        ctx: &ToolContext<'_>,
    ) -> ToolOutput {
        let Some(drag) = SpotDrag::new(Begun::ByPress, at, spot, hit.point, ctx) else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        self.state = State::Moving { drag: Box::new(drag), target: spot.0 };
        let mut output = ToolOutput::gesture(Gesture::Begin { label: SPOT_LABEL });
        if !ctx.selection.contains(spot.0) {
            output.selection = Some(Selection::single(spot.0));
        }
        output.append(self.run(event, ctx));
        output
    }

    fn run(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let (output, ended) = match &mut self.state {
            State::Dragging(drag) => drag.handle(event, ctx),
            State::Moving { drag, .. } => drag.handle(event, ctx),
            _ => return ToolOutput::IGNORED,
        };
        if ended {
            self.state = State::Idle;
        }
        output
    }
}

/// The target of the IK chain that a joint reaches with, where one acts: dragging the joint moves it.
fn chain_of(ctx: &ToolContext<'_>, (object, joint): (ObjectId, JointId)) -> Option<Target> {
    let index = ctx.document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
    let mut own = ctx.frame.chains.iter().filter(|chain| chain.object == object && chain.weight > 0.0);
    let chain = own.rfind(|chain| chain.end == index)?;
    Some(Target::Constraint(object, chain.constraint))
}

/// Why a joint cannot be dragged, where a constraint says where it is.
fn held_by_constraint(ctx: &ToolContext<'_>, (object, joint): (ObjectId, JointId)) -> Option<EditError> {
    let constraints = &ctx.document.object(object)?.constraints;
    let holds = constraints.iter().any(|it| it.joint == Some(joint) && !it.muted && it.sets_place());
    holds.then_some(EditError::HeldByConstraint(object, joint))
}

impl Tool for DragLimbTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&self.state, event) {
            (State::Dragging(_) | State::Moving { .. }, _) => self.run(event, ctx),
            (State::Pressed { hit, at }, Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move if is_drag(*at, pointer.pos) => {
                    let (hit, at) = (*hit, *at);
                    self.begin(&hit, at, event, ctx)
                }
                PointerKind::Release(Button::Primary) => {
                    let at = *at;
                    self.state = State::Idle;
                    self.picker.click(at, pointer.modifiers, ctx)
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            (State::Pressed { .. }, Event::Key(key)) if key.key == Key::Escape => self.cancel(),
            (State::Idle, Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Press(Button::Primary) if !self.picker.is_busy() => self.press(pointer, ctx),
                _ => self.picker.handle(pointer, ctx),
            },
            (State::Idle, Event::Key(key)) if key.key == Key::Escape => self.picker.cancel(),
            _ => ToolOutput::IGNORED,
        }
    }

    fn cancel(&mut self) -> ToolOutput {
        match std::mem::take(&mut self.state) {
            State::Idle => self.picker.cancel(),
            State::Pressed { .. } => ToolOutput::taken(),
            State::Dragging(_) | State::Moving { .. } => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle) || self.picker.is_busy()
    }

    fn gesture(&self) -> Option<&'static str> {
        match self.state {
            State::Dragging(_) => Some(LABEL),
            State::Moving { .. } => Some(SPOT_LABEL),
            _ => None,
        }
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        match &self.state {
            State::Dragging(drag) => {
                let mut overlay = Overlay::default();
                drag.draw(&mut overlay, ctx.view);
                let hovered = Some(Hovered::Target(drag.target()));
                let readout = drag.readout(ctx.view);
                Look { overlay, gizmo: None, hovered, cursor: Cursor::Grabbing, hint: "hint.dragging", readout }
            }
            State::Moving { drag, target } => {
                let mut overlay = Overlay::default();
                drag.draw(&mut overlay, ctx.view);
                let hovered = Some(Hovered::Target(*target));
                Look { overlay, hovered, cursor: Cursor::Grabbing, hint: "hint.moving", ..Look::default() }
            }
            State::Pressed { hit, .. } => Look {
                hovered: Some(Hovered::Target(hit.target())),
                cursor: Cursor::Grabbing,
                hint: "hint.drag_over",
                ..Look::default()
            },
            State::Idle => {
                let hovered = self.picker.hovered(ctx);
                let (cursor, hint) = match hovered {
                    _ if self.picker.is_boxing() => (Cursor::Cross, self.picker.hint().unwrap_or("hint.drag")),
                    Some(_) => (Cursor::Grab, "hint.drag_over"),
                    None => (Cursor::Default, "hint.drag"),
                };
                let hovered = hovered.map(Hovered::Target);
                Look { overlay: self.picker.overlay(ctx), hovered, cursor, hint, ..Look::default() }
            }
        }
    }
}

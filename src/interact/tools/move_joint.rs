//! Moving the selection: by the arrows of a gizmo, or after a key by the pointer alone.
//!
//! Objects and the roots of rigs are moved as they are. Any other joint hangs on its parent and cannot move by itself: its
//! limb follows by inverse kinematics, as when it is dragged. At rest every joint is moved as it is.

use super::{
    drag_limb::LimbDrag,
    drag_spot::{Follower, SpotDrag},
    movement::Movement,
    points,
    pose_write::{hint_of, write_with},
    rotate_joint::{gizmo, gizmo_look},
    select::Picker,
    steering::Begun,
    subject::Subject,
};
use crate::{
    edit::{Gesture, skeleton::Carry},
    interact::{
        gizmo::{Gizmo, GizmoKind, Handle},
        input::{Button, Event, Key, PointerEvent, PointerKind, ScreenPos, is_drag},
        overlay::Overlay,
        picking::SpotPart,
        tool::{Cursor, Hovered, Look, Tool, ToolContext, ToolOutput},
    },
    math::{Transform, Vec3},
    model::{Property, Target},
};

/// The text key of a movement in the history.
const LABEL: &str = "history.move";

/// A movement that is running.
#[derive(Clone, Debug)]
enum Run {
    /// Of things that move by themselves.
    Free { movement: Box<Movement>, subjects: Vec<Subject>, children: Carry },
    /// Of a joint whose limb follows.
    Limb(Box<LimbDrag>),
    /// Of a follower, along its path.
    Along(Box<SpotDrag>),
}

impl Run {
    /// A movement of the selection; none where nothing in it can move.
    fn new(begun: Begun, at: ScreenPos, led_by: Option<(Gizmo, Handle)>, ctx: &ToolContext<'_>) -> Option<Self> {
        let all = Subject::selected(ctx);
        if let [only] = all.as_slice()
            && led_by.is_none()
            && Follower::of(ctx, only.target).is_some()
        {
            let at_world = ctx.frame.objects.get(&only.target.object())?.world.translation;
            let drag = SpotDrag::new(begun, at, (only.target, SpotPart::Body), at_world, ctx)?;
            return Some(Self::Along(Box::new(drag)));
        }
        if ctx.rest.is_some_and(|rest| rest.children == Carry::Behind) {
            return Self::free(begun, at, led_by, (all, Carry::Behind), ctx);
        }
        let carried = |subject: &Subject| all.iter().any(|other| subject.is_carried_by(ctx.document, other.target));
        let subjects: Vec<Subject> =
            all.iter().filter(|subject| moves_by_itself(ctx, subject.target) && !carried(subject)).cloned().collect();
        if !subjects.is_empty() {
            return Self::free(begun, at, led_by, (subjects, Carry::Along), ctx);
        }
        let drag = LimbDrag::new(begun, at, all.first()?.target, None, ctx)?;
        Some(Self::Limb(Box::new(match led_by {
            Some((gizmo, handle)) => drag.by_handle(gizmo, handle),
            None => drag,
        })))
    }

    /// A movement of things as they are. Where the children of joints stay behind, every subject moves by itself.
    fn free(
        begun: Begun,
        at: ScreenPos,
        led_by: Option<(Gizmo, Handle)>,
        (subjects, children): (Vec<Subject>, Carry),
        ctx: &ToolContext<'_>,
    ) -> Option<Self> {
        let first = subjects.first()?;
        let origin = first.world().translation;
        let mut movement =
            Movement::new(begun, at, origin, |space| first.axes(space), ctx.document.settings.length_unit);
        movement = movement.of(origin, ctx.drag.to_grid);
        if let Some((gizmo, handle)) = led_by {
            movement = movement.by_handle(gizmo, handle);
        }
        Some(Self::Free { movement: Box::new(movement), subjects, children })
    }

    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> (ToolOutput, bool) {
        match self {
            Self::Limb(drag) => drag.handle(event, ctx),
            Self::Along(drag) => drag.handle(event, ctx),
            Self::Free { movement, subjects, children } => {
                let steer = movement.steer(event);
                ToolOutput::of_steer(steer, |live| {
                    let by = movement.displacement(ctx.view);
                    let mut changes = points::moved(ctx, subjects, &|at: &Vec3| at + by);
                    let others = subjects
                        .iter()
                        .filter(|subject| !points::is_lattice_point(ctx, subject.target))
                        .map(|subject| (subject.target, moved(ctx, subject, subjects, &by, *children)));
                    changes.extend(others);
                    write_with(ctx, &changes, live, *children)
                })
            }
        }
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        match self {
            Self::Limb(drag) => drag.draw(&mut overlay, ctx.view),
            Self::Along(drag) => drag.draw(&mut overlay, ctx.view),
            Self::Free { movement, .. } => movement.draw(&mut overlay, ctx.view),
        }
        let readout = match self {
            Self::Limb(drag) => drag.readout(ctx.view),
            Self::Free { movement, .. } => movement.readout_in(ctx.view),
            Self::Along(_) => String::new(),
        };
        let moved = match self {
            Self::Free { subjects, .. } => subjects.iter().map(|subject| subject.target).collect(),
            Self::Limb(_) | Self::Along(_) => Vec::new(),
        };
        let hint = hint_of(ctx, &moved, Property::Translation, "hint.moving");
        Look { overlay, cursor: Cursor::Grabbing, hint, readout, ..Look::default() }
    }
}

/// Where a subject goes: one whose parent moves too and takes it along stays in its parent's space as it is.
fn moved(ctx: &ToolContext<'_>, subject: &Subject, all: &[Subject], by: &Vec3, children: Carry) -> Transform {
    let goes_along = children == Carry::Behind
        && subject.target.joint().is_some_and(|joint| {
            let object = subject.target.object();
            let rig = ctx.document.object(object).and_then(|found| found.as_rig());
            let parent = rig.and_then(|rig| rig.skeleton.joint(joint)?.parent);
            parent.is_some_and(|parent| all.iter().any(|other| other.target == Target::Joint(object, parent)))
        });
    if goes_along { subject.local } else { subject.moved(by) }
}

/// Whether a target is placed freely: an object, or a joint without a parent.
fn moves_by_itself(ctx: &ToolContext<'_>, target: Target) -> bool {
    match target {
        Target::Object(_) | Target::Point(..) | Target::Constraint(..) | Target::Pole(..) => true,
        Target::Pin(..) | Target::Morph(..) | Target::Deformer(..) | Target::Layer(..) | Target::Sample(..) => false,
        Target::Joint(object, joint) => {
            let rig = ctx.document.object(object).and_then(|object| object.as_rig());
            rig.and_then(|rig| rig.skeleton.joint(joint))
                .is_some_and(|joint| ctx.rest.is_some() || joint.parent.is_none())
        }
    }
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Pressed {
        gizmo: Gizmo,
        handle: Handle,
        at: ScreenPos,
    },
    Moving(Run),
}

/// Moves the selection by a gizmo of arrows and planes.
#[derive(Clone, Debug, Default)]
pub struct MoveTool {
    picker: Picker,
    state: State,
}

impl MoveTool {
    fn press(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>) -> ToolOutput {
        let gizmo = gizmo(ctx, GizmoKind::Move);
        match gizmo.and_then(|gizmo| Some((gizmo, gizmo.hit(ctx.view, event.pos)?.0))) {
            Some((gizmo, handle)) => {
                self.state = State::Pressed { gizmo, handle, at: event.pos };
                ToolOutput::taken()
            }
            None => self.picker.handle(event, ctx),
        }
    }

    fn begin(&mut self, led_by: (Gizmo, Handle), at: ScreenPos, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(run) = Run::new(Begun::ByPress, at, Some(led_by), ctx) else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        self.state = State::Moving(run);
        let mut output = ToolOutput::gesture(Gesture::Begin { label: LABEL });
        output.append(self.run(event, ctx));
        output
    }

    fn run(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Moving(run) = &mut self.state else { return ToolOutput::IGNORED };
        let (output, ended) = run.handle(event, ctx);
        if ended {
            self.state = State::Idle;
        }
        output
    }
}

impl Tool for MoveTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&self.state, event) {
            (State::Moving(_), _) => self.run(event, ctx),
            (State::Pressed { gizmo, handle, at }, Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move if is_drag(*at, pointer.pos) => self.begin((*gizmo, *handle), *at, event, ctx),
                // Only clicked: what lies behind the handle is meant.
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
                PointerKind::Press(Button::Primary) => self.press(pointer, ctx),
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
            State::Moving(_) => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle) || self.picker.is_busy()
    }

    fn gesture(&self) -> Option<&'static str> {
        matches!(self.state, State::Moving(_)).then_some(LABEL)
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let gizmo = gizmo(ctx, GizmoKind::Move);
        match &self.state {
            State::Moving(run) => Look { gizmo, ..run.look(ctx) },
            State::Pressed { handle, .. } => Look {
                gizmo,
                hovered: Some(Hovered::Handle(*handle)),
                cursor: Cursor::Grabbing,
                hint: "hint.move_handle",
                ..Look::default()
            },
            State::Idle => gizmo_look(&self.picker, gizmo, ctx, "hint.move", "hint.move_handle"),
        }
    }
}

/// Moves the selection with the pointer after a key, until it is confirmed.
#[derive(Clone, Debug)]
pub struct GrabMove {
    run: Option<Run>,
}

impl GrabMove {
    /// Begins with the pointer at a place; none where nothing selected can move.
    #[must_use]
    pub fn begin(at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        let run = Run::new(Begun::ByKey, at, None, ctx)?;
        Some((Self { run: Some(run) }, ToolOutput::gesture(Gesture::Begin { label: LABEL })))
    }
}

impl Tool for GrabMove {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(run) = &mut self.run else { return ToolOutput::IGNORED };
        let (output, ended) = run.handle(event, ctx);
        if ended {
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
        self.run.as_ref().map(|run| run.look(ctx)).unwrap_or_default()
    }
}

//! Turning the selection: by the rings of a gizmo, or after a key by the pointer alone.
//!
//! Every selected target turns about its own middle by the same angle; in local and parent space about its own axes, so
//! that a chain of joints curls. Points of lattices turn about the middle of them all.

use super::{
    points,
    pose_write::{hint_of, write},
    select::Picker,
    steering::Begun,
    subject::Subject,
    turning::Turning,
};
use crate::{
    edit::{Edit, EditError, Gesture},
    interact::{
        gizmo::{Gizmo, GizmoKind, Handle},
        input::{Button, Event, Key, PointerEvent, PointerKind, ScreenPos, is_drag},
        overlay::Overlay,
        tool::{Cursor, Hovered, Look, Tool, ToolContext, ToolOutput},
    },
    math::{Transform, Vec3, rotation::from_axis_angle},
    model::{Property, Target},
};

/// The text key of a turn in the history.
const LABEL: &str = "history.rotate";

/// A turn that is running.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    turning: Turning,
    subjects: Vec<Subject>,
    /// What points turn about, world, where only points turn.
    middle: Option<Vec3>,
}

impl Run {
    fn new(turning: Turning, subjects: Vec<Subject>, middle: Option<Vec3>) -> Self {
        Self { turning, subjects, middle }
    }

    fn changes(&self, ctx: &ToolContext<'_>) -> Vec<(Target, Transform)> {
        let (axis, angle) = (self.turning.axis(), self.turning.angle(ctx.view));
        if let Some(middle) = self.middle {
            let turn = from_axis_angle(&self.turning.axis_in_world(), angle);
            return points::moved(ctx, &self.subjects, &|at: &Vec3| middle + turn * (at - middle));
        }
        self.subjects.iter().map(|subject| (subject.target, subject.turned(axis, angle))).collect()
    }

    fn edit(&self, ctx: &ToolContext<'_>, live: bool) -> Result<Edit, EditError> {
        write(ctx, &self.changes(ctx), live)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
enum State {
    #[default]
    Idle,
    Pressed {
        handle: Handle,
        at: ScreenPos,
    },
    Turning(Box<Run>),
}

/// Turns the selection by a gizmo of rings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RotateTool {
    picker: Picker,
    state: State,
}

impl RotateTool {
    fn press(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>) -> ToolOutput {
        match gizmo(ctx, GizmoKind::Rotate).and_then(|gizmo| gizmo.hit(ctx.view, event.pos)) {
            Some((handle, _)) => {
                self.state = State::Pressed { handle, at: event.pos };
                ToolOutput::taken()
            }
            None => self.picker.handle(event, ctx),
        }
    }

    fn begin(&mut self, handle: Handle, at: ScreenPos, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let subjects = Subject::selected(ctx);
        let Some(first) = subjects.first() else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        let middle = points::middle(ctx, &subjects);
        let origin = middle.unwrap_or(first.world().translation);
        let turning = Turning::new(Begun::ByPress, at, origin, |space| first.axes(space), ctx.view);
        let run = Run::new(turning.by_handle(handle, ctx.space), subjects, middle);
        self.state = State::Turning(Box::new(run));
        let mut output = ToolOutput::gesture(Gesture::Begin { label: LABEL });
        output.append(self.run(event, ctx));
        output
    }

    fn run(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Turning(run) = &mut self.state else { return ToolOutput::IGNORED };
        let (output, ended) = steered(run, event, ctx);
        if ended {
            self.state = State::Idle;
        }
        output
    }
}

/// Passes an event to a running turn; whether it has ended.
fn steered(run: &mut Run, event: &Event, ctx: &ToolContext<'_>) -> (ToolOutput, bool) {
    let steer = run.turning.steer(event);
    ToolOutput::of_steer(steer, |live| run.edit(ctx, live))
}

impl Tool for RotateTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&self.state, event) {
            (State::Turning(_), _) => self.run(event, ctx),
            (State::Pressed { handle, at }, Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move if is_drag(*at, pointer.pos) => self.begin(*handle, *at, event, ctx),
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
            State::Turning(_) => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        self.state != State::Idle || self.picker.is_busy()
    }

    fn gesture(&self) -> Option<&'static str> {
        matches!(self.state, State::Turning(_)).then_some(LABEL)
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let gizmo = gizmo(ctx, GizmoKind::Rotate);
        match &self.state {
            State::Turning(run) => Look { gizmo, ..running_look(run, ctx) },
            State::Pressed { handle, .. } => Look {
                gizmo,
                hovered: Some(Hovered::Handle(*handle)),
                cursor: Cursor::Grabbing,
                hint: "hint.rotate_handle",
                ..Look::default()
            },
            State::Idle => gizmo_look(&self.picker, gizmo, ctx, "hint.rotate", "hint.rotate_handle"),
        }
    }
}

fn running_look(run: &Run, ctx: &ToolContext<'_>) -> Look {
    let (mut overlay, turning) = (Overlay::default(), &run.turning);
    turning.draw(&mut overlay, ctx.view);
    let readout = turning.readout(ctx.view);
    let turned: Vec<Target> = run.subjects.iter().map(|subject| subject.target).collect();
    let hint = hint_of(ctx, &turned, Property::Rotation, "hint.rotating");
    Look { overlay, cursor: Cursor::Grabbing, hint, readout, ..Look::default() }
}

/// The gizmo on what is active; none where nothing is.
pub(super) fn gizmo(ctx: &ToolContext<'_>, kind: GizmoKind) -> Option<Gizmo> {
    let active = Subject::in_hand(ctx, ctx.selection.active?)?;
    let middle = points::is_lattice_point(ctx, active.target).then(|| points::middle(ctx, &Subject::selected(ctx)));
    let origin = middle.flatten().unwrap_or(active.world().translation);
    Some(Gizmo { kind, origin, axes: active.axes(ctx.space) })
}

/// How a tool with a gizmo looks while nothing runs.
pub(super) fn gizmo_look(
    picker: &Picker,
    gizmo: Option<Gizmo>,
    ctx: &ToolContext<'_>,
    idle: &'static str,
    over_handle: &'static str,
) -> Look {
    let at = ctx.pointer.filter(|_| !picker.is_busy());
    let handle = gizmo.zip(at).and_then(|(gizmo, at)| gizmo.hit(ctx.view, at)).map(|(handle, _)| handle);
    let target = picker.hovered(ctx).filter(|_| handle.is_none());
    let (cursor, hint) = match (handle, target) {
        _ if picker.is_boxing() => (Cursor::Cross, picker.hint().unwrap_or(idle)),
        (Some(_), _) => (Cursor::Grab, over_handle),
        (None, Some(_)) => (Cursor::Pointing, "hint.select_over"),
        (None, None) => (Cursor::Default, idle),
    };
    let hovered = handle.map(Hovered::Handle).or(target.map(Hovered::Target));
    Look { overlay: picker.overlay(ctx), gizmo, hovered, cursor, hint, ..Look::default() }
}

/// Turns the selection with the pointer after a key, until it is confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct GrabRotate {
    run: Option<Run>,
}

impl GrabRotate {
    /// Begins with the pointer at a place; none where nothing selected can turn.
    #[must_use]
    pub fn begin(at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        let subjects = Subject::selected(ctx);
        let first = subjects.first()?;
        let middle = points::middle(ctx, &subjects);
        let origin = middle.unwrap_or(first.world().translation);
        let turning = Turning::new(Begun::ByKey, at, origin, |space| first.axes(space), ctx.view);
        let run = Run::new(turning, subjects, middle);
        Some((Self { run: Some(run) }, ToolOutput::gesture(Gesture::Begin { label: LABEL })))
    }
}

impl Tool for GrabRotate {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(run) = &mut self.run else { return ToolOutput::IGNORED };
        let (output, ended) = steered(run, event, ctx);
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
        self.run.as_ref().map(|run| running_look(run, ctx)).unwrap_or_default()
    }
}

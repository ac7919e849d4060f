//! Drawing a path: a click adds a point at its end, on the path one between two, on its first point closes it; what is there
//! already is dragged.

use super::{
    drag_spot::{SpotDrag, nearest_on_path},
    steering::Begun,
};
use crate::{
    edit::{Edit, Gesture, ImportEdit, PathEdit, Selection},
    eval::follow::PathFrame,
    interact::{
        input::{Button, Event, Key, PointerEvent, PointerKind, ScreenPos, is_drag},
        overlay::{Ink, Mark, Overlay},
        picking::{Hit, HitKind},
        tool::{Cursor, Hovered, Look, Tool, ToolContext, ToolOutput},
    },
    math::Vec3,
    model::{Object, ObjectId, Path, PathPoint, PointId, Target},
};
use std::sync::Arc;

/// The text key of a point that is added in the history.
const ADD: &str = "history.path_add_point";
/// The text key of a movement.
const MOVE: &str = "history.move";
/// How near to the path a click is one on it, points.
const ON_PATH_PT: f64 = 8.0;
/// The name of a path drawn by hand.
const NAME: &str = "Path";

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Pressed {
        hit: Option<Hit>,
        at: ScreenPos,
    },
    Moving {
        drag: Box<SpotDrag>,
        target: Target,
    },
}

/// What a click does.
#[derive(Clone, Debug, PartialEq)]
enum Click {
    Select(Target),
    Close(ObjectId),
    Insert { object: ObjectId, index: usize, place: Vec3 },
    Append { object: ObjectId, place: Vec3 },
    Begin { place: Vec3 },
}

/// The tool.
#[derive(Clone, Debug, Default)]
pub struct DrawPathTool {
    state: State,
}

/// The path that is drawn on: the selected one, or that of the selected points.
fn drawn(ctx: &ToolContext<'_>) -> Option<(ObjectId, Arc<Path>)> {
    let active = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    active.map(Target::object).find_map(|id| Some((id, ctx.document.object(id)?.as_path()?.clone())))
}

/// Where a click on empty ground is: on the level plane through the path's last point, or the ground; where that is seen from its
/// edge or from below the horizon, at the last point's depth.
fn place_at(ctx: &ToolContext<'_>, pos: ScreenPos, last: Option<Vec3>) -> Vec3 {
    let through = last.unwrap_or_else(Vec3::zeros);
    let ray = ctx.view.ray(pos);
    let reach = 50.0 * ctx.view.camera().distance;
    match ray.meet_plane(&through, &Vec3::y()).filter(|t| (0.0..reach).contains(t)) {
        Some(t) if ray.direction.y.abs() > 0.02 => ray.at(t),
        _ => ctx.view.point_at_depth_of(pos, &last.unwrap_or(ctx.view.camera().pivot)),
    }
}

fn last_place(ctx: &ToolContext<'_>, object: ObjectId) -> Option<Vec3> {
    let placed = ctx.frame.objects.get(&object)?;
    Some(placed.world.point(placed.path.as_ref()?.places.last()?))
}

/// What a click at a place does.
fn meant(ctx: &ToolContext<'_>, pos: ScreenPos) -> Click {
    let hits = ctx.scene.hits(ctx.view, pos, &ctx.selection.targets);
    let hit = hits.first().filter(|hit| hit.kind == HitKind::Spot).and_then(|hit| hit.spot);
    let Some((object, path)) = drawn(ctx) else {
        return match hit {
            Some((target, _)) => Click::Select(target),
            None => Click::Begin { place: place_at(ctx, pos, None) },
        };
    };
    if let Some((target, _)) = hit {
        let first = path.points.first().map(|point| Target::Point(object, point.id));
        let last = path.points.last().map(|point| Target::Point(object, point.id));
        let at_end = ctx.selection.active == last || ctx.selection.active == Some(Target::Object(object));
        if Some(target) == first && at_end && !path.closed && path.points.len() > 2 {
            return Click::Close(object);
        }
        return Click::Select(target);
    }
    if let Some((index, place)) = on_path(ctx, object, pos) {
        return Click::Insert { object, index, place };
    }
    Click::Append { object, place: place_at(ctx, pos, last_place(ctx, object)) }
}

/// Between which points of a path a place on the screen lies, and the place on the path.
fn on_path(ctx: &ToolContext<'_>, object: ObjectId, pos: ScreenPos) -> Option<(usize, Vec3)> {
    let path: &Arc<PathFrame> = ctx.frame.path(object)?;
    let (length, _) = nearest_on_path(path, ctx.view, pos).filter(|(_, near)| *near <= ON_PATH_PT)?;
    let parameter = path.curve.parameter_at(length)?;
    Some((parameter.floor() as usize + 1, path.curve.point(parameter)?))
}

impl DrawPathTool {
    fn click(at: ScreenPos, ctx: &ToolContext<'_>) -> ToolOutput {
        match meant(ctx, at) {
            Click::Select(target) => ToolOutput::select(Selection::single(target)),
            Click::Close(object) => whole("history.path_close", PathEdit::SetClosed { object, closed: true }.into()),
            Click::Insert { object, index, place } => insert(ctx, object, Some(index), place),
            Click::Append { object, place } => insert(ctx, object, None, place),
            Click::Begin { place } => begin_path(ctx, place),
        }
    }

    fn begin_drag(&mut self, hit: &Hit, at: ScreenPos, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some((spot, drag)) =
            hit.spot.and_then(|spot| Some((spot, SpotDrag::new(Begun::ByPress, at, spot, hit.point, ctx)?)))
        else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        self.state = State::Moving { drag: Box::new(drag), target: spot.0 };
        let mut output = ToolOutput::gesture(Gesture::Begin { label: MOVE });
        if !ctx.selection.contains(spot.0) {
            output.selection = Some(Selection::single(spot.0));
        }
        output.append(self.run(event, ctx));
        output
    }

    fn run(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Moving { drag, .. } = &mut self.state else { return ToolOutput::IGNORED };
        let (output, ended) = drag.handle(event, ctx);
        if ended {
            self.state = State::Idle;
        }
        output
    }

    fn release(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>) -> ToolOutput {
        match std::mem::take(&mut self.state) {
            State::Pressed { at, .. } if !is_drag(at, event.pos) => Self::click(at, ctx),
            _ => ToolOutput::taken(),
        }
    }
}

/// One step of the history.
fn whole(label: &'static str, edit: Edit) -> ToolOutput {
    let gestures = vec![Gesture::Begin { label }, Gesture::Update(edit), Gesture::Commit];
    ToolOutput { gestures, ..ToolOutput::taken() }
}

fn begin_path(ctx: &ToolContext<'_>, place: Vec3) -> ToolOutput {
    let id = ObjectId(ctx.document.next_id);
    let object = Arc::new(Object::path(NAME, Path::through(&[place])));
    let output = whole(ADD, ImportEdit { objects: vec![(id, object)], ..ImportEdit::default() }.into());
    ToolOutput { selection: Some(Selection::single(Target::Point(id, PointId(0)))), ..output }
}

fn insert(ctx: &ToolContext<'_>, object: ObjectId, index: Option<usize>, place: Vec3) -> ToolOutput {
    let Some(path) = ctx.document.object(object).and_then(|object| object.as_path()) else {
        return ToolOutput::taken();
    };
    let inverse = ctx.frame.objects.get(&object).and_then(|placed| placed.world.try_inverse());
    let Some(inverse) = inverse else { return ToolOutput::taken() };
    let point = PathPoint::new(path.fresh_point_id(), inverse.point(&place));
    let index = index.unwrap_or(path.points.len());
    let output = whole(ADD, PathEdit::Insert { object, index, points: vec![point] }.into());
    ToolOutput { selection: Some(Selection::single(Target::Point(object, point.id))), ..output }
}

impl Tool for DrawPathTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&self.state, event) {
            (State::Moving { .. }, _) => self.run(event, ctx),
            (State::Pressed { hit, at }, Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move if is_drag(*at, pointer.pos) => match *hit {
                    Some(hit) => {
                        let at = *at;
                        self.begin_drag(&hit, at, event, ctx)
                    }
                    None => ToolOutput::taken(),
                },
                PointerKind::Release(Button::Primary) => self.release(pointer, ctx),
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            (State::Idle, Event::Pointer(pointer)) if pointer.kind == PointerKind::Press(Button::Primary) => {
                let hits = ctx.scene.hits(ctx.view, pointer.pos, &ctx.selection.targets);
                let hit = hits.first().filter(|hit| hit.kind == HitKind::Spot).copied();
                self.state = State::Pressed { hit, at: pointer.pos };
                ToolOutput::taken()
            }
            (State::Pressed { .. }, Event::Key(key)) if key.key == Key::Escape => self.cancel(),
            _ => ToolOutput::IGNORED,
        }
    }

    fn cancel(&mut self) -> ToolOutput {
        match std::mem::take(&mut self.state) {
            State::Idle => ToolOutput::IGNORED,
            State::Pressed { .. } => ToolOutput::taken(),
            State::Moving { .. } => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    fn gesture(&self) -> Option<&'static str> {
        matches!(self.state, State::Moving { .. }).then_some(MOVE)
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        if let State::Moving { drag, target } = &self.state {
            drag.draw(&mut overlay, ctx.view);
            let hovered = Some(Hovered::Target(*target));
            return Look { overlay, hovered, cursor: Cursor::Grabbing, hint: "hint.moving", ..Look::default() };
        }
        let Some(pointer) = ctx.pointer else { return Look { hint: "hint.draw_path", ..Look::default() } };
        let mut look = Look { cursor: Cursor::Cross, hint: "hint.draw_path", ..Look::default() };
        match meant(ctx, pointer) {
            Click::Select(target) => {
                (look.hovered, look.cursor) = (Some(Hovered::Target(target)), Cursor::Grab);
                look.hint = "hint.draw_path_point";
            }
            Click::Close(object) => {
                if let Some(first) = ctx.document.object(object).and_then(|o| o.as_path()?.points.first().copied()) {
                    look.hovered = Some(Hovered::Target(Target::Point(object, first.id)));
                }
                (look.cursor, look.hint) = (Cursor::Pointing, "hint.draw_path_close");
            }
            Click::Insert { place, .. } => {
                if let Some(at) = ctx.view.project(&place) {
                    overlay.marks.push(Mark::Dot { at, radius: 5.0, ink: Ink::Hovered });
                }
                look.hint = "hint.draw_path_insert";
            }
            Click::Append { object, place } => {
                let from = last_place(ctx, object).and_then(|last| ctx.view.project(&last));
                if let (Some(from), Some(to)) = (from, ctx.view.project(&place)) {
                    overlay.dashed(from, to, Ink::Guide);
                }
            }
            Click::Begin { .. } => {}
        }
        look.overlay = overlay;
        look
    }
}

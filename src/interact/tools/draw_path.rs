//! Drawing a path: a click adds a point at its end, on the path one between two, on its first point closes it; what is there
//! already is dragged, and a drag from anywhere else draws a new path freehand.

use super::{
    drag_spot::{SpotDrag, nearest_on_path},
    steering::Begun,
    stroke::{DrawPlane, Stroke, add_path},
};
use crate::{
    edit::{Edit, Gesture, PathEdit, Selection},
    eval::follow::PathFrame,
    interact::{
        input::{Button, Event, Key, PointerEvent, PointerKind, ScreenPos, is_drag},
        overlay::{Ink, Mark, Overlay},
        picking::{Hit, HitKind},
        tool::{Cursor, Hovered, Look, Tool, ToolContext, ToolOutput},
    },
    math::Vec3,
    model::{ObjectId, Path, PathPoint, PointId, Target},
};
use std::sync::Arc;

/// The text key of a point that is added in the history.
const ADD: &str = "history.path_add_point";
/// The text key of a movement.
const MOVE: &str = "history.move";
/// The text key of a path drawn freehand.
const DRAW: &str = "history.path_draw";
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
        /// Whether Shift was held.
        facing: bool,
    },
    Moving {
        drag: Box<SpotDrag>,
        target: Target,
    },
    Drawing(Box<Drawing>),
}

/// A path that is being drawn freehand.
#[derive(Clone, Debug)]
struct Drawing {
    stroke: Stroke,
    /// The path object it becomes.
    id: ObjectId,
    /// How many points it has so far.
    points: usize,
}

impl Drawing {
    fn look(&self) -> Look {
        let mut overlay = Overlay::default();
        let line = Mark::Polyline { points: self.stroke.line(), ink: Ink::Guide, width: 1.0, dashed: false };
        overlay.marks.push(line);
        let closes = self.stroke.closes();
        if let Some(at) = self.stroke.start() {
            let ink = if closes { Ink::Hovered } else { Ink::Guide };
            overlay.marks.push(Mark::Circle { at, radius: if closes { 9.0 } else { 6.0 }, ink });
        }
        let hint = if closes { "hint.draw_path_stroke_close" } else { "hint.draw_path_stroke" };
        if let Some([x, y]) = self.stroke.end().filter(|_| self.points > 0) {
            overlay.text([x + 14.0, y + 14.0], self.points.to_string(), Some("path.points_so_far"));
        }
        Look { overlay, cursor: Cursor::Cross, hint, ..Look::default() }
    }
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
    let met = DrawPlane::at(ctx, pos, last, false).met(ctx, pos);
    met.unwrap_or_else(|| ctx.view.point_at_depth_of(pos, &last.unwrap_or(ctx.view.camera().pivot)))
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
    Some((path.point_before(parameter) + 1, path.curve.point(parameter)?))
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

    /// A stroke from where the press was, on its plane.
    fn begin_stroke(&mut self, (at, now): (ScreenPos, ScreenPos), facing: bool, ctx: &ToolContext<'_>) -> ToolOutput {
        let last = drawn(ctx).and_then(|(object, _)| last_place(ctx, object));
        let stroke = Stroke::new(DrawPlane::at(ctx, at, last, facing), at, ctx);
        let drawing = Drawing { stroke, id: ObjectId(ctx.document.next_id), points: 0 };
        self.state = State::Drawing(Box::new(drawing));
        let mut output = ToolOutput::gesture(Gesture::Begin { label: DRAW });
        output.append(self.draw(now, ctx));
        output
    }

    /// The stroke goes on.
    fn draw(&mut self, to: ScreenPos, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Drawing(drawing) = &mut self.state else { return ToolOutput::IGNORED };
        drawing.stroke.go_on(to, ctx);
        let Some(path) = drawing.stroke.path(ctx.draw_within, ctx) else { return ToolOutput::taken() };
        drawing.points = path.points.len();
        ToolOutput::gesture(Gesture::Update(add_path(drawing.id, NAME, path)))
    }

    fn drawing(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match event {
            Event::Pointer(pointer) => match pointer.kind {
                PointerKind::Move => self.draw(pointer.pos, ctx),
                PointerKind::Release(Button::Primary) => {
                    let mut output = self.draw(pointer.pos, ctx);
                    if let State::Drawing(drawing) = std::mem::take(&mut self.state) {
                        output.append(ToolOutput::gesture(Gesture::Commit));
                        if drawing.points > 0 {
                            output.selection = Some(Selection::single(Target::Object(drawing.id)));
                        }
                    }
                    output
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            Event::Key(key) if key.key == Key::Escape => self.cancel(),
            _ => ToolOutput::taken(),
        }
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
    let output = whole(ADD, add_path(id, NAME, Path::through(&[place])));
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
            (State::Drawing(_), _) => self.drawing(event, ctx),
            (State::Pressed { hit, at, facing }, Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move if is_drag(*at, pointer.pos) => match *hit {
                    Some(hit) => {
                        let at = *at;
                        self.begin_drag(&hit, at, event, ctx)
                    }
                    None => {
                        let (way, facing) = ((*at, pointer.pos), *facing);
                        self.begin_stroke(way, facing, ctx)
                    }
                },
                PointerKind::Release(Button::Primary) => self.release(pointer, ctx),
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            (State::Idle, Event::Pointer(pointer)) if pointer.kind == PointerKind::Press(Button::Primary) => {
                let hits = ctx.scene.hits(ctx.view, pointer.pos, &ctx.selection.targets);
                let hit = hits.first().filter(|hit| hit.kind == HitKind::Spot).copied();
                self.state = State::Pressed { hit, at: pointer.pos, facing: pointer.modifiers.shift };
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
            State::Moving { .. } | State::Drawing(_) => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    fn gesture(&self) -> Option<&'static str> {
        match self.state {
            State::Moving { .. } => Some(MOVE),
            State::Drawing(_) => Some(DRAW),
            State::Idle | State::Pressed { .. } => None,
        }
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        if let State::Moving { drag, target } = &self.state {
            drag.draw(&mut overlay, ctx.view);
            let hovered = Some(Hovered::Target(*target));
            return Look { overlay, hovered, cursor: Cursor::Grabbing, hint: "hint.moving", ..Look::default() };
        }
        if let State::Drawing(drawing) = &self.state {
            return drawing.look();
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

//! Dragging what has no body: points of paths, their tangent handles, empties and cameras; what follows a path goes along it.

use super::{movement::Movement, points, pose_write::write, steering::Begun, subject::Subject};
use crate::{
    edit::{Edit, EditError, PathEdit, numbers::number_edit},
    eval::{
        deform::{Function, function},
        follow::{PathFrame, Travel, driven_by},
        mesh::{mesh_state, positions},
    },
    interact::{
        input::{Event, ScreenPos, distance},
        overlay::{Ink, Mark, Overlay},
        pick_scene::handles_of_deformer,
        picking::{SpotPart, distance_to_segment},
        projection::View,
        tool::{ToolContext, ToolOutput},
    },
    math::{Affine, Vec3},
    model::{ChannelPath, Component, ConstraintId, Drive, ObjectId, PointId, Property, Target},
};
use std::sync::Arc;

/// How deep a vertex may be below the ground and count as standing on it, metres: vertices are rounded.
const SUNK: f64 = 1e-5;
/// Places looked at on each segment of a path for the one nearest the pointer.
const LOOKS: u32 = 48;

/// A drag of a spot that is running.
#[derive(Clone, Debug)]
pub(super) enum SpotDrag {
    /// Of things that move by themselves; how far they may sink, metres, where the ground holds them.
    Free { movement: Box<Movement>, subjects: Vec<Subject>, room: Option<f64> },
    /// Of a follower, along its path.
    Along { movement: Box<Movement>, follower: Box<Follower> },
    /// Of a tangent handle.
    Handle { movement: Box<Movement>, handle: HandleGrab },
    /// Of a handle of a deformer.
    Deformer { movement: Box<Movement>, grab: Box<DeformerGrab> },
}

/// A follower that is dragged.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    object: ObjectId,
    constraint: ConstraintId,
    path: Arc<PathFrame>,
    /// Where it was, metres along.
    start: f64,
    /// As its channels say, which may be turns further.
    wanted: f64,
}

/// A tangent handle that is dragged.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandleGrab {
    object: ObjectId,
    point: PointId,
    part: SpotPart,
    /// The offsets before and after, in the path object's space, when it began.
    before: Vec3,
    after: Vec3,
}

/// A handle of a deformer that is dragged.
#[derive(Clone, Debug)]
pub(super) struct DeformerGrab {
    object: ObjectId,
    part: SpotPart,
    /// The function when it began.
    function: Function,
    /// Where the handle was, in the deformer's space.
    start: Vec3,
    /// From the world to that space.
    inverse: Affine,
}

impl DeformerGrab {
    fn new(ctx: &ToolContext<'_>, object: ObjectId, part: SpotPart) -> Option<Self> {
        let function = function(ctx.document, object, ctx.document.object(object)?.as_deformer()?, ctx.frame.secs);
        let (_, start) = handles_of_deformer(&function).into_iter().find(|(own, _)| *own == part)?;
        let inverse = ctx.frame.objects.get(&object)?.world.try_inverse()?;
        Some(Self { object, part, function, start, inverse })
    }

    fn edit(&self, by: &Vec3, ctx: &ToolContext<'_>) -> Result<Edit, EditError> {
        let to = self.start + self.inverse.vector(by);
        let (low, high) = self.function.ends();
        let parameters = self.function.kind.parameters();
        let (property, value) = match self.part {
            SpotPart::Low => (Property::Low, low + to.y - self.start.y),
            SpotPart::High => (Property::High, high + to.y - self.start.y),
            _ => (parameters.first().map_or(Property::Factor, |first| first.property), self.function.pulled(&to)),
        };
        let path = ChannelPath::object(self.object, property, Component::Only);
        let range = parameters.iter().find(|parameter| parameter.property == property).map(|p| p.range);
        let value = range.map_or(value, |(least, most)| value.clamp(least, most));
        number_edit(ctx.document, path, ctx.frame.secs, value, ctx.auto_key)
    }
}

/// The distance along a path whose place appears nearest to a place on the screen, and how near, points. None for a path without
/// segments, or all of it behind the eye.
#[must_use]
pub fn nearest_on_path(path: &PathFrame, view: &View, pos: ScreenPos) -> Option<(f64, f64)> {
    let count = path.curve.segments().len() as u32 * LOOKS;
    let mut best: Option<(f64, f64)> = None;
    let parameter = |i: u32| f64::from(i) / f64::from(LOOKS);
    for i in 0..count {
        let (a, b) = (path.curve.point(parameter(i))?, path.curve.point(parameter(i + 1))?);
        let Some([a, b]) = view.project_segment(&a, &b) else { continue };
        let near = distance_to_segment(pos, a, b);
        if best.is_none_or(|(_, least)| near < least) {
            let along = [b[0] - a[0], b[1] - a[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let part = ((pos[0] - a[0]) * along[0] + (pos[1] - a[1]) * along[1]) / square;
            let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
            best = Some((parameter(i) + part / f64::from(LOOKS), near));
        }
    }
    let (parameter, near) = best?;
    Some((path.curve.length_at(parameter)?, near))
}

impl Follower {
    /// The follower that a target is at this time, where it is on a path.
    pub(super) fn of(ctx: &ToolContext<'_>, target: Target) -> Option<Self> {
        let Target::Object(object) = target else { return None };
        let report = ctx.frame.follows.iter().find(|report| report.object == object)?;
        let path = ctx.frame.path(report.path)?.clone();
        let (start, wanted) = (report.distance, report.wanted);
        Some(Self { object, constraint: report.constraint, path, start, wanted })
    }

    /// The edit that brings it so many metres along: its distance where that drives, else where it starts.
    fn edit(&self, by: f64, ctx: &ToolContext<'_>) -> Result<Edit, EditError> {
        let travel = Travel::new(ctx.document, self.object, self.constraint, self.path.curve.length());
        let follow =
            ctx.document.object(self.object).and_then(|object| object.constraint(self.constraint)?.as_follow());
        let (Some(travel), Some(follow)) = (travel, follow) else {
            return Err(EditError::NoConstraint(self.object, self.constraint));
        };
        let unit = if travel.unit() > 0.0 { travel.unit() } else { 1.0 };
        let channel = ChannelPath::constraint(self.object, self.constraint, Property::Distance);
        if follow.drive != Drive::Distance {
            return crate::edit::numbers::static_edit(ctx.document, channel, follow.distance + by / unit);
        }
        let path = ChannelPath { property: driven_by(follow.drive), ..channel };
        let mut wanted = self.wanted + by;
        if !self.path.closed {
            wanted = self.path.on_path(wanted);
        }
        number_edit(ctx.document, path, ctx.frame.secs, wanted / unit, ctx.auto_key)
    }
}

/// How far things may sink until the lowest of their vertices is on the ground, metres; none where the ground does not hold
/// them, or some of them was below it.
fn room_below(ctx: &ToolContext<'_>, subjects: &[Subject]) -> Option<f64> {
    let lowest = |subject: &Subject| {
        let Target::Object(id) = subject.target else { return None };
        let mesh = ctx.document.object(id)?.as_mesh()?;
        let state = mesh_state(ctx.document, ctx.frame, id)?;
        positions(mesh, &state).iter().map(|at| at.y).min_by(f64::total_cmp)
    };
    let room = subjects.iter().filter_map(lowest).min_by(f64::total_cmp)?;
    (ctx.drag.ground && room >= -SUNK).then_some(room.max(0.0))
}

impl SpotDrag {
    /// A drag of a spot grabbed at a point of the world; `others` go with it where they are free.
    pub(super) fn new(
        begun: Begun,
        at: ScreenPos,
        (target, part): (Target, SpotPart),
        point: Vec3,
        ctx: &ToolContext<'_>,
    ) -> Option<Self> {
        let first = Subject::new(ctx.document, ctx.frame, target)?;
        let unit = ctx.document.settings.length_unit;
        let movement = Box::new(Movement::new(begun, at, point, |space| first.axes(space), unit));
        if let (Target::Object(object), true) = (target, part != SpotPart::Body) {
            let grab = Box::new(DeformerGrab::new(ctx, object, part)?);
            return Some(Self::Deformer { movement, grab });
        }
        if part != SpotPart::Body {
            let Target::Point(object, id) = target else { return None };
            let path = ctx.frame.path(object)?;
            let index = ctx.document.object(object)?.as_path()?.index_of(id)?;
            let (before, after) = crate::interact::pick_scene::handles_of(path, index);
            let world = ctx.frame.objects.get(&object)?.world;
            let inverse = world.try_inverse()?;
            let offset = |at: Option<Vec3>| at.map_or_else(Vec3::zeros, |at| inverse.point(&at) - path.places[index]);
            let handle = HandleGrab { object, point: id, part, before: offset(before), after: offset(after) };
            return Some(Self::Handle { movement, handle });
        }
        if let Some(follower) = Follower::of(ctx, target) {
            return Some(Self::Along { movement, follower: Box::new(follower) });
        }
        let together = ctx.selection.contains(target);
        let mut subjects = if together { Subject::selected(ctx) } else { vec![first] };
        subjects.retain(|subject| !matches!(subject.target, Target::Joint(..)));
        let all = subjects.clone();
        subjects.retain(|subject| !all.iter().any(|other| subject.is_carried_by(ctx.document, other.target)));
        let room = room_below(ctx, &subjects);
        Some(Self::Free { movement, subjects, room })
    }

    /// Passes an event on; what is asked for, and whether the drag has ended.
    pub(super) fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> (ToolOutput, bool) {
        match self {
            Self::Free { movement, subjects, room } => {
                let steer = movement.steer(event);
                let room = room.filter(|_| !movement.is_typed());
                ToolOutput::of_steer(steer, |live| {
                    let mut by = movement.displacement(ctx.view);
                    by.y = room.map_or(by.y, |room| by.y.max(-room));
                    let mut changes = points::moved(ctx, subjects, &|at: &Vec3| at + by);
                    let others = subjects.iter().filter(|subject| !points::is_lattice_point(ctx, subject.target));
                    changes.extend(others.map(|subject| (subject.target, subject.moved(&by))));
                    write(ctx, &changes, live)
                })
            }
            Self::Along { movement, follower } => {
                let steer = movement.steer(event);
                ToolOutput::of_steer(steer, |_| follower.edit(along(movement, follower, ctx.view), ctx))
            }
            Self::Deformer { movement, grab } => {
                let steer = movement.steer(event);
                ToolOutput::of_steer(steer, |_| grab.edit(&movement.displacement(ctx.view), ctx))
            }
            Self::Handle { movement, handle } => {
                let steer = movement.steer(event);
                ToolOutput::of_steer(steer, |_| handle_edit(movement, handle, ctx))
            }
        }
    }

    pub(super) fn draw(&self, overlay: &mut Overlay, view: &View) {
        match self {
            Self::Free { movement, .. } | Self::Handle { movement, .. } | Self::Deformer { movement, .. } => {
                movement.draw(overlay, view);
            }
            Self::Along { movement, follower } => {
                let at = follower.path.on_path(follower.start + along(movement, follower, view));
                let place = follower.path.curve.parameter_at(at).and_then(|u| follower.path.curve.point(u));
                if let Some([x, y]) = place.and_then(|place| view.project(&place)) {
                    overlay.marks.push(Mark::Circle { at: [x, y], radius: 9.0, ink: Ink::Selected });
                    overlay.text([x + 16.0, y + 14.0], format!("{at:.3} m"), None);
                }
            }
        }
    }
}

/// How far along its path a follower was dragged, metres: a typed number, or the way between the places of the path nearest to
/// the pointer then and now; on a closed path the shorter way round.
fn along(movement: &Movement, follower: &Follower, view: &View) -> f64 {
    if movement.is_typed() {
        return movement.displacement(view).x;
    }
    let [press, now] = movement.pointers();
    let at = |pos| nearest_on_path(&follower.path, view, pos).map(|(at, _)| at);
    // The press was on the follower, which is drawn on the path: what it missed by stays.
    let from = view
        .project(&follower.place())
        .filter(|place| distance(*place, press) < 40.0)
        .map_or_else(|| at(press), |_| Some(follower.start));
    let (Some(from), Some(to)) = (from, at(now)) else { return 0.0 };
    if distance(press, now) == 0.0 {
        return 0.0;
    }
    let (by, length) = (to - from, follower.path.curve.length());
    if follower.path.closed && by.abs() > length / 2.0 { by - length * by.signum() } else { by }
}

impl Follower {
    fn place(&self) -> Vec3 {
        self.path.curve.parameter_at(self.start).and_then(|u| self.path.curve.point(u)).unwrap_or_default()
    }
}

/// A handle goes with the pointer; the other one of its point stays in line with it, at its own length, unless parted.
fn handle_edit(movement: &Movement, handle: &HandleGrab, ctx: &ToolContext<'_>) -> Result<Edit, EditError> {
    let HandleGrab { object, point, part, mut before, mut after } = *handle;
    let world = ctx.frame.objects.get(&object).ok_or(EditError::NoObject(object))?.world;
    let by = world.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse.vector(&movement.displacement(ctx.view)));
    let (own, other) = if part == SpotPart::HandleIn { (&mut before, &mut after) } else { (&mut after, &mut before) };
    *own += by;
    if !movement.parts()
        && let Some(way) = own.try_normalize(0.0)
    {
        *other = -way * other.norm();
    }
    Ok(PathEdit::SetHandles { object, handles: vec![(point, Some(before), Some(after))] }.into())
}

//! Pulling the surface of a mesh: where it is grabbed a landmark of a deformer is put, and goes with the pointer. A selected drag or warp
//! that acts on the mesh takes the landmark; else a new drag is made, which hangs on what the surface follows there. A click puts a
//! landmark without moving it, and selects one that is there.

use super::{drag_spot::SpotDrag, steering::Begun};
use crate::{
    edit::{DeformEdit, Edit, Gesture, ImportEdit, Selection},
    eval::deform::{landmark_shape, place_before},
    interact::{
        input::{Button, Event, Key, PointerKind, ScreenPos, is_drag},
        overlay::{Ink, Mark, Overlay},
        picking::{Hit, HitKind},
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::{Affine, Vec3},
    model::{
        Deformer, DeformerKind, Landmark, Object, ObjectId, ObjectKind, Parent, PointId, Property, StackEntry, Target,
    },
};
use std::sync::Arc;

/// The text key of a pull in the history.
const PULL: &str = "history.pull";
/// The name of a new drag.
const NAME: &str = "Pull";

/// Where the pointer met a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// The mesh object.
    pub(super) object: ObjectId,
    /// The vertex nearest to it.
    pub(super) vertex: usize,
    /// The place, world.
    pub(super) at: Vec3,
}

/// Of a mesh no less and no more than these parts of its size go along with one place.
const PARTS: (f64, f64) = (0.05, 0.3);

/// How far a soft hand reaches on a mesh, metres: as far as soft points do, on a small mesh less and on a large one more.
pub(super) fn reach(ctx: &ToolContext<'_>, mesh: ObjectId) -> f64 {
    let surface = ctx.scene.surfaces.iter().find(|surface| surface.object == mesh);
    let mut bounds = [[f32::INFINITY, f32::NEG_INFINITY]; 3];
    for at in surface.map(|surface| surface.positions()).unwrap_or_default() {
        for (bound, x) in bounds.iter_mut().zip(at) {
            *bound = [bound[0].min(*x), bound[1].max(*x)];
        }
    }
    let size = bounds.iter().map(|[low, high]| f64::from(high - low)).fold(0.0, f64::max);
    if size.is_finite() && size > 0.0 {
        ctx.points.radius.clamp(PARTS.0 * size, PARTS.1 * size)
    } else {
        ctx.points.radius
    }
}

/// The nearest surface under a place on the screen.
pub(super) fn met(ctx: &ToolContext<'_>, pos: ScreenPos) -> Option<Met> {
    let found = ctx.scene.surfaces.iter().filter_map(|surface| {
        let (vertex, t) = surface.vertex(ctx.view, pos)?;
        Some((t, Met { object: surface.object, vertex, at: ctx.view.ray(pos).at(t) }))
    });
    found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, met)| met)
}

/// A landmark that is being pulled.
#[derive(Clone, Debug)]
struct Pull {
    /// What makes the deformer and its place in the stack, where it is new.
    made: Vec<Edit>,
    deformer: ObjectId,
    point: PointId,
    landmark: Landmark,
    /// From the world to the deformer's space.
    inverse: Affine,
    /// Where it was grabbed, world and screen.
    at: Vec3,
    pressed: ScreenPos,
    now: ScreenPos,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Pressed {
        at: ScreenPos,
        hit: Option<Hit>,
        met: Option<Met>,
    },
    Pulling(Box<Pull>),
    Moving(Box<SpotDrag>),
}

/// The tool.
#[derive(Clone, Debug, Default)]
pub struct PullTool {
    state: State,
}

impl Pull {
    fn new(ctx: &ToolContext<'_>, met: Met, pressed: ScreenPos) -> Option<Self> {
        let chosen = chosen(ctx, met.object);
        match chosen {
            Some((id, entry)) => Self::on(ctx, met, pressed, (id, entry)),
            None => Self::fresh(ctx, met, pressed),
        }
    }

    /// Another landmark of a deformer that acts on the mesh: it begins where the deformer carries the surface now.
    fn on(ctx: &ToolContext<'_>, met: Met, pressed: ScreenPos, (id, entry): (ObjectId, usize)) -> Option<Self> {
        let deformer = ctx.document.object(id)?.as_deformer()?;
        let (place, space) = place_before(ctx.document, ctx.frame, met.object, entry, met.vertex)?;
        let inverse = space.try_inverse()?;
        // As far from the vertex as the pointer is from where it is seen.
        let surface = ctx.scene.surfaces.iter().find(|surface| surface.object == met.object)?;
        let seen = surface.positions().get(met.vertex)?;
        let beside = met.at - Vec3::from(seen.map(f64::from));
        let bound = ctx.document.object(met.object)?.as_mesh()?.stack.get(entry)?.before_skin;
        let at = inverse.point(&if bound { place } else { place + beside });
        let offset = if deformer.kind == DeformerKind::Warp {
            landmark_shape(ctx.document, id, deformer, ctx.frame.secs).moved(&at) - at
        } else {
            Vec3::zeros()
        };
        let landmark = Landmark { at, offset };
        let point = deformer.fresh_landmark_id();
        Some(Self { made: Vec::new(), deformer: id, point, landmark, inverse, at: met.at, pressed, now: pressed })
    }

    /// A new drag at the end of the mesh's stack.
    fn fresh(ctx: &ToolContext<'_>, met: Met, pressed: ScreenPos) -> Option<Self> {
        let mesh = ctx.document.object(met.object)?.as_mesh()?;
        let parent = follows(ctx, met);
        let above = match parent {
            Parent::Object(object) => ctx.frame.objects.get(&object)?.world,
            Parent::Joint(rig, joint) => {
                let index = ctx.document.object(rig)?.as_rig()?.skeleton.index_of(joint)?;
                ctx.frame.joint_world(rig, index)?
            }
        };
        let inverse = above.try_inverse()?;
        let mut deformer = Deformer::new(DeformerKind::Drag);
        // The reach of soft points, in the deformer's own lengths.
        let scale = above.linear.column(0).norm().max(1e-9);
        deformer.numbers.insert(Property::Radius, (reach(ctx, met.object) / scale).max(1e-6));
        let id = ObjectId(ctx.document.next_id);
        let kind = ObjectKind::Deformer(deformer);
        let object = Object { parent: Some(parent), ..Object::new(NAME, kind) };
        let added = ImportEdit { objects: vec![(id, Arc::new(object))], ..ImportEdit::default() };
        let entry = StackEntry::new(mesh.fresh_deformer_id(), id);
        let made = vec![added.into(), DeformEdit::AddEntry { object: met.object, entry }.into()];
        let landmark = Landmark { at: inverse.point(&met.at), offset: Vec3::zeros() };
        Some(Self { made, deformer: id, point: PointId(0), landmark, inverse, at: met.at, pressed, now: pressed })
    }

    fn edit(&self, ctx: &ToolContext<'_>) -> Edit {
        let to = |pos| ctx.view.point_at_depth_of(pos, &self.at);
        let by = self.inverse.vector(&(to(self.now) - to(self.pressed)));
        let landmark = Landmark { offset: self.landmark.offset + by, ..self.landmark };
        let set = DeformEdit::SetLandmarks { object: self.deformer, landmarks: vec![(self.point, Some(landmark))] };
        Edit::Batch(self.made.iter().cloned().chain([set.into()]).collect())
    }

    fn target(&self) -> Target {
        Target::Point(self.deformer, self.point)
    }
}

/// The selected deformer with landmarks that acts on a mesh, and the place of its entry in the stack.
fn chosen(ctx: &ToolContext<'_>, mesh: ObjectId) -> Option<(ObjectId, usize)> {
    let stack = &ctx.document.object(mesh)?.as_mesh()?.stack;
    let all = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    let by = all.filter_map(|target| match target {
        Target::Deformer(object, entry) if object == mesh => stack.iter().find(|own| own.id == entry).map(|own| own.by),
        other => Some(other.object()),
    });
    by.filter_map(|id| {
        let deformer = ctx.document.object(id)?.as_deformer()?;
        let entry = stack.iter().position(|entry| entry.by == id && !entry.muted)?;
        deformer.kind.has_landmarks().then_some((id, entry))
    })
    .next()
}

/// What the surface follows most at a vertex: a joint of its skin, or the mesh object.
fn follows(ctx: &ToolContext<'_>, met: Met) -> Parent {
    let mesh = ctx.document.object(met.object).and_then(|object| object.as_mesh());
    let skin = mesh.and_then(|mesh| mesh.skin.as_ref());
    let most = skin.and_then(|skin| {
        let most = skin.vertex(met.vertex).max_by(|a, b| a.1.total_cmp(&b.1))?;
        skin.joints.get(most.0).map(|joint| joint.joint)
    });
    most.unwrap_or(Parent::Object(met.object))
}

impl PullTool {
    fn begin(&mut self, (at, now): (ScreenPos, ScreenPos), met: Option<Met>, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(pull) = met.and_then(|met| Pull::new(ctx, met, at)) else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        let pull = Box::new(Pull { now, ..pull });
        let mut output = ToolOutput::gesture(Gesture::Begin { label: PULL });
        output.append(ToolOutput::gesture(Gesture::Update(pull.edit(ctx))));
        self.state = State::Pulling(pull);
        output
    }

    fn begin_drag(&mut self, hit: &Hit, at: ScreenPos, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let found = hit.spot.and_then(|spot| Some((spot, SpotDrag::new(Begun::ByPress, at, spot, hit.point, ctx)?)));
        let Some((spot, drag)) = found else {
            self.state = State::Idle;
            return ToolOutput::taken();
        };
        self.state = State::Moving(Box::new(drag));
        let mut output = ToolOutput::gesture(Gesture::Begin { label: "history.move" });
        if !ctx.selection.contains(spot.0) {
            output.selection = Some(Selection::single(spot.0));
        }
        output.append(self.run(event, ctx));
        output
    }

    fn run(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Moving(drag) = &mut self.state else { return ToolOutput::IGNORED };
        let (output, ended) = drag.handle(event, ctx);
        if ended {
            self.state = State::Idle;
        }
        output
    }

    fn click(at: ScreenPos, hit: Option<Hit>, met: Option<Met>, ctx: &ToolContext<'_>) -> ToolOutput {
        if let Some((target, _)) = hit.and_then(|hit| hit.spot) {
            return ToolOutput::select(Selection::single(target));
        }
        let Some(met) = met else { return ToolOutput::select(Selection::default()) };
        let on = chosen(ctx, met.object).and_then(|entry| Pull::on(ctx, met, at, entry));
        let Some(pull) = on else { return ToolOutput::select(Selection::single(Target::Object(met.object))) };
        let gestures = vec![Gesture::Begin { label: PULL }, Gesture::Update(pull.edit(ctx)), Gesture::Commit];
        ToolOutput { gestures, selection: Some(Selection::single(pull.target())), ..ToolOutput::taken() }
    }

    fn pulling(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Pulling(pull) = &mut self.state else { return ToolOutput::IGNORED };
        match event {
            Event::Pointer(pointer) => match pointer.kind {
                PointerKind::Move => {
                    pull.now = pointer.pos;
                    ToolOutput::gesture(Gesture::Update(pull.edit(ctx)))
                }
                PointerKind::Release(Button::Primary) => {
                    pull.now = pointer.pos;
                    let gestures = vec![Gesture::Update(pull.edit(ctx)), Gesture::Commit];
                    let selection = Some(Selection::single(pull.target()));
                    self.state = State::Idle;
                    ToolOutput { gestures, selection, ..ToolOutput::taken() }
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            Event::Key(key) if key.key == Key::Escape => self.cancel(),
            _ => ToolOutput::taken(),
        }
    }
}

impl Tool for PullTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&self.state, event) {
            (State::Moving(_), _) => self.run(event, ctx),
            (State::Pulling(_), _) => self.pulling(event, ctx),
            (State::Pressed { at, hit, met }, Event::Pointer(pointer)) => {
                let (at, hit, met) = (*at, *hit, *met);
                match pointer.kind {
                    PointerKind::Move if is_drag(at, pointer.pos) => match hit {
                        Some(hit) => self.begin_drag(&hit, at, event, ctx),
                        None => self.begin((at, pointer.pos), met, ctx),
                    },
                    PointerKind::Release(Button::Primary) => {
                        self.state = State::Idle;
                        Self::click(at, hit, met, ctx)
                    }
                    PointerKind::Press(Button::Secondary) => self.cancel(),
                    _ => ToolOutput::taken(),
                }
            }
            (State::Idle, Event::Pointer(pointer)) if pointer.kind == PointerKind::Press(Button::Primary) => {
                let hits = ctx.scene.hits(ctx.view, pointer.pos, &ctx.selection.targets);
                let is_landmark = |hit: &&Hit| {
                    hit.kind == HitKind::Spot && hit.spot.is_some_and(|(target, _)| matches!(target, Target::Point(..)))
                };
                let hit = hits.iter().find(is_landmark).copied();
                self.state = State::Pressed { at: pointer.pos, hit, met: met(ctx, pointer.pos) };
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
            State::Pulling(_) | State::Moving(_) => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    fn gesture(&self) -> Option<&'static str> {
        match self.state {
            State::Pulling(_) => Some(PULL),
            State::Moving(_) => Some("history.move"),
            _ => None,
        }
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        match &self.state {
            State::Moving(drag) => drag.draw(&mut overlay, ctx.view),
            State::Pulling(_) => {}
            State::Idle | State::Pressed { .. } => {
                if let Some(met) = ctx.pointer.and_then(|pos| met(ctx, pos))
                    && let Some([x, y]) = ctx.view.project(&met.at)
                {
                    overlay.marks.push(Mark::Circle { at: [x, y], radius: 5.0, ink: Ink::Hovered });
                    if let Some(scale) = ctx.view.points_per_metre_at(ctx.view.depth(&met.at)) {
                        let radius = reach(ctx, met.object) * scale;
                        overlay.marks.push(Mark::Circle { at: [x, y], radius, ink: Ink::Guide });
                    }
                }
            }
        }
        Look { overlay, cursor: Cursor::Cross, hint: "hint.pull", ..Look::default() }
    }
}

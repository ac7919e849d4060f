//! Dragging a dot of a trail: across it the joint is keyed there through its limb, along it the spacing changes.
//!
//! The first points of movement decide, by the trail's direction on the screen; Shift makes it along, Ctrl across.

use super::limb::{LimbGrab, LimbPose};
use crate::{
    edit::{
        Edit, EditError, Gesture, Selection,
        retime_here::{ArcBreak, RetimePlan},
    },
    eval::{EvaluatedFrame, Evaluator, trail::Trail},
    interact::{
        gizmo::in_plane,
        input::{Button, Event, Key, Modifiers, PointerEvent, PointerKind, ScreenPos, distance, offset},
        overlay::{Ink, Mark, Overlay},
        projection::View,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::{Affine, Vec3},
    model::Target,
};
use std::sync::Arc;

/// How near the pointer must be to a dot, points.
pub const DOT_HIT_PT: f64 = 7.0;
/// How far the pointer goes before it is decided what is meant, points.
const DECIDE_PT: f64 = 4.0;
/// The cosine of the angle to the trail within which a movement goes along it.
const ALONG_LEAST: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// What the two are called in the history.
const ACROSS: &str = "history.trail_across";
const ALONG: &str = "history.trail_along";

/// A dot under the pointer.
#[derive(Clone, Debug)]
struct Dot {
    trail: Arc<Trail>,
    index: usize,
    frame: i64,
    /// From the trail's space to the world as it is drawn.
    shown: Affine,
    /// The place in the world as it is drawn.
    place: Vec3,
    on_screen: ScreenPos,
}

impl Dot {
    /// The dot nearest to a place on the screen. That of the frame shown is the joint's own place: it is the trail's only
    /// where a modifier says so.
    fn at(pos: ScreenPos, modifiers: Modifiers, ctx: &ToolContext<'_>) -> Option<Self> {
        let now = ctx.document.settings.rate.nearest_frame(ctx.frame.secs);
        let forced = modifiers.shift || modifiers.ctrl;
        let mut nearest: Option<(f64, Self)> = None;
        for trail in ctx.trails {
            let Some(shown) = trail.world(ctx.frame) else { continue };
            for (index, frame, at) in trail.frames().filter(|(_, frame, _)| forced || *frame != now) {
                let place = shown.point(&at);
                let Some(on_screen) = ctx.view.project(&place) else { continue };
                let away = distance(on_screen, pos);
                if away <= DOT_HIT_PT && nearest.as_ref().is_none_or(|(least, _)| away < *least) {
                    nearest = Some((away, Self { trail: trail.clone(), index, frame, shown, place, on_screen }));
                }
            }
        }
        let (away, dot) = nearest?;
        // A joint that is nearer still is what is meant.
        let hits = ctx.scene.hits(ctx.view, pos, &ctx.selection.targets);
        let nearer = |hit: &crate::interact::picking::Hit| {
            hit.kind == crate::interact::picking::HitKind::Joint && hit.distance_pt < away
        };
        (forced || !hits.iter().any(nearer)).then_some(dot)
    }

    fn secs(&self) -> f64 {
        self.trail.secs(self.index)
    }

    /// The trail's direction there, world as drawn; along the screen where the joint stands still.
    fn tangent(&self, view: &View) -> Vec3 {
        let tangent = self.trail.tangent(self.index).map(|tangent| self.shown.vector(&tangent));
        tangent.and_then(|tangent| tangent.try_normalize(1e-12)).unwrap_or_else(|| view.forward())
    }

    /// Whether a movement on the screen goes along the trail.
    fn is_along(&self, moved: [f64; 2], modifiers: Modifiers, view: &View) -> bool {
        if modifiers.shift != modifiers.ctrl {
            return modifiers.shift;
        }
        let ahead = self.place + self.tangent(view) * (1.0 / view.points_per_metre(&self.place).unwrap_or(100.0));
        let Some(ahead) = view.project(&ahead) else { return false };
        let tangent = offset(self.on_screen, ahead);
        let lengths = tangent[0].hypot(tangent[1]) * moved[0].hypot(moved[1]);
        // Seen from its end a trail has no direction on the screen.
        lengths > 1e-6 && (tangent[0] * moved[0] + tangent[1] * moved[1]).abs() >= ALONG_LEAST * lengths
    }
}

/// What a drag does.
#[derive(Clone, Debug)]
enum Way {
    Across(Box<Across>),
    Along { plan: RetimePlan, read: f64 },
}

/// A drag of the arc at one frame.
#[derive(Clone, Debug)]
struct Across {
    /// The document at the dot's frame.
    frame: Arc<EvaluatedFrame>,
    grab: LimbGrab,
    /// From what is drawn now to where it is at the dot's frame.
    there: Affine,
    tangent: Vec3,
    pose: Option<LimbPose>,
}

#[derive(Clone, Debug)]
struct Drag {
    dot: Dot,
    press: ScreenPos,
    now: ScreenPos,
    way: Way,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Pressed {
        dot: Dot,
        at: ScreenPos,
    },
    Dragging(Box<Drag>),
}

/// The tool. It takes only what concerns a trail.
#[derive(Clone, Debug, Default)]
pub struct TrailTool {
    state: State,
    hovered: Option<(ScreenPos, Modifiers)>,
}

impl Drag {
    fn new(dot: Dot, press: ScreenPos, event: &PointerEvent, ctx: &ToolContext<'_>) -> Result<Self, EditError> {
        let spec = dot.trail.spec;
        let (object, joint, secs) = (spec.object, spec.joint, dot.secs());
        // The evaluator of the program remembers other times than this one: one frame is evaluated here, once a drag.
        let evaluator = Evaluator::new();
        let way = if dot.is_along(offset(press, event.pos), event.modifiers, ctx.view) {
            let plan = RetimePlan::new(ctx.document, &evaluator, (object, joint), spec.space, secs)?;
            Way::Along { plan, read: secs }
        } else {
            let frame = evaluator.frame(ctx.document, secs);
            let there = Context { frame: &frame, ctx };
            let grab = LimbGrab::new(&there.of_frame(), Target::Joint(object, joint));
            let grab = grab.ok_or(EditError::NoJoint(object, joint))?;
            let from_shown = dot.shown.try_inverse().unwrap_or(Affine::IDENTITY);
            let there = dot.trail.world(&frame).map_or(Affine::IDENTITY, |world| world * from_shown);
            let tangent = dot.tangent(ctx.view);
            Way::Across(Box::new(Across { frame, grab, there, tangent, pose: None }))
        };
        Ok(Self { dot, press, now: event.pos, way })
    }

    const fn label(&self) -> &'static str {
        match self.way {
            Way::Across(_) => ACROSS,
            Way::Along { .. } => ALONG,
        }
    }

    /// The total change for where the pointer is.
    fn edit(&mut self, ctx: &ToolContext<'_>) -> Result<Edit, EditError> {
        let (dot, view) = (&self.dot, ctx.view);
        match &mut self.way {
            Way::Across(across) => {
                let moved = in_plane(&dot.place, &across.tangent, view, self.press, self.now);
                let target = across.grab.start() + across.there.vector(&moved);
                let pose = across.grab.solve(&target, true, false);
                let there = Context { frame: &across.frame, ctx };
                let edit = across.grab.edit(&pose, &there.of_frame(), false, false);
                across.pose = Some(pose);
                edit
            }
            Way::Along { plan, read } => {
                let [dx, dy] = offset(self.press, self.now);
                let wanted = [dot.on_screen[0] + dx, dot.on_screen[1] + dy];
                *read = nearest_moment(dot, plan.range(), wanted, view).unwrap_or(*read);
                if [dx, dy] == [0.0, 0.0] { Ok(Edit::none()) } else { plan.edit(*read) }
            }
        }
    }

    /// Where the dot is led, what it says, and why an arc would not be kept.
    fn draw(&self, overlay: &mut Overlay, view: &View) {
        let [x, y] = self.now;
        match &self.way {
            Way::Across(across) => {
                if let Some(pose) = &across.pose {
                    pose.draw(overlay, view);
                }
                overlay.dashed(self.dot.on_screen, self.now, Ink::Guide);
                overlay.text([x + 16.0, y + 14.0], format!("{}", self.dot.frame), Some("trails.across_readout"));
            }
            Way::Along { plan, read } => {
                let frame = self.dot.trail.rate.frame_f64(*read);
                let key = match plan.arc_break() {
                    None => "trails.along_readout",
                    Some(ArcBreak::Pin) => "trails.pin_breaks",
                    Some(ArcBreak::Constraint) => "trails.constraint_breaks",
                    Some(ArcBreak::Parent) => "trails.parent_breaks",
                    Some(ArcBreak::Waiting) => "trails.waiting_breaks",
                };
                // The moment that is led, where it was before.
                let place = self.dot.trail.place(*read).map(|at| self.dot.shown.point(&at));
                if let Some(at) = place.and_then(|place| view.project(&place)) {
                    overlay.marks.push(Mark::Circle { at, radius: DOT_HIT_PT, ink: Ink::Selected });
                }
                let text = format!("{frame:.2} > {}", self.dot.frame);
                overlay.text([x + 16.0, y + 14.0], text, Some(key));
            }
        }
    }
}

/// The tool's context at another time.
struct Context<'a, 'b> {
    frame: &'a EvaluatedFrame,
    ctx: &'a ToolContext<'b>,
}

impl<'a> Context<'a, '_> {
    fn of_frame(&self) -> ToolContext<'a> {
        ToolContext { frame: self.frame, ..*self.ctx }
    }
}

/// The time within a range at which the old trail passes nearest to a place on the screen.
fn nearest_moment(dot: &Dot, (start, end): (f64, f64), wanted: ScreenPos, view: &View) -> Option<f64> {
    let trail = &dot.trail;
    let mut nearest: Option<(f64, f64)> = None;
    for index in 1..trail.points.len() {
        let (from, to) = (trail.secs(index - 1), trail.secs(index));
        if to <= start || from >= end {
            continue;
        }
        let ends = [index - 1, index].map(|at| view.project(&dot.shown.point(&trail.points[at])));
        let [Some(a), Some(b)] = ends else { continue };
        let ([dx, dy], [px, py]) = (offset(a, b), offset(a, wanted));
        let squared = dx.mul_add(dx, dy * dy);
        let part = if squared > 1e-12 { ((px * dx + py * dy) / squared).clamp(0.0, 1.0) } else { 0.5 };
        let away = (px - part * dx).hypot(py - part * dy);
        let secs = (to - from).mul_add(part, from).clamp(start, end);
        // Where a trail crosses itself, or the joint stands still, the moment nearest to the dot's own is meant.
        let tie = nearest.is_some_and(|(least, known)| {
            (away - least).abs() < 1e-6 && (secs - dot.secs()).abs() < (known - dot.secs()).abs()
        });
        if tie || nearest.is_none_or(|(least, _)| away < least - 1e-6) {
            nearest = Some((away, secs));
        }
    }
    nearest.map(|(_, secs)| secs)
}

impl TrailTool {
    fn begin(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>) -> ToolOutput {
        let State::Pressed { dot, at } = std::mem::take(&mut self.state) else { return ToolOutput::taken() };
        let target = Target::Joint(dot.trail.spec.object, dot.trail.spec.joint);
        let drag = match Drag::new(dot, at, event, ctx) {
            Ok(drag) => drag,
            Err(error) => return ToolOutput { refused: Some(error), ..ToolOutput::taken() },
        };
        let mut output = ToolOutput::gesture(Gesture::Begin { label: drag.label() });
        if !ctx.selection.contains(target) {
            let mut selection = Selection { correction: ctx.selection.correction, ..Selection::default() };
            selection.insert(target);
            output.selection = Some(selection);
        }
        self.state = State::Dragging(Box::new(drag));
        output.append(self.run(event, ctx, false));
        output
    }

    fn run(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>, ends: bool) -> ToolOutput {
        let State::Dragging(drag) = &mut self.state else { return ToolOutput::taken() };
        drag.now = event.pos;
        match drag.edit(ctx) {
            Ok(edit) => {
                let commit = ends.then_some(Gesture::Commit);
                if ends {
                    self.state = State::Idle;
                }
                let gestures = std::iter::once(Gesture::Update(edit)).chain(commit).collect();
                ToolOutput { gestures, ..ToolOutput::taken() }
            }
            Err(error) => {
                self.state = State::Idle;
                ToolOutput { refused: Some(error), ..ToolOutput::gesture(Gesture::Cancel) }
            }
        }
    }

    /// Whether the pointer is over a dot.
    #[must_use]
    pub fn is_over(&self, ctx: &ToolContext<'_>) -> bool {
        self.dot(ctx).is_some()
    }

    fn dot(&self, ctx: &ToolContext<'_>) -> Option<Dot> {
        let (pos, modifiers) = self.hovered.filter(|_| ctx.pointer.is_some() && !ctx.trails.is_empty())?;
        Dot::at(pos, modifiers, ctx)
    }
}

impl Tool for TrailTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        if let (Event::Key(key), true) = (event, self.is_busy())
            && key.key == Key::Escape
        {
            return self.cancel();
        }
        if let (Event::Modifiers(modifiers), Some((_, held))) = (event, &mut self.hovered) {
            *held = *modifiers;
        }
        let Event::Pointer(pointer) = event else { return ToolOutput::IGNORED };
        self.hovered = (pointer.kind != PointerKind::Leave).then_some((pointer.pos, pointer.modifiers));
        match (&self.state, pointer.kind) {
            (State::Idle, PointerKind::Press(Button::Primary)) => match Dot::at(pointer.pos, pointer.modifiers, ctx) {
                Some(dot) => {
                    self.state = State::Pressed { dot, at: pointer.pos };
                    ToolOutput::taken()
                }
                None => ToolOutput::IGNORED,
            },
            (State::Idle, _) => ToolOutput::IGNORED,
            (_, PointerKind::Press(Button::Secondary)) => self.cancel(),
            (State::Pressed { at, .. }, PointerKind::Move) if distance(*at, pointer.pos) >= DECIDE_PT => {
                self.begin(pointer, ctx)
            }
            (State::Pressed { dot, .. }, PointerKind::Release(Button::Primary)) => {
                let time = Some(dot.secs());
                self.state = State::Idle;
                ToolOutput { time, ..ToolOutput::taken() }
            }
            (State::Dragging(_), PointerKind::Move) => self.run(pointer, ctx, false),
            (State::Dragging(_), PointerKind::Release(Button::Primary)) => self.run(pointer, ctx, true),
            _ => ToolOutput::taken(),
        }
    }

    fn cancel(&mut self) -> ToolOutput {
        match std::mem::take(&mut self.state) {
            State::Idle => ToolOutput::IGNORED,
            State::Pressed { .. } => ToolOutput::taken(),
            State::Dragging(_) => ToolOutput::gesture(Gesture::Cancel),
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    fn gesture(&self) -> Option<&'static str> {
        match &self.state {
            State::Dragging(drag) => Some(drag.label()),
            _ => None,
        }
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        match &self.state {
            State::Dragging(drag) => {
                drag.draw(&mut overlay, ctx.view);
                let hint = match drag.way {
                    Way::Across(_) => "hint.trail_across",
                    Way::Along { .. } => "hint.trail_along",
                };
                Look { overlay, cursor: Cursor::Grabbing, hint, ..Look::default() }
            }
            State::Pressed { dot, .. } => {
                overlay.marks.push(Mark::Circle { at: dot.on_screen, radius: DOT_HIT_PT, ink: Ink::Selected });
                Look { overlay, cursor: Cursor::Grabbing, hint: "hint.trail_over", ..Look::default() }
            }
            State::Idle => {
                if let Some(dot) = self.dot(ctx) {
                    overlay.marks.push(Mark::Circle { at: dot.on_screen, radius: DOT_HIT_PT, ink: Ink::Hovered });
                    let [x, y] = dot.on_screen;
                    overlay.text([x + 12.0, y - 26.0], format!("{}", dot.frame), None);
                }
                Look { overlay, cursor: Cursor::Grab, hint: "hint.trail_over", ..Look::default() }
            }
        }
    }
}

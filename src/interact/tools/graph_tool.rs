//! The pointer in the graph: one state machine for selecting, dragging, scrubbing and moving the window.
//!
//! Every drag works from what was there at the press and sends the total change, so that it can be called off at any
//! moment and no path of the pointer leaves a trace.

use super::{
    graph_add::add_key,
    graph_curve::{GraphCurve, Points, Side},
    graph_edits::GraphEdit,
    graph_hit::{GraphHit, hit},
    graph_scale::ScaleDrag,
    graph_select::{Choice, in_box},
    graph_window::{WindowDrag, drags_window, pinch, scroll, scrub},
    keys::{AxisLock, DragRules, KeyDrag},
    tangents::HandleDrag,
};
use crate::{
    edit::{CurveRef, Gesture, KeyEdit, KeySelection, Selection},
    eval::curve::handles_used,
    interact::{
        input::{
            Button, Event, Key, KeyEvent, Modifiers, PointerEvent, PointerKind, ScreenPos, distance, is_drag, offset,
        },
        plot_view::{PlotRange, PlotRect, PlotView},
        snap::TimeSnap,
        view_state::{Profile, SnapOptions, ViewChange},
    },
    model::{self, ChannelPath, ClipId, FrameRate},
};

/// What the machine sees.
#[derive(Clone, Copy, Debug)]
pub struct GraphContext<'a> {
    /// The clip whose curves are shown.
    pub clip: ClipId,
    /// The window on the plot.
    pub view: PlotView,
    /// The ruler of frames.
    pub ruler: PlotRect,
    /// The ruler of values.
    pub values: PlotRect,
    /// The curves shown, back to front.
    pub curves: &'a [GraphCurve],
    /// What is selected.
    pub selection: &'a Selection,
    /// The channel new keys go to, where the pointer says nothing else.
    pub active: Option<ChannelPath>,
    /// Frames a second.
    pub rate: FrameRate,
    /// What snaps.
    pub snap: SnapOptions,
    /// The displayed step of the grid, for values that snap.
    pub value_step: f64,
    /// Mouse buttons as in which program.
    pub profile: Profile,
}

/// What is to be done, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphStep {
    /// A step of a change to the document.
    Gesture(Gesture),
    /// Other keys are selected.
    Keys(KeySelection),
    /// Another view.
    View(ViewChange),
    /// A channel becomes the active one: it is drawn above the others, and new keys go to it.
    Active(ChannelPath),
    /// So many captured curves became keys.
    Converted(usize),
}

/// How a marquee chooses, and where it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marquee {
    /// One corner.
    pub from: ScreenPos,
    /// The other.
    pub to: ScreenPos,
    /// What it does to the keys chosen before.
    pub choice: Choice,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    /// The left button is down and has not moved far.
    Pressed {
        press: ScreenPos,
        hit: GraphHit,
        modifiers: Modifiers,
        /// The selection to take if the button comes up without a drag.
        on_click: Option<KeySelection>,
        keys: KeySelection,
    },
    /// Keys move: with the button held, or with the pointer alone until a click.
    Keys {
        drag: KeyDrag,
        held: bool,
        lock: AxisLock,
        pos: ScreenPos,
        modifiers: Modifiers,
        converted: usize,
        shift: [f64; 2],
    },
    Scale {
        drag: Box<ScaleDrag>,
        pos: ScreenPos,
        converted: usize,
    },
    Handle {
        drag: Box<HandleDrag>,
        curve: CurveRef,
        key: Box<model::Key>,
        pos: ScreenPos,
    },
    Marquee(Marquee),
    Scrub,
    Pan {
        press: ScreenPos,
        range: PlotRange,
        button: Button,
    },
    Zoom {
        press: ScreenPos,
        range: PlotRange,
        button: Button,
    },
}

/// The machine.
#[derive(Clone, Debug, Default)]
pub struct GraphTool {
    state: State,
    hover: GraphHit,
}

/// A drag of so many points zooms by e.
const DRAG_ZOOM_PT: f64 = 150.0;
impl GraphTool {
    /// What the pointer is over while nothing is dragged.
    #[must_use]
    pub const fn hover(&self) -> GraphHit {
        self.hover
    }

    /// The marquee that is drawn, if one is.
    #[must_use]
    pub const fn marquee(&self) -> Option<Marquee> {
        match self.state {
            State::Marquee(marquee) => Some(marquee),
            _ => None,
        }
    }

    /// Whether a drag runs or a button is down.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Whether keys follow the pointer without a button, waiting for a click: then plain keys are the machine's.
    #[must_use]
    pub const fn is_modal(&self) -> bool {
        matches!(self.state, State::Keys { held: false, .. })
    }

    /// Whether the window itself is being dragged.
    #[must_use]
    pub const fn is_moving_view(&self) -> bool {
        matches!(self.state, State::Pan { .. } | State::Zoom { .. })
    }

    /// Whether a change of the document runs.
    #[must_use]
    pub const fn is_editing(&self) -> bool {
        matches!(self.state, State::Keys { .. } | State::Handle { .. } | State::Scale { .. })
    }

    /// While keys move: time and displayed value of the grabbed one at the press, how far it has moved, and the way it is
    /// held to.
    #[must_use]
    pub const fn moving(&self) -> Option<([f64; 2], [f64; 2], AxisLock)> {
        match &self.state {
            State::Keys { drag, lock, modifiers, shift, .. } => {
                let lock = if modifiers.shift { AxisLock::Dominant } else { *lock };
                Some((drag.grabbed(), *shift, lock))
            }
            _ => None,
        }
    }

    /// The text key of what the pointer would do, or does.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match &self.state {
            State::Keys { held: true, .. } => "graph.hint.moving",
            State::Keys { held: false, .. } => "graph.hint.moving_free",
            State::Handle { .. } => "graph.hint.handle_drag",
            State::Scale { .. } => "graph.hint.scale",
            State::Marquee(_) => "graph.hint.marquee",
            State::Scrub => "graph.hint.scrub",
            State::Pan { .. } => "graph.hint.pan",
            State::Zoom { .. } => "graph.hint.zoom",
            State::Idle | State::Pressed { .. } => match self.hover {
                GraphHit::Nothing => "graph.hint.idle",
                GraphHit::Curve(_) => "graph.hint.curve",
                GraphHit::Key { .. } => "graph.hint.key",
                GraphHit::Handle { .. } => "graph.hint.handle",
                GraphHit::Bar(_) => "graph.hint.bar",
            },
        }
    }

    /// Takes an event; what is to be done.
    pub fn handle(&mut self, event: &Event, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        match event {
            Event::Pointer(event) => self.pointer(event, ctx),
            Event::Key(event) => self.key(*event, ctx),
            Event::Modifiers(modifiers) => match self.state {
                State::Keys { pos, .. } | State::Handle { pos, .. } | State::Scale { pos, .. } => {
                    self.drag(pos, *modifiers, ctx)
                }
                _ => Vec::new(),
            },
        }
    }

    /// Looks anew at what is under a pointer that rests, because what lies there moved: by a zoom, by an undo.
    pub fn look(&mut self, pos: ScreenPos, ctx: &GraphContext<'_>) {
        if !self.is_busy() {
            self.hover = hit(ctx.curves, &ctx.view, pos);
        }
    }

    /// Lets the selected keys, or copies of them, follow the pointer from a place on, without a button.
    pub fn grab(&mut self, at: ScreenPos, copies: bool, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let mut steps = self.cancel();
        let keys = &ctx.selection.keys;
        let nearest = nearest_selected(ctx, at);
        let drag = KeyDrag::new(ctx.curves, ctx.clip, keys, nearest, &ctx.view, at);
        let drag = drag.and_then(|drag| if copies { drag.of_copies(ctx.curves) } else { Some(drag) });
        if let Some(drag) = drag {
            let (lock, modifiers) = (AxisLock::Free, Modifiers::NONE);
            self.state = State::Keys { drag, held: false, lock, pos: at, modifiers, converted: 0, shift: [0.0; 2] };
            steps.push(begin(if copies { "history.duplicate_keys" } else { "history.move_keys" }));
        }
        steps
    }

    /// Calls off whatever runs.
    pub fn cancel(&mut self) -> Vec<GraphStep> {
        let state = std::mem::take(&mut self.state);
        match state {
            State::Keys { .. } | State::Handle { .. } | State::Scale { .. } => {
                vec![GraphStep::Gesture(Gesture::Cancel)]
            }
            State::Pan { range, .. } | State::Zoom { range, .. } => vec![GraphStep::View(ViewChange::Graph(range))],
            _ => Vec::new(),
        }
    }

    /// Says that the document's change ended elsewhere: an undo in the middle of a drag, another gesture.
    pub fn forget(&mut self) {
        if self.is_editing() {
            self.state = State::Idle;
        }
    }

    fn pointer(&mut self, event: &PointerEvent, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let (pos, modifiers) = (event.pos, event.modifiers);
        match event.kind {
            PointerKind::Move => self.moved(pos, modifiers, ctx),
            PointerKind::Press(button) => self.press(button, pos, modifiers, ctx),
            PointerKind::Release(button) => self.release(button, pos, ctx),
            PointerKind::DoubleClick(Button::Primary) if ctx.view.rect.contains(pos) => add_key(pos, modifiers, ctx),
            PointerKind::DoubleClick(_) => Vec::new(),
            PointerKind::Scroll { delta, smooth } => {
                vec![GraphStep::View(scroll(delta, smooth, pos, modifiers, ctx))]
            }
            PointerKind::Pinch(factor) => vec![GraphStep::View(pinch(factor, pos, modifiers, ctx))],
            PointerKind::Leave => {
                self.hover = GraphHit::Nothing;
                Vec::new()
            }
        }
    }

    fn press(
        &mut self,
        button: Button,
        pos: ScreenPos,
        modifiers: Modifiers,
        ctx: &GraphContext<'_>,
    ) -> Vec<GraphStep> {
        if self.is_modal() {
            return if button == Button::Primary { self.confirm(ctx) } else { self.cancel() };
        }
        if self.is_busy() {
            return if button == Button::Secondary { self.cancel() } else { Vec::new() };
        }
        let range = ctx.view.range;
        match drags_window(button, modifiers, ctx.profile) {
            Some(WindowDrag::Zoom) => self.state = State::Zoom { press: pos, range, button },
            Some(WindowDrag::Pan) => self.state = State::Pan { press: pos, range, button },
            None if button == Button::Primary && ctx.ruler.contains(pos) => {
                self.state = State::Scrub;
                return vec![GraphStep::View(scrub(pos, modifiers, ctx))];
            }
            None if button == Button::Primary && ctx.view.rect.contains(pos) => return self.pick(pos, modifiers, ctx),
            None => {}
        }
        Vec::new()
    }

    /// A press with the left button on the plot.
    fn pick(&mut self, pos: ScreenPos, modifiers: Modifiers, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let hit = hit(ctx.curves, &ctx.view, pos);
        let old = &ctx.selection.keys;
        let mut steps: Vec<GraphStep> = Vec::new();
        if let Some(curve) = hit.curve().and_then(|curve| ctx.curves.get(curve)) {
            steps.push(GraphStep::Active(curve.path));
        }
        let (mut keys, mut on_click) = (old.clone(), None);
        match hit {
            GraphHit::Key { curve, key } => {
                if let Some((at, time)) = name(ctx, curve, key).filter(|_| ctx.curves[curve].editable) {
                    match (old.contains(at, time), Choice::of(modifiers)) {
                        (true, Choice::Replace) => on_click = Some(KeySelection::of(at, &[time])),
                        // Shift and Ctrl mean something else in a drag: the key leaves only where there is none.
                        (true, Choice::Add | Choice::Subtract) => {
                            let mut without = old.clone();
                            without.remove(at, time);
                            on_click = Some(without);
                        }
                        (false, Choice::Add) => {
                            keys.insert(at, time);
                        }
                        (false, Choice::Replace | Choice::Subtract) => keys = KeySelection::of(at, &[time]),
                    }
                }
            }
            GraphHit::Nothing | GraphHit::Curve(_) if Choice::of(modifiers) == Choice::Replace => {
                on_click = Some(KeySelection::new());
            }
            GraphHit::Handle { .. } | GraphHit::Nothing | GraphHit::Curve(_) | GraphHit::Bar(_) => {}
        }
        if keys != *old {
            steps.push(GraphStep::Keys(keys.clone()));
        }
        self.state = State::Pressed { press: pos, hit, modifiers, on_click, keys };
        steps
    }

    fn moved(&mut self, pos: ScreenPos, modifiers: Modifiers, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        match &mut self.state {
            State::Idle => {
                self.hover = hit(ctx.curves, &ctx.view, pos);
                Vec::new()
            }
            State::Pressed { press, .. } if !is_drag(*press, pos) => Vec::new(),
            State::Pressed { .. } => {
                let mut steps = self.start_drag(ctx);
                steps.extend(self.moved(pos, modifiers, ctx));
                steps
            }
            State::Keys { .. } | State::Handle { .. } | State::Scale { .. } => self.drag(pos, modifiers, ctx),
            State::Marquee(marquee) => {
                marquee.to = pos;
                marquee.choice = Choice::of(modifiers);
                Vec::new()
            }
            State::Scrub => vec![GraphStep::View(scrub(pos, modifiers, ctx))],
            State::Pan { press, range, .. } => {
                let before = PlotView::new(*range, ctx.view.rect);
                vec![GraphStep::View(ViewChange::Graph(before.panned(offset(*press, pos))))]
            }
            State::Zoom { press, range, .. } => {
                let [dx, dy] = offset(*press, pos);
                let before = PlotView::new(*range, ctx.view.rect);
                let factors = [(dx / DRAG_ZOOM_PT).exp(), (-dy / DRAG_ZOOM_PT).exp()];
                vec![GraphStep::View(ViewChange::Graph(before.zoomed_each(*press, factors)))]
            }
        }
    }

    /// The press becomes a drag.
    fn start_drag(&mut self, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let State::Pressed { press, hit, modifiers, keys, .. } = std::mem::take(&mut self.state) else {
            return Vec::new();
        };
        match hit {
            GraphHit::Key { curve, key } => {
                let grabbed = Some((curve, key));
                if let Some(drag) = KeyDrag::new(ctx.curves, ctx.clip, &keys, grabbed, &ctx.view, press) {
                    let lock = AxisLock::Free;
                    self.state =
                        State::Keys { drag, held: true, lock, pos: press, modifiers, converted: 0, shift: [0.0; 2] };
                    return vec![begin("history.move_keys")];
                }
            }
            GraphHit::Handle { curve, key, side } => {
                if let Some((curve, key, drag)) = handle_drag(ctx, curve, key, side, press) {
                    self.state = State::Handle { drag: Box::new(drag), curve, key: Box::new(key), pos: press };
                    return vec![begin("history.move_handle")];
                }
            }
            GraphHit::Bar(end) => {
                if let Some(drag) = ScaleDrag::new(ctx.curves, ctx.clip, end, &ctx.view, press) {
                    self.state = State::Scale { drag: Box::new(drag), pos: press, converted: 0 };
                    return vec![begin("history.scale_keys")];
                }
            }
            GraphHit::Nothing | GraphHit::Curve(_) => {
                let choice = Choice::of(modifiers);
                self.state = State::Marquee(Marquee { from: press, to: press, choice });
            }
        }
        Vec::new()
    }

    /// The drag of keys or of a handle with the pointer at a place.
    fn drag(&mut self, to: ScreenPos, held: Modifiers, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let edit = match &mut self.state {
            State::Keys { drag, lock, pos, modifiers, converted, shift, .. } => {
                (*pos, *modifiers) = (to, held);
                let snap = TimeSnap::new(ctx.snap.frames, held.ctrl, ctx.rate);
                let lock = if held.shift { AxisLock::Dominant } else { *lock };
                let value_step = if ctx.snap.values { ctx.value_step } else { 0.0 };
                *shift = drag.shift(&ctx.view, to, DragRules { lock, snap, value_step });
                let GraphEdit { edit, converted: now } = drag.edit(*shift, snap);
                *converted = now;
                edit
            }
            State::Scale { drag, pos, converted } => {
                *pos = to;
                let snap = TimeSnap::new(ctx.snap.frames, held.ctrl, ctx.rate);
                let factor = drag.factor(&ctx.view, to, snap);
                let Some(GraphEdit { edit, converted: now }) = drag.edit(factor, snap) else { return Vec::new() };
                *converted = now;
                edit
            }
            State::Handle { drag, curve, key, pos } => {
                *pos = to;
                let (handle_in, handle_out) = drag.handles(&ctx.view, to, held);
                let keys = vec![model::Key { handle_in, handle_out, ..**key }];
                KeyEdit::Insert { curve: *curve, keys }.into()
            }
            _ => return Vec::new(),
        };
        vec![GraphStep::Gesture(Gesture::Update(edit))]
    }

    fn release(&mut self, button: Button, pos: ScreenPos, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let ends = match &self.state {
            State::Idle => false,
            State::Pan { button: held, .. } | State::Zoom { button: held, .. } => *held == button,
            State::Keys { held, .. } => *held && button == Button::Primary,
            State::Pressed { .. } | State::Handle { .. } | State::Scale { .. } | State::Marquee(_) | State::Scrub => {
                button == Button::Primary
            }
        };
        if !ends {
            return Vec::new();
        }
        if matches!(self.state, State::Keys { .. }) {
            return self.confirm(ctx);
        }
        let steps = match std::mem::take(&mut self.state) {
            State::Pressed { on_click: Some(keys), .. } if keys != ctx.selection.keys => vec![GraphStep::Keys(keys)],
            State::Scale { converted, .. } => committed(converted),
            State::Handle { .. } => committed(0),
            State::Marquee(marquee) => {
                let found = in_box(ctx.curves, ctx.clip, &ctx.view, marquee.from, pos);
                vec![GraphStep::Keys(marquee.choice.apply(&ctx.selection.keys, found))]
            }
            _ => Vec::new(),
        };
        self.hover = hit(ctx.curves, &ctx.view, pos);
        steps
    }

    /// Ends the drag of keys.
    fn confirm(&mut self, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        let State::Keys { drag, converted, shift, modifiers, .. } = std::mem::take(&mut self.state) else {
            return Vec::new();
        };
        let mut steps = committed(converted);
        let snap = TimeSnap::new(ctx.snap.frames, modifiers.ctrl, ctx.rate);
        steps.extend(drag.copies(shift, snap).map(GraphStep::Keys));
        steps
    }

    fn key(&mut self, event: KeyEvent, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
        match (event.key, &mut self.state) {
            (Key::Escape, _) => self.cancel(),
            (Key::Enter, State::Keys { held: false, .. }) => self.confirm(ctx),
            (Key::X | Key::Y, State::Keys { lock, pos, .. }) => {
                let wanted = if event.key == Key::X { AxisLock::Time } else { AxisLock::Value };
                *lock = if *lock == wanted { AxisLock::Free } else { wanted };
                let pos = *pos;
                self.drag(pos, event.modifiers, ctx)
            }
            _ => Vec::new(),
        }
    }
}

fn begin(label: &'static str) -> GraphStep {
    GraphStep::Gesture(Gesture::Begin { label })
}

fn committed(converted: usize) -> Vec<GraphStep> {
    let mut steps = vec![GraphStep::Gesture(Gesture::Commit)];
    if converted > 0 {
        steps.push(GraphStep::Converted(converted));
    }
    steps
}

/// The name and the time of a point.
fn name(ctx: &GraphContext<'_>, curve: usize, key: usize) -> Option<(CurveRef, f64)> {
    let curve = ctx.curves.get(curve)?;
    Some((CurveRef { clip: ctx.clip, path: curve.path }, curve.points.get(key)?[0]))
}

/// The selected key nearest a place, by curve and index: it snaps for all.
fn nearest_selected(ctx: &GraphContext<'_>, at: ScreenPos) -> Option<(usize, usize)> {
    let keys = ctx.curves.iter().enumerate().filter(|(_, curve)| curve.editable).flat_map(|(index, curve)| {
        curve.selected.iter().filter_map(move |key| Some((distance(curve.place(&ctx.view, *key)?, at), (index, *key))))
    });
    keys.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
}

/// The drag of a handle, with the key as it is.
fn handle_drag(
    ctx: &GraphContext<'_>,
    curve: usize,
    key: usize,
    side: Side,
    press: ScreenPos,
) -> Option<(CurveRef, model::Key, HandleDrag)> {
    let curve = ctx.curves.get(curve).filter(|curve| curve.editable)?;
    let Points::Keyed(keyed) = &curve.points else { return None };
    let (known, used) = (keyed.keys.get(key)?, handles_used(keyed, key)?);
    // At an end the outer handle shapes nothing: it starts as the mirror image of the inner one.
    let mirrored = |(secs, value): (f64, f64)| (-secs, -value);
    let before = used.before.or(used.after.map(mirrored))?;
    let after = used.after.unwrap_or_else(|| mirrored(before));
    let drag = HandleDrag::new(&known, side, curve.map, (before, after), &ctx.view, press);
    let drag = drag.by_clock(curve.clock.clone());
    Some((CurveRef { clip: ctx.clip, path: curve.path }, known, drag))
}

#[cfg(test)]
mod tests;

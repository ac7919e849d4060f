//! The 3D view: what is shown as a picture, over it what the tools draw, and the pointer and keys passed to them.

mod axes;
mod bar;
mod chains;
mod header;
mod held;
mod lattice_bar;
mod lights;
mod marks;
mod nodes;
mod onion;
mod paths;
mod pen;
mod picture;
mod pins;
mod popover;
mod probe;
mod rest;
mod rivals;
mod run;
mod timed;
mod trails;
mod weights_bar;

use crate::{
    command::{Command, CommandId},
    eval::trail::Trail,
    interact::{
        input::{Event, Key, PointerEvent, PointerKind},
        limit_marks,
        overlay::Overlay,
        timing::{Action, TimingView, action},
        tool::{Cursor, Hovered, Look, ToolOutput},
        trails as shown_trails,
        view_state::{Playback, ViewChange},
        viewport_desk::{Shown, ViewportDesk},
    },
    model::Target,
    notice::Notice,
    scene::Figures,
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        panel_input::{Keys, PanelInput, from_egui, place},
    },
};
use egui::{Align2, CursorIcon, Rect, Response, Role, Sense, Ui, WidgetInfo};
use picture::Picture;
use std::sync::Arc;

/// The 3D view.
#[derive(Debug, Default)]
pub struct ViewportPanel {
    input: PanelInput,
    desk: ViewportDesk,
    figures: Figures,
    picture: Picture,
    /// Size when last shown, points: commands frame by it.
    size: [f64; 2],
    /// The trails that are drawn.
    trails: Vec<Arc<Trail>>,
    /// The target under the pointer when last shown.
    over: Option<Target>,
    /// What of the view widgets cover: presses there are theirs.
    covered: Vec<Rect>,
    /// Vertices without weight of the mesh whose weights are seen.
    counted: weights_bar::Counted,
    /// The frame in which something was pressed elsewhere while a movement followed the pointer.
    ends_after: Option<u64>,
}

impl Panel for ViewportPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let rect = ui.max_rect();
        let response = ui.allocate_rect(rect, Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, t("panel.viewport")));
        if rect.width() < 1.0 || rect.height() < 1.0 {
            return;
        }
        self.size = [f64::from(rect.width()), f64::from(rect.height())];
        let at_rest = ctx.view.rest.on;
        // What moves at other times is not what stands at rest.
        self.trails = if at_rest { Vec::new() } else { shown_trails::shown(ctx.view, ctx.document, ctx.evaluator) };
        self.pass_on(ui, &response, ctx);
        let look = self.look(ctx);
        let painter = ui.painter_at(rect);
        let raced = if !at_rest && ctx.view.race.ghosts && !ctx.view.race.entrants.is_empty() {
            crate::ui::panels::race::subjects(ctx)
        } else {
            None
        };
        let reference = ctx.view.reference;
        let compared = reference.against.filter(|_| reference.ghost && !at_rest).and_then(|against| {
            let (clip, _) = crate::ui::subject::clip(ctx.document, ctx.selection)?;
            Some((clip, against))
        });
        let around = picture::Around {
            evaluator: ctx.evaluator,
            backdrops: ctx.backdrops,
            raced,
            compared,
            timed: timed(ctx).filter(|_| !at_rest),
        };
        let scene = self.picture.scene(&shown(ctx, self.size, &self.trails), &around, &look, &mut self.figures);
        ctx.painter.paint(&painter, rect, scene);
        let hovered = match look.hovered {
            Some(Hovered::Target(target)) => Some(target),
            _ => None,
        };
        self.over = hovered.filter(|_| response.contains_pointer());
        let dots = ctx.view.path_dots.map(|(path, count)| paths::Dots { path, count });
        let mut taken = self.covered.clone();
        let now = shown(ctx, self.size, &self.trails);
        paths::paint(&painter, rect, &now, hovered, (ctx.colours, dots), &mut taken);
        chains::paint(&painter, rect, &shown(ctx, self.size, &self.trails), hovered, ctx.colours);
        pins::paint(&painter, rect, &shown(ctx, self.size, &self.trails), ctx.colours);
        held::paint(&painter, rect, &shown(ctx, self.size, &self.trails), ctx.colours);
        // What a drag says comes before tags of ghosts and of what is under the pointer.
        marks::paint(&painter, rect, &look.overlay, ctx.colours, &mut taken);
        marks::paint(&painter, rect, &self.limits(ctx), ctx.colours, &mut taken);
        let now = shown(ctx, self.size, &self.trails);
        rivals::paint(&painter, rect, &now, self.picture.numbers(), &mut taken);
        rivals::lengths(&painter, rect, &now, self.picture.lengths(), ctx.colours, &mut taken);
        if !self.trails.is_empty() {
            let drawn = picture::trails(&shown(ctx, self.size, &self.trails), ctx.evaluator);
            trails::legend(&painter, rect, &drawn, ctx);
        }
        let pointer = response.hover_pos().filter(|_| look.cursor != Cursor::Grabbing);
        let scene = self.desk.pickable();
        let now = shown(ctx, self.size, &self.trails);
        let probed = probe::show((&painter, rect), pointer, &scene, &now, ctx, &mut taken);
        if probed != ctx.view.probed {
            ctx.commands.view(ViewChange::Probed(probed));
        }
        self.name_of_hovered(ui, &response, &look, ctx, &mut taken);
        if ctx.document.objects.is_empty() {
            let font = egui::TextStyle::Body.resolve(ui.style());
            painter.text(rect.center(), Align2::CENTER_CENTER, t("viewport.empty"), font, ctx.colours.weak);
        }
        nodes::add(ui, &response, &self.desk.pickable(), &look, &shown(ctx, self.size, &self.trails));
        through(&painter, rect, ctx);
        rest::mark(&painter, rect, ctx);
        self.covered.clear();
        let bar = header::show(ui, rect, ctx);
        self.covered.push(bar);
        let below = rest::bar(ui, rect, bar, ctx);
        self.covered.extend(below);
        let points = lattice_bar::show(ui, rect, below.unwrap_or(bar), ctx);
        self.covered.extend(points);
        let above = points.or(below).unwrap_or(bar);
        self.covered.extend(weights_bar::show(ui, rect, above, ctx, &mut self.counted));
        self.covered.extend(axes::show(ui, (rect, bar), ctx));
        self.say(ui, &response, &look, ctx);
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        self.carry_out_command(command, ctx);
    }

    fn captures_keys(&self) -> bool {
        self.desk.is_busy()
    }
}

/// What is shown, as the tools are told it.
fn shown<'a>(ctx: &'a PanelContext<'_>, size: [f64; 2], trails: &'a [Arc<Trail>]) -> Shown<'a> {
    Shown {
        document: ctx.standing,
        frame: ctx.frame,
        selection: ctx.selection,
        view: ctx.view,
        auto_key: ctx.view.auto_key,
        trails,
        size,
    }
}

impl ViewportPanel {
    /// Passes this frame's input to the tools and what they ask for to the program.
    fn pass_on(&mut self, ui: &Ui, response: &Response, ctx: &PanelContext<'_>) {
        let dropped = self.desk.sync(ctx.view.tool, ctx.session.gesture_label());
        carry_out(dropped, ctx);
        let typing = ctx.text_had_focus || ui.ctx().text_edit_focused();
        let keys = if self.desk.is_busy() && !typing { Keys::Tool } else { Keys::None };
        let events = self.input.events(ui, response, keys);
        let mut events = self.not_covered(events, response.rect);
        self.follow(ui, response, &mut events);
        if events.is_empty() {
            return;
        }
        // What one event changes must hold for the next of the same frame.
        let mut view = ctx.view.clone();
        let mut selection = ctx.selection.clone();
        for event in coalesced(&events) {
            let now = Shown { selection: &selection, view: &view, ..shown(ctx, self.size, &self.trails) };
            let figures = &mut self.figures;
            let is_shown = |id| now.is_shown(id);
            let mut parts = |document: &_, frame: &_| figures.part_shapes(document, frame, is_shown);
            let handled = self.desk.handle(&event, &now, &mut parts);
            if let Some(selected) = &handled.output.selection {
                selection = selected.clone();
            }
            carry_out(handled.output, ctx);
            if let Some(camera) = handled.camera {
                ctx.commands.view(ViewChange::Camera(camera));
                view.camera = camera;
            }
        }
    }

    /// What runs without a button held follows the pointer out of the view; a press there ends it, and is the other panel's:
    /// so it ends a frame later, unless that panel has begun something of its own.
    fn follow(&mut self, ui: &Ui, response: &Response, events: &mut Vec<Event>) {
        let frame = ui.ctx().cumulative_frame_nr();
        let modal = self.desk.is_modal();
        if self.ends_after.is_some_and(|after| after < frame) {
            self.ends_after = None;
            events.extend(modal.then_some(Event::key(Key::Enter)));
        }
        if !modal || response.contains_pointer() {
            return;
        }
        ui.input(|input| {
            for event in &input.events {
                match event {
                    egui::Event::PointerMoved(pos) => {
                        let (pos, modifiers) = (place(*pos, response.rect), from_egui(input.modifiers));
                        events.push(Event::pointer(PointerKind::Move, pos, modifiers));
                    }
                    egui::Event::PointerButton { pressed: true, .. } => self.ends_after = Some(frame),
                    _ => {}
                }
            }
        });
        if self.ends_after.is_some() {
            ui.ctx().request_repaint();
        }
    }

    /// The events that are not for the widgets over the view: a press there is theirs, and the pointer is not over the scene.
    fn not_covered(&self, events: Vec<Event>, rect: Rect) -> Vec<Event> {
        let covered = |event: &PointerEvent| {
            self.covered.iter().any(|widget| {
                let (low, high) = (place(widget.min, rect), place(widget.max, rect));
                (0..2).all(|axis| (low[axis]..=high[axis]).contains(&event.pos[axis]))
            })
        };
        let busy = self.desk.is_busy();
        let pass = |event: Event| match event {
            Event::Pointer(pointer) if !busy && covered(&pointer) => {
                let leave = Event::pointer(PointerKind::Leave, pointer.pos, pointer.modifiers);
                match pointer.kind {
                    PointerKind::Move => [Some(leave), None],
                    // What ends there ends, and the pointer is over the widget still.
                    PointerKind::Release(_) | PointerKind::Leave => [Some(event), Some(leave)],
                    PointerKind::Press(_)
                    | PointerKind::DoubleClick(_)
                    | PointerKind::Scroll { .. }
                    | PointerKind::Pinch(_) => [None, None],
                }
            }
            _ => [Some(event), None],
        };
        events.into_iter().flat_map(pass).flatten().collect()
    }

    fn look(&mut self, ctx: &PanelContext<'_>) -> Look {
        let now = shown(ctx, self.size, &self.trails);
        let figures = &mut self.figures;
        self.desk.look(&now, &mut |document, frame| figures.part_shapes(document, frame, |id| now.is_shown(id)))
    }

    /// The limits of the joint that is active.
    fn limits(&self, ctx: &PanelContext<'_>) -> Overlay {
        let mut overlay = Overlay::default();
        if let Some(Target::Joint(object, joint)) = ctx.selection.active
            && let Some(rig) = ctx.document.object(object).and_then(|found| found.as_rig())
            && let Some(limbs) = ctx.evaluator.limbs(ctx.document, object)
            && ctx.view.drag.limits
        {
            let view = shown(ctx, self.size, &self.trails).camera();
            limit_marks::draw(&mut overlay, &view, (object, rig), &limbs, joint, ctx.frame);
        }
        overlay
    }

    /// The name of the joint under the pointer, beside it.
    fn name_of_hovered(
        &self,
        ui: &Ui,
        response: &Response,
        look: &Look,
        ctx: &PanelContext<'_>,
        taken: &mut Vec<Rect>,
    ) {
        let (Some(Hovered::Target(target)), Some(pointer)) = (look.hovered, response.hover_pos()) else { return };
        if !ctx.view.viewport.names || self.desk.is_busy() {
            return;
        }
        let Some(name) = name_of(ctx, target) else { return };
        marks::label(
            &ui.painter_at(response.rect),
            response.rect,
            pointer + egui::vec2(16.0, 14.0),
            &name,
            ctx.colours,
            taken,
        );
    }

    /// The pointer's shape, and what a click would do.
    fn say(&self, ui: &Ui, response: &Response, look: &Look, ctx: &PanelContext<'_>) {
        let over_widget =
            ui.ctx().pointer_latest_pos().is_some_and(|pos| self.covered.iter().any(|widget| widget.contains(pos)));
        let busy = self.desk.is_busy();
        if !busy && (!response.contains_pointer() || over_widget) {
            return;
        }
        ui.ctx().set_cursor_icon(match look.cursor {
            Cursor::Default => CursorIcon::Default,
            Cursor::Pointing => CursorIcon::PointingHand,
            Cursor::Grab => CursorIcon::Grab,
            Cursor::Grabbing => CursorIcon::Grabbing,
            Cursor::Cross => CursorIcon::Crosshair,
        });
        if !look.hint.is_empty() {
            let hint = t(look.hint);
            let gap = if look.readout.is_empty() { "" } else { " · " };
            ctx.commands.send(Command::Hint(format!("{}{gap}{hint}", look.readout).into()));
        }
    }
}

/// Says that one looks through a camera.
fn through(painter: &egui::Painter, rect: Rect, ctx: &PanelContext<'_>) {
    let Some(camera) = ctx.view.through.and_then(|id| ctx.document.object(id)) else { return };
    let text = fill("camera.through", &[("camera", &camera.name)]);
    // Below the row of buttons, which is as wide as the view where that is narrow.
    let at = egui::pos2(rect.center().x - 70.0, rect.top() + 44.0);
    marks::label(painter, rect, at, &text, ctx.colours, &mut Vec::new());
    painter.rect_stroke(rect, 0.0, egui::Stroke::new(2.0, ctx.colours.accent), egui::StrokeKind::Inside);
}

/// Sends what a tool asks for. A selection comes after the gesture's beginning, so that it is undone with it.
fn carry_out(output: ToolOutput, ctx: &PanelContext<'_>) {
    let begins = output.gestures.iter().any(|gesture| matches!(gesture, crate::edit::Gesture::Begin { .. }));
    if begins && ctx.view.is_playing() {
        // A pose is set at one time.
        ctx.commands.view(ViewChange::Playback(Playback::Stopped));
    }
    for gesture in output.gestures {
        ctx.commands.gesture(gesture);
    }
    if let Some(selection) = output.selection {
        ctx.commands.select(selection);
    }
    if let Some(secs) = output.time {
        ctx.commands.view(ViewChange::Playback(Playback::Stopped));
        ctx.commands.view(ViewChange::Time(secs));
    }
    if let Some(error) = output.refused {
        ctx.commands.send(Command::Tell(Notice::warn(error.to_string())));
    }
}

/// The events with each run of movements replaced by its last: tools work from the total movement.
fn coalesced(events: &[Event]) -> Vec<Event> {
    let is_move = |event: &Event| matches!(event, Event::Pointer(pointer) if pointer.kind == PointerKind::Move);
    let mut out: Vec<Event> = Vec::with_capacity(events.len());
    for event in events {
        match out.last_mut() {
            Some(last) if is_move(last) && is_move(event) => *last = *event,
            _ => out.push(*event),
        }
    }
    out
}

/// A target's own name.
fn name_of(ctx: &PanelContext<'_>, target: Target) -> Option<String> {
    let object = ctx.document.object(target.object())?;
    match target {
        Target::Joint(_, joint) => Some(object.as_rig()?.skeleton.joint(joint)?.name.clone()),
        Target::Point(_, id) => Some(crate::ui::subject::point_name(object, id)),
        _ => crate::ui::subject::chain_part_name(ctx.document, target).or_else(|| Some(object.name.clone())),
    }
}

/// The action that is seen at other lengths, where it is to be.
fn timed(ctx: &PanelContext<'_>) -> Option<(Action, TimingView)> {
    let view = Some(&ctx.view.timing).filter(|view| view.shown && !view.lengths.is_empty())?;
    let (clip, _) = crate::ui::subject::clip(ctx.document, ctx.selection)?;
    Some((action(ctx.document, clip, ctx.selection)?, view.clone()))
}

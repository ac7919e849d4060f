//! The canvas: what it shows, what the pointer does on it.

use super::{
    access,
    channels::{ChannelState, Listing, normalise, ruler_unit, unit_name},
    menus::Popup,
    paint::{LineCache, Scene, paint},
    race::{RaceCache, RaceLine},
    steps::send,
};
use crate::{
    command::Command,
    interact::{
        input::{Button, Event, PointerEvent, PointerKind, ScreenPos},
        plot_view::{Bounds, PlotRange},
        reference::Against,
        tools::{
            graph_cache::{GraphCache, Shown},
            graph_corrected::CorrectedCache,
            graph_curve::GraphCurve,
            graph_hit::GraphHit,
            graph_tool::{GraphContext, GraphTool},
        },
        view_state::ViewChange,
    },
    model::{ChannelPath, ClipId, Document},
    text::t,
    ui::{
        panel::PanelContext,
        panel_input::{Keys, PanelInput},
        panels::markers,
        widgets::plot_canvas::{PlotCanvas, playhead_head, value_ticks},
    },
};
use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use egui::{CursorIcon, Rect, Role, Sense, Ui, WidgetInfo};

/// Part of the height and the width left free around what is framed.
const MARGIN: f64 = 0.08;

/// What the canvas keeps between frames.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    pub(super) tool: GraphTool,
    cache: GraphCache,
    corrected: CorrectedCache,
    lines: LineCache,
    race: RaceCache,
    /// What races, as lines.
    rivals: Vec<RaceLine>,
    behind: GraphCache,
    /// The curves compared with, drawn behind.
    compared: Vec<GraphCurve>,
    input: PanelInput,
    /// The curves shown last, for commands.
    pub(super) curves: Vec<GraphCurve>,
    /// The clip they are of.
    pub(super) clip: Option<ClipId>,
    canvas: Option<PlotCanvas>,
    /// Where the pointer was last, points within the canvas.
    pub(super) pointer: ScreenPos,
    /// What was framed by itself last: another set of channels is framed again.
    framed: Option<(ClipId, Vec<ChannelPath>, bool)>,
    /// Whether the session was seen in the machine's gesture.
    saw_gesture: bool,
    /// Whether the pointer is over the canvas.
    pub(super) over: bool,
    pub(super) popup: Option<(Popup, egui::Pos2)>,
    /// Whether it was opened since it was last shown.
    pub(super) popup_is_new: bool,
    /// Where badges are that can be clicked.
    badges: Vec<Rect>,
    markers: markers::Markers,
    /// What lay under the pointer when that was looked at last: the window and the document.
    looked: Option<(PlotRange, Arc<Document>)>,
}

/// The unit of the selected keys' values, where all have one.
fn moved_unit(curves: &[GraphCurve], ctx: &PanelContext<'_>) -> &'static str {
    let unit = ctx.document.settings.length_unit;
    let mut units = curves.iter().filter(|curve| !curve.selected.is_empty()).map(|curve| unit_name(curve.path, unit));
    let first = units.next().unwrap_or_default();
    if units.all(|unit| unit == first) { first } else { "" }
}

impl Canvas {
    /// The window on the plot.
    pub(super) fn range(&self, ctx: &PanelContext<'_>) -> PlotRange {
        ctx.view.graph.unwrap_or_else(|| self.fit(ctx, false))
    }

    /// The window that shows all curves, or the selected keys where there are any.
    pub(super) fn fit(&self, ctx: &PanelContext<'_>, selected_only: bool) -> PlotRange {
        let settings = &ctx.document.settings;
        let mut bounds = Bounds::EMPTY;
        for curve in &self.curves {
            curve.add_to(&mut bounds, selected_only);
        }
        if bounds.is_empty() && selected_only {
            return self.fit(ctx, false);
        }
        let play = settings.play_range;
        let play = (settings.rate.secs(play.first), settings.rate.secs(play.last));
        if !selected_only && bounds.secs.0 == bounds.secs.1 {
            // Around the only key there is yet: those to come are in the play range.
            bounds.secs = (bounds.secs.0.min(play.0), bounds.secs.1.max(play.1));
        }
        PlotRange::fit(&bounds, play, MARGIN)
    }

    /// What the machine sees.
    pub(super) fn context<'a>(
        &'a self,
        ctx: &'a PanelContext<'_>,
        active: Option<ChannelPath>,
    ) -> Option<GraphContext<'a>> {
        let canvas = self.canvas?;
        let view = canvas.local(self.range(ctx));
        let unit = ctx.document.settings.length_unit;
        Some(GraphContext {
            clip: self.clip?,
            view,
            ruler: canvas.local_rect(canvas.ruler),
            values: canvas.local_rect(canvas.values),
            curves: &self.curves,
            selection: ctx.selection,
            active,
            rate: ctx.document.settings.rate,
            snap: ctx.view.snap,
            value_step: value_ticks(&view, ruler_unit(&self.curves, unit).0).step(),
            profile: ctx.view.profile,
        })
    }

    /// Shows the canvas in a rectangle.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        listing: Option<&Listing>,
        channels: &mut ChannelState,
        follow: bool,
    ) {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, t("graph.canvas")));
        let canvas = PlotCanvas::new(rect).with_strips(channels.strips);
        self.canvas = Some(canvas);
        self.over = response.contains_pointer();
        if canvas.plot.width() < 2.0 || canvas.plot.height() < 2.0 {
            return;
        }
        self.collect(ui, ctx, listing, channels, canvas.plot);
        self.race(ui, ctx, channels, canvas.plot);
        self.compare(ui, ctx, listing, channels, canvas.plot);
        self.frame_by_itself(ctx, follow, channels.normalised);
        self.forget_ended(ctx);
        self.handle(ui, ctx, &response, channels);
        self.look(ctx, channels.active);
        if ui.is_rect_visible(rect) {
            let range = self.range(ctx);
            let muted = self.muted(ctx);
            let scene = Scene {
                canvas: &canvas,
                view: canvas.view(range),
                curves: &self.curves,
                rivals: &self.rivals,
                compared: &self.compared,
                active: channels.active,
                hover: if self.tool.is_busy() { GraphHit::Nothing } else { self.tool.hover() },
                marquee: self.tool.marquee(),
                pointer: self.pointer,
                over: response.contains_pointer(),
                normalised: channels.normalised,
                badges: channels.badges,
                family: channels.family,
                muted: &muted,
                moving: self.tool.moving(),
                unit: moved_unit(&self.curves, ctx),
                feather: 1.0 / ui.ctx().pixels_per_point(),
            };
            paint(ui, ctx, &scene, &mut self.lines);
            let buttons = self.clip.filter(|_| channels.badges && !self.tool.is_busy());
            self.badges =
                buttons.map_or_else(Vec::new, |clip| super::badges::buttons(ui, ctx, &scene, clip, response.id));
            let (view, ruler) = (canvas.view(range), canvas.ruler);
            let x = |secs: f64| view.x(secs) as f32;
            markers::lines(ui, ctx, canvas.plot, &x);
            let now = x(ctx.view.secs);
            let frame = ctx.document.settings.rate.frame_f64(ctx.view.secs);
            let font = egui::TextStyle::Small.resolve(ui.style());
            let head = ruler.x_range().contains(now).then(|| playhead_head(ui.painter(), &canvas, now, frame, &font).0);
            let place = markers::Place { rect: ruler, x: &x, secs: &|x| view.secs_at(f64::from(x)), head };
            self.markers.show(ui, ctx, &place);
            access::nodes(ui, ctx, &canvas, range, &self.curves, response.id);
        }
        if response.contains_pointer() || self.tool.is_busy() {
            ctx.commands.send(Command::Hint(t(self.tool.hint())));
            ui.ctx().set_cursor_icon(self.cursor());
        }
    }

    /// The channels shown whose curves, or drivers, are switched off.
    fn muted<'a>(&self, ctx: &'a PanelContext<'_>) -> Cow<'a, BTreeSet<ChannelPath>> {
        if self.clip == Some(ClipId::DRIVERS) {
            let off = |path: &ChannelPath| ctx.document.driver_of(*path).is_some_and(|driver| driver.muted);
            return Cow::Owned(self.curves.iter().map(|curve| curve.path).filter(off).collect());
        }
        let clip = self.clip.and_then(|clip| ctx.document.clip(clip));
        clip.map_or_else(|| Cow::Owned(BTreeSet::new()), |clip| Cow::Borrowed(&clip.muted))
    }

    fn collect(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        listing: Option<&Listing>,
        channels: &ChannelState,
        plot: Rect,
    ) {
        self.clip = listing.map(|listing| listing.clip);
        let columns = (plot.width() * ui.ctx().pixels_per_point()).round().max(1.0) as u32;
        let mut range = self.range(ctx);
        // The window that fits all is known when there are curves: then their lines are made for it.
        for _ in 0..if ctx.view.graph.is_none() { 2 } else { 1 } {
            range = self.range(ctx);
            let shown = listing.into_iter().flat_map(|listing| listing.shown(ctx));
            self.curves = self.cache.curves(shown, &range, columns, channels.strips != [false; 2]);
        }
        if channels.normalised {
            normalise(&mut self.curves);
        }
        if let Some(clip) = self.clip {
            self.corrected.add_to(&mut self.curves, ctx.document, clip, &range, columns);
        }
    }

    /// Works out the lines of what the present is compared with, on the channels shown.
    fn compare(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        listing: Option<&Listing>,
        channels: &ChannelState,
        plot: Rect,
    ) {
        let against = ctx.view.reference.against;
        let curves = against.zip(listing).and_then(|(against, listing)| against.curves(ctx.document, listing.clip));
        let columns = (plot.width() * ui.ctx().pixels_per_point()).round().max(1.0) as u32;
        let range = self.range(ctx);
        let shown = listing.into_iter().flat_map(|listing| listing.shown(ctx));
        let other = shown.filter_map(|shown| {
            let curve = curves?.get(&shown.path).filter(|curve| !std::sync::Arc::ptr_eq(curve, shown.curve))?;
            let clock = match against? {
                Against::Snapshot(_) => shown.clock,
                Against::Clip(id) => ctx.document.clip(id)?.clock(shown.path.target),
            };
            Some(Shown { curve, clock, selected: &[], editable: false, ..shown })
        });
        self.compared = self.behind.curves(other, &range, columns, channels.strips != [false; 2]);
        if channels.normalised {
            // As the curve it lies behind.
            for curve in &mut self.compared {
                let own = self.curves.iter().find(|own| (own.path, own.lane) == (curve.path, curve.lane));
                curve.map = own.map_or(curve.map, |own| own.map);
            }
        }
    }

    /// Works out the lines of what races.
    fn race(&mut self, ui: &Ui, ctx: &PanelContext<'_>, channels: &ChannelState, plot: Rect) {
        let entrants = &ctx.view.race.entrants;
        let raced = if entrants.is_empty() { None } else { crate::ui::panels::race::subjects(ctx) };
        let raced = raced.filter(|(clip, _)| Some(*clip) == self.clip).map(|(_, raced)| raced).unwrap_or_default();
        let columns = (plot.width() * ui.ctx().pixels_per_point()).round().max(1.0) as u32;
        let range = self.range(ctx);
        let with_motion = channels.strips != [false; 2];
        let which = (&raced[..], channels.active);
        self.rivals = self.race.lines(&self.curves, which, entrants, (&range, columns), with_motion);
    }

    /// Frames the values when other channels show or all are shown at one height, and times too when another clip shows.
    fn frame_by_itself(&mut self, ctx: &PanelContext<'_>, follow: bool, normalised: bool) {
        let Some(clip) = self.clip else { return };
        let mut paths: Vec<ChannelPath> = self.curves.iter().map(|curve| curve.path).collect();
        paths.dedup();
        let now = (clip, paths, normalised);
        if self.framed.as_ref() == Some(&now) || self.tool.is_busy() {
            return;
        }
        let same_clip = self.framed.as_ref().is_some_and(|(framed, ..)| *framed == clip);
        // Another scale leaves nothing where it was.
        let follow = follow || self.framed.as_ref().is_some_and(|(.., before)| *before != normalised);
        self.framed = Some(now);
        if self.curves.is_empty() {
            return;
        }
        let fitted = self.fit(ctx, false);
        match ctx.view.graph {
            Some(range) if same_clip && follow => {
                ctx.commands.view(ViewChange::Graph(PlotRange { values: fitted.values, ..range }));
            }
            Some(_) if same_clip => {}
            _ => ctx.commands.view(ViewChange::Graph(fitted)),
        }
    }

    /// Drops a drag whose change was ended from outside: by an undo, by another change.
    fn forget_ended(&mut self, ctx: &PanelContext<'_>) {
        if !self.tool.is_editing() {
            self.saw_gesture = false;
        } else if ctx.session.in_gesture() {
            self.saw_gesture = true;
        } else if self.saw_gesture {
            self.tool.forget();
            self.saw_gesture = false;
        }
    }

    fn handle(&mut self, ui: &Ui, ctx: &PanelContext<'_>, response: &egui::Response, channels: &mut ChannelState) {
        let busy = self.tool.is_busy();
        let keys = if ctx.text_had_focus || !(busy || response.contains_pointer()) { Keys::None } else { Keys::Tool };
        let mut events = self.input.events(ui, response, keys);
        if self.tool.is_modal() {
            // Keys follow the pointer wherever it goes.
            let pos = ui.input(|input| input.pointer.latest_pos());
            let pos = pos.map(|pos| crate::ui::panel_input::place(pos, response.rect));
            if let Some(pos) = pos.filter(|pos| *pos != self.pointer) {
                let modifiers = crate::ui::panel_input::from_egui(ui.input(|input| input.modifiers));
                events.insert(0, Event::pointer(PointerKind::Move, pos, modifiers));
            }
        }
        // What is pressed on a badge is no press on the curves behind.
        events.retain(|event| busy || !self.is_on_badge(event, response.rect));
        for event in events {
            self.before(ui, &event, response);
            let steps = self.with_tool(ctx, channels.active, |tool, context| tool.handle(&event, context));
            send(steps, ctx, channels);
        }
    }

    /// Looks anew at what is under a pointer that rests where the curves moved below it: by a zoom, by an undo.
    fn look(&mut self, ctx: &PanelContext<'_>, active: Option<ChannelPath>) {
        let range = self.range(ctx);
        let same =
            |(looked, document): &(PlotRange, Arc<Document>)| *looked == range && Arc::ptr_eq(document, ctx.document);
        if self.looked.as_ref().is_some_and(same) {
            return;
        }
        self.looked = Some((range, Arc::clone(ctx.document)));
        if self.over {
            let pos = self.pointer;
            self.with_tool(ctx, active, |tool, context| tool.look(pos, context));
        }
    }

    /// Whether an event is a press on a badge.
    fn is_on_badge(&self, event: &Event, canvas: Rect) -> bool {
        let Event::Pointer(PointerEvent { kind: PointerKind::Press(_), pos, .. }) = event else { return false };
        let at = canvas.min + egui::vec2(pos[0] as f32, pos[1] as f32);
        self.badges.iter().any(|badge| badge.contains(at))
    }

    /// What the canvas itself does about an event.
    fn before(&mut self, ui: &Ui, event: &Event, response: &egui::Response) {
        let Event::Pointer(PointerEvent { kind, pos, modifiers }) = event else { return };
        if !matches!(kind, PointerKind::Leave) {
            self.pointer = *pos;
        }
        match kind {
            PointerKind::Press(Button::Primary) => response.request_focus(),
            PointerKind::Release(Button::Secondary)
                if !self.tool.is_busy() && !modifiers.alt && !self.was_cancel(ui) =>
            {
                let at = response.rect.min + egui::vec2(pos[0] as f32, pos[1] as f32);
                self.popup = self.clip.map(|_| (Popup::Context, at));
                self.popup_is_new = true;
            }
            _ => {}
        }
    }

    /// Whether the right button came up after calling something off.
    fn was_cancel(&self, ui: &Ui) -> bool {
        ui.input(|input| input.pointer.primary_down()) || self.saw_gesture
    }

    /// Runs the machine on what there is.
    pub(super) fn with_tool<R: Default>(
        &mut self,
        ctx: &PanelContext<'_>,
        active: Option<ChannelPath>,
        run: impl FnOnce(&mut GraphTool, &GraphContext<'_>) -> R,
    ) -> R {
        let mut tool = std::mem::take(&mut self.tool);
        let result = self.context(ctx, active).map(|context| run(&mut tool, &context));
        self.tool = tool;
        result.unwrap_or_default()
    }

    /// Where a menu opens: at the pointer where that is over the canvas, else in the middle.
    pub(super) fn place_for_menu(&self) -> Option<egui::Pos2> {
        let canvas = self.canvas?;
        let at = canvas.rect.min + egui::vec2(self.pointer[0] as f32, self.pointer[1] as f32);
        Some(if self.over { at } else { canvas.plot.center() })
    }

    fn cursor(&self) -> CursorIcon {
        let on_ruler = self.canvas.is_some_and(|canvas| {
            let ruler = canvas.local_rect(canvas.ruler);
            ruler.contains(self.pointer)
        });
        match (self.tool.is_moving_view(), self.tool.is_editing(), self.tool.hover()) {
            (true, ..) => CursorIcon::Grabbing,
            (_, true, _) => CursorIcon::Move,
            _ if on_ruler => CursorIcon::ResizeHorizontal,
            (_, _, GraphHit::Key { .. }) => CursorIcon::Move,
            (_, _, GraphHit::Handle { .. }) => CursorIcon::Crosshair,
            (_, _, GraphHit::Bar(_)) => CursorIcon::ResizeHorizontal,
            (_, _, GraphHit::Curve(_)) => CursorIcon::PointingHand,
            _ => CursorIcon::Default,
        }
    }
}

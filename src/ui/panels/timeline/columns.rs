//! The poses on the timeline: each time at which the character has keys is one column, whatever joints they are of. It is
//! picked, dragged, copied, scaled and deleted as one.

use super::ruler::Scale;
use crate::{
    command::Command,
    edit::{CurveRef, Edit, Gesture, KeyEdit, KeySelection, Selection, columns},
    interact::view_state::{Playback, ViewChange},
    model::{Clip, ClipId, Document, ObjectId, Target},
    text::{fill, t},
    ui::{panel::PanelContext, subject, widgets::drag_field::number_text},
};
use egui::{
    Color32, CursorIcon, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use std::sync::Arc;

/// Height of the strip, points.
pub(super) const STRIP_PT: f32 = 20.0;
/// How near the pointer must be to a column, points.
const NEAR_PT: f32 = 6.0;
/// How far beyond the ends of a selection its handles stand, points.
const HANDLE_PT: f32 = 11.0;

/// What is being dragged.
#[derive(Clone, Debug)]
enum Drag {
    /// Columns; the one that was taken, seconds.
    Move { keys: KeySelection, taken: f64, copies: bool },
    /// An end of the columns between two times: the one that stays, and the one that is dragged, seconds.
    Scale { keys: KeySelection, stays: f64, taken: f64 },
    /// A box, and what was selected before.
    Choose { before: KeySelection },
}

/// The columns.
#[derive(Debug, Default)]
pub(super) struct Columns {
    drag: Option<Drag>,
    /// Where the drag began.
    press: Pos2,
    all: subject::KeyTimes,
    own: subject::KeyTimes,
}

/// Whose poses are meant: the character in question, where something is selected; else whatever the clip moves.
#[derive(Clone, Copy)]
struct Who<'a> {
    document: &'a Document,
    id: ClipId,
    clip: &'a Arc<Clip>,
    object: Option<ObjectId>,
}

impl<'a> Who<'a> {
    fn of(ctx: &'a PanelContext<'_>) -> Option<Self> {
        let (id, clip) = subject::clip(ctx.document, ctx.selection)?;
        let object = ctx.selection.active.map(Target::object);
        Some(Self { document: ctx.document, id, clip, object })
    }

    fn whole(self) -> Selection {
        self.object.map_or_else(Selection::default, |object| Selection::single(Target::Object(object)))
    }

    fn keys(self, times: &[f64]) -> KeySelection {
        columns::keys_at(self.document, self.id, self.object, times)
    }
}

impl Columns {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let size = Vec2::new(ui.available_width(), STRIP_PT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let name = t("timeline.columns");
        response.widget_info(|| WidgetInfo::labeled(egui::Role::GraphicsObject, true, &*name));
        let scale = Scale::of(ctx, rect);
        let rate = ctx.document.settings.rate;
        ui.painter().rect_filled(rect, 3.0, ctx.colours.field);
        let Some(who) = Who::of(ctx) else { return };
        let seen = (scale.first_frame() * rate.frame_secs(), scale.last_frame() * rate.frame_secs());
        let gap = 2.0 / scale.points_per_frame() * rate.frame_secs();
        let all = self.all.get(ctx.document, who.clip, &who.whole(), seen, gap).to_vec();
        self.operate(ui, ctx, who, &all, scale, &response);
        nodes(ui, ctx, scale, &all);
        let own = self.own.get(ctx.document, who.clip, ctx.selection, seen, gap);
        paint(ui, ctx, scale, (&all, own), who);
        if let (Some(Drag::Choose { .. }), Some(pos)) = (&self.drag, ui.input(|input| input.pointer.latest_pos())) {
            let chosen = Rect::from_x_y_ranges(
                self.press.x.min(pos.x)..=self.press.x.max(pos.x),
                rect.top() + 1.0..=rect.bottom() - 1.0,
            );
            let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
            painter.rect_filled(chosen, 2.0, ctx.colours.accent.gamma_multiply(0.2));
            painter.rect_stroke(chosen, 2.0, Stroke::new(1.0, ctx.colours.accent), StrokeKind::Inside);
        }
    }

    fn operate(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        who: Who<'_>,
        all: &[f64],
        scale: Scale,
        response: &Response,
    ) {
        let rate = ctx.document.settings.rate;
        let x = |secs: f64| scale.x(rate.frame_f64(secs));
        let column = |pos: Pos2| {
            let near = |secs: &f64| (x(*secs) - pos.x).abs();
            let nearest = all.iter().copied().min_by(|a, b| near(a).total_cmp(&near(b)));
            nearest.filter(|secs| near(secs) <= NEAR_PT)
        };
        let ends = selected_ends(ctx, who);
        let handle = |pos: Pos2| {
            let (first, last) = ends?;
            let near = |x: f32| (x - pos.x).abs() <= NEAR_PT;
            if near(x(last) + HANDLE_PT) {
                Some((first, last))
            } else {
                near(x(first) - HANDLE_PT).then_some((last, first))
            }
        };
        if let Some(pos) = response.hover_pos() {
            if column(pos).is_some() {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            } else if handle(pos).is_some() {
                ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
            }
            if self.drag.is_none() {
                ctx.commands.send(Command::Hint(t("timeline.columns_hint")));
            }
        }
        let (press, now, modifiers) =
            ui.input(|input| (input.pointer.press_origin(), input.pointer.latest_pos(), input.modifiers));
        if response.clicked()
            && let Some(pos) = response.interact_pointer_pos()
        {
            click(ctx, who, column(pos), modifiers);
        }
        if response.double_clicked()
            && let Some(secs) = response.interact_pointer_pos().and_then(column)
        {
            ctx.commands.view(ViewChange::Playback(Playback::Stopped));
            ctx.commands.view(ViewChange::Time(secs));
        }
        if response.drag_started_by(PointerButton::Primary)
            && let Some(press) = press
        {
            self.press = press;
            self.drag = Some(begin(ctx, who, column(press), handle(press), modifiers));
        }
        if let Some(now) = now {
            self.dragged(ui, ctx, who, (all, scale), now, response);
        }
    }

    fn dragged(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        who: Who<'_>,
        (all, scale): (&[f64], Scale),
        now: Pos2,
        response: &Response,
    ) {
        let Some(drag) = &self.drag else { return };
        let (escape, add) = ui.input(|input| (input.key_pressed(egui::Key::Escape), input.modifiers.shift));
        let rate = ctx.document.settings.rate;
        let snap = |secs: f64| if ctx.view.snap.frames { rate.snap(secs) } else { secs };
        let by = f64::from(now.x - self.press.x) / scale.points_per_frame() * rate.frame_secs();
        let ends = response.drag_stopped() || !response.is_pointer_button_down_on();
        match drag {
            Drag::Choose { before } => {
                if escape {
                    self.drag = None;
                    return;
                }
                let (a, b) = (scale.frame(self.press.x) * rate.frame_secs(), scale.frame(now.x) * rate.frame_secs());
                let inside = all.iter().copied().filter(|secs| a.min(b) <= *secs && *secs <= a.max(b));
                let inside: Vec<f64> = inside.collect();
                let mut selection = ctx.selection.clone();
                selection.keys = if add { before.iter().collect() } else { KeySelection::new() };
                for (curve, time) in who.keys(&inside).iter() {
                    selection.keys.insert(curve, time);
                }
                if selection.keys != ctx.selection.keys {
                    ctx.commands.select(selection);
                }
            }
            Drag::Move { .. } | Drag::Scale { .. } if escape => {
                ctx.commands.gesture(Gesture::Cancel);
                self.drag = None;
                return;
            }
            Drag::Move { keys, taken, copies } => {
                let dt = snap(taken + by) - taken;
                let keys = keys.clone();
                // A copy that has not left its pose is none.
                let edit: Edit = match (*copies, dt == 0.0) {
                    (true, true) => Edit::none(),
                    (true, false) => KeyEdit::Duplicate { keys, dt }.into(),
                    (false, _) => KeyEdit::Move { keys, dt, dv: 0.0 }.into(),
                };
                ctx.commands.gesture(Gesture::Update(edit));
            }
            Drag::Scale { keys, stays, taken } => {
                let least = rate.frame_secs() * (taken - stays).signum();
                let end = snap(taken + by);
                // The ends do not pass each other.
                let end = if (end - stays) * least > 0.0 { end } else { stays + least };
                let stretch = (end - stays) / (taken - stays);
                let times = columns::times_of(ctx.document, keys).into_iter();
                let times = times.map(|secs| (secs, snap(stays + (secs - stays) * stretch))).collect();
                let edit = KeyEdit::Spread { keys: keys.clone(), times, stretch };
                ctx.commands.gesture(Gesture::Update(edit.into()));
            }
        }
        if ends {
            if !matches!(self.drag, Some(Drag::Choose { .. })) {
                ctx.commands.gesture(Gesture::Commit);
            }
            self.drag = None;
        }
    }
}

/// Selects all columns of the character in question.
pub(super) fn select_all(ctx: &PanelContext<'_>) {
    let Some(who) = Who::of(ctx) else { return };
    let times = subject::key_times(ctx.document, who.clip, &who.whole(), (f64::MIN, f64::MAX), 0.0);
    let mut selection = ctx.selection.clone();
    selection.keys = who.keys(&times);
    ctx.commands.select(selection);
}

/// The first and the last of the selected columns, where there are several.
fn selected_ends(ctx: &PanelContext<'_>, who: Who<'_>) -> Option<(f64, f64)> {
    let times = columns::times_of(ctx.document, &own_keys(ctx, who));
    let (first, last) = (*times.first()?, *times.last()?);
    (last > first).then_some((first, last))
}

/// The selected keys of the clip in question, of the object in question: those of another are not among its poses.
fn own_keys(ctx: &PanelContext<'_>, who: Who<'_>) -> KeySelection {
    let is_own =
        |curve: &CurveRef| curve.clip == who.id && who.object.is_none_or(|object| curve.path.target.object() == object);
    ctx.selection.keys.iter().filter(|(curve, _)| is_own(curve)).collect()
}

fn is_selected(keys: &KeySelection, column: &KeySelection) -> bool {
    column.iter().any(|(curve, time)| keys.contains(curve, time))
}

fn click(ctx: &PanelContext<'_>, who: Who<'_>, column: Option<f64>, modifiers: Modifiers) {
    let mut selection = ctx.selection.clone();
    let keys = column.map(|secs| who.keys(&[secs])).unwrap_or_default();
    if modifiers.shift || modifiers.command {
        let taken_out = is_selected(&selection.keys, &keys);
        for (curve, time) in keys.iter() {
            if taken_out {
                selection.keys.remove(curve, time);
            } else {
                selection.keys.insert(curve, time);
            }
        }
    } else {
        selection.keys = keys;
    }
    ctx.commands.select(selection);
}

/// What a drag from a place is: of a column, which is selected first, of an end of the selection, or a box.
fn begin(
    ctx: &PanelContext<'_>,
    who: Who<'_>,
    column: Option<f64>,
    handle: Option<(f64, f64)>,
    modifiers: Modifiers,
) -> Drag {
    if let Some(taken) = column {
        let here = who.keys(&[taken]);
        let mut keys = own_keys(ctx, who);
        if is_selected(&keys, &here) {
            // All of the poses that are touched move, not the selected keys alone.
            keys = who.keys(&columns::times_of(ctx.document, &keys));
        } else {
            keys = here;
        }
        let mut selection = ctx.selection.clone();
        selection.keys = keys.clone();
        ctx.commands.select(selection);
        let copies = modifiers.alt;
        let label = if copies { "history.duplicate_pose" } else { "history.retime_pose" };
        ctx.commands.gesture(Gesture::Begin { label });
        return Drag::Move { keys, taken, copies };
    }
    if let Some((stays, taken)) = handle {
        ctx.commands.gesture(Gesture::Begin { label: "history.scale_poses" });
        return Drag::Scale { keys: own_keys(ctx, who), stays, taken };
    }
    Drag::Choose { before: ctx.selection.keys.clone() }
}

/// A named node for each column, for screen readers and tests; none where there are too many to tell apart.
fn nodes(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale, all: &[f64]) {
    const MOST: usize = 256;
    if all.len() > MOST {
        return;
    }
    let rate = ctx.document.settings.rate;
    for secs in all {
        let frame = rate.frame_f64(*secs);
        let at = pos2(scale.x(frame), scale.rect().center().y);
        let id = ui.scope_id().with(("pose", secs.to_bits()));
        let node = ui.interact(Rect::from_center_size(at, Vec2::splat(10.0)), id, Sense::hover());
        let name = fill("timeline.pose_at", &[("frame", &number_text(frame, 2))]);
        node.widget_info(|| WidgetInfo::labeled(egui::Role::GraphicsObject, true, &name));
    }
}

fn paint(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale, (all, own): (&[f64], &[f64]), who: Who<'_>) {
    let colours = ctx.colours;
    let rate = ctx.document.settings.rate;
    let rect = scale.rect();
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let at = |secs: f64| pos2(scale.x(rate.frame_f64(secs)), rect.center().y);
    let keys = own_keys(ctx, who);
    let chosen = columns::times_of(ctx.document, &keys);
    if let Some((first, last)) = selected_ends(ctx, who) {
        let (a, b) = (at(first).x - HANDLE_PT, at(last).x + HANDLE_PT);
        let band = Rect::from_x_y_ranges(a..=b, rect.top() + 3.0..=rect.bottom() - 3.0);
        painter.rect_filled(band, 3.0, colours.accent.gamma_multiply(0.16));
        for x in [a, b] {
            let handle = Rect::from_center_size(pos2(x, rect.center().y), vec2(4.0, rect.height() - 6.0));
            painter.rect_filled(handle, 2.0, colours.accent);
        }
    }
    let near = |times: &[f64], secs: f64| times.iter().any(|time| (time - secs).abs() <= columns::COLUMN_SECS);
    for secs in all {
        let (selected, concerned) = (near(&chosen, *secs), near(own, *secs));
        let fill = match (selected, concerned) {
            (true, _) => colours.text,
            (false, true) => colours.accent,
            // A pose of joints that are not selected.
            (false, false) => colours.weak.gamma_multiply(0.6),
        };
        let edge = if selected { colours.accent } else { colours.field };
        diamond(&painter, at(*secs), if selected { 6.0 } else { 5.0 }, fill, edge);
    }
    for waiting in &who.clip.unkeyed {
        let place = Rect::from_center_size(at(waiting.time), Vec2::splat(8.0));
        painter.rect_stroke(place, 1.0, Stroke::new(1.5, colours.unkeyed), StrokeKind::Inside);
    }
    super::pins::playhead(ui, ctx, scale, rect);
}

fn diamond(painter: &Painter, at: Pos2, radius: f32, fill: Color32, edge: Color32) {
    let points = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    let points = points.map(|(x, y)| at + Vec2::new(x, y) * radius).to_vec();
    painter.add(Shape::convex_polygon(points, fill, Stroke::new(1.5, edge)));
}

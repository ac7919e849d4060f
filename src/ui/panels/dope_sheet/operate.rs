//! What the pointer does on the tracks: choose, box, move, copy by Alt, scale by the ends, add.

use super::{
    DopeSheetPanel, NEAR, Sheet,
    clipboard::{keys_between, value_at},
    paint,
    rows::{Row, RowId},
    zoom_tracks,
};
use crate::{
    command::Command,
    edit::{CurveRef, Edit, Gesture, KeyEdit, KeySelection, Selection, columns},
    interact::view_state::ViewChange,
    text::t,
    ui::panel::PanelContext,
};
use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo};

/// How far beyond the ends of a selection its handles stand, points.
pub(super) const HANDLE_PT: f32 = 12.0;

/// What is being dragged.
#[derive(Clone, Debug)]
pub(super) struct Drag {
    press: Pos2,
    /// The part of the sheet it began in.
    part: &'static str,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// Keys; the time of those that were taken, seconds.
    Move { keys: KeySelection, taken: f64, copies: bool },
    /// An end of the selection: the time that stays and the one that is dragged, seconds.
    Scale { keys: KeySelection, stays: f64, taken: f64 },
    /// A box, and what was selected before.
    Choose { before: KeySelection },
}

/// The keys under the pointer: the row's, from one time to another.
#[derive(Clone, Copy)]
struct Hit<'a> {
    row: &'a Row,
    from: f64,
    to: f64,
}

impl DopeSheetPanel {
    /// Shows the tracks of some rows, all within a rectangle, and lets them be worked on.
    pub(super) fn tracks(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        sheet: &Sheet<'_>,
        shown: &[(Row, Rect)],
        rect: Rect,
        part: &'static str,
    ) {
        let response = ui.interact(rect, ui.scope_id().with(("dope tracks", part)), Sense::click_and_drag());
        let name = t(if part == "all" { "dope.tracks_all" } else { "dope.tracks" });
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &*name));
        let hit = response.hover_pos().and_then(|pos| self.hit(ctx, sheet, shown, pos));
        let end = response.hover_pos().and_then(|pos| end_at(ctx, sheet, part, pos));
        if response.contains_pointer() && self.drag.is_none() {
            ctx.commands.send(Command::Hint(t("dope.hint")));
            zoom_tracks(ui, ctx, sheet.scale);
            if end.is_some() {
                ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
            } else if hit.is_some() {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
        }
        let pressed = |event: &egui::Event| match event {
            egui::Event::PointerButton { pressed: true, modifiers, .. } => Some(*modifiers),
            _ => None,
        };
        if let Some(modifiers) = ui.input(|input| input.events.iter().find_map(pressed)) {
            self.pressed_with = modifiers;
        }
        let pos = response.interact_pointer_pos();
        if response.double_clicked() && hit.is_none() {
            if let Some(pos) = pos {
                add(ctx, sheet, shown, pos);
            }
        } else if response.clicked() {
            choose(
                ctx,
                sheet,
                pos.and_then(|pos| self.hit(ctx, sheet, shown, pos)),
                self.pressed_with.shift || self.pressed_with.command,
            );
        }
        if response.drag_started_by(PointerButton::Primary)
            && let Some(press) = ui.input(|input| input.pointer.press_origin())
        {
            let hit = self.hit(ctx, sheet, shown, press);
            let end = end_at(ctx, sheet, part, press);
            let what = begin(ctx, sheet, hit, end, self.pressed_with.alt);
            self.drag = Some(Drag { press, part, what });
        }
        self.pan(ui, ctx, sheet, &response);
        self.dragged(ui, ctx, sheet, shown, &response, part);
        self.paint_tracks(ui, ctx, sheet, shown, rect);
        if part == "all" {
            paint::ends(ui, ctx, sheet, rect);
        }
        let now = ui.input(|input| input.pointer.latest_pos());
        if let (Some(Drag { press, part: own, what: What::Choose { .. } }), Some(now)) = (&self.drag, now)
            && *own == part
        {
            paint::marquee(ui, ctx, rect, Rect::from_two_pos(*press, now));
        }
    }

    /// Moves the frames shown with the middle button.
    fn pan(&mut self, ui: &Ui, ctx: &PanelContext<'_>, sheet: &Sheet<'_>, response: &Response) {
        if response.drag_started_by(PointerButton::Middle)
            && let Some(press) = ui.input(|input| input.pointer.press_origin())
        {
            self.pan = Some((sheet.scale.first_frame(), sheet.scale.last_frame(), press.x));
        }
        if !ui.input(|input| input.pointer.middle_down()) {
            self.pan = None;
        }
        if let (Some((first, last, press)), Some(now)) = (self.pan, ui.input(|input| input.pointer.latest_pos())) {
            let moved = f64::from(now.x - press) / sheet.scale.points_per_frame();
            ctx.commands.view(ViewChange::Timeline(Some((first - moved, last - moved))));
        }
    }

    fn hit<'a>(
        &mut self,
        ctx: &PanelContext<'_>,
        sheet: &Sheet<'_>,
        shown: &'a [(Row, Rect)],
        pos: Pos2,
    ) -> Option<Hit<'a>> {
        let rate = ctx.document.settings.rate;
        let (row, _) = shown.iter().find(|(_, rect)| rect.y_range().contains(pos.y))?;
        let x = |secs: f64| sheet.scale.x(rate.frame_f64(secs));
        let gap = |mark: &super::marks::Mark| (x(mark.first) - pos.x).max(pos.x - x(mark.last)).max(0.0);
        let marks = self.cache.row(row.id, sheet.channels(row));
        // In order of time: only those near the pointer are looked at.
        let near = rate.frame_secs() * f64::from(NEAR.x) / sheet.scale.points_per_frame();
        let secs = sheet.scale.frame(pos.x) * rate.frame_secs();
        let first = marks.partition_point(|mark| mark.last < secs - near);
        let close = marks.iter().skip(first).take_while(|mark| mark.first <= secs + near);
        let mark = close.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        Some(Hit { row, from: mark.first, to: mark.last })
    }

    fn dragged(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        sheet: &Sheet<'_>,
        shown: &[(Row, Rect)],
        response: &Response,
        part: &'static str,
    ) {
        let Some(drag) = self.drag.clone().filter(|drag| drag.part == part) else { return };
        let Some(now) = ui.input(|input| input.pointer.latest_pos()) else { return };
        let (escape, modifiers) = ui.input(|input| (input.key_pressed(egui::Key::Escape), input.modifiers));
        let chooses = matches!(drag.what, What::Choose { .. });
        if escape {
            match drag.what {
                What::Choose { before } => ctx.commands.select(Selection { keys: before, ..ctx.selection.clone() }),
                _ => ctx.commands.gesture(Gesture::Cancel),
            }
            self.drag = None;
            return;
        }
        let rate = ctx.document.settings.rate;
        let snaps = ctx.view.snap.frames != modifiers.command;
        let snap = |secs: f64| if snaps { rate.snap(secs) } else { secs };
        let by = f64::from(now.x - drag.press.x) / sheet.scale.points_per_frame() * rate.frame_secs();
        match drag.what {
            What::Choose { before } => {
                let place = Rect::from_two_pos(drag.press, now);
                let keys = in_box(ctx, sheet, shown, place);
                let keys = if modifiers.shift { before.iter().chain(keys.iter()).collect() } else { keys };
                if keys != ctx.selection.keys {
                    ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
                }
            }
            What::Move { keys, taken, copies } => {
                // A drag back to where it began is none, even off the frames.
                let dt = if by == 0.0 { 0.0 } else { snap(taken + by) - taken };
                let edit: Edit = match (copies, dt == 0.0) {
                    (_, true) => Edit::none(),
                    (true, false) => KeyEdit::Duplicate { keys, dt }.into(),
                    (false, false) => KeyEdit::Move { keys, dt, dv: 0.0 }.into(),
                };
                ctx.commands.gesture(Gesture::Update(edit));
            }
            What::Scale { keys, stays, taken } => {
                let least = rate.frame_secs() * (taken - stays).signum();
                let end = snap(taken + by);
                let end = if (end - stays) * least > 0.0 { end } else { stays + least };
                let stretch = (end - stays) / (taken - stays);
                let edit = KeyEdit::Scale { keys, time: (stays, stretch), value: (0.0, 1.0), frames: snaps };
                ctx.commands.gesture(Gesture::Update(edit.into()));
            }
        }
        if response.drag_stopped() || !response.is_pointer_button_down_on() {
            if !chooses {
                ctx.commands.gesture(Gesture::Commit);
            }
            self.drag = None;
        }
    }

    /// Selects all keys of a row.
    pub(super) fn choose_row(&self, ctx: &PanelContext<'_>, sheet: &Sheet<'_>, row: &Row) {
        let keys = keys_between(sheet.clip, sheet.id, sheet.channels(row), f64::MIN, f64::MAX);
        ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
    }
}

/// When the first and the last of the selected keys of the clip are shown.
pub(super) fn selected_ends(ctx: &PanelContext<'_>, sheet: &Sheet<'_>) -> Option<(f64, f64)> {
    let own = ctx.selection.keys.curves().filter(|(at, _)| at.clip == sheet.id);
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for (at, times) in own {
        let clock = sheet.clip.clock(at.path.target);
        first = first.min(times.first().map_or(first, |time| clock.shown(*time)));
        last = last.max(times.last().map_or(last, |time| clock.shown(*time)));
    }
    (last - first > columns::COLUMN_SECS).then_some((first, last))
}

/// The end of the selection at a place of the topmost row: the time that stays, the time that is taken.
fn end_at(ctx: &PanelContext<'_>, sheet: &Sheet<'_>, part: &str, pos: Pos2) -> Option<(f64, f64)> {
    let (first, last) = selected_ends(ctx, sheet).filter(|_| part == "all")?;
    let x = |secs: f64| sheet.scale.x(ctx.document.settings.rate.frame_f64(secs));
    if (x(last) + HANDLE_PT - pos.x).abs() <= NEAR.x {
        Some((first, last))
    } else {
        ((x(first) - HANDLE_PT - pos.x).abs() <= NEAR.x).then_some((last, first))
    }
}

fn keys_of(sheet: &Sheet<'_>, hit: Hit<'_>) -> KeySelection {
    keys_between(sheet.clip, sheet.id, sheet.channels(hit.row), hit.from, hit.to)
}

fn any_selected(selected: &KeySelection, keys: &KeySelection) -> bool {
    keys.iter().any(|(at, time)| selected.contains(at, time))
}

fn choose(ctx: &PanelContext<'_>, sheet: &Sheet<'_>, hit: Option<Hit<'_>>, adds: bool) {
    let keys = hit.map(|hit| keys_of(sheet, hit)).unwrap_or_default();
    let mut selection = ctx.selection.clone();
    if !adds {
        selection.keys = keys;
    } else {
        let taken_out = any_selected(&selection.keys, &keys);
        for (at, time) in keys.iter() {
            if taken_out {
                selection.keys.remove(at, time);
            } else {
                selection.keys.insert(at, time);
            }
        }
    }
    ctx.commands.select(selection);
}

fn begin(
    ctx: &PanelContext<'_>,
    sheet: &Sheet<'_>,
    hit: Option<Hit<'_>>,
    end: Option<(f64, f64)>,
    copies: bool,
) -> What {
    let own = || ctx.selection.keys.iter().filter(|(at, _)| at.clip == sheet.id).collect::<KeySelection>();
    // The ends of the selection lie over the marks.
    if let Some((stays, taken)) = end {
        ctx.commands.gesture(Gesture::Begin { label: "history.scale_keys" });
        return What::Scale { keys: own(), stays, taken };
    }
    if let Some(hit) = hit {
        let here = keys_of(sheet, hit);
        let keys = if any_selected(&ctx.selection.keys, &here) { own() } else { here };
        ctx.commands.select(Selection { keys: keys.clone(), ..ctx.selection.clone() });
        let label = if copies { "history.duplicate_keys" } else { "history.move_keys" };
        ctx.commands.gesture(Gesture::Begin { label });
        return What::Move { keys, taken: hit.from, copies };
    }
    What::Choose { before: ctx.selection.keys.clone() }
}

/// The keys of the rows and times that a box touches. Of rows that hold others only those count that are folded.
fn in_box(ctx: &PanelContext<'_>, sheet: &Sheet<'_>, shown: &[(Row, Rect)], place: Rect) -> KeySelection {
    let rate = ctx.document.settings.rate;
    let secs = |x: f32| sheet.scale.frame(x) * rate.frame_secs();
    let mut found = KeySelection::new();
    let rows = shown.iter().filter(|(row, rect)| row.open != Some(true) && rect.y_range().intersects(place.y_range()));
    for (row, _) in rows {
        for (at, times) in
            keys_between(sheet.clip, sheet.id, sheet.channels(row), secs(place.left()), secs(place.right())).curves()
        {
            found.set_times(at, times.to_vec());
        }
    }
    found
}

/// Adds keys to a row's keyed channels at a place, with the values they show there.
fn add(ctx: &PanelContext<'_>, sheet: &Sheet<'_>, shown: &[(Row, Rect)], pos: Pos2) {
    let Some((row, _)) = shown.iter().find(|(_, rect)| rect.y_range().contains(pos.y)) else { return };
    let rate = ctx.document.settings.rate;
    let secs = sheet.scale.frame(pos.x) * rate.frame_secs();
    let secs = if ctx.view.snap.frames { rate.snap(secs) } else { secs };
    let mut keys = KeySelection::new();
    let edits = sheet.channels(row).iter().filter_map(|path| {
        let curve = CurveRef { clip: sheet.id, path: *path };
        let secs = sheet.clip.source_secs(path.target, secs);
        let value = value_at(sheet.clip.channels.get(path)?, secs)?;
        keys.insert(curve, secs);
        Some(KeyEdit::Set { curve, values: vec![(secs, value)] }.into())
    });
    let edits: Vec<Edit> = edits.collect();
    if edits.is_empty() {
        let told =
            crate::notice::Notice::info(t(if row.id == RowId::All { "dope.no_channels" } else { "dope.captured" }));
        ctx.commands.send(Command::Tell(told));
        return;
    }
    ctx.commands.apply("history.add_keys", Edit::Batch(edits));
    ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
}

//! Tension, continuity and bias of the selected keys: a diagram of the first with its neighbours and their tangents, and a
//! knob for each number, which the curves follow while it is dragged.

use super::{Editing, FIELD_PT};
use crate::{
    edit::Gesture,
    eval::curve::{Cursor, Point, kochanek_bartels_numbers, kochanek_bartels_slopes, segment, unmodified_with},
    interact::{
        tools::graph_curve::{GraphCurve, Points},
        view_state::{TcbScale, ViewChange},
    },
    model::{Interpolation, KeyedCurve, Scheme},
    text::t,
    ui::{
        panel::PanelContext,
        panels::graph::channels::ChannelState,
        theme::Colours,
        widgets::{DragField, FieldEdit, knob::Knob, section},
    },
};
use egui::{
    Align2, CursorIcon, FontId, Key, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    pos2,
};

/// Height of the diagram, points.
const HEIGHT_PT: f32 = 112.0;
/// How many straight pieces the curve in it is drawn of.
const PIECES: u32 = 72;

/// The numbers a scheme of segments reads from its keys: their names and places.
#[must_use]
pub(in crate::ui::panels::graph) const fn shape_numbers(kind: Interpolation) -> &'static [(&'static str, usize)] {
    match kind {
        Interpolation::Cardinal => &[("graph.tension", 0)],
        Interpolation::Tcb => &[("graph.tension", 0), ("graph.continuity", 1), ("graph.bias", 2)],
        _ => &[],
    }
}

/// Shows the diagram and the knobs, where the first selected key shapes such a segment.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, channels: &mut ChannelState) {
    let Some((curve, keyed, index)) = first(editing) else { return };
    let Some((kind, key)) = shaped(keyed, index).zip(keyed.keys.get(index)) else { return };
    section(ui, &t(if kind == Interpolation::Tcb { "tcb.title" } else { "tcb.cardinal" }));
    let up = curve.map.scale.signum();
    for edit in diagram(ui, ctx.colours, (keyed, index, kind), up) {
        send_numbers(ctx, editing, edit);
    }
    let scale = ctx.view.tcb_scale;
    for (name, place) in shape_numbers(kind) {
        let value = [key.tension, key.continuity, key.bias][*place];
        ui.horizontal(|ui| {
            let title = t(name);
            let letter: String = title.chars().take(1).collect();
            ui.label(letter).on_hover_text(t(&format!("{name}_hint")).into_owned());
            let width = (ui.available_width() - FIELD_PT + 14.0).max(40.0);
            let (_, edits) = Knob::new(&title, value, (-1.0, 1.0), width).show(ui);
            let typed = DragField::new(&title, scale.shown(value))
                .decimals(3)
                .speed(0.01 * (scale.shown(1.0) - scale.shown(0.0)));
            let typed =
                typed.range(scale.shown(-1.0), scale.shown(1.0)).width(FIELD_PT - 20.0).rests_at(scale.shown(0.0));
            let (response, more) = typed.show(ui);
            response.on_hover_text(title.as_ref());
            let own = more.into_iter().map(|edit| match edit {
                FieldEdit::Change(shown) => FieldEdit::Change(scale.own(shown)),
                other => other,
            });
            for edit in edits.into_iter().chain(own) {
                send(ctx, editing, channels, *place, edit);
            }
        });
    }
    ui.horizontal(|ui| {
        for (choice, name) in [(TcbScale::Unit, "\u{2212}1..1"), (TcbScale::Fifty, "0..50")] {
            let label = ui.selectable_label(scale == choice, name).on_hover_text(t("tcb.scale_hint").into_owned());
            if label.clicked() {
                ctx.commands.view(ViewChange::TcbScale(choice));
            }
        }
    });
}

/// Carries out a step of dragging one of the numbers; while it is dragged the family of its curves shows in the graph.
pub(in crate::ui::panels::graph) fn send(
    ctx: &PanelContext<'_>,
    editing: &Editing<'_>,
    channels: &mut ChannelState,
    place: usize,
    edit: FieldEdit,
) {
    match edit {
        FieldEdit::Begin => {
            channels.family = Some(place);
            ctx.commands.gesture(Gesture::Begin { label: "history.key_shape" });
        }
        FieldEdit::Change(value) => {
            let mut shape = [None; 3];
            shape[place] = Some(value.clamp(-1.0, 1.0));
            if let Some(change) = editing.shape(shape) {
                ctx.commands.gesture(Gesture::Update(change.edit));
            }
        }
        FieldEdit::Commit | FieldEdit::Cancel => {
            channels.family = None;
            ctx.commands.gesture(if edit == FieldEdit::Commit { Gesture::Commit } else { Gesture::Cancel });
        }
    }
}

/// Carries out a step of dragging a tangent, which sets all of the numbers.
fn send_numbers(ctx: &PanelContext<'_>, editing: &Editing<'_>, edit: TangentEdit) {
    match edit {
        TangentEdit::Begin => ctx.commands.gesture(Gesture::Begin { label: "history.key_shape" }),
        TangentEdit::Change(numbers) => {
            if let Some(change) = editing.shape(numbers) {
                ctx.commands.gesture(Gesture::Update(change.edit));
            }
        }
        TangentEdit::Commit => ctx.commands.gesture(Gesture::Commit),
        TangentEdit::Cancel => ctx.commands.gesture(Gesture::Cancel),
    }
}

/// The first curve with selected keys that runs key by key, and its first selected key.
fn first<'a>(editing: &Editing<'a>) -> Option<(&'a GraphCurve, &'a KeyedCurve, usize)> {
    editing.curves.iter().filter(|curve| curve.editable && curve.has_values).find_map(|curve| match &curve.points {
        Points::Keyed(keyed) if keyed.scheme == Scheme::PerKey => Some((curve, keyed, *curve.selected.first()?)),
        _ => None,
    })
}

/// The scheme that reads the numbers of a key: that of the segment after it, else of the one before.
fn shaped(curve: &KeyedCurve, index: usize) -> Option<Interpolation> {
    let kind = |index: usize| curve.keys.get(index).map(|key| key.interpolation);
    let has = |kind: &Interpolation| !shape_numbers(*kind).is_empty();
    kind(index).filter(has).or_else(|| index.checked_sub(1).and_then(kind).filter(has))
}

/// A tangent: where it starts, its end, both seconds and values.
type Tangent = [[f64; 2]; 2];

/// The tangents at an end of a segment, a third of the segment long.
fn tangent(curve: &KeyedCurve, index: usize, at_end: bool) -> Option<Tangent> {
    let segment = segment(curve, index)?;
    let third = (segment.end() - segment.start()) / 3.0;
    let (secs, step) = if at_end { (segment.end(), -third) } else { (segment.start(), third) };
    let (value, slope) = (segment.value(secs), segment.slope(secs));
    slope.is_finite().then_some([[secs, value], [secs + step, slope.mul_add(step, value)]])
}

/// What a tangent that is dragged does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TangentEdit {
    Begin,
    /// The numbers it asks for; none stays.
    Change([Option<f64>; 3]),
    Commit,
    Cancel,
}

/// How the diagram is laid out: the times and values at its edges.
#[derive(Clone, Copy, Debug)]
struct Layout {
    rect: Rect,
    secs: (f64, f64),
    values: (f64, f64),
    up: f64,
}

impl Layout {
    fn place(&self, [secs, value]: [f64; 2]) -> Pos2 {
        let u = (secs - self.secs.0) / (self.secs.1 - self.secs.0);
        let (low, high) = self.values;
        let part = if high > low { (value - low) / (high - low) } else { 0.5 };
        let part = if self.up < 0.0 { 1.0 - part } else { part };
        pos2(self.rect.left() + self.rect.width() * u as f32, self.rect.bottom() - self.rect.height() * part as f32)
    }

    fn value(&self, y: f32) -> f64 {
        let part = f64::from((self.rect.bottom() - y) / self.rect.height());
        let part = if self.up < 0.0 { 1.0 - part } else { part };
        let (low, high) = self.values;
        if high > low { (high - low).mul_add(part, low) } else { low + part - 0.5 }
    }
}

/// A tangent in hand: everything as it was at the press, so that each move is the whole change.
#[derive(Clone, Copy, Debug)]
struct TangentDrag {
    layout: Layout,
    keys: (Option<Point>, Point, Option<Point>),
    numbers: [f64; 3],
    /// How many of the numbers the segment reads.
    free: usize,
    /// The slopes into and out of the key.
    slopes: (f64, f64),
    /// Whether it is the one out of the key, and how far its end is from the key, seconds.
    out: bool,
    step: f64,
}

impl TangentDrag {
    /// The numbers for a place of the pointer.
    fn numbers(&self, y: f32, both: bool) -> [Option<f64>; 3] {
        let slope = (self.layout.value(y) - self.keys.1.value) / self.step;
        let wanted = match (both, self.out) {
            (true, _) => (slope, slope),
            (false, true) => (self.slopes.0, slope),
            (false, false) => (slope, self.slopes.1),
        };
        let found = kochanek_bartels_numbers(self.keys, self.numbers, self.free, wanted);
        std::array::from_fn(|n| (n < self.free).then_some(found[n]))
    }
}

/// How near the pointer must be to the end of a tangent to take it, points.
const GRIP_PT: f32 = 14.0;

/// What the pointer does to the tangents.
fn dragged(
    ui: &Ui,
    response: &Response,
    layout: Layout,
    (curve, index, kind): (&KeyedCurve, usize, Interpolation),
    own: [Option<Tangent>; 2],
) -> Vec<TangentEdit> {
    let id = response.id;
    let held: Option<TangentDrag> = ui.data(|data| data.get_temp(id));
    let pointer = response.interact_pointer_pos();
    let Some(drag) = held else {
        let press = ui.input(|input| input.pointer.press_origin()).filter(|_| response.drag_started());
        let Some(press) = press else { return Vec::new() };
        let away = |tangent: &Tangent| layout.place(tangent[1]).distance(press);
        let tips = own.iter().enumerate().filter_map(|(side, tangent)| tangent.map(|tangent| (side, tangent)));
        let nearest = tips.min_by(|a, b| away(&a.1).total_cmp(&away(&b.1))).filter(|(_, tip)| away(tip) <= GRIP_PT);
        let (Some((side, tip)), Some(key)) = (nearest, curve.keys.get(index)) else { return Vec::new() };
        let neighbour = |index: Option<usize>| index.and_then(|index| curve.keys.get(index)).map(|key| Point::of(&key));
        let keys = (neighbour(index.checked_sub(1)), Point::of(&key), neighbour(index.checked_add(1)));
        let free = shape_numbers(kind).len();
        let numbers = if free == 1 { [key.tension, 0.0, 0.0] } else { [key.tension, key.continuity, key.bias] };
        let slopes = kochanek_bartels_slopes(keys.0, keys.1, keys.2, numbers);
        let step = tip[1][0] - tip[0][0];
        let drag = TangentDrag { layout, keys, numbers, free, slopes, out: side == 1, step };
        ui.data_mut(|data| data.insert_temp(id, drag));
        return vec![TangentEdit::Begin];
    };
    // Esc ends the drag by itself, so it is asked for before the end is.
    let escape = ui.input(|input| input.key_pressed(Key::Escape));
    if escape || !response.dragged() {
        ui.data_mut(|data| data.remove::<TangentDrag>(id));
        return vec![if escape { TangentEdit::Cancel } else { TangentEdit::Commit }];
    }
    let both = ui.input(|input| input.modifiers.shift);
    pointer.map_or_else(Vec::new, |pointer| vec![TangentEdit::Change(drag.numbers(pointer.y, both))])
}

fn diagram(
    ui: &mut Ui,
    colours: &Colours,
    (curve, index, kind): (&KeyedCurve, usize, Interpolation),
    up: f64,
) -> Vec<TangentEdit> {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), HEIGHT_PT), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, t("tcb.diagram")));
    let held: Option<TangentDrag> = ui.data(|data| data.get_temp(response.id));
    let response = if held.is_some() { response } else { response.on_hover_text(t("tcb.diagram_hint").into_owned()) };
    if !ui.is_rect_visible(response.rect) {
        return Vec::new();
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 4.0, colours.field);
    let last = curve.keys.len().saturating_sub(1);
    let (from, to) = (index.saturating_sub(1), (index + 1).min(last));
    let Some((start, end)) = curve.keys.time(from).zip(curve.keys.time(to)).filter(|(start, end)| end > start) else {
        return Vec::new();
    };
    let mut cursor = Cursor::default();
    let point = |piece: u32| {
        let secs = (end - start).mul_add(f64::from(piece) / f64::from(PIECES), start);
        unmodified_with(curve, secs, &mut cursor).map(|value| [secs, value])
    };
    let line: Vec<[f64; 2]> = (0..=PIECES).filter_map(point).collect();
    let before = index.checked_sub(1);
    let own: [Option<Tangent>; 2] =
        [before.and_then(|before| tangent(curve, before, true)), tangent(curve, index, false)];
    let others = [before.and_then(|before| tangent(curve, before, false)), tangent(curve, index, true)];
    let tips = own.iter().chain(&others).flatten().map(|tangent| tangent[1]);
    let values = line.iter().copied().chain(tips).map(|point| point[1]);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if !(low.is_finite() && high.is_finite()) {
        return Vec::new();
    }
    let fitted = Layout { rect: rect.shrink2(Vec2::new(12.0, 14.0)), secs: (start, end), values: (low, high), up };
    // While a tangent is dragged nothing else moves under the pointer.
    let layout = held.map_or(fitted, |drag| Layout { rect: fitted.rect, ..drag.layout });
    let place = |point: [f64; 2]| layout.place(point);
    let points: Vec<Pos2> = line.iter().map(|point| place(*point)).collect();
    painter.add(Shape::line(points, Stroke::new(1.6, colours.text)));
    for tangent in others.into_iter().flatten() {
        arrow(&painter, tangent.map(place), Stroke::new(1.2, colours.weak));
    }
    for (tangent, name) in own.into_iter().zip(["tcb.in", "tcb.out"]) {
        let Some(ends) = tangent.map(|tangent| tangent.map(place)) else { continue };
        arrow(&painter, ends, Stroke::new(1.8, colours.accent));
        let away = if ends[1].y < rect.center().y { Vec2::new(0.0, -9.0) } else { Vec2::new(0.0, 9.0) };
        painter.text(ends[1] + away, Align2::CENTER_CENTER, t(name), FontId::proportional(10.0), colours.accent);
    }
    for key in from..=to {
        let Some(found) = curve.keys.get(key) else { continue };
        let at = place([found.time, found.value]);
        let (radius, fill) = if key == index { (4.5, colours.accent) } else { (3.5, colours.weak) };
        painter.rect_filled(Rect::from_center_size(at, Vec2::splat(2.0 * radius)), 1.0, fill);
    }
    let over = ui.input(|input| input.pointer.hover_pos()).filter(|_| response.contains_pointer());
    let near = |pointer: Pos2| own.iter().flatten().any(|tangent| place(tangent[1]).distance(pointer) <= GRIP_PT);
    if held.is_some() || over.is_some_and(near) {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeVertical);
    }
    dragged(ui, &response, layout, (curve, index, kind), own)
}

/// A line with a dot at its end.
fn arrow(painter: &Painter, [from, to]: [Pos2; 2], stroke: Stroke) {
    painter.line_segment([from, to], stroke);
    painter.circle_filled(to, 2.0 * stroke.width, stroke.color);
}

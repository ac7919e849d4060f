//! The strip above the graph: framing, snapping, interpolation and handles, the numbers of the selected keys.

use super::{
    canvas::Canvas,
    channels::{ChannelState, unit_name},
    menus::{extrapolations, handles, interpolations},
    side::{send_shape, shape_numbers},
    steps::{apply, tell_converted},
};
use crate::{
    command::CommandId,
    edit::Gesture,
    interact::{
        drive::DriveDesk,
        tools::{
            graph_curve::{GraphCurve, Points},
            graph_edits::{Editing, GraphEdit},
        },
        view_state::{SnapOptions, ViewChange},
    },
    model::{Interpolation, Key},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        widgets::{DragField, FieldEdit, IconButton, arithmetic::evaluate, drag_field::refuse, text_field_hinting},
    },
};
use egui::Ui;

/// Width of a number's field, points.
const FIELD_PT: f32 = 64.0;
/// Height of a row of fields with their names, points.
const ROW_PT: f32 = 24.0;
/// Width of the strip from which on all of it lies in one row, points.
const WIDE_PT: f32 = 920.0;
/// Width of the field of a number between -1 and 1, points.
const SHAPE_PT: f32 = 44.0;

/// Shows the strip; what of its own the panel keeps is changed in place.
pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    canvas: &Canvas,
    channels: &mut ChannelState,
    [follow, side]: [&mut bool; 2],
) {
    command_button(ui, ctx, CommandId::FrameAll, Icon::FrameAll);
    command_button(ui, ctx, CommandId::FrameSelected, Icon::FrameSelected);
    toggle(ui, Icon::Follow, "graph.follow", follow);
    toggle(ui, Icon::Normalise, "graph.normalise", &mut channels.normalised);
    let [velocity, acceleration] = &mut channels.strips;
    toggle(ui, Icon::Velocity, "graph.velocity", velocity);
    toggle(ui, Icon::Acceleration, "graph.acceleration", acceleration);
    toggle(ui, Icon::Continuity, "graph.badges", &mut channels.badges);
    toggle(ui, Icon::Inspector, "graph.side", side);
    let snap = ctx.view.snap;
    let mut frames = snap.frames;
    toggle(ui, Icon::Snap, "graph.snap", &mut frames);
    if frames != snap.frames {
        ctx.commands.view(ViewChange::Snap(SnapOptions { frames, ..snap }));
    }
    let mut driven = ctx.view.drive.graph;
    toggle(ui, Icon::Trail, "graph.drivers", &mut driven);
    if driven != ctx.view.drive.graph {
        ctx.commands.view(ViewChange::Drive(DriveDesk { graph: driven, ..ctx.view.drive }));
    }
    if let Some((source, _)) = channels.driven.as_ref().filter(|_| driven) {
        ui.weak(fill("graph.over", &[("source", source)]));
    }
    ui.separator();
    ui.menu_button(t("graph.menu_interpolation").into_owned(), |ui| interpolations(ui, ctx));
    ui.menu_button(t("graph.menu_handles").into_owned(), |ui| handles(ui, ctx));
    ui.menu_button(t("graph.menu_ends").into_owned(), |ui| {
        ui.menu_button(t("graph.menu_before").into_owned(), |ui| extrapolations(ui, ctx, canvas, channels, true));
        ui.menu_button(t("graph.menu_after").into_owned(), |ui| extrapolations(ui, ctx, canvas, channels, false));
    });
    // Where there is no room for it, the timeline's own will do.
    if ui.max_rect().width() >= WIDE_PT {
        let kind = t(ctx.view.new_keys.title());
        let text = fill("timeline.new_keys", &[("kind", &kind)]);
        let new_keys = ui.menu_button(text, |ui| crate::ui::panels::timeline::blocking::new_keys(ui, ctx));
        new_keys.response.on_hover_text(t("timeline.new_keys_hint").into_owned());
    }
    ui.separator();
    numbers(ui, ctx, canvas, channels);
}

fn command_button(ui: &mut Ui, ctx: &PanelContext<'_>, id: CommandId, icon: Icon) {
    let (title, keys) = (t(id.spec().title), ctx.keymap.text(id));
    if IconButton::new(icon, &title).shortcut(&keys).show(ui).clicked() {
        ctx.commands.run(id);
    }
}

fn toggle(ui: &mut Ui, icon: Icon, key: &str, on: &mut bool) {
    let (name, hint) = (t(key), t(&format!("{key}_hint")));
    if IconButton::new(icon, &name).hint(&hint).selected(*on).show(ui).clicked() {
        *on = !*on;
    }
}

/// The numbers of the selected keys: frame, value, and what their interpolation is shaped by.
fn numbers(ui: &mut Ui, ctx: &PanelContext<'_>, canvas: &Canvas, channels: &mut ChannelState) {
    let Some(clip) = canvas.clip else { return };
    let editing = Editing { curves: &canvas.curves, clip };
    let selected = Selected::of(&canvas.curves);
    if selected.count == 0 {
        return resting(ui, channels);
    }
    let rate = ctx.document.settings.rate;
    let frame_of = |secs: f64| rate.frame_f64(secs);
    // A whole frame is the frame's own time to the bit.
    let secs_of = move |frame: f64| {
        if frame == frame.round() && frame.abs() < 1e15 { rate.secs(frame as i64) } else { frame * rate.frame_secs() }
    };
    let (name, unit) = match &channels.driven {
        Some((_, unit)) => (t("graph.at"), *unit),
        None => (t("graph.frame"), ""),
    };
    ui.label(&*name);
    let frames = Number { name: &name, label: "history.move_keys", unit, speed: 0.1, width: FIELD_PT };
    let times = selected.times.map(|(low, high)| (frame_of(low), frame_of(high)));
    frames.show(ui, ctx, times, |how| editing.change(|secs, shown| Some((secs_of(how(frame_of(secs))?), shown))));
    if let Some((low, high)) = selected.values {
        let unit = selected.unit(ctx);
        ui.label(t("graph.value").into_owned());
        let values =
            Number { name: &t("graph.value"), label: "history.move_keys", unit: &unit, speed: 0.25, width: FIELD_PT };
        values.show(ui, ctx, Some((low, high)), |how| editing.change(|secs, shown| Some((secs, how(shown)?))));
    }
    shape(ui, ctx, &editing, channels, &selected);
}

/// The width of a text, points.
fn width_of(ui: &Ui, key: &str, style: egui::TextStyle) -> f32 {
    let name = egui::WidgetText::from(t(key).into_owned());
    name.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, style).size().x
}

/// The room kept for the fields of cardinal and TCB keys, or the menu that holds them, so that selecting such keys moves
/// nothing under the pointer.
fn shape_room(ui: &Ui) -> egui::Vec2 {
    let width = width_of(ui, "graph.shape", egui::TextStyle::Button) + 2.0 * ui.spacing().button_padding.x;
    egui::vec2(width, ROW_PT)
}

/// What stands there while no key is selected: it takes the room of the fields, so that selecting a key moves nothing under
/// the pointer.
fn resting(ui: &mut Ui, channels: &ChannelState) {
    let frame = if channels.driven.is_some() { "graph.at" } else { "graph.frame" };
    let gap = ui.spacing().item_spacing.x;
    let width = |key: &str| width_of(ui, key, egui::TextStyle::Body) + gap + FIELD_PT;
    let room = egui::vec2(width(frame) + gap + width("graph.value"), ROW_PT);
    let text = egui::RichText::new(t("graph.no_keys").into_owned()).weak();
    ui.allocate_ui_with_layout(room, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_size(room);
        ui.add(egui::Label::new(text).truncate());
    });
    ui.allocate_space(shape_room(ui));
}

/// The fields of cardinal and TCB keys; in a menu where the row has no room for them.
fn shape(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, channels: &mut ChannelState, selected: &Selected) {
    let kind = selected.interpolation.filter(|kind| !shape_numbers(*kind).is_empty());
    let Some(kind) = kind else {
        ui.allocate_space(shape_room(ui));
        return;
    };
    let gap = ui.spacing().item_spacing.x;
    let width = |key: &str| width_of(ui, key, egui::TextStyle::Body) + SHAPE_PT + 2.0 * gap;
    let all: f32 = shape_numbers(kind).iter().map(|(key, _)| width(key)).sum();
    if all <= ui.available_size_before_wrap().x {
        return shape_fields(ui, ctx, editing, channels, (selected, kind, false));
    }
    let button = ui.button(t("graph.shape").into_owned()).on_hover_text(t("graph.shape_hint"));
    let popup = egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        egui::Grid::new("shape numbers").show(ui, |ui| {
            shape_fields(ui, ctx, editing, channels, (selected, kind, true));
        });
    });
}

fn shape_fields(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    editing: &Editing<'_>,
    channels: &mut ChannelState,
    (selected, kind, in_menu): (&Selected, Interpolation, bool),
) {
    let scale = ctx.view.tcb_scale;
    for (key, place) in shape_numbers(kind) {
        // As high as the field beside it: else the first in a row stands higher than the others.
        let size = egui::vec2(width_of(ui, key, egui::TextStyle::Body), ui.spacing().interact_size.y);
        let label = ui.add_sized(size, egui::Label::new(t(key).into_owned()));
        label.on_hover_text(t(&format!("{key}_hint")).into_owned());
        let (low, high) = selected.shape[*place];
        let (name, mixed) = (t(key), high > low);
        // One number for all: where they differ, relative input counts from the mean of what there is.
        let field = DragField::new(&name, scale.shown(f64::midpoint(low, high))).mixed(mixed).decimals(3);
        let field = field.range(scale.shown(-1.0), scale.shown(1.0)).width(SHAPE_PT);
        let (_, edits) = field.speed(0.01 * (scale.shown(1.0) - scale.shown(0.0))).show(ui);
        for edit in edits {
            let own = match edit {
                FieldEdit::Change(shown) => FieldEdit::Change(scale.own(shown)),
                other => other,
            };
            send_shape(ctx, editing, channels, *place, own);
        }
        if in_menu {
            ui.end_row();
        }
    }
}

/// A number of many keys at once.
struct Number<'a> {
    name: &'a str,
    /// Its name in the history.
    label: &'static str,
    unit: &'a str,
    speed: f64,
    /// Points.
    width: f32,
}

impl Number<'_> {
    /// Shows the field with the least and the greatest of the keys' numbers. `edit` makes the change from a function that
    /// gives each number its new one.
    fn show(
        &self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        range: Option<(f64, f64)>,
        edit: impl Fn(&dyn Fn(f64) -> Option<f64>) -> Option<GraphEdit>,
    ) {
        let Some((low, high)) = range else { return };
        if (high - low).abs() > 1e-9 * (1.0 + low.abs()) {
            // Different numbers: `+=5` and `*=1.1` act on each, a plain number is for all.
            let (response, typed) = text_field_hinting(ui, self.name, "", "—", self.width);
            response.on_hover_text(t("graph.many").into_owned());
            match typed {
                Some(text) if evaluate(&text, low).or_else(|| evaluate(&text, high)).is_some() => {
                    apply(ctx, self.label, edit(&|present| evaluate(&text, present)));
                }
                Some(text) if !text.trim().is_empty() => refuse(ui, text),
                _ => {}
            }
            return;
        }
        let field = DragField::new(self.name, low).unit(self.unit).decimals(3).speed(self.speed).width(self.width);
        let (_, edits) = field.show(ui);
        for change in edits {
            match change {
                FieldEdit::Begin => ctx.commands.gesture(Gesture::Begin { label: self.label }),
                FieldEdit::Change(value) => {
                    if let Some(GraphEdit { edit, converted }) = edit(&|_| Some(value)) {
                        ctx.commands.gesture(Gesture::Update(edit));
                        tell_converted(ctx, converted);
                    }
                }
                FieldEdit::Commit => ctx.commands.gesture(Gesture::Commit),
                FieldEdit::Cancel => ctx.commands.gesture(Gesture::Cancel),
            }
        }
    }
}

/// What the selected keys have in common.
#[derive(Debug, Default)]
struct Selected {
    count: usize,
    /// The earliest and the latest time, seconds.
    times: Option<(f64, f64)>,
    /// The least and the greatest displayed value.
    values: Option<(f64, f64)>,
    /// The channels with selected keys.
    paths: Vec<crate::model::ChannelPath>,
    /// The interpolation, where all have one.
    interpolation: Option<Interpolation>,
    /// The least and the greatest tension, continuity, bias.
    shape: [(f64, f64); 3],
}

impl Selected {
    fn of(curves: &[GraphCurve]) -> Self {
        let mut selected = Self::default();
        let mut mixed = false;
        for curve in curves.iter().filter(|curve| curve.editable && curve.lane == 0 && !curve.selected.is_empty()) {
            selected.paths.push(curve.path);
            for index in curve.selected.iter() {
                let Some([secs, own]) = curve.at(*index) else { continue };
                widen(&mut selected.times, secs);
                if curve.has_values {
                    widen(&mut selected.values, curve.unit.shown(own));
                }
                match (&curve.points, curve.points.key(*index)) {
                    (Points::Keyed(_), Some(key)) => selected.add_key(&key, &mut mixed),
                    _ => mixed = true,
                }
                selected.count += 1;
            }
        }
        if mixed {
            selected.interpolation = None;
        }
        selected
    }

    fn add_key(&mut self, key: &Key, mixed: &mut bool) {
        let numbers = [key.tension, key.continuity, key.bias];
        match self.interpolation {
            None => {
                self.interpolation = Some(key.interpolation);
                self.shape = numbers.map(|number| (number, number));
            }
            Some(known) => {
                *mixed |= known != key.interpolation;
                for ((low, high), number) in self.shape.iter_mut().zip(numbers) {
                    (*low, *high) = (low.min(number), high.max(number));
                }
            }
        }
    }

    /// The unit of the values, where all have one.
    fn unit(&self, ctx: &PanelContext<'_>) -> String {
        let unit = ctx.document.settings.length_unit;
        let first = self.paths.first().map_or("", |path| unit_name(*path, unit));
        let same = self.paths.iter().all(|path| unit_name(*path, unit) == first);
        if same { first.to_owned() } else { String::new() }
    }
}

fn widen(range: &mut Option<(f64, f64)>, value: f64) {
    let (low, high) = range.unwrap_or((value, value));
    *range = Some((low.min(value), high.max(value)));
}

//! The dope sheet: when things happen. A row for the document, each object, joint and channel; keys as marks that are
//! chosen, dragged, scaled and copied in time. The frames seen are those of the timeline.

mod clipboard;
mod marks;
mod operate;
mod paint;
mod rows;
mod run;

use crate::{
    command::{Command, CommandId},
    interact::tools::copied_keys::CopiedKeys,
    model::{ChannelPath, Clip, ClipId, KeyKind, Target},
    text::t,
    ui::{
        icons::Icon,
        panel::{Panel, PanelContext},
        panels::{
            graph::menus::interpolations,
            markers::{self, Markers, Place},
            outliner::icon_of,
            timeline::{
                blocking::time_frames,
                ruler::{Scale, ticks, zoom},
            },
        },
        subject,
        theme::ROW_PT,
        widgets::{IconButton, search_field, tree::Row as TreeRow},
    },
};
use egui::{
    PointerButton, Rect, Role, Sense, Ui, UiBuilder, Vec2, WidgetInfo,
    containers::menu::{MenuButton, MenuConfig},
    pos2,
};
use rows::{Row, RowId};
use std::{collections::BTreeSet, sync::Arc};

/// Height of a row, points.
const LINE_PT: f32 = ROW_PT - 2.0;
/// Height of the ruler, points.
const RULER_PT: f32 = 34.0;
/// Width of the names, points: at most this and at most this part of the panel.
const NAMES_PT: (f32, f32) = (190.0, 0.4);

/// The dope sheet.
#[derive(Debug)]
pub struct DopeSheetPanel {
    filter: String,
    only_selected: bool,
    toggled: BTreeSet<RowId>,
    cache: marks::MarkCache,
    drag: Option<operate::Drag>,
    /// What keys from the keyboard walk along; all rows where it is none.
    active: Option<RowId>,
    copied: CopiedKeys,
    markers: Markers,
    /// What the ruler is dragged for: the frames shown at the press, to be moved; else the playhead.
    pan: Option<(f64, f64, f32)>,
    /// What was held when the pointer was pressed last.
    pressed_with: egui::Modifiers,
    over: bool,
}

impl Default for DopeSheetPanel {
    fn default() -> Self {
        Self {
            filter: String::new(),
            only_selected: true,
            toggled: BTreeSet::new(),
            cache: marks::MarkCache::default(),
            drag: None,
            active: None,
            copied: CopiedKeys::default(),
            markers: Markers::default(),
            pan: None,
            pressed_with: egui::Modifiers::NONE,
            over: false,
        }
    }
}

/// What is shown in one frame.
struct Sheet<'a> {
    id: ClipId,
    clip: &'a Arc<Clip>,
    listed: Vec<ChannelPath>,
    rows: Vec<Row>,
    scale: Scale,
}

impl Sheet<'_> {
    fn channels(&self, row: &Row) -> &[ChannelPath] {
        self.listed.get(row.channels.clone()).unwrap_or_default()
    }

    fn all(&self) -> Row {
        Row { id: RowId::All, depth: 0, open: None, channels: 0..self.listed.len() }
    }
}

impl Panel for DopeSheetPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        self.toolbar(ui, ctx);
        let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else {
            ui.weak(t("dope.no_clip").into_owned());
            return;
        };
        let whole = ui.available_rect_before_wrap();
        self.over = ui.rect_contains_pointer(whole);
        let names = NAMES_PT.0.min(whole.width() * NAMES_PT.1);
        let track = whole.with_min_x(whole.left() + names).with_max_x(whole.right() - 8.0);
        if track.width() < 20.0 || track.height() < RULER_PT + LINE_PT / 2.0 {
            return;
        }
        let listed = rows::listed(ctx, clip, &self.filter, self.only_selected);
        let rows = rows::rows(&listed, &self.toggled, !self.filter.trim().is_empty());
        let sheet = Sheet { id, clip, listed, rows, scale: Scale::of(ctx, track) };
        let rate = ctx.document.settings.rate;
        let seen = (sheet.scale.first_frame() * rate.frame_secs(), sheet.scale.last_frame() * rate.frame_secs());
        let gap = 2.0 / sheet.scale.points_per_frame() * rate.frame_secs();
        self.cache.look_at(clip, &sheet.listed, seen, gap);
        let ruler = track.with_max_y(track.top() + RULER_PT);
        self.ruler(ui, ctx, &sheet, ruler);
        let head =
            Rect::from_min_max(pos2(whole.left(), ruler.bottom()), pos2(whole.right(), ruler.bottom() + LINE_PT));
        let all = vec![(sheet.all(), head)];
        self.names(ui, ctx, &sheet, &all, names);
        self.tracks(ui, ctx, &sheet, &all, head.with_min_x(track.left()).with_max_x(track.right()), "all");
        let below = whole.with_min_y(head.bottom() + 1.0);
        ui.scope_builder(UiBuilder::new().max_rect(below).id_salt("dope rows"), |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::ScrollArea::vertical().auto_shrink([false, false]).show_viewport(ui, |ui, viewport| {
                self.body(ui, ctx, &sheet, viewport, (names, track));
            });
        });
        markers::lines(ui, ctx, below, &|secs| sheet.scale.x(rate.frame_f64(secs)));
        self.clipboard(ui, ctx);
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        self.run_command(command, ctx);
    }
}

impl DopeSheetPanel {
    fn toolbar(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        ui.horizontal(|ui| {
            ui.set_height(ROW_PT);
            ui.scope(|ui| {
                ui.set_max_width(NAMES_PT.0 - 8.0);
                search_field(ui, &t("dope.search"), &mut self.filter);
            });
            let (name, hint) = (t("dope.only_selected"), t("dope.only_selected_hint"));
            let filter = IconButton::new(Icon::Select, &name).hint(&hint);
            if filter.selected(self.only_selected).show(ui).clicked() {
                self.only_selected = !self.only_selected;
            }
            let enabled = !ctx.selection.keys.is_empty();
            ui.add_enabled_ui(enabled, |ui| {
                ui.menu_button(t("dope.kind").into_owned(), |ui| kinds(ui, ctx));
                ui.menu_button(t("graph.menu_interpolation").into_owned(), |ui| interpolations(ui, ctx));
            });
            ui.menu_button(t("dope.markers").into_owned(), |ui| {
                use CommandId::{AddMarker, DeleteMarker, NextMarker, PreviousMarker};
                commands(ui, ctx, &[AddMarker, DeleteMarker, PreviousMarker, NextMarker]);
            });
            let stays = MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
            MenuButton::new(t("dope.time").into_owned()).config(stays).ui(ui, |ui| {
                ui.horizontal(|ui| {
                    time_frames(ui, ctx);
                    ui.label(t("timeline.time_frames").into_owned());
                });
                use CommandId::{InsertTime, RangeEndHere, RangeFromClip, RangeFromKeys, RangeStartHere, RemoveTime};
                commands(
                    ui,
                    ctx,
                    &[InsertTime, RemoveTime, RangeFromKeys, RangeStartHere, RangeEndHere, RangeFromClip],
                );
            });
        });
    }

    fn ruler(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, sheet: &Sheet<'_>, rect: Rect) {
        let response = ui.interact(rect, ui.scope_id().with("dope ruler"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, t("dope.ruler")));
        let (rate, scale) = (ctx.document.settings.rate, sheet.scale.on(rect));
        let pos = response.interact_pointer_pos();
        if let Some(pos) = pos.filter(|_| response.dragged_by(PointerButton::Primary) || response.clicked()) {
            let secs = scale.frame(pos.x) * rate.frame_secs();
            let snaps = ctx.view.snap.frames != ui.input(|input| input.modifiers.command);
            let secs = if snaps { rate.snap(secs) } else { secs };
            use crate::interact::view_state::{Playback, ViewChange};
            ctx.commands.view(ViewChange::Playback(Playback::Stopped));
            ctx.commands.view(ViewChange::Time(secs));
        }
        if response.contains_pointer() {
            ctx.commands.send(Command::Hint(t("dope.ruler_hint")));
            zoom(ui, ctx, scale);
        }
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        painter.rect_filled(rect, 0.0, ctx.colours.field);
        let range = ctx.document.settings.play_range;
        let played = Rect::from_x_y_ranges(
            scale.x(range.first as f64)..=scale.x(range.last as f64),
            rect.top()..=rect.top() + 3.0,
        );
        painter.rect_filled(played, 0.0, ctx.colours.weak.gamma_multiply(0.6));
        ticks(&painter, ui, scale, [ctx.colours.weak, ctx.colours.line], &[], None);
        let place = Place {
            rect,
            x: &|secs| scale.x(rate.frame_f64(secs)),
            secs: &|x| scale.frame(x) * rate.frame_secs(),
            head: None,
        };
        self.markers.show(ui, ctx, &place);
        paint::playhead(&painter, ctx, scale, rect);
    }

    fn body(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        sheet: &Sheet<'_>,
        viewport: Rect,
        (names, track): (f32, Rect),
    ) {
        ui.set_height(sheet.rows.len() as f32 * LINE_PT);
        let top = ui.min_rect().top();
        let first = (viewport.top() / LINE_PT).floor().max(0.0) as usize;
        let last = (viewport.bottom() / LINE_PT).ceil().max(0.0) as usize;
        let width = ui.min_rect().x_range();
        let shown = sheet.rows.iter().enumerate().take(last).skip(first).map(|(index, row)| {
            let y = top + index as f32 * LINE_PT;
            (row.clone(), Rect::from_x_y_ranges(width.min..=width.max, y..=y + LINE_PT))
        });
        let shown: Vec<(Row, Rect)> = shown.collect();
        let tracks = ui.clip_rect().with_min_x(track.left()).with_max_x(track.right());
        self.tracks(ui, ctx, sheet, &shown, tracks, "rows");
        self.names(ui, ctx, sheet, &shown, names);
        if sheet.listed.is_empty() {
            let key = if self.filter.is_empty() { "dope.no_channels" } else { "graph.not_found" };
            let text = egui::RichText::new(crate::text::fill(key, &[("filter", &self.filter)])).weak();
            let place = tracks.shrink2(egui::vec2(8.0, 4.0));
            ui.scope_builder(UiBuilder::new().max_rect(place), |ui| ui.add(egui::Label::new(text).wrap()));
        }
    }

    fn names(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, sheet: &Sheet<'_>, shown: &[(Row, Rect)], width: f32) {
        for (row, rect) in shown {
            let rect = rect.with_max_x(rect.left() + width);
            let name = rows::name(ctx, row.id);
            let target = match row.id {
                RowId::All => None,
                RowId::Object(object) => Some(Target::Object(object)),
                RowId::Target(target) => Some(target),
                RowId::Channel(path) => Some(path.target),
            };
            let icon = match row.id {
                RowId::All => Icon::Clip,
                RowId::Object(object) => ctx.document.object(object).map_or(Icon::Rig, |object| icon_of(object)),
                RowId::Target(_) => Icon::Joint,
                RowId::Channel(_) => Icon::Key,
            };
            let is_channel = matches!(row.id, RowId::Channel(_));
            let selected =
                self.active == Some(row.id) || (!is_channel && target.is_some_and(|t| ctx.selection.contains(t)));
            let builder = UiBuilder::new().max_rect(rect).id_salt(row.id);
            let shown = ui.scope_builder(builder, |ui| {
                ui.set_clip_rect(rect.intersect(ui.clip_rect()));
                TreeRow {
                    name: &name,
                    icon,
                    depth: row.depth,
                    open: row.open,
                    selected,
                    weak: false,
                    right: 0.0,
                    ..TreeRow::default()
                }
                .show(ui)
            });
            let shown = shown.inner;
            if shown.toggled && !self.toggled.remove(&row.id) {
                self.toggled.insert(row.id);
            }
            if shown.row.double_clicked() {
                self.choose_row(ctx, sheet, row);
            } else if shown.row.clicked() {
                self.active = Some(row.id);
                // With the selection as the filter the other rows would go: there a click only marks the row.
                if let Some(target) = target.filter(|_| !self.only_selected && !is_channel) {
                    let mut selection = ctx.selection.clone();
                    if ui.input(|input| input.modifiers.shift || input.modifiers.command) {
                        selection.toggle(target);
                    } else {
                        selection.targets.clear();
                        selection.insert(target);
                    }
                    ctx.commands.select(selection);
                }
            }
        }
    }
}

/// The key types, to be set on the selected keys.
fn kinds(ui: &mut Ui, ctx: &PanelContext<'_>) {
    for kind in KeyKind::ALL {
        let id = match kind {
            KeyKind::Key => CommandId::KindKey,
            KeyKind::Breakdown => CommandId::KindBreakdown,
            KeyKind::Extreme => CommandId::KindExtreme,
            KeyKind::Hold => CommandId::KindHold,
        };
        let text = egui::RichText::new(t(id.spec().title).into_owned()).color(paint::kind_colour(ctx, kind));
        if ui.button(text).clicked() {
            ctx.commands.run(id);
            ui.close();
        }
    }
}

fn commands(ui: &mut Ui, ctx: &PanelContext<'_>, ids: &[CommandId]) {
    for id in ids {
        let button = egui::Button::new(t(id.spec().title).into_owned());
        let keys = ctx.keymap.text(*id);
        let button = if keys.is_empty() { button } else { button.shortcut_text(keys) };
        let enabled = id.spec().needs != crate::command::Needs::Keys || !ctx.selection.keys.is_empty();
        if ui.add_enabled(enabled, button).clicked() {
            ctx.commands.run(*id);
            ui.close();
        }
    }
}

/// Two fingers and the wheel with Ctrl zoom about the pointer, sideways pans; the wheel alone goes through the rows.
fn zoom_tracks(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale) {
    let (scroll, pinch, pos) =
        ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta(), input.pointer.latest_pos()));
    let Some(pos) = pos.filter(|_| pinch != 1.0 || scroll.x != 0.0) else { return };
    let about = scale.frame(pos.x);
    let moved = f64::from(scroll.x) / scale.points_per_frame();
    let at = |frame: f64| about + (frame - about) / f64::from(pinch) - moved;
    let range = (at(scale.first_frame()), at(scale.last_frame()));
    ctx.commands.view(crate::interact::view_state::ViewChange::Timeline(Some(range)));
}

/// Room about a mark that counts as the mark, points.
const NEAR: Vec2 = Vec2::splat(6.0);

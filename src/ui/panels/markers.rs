//! Markers on a ruler of time: flags with names, dragged, gone to by a click, renamed, coloured and deleted by their menu.

use crate::{
    edit::{ClipEdit, Gesture},
    interact::view_state::{Playback, ThemeChoice, ViewChange},
    model::{ClipId, Marker, MarkerColour, MarkerId},
    text::{fill, t},
    ui::{panel::PanelContext, subject, widgets::text_field},
};
use egui::{
    Align2, Color32, CursorIcon, Popup, PopupCloseBehavior, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};

/// Height of a flag, points.
const FLAG_PT: f32 = 9.0;
/// Most letters of a name that are shown.
const NAME_LETTERS: usize = 18;

/// Where times lie on a ruler.
pub(super) struct Place<'a> {
    /// The ruler, points.
    pub(super) rect: Rect,
    /// Where a time lies, points.
    pub(super) x: &'a dyn Fn(f64) -> f32,
    /// The time at a place, seconds.
    pub(super) secs: &'a dyn Fn(f32) -> f64,
    /// The playhead's head, where it lies as low as the flags: they stand beside it.
    pub(super) head: Option<Rect>,
}

/// The markers of one ruler.
#[derive(Debug, Default)]
pub(super) struct Markers {
    /// The marker as it was at the press, and where that was.
    drag: Option<(Marker, f32)>,
}

impl Markers {
    /// Shows the markers of the clip in question on the lower edge of a ruler.
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, place: &Place<'_>) {
        let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else { return };
        for marker in &clip.markers {
            let x = (place.x)(marker.time);
            if place.rect.x_range().contains(x) {
                self.flag(ui, ctx, (id, marker), place, x);
            }
        }
        if self.drag.as_ref().is_some_and(|(marker, _)| clip.marker(marker.id).is_none()) {
            self.drag = None;
        }
    }

    fn flag(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        (clip, marker): (ClipId, &Marker),
        place: &Place<'_>,
        x: f32,
    ) {
        let colour = colour(ctx, marker.colour);
        let font = egui::TextStyle::Small.resolve(ui.style());
        let shown: String = marker.name.chars().take(NAME_LETTERS).collect();
        let galley = ui.painter().layout_no_wrap(shown, font.clone(), colour);
        let bottom = place.rect.bottom() - 1.0;
        let size = vec2(FLAG_PT + 3.0 + galley.size().x, FLAG_PT + 4.0);
        let at = |left: f32| Rect::from_min_size(pos2(left - 4.0, bottom - size.y), size);
        // Flag and name move to the right of the head; the line stays where the time is.
        let head = place.head.filter(|head| head.intersects(at(x)));
        let left = head.map_or(x, |head| x.max(head.right() + 2.0));
        let hit = at(left);
        let widget = ui.interact(hit, ui.scope_id().with(("marker", marker.id)), Sense::click_and_drag());
        let frame = crate::ui::widgets::drag_field::number_text(ctx.document.settings.rate.frame_f64(marker.time), 2);
        let name = fill("markers.node", &[("name", &marker.name), ("frame", &frame)]);
        widget.widget_info(|| WidgetInfo::labeled(Role::GraphicsSymbol, true, &name));
        let painter = ui.painter().with_clip_rect(place.rect.intersect(ui.clip_rect()));
        if head.is_none_or(|head| !head.x_range().contains(x)) {
            let line = [pos2(x, place.rect.top()), pos2(x, bottom)];
            painter.line_segment(line, Stroke::new(1.0, colour.gamma_multiply(0.7)));
        }
        let flag = [(0.0, 0.0), (FLAG_PT - 1.0, -FLAG_PT / 2.0), (0.0, -FLAG_PT)];
        let flag = flag.map(|(dx, dy)| pos2(left + dx, bottom + dy)).to_vec();
        let ring = if widget.hovered() || widget.has_focus() { ctx.colours.text } else { ctx.colours.field };
        painter.add(Shape::convex_polygon(flag, colour, Stroke::new(1.0, ring)));
        // A number of the ruler under the name would be read with it.
        let ground = hit.with_min_x(left + FLAG_PT).with_max_x(hit.right() - 2.0).shrink2(vec2(0.0, 1.0));
        painter.rect_filled(ground, 2.0, ctx.colours.field);
        painter.text(
            pos2(left + FLAG_PT + 1.0, bottom - FLAG_PT / 2.0),
            Align2::LEFT_CENTER,
            galley.text(),
            font,
            colour,
        );
        if widget.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Grab);
            ctx.commands.send(crate::command::Command::Hint(t("markers.hint")));
        }
        if widget.clicked() {
            ctx.commands.view(ViewChange::Playback(Playback::Stopped));
            ctx.commands.view(ViewChange::Time(marker.time));
        }
        self.dragged(ui, ctx, (clip, marker), place, &widget);
        // A click into the name must not close it.
        let popup = Popup::context_menu(&widget).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        popup.show(|ui| menu(ui, ctx, clip, marker));
    }

    fn dragged(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        (clip, marker): (ClipId, &Marker),
        place: &Place<'_>,
        widget: &Response,
    ) {
        if widget.drag_started() {
            let press = ui.input(|input| input.pointer.press_origin()).unwrap_or_default();
            ctx.commands.gesture(Gesture::Begin { label: "history.move_marker" });
            self.drag = Some((marker.clone(), press.x));
        }
        let Some((base, press)) = self.drag.clone().filter(|(base, _)| base.id == marker.id) else { return };
        if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            ctx.commands.gesture(Gesture::Cancel);
            self.drag = None;
            return;
        }
        if let Some(now) = ui.input(|input| input.pointer.latest_pos()) {
            let time = base.time + (place.secs)(now.x) - (place.secs)(press);
            let snaps = ctx.view.snap.frames != ui.input(|input| input.modifiers.command);
            let time = if snaps { ctx.document.settings.rate.snap(time) } else { time };
            ctx.commands.gesture(Gesture::Update(ClipEdit::SetMarker { clip, marker: Marker { time, ..base } }.into()));
        }
        if widget.drag_stopped() || !widget.is_pointer_button_down_on() {
            ctx.commands.gesture(Gesture::Commit);
            self.drag = None;
        }
    }
}

fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, marker: &Marker) {
    let (_, renamed) = text_field(ui, &t("markers.name"), &marker.name, 140.0);
    if let Some(name) = renamed {
        let marker = Marker { name: name.trim().to_owned(), ..marker.clone() };
        ctx.commands.apply("history.rename_marker", ClipEdit::SetMarker { clip, marker }.into());
        ui.close();
    }
    ui.separator();
    for choice in MarkerColour::ALL {
        let text = egui::RichText::new(t(colour_name(choice)).into_owned()).color(colour(ctx, choice));
        if ui.selectable_label(choice == marker.colour, text).clicked() {
            let marker = Marker { colour: choice, ..marker.clone() };
            ctx.commands.apply("history.colour_marker", ClipEdit::SetMarker { clip, marker }.into());
            ui.close();
        }
    }
    ui.separator();
    if ui.button(t("markers.delete").into_owned()).clicked() {
        delete(ctx, clip, marker.id);
        ui.close();
    }
}

fn delete(ctx: &PanelContext<'_>, clip: ClipId, marker: MarkerId) {
    ctx.commands.apply("history.delete_marker", ClipEdit::DeleteMarker { clip, marker }.into());
}

const fn colour_name(colour: MarkerColour) -> &'static str {
    match colour {
        MarkerColour::Yellow => "markers.yellow",
        MarkerColour::Green => "markers.green",
        MarkerColour::Blue => "markers.blue",
        MarkerColour::Purple => "markers.purple",
        MarkerColour::Orange => "markers.orange",
    }
}

/// A marker's colour on the theme's ground.
fn colour(ctx: &PanelContext<'_>, colour: MarkerColour) -> Color32 {
    let dark = ctx.view.theme == ThemeChoice::Dark;
    match (colour, dark) {
        (MarkerColour::Yellow, true) => Color32::from_rgb(0xe6, 0xd0, 0x5c),
        (MarkerColour::Yellow, false) => Color32::from_rgb(0x7a, 0x66, 0x00),
        (MarkerColour::Green, true) => Color32::from_rgb(0x7c, 0xd0, 0x8a),
        (MarkerColour::Green, false) => Color32::from_rgb(0x1e, 0x74, 0x36),
        (MarkerColour::Blue, true) => Color32::from_rgb(0x7c, 0xb8, 0xf4),
        (MarkerColour::Blue, false) => Color32::from_rgb(0x1a, 0x5f, 0xa8),
        (MarkerColour::Purple, true) => Color32::from_rgb(0xc4, 0x9c, 0xf0),
        (MarkerColour::Purple, false) => Color32::from_rgb(0x6c, 0x3a, 0xb0),
        (MarkerColour::Orange, true) => Color32::from_rgb(0xf2, 0xa0, 0x60),
        (MarkerColour::Orange, false) => Color32::from_rgb(0xa0, 0x50, 0x10),
    }
}

/// Shows the line of every marker through a part below a ruler.
pub(super) fn lines(ui: &Ui, ctx: &PanelContext<'_>, rect: Rect, x: &dyn Fn(f64) -> f32) {
    let Some((_, clip)) = subject::clip(ctx.document, ctx.selection) else { return };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for marker in &clip.markers {
        let x = x(marker.time);
        let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        painter.extend(Shape::dashed_line(
            &line,
            Stroke::new(1.0, colour(ctx, marker.colour).gamma_multiply(0.6)),
            3.0,
            3.0,
        ));
    }
}

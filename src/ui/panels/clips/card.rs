//! One clip of the library as a picture with its name, its length and whether it loops.

use super::ClipsPanel;
use crate::{
    command::Command,
    edit::{ClipEdit, blend::players, clips},
    model::{ClipId, LoopMode, ObjectId, Plays},
    notice::Notice,
    text::{fill, t},
    ui::{icons::Icon, naming, panel::PanelContext, theme::ICON_PT},
};
use egui::{Align2, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};

/// Width of a card, points.
pub(super) const WIDTH_PT: f32 = 92.0;
/// Height of its picture, points.
const PICTURE_PT: f32 = 88.0;
/// Height of the lines below it, points.
const LINES_PT: f32 = 34.0;

impl ClipsPanel {
    /// Shows a card and does what is done to it.
    pub(super) fn card(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>, object: ObjectId, id: ClipId, chosen: bool) {
        let Some(clip) = ctx.document.clip(id).cloned() else { return };
        let size = Vec2::new(WIDTH_PT, PICTURE_PT + LINES_PT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let plays = ctx.document.clip_of(object) == Some(id);
        let name = fill("clips.choose", &[("name", &clip.name)]);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &*name));
        self.interact(ctx, &response, object, id);
        if ui.is_rect_visible(rect) {
            let picture = Rect::from_min_size(rect.min, Vec2::new(WIDTH_PT, PICTURE_PT));
            let painter = ui.painter_at(rect.expand(1.0));
            painter.rect_filled(picture, 4.0, ctx.colours.field);
            if let Some(pose) = self.pose(ctx, object, id)
                && let Some(texture) = self.portraits.get(ui, ctx, (id, &pose, object), picture)
            {
                let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                egui::Image::new(&texture).uv(whole).corner_radius(4).paint_at(ui, picture);
            }
            let edge = match () {
                () if chosen => Some(ctx.colours.accent),
                () if response.hovered() || response.has_focus() => Some(ctx.colours.hovered),
                () => None,
            };
            if let Some(colour) = edge {
                painter.rect_stroke(picture, 4.0, Stroke::new(1.5, colour), StrokeKind::Inside);
            }
            let mut corner = picture.right_top() + Vec2::new(-ICON_PT, 2.0);
            let mut mark = |icon: Icon, on: bool| {
                if on {
                    let place = Rect::from_min_size(corner, Vec2::splat(ICON_PT - 2.0));
                    icon.paint(&painter, place, ICON_PT - 3.0, ctx.colours.weak);
                    corner.x -= ICON_PT;
                }
            };
            mark(Icon::Loop, clip.loop_mode == LoopMode::Loop);
            mark(Icon::Play, plays);
            let line = |at: f32, text: &str, font: FontId, colour| {
                let galley = painter.layout_no_wrap(text.to_owned(), font, colour);
                let place = pos2(rect.left() + 2.0, picture.bottom() + at);
                let cut = Rect::from_min_size(place, Vec2::new(WIDTH_PT - 4.0, 18.0));
                painter.with_clip_rect(cut.intersect(ui.clip_rect())).galley(place, galley, colour);
            };
            line(1.0, &clip.name, FontId::proportional(13.0), ctx.colours.text);
            let frames = clip.range.last - clip.range.first;
            let secs = format!("{:.2}", ctx.document.settings.rate.secs(frames));
            let length = fill("clips.frames_secs", &[("frames", &frames), ("secs", &secs)]);
            line(17.0, &length, FontId::proportional(11.0), ctx.colours.weak);
            if !ctx.painter.draws() {
                let font = FontId::proportional(11.0);
                painter.text(picture.center(), Align2::CENTER_CENTER, t("poses.no_picture"), font, ctx.colours.weak);
            }
        }
        if response.contains_pointer() {
            ctx.commands.send(Command::Hint(t("clips.card_hint")));
        }
        let response = response.on_hover_text(&clip.name);
        response.context_menu(|ui| menu(ui, ctx, object, id));
        drop_here(ui, ctx, &response, id);
    }

    fn interact(&mut self, ctx: &PanelContext<'_>, response: &Response, object: ObjectId, id: ClipId) {
        if response.clicked() {
            self.chosen = Some(id);
        }
        if naming::asked(response) {
            (self.chosen, self.renames) = (Some(id), Some(id));
        }
        if response.double_clicked() && ctx.document.clip_of(object) != Some(id) {
            ctx.commands.apply("history.set_clip", clips::played_by(ctx.document, object, id));
        }
        if response.dragged() {
            response.dnd_set_drag_payload(Plays::Clip(id));
        }
    }
}

/// A clip that is dropped on another is listed where that is.
fn drop_here(ui: &Ui, ctx: &PanelContext<'_>, response: &Response, id: ClipId) {
    let Some(dragged) = response.dnd_hover_payload::<Plays>() else { return };
    let Plays::Clip(dragged) = *dragged else { return };
    if dragged == id {
        return;
    }
    ui.painter().rect_stroke(response.rect, 4.0, ui.visuals().selection.stroke, StrokeKind::Inside);
    if response.dnd_release_payload::<Plays>().is_some()
        && let Some(to) = ctx.document.listed_clips().iter().position(|other| *other == id)
    {
        listed_at(ctx, dragged, to);
    }
}

/// Lists a clip at a place.
pub(super) fn listed_at(ctx: &PanelContext<'_>, clip: ClipId, to: usize) {
    match clips::listed_at(ctx.document, clip, to) {
        Ok(edit) => ctx.commands.apply("history.clip_order", edit),
        Err(error) => refuse(ctx, &error),
    }
}

/// Adds a copy of a clip.
pub(super) fn copy(ctx: &PanelContext<'_>, clip: ClipId) {
    match clips::copied(ctx.document, clip) {
        Ok(edit) => ctx.commands.apply("history.clip_copy", edit),
        Err(error) => refuse(ctx, &error),
    }
}

/// Deletes a clip; what played it and goes with it is told.
pub(in crate::ui::panels) fn delete(ctx: &PanelContext<'_>, clip: ClipId) {
    let (layers, spaces) = players(ctx.document, Plays::Clip(clip));
    let name = ctx.document.clip(clip).map_or_else(String::new, |clip| clip.name.clone());
    ctx.commands.apply("history.delete_clip", ClipEdit::Delete { clip }.into());
    let layers =
        layers.iter().map(|(layer, object)| fill("clips.deleted_layer", &[("name", layer), ("object", object)]));
    let gone: Vec<String> =
        layers.chain(spaces.iter().map(|space| fill("clips.deleted_sample", &[("name", space)]))).collect();
    if !gone.is_empty() {
        let text = fill("clips.deleted", &[("name", &name), ("what", &gone.join(", "))]);
        ctx.commands.send(Command::Tell(Notice::info(text)));
    }
}

pub(in crate::ui::panels) fn refuse(ctx: &PanelContext<'_>, error: &crate::edit::EditError) {
    ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", error)]))));
}

fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, id: ClipId) {
    if ui.button(t("clips.make_current")).clicked() {
        ctx.commands.apply("history.set_clip", clips::played_by(ctx.document, object, id));
        ui.close();
    }
    if ui.button(t("clips.duplicate")).clicked() {
        copy(ctx, id);
        ui.close();
    }
    if ui.button(t("clips.delete")).clicked() {
        delete(ctx, id);
        ui.close();
    }
}

//! The phase of the clip and its marks of step, found or set by hand.

use super::{
    details::add_mark,
    phase::{marks, phase},
    work,
};
use crate::{
    edit::ClipEdit,
    interact::{
        clip_work::ClipWork,
        view_state::{Playback, ViewChange},
    },
    model::{Clip, ClipId, Marker, MarkerColour, ObjectId},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::inspector::send,
        widgets::{DragField, IconButton, drag_field::number_text, section},
    },
};
use egui::{Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// Height of the bar of the phase, points.
const BAR_PT: f32 = 14.0;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, id: ClipId, clip: &Clip) {
    bar(ui, ctx, clip);
    let all: Vec<&Marker> = clip.markers.iter().filter(|marker| marker.sync).collect();
    section(ui, &fill("clips.steps", &[("count", &all.len())]));
    ui.horizontal_wrapped(|ui| {
        let find = ui.add_enabled(clip.moves(object), egui::Button::new(t("clips.steps_find")));
        if find.on_hover_text(t("clips.steps_find_hint")).clicked() {
            work(ctx, ClipWork::MarkSteps(object, id));
        }
        let sides = [("left", MarkerColour::Green), ("right", MarkerColour::Orange)];
        for (name, colour) in sides {
            let add = ui.button(t(&format!("clips.steps_add_{name}")));
            if add.on_hover_text(t("clips.steps_hint")).clicked() {
                add_mark(ctx, id, name, colour);
            }
        }
    });
    let mut sorted = all;
    sorted.sort_by(|a, b| a.time.total_cmp(&b.time));
    for (index, marker) in sorted.into_iter().enumerate() {
        ui.push_id(marker.id, |ui| row(ui, ctx, id, marker, index + 1));
    }
}

/// How far it has come at the time shown, with the marks as ticks; a press goes there.
fn bar(ui: &mut Ui, ctx: &PanelContext<'_>, clip: &Clip) {
    let rate = ctx.document.settings.rate;
    let Some(now) = phase(clip, rate, ctx.view.secs) else { return };
    ui.horizontal(|ui| {
        ui.label(t("clips.phase"));
        let size = Vec2::new((ui.available_width() - 8.0).clamp(60.0, 320.0), BAR_PT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let step = now.step.as_ref().map_or_else(
            || t("clips.phase_none").into_owned(),
            |(from, to, part)| {
                let part = number_text(*part, 2);
                fill("clips.phase_since", &[("part", &part), ("from", from), ("to", to)])
            },
        );
        let text = fill("clips.phase_text", &[("phase", &number_text(now.part, 2)), ("step", &step)]);
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &text));
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 3.0, ctx.colours.field);
        #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
        let x = |part: f64| rect.left() + part as f32 * rect.width();
        let gone = Rect::from_min_max(rect.min, pos2(x(now.part), rect.bottom()));
        painter.rect_filled(gone, 3.0, ctx.colours.accent.gamma_multiply(0.5));
        for (at, name) in marks(clip, rate) {
            let line = [pos2(x(at), rect.top()), pos2(x(at), rect.bottom())];
            painter.line_segment(line, Stroke::new(1.5, ctx.colours.text));
            let first: String = name.chars().take(1).collect();
            let font = egui::FontId::proportional(10.0);
            let place = pos2(x(at) + 2.0, rect.center().y);
            painter.text(place, egui::Align2::LEFT_CENTER, first.to_uppercase(), font, ctx.colours.text);
        }
        if (response.clicked() || response.dragged())
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let part = f64::from((pointer.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
            let (first, last) = (rate.secs(clip.range.first), rate.secs(clip.range.last));
            ctx.commands.view(ViewChange::Playback(Playback::Stopped));
            ctx.commands.view(ViewChange::Time(rate.snap(first + part * (last - first))));
        }
        response.on_hover_text(&text);
    });
    if let Some((from, to, part)) = &now.step {
        let part = number_text(*part, 2);
        ui.weak(fill("clips.phase_since", &[("part", &part), ("from", from), ("to", to)]));
    }
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, marker: &Marker, number: usize) {
    let rate = ctx.document.settings.rate;
    ui.horizontal(|ui| {
        let named: [(&str, &dyn std::fmt::Display); 2] = [("name", &marker.name), ("number", &number)];
        let (_, renamed) = {
            // Steps of one foot have one name.
            name_field(ui, ctx, (&fill("clips.step_name", &named), &marker.name, 72.0), |_| false)
        };
        let put = |marker: Marker| ClipEdit::SetMarker { clip, marker }.into();
        if let Some(name) = renamed {
            let marker = Marker { name, ..marker.clone() };
            ctx.commands.apply("history.clip_step", put(marker));
        }
        let name = fill("clips.step_frame", &named);
        let field = DragField::new(&name, rate.frame_f64(marker.time)).decimals(2).speed(0.1).width(64.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(&name);
        send(ctx, "history.clip_step", edits, |frame| {
            Ok(put(Marker { time: frame * rate.frame_secs(), ..marker.clone() }))
        });
        let delete = fill("clips.step_delete", &named);
        if IconButton::new(Icon::Delete, &delete).colour(ctx.colours.weak).show(ui).clicked() {
            let edit = ClipEdit::DeleteMarker { clip, marker: marker.id };
            ctx.commands.apply("history.clip_step", edit.into());
        }
    });
}

//! The retimes on the timeline: a bar for each, a tick where each of its keys is shown and what it was shown at before. The
//! middle moves it, an end drags that end; a click selects what it is of.

use super::{
    bar_text,
    grip::{Bar, BarDrag, Dragged, Grip},
    ruler::Scale,
};
use crate::{
    command::Command,
    edit::{Edit, RetimeEdit, Selection, retime_apply::apply_retime},
    model::{ClipId, Document, Retime, RetimeId, RetimeScope, Target},
    notice::Notice,
    text::{fill, t},
    ui::{panel::PanelContext, subject, widgets::drag_field::number_text},
};
use egui::{Rangef, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// A drag of a bar.
#[derive(Clone, Debug)]
struct Drag {
    clip: ClipId,
    /// As it was at the press.
    retime: Arc<Retime>,
    grip: Grip,
}

/// The bars.
#[derive(Debug, Default)]
pub(super) struct Retimes {
    drag: BarDrag<Drag>,
}

/// The row of each retime, and how many there are.
pub(super) fn rows(retimes: &[Arc<Retime>]) -> (Vec<usize>, usize) {
    super::grip::rows(retimes.iter().map(|retime| retime.phi.range()))
}

impl Retimes {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else { return };
        let (places, count) = rows(&clip.retimes);
        super::grip::in_rows(ui, ctx, count, |ui, scale, rect| {
            let ends = |retime: &Retime| {
                let (start, end) = retime.phi.range();
                [start, end].map(|secs| scale.x(ctx.document.settings.rate.frame_f64(secs)))
            };
            for (retime, place) in clip.retimes.iter().zip(&places) {
                let row = super::grip::row(rect, *place);
                let others = clip.retimes.iter().zip(&places).filter(|(_, other)| *other == place);
                let others = others.map(|(other, _)| ends(other));
                let free = bar_text::free_beside(ends(retime), row.x_range(), others);
                self.bar(ui, ctx, (id, retime), scale, (row, free));
            }
        });
    }

    fn bar(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        (clip, retime): (ClipId, &Arc<Retime>),
        scale: Scale,
        (row, free): (Rect, Rangef),
    ) {
        let rate = ctx.document.settings.rate;
        let x = |secs: f64| scale.x(rate.frame_f64(secs)).clamp(row.left() - 9.0, row.right() + 9.0);
        let stands = Bar::new(scale, row, rate, retime.phi.range());
        let full = stands.seen;
        let touch = full.expand2(vec2(3.0, 0.0)).intersect(row.expand2(vec2(9.0, 0.0)));
        let id = ui.scope_id().with(("retime", clip, retime.id));
        let response = ui.interact(touch, id, Sense::click_and_drag());
        let label = fill("retimes.bar", &[("name", &retime.name)]);
        response.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, &label));
        let moved: Vec<[f32; 2]> = retime.phi.keys().iter().map(|(shown, read)| [x(*read), x(*shown)]).collect();
        paint(ui, ctx, retime, (full, free), &moved, response.hovered());
        if response.clicked() {
            ctx.commands.select(chosen(ctx.selection, retime));
        }
        let ours = |drag: &Drag| (drag.clip, drag.retime.id) == (clip, retime.id);
        let begin = |grip, _| Drag { clip, retime: retime.clone(), grip };
        self.drag.follow((ui, ctx), (scale, &stands), &response, ours, begin);
        response.context_menu(|ui| menu(ui, ctx, clip, retime));
        if response.hovered() && !self.drag.runs() {
            ctx.commands.send(Command::Hint(fill("retimes.bar_hint", &[("name", &retime.name)]).into()));
        }
    }
}

impl Dragged for Drag {
    fn edit(&self, ctx: &PanelContext<'_>, frames: f64, _live: bool) -> Option<Edit> {
        self.phi_edit(ctx.document, frames).map(Edit::from)
    }

    fn label(&self) -> &'static str {
        if self.grip == Grip::Middle { "history.retime_move" } else { "history.retime_range" }
    }
}

impl Drag {
    /// The edit of a drag over so many frames: ends stand on frames, a frame at least beyond the keys between. None where
    /// there is no such retime.
    fn phi_edit(&self, document: &Document, frames: f64) -> Option<RetimeEdit> {
        let rate = document.settings.rate;
        let by = frames * rate.frame_secs();
        let (start, end) = self.retime.phi.range();
        let phi = match self.grip {
            Grip::Middle => self.retime.phi.shifted(rate.snap(start + by) - rate.snap(start)),
            Grip::Start => self.retime.phi.with_end(true, rate.snap(start + by), rate.frame_secs()),
            Grip::End => self.retime.phi.with_end(false, rate.snap(end + by), rate.frame_secs()),
        };
        Some(RetimeEdit::SetPhi { clip: self.clip, retime: self.retime.id, keys: phi?.keys().to_vec() })
    }
}

/// What a retime is of, selected.
fn chosen(selection: &Selection, retime: &Retime) -> Selection {
    let mut chosen = Selection { correction: selection.correction, ..Selection::default() };
    match &retime.scope {
        RetimeScope::Whole => chosen.insert(Target::Object(retime.object)),
        RetimeScope::Joints(joints) => {
            joints.iter().for_each(|joint| chosen.insert(Target::Joint(retime.object, *joint)));
        }
    }
    chosen
}

/// Writes a retime into the curves and says by how much they are off.
pub(in crate::ui::panels) fn apply(ctx: &PanelContext<'_>, clip: ClipId, retime: RetimeId) {
    let notice = match apply_retime(ctx.document, clip, retime) {
        Ok(applied) => {
            let millimetres = number_text(applied.metres * 1e3, 3);
            let degrees = number_text(applied.radians.to_degrees(), 4);
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("count", &applied.retimes), ("mm", &millimetres), ("degrees", &degrees)];
            let key = if applied.retimes > 1 { "retimes.applied_with_others" } else { "retimes.applied" };
            ctx.commands.apply("history.retime_apply", applied.edit);
            Notice::info(fill(key, &values))
        }
        Err(error) => Notice::warn(error.to_string()),
    };
    ctx.commands.send(Command::Tell(notice));
}

fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, retime: &Retime) {
    let (id, name) = (retime.id, &retime.name);
    let can_apply = ui.add_enabled(!retime.muted, egui::Button::new(fill("retimes.apply", &[("name", name)])));
    if can_apply.on_hover_text(t("retimes.apply_hint")).clicked() {
        apply(ctx, clip, id);
        ui.close();
    }
    if ui.button(fill(if retime.muted { "retimes.unmute" } else { "retimes.mute" }, &[("name", name)])).clicked() {
        ctx.commands.apply("history.retime_mute", RetimeEdit::Mute { clip, retime: id, muted: !retime.muted }.into());
        ui.close();
    }
    if ui.button(fill("retimes.delete", &[("name", name)])).clicked() {
        ctx.commands.apply("history.retime_delete", RetimeEdit::Delete { clip, retime: id }.into());
        ui.close();
    }
}

/// A bar. `moved` is where what its keys show was shown before, and where it is now.
fn paint(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    retime: &Retime,
    (full, free): (Rect, Rangef),
    moved: &[[f32; 2]],
    hovered: bool,
) {
    let colours = ctx.colours;
    let strength = match (retime.muted, hovered) {
        (true, _) => 0.15,
        (false, false) => 0.4,
        (false, true) => 0.65,
    };
    let painter = ui.painter().with_clip_rect(ui.clip_rect());
    let (top, bottom) = (full.top(), full.bottom());
    painter.rect_filled(full, 2.0, colours.axes[1].gamma_multiply(strength));
    let line = Stroke::new(1.5, if retime.muted { colours.weak } else { colours.text });
    for x in [full.left(), full.right()] {
        painter.line_segment([pos2(x, top), pos2(x, bottom)], Stroke::new(2.0, line.color));
    }
    for [was, is] in moved.iter().skip(1).take(moved.len().saturating_sub(2)) {
        painter.line_segment([pos2(*was, top), pos2(*is, bottom)], line);
    }
    let colour = if retime.muted { colours.weak } else { colours.text };
    let between = moved.iter().skip(1).take(moved.len().saturating_sub(2)).flatten();
    let ends = [between.clone().copied().reduce(f32::min), between.copied().reduce(f32::max)];
    let marks: Vec<f32> = ends.into_iter().flatten().collect();
    let places = bar_text::places([full.left(), full.right()], free, &marks);
    bar_text::write((ui, &painter), (vec![retime.name.clone()], colour), &places, full.center().y);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ObjectId, Phi};

    fn retime(id: u32, keys: &[(f64, f64)]) -> Arc<Retime> {
        let phi = Phi::new(keys.to_vec()).unwrap();
        let scope = RetimeScope::Whole;
        Arc::new(Retime { id: RetimeId(id), name: String::new(), muted: false, object: ObjectId(1), scope, phi })
    }

    #[test]
    fn those_that_overlap_stand_below_each_other() {
        let span = |id, from, to| retime(id, &[(from, from), (to, to)]);
        let list = [span(0, 0.0, 1.0), span(1, 0.5, 1.5), span(2, 1.0, 2.0), span(3, 0.0, 3.0)];
        assert_eq!(rows(&list), (vec![0, 1, 0, 2], 3));
    }

    #[test]
    fn ends_stand_on_frames_beyond_the_keys_between() {
        let document = Document::default();
        let retime = retime(0, &[(0.5, 0.5), (1.0, 1.0), (1.5, 1.5)]);
        let keys = |grip, frames| {
            let drag = Drag { clip: ClipId(1), retime: retime.clone(), grip };
            match drag.phi_edit(&document, frames) {
                Some(RetimeEdit::SetPhi { keys, .. }) => keys,
                other => panic!("{other:?}"),
            }
        };
        let frame = document.settings.rate.frame_secs();
        assert_eq!(keys(Grip::End, 6.2).last(), Some(&(1.75, 1.75)));
        assert_eq!(keys(Grip::Start, 400.0).first(), Some(&(1.0 - frame, 1.0 - frame)));
        assert_eq!(keys(Grip::Middle, 11.9), [(1.0, 1.0), (1.5, 1.5), (2.0, 2.0)]);
    }
}

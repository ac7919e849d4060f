//! The corrections on the timeline: a bracket for each, with its fade as a slope and its poses as marks. The middle drags
//! it, an end drags that end; a double click gives it the whole clip, Shift-clicks choose several to be merged.

use super::{
    bar_text,
    grip::{Bar, BarDrag, Dragged, Grip},
    ruler::Scale,
};
use crate::{
    command::{Command, CommandId},
    edit::{
        CorrectionEdit, Edit,
        limbs::{Frames, with_limbs, with_limbs_from},
    },
    math::easing::Ease,
    model::{ClipId, Correction, Document, FrameRange},
    text::{fill, t},
    ui::{panel::PanelContext, subject},
};
use egui::{Color32, Mesh, Painter, Pos2, Rangef, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// Straight pieces of a fade.
const PIECES: u8 = 10;

/// A drag of a bracket.
#[derive(Clone, Debug)]
struct Drag {
    clip: ClipId,
    /// As it was at the press.
    correction: Arc<Correction>,
    grip: Grip,
}

/// The brackets.
#[derive(Debug, Default)]
pub(super) struct Corrections {
    drag: BarDrag<Drag>,
}

/// The row of each correction, and how many there are.
pub(super) fn rows(corrections: &[Arc<Correction>]) -> (Vec<usize>, usize) {
    super::grip::rows(corrections.iter().map(|correction| correction.range))
}

/// The range that gives a correction the whole clip: beyond its end where a pose stands on that.
pub(in crate::ui::panels) fn whole_clip(document: &Document, clip: FrameRange, correction: &Correction) -> (f64, f64) {
    let rate = document.settings.rate;
    let (first, last) = (rate.secs(clip.first), rate.secs(clip.last));
    let poses = correction.poses();
    let start = poses.first().map_or(first, |pose| if *pose <= first { correction.range.0 } else { first });
    let end = poses.last().map_or(last, |pose| if *pose >= last { correction.range.1 } else { last });
    (start, end.max(start + rate.frame_secs()))
}

impl Corrections {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else { return };
        let (places, count) = rows(&clip.corrections);
        super::grip::in_rows(ui, ctx, count, |ui, scale, rect| {
            let rate = ctx.document.settings.rate;
            let at = |secs: f64| scale.x(rate.frame_f64(secs));
            for (correction, place) in clip.corrections.iter().zip(&places) {
                let row = super::grip::row(rect, *place);
                let others = clip.corrections.iter().zip(&places).filter(|(_, other)| *other == place);
                let others = others.map(|(other, _)| [at(other.range.0), at(other.range.1)]);
                let free =
                    bar_text::free_beside([at(correction.range.0), at(correction.range.1)], row.x_range(), others);
                self.bar(ui, ctx, (id, clip.range, correction), scale, (row, free));
            }
        });
    }

    fn bar(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        (clip, frames, correction): (ClipId, FrameRange, &Arc<Correction>),
        scale: Scale,
        (row, free): (Rect, Rangef),
    ) {
        let rate = ctx.document.settings.rate;
        let x = |secs: f64| scale.x(rate.frame_f64(secs)).clamp(row.left() - 9.0, row.right() + 9.0);
        let stands = Bar::new(scale, row, rate, correction.range);
        let full = stands.seen;
        let touch = full.expand2(vec2(3.0, 0.0)).intersect(row.expand2(vec2(9.0, 0.0)));
        let id = ui.scope_id().with(("correction", clip, correction.id));
        let response = ui.interact(touch, id, Sense::click_and_drag());
        let name = correction.name.clone();
        let label = fill("corrections.bar", &[("name", &name)]);
        response.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, &label));
        let own = (clip, correction.id);
        let chosen = ctx.selection.correction == Some(own) || ctx.selection.corrections.contains(&own);
        let marks: Vec<f32> = correction.poses().into_iter().map(x).collect();
        paint(ui, ctx, correction, (full, free), &marks, (chosen, response.hovered()));
        if response.clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            choose(ctx, (clip, correction), modifiers.shift || modifiers.command);
        }
        let ours = |drag: &Drag| (drag.clip, drag.correction.id) == (clip, correction.id);
        let begin = |grip, _| Drag { clip, correction: correction.clone(), grip };
        self.drag.follow((ui, ctx), (scale, &stands), &response, ours, begin);
        if response.double_clicked() {
            let range = whole_clip(ctx.document, frames, correction);
            let edit = CorrectionEdit::SetRange { clip, correction: correction.id, range };
            ctx.commands.apply("history.correction_range", with_limbs(ctx.document, edit));
        }
        response.context_menu(|ui| menu(ui, ctx, (clip, frames, correction)));
        if response.hovered() && !self.drag.runs() {
            ctx.commands.send(Command::Hint(fill("corrections.bar_hint", &[("name", &name)]).into()));
        }
    }
}

impl Dragged for Drag {
    /// With what the limbs turn by then; while it is live, around the playhead only.
    fn edit(&self, ctx: &PanelContext<'_>, frames: f64, live: bool) -> Option<Edit> {
        let edit = self.range_edit(ctx.document, frames);
        let solved = if live { Frames::Near(self.read_at(ctx)) } else { Frames::All };
        Some(with_limbs_from(ctx.document, (self.clip, &self.correction), edit, solved))
    }

    fn label(&self) -> &'static str {
        if self.grip == Grip::Middle { "history.correction_move" } else { "history.correction_range" }
    }
}

impl Drag {
    /// When the curves are read for what is shown at the playhead, seconds.
    fn read_at(&self, ctx: &PanelContext<'_>) -> f64 {
        let target = self.correction.deltas.keys().next().map(|path| path.target);
        let read = |target| Some(ctx.document.clip(self.clip)?.source_secs(target, ctx.view.secs));
        target.and_then(read).unwrap_or(ctx.view.secs)
    }

    /// The edit of a drag over so many frames; ends stand on frames, and beyond the poses by one at least.
    fn range_edit(&self, document: &Document, frames: f64) -> CorrectionEdit {
        let rate = document.settings.rate;
        let (clip, correction) = (self.clip, self.correction.id);
        let (start, end) = self.correction.range;
        let (by, frame) = (frames * rate.frame_secs(), rate.frame_secs());
        let poses = self.correction.poses();
        match self.grip {
            Grip::Middle => {
                // A pose that stands on a frame stands on one then.
                let anchor = poses.first().copied().unwrap_or(start);
                CorrectionEdit::Shift { clip, correction, dt: rate.snap(anchor + by) - rate.snap(anchor) }
            }
            Grip::Start => {
                let latest = poses.first().copied().unwrap_or(end);
                CorrectionEdit::SetRange { clip, correction, range: (rate.snap(start + by).min(latest - frame), end) }
            }
            Grip::End => {
                let earliest = poses.last().copied().unwrap_or(start);
                CorrectionEdit::SetRange { clip, correction, range: (start, rate.snap(end + by).max(earliest + frame)) }
            }
        }
    }
}

/// Makes a correction the one that is worked on; with others it is added to those to be merged, or taken out.
pub(in crate::ui::panels) fn choose(
    ctx: &PanelContext<'_>,
    (clip, correction): (ClipId, &Correction),
    with_others: bool,
) {
    let mut selection = ctx.selection.clone();
    let own = (clip, correction.id);
    if with_others {
        selection.corrections.extend(selection.correction);
        if !selection.corrections.remove(&own) {
            selection.corrections.insert(own);
        }
        selection.correction = selection.corrections.last().copied();
    } else {
        selection.corrections.clear();
        selection.correction = Some(own);
    }
    ctx.commands.select(selection);
}

fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, (clip, frames, correction): (ClipId, FrameRange, &Correction)) {
    let id = correction.id;
    let name = &correction.name;
    let mut entry = |text: String, label: &'static str, edit: CorrectionEdit| {
        if ui.button(text).clicked() {
            ctx.commands.apply(label, with_limbs(ctx.document, edit));
            ui.close();
        }
    };
    let range = whole_clip(ctx.document, frames, correction);
    let whole = CorrectionEdit::SetRange { clip, correction: id, range };
    entry(fill("corrections.whole_clip", &[("name", name)]), "history.correction_range", whole);
    let mute = if correction.muted { "inspector.unmute" } else { "inspector.mute" };
    let muted = CorrectionEdit::Mute { clip, correction: id, muted: !correction.muted };
    entry(fill(mute, &[("name", name)]), "history.correction_mute", muted);
    let delete = CorrectionEdit::Delete { clip, correction: id };
    entry(fill("inspector.delete", &[("name", name)]), "history.correction_delete", delete);
    let several = ctx.selection.corrections.len() > 1;
    if ui.add_enabled(several, egui::Button::new(t("corrections.merge").into_owned())).clicked() {
        ctx.commands.run(CommandId::MergeCorrections);
        ui.close();
    }
}

fn paint(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    correction: &Correction,
    (full, free): (Rect, Rangef),
    marks: &[f32],
    (chosen, hovered): (bool, bool),
) {
    let colours = ctx.colours;
    let strength = match (correction.muted, chosen || hovered) {
        (true, _) => 0.18,
        (false, false) => 0.45,
        // No more: the name and the playhead must stand out from it.
        (false, true) => 0.5,
    };
    let tint = if chosen { colours.accent } else { colours.axes[2] };
    // A sampled one says nothing of its fade: it runs as its samples do.
    let (into, out) = match (marks.first(), marks.last()) {
        (Some(first), Some(last)) => (*first, *last),
        _ => (full.left(), full.right()),
    };
    let painter = ui.painter().with_clip_rect(ui.clip_rect());
    painter.rect_filled(full, 2.0, tint.gamma_multiply(strength * 0.3));
    faded(&painter, full, [into, out], tint.gamma_multiply(strength));
    let line = Stroke::new(if chosen { 2.0 } else { 1.5 }, if correction.muted { colours.weak } else { colours.text });
    for (x, inward) in [(full.left(), 4.0), (full.right(), -4.0)] {
        let bracket = vec![
            pos2(x + inward, full.top()),
            pos2(x, full.top()),
            pos2(x, full.bottom()),
            pos2(x + inward, full.bottom()),
        ];
        painter.add(Shape::line(bracket, line));
    }
    for x in marks {
        let at = pos2(*x, full.center().y);
        let points = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)].map(|(x, y)| at + Vec2::new(x, y) * 3.5);
        painter.add(Shape::convex_polygon(points.to_vec(), colours.text, Stroke::new(1.0, colours.field)));
    }
    let percent = (correction.scale * 100.0).round();
    let name = correction.name.clone();
    let scaled = (percent != 100.0).then(|| format!("{name}  {percent} %"));
    let colour = if correction.muted { colours.weak } else { colours.text };
    let places = bar_text::places([full.left(), full.right()], free, marks);
    let texts = scaled.into_iter().chain([name]).collect();
    bar_text::write((ui, &painter), (texts, colour), &places, full.center().y);
}

/// The strip under the fade in, the hold and the fade out.
fn faded(painter: &Painter, full: Rect, [into, out]: [f32; 2], colour: Color32) {
    let mut edge: Vec<Pos2> = Vec::new();
    let part = |piece: u8| f64::from(piece) / f64::from(PIECES);
    let height = |part: f64| full.bottom() - full.height() * Ease::SMOOTHERSTEP.value(part) as f32;
    let along = |from: f32, to: f32, part: f64| from + (to - from) * part as f32;
    edge.extend((0..=PIECES).map(|i| pos2(along(full.left(), into, part(i)), height(part(i)))));
    edge.extend((0..=PIECES).map(|i| pos2(along(out, full.right(), part(i)), height(1.0 - part(i)))));
    let mut mesh = Mesh::default();
    for at in edge {
        let index = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
        mesh.colored_vertex(at, colour);
        mesh.colored_vertex(pos2(at.x, full.bottom()), colour);
        if index >= 2 {
            mesh.add_triangle(index - 2, index - 1, index);
            mesh.add_triangle(index - 1, index, index + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        ChannelPath, Component, CorrectionId, Curve, Interpolation, Key, KeyedCurve, ObjectId, Property, ScalarCurve,
    };

    fn correction(id: u32, range: (f64, f64), pose: f64) -> Arc<Correction> {
        let key = |time, value| Key { interpolation: Interpolation::Smooth, ..Key::new(time, value) };
        let keys = [key(range.0, 0.0), key(pose, 1.0), key(range.1, 0.0)].into_iter().collect();
        let curve = Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }));
        let path = ChannelPath::object(ObjectId(1), Property::Translation, Component::X);
        let (name, deltas) = (String::new(), [(path, Arc::new(curve))].into_iter().collect());
        Arc::new(Correction {
            id: CorrectionId(id),
            name,
            muted: false,
            scale: 1.0,
            range,
            deltas,
            solved: std::collections::BTreeMap::new(),
        })
    }

    #[test]
    fn those_that_overlap_stand_below_each_other() {
        let list = [(0.0, 1.0), (0.5, 1.5), (1.0, 2.0), (1.6, 1.8), (0.0, 3.0)];
        let list: Vec<_> =
            list.iter().enumerate().map(|(i, range)| correction(i as u32, *range, range.0 + 0.1)).collect();
        assert_eq!(rows(&list), (vec![0, 1, 0, 1, 2], 3));
    }

    #[test]
    fn ends_stop_a_frame_beyond_the_poses_and_the_whole_moves_by_frames() {
        let document = Document::default();
        let frame = document.settings.rate.frame_secs();
        let drag = |grip, frames| {
            let drag = Drag { clip: ClipId(1), correction: correction(0, (0.5, 1.5), 1.0), grip };
            drag.range_edit(&document, frames)
        };
        match drag(Grip::Start, 400.0) {
            CorrectionEdit::SetRange { range, .. } => assert_eq!(range, (1.0 - frame, 1.5)),
            other => panic!("{other:?}"),
        }
        match drag(Grip::End, 6.2) {
            CorrectionEdit::SetRange { range, .. } => assert_eq!(range, (0.5, 1.75)),
            other => panic!("{other:?}"),
        }
        match drag(Grip::Middle, -11.8) {
            CorrectionEdit::Shift { dt, .. } => assert!((dt + 0.5).abs() < 1e-12),
            other => panic!("{other:?}"),
        }
        let whole = whole_clip(&document, FrameRange::new(0, 48), &correction(0, (-0.5, 0.5), 0.0));
        assert_eq!(whole, (-0.5, 2.0));
    }
}

//! The pins on the timeline: a bar for each, with the time it takes to come and to go as a slope at either end. The middle
//! drags it, an end drags that end, with Alt the slope; a click selects its joint.

use super::{
    bar_text,
    grip::{Bar, BarDrag, Dragged, Grip},
    ruler::Scale,
};
use crate::{
    edit::{CurveRef, Edit, KeyEdit, PinEdit, Selection},
    eval::Evaluator,
    model::{ChannelPath, Clip, ClipId, Document, JointId, Object, ObjectId, Pin, PinId, Target, Value},
    text::{fill, t},
    ui::{panel::PanelContext, subject, widgets::drag_field::number_text},
};
use egui::{Rangef, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use std::{collections::BTreeMap, sync::Arc};

/// How many times of a pin's range are looked at to say how far its joint slides.
const LOOKS: usize = 48;
/// A gap below this is none, millimetres.
const NO_GAP_MM: f64 = 0.1;

/// A drag of a bar.
#[derive(Clone, Debug)]
struct Drag {
    clip: ClipId,
    /// As it was at the press.
    pin: Arc<Pin>,
    grip: Grip,
    /// Whether the slope is dragged, not the end.
    eases: bool,
}

/// The bars.
#[derive(Debug, Default)]
pub(super) struct Pins {
    drag: BarDrag<Drag>,
    slides: BTreeMap<(ClipId, PinId), Slide>,
}

/// How far a pin's joint is off its place over its range, metres.
#[derive(Clone, Debug)]
struct Slide {
    /// The clips and the objects of the document that it was measured in.
    clips: Arc<BTreeMap<ClipId, Arc<Clip>>>,
    objects: Arc<BTreeMap<ObjectId, Arc<Object>>>,
    /// Without the pin, and with it.
    free: f64,
    held: f64,
}

impl Slide {
    fn is_of(&self, document: &Document) -> bool {
        Arc::ptr_eq(&self.clips, &document.clips) && Arc::ptr_eq(&self.objects, &document.objects)
    }
}

/// The joints with pins, in the order their first pins are listed.
pub(super) fn rows(pins: &[Arc<Pin>]) -> Vec<(ObjectId, JointId)> {
    let mut rows = Vec::new();
    for pin in pins {
        if !rows.contains(&(pin.object, pin.joint)) {
            rows.push((pin.object, pin.joint));
        }
    }
    rows
}

/// The line of the time shown across rows of bars.
pub(super) fn playhead(ui: &Ui, ctx: &PanelContext<'_>, scale: Scale, rect: Rect) {
    let x = scale.x(ctx.document.settings.rate.frame_f64(ctx.view.secs));
    if rect.x_range().contains(x) {
        let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        ui.painter().line_segment(line, Stroke::new(1.5, ctx.colours.accent));
    }
}

impl Pins {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else { return };
        let joints = rows(&clip.pins);
        super::grip::in_rows(ui, ctx, joints.len(), |ui, scale, rect| {
            self.measure(ui, ctx, (id, clip));
            let rate = ctx.document.settings.rate;
            let ends = |pin: &Pin| [pin.range.0, pin.range.1].map(|secs| scale.x(rate.frame_f64(secs)));
            for pin in &clip.pins {
                let place = joints.iter().position(|joint| *joint == (pin.object, pin.joint)).unwrap_or(0);
                let row = super::grip::row(rect, place);
                let others = clip.pins.iter().filter(|other| (other.object, other.joint) == (pin.object, pin.joint));
                let free = bar_text::free_beside(ends(pin), row.x_range(), others.map(|other| ends(other)));
                self.bar(ui, ctx, (id, pin), scale, (row, free));
            }
        });
    }

    /// Measures how far one joint slides that was not measured in this document: a few milliseconds, so one a frame, and none
    /// while something is dragged.
    fn measure(&mut self, ui: &Ui, ctx: &PanelContext<'_>, (id, clip): (ClipId, &Clip)) {
        if ctx.session.in_gesture() || ctx.view.is_playing() {
            return;
        }
        self.slides.retain(|(of, pin), _| *of == id && clip.pin(*pin).is_some());
        let is_known = |pin: &Pin| self.slides.get(&(id, pin.id)).is_some_and(|slide| slide.is_of(ctx.document));
        let Some(pin) = clip.pins.iter().find(|pin| !is_known(pin)) else { return };
        let [free, held] = off_its_place(ctx.document, id, pin);
        let (clips, objects) = (ctx.document.clips.clone(), ctx.document.objects.clone());
        self.slides.insert((id, pin.id), Slide { clips, objects, free, held });
        ui.ctx().request_repaint();
    }

    fn bar(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        (clip, pin): (ClipId, &Arc<Pin>),
        scale: Scale,
        (row, free): (Rect, Rangef),
    ) {
        let rate = ctx.document.settings.rate;
        let x = |secs: f64| scale.x(rate.frame_f64(secs)).clamp(row.left() - 9.0, row.right() + 9.0);
        let stands = Bar::new(scale, row, rate, pin.range);
        let full = stands.seen;
        let (comes, goes) = (x(pin.reach().0), x(pin.reach().1));
        let touch = full.expand2(vec2(3.0, 0.0)).intersect(row.expand2(vec2(9.0, 0.0)));
        let response = ui.interact(touch, ui.scope_id().with(("pin", clip, pin.id)), Sense::click_and_drag());
        let name = subject::pin_name(ctx.document, pin);
        let label = fill("pins.bar", &[("name", &name)]);
        response.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, &label));
        let slide = self.slides.get(&(clip, pin.id)).map(|slide| [slide.free, slide.held]);
        paint(ui, ctx, (pin, &name, slide), [comes, goes], (full, free), &response);
        if response.clicked() {
            let mut selection = Selection { correction: ctx.selection.correction, ..Selection::default() };
            selection.insert(Target::Joint(pin.object, pin.joint));
            ctx.commands.select(selection);
        }
        let ours = |drag: &Drag| (drag.clip, drag.pin.id) == (clip, pin.id);
        let begin = |grip, modifiers: egui::Modifiers| {
            let eases = modifiers.alt && grip != Grip::Middle;
            Drag { clip, pin: pin.clone(), grip, eases }
        };
        self.drag.follow((ui, ctx), (scale, &stands), &response, ours, begin);
        response.context_menu(|ui| menu(ui, ctx, clip, pin, &name));
        if response.hovered() && !self.drag.runs() {
            let hint = fill("pins.bar_hint", &[("name", &name)]);
            ctx.commands.send(crate::command::Command::Hint(hint.into()));
            if let Some(slide) = slide {
                response.on_hover_text(slides(ctx, pin, &name, slide));
            }
        }
    }
}

impl Dragged for Drag {
    fn edit(&self, ctx: &PanelContext<'_>, frames: f64, _live: bool) -> Option<Edit> {
        Some(self.pin_edit(ctx.document, frames).into())
    }

    fn label(&self) -> &'static str {
        if self.eases { "history.pin_ease" } else { "history.pin_range" }
    }
}

impl Drag {
    /// The edit of a drag over so many frames; ends stand on frames.
    fn pin_edit(&self, document: &Document, frames: f64) -> PinEdit {
        let rate = document.settings.rate;
        let (clip, pin) = (self.clip, self.pin.id);
        let (start, end) = self.pin.range;
        let by = frames * rate.frame_secs();
        if self.eases {
            let (mut comes, mut goes) = self.pin.ease;
            match self.grip {
                Grip::Start => comes = (comes - by).max(0.0),
                _ => goes = (goes + by).max(0.0),
            }
            return PinEdit::SetEase { clip, pin, ease: (comes, goes) };
        }
        let range = match self.grip {
            Grip::Start => (rate.snap(start + by).min(end), end),
            Grip::End => (start, rate.snap(end + by).max(start)),
            Grip::Middle => {
                let moved = rate.snap(start + by) - start;
                (start + moved, end + moved)
            }
        };
        PinEdit::SetRange { clip, pin, range }
    }
}

/// A bar. `slide` is how far the joint is off its place without the pin and with it, metres.
fn paint(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    (pin, name, slide): (&Pin, &str, Option<[f64; 2]>),
    [comes, goes]: [f32; 2],
    (full, free): (Rect, Rangef),
    response: &Response,
) {
    let colours = ctx.colours;
    let chosen = ctx.selection.contains(Target::Joint(pin.object, pin.joint));
    let strength = match (pin.muted, chosen || response.hovered()) {
        (true, _) => 0.15,
        (false, false) => 0.35,
        // No more: the text and the playhead must stand out from it.
        (false, true) => 0.5,
    };
    let fill = colours.accent.gamma_multiply(strength);
    let painter = ui.painter();
    let (top, bottom) = (full.top(), full.bottom());
    let slopes = [
        [pos2(comes, bottom), pos2(full.left(), top), pos2(full.left(), bottom)],
        [pos2(goes, bottom), pos2(full.right(), top), pos2(full.right(), bottom)],
    ];
    for slope in slopes.into_iter().filter(|slope| (slope[0].x - slope[1].x).abs() > 0.5) {
        painter.add(egui::Shape::convex_polygon(slope.to_vec(), fill.gamma_multiply(0.6), Stroke::NONE));
    }
    painter.rect_filled(full, 2.0, fill);
    if chosen {
        painter.rect_stroke(full, 2.0, Stroke::new(1.0, colours.accent), egui::StrokeKind::Inside);
    }
    for x in [full.left(), full.right()] {
        painter.line_segment([pos2(x, top), pos2(x, bottom)], Stroke::new(2.0, colours.text));
    }
    let report = ctx.frame.pins.iter().find(|report| (report.object, report.pin) == (pin.object, pin.id));
    let gap = report.map(|report| report.gap * 1e3).filter(|gap| *gap >= NO_GAP_MM);
    let mm = |metres: f64| number_text(metres * 1e3, 1);
    let said = match (gap, slide) {
        (Some(gap), _) => vec![self::fill("pins.gap", &[("mm", &number_text(gap, 1))])],
        (None, Some([free, held])) => {
            let held = mm(held);
            let both = self::fill("pins.slide", &[("free", &mm(free)), ("held", &held)]);
            vec![both, self::fill("pins.slide_held", &[("held", &held)])]
        }
        (None, None) => Vec::new(),
    };
    let texts = said.iter().map(|said| format!("{name}  {said}")).chain([name.to_owned()]).collect();
    let mut places = bar_text::places([full.left(), full.right()], free, &[]);
    // Behind the bar, the slope has its place first.
    if let Some(behind) = places.last_mut() {
        behind.min = behind.min.max(goes + bar_text::BESIDE);
    }
    let colour = if pin.muted { colours.weak } else { colours.text };
    bar_text::write((ui, painter), (texts, colour), &places, full.center().y);
    if gap.is_some() {
        // What it says is in the text; the edge is seen from afar.
        painter.rect_stroke(full, 2.0, Stroke::new(1.0, colours.warn), egui::StrokeKind::Inside);
    }
}

/// What else can be done with a pin.
fn menu(ui: &mut Ui, ctx: &PanelContext<'_>, clip: ClipId, pin: &Pin, name: &str) {
    let id = pin.id;
    let secs = ctx.view.secs;
    let second = ctx.document.clip(clip).map(|clip| clip.fresh_pin_id());
    let splits = pin.range.0 < secs && secs < pin.range.1;
    let name: [(&str, &dyn std::fmt::Display); 1] = [("name", &name)];
    let split = ui.add_enabled(splits, egui::Button::new(fill("pins.split", &name)));
    if split.on_disabled_hover_text(t("pins.split_hint")).clicked()
        && let Some(second) = second
    {
        let edit = PinEdit::Split { clip, pin: id, secs, gap: 0.0, second };
        ctx.commands.apply("history.pin_split", edit.into());
        ui.close();
    }
    if ui.button(fill("pins.key", &name)).clicked()
        && let Some(found) = ctx.document.clip(clip)
    {
        let curve = CurveRef { clip, path: ChannelPath::influence(pin.object, id) };
        let value = Value::Scalar(crate::eval::pins::influence(found, pin, secs));
        ctx.commands.apply("history.pin_key", KeyEdit::Set { curve, values: vec![(secs, value)] }.into());
        ui.close();
    }
    if ui.button(fill(if pin.muted { "pins.unmute" } else { "pins.mute" }, &name)).clicked() {
        ctx.commands.apply("history.pin_mute", PinEdit::Mute { clip, pin: id, muted: !pin.muted }.into());
        ui.close();
    }
    if ui.button(fill("pins.delete", &name)).clicked() {
        ctx.commands.apply("history.pin_delete", PinEdit::Delete { clip, pin: id }.into());
        ui.close();
    }
}

/// How far the joint of a pin is off its place, without the pin and with it, in words.
fn slides(ctx: &PanelContext<'_>, pin: &Pin, name: &str, [free, held]: [f64; 2]) -> String {
    let rate = ctx.document.settings.rate;
    let frame = |secs: f64| number_text(rate.frame_f64(secs), 1);
    let (first, last) = (frame(pin.range.0), frame(pin.range.1));
    let (free, held) = (number_text(free * 1e3, 1), number_text(held * 1e3, 1));
    fill("pins.slides", &[("name", &name), ("first", &first), ("last", &last), ("free", &free), ("held", &held)])
}

/// How far the joint of a pin is off its place over the range, metres: without the pin, and with it.
fn off_its_place(document: &Document, clip: ClipId, pin: &Pin) -> [f64; 2] {
    let rig = document.object(pin.object).and_then(|object| object.as_rig());
    let Some(index) = rig.and_then(|rig| rig.skeleton.index_of(pin.joint)) else { return [0.0; 2] };
    let held = off(document, pin, index);
    let mut without = Document::clone(document);
    let muted = Edit::from(PinEdit::Mute { clip, pin: pin.id, muted: true }).apply(&mut without);
    [if muted.is_ok() { off(&without, pin, index) } else { 0.0 }, held]
}

/// The farthest the joint is from the pin's place, metres.
fn off(document: &Document, pin: &Pin, index: usize) -> f64 {
    let evaluator = Evaluator::new();
    let (start, end) = pin.range;
    let secs = (0..LOOKS).map(|look| start + (end - start) * look as f64 / (LOOKS - 1) as f64);
    let off = secs.filter_map(|secs| {
        let frame = evaluator.frame(document, secs);
        let space = crate::eval::pins::space_in_world(document, &frame, pin.space)?;
        let at = frame.joint_world(pin.object, index)?.translation;
        Some((at - space.point(&pin.place)).norm())
    });
    off.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::Vec3,
        model::{PinId, PinSpace},
    };

    fn pin() -> Pin {
        Pin {
            id: PinId(0),
            name: String::new(),
            object: ObjectId(1),
            joint: JointId(2),
            space: PinSpace::World,
            place: Vec3::zeros(),
            orientation: None,
            range: (0.5, 1.0),
            ease: (0.1, 0.2),
            influence: 1.0,
            muted: false,
        }
    }

    #[test]
    fn ends_stand_on_frames_and_never_pass_each_other() {
        let document = Document::default();
        let edit = |grip, eases, frames: f64| {
            Drag { clip: ClipId(1), pin: Arc::new(pin()), grip, eases }.pin_edit(&document, frames)
        };
        let range = |grip, frames| match edit(grip, false, frames) {
            PinEdit::SetRange { range, .. } => range,
            other => panic!("{other:?}"),
        };
        assert_eq!(range(Grip::Middle, 11.7), (1.0, 1.5));
        assert_eq!(range(Grip::Start, 100.0), (1.0, 1.0));
        assert_eq!(range(Grip::End, 12.2), (0.5, 1.5));
        assert_eq!(range(Grip::End, -100.0), (0.5, 0.5));
        match edit(Grip::Start, true, -2.4) {
            PinEdit::SetEase { ease, .. } => assert!((ease.0 - 0.2).abs() < 1e-12 && ease.1 == 0.2),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_joint_has_a_row() {
        let other = Pin { joint: JointId(5), ..pin() };
        let pins = [Arc::new(pin()), Arc::new(other), Arc::new(pin())];
        assert_eq!(rows(&pins), [(ObjectId(1), JointId(2)), (ObjectId(1), JointId(5))]);
    }
}

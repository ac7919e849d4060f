//! What pointer and keys do in the plane of a space.

use super::{BlendSpacePanel, Subject, send, tell};
use crate::{
    edit::{
        Gesture,
        blend::{move_sample, set_sample, turn_diagonal},
    },
    interact::{
        blend_space::{BlendView, PointOf, Ridden, SpacePlot, Under, point_edit, sample_place},
        plot_view::Axes,
        view_state::ViewChange,
    },
    model::{BlendSpace, BlendSpaceId, Document, Plays, SpaceSample},
    text::{fill, t},
    ui::panel::PanelContext,
};
use egui::{Key, PointerButton, Pos2, Response, Ui};
use std::sync::Arc;

/// How far the pointer must go for a press to be a drag, points.
const DRAG_PT: f32 = 3.0;
/// How much nearer a point of scrolling comes.
const ZOOM_A_POINT: f64 = 0.004;

/// A press in the plane, and what became of it.
pub(super) struct Drag {
    press: Pos2,
    under: Option<Under>,
    /// From where what is dragged begins, along the axes, less where the press was.
    offset: [f64; 2],
    /// The document as it was at the press.
    base: Arc<Document>,
    of: PointOf,
    moved: bool,
    /// Where the point was at each frame that played meanwhile.
    ridden: Ridden,
    /// The last place asked for, and the frame.
    last: Option<(i64, [f64; 2])>,
}

impl Drag {
    /// Whether it has begun to change something.
    pub(super) const fn changes(&self) -> bool {
        self.moved
    }
}

fn along(plot: &SpacePlot<'_>, pos: Pos2, otherwise: [f64; 2]) -> [f64; 2] {
    plot.at([f64::from(pos.x), f64::from(pos.y)], otherwise)
}

impl BlendSpacePanel {
    /// Carries out what was done in a plane.
    pub(super) fn operate(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        subject: &Subject<'_>,
        response: &Response,
        plot: &SpacePlot<'_>,
        under: Option<Under>,
    ) {
        navigate(ui, ctx, response, plot);
        let (press, now, escape, free) = ui.input(|input| {
            let pointer = &input.pointer;
            let escape = input.key_pressed(Key::Escape) || pointer.secondary_pressed();
            (pointer.press_origin(), pointer.latest_pos(), escape, input.modifiers.command)
        });
        if response.drag_started_by(PointerButton::Primary)
            && let Some(press) = press
        {
            let from = along(plot, press, subject.point);
            let at = match under {
                Some(Under::Sample(index)) => subject.space.samples.get(index).map(|sample| sample.at),
                Some(Under::Point) => Some(subject.point),
                // From an empty place the point comes to the pointer.
                _ => None,
            };
            let offset = at.map_or([0.0; 2], |at| [at[0] - from[0], at[1] - from[1]]);
            let base = ctx.session.base().clone();
            self.drag = Some(Drag {
                press,
                under,
                offset,
                base,
                of: subject.of,
                moved: false,
                ridden: Ridden::default(),
                last: None,
            });
        }
        let (Some(drag), Some(pos)) = (&mut self.drag, now) else { return };
        // With two planes the drag is that of the one it began in.
        if !(response.is_pointer_button_down_on() || response.drag_stopped()) {
            if !ui.input(|input| input.pointer.primary_down()) {
                if drag.moved {
                    ctx.commands.gesture(Gesture::Commit);
                }
                self.drag = None;
            }
            return;
        }
        if escape {
            if drag.moved {
                ctx.commands.gesture(Gesture::Cancel);
            }
            self.drag = None;
            return;
        }
        if !drag.moved && pos.distance(drag.press) > DRAG_PT && !matches!(drag.under, Some(Under::Edge(_))) {
            drag.moved = true;
            let sample = matches!(drag.under, Some(Under::Sample(_)));
            ctx.commands.gesture(Gesture::Begin {
                label: if sample { "history.space_sample_move" } else { "history.space_point" },
            });
        }
        if drag.moved {
            let to = along(plot, pos, subject.point);
            let to = [to[0] + drag.offset[0], to[1] + drag.offset[1]];
            // A point that is held while the time runs is told at each frame.
            let frame = ctx.document.settings.rate.nearest_frame(ctx.view.secs);
            if drag.last != Some((frame, to)) {
                drag.last = Some((frame, to));
                if ctx.view.is_playing() {
                    drag.ridden.tell(frame, to);
                }
                update(ctx, subject.id, drag, (to, free));
            }
        }
        if response.drag_stopped() {
            if drag.moved {
                ctx.commands.gesture(Gesture::Commit);
            } else {
                clicked(ctx, subject, drag.under);
            }
            self.drag = None;
        }
    }

    /// Takes a clip or a space that was dropped onto the plane as a sample.
    pub(super) fn dropped(
        &self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        subject: &Subject<'_>,
        response: &Response,
        plot: &SpacePlot<'_>,
    ) {
        // While something is dragged from elsewhere nothing counts as hovered.
        let Some(pos) = ui.input(|input| input.pointer.latest_pos()) else { return };
        if response.dnd_hover_payload::<Plays>().is_some() {
            let stroke = egui::Stroke::new(2.0, ctx.colours.accent);
            ui.painter_at(response.rect).rect_stroke(response.rect, 2.0, stroke, egui::StrokeKind::Inside);
            ui.painter_at(response.rect).circle_stroke(pos, 8.0, stroke);
            ctx.commands.send(crate::command::Command::Hint(t("blend_space.hint_drop")));
        }
        if let Some(plays) = response.dnd_release_payload::<Plays>() {
            add(ctx, subject, *plays, along(plot, pos, [0.0; 2]));
        }
    }
}

/// Pans with the middle button, zooms with the wheel.
fn navigate(ui: &Ui, ctx: &PanelContext<'_>, response: &Response, plot: &SpacePlot<'_>) {
    let axes = if plot.space.scheme.axes() == 2 { Axes::Both } else { Axes::Time };
    let mut range = None;
    if response.dragged_by(PointerButton::Middle) {
        let by = response.drag_delta();
        let up = if axes == Axes::Both { f64::from(by.y) } else { 0.0 };
        range = Some(plot.view.panned([f64::from(by.x), up]));
    }
    if let Some(at) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = (f64::from(scroll) * ZOOM_A_POINT).exp() * f64::from(pinch);
        if factor != 1.0 {
            range = Some(plot.view.zoomed([f64::from(at.x), f64::from(at.y)], factor, axes));
        }
    }
    if let Some(range) = range {
        ctx.commands.view(ViewChange::Blend(BlendView { range: Some(range), ..ctx.view.blend.clone() }));
    }
}

/// Asks for the change that the drag is by now.
fn update(ctx: &PanelContext<'_>, id: BlendSpaceId, drag: &Drag, (to, free): ([f64; 2], bool)) {
    let edit = match drag.under {
        Some(Under::Sample(index)) => {
            let Some(space) = drag.base.blend_spaces.get(&id) else { return };
            match sample_place(space, index, to, free) {
                Ok(to) => move_sample(&drag.base, id, index, to),
                Err(taken) => {
                    let by = space.samples.get(taken.0).map(|sample| drag.base.played_name(sample.plays));
                    let text = fill("blend_space.taken", &[("name", &by.unwrap_or_default())]);
                    ctx.commands.send(crate::command::Command::Hint(text.into()));
                    return;
                }
            }
        }
        _ => {
            let mut points = drag.ridden.points(ctx.document.settings.rate);
            if !ctx.view.is_playing() {
                points.push((ctx.view.secs, to));
            }
            point_edit(&drag.base, id, drag.of, (&points, free), ctx.view.auto_key)
        }
    };
    match edit {
        Ok(edit) => ctx.commands.gesture(Gesture::Update(edit)),
        Err(error) => ctx.commands.send(crate::command::Command::Hint(error.to_string().into())),
    }
}

/// A click: chooses a sample, turns an edge, chooses none.
fn clicked(ctx: &PanelContext<'_>, subject: &Subject<'_>, under: Option<Under>) {
    match under {
        Some(Under::Edge(edge)) => match turn_diagonal(ctx.document, subject.id, edge) {
            Ok(Some(edit)) => ctx.commands.apply("history.space_diagonal", edit),
            Ok(None) => tell(ctx, t("blend_space.no_turn").into_owned()),
            Err(error) => tell(ctx, fill("edit.refused", &[("error", &error)])),
        },
        Some(Under::Point) => {}
        Some(Under::Sample(index)) => choose(ctx, Some(index)),
        None => choose(ctx, None),
    }
}

/// Chooses a sample, or none.
pub(super) fn choose(ctx: &PanelContext<'_>, sample: Option<usize>) {
    if ctx.view.blend.sample != sample {
        ctx.commands.view(ViewChange::Blend(BlendView { sample, ..ctx.view.blend.clone() }));
    }
}

/// Why something cannot be a sample of a space; nothing where it can.
pub(super) fn refusal(document: &Document, id: BlendSpaceId, plays: Plays) -> Option<String> {
    let Plays::Space(inner) = plays else { return None };
    let name = |id: &BlendSpaceId| document.blend_spaces.get(id).map(|space| space.name.clone()).unwrap_or_default();
    if inner == id {
        return Some(fill("blend_space.in_itself", &[("name", &name(&id))]));
    }
    let contains = document.space_contains(inner, id);
    contains.then(|| fill("blend_space.contains", &[("inner", &name(&inner)), ("name", &name(&id))]))
}

/// Adds a sample at a place, or as near to it as there is room, and chooses it.
pub(super) fn add(ctx: &PanelContext<'_>, subject: &Subject<'_>, plays: Plays, at: [f64; 2]) {
    if let Some(why) = refusal(ctx.document, subject.id, plays) {
        tell(ctx, why);
        return;
    }
    let space: &BlendSpace = subject.space;
    let mut sample = SpaceSample::new(plays, space.free_spot(at));
    if space.scheme.axes() == 0 && space.samples.is_empty() {
        sample.weight = 1.0;
    }
    send(ctx, "history.space_sample_add", set_sample(ctx.document, subject.id, None, sample));
    choose(ctx, Some(space.samples.len()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Axis, ClipId};

    #[test]
    fn a_space_in_itself_is_refused_by_name() {
        let mut document = Document::default();
        let axes = || [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])];
        let inner = document.add_space(BlendSpace::new("Gait", axes()));
        let mut outer = BlendSpace::new("Ways", axes());
        outer.samples = vec![SpaceSample::new(Plays::Space(inner), [0.0, 0.0])];
        let outer = document.add_space(outer);
        assert_eq!(refusal(&document, outer, Plays::Space(inner)), None);
        assert_eq!(refusal(&document, outer, Plays::Clip(ClipId(9))), None);
        assert!(refusal(&document, inner, Plays::Space(inner)).is_some_and(|text| text.contains("Gait")));
        let both = refusal(&document, inner, Plays::Space(outer)).unwrap();
        assert!(both.contains("Gait") && both.contains("Ways"));
    }
}

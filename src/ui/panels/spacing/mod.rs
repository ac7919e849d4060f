//! The spacing of a joint along its trail: the way s(t) that can be dragged, beneath it the speed and how it changes.

mod paint;

use crate::{
    command::Command,
    edit::{
        Gesture,
        retime_here::{ArcBreak, RetimePlan},
    },
    eval::trail::{Motion, Trail},
    interact::{
        trails,
        view_state::{Playback, ViewChange},
    },
    model::{JointId, ObjectId},
    notice::Notice,
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        widgets::drag_field::number_text,
    },
};
use egui::{CursorIcon, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};
use paint::{Plots, Series};
use std::sync::Arc;

/// How near the pointer must be to a point of s(t), points.
const HIT_PT: f32 = 8.0;
/// Height of the line above the plots, points.
const HEAD_PT: f32 = 22.0;

/// What is being dragged.
enum Drag {
    /// A point of s(t), from the trail as it was at the press.
    Point(Box<PointDrag>),
    /// The playhead.
    Scrub,
}

struct PointDrag {
    plan: RetimePlan,
    trail: Arc<Trail>,
    motion: Arc<Motion>,
    /// The plots as they were: what is dragged must not move the scale under the pointer.
    plots: Plots,
    index: usize,
    press: egui::Pos2,
}

/// The panel.
#[derive(Default)]
pub struct SpacingPanel {
    drag: Option<Drag>,
}

impl std::fmt::Debug for SpacingPanel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpacingPanel").field("drags", &self.drag.is_some()).finish()
    }
}

impl Panel for SpacingPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let found = subject(ctx).and_then(|of| {
            let trail = ctx.evaluator.trail(ctx.document, trails::spec(ctx.view, ctx.document, of)?)?;
            let motion = ctx.evaluator.motion(ctx.document, &trail)?;
            Some((trail, motion))
        });
        let Some((trail, motion)) = found else {
            ui.weak(t("spacing.nothing").into_owned());
            return;
        };
        self.head(ui, ctx, &trail, &motion);
        let size = Vec2::new(ui.available_width(), ui.available_height().max(90.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, t("spacing.canvas")));
        let series = Series::new(&trail, &motion, ctx.document.settings.length_unit);
        let plots = match &self.drag {
            Some(Drag::Point(drag)) => drag.plots.clone(),
            _ => Plots::new(rect, &trail, &series),
        };
        let hovered = response.hover_pos().and_then(|pos| plots.point_at(&trail, &series, pos, HIT_PT));
        self.operate(ui, ctx, &response, (&trail, &motion), &plots, hovered);
        let active = match &self.drag {
            Some(Drag::Point(drag)) => Some(drag.index),
            Some(Drag::Scrub) => None,
            None => hovered,
        };
        paint::paint(ui, ctx, &plots, (&trail, &series), active);
        if response.contains_pointer() || self.drag.is_some() {
            ctx.commands.send(Command::Hint(t("spacing.hint")));
        }
    }

    fn captures_keys(&self) -> bool {
        matches!(self.drag, Some(Drag::Point(_)))
    }
}

/// The joint in question: the active one, else the first whose trail is shown.
fn subject(ctx: &PanelContext<'_>) -> Option<(ObjectId, JointId)> {
    let active = ctx.selection.active.and_then(|target| Some((target.object(), target.joint()?)));
    active.or_else(|| ctx.view.trailed.first().copied())
}

impl SpacingPanel {
    /// The joint and its numbers now; what a drag does, and why its arc would not be kept.
    fn head(&self, ui: &mut Ui, ctx: &PanelContext<'_>, trail: &Trail, motion: &Motion) {
        let (unit, rate) = (ctx.document.settings.length_unit, trail.rate);
        let rig = ctx.document.object(trail.spec.object).and_then(|object| object.as_rig());
        let name = rig.and_then(|rig| crate::model::names::joint_name(&rig.skeleton, trail.spec.joint));
        let now = trail.index_of(rate.nearest_frame(ctx.view.secs));
        let number = |metres: f64, decimals| number_text(metres / unit.metres(), decimals);
        ui.allocate_ui(Vec2::new(ui.available_width(), HEAD_PT), |ui| {
            ui.horizontal(|ui| {
                ui.label(egui::RichText::new(name.unwrap_or_default()).color(ctx.colours.text));
                let space = if trail.parent.is_some() { "trails.limb" } else { "trails.world" };
                ui.weak(t(space).into_owned());
                if let Some(index) = now {
                    let length = motion.length.get(index).copied().unwrap_or(0.0);
                    let values: [(&str, &dyn std::fmt::Display); 4] = [
                        ("s", &number(length, 3)),
                        ("v", &number(motion.speed(index), 3)),
                        ("a", &number(motion.speed_change(index), 2)),
                        ("unit", &unit.symbol()),
                    ];
                    ui.weak(fill("spacing.now", &values));
                }
                if let Some(Drag::Point(drag)) = &self.drag
                    && let Some(why) = drag.plan.arc_break()
                {
                    let key = match why {
                        ArcBreak::Pin => "trails.pin_breaks",
                        ArcBreak::Constraint => "trails.constraint_breaks",
                        ArcBreak::Parent => "trails.parent_breaks",
                        ArcBreak::Waiting => "trails.waiting_breaks",
                    };
                    ui.colored_label(ctx.colours.warn, t(key).into_owned());
                }
            });
        });
    }

    fn operate(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        response: &Response,
        (trail, motion): (&Arc<Trail>, &Arc<Motion>),
        plots: &Plots,
        hovered: Option<usize>,
    ) {
        let (press, now, escape) = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.press_origin(), pointer.latest_pos(), input.key_pressed(egui::Key::Escape))
        });
        if hovered.is_some() {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeVertical);
        }
        if response.drag_started()
            && let Some(press) = press
        {
            self.drag = match plots.point_at(
                trail,
                &Series::new(trail, motion, ctx.document.settings.length_unit),
                press,
                HIT_PT,
            ) {
                Some(index) => begin(ctx, (trail, motion), plots, index, press),
                None => Some(Drag::Scrub),
            };
        }
        let (Some(drag), Some(pos)) = (&self.drag, now) else { return };
        if escape {
            if matches!(drag, Drag::Point(_)) {
                ctx.commands.gesture(Gesture::Cancel);
            }
            self.drag = None;
            return;
        }
        match drag {
            Drag::Point(drag) if pos != drag.press => match drag.plan.edit(drag.wanted(pos)) {
                Ok(edit) => ctx.commands.gesture(Gesture::Update(edit)),
                Err(error) => {
                    ctx.commands.gesture(Gesture::Cancel);
                    ctx.commands.send(Command::Tell(Notice::warn(error.to_string())));
                    self.drag = None;
                    return;
                }
            },
            Drag::Point(_) => {}
            Drag::Scrub => scrub(ctx, plots, pos),
        }
        if response.drag_stopped() || !response.is_pointer_button_down_on() {
            if matches!(self.drag, Some(Drag::Point(_))) {
                ctx.commands.gesture(Gesture::Commit);
            }
            self.drag = None;
        }
    }
}

/// Takes hold of a point of s(t).
fn begin(
    ctx: &PanelContext<'_>,
    (trail, motion): (&Arc<Trail>, &Arc<Motion>),
    plots: &Plots,
    index: usize,
    press: egui::Pos2,
) -> Option<Drag> {
    let spec = trail.spec;
    let of = (spec.object, spec.joint);
    match RetimePlan::new(ctx.document, ctx.evaluator, of, spec.space, trail.secs(index)) {
        Ok(plan) => {
            ctx.commands.view(ViewChange::Playback(Playback::Stopped));
            ctx.commands.gesture(Gesture::Begin { label: "history.trail_along" });
            let (trail, motion, plots) = (trail.clone(), motion.clone(), plots.clone());
            Some(Drag::Point(Box::new(PointDrag { plan, trail, motion, plots, index, press })))
        }
        Err(error) => {
            ctx.commands.send(Command::Tell(Notice::warn(error.to_string())));
            None
        }
    }
}

fn scrub(ctx: &PanelContext<'_>, plots: &Plots, pos: egui::Pos2) {
    let rate = ctx.document.settings.rate;
    let secs = plots.secs(pos.x);
    let secs = if ctx.view.snap.frames { rate.snap(secs) } else { secs };
    if secs != ctx.view.secs {
        ctx.commands.view(ViewChange::Playback(Playback::Stopped));
        ctx.commands.view(ViewChange::Time(secs));
    }
}

impl PointDrag {
    /// The time at which the old motion had come as far as the pointer wants the point to be.
    fn wanted(&self, pos: egui::Pos2) -> f64 {
        let start = self.motion.length.get(self.index).copied().unwrap_or(0.0);
        let wanted = start + self.plots.metres(f64::from(self.press.y - pos.y));
        let lengths = &self.motion.length;
        let after = lengths.partition_point(|length| *length < wanted).clamp(1, lengths.len().max(2) - 1);
        let (Some(low), Some(high)) = (lengths.get(after - 1), lengths.get(after)) else {
            return self.trail.secs(self.index);
        };
        let part = if high > low { ((wanted - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        let (from, to) = (self.trail.secs(after - 1), self.trail.secs(after));
        let (start, end) = self.plan.range();
        (to - from).mul_add(part, from).clamp(start, end)
    }
}

/// The part of a rectangle that one of three plots takes, from the top: s(t) half of it.
fn shares(rect: Rect) -> [Rect; 3] {
    let gap = 4.0;
    let whole = (rect.height() - 2.0 * gap).max(3.0);
    let tops = [rect.top(), rect.top() + 0.5 * whole + gap, rect.top() + 0.75 * whole + 2.0 * gap];
    let heights = [0.5 * whole, 0.25 * whole, 0.25 * whole];
    [0, 1, 2].map(|at| Rect::from_min_size(egui::pos2(rect.left(), tops[at]), Vec2::new(rect.width(), heights[at])))
}

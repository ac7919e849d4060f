//! One pose of the library as a picture: a click brings it on, a drag as much of it as one drags.

use super::PosesPanel;
use crate::{
    command::Command,
    edit::{Edit, EditError, Gesture, PoseEdit, PoseTarget, poses},
    model::{Document, JointId, ObjectId, Pose, PoseId, Target, names},
    notice::Notice,
    text::{fill, t},
    ui::panel::PanelContext,
};
use egui::{
    Align2, CursorIcon, FontId, Key, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2,
};
use std::{collections::BTreeSet, sync::Arc};

/// Width of a card, points.
pub(super) const WIDTH_PT: f32 = 104.0;
/// Height of its picture, points.
const HEIGHT_PT: f32 = 116.0;
/// Percent of the pose a point of dragging brings on.
const PERCENT_A_POINT: f64 = 1.0;
/// The least and the most of a pose, percent.
const RANGE: (f64, f64) = (-100.0, 200.0);

impl PosesPanel {
    /// Shows the picture and does what is done to it.
    pub(super) fn picture(
        &mut self,
        ui: &mut Ui,
        ctx: &mut PanelContext<'_>,
        object: ObjectId,
        id: PoseId,
        pose: &Arc<Pose>,
    ) -> Response {
        let (rect, response) = ui.allocate_exact_size(Vec2::new(WIDTH_PT, HEIGHT_PT), Sense::click_and_drag());
        let name = fill("poses.apply", &[("name", &pose.name)]);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &*name));
        self.interact(ui, ctx, &response, (object, id, pose));
        if ui.is_rect_visible(rect) {
            let texture = self.pictures.get(ui, ctx, (id, pose, object), rect);
            let painter = ui.painter_at(rect);
            painter.rect_filled(rect, 4.0, ctx.colours.field);
            if let Some(texture) = texture {
                let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                egui::Image::new(&texture).uv(whole).corner_radius(4).paint_at(ui, rect);
            } else if !ctx.painter.draws() {
                let font = FontId::proportional(11.0);
                painter.text(rect.center(), Align2::CENTER_CENTER, t("poses.no_picture"), font, ctx.colours.weak);
            }
            let amount = self.dragged.filter(|(dragged, _)| *dragged == id).map(|(_, amount)| amount);
            frame(ui, ctx, rect, &response, amount);
        }
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        // Beyond the card another panel speaks.
        if response.contains_pointer() {
            ctx.commands.send(Command::Hint(t("poses.hint")));
        }
        response
    }

    fn interact(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        response: &Response,
        (object, id, pose): (ObjectId, PoseId, &Arc<Pose>),
    ) {
        if response.clicked() {
            apply_whole(ctx, object, pose, self.mirrored);
        }
        if response.drag_started_by(egui::PointerButton::Primary) {
            ctx.commands.gesture(Gesture::Begin { label: "history.apply_pose" });
            self.dragged = Some((id, 0.0));
        }
        let Some((_, before)) = self.dragged.filter(|(dragged, _)| *dragged == id) else { return };
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            ctx.commands.gesture(Gesture::Cancel);
            self.dragged = None;
            return;
        }
        let (origin, now) = ui.input(|input| (input.pointer.press_origin(), input.pointer.latest_pos()));
        if let (Some(origin), Some(now)) = (origin, now) {
            let amount = (f64::from(now.x - origin.x) * PERCENT_A_POINT).round().clamp(RANGE.0, RANGE.1);
            if amount != before {
                self.dragged = Some((id, amount));
                match edit(ctx, object, pose, amount / 100.0, self.mirrored) {
                    Ok(edit) => ctx.commands.gesture(Gesture::Update(edit)),
                    Err(error) => refuse(ctx, &error),
                }
            }
        }
        if response.drag_stopped() || !response.is_pointer_button_down_on() && !response.drag_started() {
            ctx.commands.gesture(Gesture::Commit);
            self.dragged = None;
        }
    }
}

/// The edge that says what a click would do, and while one drags how much is on.
fn frame(ui: &Ui, ctx: &PanelContext<'_>, rect: Rect, response: &Response, amount: Option<f64>) {
    let painter = ui.painter_at(rect.expand(1.0));
    let colour = if amount.is_some() { ctx.colours.accent } else { ctx.colours.hovered };
    if amount.is_some() || response.hovered() || response.has_focus() {
        painter.rect_stroke(rect, 4.0, Stroke::new(1.5, colour), StrokeKind::Inside);
    }
    let Some(amount) = amount else { return };
    let at = |percent: f64| {
        let part = (percent - RANGE.0) / (RANGE.1 - RANGE.0);
        rect.left() + 6.0 + part as f32 * (rect.width() - 12.0)
    };
    let strip =
        Rect::from_min_max(pos2(rect.left() + 6.0, rect.bottom() - 9.0), pos2(rect.right() - 6.0, rect.bottom() - 5.0));
    painter.rect_filled(strip, 2.0, ctx.colours.ground.gamma_multiply(0.8));
    let (low, high) = (at(amount.min(0.0)), at(amount.max(0.0)));
    let filled = Rect::from_min_max(pos2(low, strip.top()), pos2(high, strip.bottom()));
    painter.rect_filled(filled, 2.0, ctx.colours.accent);
    // Nothing and all of it.
    for percent in [0.0, 100.0] {
        let x = at(percent);
        painter.line_segment(
            [pos2(x, strip.top() - 2.0), pos2(x, strip.bottom() + 2.0)],
            Stroke::new(1.0, ctx.colours.text),
        );
    }
    let place = Rect::from_center_size(pos2(rect.center().x, strip.top() - 12.0), Vec2::new(52.0, 16.0));
    painter.rect_filled(place, 4.0, ctx.colours.ground.gamma_multiply(0.8));
    let text = fill("poses.percent", &[("amount", &amount)]);
    painter.text(place.center(), Align2::CENTER_CENTER, text, FontId::proportional(12.0), ctx.colours.text);
}

/// The joints that are meant: none for all of them. The object itself stands for all its joints.
fn meant(ctx: &PanelContext<'_>, object: ObjectId) -> BTreeSet<JointId> {
    let is_whole = ctx.selection.contains(Target::Object(object));
    if is_whole { BTreeSet::new() } else { ctx.selection.joints(object).collect() }
}

/// Brings a pose on as one step.
pub(super) fn apply_whole(ctx: &PanelContext<'_>, object: ObjectId, pose: &Pose, mirrored: bool) {
    match edit(ctx, object, pose, 1.0, mirrored) {
        Ok(edit) => {
            ctx.commands.apply("history.apply_pose", edit);
            let document = ctx.session.base();
            let make = |document: &Document| edit_of(ctx, document, object, pose, (1.0, mirrored));
            let left = poses::left_locked((document, object, ctx.view.secs), &make);
            if let Some(joints) = names::joints_text(document, object, &left) {
                ctx.commands.send(Command::Tell(Notice::warn(fill("edit.left", &[("joints", &joints)]))));
            }
        }
        Err(error) => refuse(ctx, &error),
    }
}

fn refuse(ctx: &PanelContext<'_>, error: &EditError) {
    ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", error)]))));
}

/// The edit that brings a share of a pose on, from the document as it was when the gesture began.
fn edit(ctx: &PanelContext<'_>, object: ObjectId, pose: &Pose, amount: f64, mirrored: bool) -> Result<Edit, EditError> {
    edit_of(ctx, ctx.session.base(), object, pose, (amount, mirrored))
}

fn edit_of(
    ctx: &PanelContext<'_>,
    document: &Document,
    object: ObjectId,
    pose: &Pose,
    (amount, mirrored): (f64, bool),
) -> Result<Edit, EditError> {
    let (secs, auto_key) = (ctx.view.secs, ctx.view.auto_key);
    let frame = ctx.evaluator.frame(document, secs);
    let Some(rig) = frame.rig(object) else { return Ok(Edit::none()) };
    let only = meant(ctx, object);
    let clip = document.clip_of(object);
    let correction = ctx.selection.correction.filter(|(of, _)| Some(*of) == clip).map(|(_, id)| id);
    let target = PoseTarget {
        document,
        object,
        secs,
        present: &rig.local,
        only: &only,
        auto_key,
        correction,
        ground: ctx.view.pose_ground,
    };
    if mirrored { target.blend_mirrored(pose, amount) } else { target.blend(pose, amount) }
}

/// The edit that gives a pose the joints as they are now: those selected, or all.
pub(super) fn replaced(ctx: &PanelContext<'_>, object: ObjectId, id: PoseId, pose: &Pose) -> Option<Edit> {
    let rig = ctx.document.object(object)?.as_rig()?;
    let mut joints = meant(ctx, object);
    if joints.is_empty() {
        joints = rig.skeleton.joints().iter().map(|joint| joint.id).collect();
    }
    let with = Pose::taken(&pose.name, &rig.skeleton, &ctx.frame.rig(object)?.local, joints);
    (!with.joints.is_empty()).then(|| PoseEdit::Replace { pose: id, with: Arc::new(with) }.into())
}

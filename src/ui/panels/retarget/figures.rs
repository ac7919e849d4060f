//! Four small figures: both in the reference pose, both at the time shown.

use crate::{
    eval::retarget::{Figure, Plan, Source, Space},
    math::Vec3,
    text::t,
    ui::panel::PanelContext,
};
use egui::{Align2, Color32, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

/// Height of the figures, points.
const HEIGHT_PT: f32 = 150.0;
/// Room for the words under a figure, points.
const WORDS_PT: f32 = 16.0;
/// How far the figures are turned to the side, so that bent joints are seen, radians.
const SIDE: f64 = 0.5;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, source: &Source, plan: &Plan) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT_PT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, t("retarget.figures")));
    let transfer = plan.transfer(0.0);
    let locals = source.pose(&crate::eval::Evaluator::new(), ctx.view.secs);
    let (mut from, mut to) = (Space::default(), Space::default());
    transfer.take(&locals, &mut from);
    let pose = transfer.pose(&locals, &from);
    to.take(plan.target.skeleton().parents(), &pose, &plan.target.upright);
    let figures: [(&str, &Figure, &[Vec3]); 4] = [
        ("retarget.figure_source", &plan.source, &plan.source.positions),
        ("retarget.figure_target", &plan.target, &plan.aligned.positions),
        ("retarget.figure_source_now", &plan.source, &from.positions),
        ("retarget.figure_target_now", &plan.target, &to.positions),
    ];
    let width = rect.width() / 4.0;
    for (index, (key, figure, positions)) in figures.into_iter().enumerate() {
        let left = rect.left() + width * index as f32;
        let own = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEIGHT_PT - WORDS_PT));
        let mapped = |joint: usize| {
            if index % 2 == 0 { plan.map.target_of(joint).is_some() } else { plan.map.of(joint).is_some() }
        };
        paint(ui, own, figure, positions, |joint| if mapped(joint) { ctx.colours.text } else { ctx.colours.warn });
        let at = pos2(own.center().x, rect.bottom() - WORDS_PT / 2.0);
        let font = egui::TextStyle::Small.resolve(ui.style());
        ui.painter().with_clip_rect(Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEIGHT_PT))).text(
            at,
            Align2::CENTER_CENTER,
            t(key),
            font,
            ctx.colours.text,
        );
    }
}

/// A figure from the front, a little from its side, as large as its size says.
fn paint(ui: &Ui, rect: Rect, figure: &Figure, positions: &[Vec3], colour: impl Fn(usize) -> Color32) {
    let seen = |p: &Vec3| (p.x * SIDE.cos() - p.z * SIDE.sin(), p.y);
    let bounds = positions.iter().filter(|p| p.iter().all(|n| n.is_finite())).map(seen);
    let Some((low, high)) = bounds.fold(None, |all: Option<((f64, f64), (f64, f64))>, (x, y)| {
        let ((x0, y0), (x1, y1)) = all.unwrap_or(((x, y), (x, y)));
        Some(((x0.min(x), y0.min(y)), (x1.max(x), y1.max(y))))
    }) else {
        return;
    };
    let margin = 6.0;
    let room = |size: f64, points: f32| f64::from(points - 2.0 * margin) / size.max(1e-9);
    let scale = room(high.0 - low.0, rect.width()).min(room(high.1 - low.1, rect.height()));
    let middle = ((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0);
    let place = |p: &Vec3| -> Pos2 {
        let (x, y) = seen(p);
        rect.center() + vec2(((x - middle.0) * scale) as f32, ((middle.1 - y) * scale) as f32)
    };
    let painter = ui.painter().with_clip_rect(rect);
    for (joint, parent) in figure.skeleton().parents().iter().enumerate() {
        let (Some(parent), Some(own)) = (parent.and_then(|parent| positions.get(parent)), positions.get(joint)) else {
            continue;
        };
        let above = figure.skeleton().parents()[joint].unwrap_or_default();
        painter.line_segment([place(parent), place(own)], Stroke::new(1.5, colour(above)));
    }
}

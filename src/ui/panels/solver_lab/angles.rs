//! Two bones: the squared error over both angles with each solver's way on it, and the circles on which the elbow lies.

use super::state::Shown;
use crate::{
    eval::solver_lab::planar::{angles, contours, elbows},
    math::contours::Piece,
    text::t,
    ui::{panel::PanelContext, panels::race::rival_colour, widgets::set_name},
};
use egui::{Align2, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2};
use std::f64::consts::PI;

/// Cells of the contours to a side.
const CELLS: usize = 72;
/// Contours, as parts of the greatest error.
const LEVELS: [f64; 8] = [0.001, 0.01, 0.04, 0.1, 0.2, 0.36, 0.55, 0.8];

/// What the contours were last worked out from, and they.
type Kept = (([f64; 2], [f64; 2]), Vec<Vec<Piece>>);

/// The contours as last worked out.
#[derive(Debug, Default)]
pub(super) struct Contours(Option<Kept>);

/// The lengths and the target of a chain of two bones in the plane.
fn two_bones(shown: &Shown) -> Option<([f64; 2], [f64; 2])> {
    let problem = &shown.problem;
    angles(&problem.positions)?;
    let [root, elbow, hand] = problem.positions[..] else { return None };
    let target = problem.goal.target - root;
    (shown.limb.is_none()).then(|| ([(elbow - root).norm(), (hand - elbow).norm()], [target.x, target.y]))
}

impl Contours {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, shown: &Shown, step: usize) {
        let Some(of) = two_bones(shown) else {
            ui.weak(t("solver_lab.two_bones_only").into_owned());
            return;
        };
        let side = (0.5 * (ui.available_width() - ui.spacing().item_spacing.x)).clamp(160.0, 320.0);
        ui.horizontal_wrapped(|ui| {
            self.plane(ui, ctx, shown, of, (side, step));
            circles(ui, ctx, shown, of, (side, step));
        });
    }

    fn plane(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        shown: &Shown,
        of: ([f64; 2], [f64; 2]),
        (side, step): (f32, usize),
    ) {
        if self.0.as_ref().is_none_or(|(kept, _)| *kept != of) {
            let (lengths, [x, y]) = of;
            let greatest = (lengths[0] + lengths[1] + x.hypot(y)).powi(2);
            self.0 = Some((of, contours(lengths, [x, y], &LEVELS.map(|level| level * greatest), CELLS)));
        }
        let (response, painter) = ui.allocate_painter(Vec2::splat(side), Sense::hover());
        set_name(ui, &response, &t("solver_lab.contours_picture"));
        let rect = response.rect.shrink2(Vec2::new(18.0, 16.0));
        painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
        let at = |[x, y]: [f64; 2]| -> Pos2 {
            let part = |angle: f64| ((angle + PI) / (2.0 * PI)) as f32;
            pos2(rect.left() + rect.width() * part(x), rect.bottom() - rect.height() * part(y))
        };
        for (level, pieces) in self.0.iter().flat_map(|(_, levels)| levels.iter().enumerate()) {
            // The nearer to the target, the plainer.
            let colour = ctx.colours.accent.gamma_multiply(1.0 - 0.1 * level as f32);
            for [from, to] in pieces {
                painter.line_segment([at(*from), at(*to)], Stroke::new(1.0, colour));
            }
        }
        for run in &shown.runs {
            let way = run.trace.steps.iter().take(step + 1).filter_map(|step| angles(&step.positions));
            let way: Vec<[f64; 2]> = way.filter_map(|angles| angles.try_into().ok()).collect();
            let colour = rival_colour(run.number);
            for pair in way.windows(2) {
                // Where a turn goes over 180 degrees the line would cross the whole picture.
                if (0..2).all(|axis| (pair[1][axis] - pair[0][axis]).abs() < PI) {
                    painter.line_segment([at(pair[0]), at(pair[1])], Stroke::new(1.5, colour));
                }
            }
            for place in &way {
                painter.circle_filled(at(*place), 2.0, colour);
            }
            if let Some(last) = way.last() {
                painter.circle_stroke(at(*last), 5.0, Stroke::new(2.0, colour));
            }
        }
        axes(&painter, response.rect, rect, ctx);
    }
}

fn axes(painter: &Painter, whole: Rect, rect: Rect, ctx: &PanelContext<'_>) {
    painter.rect_stroke(rect, 2.0, Stroke::new(1.0, ctx.colours.line), StrokeKind::Inside);
    let small = FontId::proportional(10.5);
    let text = |at: Pos2, align: Align2, text: &str| {
        painter.text(at, align, text, small.clone(), ctx.colours.weak);
    };
    let below = whole.bottom();
    text(pos2(rect.left(), below), Align2::LEFT_BOTTOM, "-180°");
    text(pos2(rect.right(), below), Align2::RIGHT_BOTTOM, "180°");
    text(pos2(rect.center().x, below), Align2::CENTER_BOTTOM, &t("solver_lab.first_angle"));
    text(pos2(rect.left() + 4.0, rect.top() + 3.0), Align2::LEFT_TOP, &t("solver_lab.second_angle"));
}

fn circles(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    shown: &Shown,
    (lengths, target): ([f64; 2], [f64; 2]),
    (side, step): (f32, usize),
) {
    let (response, painter) = ui.allocate_painter(Vec2::splat(side), Sense::hover());
    set_name(ui, &response, &t("solver_lab.circles_picture"));
    let rect = response.rect.shrink2(Vec2::new(0.0, 16.0));
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let painter = painter.with_clip_rect(rect.intersect(ui.clip_rect()));
    let extent = 1.1 * (lengths[0] + lengths[1]);
    let scale = 0.5 * f64::from(rect.height()) / extent;
    let at = |[x, y]: [f64; 2]| rect.center() + Vec2::new((x * scale) as f32, -(y * scale) as f32);
    let ring = |middle: [f64; 2], radius: f64, colour: egui::Color32| {
        painter.circle_stroke(at(middle), (radius * scale) as f32, Stroke::new(1.5, colour));
    };
    ring([0.0, 0.0], lengths[0], ctx.colours.axes[0]);
    ring(target, lengths[1], ctx.colours.axes[1]);
    for run in &shown.runs {
        let root = shown.problem.root();
        let places = run.trace.at(step).positions.iter().map(|p| [p.x - root.x, p.y - root.y]);
        let places: Vec<[f64; 2]> = places.filter(|place| place.iter().all(|v| v.is_finite())).collect();
        let colour = rival_colour(run.number).gamma_multiply(0.7);
        painter.line(places.iter().map(|place| at(*place)).collect(), Stroke::new(1.5, colour));
    }
    let found = elbows(lengths[0], lengths[1], target);
    for elbow in &found {
        painter.line(vec![at([0.0, 0.0]), at(*elbow), at(target)], Stroke::new(1.0, ctx.colours.text));
        painter.circle_filled(at(*elbow), 5.0, ctx.colours.text);
    }
    painter.circle_stroke(at(target), 6.0, Stroke::new(2.0, ctx.colours.accent_text));
    if found.is_empty() {
        let text = t("solver_lab.circles_apart");
        let place = pos2(rect.center().x, rect.bottom() - 4.0);
        painter.text(place, Align2::CENTER_BOTTOM, text, FontId::proportional(11.0), ctx.colours.weak);
    }
}

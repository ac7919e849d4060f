//! The radius along the limb, both ways.

use crate::{
    style::RIVALS,
    text::t,
    ui::{panel::PanelContext, theme::colour, widgets::set_name},
};
use egui::{Align2, FontId, Pos2, Sense, Stroke, Ui, Vec2, pos2};

/// How high the plot is, points.
const HIGH_PT: f32 = 130.0;
/// The greatest radius shown, of that at rest.
const MOST: f64 = 1.25;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, linear: &[(f64, f64)], dual: &[(f64, f64)]) {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width().min(520.0), HIGH_PT), Sense::hover());
    set_name(ui, &response, &t("skin_lab.radius"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let inner = rect.shrink2(Vec2::new(30.0, 10.0));
    let at = |(along, ratio): (f64, f64)| -> Pos2 {
        pos2(
            inner.left() + inner.width() * along as f32,
            inner.bottom() - inner.height() * (ratio.clamp(0.0, MOST) / MOST) as f32,
        )
    };
    let font = FontId::proportional(10.0);
    for level in [0.0, 0.5, 1.0] {
        let (left, right) = (at((0.0, level)), at((1.0, level)));
        painter.line_segment([left, right], Stroke::new(1.0, ctx.colours.weak.gamma_multiply(0.4)));
        painter.text(
            left - Vec2::new(4.0, 0.0),
            Align2::RIGHT_CENTER,
            format!("{level}"),
            font.clone(),
            ctx.colours.weak,
        );
    }
    for (index, (key, radii)) in [("skin_lab.linear", linear), ("skin_lab.dual", dual)].into_iter().enumerate() {
        let colour = colour(RIVALS[index]);
        let points: Vec<Pos2> = radii.iter().map(|own| at(*own)).collect();
        // Told apart by more than colour: the second has dots.
        if index == 1 {
            for at in &points {
                painter.circle_filled(*at, 2.0, colour);
            }
        }
        painter.line(points, Stroke::new(1.6, colour));
        let place = pos2(inner.left() + 6.0 + 130.0 * index as f32, rect.top() + 2.0);
        painter.text(place, Align2::LEFT_TOP, t(key), font.clone(), colour);
    }
}

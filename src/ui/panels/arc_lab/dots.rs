//! Dots at equal parameters beside dots at equal distances: on the path in the view, and on the path drawn straight.

use super::Subject;
use crate::{
    interact::view_state::ViewChange,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, FieldEdit},
    },
};
use egui::{Align2, FontId, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// The most ways between dots.
const MOST: f64 = 200.0;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject, count: &mut u32) {
    ui.horizontal(|ui| {
        let name = t("arc_lab.count");
        let field = DragField::new(&name, f64::from(*count)).range(1.0, MOST).decimals(0).speed(0.2).width(56.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(&*name);
        let shown = ctx.view.path_dots;
        for edit in edits {
            if let FieldEdit::Change(wanted) = edit {
                *count = wanted.round().clamp(1.0, MOST) as u32;
                if shown.is_some() {
                    ctx.commands.view(ViewChange::PathDots(subject.object.map(|object| (object, *count))));
                }
            }
        }
        let mut on = shown.is_some();
        let check = ui.add_enabled(subject.object.is_some(), egui::Checkbox::new(&mut on, t("arc_lab.in_view")));
        if check.changed() {
            let dots = subject.object.filter(|_| on).map(|object| (object, *count));
            ctx.commands.view(ViewChange::PathDots(dots));
        }
    });
    let curve = &subject.curve;
    let (segments, length) = (curve.segments().len() as f64, curve.length());
    let part = |i: u32| f64::from(i) / f64::from(*count);
    let equal_u: Vec<f64> = (0..=*count).map(|i| curve.length_at(segments * part(i)).unwrap_or(0.0)).collect();
    let equal_s: Vec<f64> = (0..=*count).map(|i| length * part(i)).collect();
    strip(ui, ctx, &t("arc_lab.equal_u"), &equal_u, length, true);
    strip(ui, ctx, &t("arc_lab.equal_s"), &equal_s, length, false);
    let ways: Vec<f64> = equal_u.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (least, most) = ways.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), way| (a.min(*way), b.max(*way)));
    let ratio = if least > 0.0 { format!("{:.2}", most / least) } else { "\u{221e}".to_owned() };
    let (least, most) = (format!("{least:.4}"), format!("{most:.4}"));
    ui.weak(fill("arc_lab.ways", &[("least", &least), ("most", &most), ("ratio", &ratio)]));
}

/// The path drawn straight, with dots at distances along it.
fn strip(ui: &mut Ui, ctx: &PanelContext<'_>, name: &str, at: &[f64], length: f64, rings: bool) {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width().max(80.0), 34.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name));
    let painter = ui.painter_at(rect);
    painter.text(rect.left_top(), Align2::LEFT_TOP, name, FontId::proportional(11.0), ctx.colours.weak);
    let (left, right, y) = (rect.left() + 6.0, rect.right() - 6.0, rect.bottom() - 9.0);
    painter.line_segment([pos2(left, y), pos2(right, y)], Stroke::new(1.5, ctx.colours.weak));
    for distance in at {
        let part = if length > 0.0 { (distance / length).clamp(0.0, 1.0) } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
        let place = pos2(left + (right - left) * part as f32, y);
        if rings {
            painter.circle_stroke(place, 4.0, Stroke::new(1.5, ctx.colours.warn));
        } else {
            painter.circle_filled(place, 3.5, ctx.colours.accent_text);
        }
    }
}

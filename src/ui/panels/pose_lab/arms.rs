//! Arms drawn as two bones.

use crate::{
    eval::blend::pose_lab::{Arm, BONES, ELBOW_LIMIT, Way, bends_added, lengths, mixed},
    math::Vec3,
    style::RIVALS,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        theme::colour,
        widgets::{drag_field::number_text, set_name},
    },
};
use egui::{Color32, Painter, Pos2, Rect, RichText, Sense, Stroke, Ui, Vec2, pos2};

/// How far off its length a bone may be and count as whole, as a part of it.
const WHOLE: f64 = 1e-3;

const fn key(way: Way) -> &'static str {
    match way {
        Way::LocalSlerp => "pose_lab.local_slerp",
        Way::LocalNlerp => "pose_lab.local_nlerp",
        Way::Matrices => "pose_lab.matrices",
        Way::ModelSpace => "pose_lab.model_space",
    }
}

/// A card with a picture, a title, a line below and whether that is a fault.
fn card(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    side: f32,
    title: &str,
    line: (&str, bool),
    paint: impl FnOnce(&Painter, Rect),
) {
    ui.vertical(|ui| {
        ui.set_width(side);
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
        set_name(ui, &response, title);
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
        paint(&painter, rect);
        ui.add(egui::Label::new(title).wrap());
        let colour = if line.1 { ctx.colours.warn } else { ctx.colours.weak };
        ui.add(egui::Label::new(RichText::new(line.0).color(colour)).wrap());
    });
}

/// Where a place is in a picture of the arm, whose shoulder is in the middle.
fn at(rect: Rect, place: &Vec3) -> Pos2 {
    let scale = 0.44 * f64::from(rect.width()) / (BONES[0] + BONES[1]);
    #[expect(clippy::cast_possible_truncation, reason = "places on a screen")]
    let on = |along: f64| (along * scale) as f32;
    pos2(rect.center().x + on(place.x), rect.center().y - on(place.y))
}

fn arm(painter: &Painter, rect: Rect, places: &[Vec3; 3], width: f32, colour: Color32) {
    let places = places.map(|place| at(rect, &place));
    for pair in places.windows(2) {
        painter.line_segment([pair[0], pair[1]], Stroke::new(width, colour));
    }
    for place in places {
        painter.circle_filled(place, width * 0.8, colour);
    }
}

/// The four ways side by side, with both ends behind them.
pub(super) fn ways(ui: &mut Ui, ctx: &PanelContext<'_>, to: &Arm, part: f64) {
    let columns = if ui.available_width() < 440.0 { 2 } else { 4 };
    let side = card_side(ui, columns);
    for row in Way::ALL.chunks(columns) {
        ui.horizontal_top(|ui| row.iter().for_each(|way| self::way(ui, ctx, side, *way, (to, part))));
    }
}

/// The side of a card, so many of them beside each other, points.
fn card_side(ui: &Ui, columns: usize) -> f32 {
    let (columns, gap) = (columns as f32, ui.spacing().item_spacing.x);
    ((ui.available_width() - (columns - 1.0) * gap) / columns - 1.0).clamp(70.0, 170.0)
}

/// One way, a part of the way to a pose.
fn way(ui: &mut Ui, ctx: &PanelContext<'_>, side: f32, way: Way, (to, part): (&Arm, f64)) {
    let places = mixed(way, &Arm::default(), to, part);
    let [upper, fore] = lengths(&places);
    let whole = (upper - 1.0).abs() < WHOLE && (fore - 1.0).abs() < WHOLE;
    let percent = |ratio: f64| number_text(100.0 * ratio, 1);
    let line = if whole {
        let turned = places[1].x.atan2(-places[1].y).to_degrees();
        fill("pose_lab.whole", &[("angle", &number_text(turned, 1))])
    } else {
        fill("pose_lab.short", &[("upper", &percent(upper)), ("fore", &percent(fore))])
    };
    card(ui, ctx, side, &t(key(way)), (&line, !whole), |painter, rect| {
        for pose in [&Arm::default(), to] {
            let end = mixed(Way::LocalSlerp, pose, pose, 0.0);
            arm(painter, rect, &end, 2.0, ctx.colours.weak.gamma_multiply(0.6));
        }
        let colour = if whole { colour(RIVALS[1]) } else { ctx.colours.warn };
        arm(painter, rect, &places, 5.0, colour);
    });
}

/// One bend, added once and twice to a straight elbow.
pub(super) fn bends(ui: &mut Ui, ctx: &PanelContext<'_>, bend: f64, weight: f64) {
    let side = card_side(ui, 3);
    ui.horizontal_top(|ui| {
        for times in 0..3 {
            let elbow = bends_added(bend, times, weight);
            let broken = elbow > ELBOW_LIMIT;
            let title = fill("pose_lab.added", &[("times", &times)]);
            let angle = number_text(elbow.to_degrees(), 1);
            let key = if broken { "pose_lab.broken" } else { "pose_lab.sound" };
            let limit = number_text(ELBOW_LIMIT.to_degrees(), 0);
            let line = fill(key, &[("angle", &angle), ("limit", &limit)]);
            card(ui, ctx, side, &title, (&line, broken), |painter, rect| {
                let pose = Arm { shoulder: 0.0, elbow };
                let places = mixed(Way::LocalSlerp, &pose, &pose, 0.0);
                let colour = if broken { ctx.colours.warn } else { colour(RIVALS[1]) };
                arm(painter, rect, &places, 5.0, colour);
            });
        }
    });
}

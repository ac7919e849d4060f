//! The weights at a point: as bars, each a sample in its colour, with those of the scheme compared with beside them.

use super::{Subject, sample_colour, scheme_key};
use crate::{
    interact::blend_space::{Apart, Known, difference},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::race::badge,
        widgets::{drag_field::number_text, section},
    },
};
use egui::{Align2, FontId, Rect, Role, Sense, Ui, Vec2, WidgetInfo};

/// The height of a bar, points.
const BAR_PT: f32 = 18.0;

pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    subject: &Subject<'_>,
    (known, against, apart): (&Known, Option<&Known>, Option<Apart>),
    (at, pointed): ([f64; 2], bool),
) {
    let space = subject.space;
    if space.samples.is_empty() {
        ui.add(egui::Label::new(egui::RichText::new(t("blend_space.empty")).weak()).wrap());
        return;
    }
    let axes = space.scheme.axes().min(2);
    let place: Vec<String> = (0..axes)
        .map(|axis| {
            let of = &space.axes[axis];
            format!("{} {} {}", of.name, number_text(at[axis], 3), of.unit).trim_end().to_owned()
        })
        .collect();
    let key = if pointed { "blend_space.weights_pointed" } else { "blend_space.weights_here" };
    section(ui, &fill(key, &[("at", &place.join(", "))]));
    let (weights, landing) = known.weights(at);
    let other = against.map(|known| known.weights(at).0);
    for (index, sample) in space.samples.iter().enumerate() {
        let weight = weights.get(index).copied().unwrap_or(0.0);
        let other = other.as_ref().and_then(|other| other.get(index).copied());
        bar(ui, ctx, (index, &ctx.document.played_name(sample.plays)), weight, other);
    }
    let sum: f64 = weights.iter().sum();
    ui.weak(fill("blend_space.sum", &[("sum", &number_text(sum, 12))]));
    let note = |ui: &mut Ui, text: String| {
        ui.add(egui::Label::new(egui::RichText::new(text).weak()).wrap());
    };
    if landing.nothing {
        note(ui, t("blend_space.no_weight").into_owned());
    } else if !landing.inside && axes > 0 {
        let at: Vec<String> = landing.at.iter().take(axes).map(|value| number_text(*value, 3)).collect();
        note(ui, fill("blend_space.beside", &[("at", &at.join(", "))]));
    }
    if landing.clamped > 0.0 {
        note(ui, fill("blend_space.clamped", &[("by", &number_text(landing.clamped, 4))]));
    }
    if let (Some(other), Some(against)) = (other, against) {
        let here = number_text(100.0 * difference(&weights, &other), 2);
        note(ui, fill("blend_space.differ_here", &[("name", &t(&scheme_key(against.key.scheme))), ("by", &here)]));
    }
    if let Some(apart) = apart {
        let number = |value: f64| number_text(100.0 * value, 1);
        let values: [(&str, &dyn std::fmt::Display); 4] = [
            ("mean", &number(apart.mean)),
            ("most", &number(apart.most)),
            ("x", &number_text(apart.at[0], 2)),
            ("y", &number_text(apart.at[1], 2)),
        ];
        note(ui, fill("blend_space.apart", &values));
    }
}

/// A sample's weight as a bar, 0..1; that of another scheme as a line under it.
pub(super) fn bar(ui: &mut Ui, ctx: &PanelContext<'_>, (index, name): (usize, &str), weight: f64, other: Option<f64>) {
    let size = Vec2::new(ui.available_width().max(60.0), BAR_PT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let text = format!("{}%", number_text(100.0 * weight, 1));
    let label = fill("blend_space.weight_of", &[("name", &name), ("weight", &text)]);
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &label));
    let painter = ui.painter_at(rect);
    badge(&painter, rect.left_center() + Vec2::new(9.0, 0.0), index);
    let track = Rect::from_min_max(rect.min + Vec2::new(20.0, 1.0), rect.max - Vec2::new(0.0, 1.0));
    painter.rect_filled(track, 2.0, ctx.colours.field);
    #[expect(clippy::cast_possible_truncation, reason = "a length on the screen")]
    let part = |weight: f64| weight.clamp(0.0, 1.0) as f32 * track.width();
    let filled = Rect::from_min_size(track.min, Vec2::new(part(weight), track.height()));
    painter.rect_filled(filled, 2.0, sample_colour(index).gamma_multiply(0.6));
    if let Some(other) = other {
        let line = Rect::from_min_size(track.left_bottom() - Vec2::new(0.0, 3.0), Vec2::new(part(other), 3.0));
        painter.rect_filled(line, 0.0, ctx.colours.text);
    }
    let font = FontId::proportional(11.5);
    let middle = track.left_center() + Vec2::new(5.0, 0.0);
    let numbers = match other {
        Some(other) => format!("{text} | {}%", number_text(100.0 * other, 1)),
        None => text,
    };
    let drawn = painter.text(
        track.right_center() - Vec2::new(5.0, 0.0),
        Align2::RIGHT_CENTER,
        numbers,
        font.clone(),
        ctx.colours.text,
    );
    let clip = Rect::from_min_max(track.min, egui::pos2(drawn.left() - 4.0, track.bottom()));
    painter.with_clip_rect(clip.intersect(painter.clip_rect())).text(
        middle,
        Align2::LEFT_CENTER,
        name,
        font,
        ctx.colours.text,
    );
}

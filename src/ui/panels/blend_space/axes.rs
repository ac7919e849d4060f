//! The axes: names, units, ranges, steps; and the point as numbers.

use super::{Subject, change, changed};
use crate::{
    edit::EditError,
    interact::{
        blend_space::{PointOf, point_edit},
        view_state::ViewChange,
    },
    model::{BlendScheme, BlendSpace, ChannelPath, LayerId, ObjectId, Property, RotationBlend},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::inspector::send as send_field,
        widgets::{DragField, section, text_field},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    let count = subject.space.scheme.axes().min(2);
    if count == 0 {
        ui.add(egui::Label::new(egui::RichText::new(t("blend_space.no_axes")).weak()).wrap());
        keys(ui, ctx, subject);
        options(ui, ctx, subject);
        return;
    }
    for axis in 0..count {
        let key =
            if count == 1 { "blend_space.axis" } else { ["blend_space.axis_across", "blend_space.axis_up"][axis] };
        section(ui, &t(key));
        ui.push_id(axis, |ui| one(ui, ctx, subject, axis));
    }
    section(ui, &t("blend_space.point"));
    point(ui, ctx, subject, count);
    options(ui, ctx, subject);
}

/// What the scheme may be told, and how rotations are blended.
fn options(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    section(ui, &t("blend_space.options"));
    let space = subject.space;
    if space.scheme == BlendScheme::BandPolar {
        ui.horizontal(|ui| {
            let name = t("blend_space.angle_weight");
            ui.label(name.clone().into_owned()).on_hover_text(t("blend_space.angle_weight_hint"));
            let field = DragField::new(&name, space.angle_weight).decimals(2).range(0.05, 50.0).speed(0.02);
            let (_, edits) = field.width(66.0).show(ui);
            send_field(ctx, "history.space_scheme", edits, |value| {
                changed(ctx, subject.id, |space| space.angle_weight = value)
            });
        });
    }
    if space.scheme == BlendScheme::Delaunay && !space.diagonals.is_empty() {
        ui.horizontal(|ui| {
            ui.label(fill("blend_space.turned", &[("count", &space.diagonals.len())]));
            if ui.button(t("blend_space.turn_back").into_owned()).clicked() {
                change(ctx, "history.space_diagonal", subject.id, |space| space.diagonals.clear());
            }
        });
    }
    ui.horizontal(|ui| {
        ui.label(t("blend_space.rotations").into_owned());
        for (way, key) in [
            (RotationBlend::Nlerp, "blend_space.rotations_nlerp"),
            (RotationBlend::Slerp, "blend_space.rotations_slerp"),
        ] {
            let chosen = space.rotations == way;
            let button = ui.selectable_label(chosen, t(key).into_owned());
            if button.on_hover_text(t(&format!("{key}_hint"))).clicked() && !chosen {
                change(ctx, "history.space_rotations", subject.id, |space| space.rotations = way);
            }
        }
    });
}

fn one(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, axis: usize) {
    let of = &subject.space.axes[axis];
    egui::Grid::new("axis").num_columns(2).spacing([8.0, 4.0]).show(ui, |ui| {
        ui.label(t("blend_space.name").into_owned());
        ui.horizontal(|ui| {
            let (_, name) = text_field(ui, &t("blend_space.axis_name"), &of.name, 84.0);
            if let Some(name) = name {
                change(ctx, "history.space_axis", subject.id, |space| {
                    name.trim().clone_into(&mut space.axes[axis].name)
                });
            }
            let (_, unit) = text_field(ui, &t("blend_space.axis_unit"), &of.unit, 44.0);
            if let Some(unit) = unit {
                change(ctx, "history.space_axis", subject.id, |space| {
                    unit.trim().clone_into(&mut space.axes[axis].unit)
                });
            }
        });
        ui.end_row();
        ui.label(t("blend_space.range").into_owned());
        ui.horizontal(|ui| {
            for (end, key) in ["blend_space.range_from", "blend_space.range_to"].into_iter().enumerate() {
                let speed = 0.005 * (of.range[1] - of.range[0]).abs().max(1e-6);
                let name = t(key);
                let field = DragField::new(&name, of.range[end]).unit(&of.unit).decimals(3).speed(speed).width(66.0);
                let (_, edits) = field.show(ui);
                send_field(ctx, "history.space_axis", edits, |value| with_end(ctx, subject, (axis, end), value));
            }
        });
        ui.end_row();
        let name = t("blend_space.snap");
        ui.label(name.clone().into_owned()).on_hover_text(t("blend_space.snap_hint"));
        let most = (of.range[1] - of.range[0]).abs();
        let field = DragField::new(&name, of.snap).unit(&of.unit).decimals(4).range(0.0, most).speed(0.002 * most);
        let (_, edits) = field.width(66.0).show(ui);
        send_field(ctx, "history.space_axis", edits, |value| {
            changed(ctx, subject.id, |space| space.axes[axis].snap = value)
        });
        ui.end_row();
    });
}

/// The space with another end of an axis.
fn with_end(
    ctx: &PanelContext<'_>,
    subject: &Subject<'_>,
    (axis, end): (usize, usize),
    value: f64,
) -> Result<crate::edit::Edit, EditError> {
    if !value.is_finite() {
        return Err(EditError::BadNumber { what: "the end of an axis", value });
    }
    changed(ctx, subject.id, |space| set_end(space, (axis, end), value))
}

/// Gives an axis another end. It stays apart from the other end; samples stay where they are, so that the range can be made
/// narrower and wider again.
fn set_end(space: &mut BlendSpace, (axis, end): (usize, usize), value: f64) {
    let [low, high] = space.axes[axis].range;
    let least = 1e-6 * (high - low).abs().max(1.0);
    space.axes[axis].range[end] = if end == 0 { value.min(high - least) } else { value.max(low + least) };
}

/// The point as numbers, each a channel where a layer plays the space.
fn point(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, count: usize) {
    egui::Grid::new("point").num_columns(2).spacing([8.0, 4.0]).show(ui, |ui| {
        for axis in 0..count {
            let of = &subject.space.axes[axis];
            ui.label(&of.name);
            ui.horizontal(|ui| {
                let name = fill("blend_space.point_along", &[("axis", &of.name)]);
                let [from, to] = of.range;
                let field = DragField::new(&name, subject.point[axis]).unit(&of.unit).decimals(4).range(from, to);
                let (_, edits) = field.speed(0.005 * (to - from).abs().max(1e-6)).width(84.0).show(ui);
                send_field(ctx, "history.space_point", edits, |value| {
                    let mut to = subject.point;
                    to[axis] = value;
                    let told = [(ctx.view.secs, to)];
                    point_edit(ctx.session.base(), subject.id, subject.of, (&told, true), ctx.view.auto_key)
                });
            });
            ui.end_row();
        }
    });
    keys(ui, ctx, subject);
}

/// The way to keys and curves of what the space is told, where a layer plays it.
fn keys(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
    match subject.of {
        PointOf::Layer(object, layer) => {
            let key = key_name(subject);
            let button = ui.button(t(key).into_owned());
            if button.on_hover_text(t(&format!("{key}_hint"))).clicked() {
                key_point(ctx, subject, (object, layer));
            }
            let show = ui.button(t("blend_space.show_curves").into_owned());
            if show.on_hover_text(t("blend_space.show_curves_hint")).clicked() {
                let target = crate::model::Target::Layer(object, layer);
                ctx.commands.select(crate::edit::Selection::single(target));
                ctx.commands.view(ViewChange::Curves(crate::interact::curve_view::CurveView::default()));
            }
        }
        PointOf::Space => {
            ui.add(egui::Label::new(egui::RichText::new(t("blend_space.not_played")).weak()).wrap());
        }
    }
}

/// The text key of what [`key_point`] does.
pub(super) fn key_name(subject: &Subject<'_>) -> &'static str {
    if subject.space.scheme.axes() == 0 { "blend_space.key_weights" } else { "blend_space.key_point" }
}

/// Keys the point that is shown, or the weights where each sample has one of its own.
pub(super) fn key_point(ctx: &PanelContext<'_>, subject: &Subject<'_>, (object, layer): (ObjectId, LayerId)) {
    let point = Property::LAYER[1..].iter().take(subject.space.scheme.axes().min(2)).zip(subject.point);
    let point = point.map(|(property, value)| (ChannelPath::layer(object, layer, *property), value));
    let values: Vec<(ChannelPath, f64)> = point.chain(super::direct::values(subject, (object, layer))).collect();
    let edit = crate::edit::numbers::key_numbers(ctx.document, &values, ctx.view.secs);
    super::send(ctx, "history.space_point_key", edit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Axis;

    #[test]
    fn the_ends_of_an_axis_never_cross() {
        let mut space = BlendSpace::new("s", [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])]);
        set_end(&mut space, (0, 0), 5.0);
        assert!(space.axes[0].range[0] < 1.0 && space.fault().is_none());
        set_end(&mut space, (0, 1), -5.0);
        assert!(space.fault().is_none());
        set_end(&mut space, (0, 1), 8.0);
        assert_eq!(space.axes[0].range[1], 8.0);
    }
}

//! A path: how its way runs, how long it is, and the numbers of the point that is selected.

use super::{folding, labelled, send};
use crate::{
    command::CommandId,
    edit::{PathEdit, pose::points_edit},
    interact::{pick_scene::handles_of, picking::SpotPart},
    math::{Vec3, path::MOST_POLYNOMIAL},
    model::{ObjectId, Path, PathPoint, PathScheme, Scheme, Target},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, drag_field::number_text, set_name},
    },
};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let object = target.object();
    let Some(path) = ctx.document.object(object).and_then(|object| object.as_path()) else { return };
    folding(ui, "path.title", |ui| {
        scheme(ui, ctx, object, path);
        labelled(ui, &t("path.length"), |ui| length(ui, ctx, object, path));
        let mut closed = path.closed;
        if ui.checkbox(&mut closed, t("path.closed")).changed() {
            ctx.commands.apply("history.path_close", PathEdit::SetClosed { object, closed }.into());
        }
        ui.horizontal_wrapped(|ui| {
            for id in [CommandId::ToolDrawPath, CommandId::DividePath, CommandId::ReversePath] {
                let button = ui.button(t(id.spec().title).into_owned());
                if button.on_hover_text(crate::ui::shell::hint_of(id)).clicked() {
                    ctx.commands.run(id);
                }
            }
        });
    });
    if let Target::Point(_, id) = target
        && let Some(index) = path.index_of(id)
        && let Some(point) = path.points.get(index)
    {
        folding(ui, "path.point", |ui| point_rows(ui, ctx, object, path, (index, point)));
    }
}

fn length(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, path: &Path) {
    let Some(frame) = ctx.frame.path(object) else { return };
    let unit = ctx.document.settings.length_unit;
    let length = number_text(frame.curve.length() / unit.metres(), 4);
    let count = path.points.len();
    ui.label(fill("path.length_of", &[("length", &length), ("unit", &unit.symbol()), ("count", &count)]));
}

const fn scheme_key(scheme: PathScheme) -> &'static str {
    match scheme {
        PathScheme::Linear => "path.linear",
        PathScheme::CatmullRom { .. } => "path.catmull_rom",
        PathScheme::Cardinal { .. } => "path.cardinal",
        PathScheme::Tcb => "path.tcb",
        PathScheme::Bezier => "path.bezier",
        PathScheme::Natural => "path.natural",
        PathScheme::Clamped => "path.clamped",
        PathScheme::NotAKnot => "path.not_a_knot",
        PathScheme::Monotone => "path.monotone",
        PathScheme::Lagrange => "path.lagrange",
    }
}

fn scheme(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, path: &Path) {
    let now = path.scheme;
    labelled(ui, &t("path.scheme"), |ui| {
        let combo = ComboBox::from_id_salt("path scheme").width(150.0).selected_text(t(scheme_key(now)).into_owned());
        let response = combo.show_ui(ui, |ui| {
            for scheme in PathScheme::ALL {
                let same = std::mem::discriminant(&scheme) == std::mem::discriminant(&now);
                if ui.selectable_label(same, t(scheme_key(scheme)).into_owned()).clicked() && !same {
                    ctx.commands.apply("history.path_scheme", PathEdit::SetScheme { object, scheme }.into());
                }
            }
        });
        set_name(ui, &response.response, &t("path.scheme"));
    });
    match now {
        PathScheme::CatmullRom { alpha } => {
            labelled(ui, &t("path.alpha"), |ui| {
                let name = t("path.alpha");
                let field = DragField::new(&name, alpha).speed(0.01).range(0.0, 1.0).decimals(3);
                let (response, edits) = field.show(ui);
                response.on_hover_text(t("path.alpha_hint").into_owned());
                send(ctx, "history.path_scheme", edits, |alpha| {
                    Ok(PathEdit::SetScheme { object, scheme: PathScheme::CatmullRom { alpha } }.into())
                });
                for (key, alpha) in [("path.uniform", 0.0), ("path.centripetal", 0.5), ("path.chordal", 1.0)] {
                    if ui.small_button(t(key).into_owned()).clicked() {
                        let scheme = PathScheme::CatmullRom { alpha };
                        ctx.commands.apply("history.path_scheme", PathEdit::SetScheme { object, scheme }.into());
                    }
                }
            });
        }
        PathScheme::Cardinal { tension } => {
            labelled(ui, &t("path.tension"), |ui| {
                let name = t("path.tension");
                let field = DragField::new(&name, tension).speed(0.01).range(-1.0, 1.0).decimals(3);
                let (_, edits) = field.show(ui);
                send(ctx, "history.path_scheme", edits, |tension| {
                    Ok(PathEdit::SetScheme { object, scheme: PathScheme::Cardinal { tension } }.into())
                });
            });
        }
        PathScheme::Lagrange if path.points.len() + usize::from(path.closed) > MOST_POLYNOMIAL => {
            ui.weak(fill("path.lagrange_many", &[("most", &MOST_POLYNOMIAL)]));
        }
        PathScheme::Lagrange if path.points.len() >= Scheme::RUNGE_KEYS => {
            ui.weak(t("path.runge"));
        }
        _ => {}
    }
}

/// A handle's numbers, from its point.
fn handle_row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    object: ObjectId,
    (index, point): (usize, &PathPoint),
    (part, key): (SpotPart, &'static str),
) {
    let Some((frame, placed)) = ctx.frame.path(object).zip(ctx.frame.objects.get(&object)) else { return };
    let (before, after) = handles_of(frame, index);
    let is_in = part == SpotPart::HandleIn;
    let Some((shown, inverse)) = (if is_in { before } else { after }).zip(placed.world.try_inverse()) else { return };
    let Some(place) = frame.places.get(index) else { return };
    let (offset, unit) = (inverse.point(&shown) - place, ctx.document.settings.length_unit);
    labelled(ui, &t(key), |ui| {
        let width = ((ui.available_width() - 8.0) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
            let name = format!("{} {letter}", t(key));
            let field = DragField::new(&name, offset[axis] / unit.metres()).unit(unit.symbol()).decimals(3);
            let (response, edits) = field.speed(0.01).width(width).show(ui);
            response.on_hover_text(&name);
            send(ctx, "history.path_handles", edits, |value| {
                let mut wanted: Vec3 = offset;
                wanted[axis] = value * unit.metres();
                let own = if is_in { (Some(wanted), point.handle_out) } else { (point.handle_in, Some(wanted)) };
                Ok(PathEdit::SetHandles { object, handles: vec![(point.id, own.0, own.1)] }.into())
            });
        }
    });
}

fn point_rows(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, path: &Path, (index, point): (usize, &PathPoint)) {
    let unit = ctx.document.settings.length_unit;
    let place = ctx.frame.path(object).and_then(|frame| frame.places.get(index).copied()).unwrap_or(point.place);
    labelled(ui, &fill("path.point_number", &[("number", &(index + 1))]), |ui| {
        let width = ((ui.available_width() - 8.0) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
            let name = fill("path.place_axis", &[("axis", &letter)]);
            let field = DragField::new(&name, place[axis] / unit.metres()).unit(unit.symbol()).decimals(3);
            let (response, edits) = field.speed(0.01).width(width).show(ui);
            response.on_hover_text(&name);
            send(ctx, "history.path_point", edits, |value| {
                let mut wanted: Vec3 = place;
                wanted[axis] = value * unit.metres();
                points_edit(ctx.session.base(), object, ctx.view.secs, &[(point.id, wanted)], ctx.view.auto_key)
            });
        }
    });
    match path.scheme {
        PathScheme::Tcb => {
            let numbers = [point.tension, point.continuity, point.bias];
            for (slot, key) in ["path.tension", "path.continuity", "path.bias"].into_iter().enumerate() {
                labelled(ui, &t(key), |ui| {
                    let name = t(key);
                    let field = DragField::new(&name, numbers[slot]).speed(0.01).range(-1.0, 1.0).decimals(3);
                    let (_, edits) = field.show(ui);
                    send(ctx, "history.path_tcb", edits, |value| {
                        let mut numbers = numbers;
                        numbers[slot] = value;
                        Ok(PathEdit::SetTcb { object, points: vec![(point.id, numbers)] }.into())
                    });
                });
            }
        }
        _ if path.scheme.heeds_handles(index, path.points.len(), path.closed) => {
            for (part, key) in [(SpotPart::HandleIn, "path.handle_before"), (SpotPart::HandleOut, "path.handle_after")]
            {
                handle_row(ui, ctx, object, (index, point), (part, key));
            }
            let own = point.handle_in.is_some() || point.handle_out.is_some();
            if ui.add_enabled(own, egui::Button::new(t("path.handles_auto").into_owned())).clicked() {
                let handles = vec![(point.id, None, None)];
                ctx.commands.apply("history.path_handles", PathEdit::SetHandles { object, handles }.into());
            }
        }
        _ => {}
    }
}

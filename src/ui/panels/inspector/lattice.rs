//! A lattice: its points, its box, shapes that were kept.

use super::{folding, labelled, send, told};
use crate::{
    command::{Command, CommandId},
    edit::{
        DeformEdit,
        deform::{regrid, take_pose},
    },
    eval::deform::offsets,
    math::{
        Vec3,
        lattice::{Basis, MOST},
    },
    model::{Lattice, ObjectId, PointId, Target},
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        naming,
        panel::PanelContext,
        shell::hint_of,
        widgets::{DragField, FieldEdit, IconButton, set_name, text_field},
    },
};
use egui::{ComboBox, Ui};

const AXES: [&str; 3] = ["X", "Y", "Z"];

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let object = target.object();
    let Some(lattice) = ctx.document.object(object).and_then(|found| found.as_lattice()) else { return };
    folding(ui, "lattice.title", |ui| {
        grid(ui, ctx, object, lattice);
        shape(ui, ctx, object, lattice);
        ui.horizontal_wrapped(|ui| {
            for id in [CommandId::FitLattice, CommandId::ResetLattice] {
                if ui.button(t(id.spec().title)).on_hover_text(hint_of(id)).clicked() {
                    ctx.commands.run(id);
                }
            }
        });
        if lattice.is_flat() {
            ui.colored_label(ctx.colours.warn, t("lattice.flat"));
        }
        super::deformer::placed_oddly(ui, ctx, object);
        meshes(ui, ctx, object);
    });
    if let Target::Point(_, point) = target {
        folding(ui, "lattice.point", |ui| point_rows(ui, ctx, object, lattice, point));
    }
    folding(ui, "lattice.poses", |ui| poses(ui, ctx, object, lattice));
}

const fn basis_key(basis: Basis) -> &'static str {
    match basis {
        Basis::Bernstein => "lattice.bernstein",
        Basis::BSpline => "lattice.bspline",
        Basis::Linear => "lattice.linear",
    }
}

/// Other points for a lattice, and how far off the shape then is.
fn change_grid(ctx: &PanelContext<'_>, object: ObjectId, counts: [u8; 3], bases: [Basis; 3]) {
    match regrid(ctx.document, object, counts, bases) {
        Ok(change) => {
            ctx.commands.apply("history.lattice_grid", change.edit);
            let unit = ctx.document.settings.length_unit;
            if change.error > 1e-9 {
                let error = format!("{:.4}", change.error / unit.metres());
                let text = fill("lattice.refitted", &[("error", &error), ("unit", &unit.symbol())]);
                ctx.commands.send(Command::Tell(Notice::info(text)));
            }
        }
        Err(error) => ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", &error)])))),
    }
}

fn grid(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, lattice: &Lattice) {
    for (axis, letter) in AXES.into_iter().enumerate() {
        labelled(ui, &fill("lattice.axis", &[("axis", &letter)]), |ui| {
            let name = fill("lattice.count", &[("axis", &letter)]);
            let (count, most) = (lattice.counts[axis], u8::try_from(MOST).unwrap_or(u8::MAX));
            let field = DragField::new(&name, f64::from(count)).range(1.0, f64::from(most)).decimals(0).speed(0.05);
            let (response, edits) = field.width(48.0).show(ui);
            response.on_hover_text(t("lattice.count_hint").into_owned());
            // Each number on the way would be one more fit: the last one is meant.
            let wanted = edits.iter().rev().find_map(|edit| match edit {
                FieldEdit::Change(value) => Some(*value),
                _ => None,
            });
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "brought within 1 and 16")]
            if let Some(wanted) = wanted.map(|value| value.round().clamp(1.0, f64::from(most)) as u8)
                && wanted != count
            {
                let mut counts = lattice.counts;
                counts[axis] = wanted;
                change_grid(ctx, object, counts, lattice.bases);
            }
            let own = lattice.bases[axis];
            let combo = ComboBox::from_id_salt(("basis", axis)).width(104.0).selected_text(t(basis_key(own)));
            let response = combo.show_ui(ui, |ui| {
                for basis in Basis::ALL {
                    if ui.selectable_label(basis == own, t(basis_key(basis))).clicked() && basis != own {
                        let mut bases = lattice.bases;
                        bases[axis] = basis;
                        change_grid(ctx, object, lattice.counts, bases);
                    }
                }
            });
            set_name(ui, &response.response, &fill("lattice.basis", &[("axis", &letter)]));
        });
    }
    let few = (0..3).any(|axis| lattice.bases[axis] == Basis::BSpline && lattice.count(axis) < 4);
    if few {
        ui.weak(t("lattice.few"));
    }
}

fn shape(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, lattice: &Lattice) {
    let unit = ctx.document.settings.length_unit;
    labelled(ui, &t("lattice.size"), |ui| {
        let width = ((ui.available_width() - 8.0) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in AXES.into_iter().enumerate() {
            let name = fill("lattice.size_axis", &[("axis", &letter)]);
            let field = DragField::new(&name, lattice.size[axis] / unit.metres()).unit(unit.symbol()).decimals(3);
            let (response, edits) = field.range(0.0, 1e6).speed(0.01).width(width).show(ui);
            response.on_hover_text(&name);
            send(ctx, "history.lattice_box", edits, |value| {
                let mut size = lattice.size;
                size[axis] = value * unit.metres();
                Ok(DeformEdit::SetBox { object, size, falloff: lattice.falloff }.into())
            });
        }
    });
    labelled(ui, &t("lattice.falloff"), |ui| {
        let name = t("lattice.falloff");
        let field = DragField::new(&name, lattice.falloff)
            .range(0.0, Lattice::FALLOFF_MOST)
            .decimals(3)
            .speed(0.005)
            .rests_at(0.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(t("lattice.falloff_hint").into_owned());
        send(ctx, "history.lattice_box", edits, |falloff| {
            Ok(DeformEdit::SetBox { object, size: lattice.size, falloff }.into())
        });
    });
}

/// What it deforms.
fn meshes(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    let names: Vec<&str> =
        crate::eval::deform::deformed_by(ctx.document, object).map(|(_, mesh)| mesh.name.as_str()).collect();
    let text = if names.is_empty() { t("lattice.deforms_nothing").into_owned() } else { names.join(", ") };
    told(ui, &t("lattice.deforms"), &text);
}

fn point_rows(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, lattice: &Lattice, point: PointId) {
    let Some(place) = lattice.place_of(point) else { return };
    let unit = ctx.document.settings.length_unit;
    let all = offsets(ctx.document, object, lattice, ctx.view.secs);
    let offset = all.get(lattice.index_of(place)).copied().unwrap_or_default();
    labelled(ui, &t("lattice.offset"), |ui| {
        let width = ((ui.available_width() - 8.0) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in AXES.into_iter().enumerate() {
            let name = fill("lattice.offset_axis", &[("axis", &letter)]);
            let field = DragField::new(&name, offset[axis] / unit.metres()).unit(unit.symbol()).decimals(3);
            let (response, edits) = field.speed(0.01).width(width).show(ui);
            response.on_hover_text(&name);
            send(ctx, "history.lattice_point", edits, |value| {
                let mut wanted: Vec3 = offset;
                wanted[axis] = value * unit.metres();
                crate::edit::pose::points_edit(
                    ctx.session.base(),
                    object,
                    ctx.view.secs,
                    &[(point, wanted)],
                    ctx.view.auto_key,
                )
            });
        }
    });
}

fn poses(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, lattice: &Lattice) {
    for pose in &lattice.poses {
        ui.push_id(&pose.name, |ui| {
            ui.horizontal(|ui| {
                let name = fill("lattice.take_pose", &[("name", &pose.name)]);
                if ui.button(&pose.name).on_hover_text(&name).clicked() {
                    match take_pose(ctx.document, object, &pose.name, ctx.view.secs, ctx.view.auto_key) {
                        Ok(edit) => ctx.commands.apply("history.lattice_pose", edit),
                        Err(error) => {
                            let text = fill("edit.refused", &[("error", &error)]);
                            ctx.commands.send(Command::Tell(Notice::warn(text)));
                        }
                    }
                }
                let name = fill("lattice.drop_pose", &[("name", &pose.name)]);
                if IconButton::new(Icon::Delete, &name).colour(ctx.colours.weak).show(ui).clicked() {
                    let edit = DeformEdit::DropPose { object, name: pose.name.clone() };
                    ctx.commands.apply("history.lattice_drop_pose", edit.into());
                }
            });
        });
    }
    labelled(ui, &t("lattice.keep_pose"), |ui| {
        let free =
            (1..).map(|n| fill("lattice.pose_name", &[("number", &n)])).find(|name| lattice.pose(name).is_none());
        let free = free.unwrap_or_default();
        let (response, named) = text_field(ui, &t("lattice.keep_pose_name"), "", 110.0);
        response.on_hover_text(t("lattice.keep_pose_hint").into_owned());
        let keep = ui.button(t("lattice.keep")).clicked().then_some(free);
        let is_taken = |name: &str| lattice.pose(name).is_some();
        if let Some(name) = named.or(keep).and_then(|name| naming::given(ctx, "", &name, is_taken)) {
            let all = offsets(ctx.document, object, lattice, ctx.view.secs);
            let offsets = lattice.points().map(|(point, _)| point).zip(all).collect();
            ctx.commands.apply("history.lattice_keep_pose", DeformEdit::KeepPose { object, name, offsets }.into());
        }
    });
}

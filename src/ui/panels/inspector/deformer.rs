//! A deformer: its numbers.

use super::{NumberRow, folding, labelled, send, told};
use crate::{
    edit::{
        DeformEdit,
        deform::{Bounce, bounce_keys},
        numbers::{key_number, number_edit},
    },
    eval::{
        deform::{deformed_by, function, landmark_shape},
        sample::{Stage, number},
    },
    math::rbf::Kernel,
    model::{ChannelPath, Component, Deformer, DeformerKind, ObjectId, Parameter, Property, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::graph::{channels::property_name, unit_map, unit_name},
        widgets::{DragField, FieldEdit, IconButton, set_name},
    },
};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let id = target.object();
    let Some(deformer) = ctx.document.object(id).and_then(|object| object.as_deformer()) else { return };
    folding(ui, deformer.kind.title(), |ui| {
        if deformer.kind == DeformerKind::Warp {
            kernels(ui, ctx, id, deformer);
        }
        let thin = deformer.kind == DeformerKind::Warp && deformer.kernel == Kernel::ThinPlate;
        for parameter in deformer.kind.parameters().iter().filter(|_| !thin) {
            row(ui, ctx, Target::Object(id), parameter);
        }
        if deformer.kind.has_landmarks() {
            landmarks(ui, ctx, (id, deformer), target);
        }
        if deformer.kind == DeformerKind::Squash {
            bounce(ui, ctx, id);
        }
        let own = function(ctx.document, id, deformer, ctx.view.secs);
        let at = |property| deformer.kind.parameters().iter().position(|p| p.property == property);
        let ends = at(Property::Low).zip(at(Property::High)).map(|(low, high)| (own.numbers[low], own.numbers[high]));
        if ends.is_some_and(|(low, high)| high <= low) {
            ui.colored_label(ctx.colours.warn, t("deform.no_length"));
        }
        placed_oddly(ui, ctx, id);
        let names: Vec<&str> = deformed_by(ctx.document, id).map(|(_, mesh)| mesh.name.as_str()).collect();
        let text = if names.is_empty() { t("lattice.deforms_nothing").into_owned() } else { names.join(", ") };
        told(ui, &t("lattice.deforms"), &text);
    });
}

/// What is odd about the place of a lattice or deformer: a scale that leaves it no room, or turns it inside out.
pub(super) fn placed_oddly(ui: &mut Ui, ctx: &PanelContext<'_>, id: ObjectId) {
    let Some(world) = ctx.frame.objects.get(&id).map(|object| object.world) else { return };
    if world.try_inverse().is_none() {
        ui.colored_label(ctx.colours.warn, t("deform.no_room"));
    } else if world.linear.determinant() < 0.0 {
        ui.weak(t("deform.inside_out"));
    }
}

/// The radial function of a warp.
fn kernels(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, deformer: &Deformer) {
    labelled(ui, &t("deform.kernel"), |ui| {
        let combo = ComboBox::from_id_salt("kernel").width(150.0).selected_text(t(kernel_key(deformer.kernel)));
        let response = combo.show_ui(ui, |ui| {
            for kernel in Kernel::ALL {
                let chosen = kernel == deformer.kernel;
                if ui.selectable_label(chosen, t(kernel_key(kernel))).clicked() && !chosen {
                    ctx.commands.apply("history.kernel", DeformEdit::SetKernel { object, kernel }.into());
                }
            }
        });
        set_name(ui, &response.response, &t("deform.kernel"));
    });
}

const fn kernel_key(kernel: Kernel) -> &'static str {
    match kernel {
        Kernel::ThinPlate => "deform.thin_plate",
        Kernel::Gaussian => "deform.gaussian",
        Kernel::Multiquadric => "deform.multiquadric",
        Kernel::InverseMultiquadric => "deform.inverse_multiquadric",
    }
}

/// How many landmarks there are, what is special about them, and the numbers of the one in hand.
fn landmarks(ui: &mut Ui, ctx: &PanelContext<'_>, (id, deformer): (ObjectId, &Deformer), target: Target) {
    told(ui, &t("deform.landmarks"), &deformer.landmarks.len().to_string());
    if ui.button(t("command.tool_pull")).on_hover_text(t("command.tool_pull_hint")).clicked() {
        ctx.commands.run(crate::command::CommandId::ToolPull);
    }
    if deformer.landmarks.is_empty() {
        ui.weak(t("deform.no_landmarks"));
    }
    let warn = |ui: &mut Ui, text: String| ui.colored_label(ctx.colours.warn, text);
    if let Some(report) = landmark_shape(ctx.document, id, deformer, ctx.view.secs).report() {
        if report.rank < 3 {
            let keys = ["deform.rank_point", "deform.rank_line", "deform.rank_plane"];
            warn(ui, t(keys[report.rank.min(2)]).into_owned());
        }
        if report.doubles > 0 {
            warn(ui, fill("deform.doubles", &[("count", &report.doubles)]));
        }
        if report.folds > 0 {
            warn(ui, fill("deform.folds", &[("count", &report.folds)]));
        }
    }
    let Target::Point(_, point) = target else { return };
    if let Some(landmark) = deformer.landmarks.get(&point) {
        let unit = ctx.document.settings.length_unit;
        let place = landmark.at / unit.metres();
        let text = format!("{:.3}, {:.3}, {:.3} {}", place.x, place.y, place.z, unit.symbol());
        told(ui, &t("deform.landmark_rest"), &text);
    }
}

/// A damped swing, keyed from the playhead on.
fn bounce(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    let key = egui::Id::unique(("bounce", object));
    let mut own: (f64, f64, f64) = ui.data(|data| data.get_temp(key)).unwrap_or_else(|| {
        let rest = Bounce::default();
        (rest.amplitude, rest.frequency, rest.damping)
    });
    ui.separator();
    ui.weak(t("deform.bounce"));
    let rows = [
        ("deform.bounce_amplitude", &mut own.0, (-0.95, 0.95), ""),
        ("deform.bounce_frequency", &mut own.1, (0.05, 30.0), "Hz"),
        ("deform.bounce_damping", &mut own.2, (Bounce::LEAST_DAMPING, 100.0), "1/s"),
    ];
    for (name, value, range, unit) in rows {
        labelled(ui, &t(name), |ui| {
            let name = t(name);
            let field = DragField::new(&name, *value).unit(unit).range(range.0, range.1).speed(0.02).decimals(2);
            for edit in field.show(ui).1 {
                if let FieldEdit::Change(changed) = edit {
                    *value = changed;
                }
            }
        });
    }
    ui.data_mut(|data| data.insert_temp(key, own));
    if ui.button(t("command.key_bounce")).on_hover_text(t("command.key_bounce_hint")).clicked() {
        let wanted = Bounce { amplitude: own.0, frequency: own.1, damping: own.2 };
        if let Ok(edit) = bounce_keys(ctx.document, object, ctx.view.secs, wanted) {
            ctx.commands.apply("history.bounce", edit);
        }
    }
}

/// A number in the unit it is shown in.
fn row(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target, parameter: &Parameter) {
    let path = ChannelPath { target, property: parameter.property, component: Component::Only };
    let unit = ctx.document.settings.length_unit;
    let (map, symbol) = (unit_map(path, unit), unit_name(path, unit));
    let clip = ctx.document.clip_of(target.object()).and_then(|clip| ctx.document.clip(clip));
    let value = number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown);
    let value = value.unwrap_or(parameter.resting);
    let name = property_name(parameter.property);
    let row = NumberRow {
        name: &name,
        unit: symbol,
        range: (map.shown(parameter.range.0), map.shown(parameter.range.1)),
        speed: if symbol == "°" { 0.5 } else { 0.01 },
        history: "history.deformer_number",
        resting: map.shown(parameter.resting),
    };
    labelled(ui, row.name, |ui| {
        let field = DragField::new(row.name, map.shown(value)).unit(row.unit).range(row.range.0, row.range.1);
        let (response, edits) = field.speed(row.speed).decimals(3).rests_at(row.resting).show(ui);
        response.on_hover_text(row.name);
        send(ctx, row.history, edits, |value| {
            number_edit(ctx.session.base(), path, ctx.view.secs, map.own(value), ctx.view.auto_key)
        });
        let key = fill("inspector.key_number", &[("name", &row.name)]);
        if IconButton::new(Icon::Key, &key).show(ui).clicked()
            && let Ok(edit) = key_number(ctx.document, path, &[(ctx.view.secs, value)])
        {
            ctx.commands.apply("history.key_number", edit);
        }
    });
}

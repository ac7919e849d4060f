//! A mesh: what it is made of, and how much of its morph targets acts.

use super::{NumberRow, folding, number_row, told};
use crate::{
    model::{ChannelPath, Component, Mesh, Property, Target},
    text::{fill, t},
    ui::{panel::PanelContext, subject},
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let object = target.object();
    // Of a rig the mesh is another object; a joint's rows would only be far away from what they are about.
    let Some(mesh) = ctx.document.object(object).and_then(|object| object.as_mesh()) else { return };
    folding(ui, "mesh.title", |ui| {
        facts(ui, mesh);
        if mesh.skin.is_some() {
            let path = ChannelPath::object(object, Property::Blend, Component::Only);
            let name = t("mesh.dual");
            let row = NumberRow {
                name: &name,
                unit: "",
                range: (0.0, 1.0),
                speed: 0.005,
                history: "history.skin_blend",
                resting: mesh.dual,
            };
            number_row(ui, ctx, path, &row);
            ui.weak(t("mesh.dual_hint"));
        }
    });
    if matches!(target, Target::Object(_) | Target::Deformer(..)) {
        super::stack::show(ui, ctx, object, mesh);
        super::weights::show(ui, ctx, object, mesh);
    }
    if mesh.morphs.is_empty() {
        return;
    }
    folding(ui, "mesh.morphs", |ui| {
        for morph in &mesh.morphs {
            let name = subject::morph_name(morph);
            let target = Target::Morph(object, morph.id);
            let path = ChannelPath { target, property: Property::Weight, component: Component::Only };
            let row = NumberRow {
                name: &name,
                unit: "",
                range: (f64::NEG_INFINITY, f64::INFINITY),
                speed: 0.01,
                history: "history.weight",
                resting: morph.weight,
            };
            number_row(ui, ctx, path, &row);
        }
    });
}

fn facts(ui: &mut Ui, mesh: &Mesh) {
    told(ui, &t("mesh.vertices"), &mesh.len().to_string());
    told(ui, &t("mesh.triangles"), &(mesh.geometry.indices.len() / 3).to_string());
    let skin = match &mesh.skin {
        None => t("mesh.no_skin").into_owned(),
        Some(skin) => fill("mesh.skin_of", &[("joints", &skin.joints.len()), ("each", &skin.per_vertex)]),
    };
    told(ui, &t("mesh.skin"), &skin);
    let names = mesh.materials.iter().enumerate().map(|(index, material)| {
        if material.name.is_empty() { format!("{}", index + 1) } else { material.name.clone() }
    });
    let names: Vec<String> = names.collect();
    let materials = if names.is_empty() { t("mesh.no_material").into_owned() } else { names.join(", ") };
    told(ui, &t("mesh.materials"), &materials);
}

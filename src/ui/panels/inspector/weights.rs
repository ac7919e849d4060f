//! The weights of one vertex as numbers, and how sound those of the mesh are.

use super::{folding, labelled, send, told};
use crate::{
    command::CommandId,
    edit::MeshEdit,
    eval::skin::weights::{Table, off_one, without_weight},
    interact::view_state::ViewChange,
    model::{Document, Mesh, ObjectId, Parent, Skin},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        shell::hint_of,
        widgets::{DragField, FieldEdit},
    },
};
use egui::Ui;
use std::sync::Arc;

/// More vertices than this are not counted over in every frame.
const COUNTED: usize = 20_000;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Mesh) {
    folding(ui, "weights.title", |ui| {
        ui.horizontal_wrapped(|ui| {
            let ids = match mesh.skin {
                None => &[CommandId::BindSkin][..],
                Some(_) => &[
                    CommandId::BindSkin,
                    CommandId::NormaliseWeights,
                    CommandId::LimitWeights,
                    CommandId::MirrorWeights,
                    CommandId::Unbind,
                ],
            };
            for id in ids {
                if ui.button(t(id.spec().title)).on_hover_text(hint_of(*id)).clicked() {
                    ctx.commands.run(*id);
                }
            }
        });
        let Some(skin) = &mesh.skin else { return };
        if mesh.len() <= COUNTED {
            let (off, none) = (off_one(skin), without_weight(skin).len());
            // What rounding leaves is none.
            let off = if off < 1e-6 { "0".to_owned() } else { format!("{off:.1e}") };
            ui.weak(fill("weights.facts", &[("off", &off), ("none", &none)]));
        }
        table(ui, ctx, object, mesh, skin);
    });
}

/// The joints that the vertex in question follows, each with its weight.
fn table(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Mesh, skin: &Arc<Skin>) {
    let vertex = ctx.view.weighed.filter(|(of, _)| *of == object).map_or(0, |(_, vertex)| vertex);
    let vertex = vertex.min(mesh.len().saturating_sub(1));
    let name = t("weights.vertex");
    labelled(ui, &name, |ui| {
        let last = mesh.len().saturating_sub(1) as f64;
        let field = DragField::new(&name, vertex as f64).decimals(0).speed(0.2).range(0.0, last);
        let (response, edits) = field.show(ui);
        response.on_hover_text(t("weights.vertex_hint").into_owned());
        for edit in edits {
            if let FieldEdit::Change(value) = edit {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the mesh")]
                let vertex = value.round().clamp(0.0, last) as usize;
                ctx.commands.view(ViewChange::WeighedVertex(Some((object, vertex))));
            }
        }
    });
    let own = Table::new(skin, 1);
    let shares = own.shares(vertex);
    for (slot, share) in &shares {
        let Some(joint) = skin.joints.get(usize::from(*slot)) else { continue };
        let name = joint_name(ctx.document, joint.joint);
        labelled(ui, &name, |ui| {
            let field = DragField::new(&name, f64::from(*share)).decimals(3).speed(0.005).range(0.0, 1.0);
            let (_, edits) = field.show(ui);
            send(ctx, "history.set_weight", edits, |value| {
                let base = ctx.session.base().object(object).and_then(|object| object.as_mesh());
                let skin = base.and_then(|mesh| mesh.skin.as_ref()).unwrap_or(skin);
                let mut table = Table::new(skin, 1);
                #[expect(clippy::cast_possible_truncation, reason = "weights are held in single precision")]
                table.set(vertex, *slot, value as f32);
                Ok(MeshEdit::SetSkin { object, skin: Some(Arc::new(table.on(skin))) }.into())
            });
        });
    }
    let sum: f32 = shares.iter().map(|(_, share)| share).sum();
    told(ui, &t("weights.sum"), &format!("{sum:.3}"));
}

fn joint_name(document: &Document, joint: Parent) -> String {
    let object = document.object(joint.object());
    match joint {
        Parent::Joint(_, joint) => {
            let rig = object.and_then(|object| object.as_rig());
            rig.and_then(|rig| rig.skeleton.joint(joint)).map_or(String::new(), |joint| joint.name.clone())
        }
        Parent::Object(_) => object.map_or(String::new(), |object| object.name.clone()),
    }
}

//! The face board: the shapes of a mesh as sliders by what they are for, both sides at once, and new shapes from what is there.

mod make;
mod row;

use crate::{
    command::CommandId,
    edit::{
        Edit, EditError, Selection,
        numbers::{key_numbers, number_edit},
        shapes::other_side,
    },
    eval::{
        mesh::{cancelled, mesh_state},
        sample::{Stage, number},
    },
    model::{ChannelPath, Component, Mesh, MorphGroup, MorphId, MorphTarget, ObjectId, Property, Target},
    text::{fill, t},
    ui::panel::{Panel, PanelContext},
};
use egui::{CollapsingHeader, ScrollArea, Ui};
use std::sync::Arc;

/// Beside each other from this width on, points.
const COLUMN_PT: f32 = 300.0;

/// The panel.
#[derive(Debug)]
pub struct FaceBoardPanel {
    /// Whether a slider moves the shape of the other side too.
    both: bool,
    /// What was measured last: the weights, and how much they undo of each other.
    measured: Option<(Arc<Mesh>, Vec<f64>, f64)>,
    /// The shape whose name is being typed.
    renamed: Option<(ObjectId, MorphId, String)>,
}

impl Default for FaceBoardPanel {
    fn default() -> Self {
        Self { both: true, measured: None, renamed: None }
    }
}

/// Whether a shape of a group is shown under a title.
type Belongs = fn(MorphGroup) -> bool;

/// The groups in the order they are shown, with their text keys.
const GROUPS: [(&str, Belongs); 5] = [
    ("face.expressions", |group| group == MorphGroup::Expression),
    ("face.visemes", |group| group == MorphGroup::Viseme),
    ("face.actions", |group| matches!(group, MorphGroup::Action(_))),
    ("face.conformation", |group| group == MorphGroup::Conformation),
    ("face.others", |group| group == MorphGroup::Other),
];

/// The mesh that is shown: the selected one that has shapes, else the only one.
pub(in crate::ui) fn shown(ctx: &PanelContext<'_>) -> Option<(ObjectId, Arc<Mesh>)> {
    let mesh = |id: ObjectId| Some((id, ctx.document.object(id)?.as_mesh()?.clone()));
    let selected = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    if let Some(found) = selected.map(Target::object).find_map(mesh) {
        return Some(found);
    }
    let mut all = ctx.document.objects.keys().filter_map(|id| mesh(*id)).filter(|(_, mesh)| !mesh.morphs.is_empty());
    all.next().filter(|_| all.next().is_none())
}

/// The channel of a shape's weight.
const fn path_of(object: ObjectId, morph: MorphId) -> ChannelPath {
    let target = Target::Morph(object, morph);
    ChannelPath { target, property: Property::Weight, component: Component::Only }
}

/// A shape's weight as its channel has it at the time shown.
fn weight(ctx: &PanelContext<'_>, object: ObjectId, morph: &MorphTarget) -> f64 {
    let clip = ctx.document.clip_of(object).and_then(|clip| ctx.document.clip(clip));
    let path = path_of(object, morph.id);
    number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown).unwrap_or(morph.weight)
}

/// The shape of the other side, by its name.
fn twin(mesh: &Mesh, morph: &MorphTarget) -> Option<MorphId> {
    let name = other_side(&morph.name)?;
    let same = |other: &&Arc<MorphTarget>| other.name == name && other.group == morph.group && other.id != morph.id;
    mesh.morphs.iter().find(same).map(|other| other.id)
}

/// Sets shapes' weights at the time shown, keyed as auto-key says.
fn weigh(ctx: &PanelContext<'_>, object: ObjectId, morphs: &[(MorphId, f64)]) -> Result<Edit, EditError> {
    let mut base = (**ctx.session.base()).clone();
    let mut edits = Vec::new();
    for (morph, value) in morphs {
        let edit = number_edit(&base, path_of(object, *morph), ctx.view.secs, *value, ctx.view.auto_key)?;
        edit.apply(&mut base)?;
        edits.push(edit);
    }
    Ok(Edit::Batch(edits))
}

impl Panel for FaceBoardPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let Some((object, mesh)) = shown(ctx) else {
            ui.weak(t("face.no_mesh"));
            if ui.button(t(CommandId::AddFace.spec().title)).clicked() {
                ctx.commands.run(CommandId::AddFace);
            }
            return;
        };
        self.head(ui, ctx, object, &mesh);
        ui.separator();
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            if mesh.morphs.is_empty() {
                ui.weak(t("face.no_shapes"));
            }
            let groups: Vec<_> =
                GROUPS.into_iter().filter(|(_, is)| mesh.morphs.iter().any(|morph| is(morph.group))).collect();
            let wide = ui.available_width() >= 2.0 * COLUMN_PT && groups.len() > 1;
            if !wide {
                for (key, is) in groups {
                    self.group(ui, ctx, (object, &mesh), (key, is));
                }
                return;
            }
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    for (key, is) in groups {
                        let side = if key == "face.actions" { &mut *left } else { &mut *right };
                        self.group(side, ctx, (object, &mesh), (key, is));
                    }
                }
            });
        });
    }
}

impl FaceBoardPanel {
    fn head(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Arc<Mesh>) {
        ui.horizontal_wrapped(|ui| {
            let name = ctx.document.object(object).map(|object| object.name.clone()).unwrap_or_default();
            if ui.link(name).on_hover_text(t("face.select_hint")).clicked() {
                ctx.commands.select(Selection::single(Target::Object(object)));
            }
            ui.checkbox(&mut self.both, t("face.both")).on_hover_text(t("face.both_hint"));
            if ui.button(t("face.zero")).on_hover_text(t("face.zero_hint")).clicked() {
                let faces = mesh.morphs.iter().filter(|morph| is_expressive(mesh, morph));
                let all: Vec<_> = faces.map(|morph| (morph.id, 0.0)).collect();
                if let Ok(edit) = weigh(ctx, object, &all) {
                    ctx.commands.apply("history.weight", edit);
                }
            }
            if ui.button(t("face.key")).on_hover_text(t("face.key_hint")).clicked() {
                let all = mesh.morphs.iter().map(|morph| (path_of(object, morph.id), weight(ctx, object, morph)));
                if let Ok(edit) = key_numbers(ctx.document, &all.collect::<Vec<_>>(), ctx.view.secs) {
                    ctx.commands.apply("history.key_number", edit);
                }
            }
            make::menu(ui, ctx, object, mesh);
            self.undone(ui, ctx, object, mesh);
        });
    }

    /// How much the shapes undo of each other.
    fn undone(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Arc<Mesh>) {
        let Some(state) = mesh_state(ctx.document, ctx.frame, object) else { return };
        let known =
            self.measured.as_ref().filter(|(of, weights, _)| Arc::ptr_eq(of, mesh) && *weights == state.weights);
        let share = known.map_or_else(|| cancelled(mesh, &state.weights), |(_, _, share)| *share);
        self.measured = Some((mesh.clone(), state.weights, share));
        let text = fill("face.cancelled", &[("percent", &format!("{:.0}", share * 100.0))]);
        let colour = if share > 0.5 { ctx.colours.warn } else { ctx.colours.weak };
        ui.colored_label(colour, text).on_hover_text(t("face.cancelled_hint"));
    }

    fn group(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        (object, mesh): (ObjectId, &Arc<Mesh>),
        (key, is): (&str, Belongs),
    ) {
        CollapsingHeader::new(t(key).into_owned()).default_open(true).id_salt(key).show(ui, |ui| {
            for morph in mesh.morphs.iter().filter(|morph| is(morph.group)) {
                self.row(ui, ctx, (object, mesh), morph);
            }
        });
    }
}

/// Whether a shape is an expression of the face, and not how it is built, nor a correction that always stands.
fn is_expressive(mesh: &Mesh, morph: &MorphTarget) -> bool {
    let corrects = matches!(morph.rule, crate::model::MorphRule::Product(_));
    morph.group != MorphGroup::Conformation && !corrects && mesh.morph(morph.id).is_some()
}

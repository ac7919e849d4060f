//! Skins: meshes bound to rigs, and what is done to all their weights.

use super::rigging::{Done, Rigged};
use crate::{
    app::{dispatch::told, jobs::JobKind, questions::Question, state::JobResult, window::App},
    command::CommandId as Id,
    edit::{
        Edit, EditError, MeshEdit,
        skins::{bound, mirrored},
    },
    eval::skin::{
        bind::{Binding, Method},
        weights::{limited, normalised, off_one, without_weight},
    },
    model::{Document, ObjectId, Skin},
    notice::Notice,
    text::{fill, t},
    ui::widgets::{
        modal::{Answer, question},
        set_name,
    },
};
use egui::{TextEdit, Ui};
use std::sync::Arc;

/// How a vertex is to find its joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Heat,
    Envelope,
    Closest,
}

impl Way {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Heat, "bind.heat"), (Self::Envelope, "bind.envelope"), (Self::Closest, "bind.closest")];
}

/// What is to be bound, and how, as typed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct BindChoice {
    meshes: Vec<ObjectId>,
    rigs: Vec<(ObjectId, String)>,
    rig: ObjectId,
    way: Way,
    spread: String,
    reach: String,
    most: String,
}

impl BindChoice {
    /// How, where the numbers are within their ranges.
    fn binding(&self) -> Option<Binding> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| (0.05..=20.0).contains(x));
        let method = match self.way {
            Way::Closest => Method::Closest,
            Way::Envelope => Method::Envelope(number(&self.reach)?),
            Way::Heat => Method::Heat(number(&self.spread)?),
        };
        let most = self.most.trim().parse::<usize>().ok().filter(|most| (1..=16).contains(most))?;
        Some(Binding { method, most })
    }
}

/// The selected meshes; else the only one there is.
fn meshes(document: &Document, selected: impl IntoIterator<Item = ObjectId>) -> Vec<ObjectId> {
    let is_mesh = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_mesh().is_some());
    let own: Vec<ObjectId> = selected.into_iter().filter(|id| is_mesh(id)).collect();
    if !own.is_empty() {
        return own;
    }
    let all: Vec<ObjectId> = document.objects.keys().copied().filter(|id| is_mesh(id)).collect();
    if all.len() == 1 { all } else { Vec::new() }
}

impl App {
    /// Carries out a command about skins.
    pub(in crate::app) fn skins(&mut self, id: Id) {
        let document = self.state.session.document().clone();
        let selected = self.state.session.selection().objects();
        let meshes = meshes(&document, selected.iter().copied());
        if meshes.is_empty() {
            return self.state.tell(Notice::info(t("bind.no_mesh").into_owned()));
        }
        if id == Id::BindSkin {
            let rigs: Vec<(ObjectId, String)> =
                document.rigs().map(|(id, object, _)| (id, object.name.clone())).collect();
            let Some((first, _)) = rigs.iter().find(|(id, _)| selected.contains(id)).or(rigs.first()) else {
                return self.state.tell(Notice::info(t("bind.no_rig").into_owned()));
            };
            let (rig, usual) = (*first, || "1".to_owned());
            let choice = BindChoice {
                meshes,
                rig,
                rigs,
                way: Way::Heat,
                spread: usual(),
                reach: "2".to_owned(),
                most: "4".to_owned(),
            };
            self.state.question = Some(Question::Bind(choice));
            return;
        }
        let changed = |id: ObjectId, change: &dyn Fn(&Skin) -> Option<Skin>| -> Option<Edit> {
            let skin = document.object(id)?.as_mesh()?.skin.clone()?;
            let skin = change(&skin)?;
            Some(MeshEdit::SetSkin { object: id, skin: Some(Arc::new(skin)) }.into())
        };
        let all = |change: &dyn Fn(ObjectId, &Skin) -> Option<Skin>| -> Vec<Edit> {
            meshes.iter().filter_map(|id| changed(*id, &|skin| change(*id, skin))).collect()
        };
        let (label, edits) = match id {
            Id::Unbind => {
                let unbound = |id: &ObjectId| MeshEdit::SetSkin { object: *id, skin: None }.into();
                ("history.unbind_skin", meshes.iter().map(unbound).collect())
            }
            Id::NormaliseWeights => ("history.normalise_weights", all(&|_, skin| Some(normalised(skin)))),
            Id::LimitWeights => ("history.limit_weights", all(&|_, skin| Some(limited(skin, 4)))),
            _ => ("history.mirror_weights", all(&|id, skin| mirrored(&document, id, skin))),
        };
        if edits.is_empty() {
            return self.state.tell(Notice::info(t("bind.no_skin").into_owned()));
        }
        let skins = meshes.iter().filter_map(|id| document.object(*id)?.as_mesh()?.skin.clone());
        let (mut none, mut off) = (0, 0.0_f32);
        for skin in skins {
            (none, off) = (none + without_weight(&skin).len(), off.max(off_one(&skin)));
        }
        let done = self.state.session.apply(label, &Edit::Batch(edits)).map(|_| ());
        if id == Id::NormaliseWeights && done.is_ok() {
            let off = format!("{off:.2e}");
            self.state.tell(Notice::info(fill("bind.normalised", &[("off", &off), ("none", &none)])));
        }
        told(self, done);
    }

    pub(in crate::app) fn bind_question(&mut self, ctx: &egui::Context, mut choice: BindChoice) -> Option<Question> {
        let binding = choice.binding();
        let (cancel, bind) = (t("question.cancel"), t("bind.do"));
        let body = |ui: &mut Ui| fields(ui, &mut choice, binding.is_some());
        let buttons = [(&*cancel, true), (&*bind, binding.is_some())];
        match (question(ctx, "bind", &t("bind.title"), body, &buttons), binding) {
            (None, _) => return Some(Question::Bind(choice)),
            (Some(Answer::Button(1)), Some(binding)) => self.bind(&choice, binding, ctx),
            _ => {}
        }
        None
    }

    /// Binds meshes beside the window, and puts the skins on in one step.
    fn bind(&mut self, choice: &BindChoice, binding: Binding, ctx: &egui::Context) {
        let (base, meshes, rig) = (self.state.session.base().clone(), choice.meshes.clone(), choice.rig);
        let secs = self.state.view.secs;
        self.start(JobKind::Binding, ctx, move |progress| {
            let joints =
                base.object(rig).and_then(|object| object.as_rig()).map_or(0, |rig| rig.skeleton.joints().len());
            progress.start(t("job.binding"), joints as u64 * meshes.len() as u64);
            let one = |id: &ObjectId| bound(&base, (*id, rig), &binding, secs, progress);
            let edits: Result<Vec<Edit>, EditError> = meshes.iter().map(one).collect();
            let vertices: usize = meshes.iter().filter_map(|id| Some(base.object(*id)?.as_mesh()?.len())).sum();
            let done = edits.map(|edits| Done {
                label: "history.bind_skin",
                edit: Edit::Batch(edits),
                told: fill("bind.bound", &[("vertices", &vertices), ("joints", &joints)]),
            });
            JobResult::Rigged(Rigged { base, done })
        });
    }
}

fn fields(ui: &mut Ui, choice: &mut BindChoice, sound: bool) {
    egui::Grid::new("bind").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        ui.label(t("bind.rig").into_owned());
        ui.name_inputs(t("bind.rig"), |ui| {
            let shown = choice.rigs.iter().find(|(id, _)| *id == choice.rig).map_or("", |(_, name)| name.as_str());
            egui::ComboBox::from_id_salt("rig").selected_text(shown).width(160.0).show_ui(ui, |ui| {
                for (id, name) in &choice.rigs {
                    ui.selectable_value(&mut choice.rig, *id, name);
                }
            });
        });
        ui.end_row();
        ui.label(t("bind.way").into_owned());
        ui.vertical(|ui| {
            for (way, key) in Way::ALL {
                ui.radio_value(&mut choice.way, way, t(key).into_owned()).on_hover_text(t(&format!("{key}_hint")));
            }
        });
        ui.end_row();
        let number = |ui: &mut Ui, key: &str, text: &mut String| {
            ui.label(t(key).into_owned()).on_hover_text(t(&format!("{key}_hint")));
            let response = ui.add(TextEdit::singleline(text).desired_width(80.0));
            set_name(ui, &response, &t(key));
            ui.end_row();
        };
        match choice.way {
            Way::Heat => number(ui, "bind.spread", &mut choice.spread),
            Way::Envelope => number(ui, "bind.reach", &mut choice.reach),
            Way::Closest => {}
        }
        number(ui, "bind.most", &mut choice.most);
    });
    if !sound {
        ui.weak(t("bind.refused").into_owned());
    }
}

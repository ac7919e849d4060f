//! Questions that stand in front of the window.

use super::{
    actions::{
        characters::CharacterChoice,
        export::{ExportChoice, GltfChoice, positive},
        export_beside::BesideChoice,
        plot::PlotChoice,
    },
    files::{DialogKind, DialogRequest},
    open_file::with_extension,
    state::Pending,
    window::App,
};
use crate::{
    io::gltf::DeformersOut,
    math::EulerOrder,
    model::{FrameRate, LengthUnit},
    text::{fill, t},
    ui::widgets::{
        drag_field,
        modal::{Answer, question},
        set_name,
    },
};
use egui::{TextEdit, Ui};
use std::path::{Path, PathBuf};

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Question {
    /// Changes would be lost by this.
    Unsaved(Pending),
    /// A file is there already.
    Overwrite(DialogKind, PathBuf),
    /// A path is to be typed.
    Path(DialogRequest, String),
    /// Another program has changed the document's file.
    ChangedOnDisk(PathBuf),
    /// What to export.
    Export(ExportChoice),
    /// How a plot is to look.
    Plot(PlotChoice),
    /// How closely to export glTF.
    ExportGltf(GltfChoice),
    /// What to export beside the document.
    ExportBeside(BesideChoice),
    /// The numbers of a new character.
    NewCharacter(CharacterChoice),
    /// How meshes are to be bound to a rig.
    Bind(crate::app::actions::skins::BindChoice),
    /// What the program is.
    About,
}

impl App {
    /// Says what the program is.
    pub(super) fn about(&mut self) {
        self.state.question = Some(Question::About);
    }

    /// Shows the question that is open, and does what it is answered with.
    pub(super) fn question(&mut self, ctx: &egui::Context) {
        let Some(asked) = self.state.question.take() else { return };
        let open = match asked {
            Question::Unsaved(pending) => self.unsaved(ctx, pending),
            Question::Overwrite(kind, path) => self.overwrite(ctx, kind, path),
            Question::Path(request, text) => self.path(ctx, request, text),
            Question::ChangedOnDisk(path) => self.changed_on_disk(ctx, path),
            Question::Export(choice) => self.export(ctx, choice),
            Question::Plot(choice) => self.plot_question(ctx, choice),
            Question::ExportGltf(choice) => self.export_gltf(ctx, choice),
            Question::ExportBeside(choice) => self.beside_question(ctx, choice),
            Question::NewCharacter(choice) => self.character_question(ctx, choice),
            Question::Bind(choice) => self.bind_question(ctx, choice),
            Question::About => about(ctx),
        };
        // Doing what it was answered with may have raised another.
        match open {
            Some(open) => self.state.question = Some(open),
            None => ctx.request_repaint(),
        }
    }

    fn unsaved(&mut self, ctx: &egui::Context, pending: Pending) -> Option<Question> {
        let title = fill("question.unsaved", &[("name", &self.state.file.name)]);
        let (drop, cancel, save) = (t("question.drop"), t("question.cancel"), t("question.save"));
        let buttons = [(&*drop, true), (&*cancel, true), (&*save, true)];
        let answer = question(ctx, "unsaved", &title, |ui| weak(ui, "question.unsaved_hint"), &buttons);
        match answer {
            None => return Some(Question::Unsaved(pending)),
            Some(Answer::Button(0)) => self.go_on(pending, ctx),
            Some(Answer::Button(2)) => {
                self.state.after_save = Some(pending);
                self.save(ctx);
            }
            Some(_) => {}
        }
        None
    }

    fn overwrite(&mut self, ctx: &egui::Context, kind: DialogKind, path: PathBuf) -> Option<Question> {
        let title = fill("question.overwrite", &[("name", &path.file_name().unwrap_or_default().to_string_lossy())]);
        let (cancel, replace) = (t("question.cancel"), t("question.replace"));
        let body = |ui: &mut Ui| {
            ui.weak(path.display().to_string());
        };
        match question(ctx, "overwrite", &title, body, &[(&*cancel, true), (&*replace, true)]) {
            None => return Some(Question::Overwrite(kind, path)),
            Some(Answer::Button(1)) => self.chosen(kind, path, ctx),
            // Back to the name: another is wanted, and this one need not be typed again.
            Some(_) => {
                let folder = path.parent().map(Path::to_owned);
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                self.state.ask(DialogRequest { kind, folder, name }, ctx);
            }
        }
        None
    }

    fn changed_on_disk(&mut self, ctx: &egui::Context, path: PathBuf) -> Option<Question> {
        let title = fill("question.changed", &[("name", &self.state.file.name)]);
        let hint = if self.state.session.is_modified() { "question.changed_both" } else { "question.changed_hint" };
        let (reload, keep) = (t("question.reload"), t("question.keep_mine"));
        match question(ctx, "changed", &title, |ui| weak(ui, hint), &[(&*reload, true), (&*keep, true)]) {
            None => return Some(Question::ChangedOnDisk(path)),
            Some(Answer::Button(0)) => self.go_on(Pending::Open(Some(path)), ctx),
            Some(_) => {
                // The file holds something else now: what is kept here is nowhere else.
                self.state.file.acknowledge();
                self.state.session.mark_unsaved();
            }
        }
        None
    }

    fn path(&mut self, ctx: &egui::Context, request: DialogRequest, mut text: String) -> Option<Question> {
        let title = t(request.kind.title());
        let (cancel, done) = (t("question.cancel"), title.clone());
        let several = request.kind.several();
        let named = Path::new(text.trim()).file_name().is_some();
        let fault = match (several, request.kind.writes()) {
            (true, _) => several_fault(&text),
            (false, true) => None,
            (false, false) => read_fault(Path::new(text.trim())),
        };
        let body = |ui: &mut Ui| {
            weak(ui, if several { "question.paths_hint" } else { "question.path_hint" });
            let response = ui.add(TextEdit::singleline(&mut text).desired_width(f32::INFINITY));
            set_name(ui, &response, &t("question.path"));
            if ui.memory(|memory| memory.focused()).is_none() {
                response.request_focus();
            }
            ui.label(fault.map(|fault| t(fault).into_owned()).unwrap_or_default());
        };
        let answer = question(ctx, "path", &title, body, &[(&*cancel, true), (&*done, named && fault.is_none())]);
        match answer {
            None => return Some(Question::Path(request, text)),
            Some(Answer::Button(1)) => {
                if several {
                    self.read_clips(typed_paths(&text), ctx);
                    return None;
                }
                let path = PathBuf::from(text.trim());
                if !request.kind.writes() {
                    self.chosen(request.kind, path, ctx);
                    return None;
                }
                let path = with_extension(&path, request.kind.extensions());
                if path.exists() {
                    return Some(Question::Overwrite(request.kind, path));
                }
                self.chosen(request.kind, path, ctx);
            }
            Some(_) => self.state.after_save = None,
        }
        // What was chosen may have raised a question of its own.
        self.state.question.take()
    }

    fn export(&mut self, ctx: &egui::Context, mut choice: ExportChoice) -> Option<Question> {
        let (cancel, done) = (t("question.cancel"), t("question.choose_file"));
        let rate_ok = FrameRate::parse(&choice.rate).is_some();
        let digits = choice.digits.trim();
        let digits_ok = digits.is_empty() || digits.parse::<u8>().is_ok_and(|digits| digits <= 17);
        let ends_ok = choice.end_length.trim().is_empty() || positive(&choice.end_length).is_some();
        let document = self.state.session.document().clone();
        let body = |ui: &mut Ui| export_choices(ui, &document, &mut choice, rate_ok);
        let buttons = [(&*cancel, true), (&*done, rate_ok && digits_ok && ends_ok)];
        let answer = question(ctx, "export", &t("dialog.export_bvh"), body, &buttons);
        match answer {
            None => return Some(Question::Export(choice)),
            Some(Answer::Button(1)) => {
                self.state.export = Some(choice);
                self.ask_export_file(ctx);
            }
            Some(_) => {}
        }
        None
    }
}

impl App {
    fn export_gltf(&mut self, ctx: &egui::Context, mut choice: GltfChoice) -> Option<Question> {
        let (cancel, done) = (t("question.cancel"), t("question.choose_file"));
        let options = choice.options();
        let secs = self.state.view.secs;
        let body = |ui: &mut Ui| gltf_choices(ui, &mut choice, (options.is_some(), secs));
        let buttons = [(&*cancel, true), (&*done, options.is_some())];
        let answer = question(ctx, "export_gltf", &t("dialog.export_gltf"), body, &buttons);
        match answer {
            None => return Some(Question::ExportGltf(choice)),
            Some(Answer::Button(1)) => {
                self.state.gltf_export = options;
                self.ask_gltf_file(ctx);
            }
            Some(_) => {}
        }
        None
    }
}

fn gltf_choices(ui: &mut Ui, choice: &mut GltfChoice, (sound, secs): (bool, f64)) {
    weak(ui, "export.gltf_hint");
    ui.add_space(8.0);
    egui::Grid::new("export_gltf").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        let fields = [("export.tolerance", &mut choice.millimetres), ("export.tolerance_angle", &mut choice.degrees)];
        for (key, text) in fields {
            ui.label(t(key).into_owned());
            let response = ui.add(TextEdit::singleline(text).desired_width(80.0));
            set_name(ui, &response, &t(key));
            ui.end_row();
        }
        ui.label(t("export.influences").into_owned());
        ui.checkbox(&mut choice.all_influences, t("export.all_influences").into_owned());
        ui.end_row();
        ui.label(t("export.layout").into_owned());
        ui.checkbox(&mut choice.split, t("export.split").into_owned());
        ui.end_row();
        ui.label(t("export.deformers").into_owned());
        ui.horizontal(|ui| {
            let rows = [
                (DeformersOut::Bake, "export.deformers_bake"),
                (DeformersOut::Apply { secs }, "export.deformers_apply"),
                (DeformersOut::Leave, "export.deformers_leave"),
            ];
            for (value, key) in rows {
                ui.selectable_value(&mut choice.deformers, value, t(key).into_owned());
            }
        });
        ui.end_row();
        let bakes = choice.deformers == DeformersOut::Bake;
        ui.label(t("export.shape_tolerance").into_owned());
        let field = TextEdit::singleline(&mut choice.shape_millimetres).desired_width(80.0);
        let response = ui.add_enabled(bakes, field);
        set_name(ui, &response, &t("export.shape_tolerance"));
        ui.end_row();
        ui.label("");
        ui.add_enabled(bakes, egui::Checkbox::new(&mut choice.bake_dual, t("export.bake_dual").into_owned()));
        ui.end_row();
    });
    if !sound {
        weak(ui, "export.tolerance_refused");
    }
}

fn weak(ui: &mut Ui, key: &str) {
    ui.weak(t(key).into_owned());
}

/// Why a typed path cannot be read, as a text key.
fn read_fault(path: &Path) -> Option<&'static str> {
    if path.as_os_str().is_empty() || path.is_dir() {
        Some("question.path_wanted")
    } else if path.exists() {
        None
    } else {
        Some("question.path_missing")
    }
}

/// The paths of a typed list, apart by semicolons.
fn typed_paths(text: &str) -> Vec<PathBuf> {
    text.split(';').map(str::trim).filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

/// Why none of the typed paths can be read, as a text key; a folder stands for what is in it.
fn several_fault(text: &str) -> Option<&'static str> {
    let paths = typed_paths(text);
    if paths.is_empty() {
        Some("question.path_wanted")
    } else if paths.iter().all(|path| !path.exists()) {
        Some("question.path_missing")
    } else {
        None
    }
}

fn export_choices(ui: &mut Ui, document: &crate::model::Document, choice: &mut ExportChoice, rate_ok: bool) {
    egui::Grid::new("export").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        let name = |id| document.object(id).map(|object| object.name.clone()).unwrap_or_default();
        ui.label(t("export.rig").into_owned());
        ui.name_inputs(t("export.rig"), |ui| {
            egui::ComboBox::from_id_salt("rig").selected_text(name(choice.object)).width(180.0).show_ui(ui, |ui| {
                for (id, object, _) in document.rigs() {
                    ui.selectable_value(&mut choice.object, id, &object.name);
                }
            });
        });
        ui.end_row();
        ui.label(t("export.unit").into_owned());
        let own = document
            .object(choice.object)
            .and_then(|object| object.as_rig())
            .map_or("m".into(), |rig| drag_field::unit_text(rig.unit));
        let own = fill("export.own_unit", &[("unit", &own)]);
        let shown = choice.unit.map_or(own.as_str(), |unit| unit.symbol());
        ui.name_inputs(t("export.unit"), |ui| {
            egui::ComboBox::from_id_salt("unit").selected_text(shown).width(180.0).show_ui(ui, |ui| {
                ui.selectable_value(&mut choice.unit, None, &own);
                for unit in LengthUnit::ALL {
                    ui.selectable_value(&mut choice.unit, Some(unit), unit.symbol());
                }
            });
        });
        ui.end_row();
        ui.label(t("timeline.rate").into_owned());
        ui.horizontal(|ui| {
            let response = ui.add(TextEdit::singleline(&mut choice.rate).desired_width(80.0));
            set_name(ui, &response, &t("timeline.rate"));
            if !rate_ok {
                ui.label(t("export.rate_refused").into_owned());
            }
        });
        ui.end_row();
        ui.label(t("export.range").into_owned());
        ui.checkbox(&mut choice.play_range, t("export.play_range").into_owned());
        ui.end_row();
        bvh_form(ui, choice);
    });
}

/// How the numbers of BVH are laid out.
fn bvh_form(ui: &mut Ui, choice: &mut ExportChoice) {
    ui.label(t("export.order").into_owned());
    let own = t("export.own_order");
    let name = |order: EulerOrder| format!("{order:?}").to_uppercase();
    let shown = choice.order.map_or_else(|| own.to_string(), name);
    ui.name_inputs(t("export.order"), |ui| {
        egui::ComboBox::from_id_salt("order").selected_text(shown).width(180.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut choice.order, None, own.into_owned());
            for order in EulerOrder::ALL {
                ui.selectable_value(&mut choice.order, Some(order), name(order));
            }
        });
    });
    ui.end_row();
    ui.label(t("export.positions").into_owned());
    ui.checkbox(&mut choice.root_translation_only, t("export.root_only").into_owned());
    ui.end_row();
    ui.label(t("export.digits").into_owned());
    let field = TextEdit::singleline(&mut choice.digits).desired_width(80.0).hint_text(t("export.all_digits"));
    let response = ui.add(field);
    set_name(ui, &response, &t("export.digits"));
    ui.end_row();
    ui.label(t("export.end_length").into_owned());
    let field = TextEdit::singleline(&mut choice.end_length).desired_width(80.0).hint_text(t("export.own_length"));
    let response = ui.add(field);
    set_name(ui, &response, &t("export.end_length"));
    ui.end_row();
}

fn about(ctx: &egui::Context) -> Option<Question> {
    let close = t("question.close");
    let body = |ui: &mut Ui| {
        ui.label(fill("about.version", &[("version", &env!("CARGO_PKG_VERSION"))]));
        weak(ui, "about.text");
        weak(ui, "about.licence");
    };
    question(ctx, "about", &t("about.title"), body, &[(&*close, true)]).is_none().then_some(Question::About)
}

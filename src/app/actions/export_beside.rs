//! Several kinds of file at once, beside the document and named as it is: the export that is done again and again.

use super::export::{ExportChoice, GltfChoice, bvh_written, gltf_written, obj_written};
use crate::{
    app::{jobs::JobKind, questions::Question, state::JobResult, window::App},
    io::obj::ObjExport,
    model::LengthUnit,
    text::{fill, t},
    ui::widgets::{
        modal::{Answer, question},
        set_name,
    },
};
use egui::{TextEdit, Ui};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A kind of file that is exported beside a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gltf,
    Bvh,
    Obj,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Gltf, Self::Bvh, Self::Obj];

    const fn extension(self) -> &'static str {
        match self {
            Self::Gltf => "glb",
            Self::Bvh => "bvh",
            Self::Obj => "obj",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Gltf => "export.gltf",
            Self::Bvh => "export.bvh",
            Self::Obj => "export.obj",
        }
    }
}

/// Which kinds are wanted; kept between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::app) struct ExportKinds {
    gltf: bool,
    bvh: bool,
    obj: bool,
}

impl Default for ExportKinds {
    /// What carries motion.
    fn default() -> Self {
        Self { gltf: true, bvh: true, obj: false }
    }
}

impl ExportKinds {
    const fn of(&mut self, kind: Kind) -> &mut bool {
        match kind {
            Kind::Gltf => &mut self.gltf,
            Kind::Bvh => &mut self.bvh,
            Kind::Obj => &mut self.obj,
        }
    }
}

/// What is to be written, and where.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct BesideChoice {
    /// The folder and the name without an ending, as typed.
    place: String,
    kinds: ExportKinds,
}

impl BesideChoice {
    /// The files, where the place is one; of the kinds there is something to write of.
    fn files(&self, has_rig: bool) -> Vec<(Kind, PathBuf)> {
        let mut kinds = self.kinds;
        let wanted = Kind::ALL.into_iter().filter(|kind| *kinds.of(*kind) && (has_rig || *kind != Kind::Bvh));
        wanted.map(|kind| (kind, PathBuf::from(format!("{}.{}", self.place.trim(), kind.extension())))).collect()
    }

    /// What is amiss with the place, as a text key.
    fn fault(&self) -> Option<&'static str> {
        let path = Path::new(self.place.trim());
        let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.file_name().is_none() || self.place.trim_end().ends_with(std::path::is_separator) {
            Some("question.path_wanted")
        } else if parent.is_some_and(|folder| !folder.is_dir()) {
            Some("export.no_folder")
        } else {
            None
        }
    }
}

impl App {
    /// Asks what to export beside the document.
    pub(in crate::app) fn ask_beside(&mut self) {
        let file = &self.state.file;
        let own = file.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let folder = own.or_else(|| self.state.settings.folder.clone()).or_else(|| std::env::current_dir().ok());
        let place = folder.unwrap_or_default().join(file.stem()).to_string_lossy().into_owned();
        self.state.question = Some(Question::ExportBeside(BesideChoice { place, kinds: self.state.settings.export }));
    }

    pub(in crate::app) fn beside_question(
        &mut self,
        ctx: &egui::Context,
        mut choice: BesideChoice,
    ) -> Option<Question> {
        let has_rig = self.rig_in_question().is_some();
        let (cancel, done) = (t("question.cancel"), t("export.write"));
        let ready = choice.fault().is_none() && !choice.files(has_rig).is_empty();
        let body = |ui: &mut Ui| fields(ui, &mut choice, has_rig);
        let answer = question(ctx, "beside", &t("dialog.export"), body, &[(&*cancel, true), (&*done, ready)]);
        match answer {
            None => return Some(Question::ExportBeside(choice)),
            Some(Answer::Button(1)) => self.write_beside(&choice, ctx),
            Some(_) => {}
        }
        None
    }

    fn write_beside(&mut self, choice: &BesideChoice, ctx: &egui::Context) {
        self.state.settings.export = choice.kinds;
        self.state.save_settings();
        let document = self.state.session.base().clone();
        let rig = self.rig_in_question();
        let (files, secs) = (choice.files(rig.is_some()), self.state.view.secs);
        self.start(JobKind::Export, ctx, move |progress| {
            let written = files.into_iter().map(|(kind, path)| {
                let result = match (kind, rig, GltfChoice::default().options()) {
                    (Kind::Bvh, Some(rig), _) => {
                        let options = ExportChoice::new(&document, rig).options(&document);
                        bvh_written(&document, rig, options, &path, progress)
                    }
                    (Kind::Gltf, _, Some(options)) => gltf_written(&document, options, &path, progress),
                    _ => {
                        let stem = crate::io::open::stem(&path);
                        let options = ObjExport { secs, unit: LengthUnit::Metre, stem };
                        obj_written(&document, &options, &path, progress)
                    }
                };
                (path, result)
            });
            JobResult::Exported(written.collect())
        });
    }
}

fn fields(ui: &mut Ui, choice: &mut BesideChoice, has_rig: bool) {
    ui.label(t("export.place").into_owned());
    let field = ui.add(TextEdit::singleline(&mut choice.place).desired_width(f32::INFINITY));
    set_name(ui, &field, &t("export.place"));
    ui.add_space(8.0);
    let fault = choice.fault();
    egui::Grid::new("beside").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        for kind in Kind::ALL {
            let able = has_rig || kind != Kind::Bvh;
            let mut wanted = *choice.kinds.of(kind) && able;
            let tick = ui.add_enabled(able, egui::Checkbox::new(&mut wanted, t(kind.title()).into_owned()));
            tick.on_disabled_hover_text(t("export.no_rig"));
            if able {
                *choice.kinds.of(kind) = wanted;
            }
            let path = PathBuf::from(format!("{}.{}", choice.place.trim(), kind.extension()));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if wanted && fault.is_none() {
                ui.weak(fill(if path.exists() { "export.replaces" } else { "export.new_file" }, &[("name", &name)]));
            }
            ui.end_row();
        }
    });
    ui.add_space(4.0);
    ui.weak(fault.map_or_else(|| t("export.beside_hint"), t).into_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_the_place_and_by_what_there_is() {
        let choice = BesideChoice { place: " /a/walk.one ".to_owned(), kinds: ExportKinds::default() };
        let names = |has_rig| -> Vec<PathBuf> { choice.files(has_rig).into_iter().map(|(_, path)| path).collect() };
        assert_eq!(names(true), [PathBuf::from("/a/walk.one.glb"), PathBuf::from("/a/walk.one.bvh")]);
        assert_eq!(names(false), [PathBuf::from("/a/walk.one.glb")]);
    }

    #[test]
    fn a_place_is_a_name_in_a_folder_that_is_there() {
        let here = std::env::temp_dir();
        let fault = |place: String| BesideChoice { place, kinds: ExportKinds::default() }.fault();
        let within = |name: &str| here.join(name).to_string_lossy().into_owned();
        assert_eq!(fault(within("walk")), None);
        assert_eq!(fault("walk".to_owned()), None);
        assert_eq!(fault(within("no such folder here/walk")), Some("export.no_folder"));
        for nameless in [String::new(), " ".to_owned(), within("")] {
            assert_eq!(fault(nameless), Some("question.path_wanted"));
        }
    }
}

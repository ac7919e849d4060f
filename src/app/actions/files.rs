//! New, open, import, save: work beside the window, questions where something would be lost.

use crate::{
    app::{
        files::{DialogKind, DialogRequest},
        jobs::JobKind,
        open_file::{OpenFile, with_extension},
        questions::Question,
        state::{JobResult, Pending},
        window::App,
    },
    edit::{Edit, ImportEdit, Session},
    interact::view_state::{Playback, ViewChange},
    io::{
        bvh::ImportOptions,
        open::{FileKind, OpenError, Opened, import, open},
        report::Report,
        ron,
    },
    model::Document,
    notice::Notice,
    text::{fill, t},
    ui::subject,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl App {
    /// Does something that drops the document: asks first where changes would be lost.
    pub(in crate::app) fn guarded(&mut self, pending: Pending, ctx: &egui::Context) {
        if self.state.jobs.is_running(JobKind::Save) {
            self.state.after_save = Some(pending);
        } else if self.state.session.is_modified() {
            self.state.question = Some(Question::Unsaved(pending));
        } else {
            self.go_on(pending, ctx);
        }
    }

    /// Does it, changes or not.
    pub(in crate::app) fn go_on(&mut self, pending: Pending, ctx: &egui::Context) {
        match pending {
            Pending::New => self.replace(Session::new(Document::default()), OpenFile::untitled(&t("file.untitled"))),
            Pending::Sample(id) => self.open_sample(id),
            Pending::Open(None) => self.ask_for(DialogKind::Open, None, ctx),
            Pending::Open(Some(path)) => self.open(path, ctx),
            Pending::OpenLast => self.open_last(ctx),
            Pending::OpenAll(paths) => self.open_all(paths, ctx),
            Pending::Recover => self.open_recovered(),
            Pending::Quit => {
                self.state.closing = true;
                ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            }
        }
    }

    /// Opens a sample and lays ready what it is for.
    pub(in crate::app) fn open_sample(&mut self, id: &str) {
        let sample = crate::samples::SAMPLES.iter().find(|sample| sample.id == id);
        let document = sample.map_or_else(crate::samples::start, |sample| (sample.build)());
        self.replace(Session::new(document), OpenFile::untitled(&t(&format!("file.sample_{id}"))));
        self.set_stage(id);
    }

    /// Another document in place of the open one: nothing of that one stays.
    pub(in crate::app) fn replace(&mut self, session: Session, file: OpenFile) {
        let settings = &session.document().settings;
        let (rate, range) = (settings.rate, settings.play_range);
        self.state.session = session;
        // Joints of another document have the same numbers.
        self.state.view.drag.held.clear();
        if let Some(recorder) = self.state.keeper.opened(&file.name, file.path.as_deref()) {
            self.state.session.record(recorder);
        }
        self.state.file = file;
        for change in [
            ViewChange::Playback(Playback::Stopped),
            ViewChange::Time(rate.secs(range.first)),
            ViewChange::Timeline(None),
            ViewChange::Isolate(None),
            ViewChange::Trailed(std::collections::BTreeSet::new()),
        ] {
            self.state.view.apply(change);
        }
        self.state.view.graph = None;
        self.state.frame_all = true;
    }

    pub(in crate::app) fn ask_for(&mut self, kind: DialogKind, name: Option<String>, ctx: &egui::Context) {
        let folder = self.state.file.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let folder = folder.or_else(|| self.state.settings.folder.clone());
        self.state.ask(DialogRequest { kind, folder, name }, ctx);
    }

    /// Asks for a picture to animate by.
    pub(in crate::app) fn ask_reference(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::Reference, None, ctx);
    }

    /// Asks where to draw what plays.
    pub(in crate::app) fn ask_playblast(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::Playblast, Some(self.state.file.proposed("gif")), ctx);
    }

    /// Asks for motion to import.
    pub(in crate::app) fn ask_import(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::Import, None, ctx);
    }

    /// Asks where to write motion.
    pub(in crate::app) fn ask_export_file(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::ExportBvh, Some(self.state.file.proposed("bvh")), ctx);
    }

    /// Asks where to save a plot.
    pub(in crate::app) fn ask_plot_file(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::SavePlot, Some(self.state.file.proposed("svg")), ctx);
    }

    /// Asks where to write glTF.
    pub(in crate::app) fn ask_gltf_file(&mut self, ctx: &egui::Context) {
        let layout = self.state.gltf_export.as_ref().map(|options| &options.layout);
        let split = layout.is_some_and(|layout| *layout != crate::io::gltf::GltfLayout::Binary);
        let kind = if split { DialogKind::ExportGltfSplit } else { DialogKind::ExportGltf };
        self.ask_for(kind, Some(self.state.file.proposed(if split { "gltf" } else { "glb" })), ctx);
    }

    /// Asks where to write the present shape.
    pub(in crate::app) fn ask_obj_file(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::ExportObj, Some(self.state.file.proposed("obj")), ctx);
    }

    /// Saves in place, or asks where.
    pub(in crate::app) fn save(&mut self, ctx: &egui::Context) {
        match self.state.file.path.clone() {
            Some(path) if self.state.file.changed_on_disk() => {
                self.state.after_save = None;
                self.state.question = Some(Question::ChangedOnDisk(path));
            }
            Some(path) => self.write_document(path, ctx),
            None => self.save_as(ctx),
        }
    }

    /// Asks what to do where another program has changed the file meanwhile: looked at when the window is gone to again.
    pub(in crate::app) fn look_at_file(&mut self) {
        let writing = self.state.jobs.is_running(JobKind::Save) || self.state.jobs.is_running(JobKind::Open);
        if self.state.question.is_none() && !writing && self.state.file.changed_on_disk() {
            self.state.question = self.state.file.path.clone().map(Question::ChangedOnDisk);
        }
    }

    /// Asks where to save.
    pub(in crate::app) fn save_as(&mut self, ctx: &egui::Context) {
        self.ask_for(DialogKind::SaveAs, Some(self.state.file.proposed("ron")), ctx);
    }

    /// A file was chosen in a dialog.
    pub(in crate::app) fn picked(&mut self, request: DialogRequest, path: PathBuf, ctx: &egui::Context) {
        if !request.kind.writes() {
            return self.chosen(request.kind, path, ctx);
        }
        let full = with_extension(&path, request.kind.extensions());
        // The system's dialog has asked about the name it was given, not about the one with the extension.
        if full != path && full.exists() {
            self.state.question = Some(Question::Overwrite(request.kind, full));
        } else {
            self.chosen(request.kind, full, ctx);
        }
    }

    /// Does with a file what it was asked for.
    pub(in crate::app) fn chosen(&mut self, kind: DialogKind, path: PathBuf, ctx: &egui::Context) {
        match kind {
            DialogKind::Open => self.open(path, ctx),
            DialogKind::Import => self.import(path, ctx),
            DialogKind::SaveAs => self.write_document(path, ctx),
            DialogKind::ExportBvh => self.write_motion(path, ctx),
            DialogKind::Playblast => self.playblast(path, ctx),
            DialogKind::SavePlot => self.write_plot(&path),
            DialogKind::Reference => self.add_reference(&path),
            DialogKind::ExportGltf | DialogKind::ExportGltfSplit => self.write_gltf(path, ctx),
            DialogKind::ExportObj => self.write_obj(path, ctx),
            DialogKind::ImportEases => self.read_eases(&path),
            DialogKind::ExportEases => self.write_eases(&path),
            DialogKind::Compare => self.compare_with(path, ctx),
            DialogKind::Retarget => self.read_for_retarget(path, ctx),
            DialogKind::Clips => self.read_clips(vec![path], ctx),
            DialogKind::WarpFirst => self.read_warp_image(false, path, ctx),
            DialogKind::WarpSecond => self.read_warp_image(true, path, ctx),
        }
    }

    /// There is no dialog: a path is to be typed.
    pub(in crate::app) fn ask_path(&mut self, request: DialogRequest) {
        let folder = request.folder.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let path = request.name.as_ref().map_or_else(|| folder.join(""), |name| folder.join(name));
        self.state.question = Some(Question::Path(request, path.to_string_lossy().into_owned()));
    }

    pub(in crate::app) fn open(&mut self, path: PathBuf, ctx: &egui::Context) {
        let work = move |_: &crate::progress::Progress| {
            let result = open(&path, ImportOptions::default());
            JobResult::Opened(path, result)
        };
        self.start(JobKind::Open, ctx, work);
    }

    /// Opens the file that was open last: the one that is open too, as it is on the disk.
    fn open_last(&mut self, ctx: &egui::Context) {
        match self.state.settings.recent.first().cloned() {
            Some(path) => self.open(path, ctx),
            None => self.state.tell(Notice::info(t("file.none_yet").into_owned())),
        }
    }

    /// Imports motion.
    pub(in crate::app) fn import(&mut self, path: PathBuf, ctx: &egui::Context) {
        let document = self.state.session.base().clone();
        let selected = self.state.session.selection().active.map(crate::model::Target::object);
        let selected =
            selected.filter(|object| document.object(*object).is_some_and(|object| object.as_rig().is_some()));
        let work = move |_: &crate::progress::Progress| {
            let result = import(&path, &document, selected, ImportOptions::default());
            JobResult::Imported(path, document, result)
        };
        self.start(JobKind::Open, ctx, work);
    }

    fn write_document(&mut self, path: PathBuf, ctx: &egui::Context) {
        let document = self.state.session.base().clone();
        let work = move |_: &crate::progress::Progress| {
            let text = ron::save(&document).map_err(|error| error.to_string());
            let result =
                text.and_then(|text| crate::io::file::write(&path, text.as_bytes()).map_err(|error| error.to_string()));
            JobResult::Saved(path, document, result)
        };
        self.start(JobKind::Save, ctx, work);
    }

    /// Starts work, or says that such work runs already.
    pub(in crate::app) fn start(
        &mut self,
        kind: JobKind,
        ctx: &egui::Context,
        work: impl FnOnce(&crate::progress::Progress) -> JobResult + Send + 'static,
    ) {
        if !self.state.jobs.start(kind, ctx, work) {
            self.state.tell(Notice::warn(fill("job.busy", &[("job", &t(kind.title()))])));
        }
        ctx.request_repaint();
    }

    /// Takes what work came to.
    pub(in crate::app) fn job_finished(&mut self, result: JobResult, ctx: &egui::Context) {
        match result {
            JobResult::Opened(path, result) => {
                self.opened(&path, result);
                self.next_dropped(ctx);
            }
            JobResult::Imported(path, base, result) => {
                self.imported(&path, &base, result);
                self.next_dropped(ctx);
            }
            JobResult::Compared(looked) => self.compared(looked),
            JobResult::Saved(path, document, result) => self.saved(&path, &document, result, ctx),
            JobResult::Exported(files) => self.exported(files),
            JobResult::Lost(found, asked) => self.lost_work_found(found, asked),
            JobResult::Filmed(path, result) => self.filmed(&path, result),
            JobResult::WarpImage(second, path, read) => self.warp_image_read(second, &path, read),
            JobResult::Simplified(found) => self.simplified(found),
            JobResult::ReadForRetarget(path, result) => self.ready_to_retarget(&path, result),
            JobResult::Retargeted(object, found) => self.retargeted(object, found),
            JobResult::RemadeClip(object, label, made) => self.remade_clip(object, label, made),
            JobResult::ClipsWorked(worked) => self.clips_worked(worked),
            JobResult::Rigged(rigged) => self.rigged(rigged),
            JobResult::Slid(found) => self.slid(found),
            JobResult::Fonts(fonts) => fonts.into_iter().for_each(|font| ctx.add_font(font)),
        }
        ctx.request_repaint();
    }

    fn opened(&mut self, path: &Path, result: Result<Opened, OpenError>) {
        match result {
            Ok(opened) => {
                self.replace(Session::new(opened.document), OpenFile::opened(path, opened.kind));
                // There is work to do now: it takes the room.
                self.state.start = false;
                self.state.settings.add_recent(path);
                self.state.save_settings();
                self.tell_of_file(told(&opened.report, "file.opened", path));
            }
            Err(error) => {
                self.state.settings.recent.retain(|recent| recent != path || path.exists());
                self.tell_of_file(failed("file.not_opened", path, &error.to_string()));
                // The file named at the start: there is nothing else to show.
                if self.state.file.blank && self.state.session.document().objects.is_empty() {
                    self.open_sample("walk");
                }
            }
        }
    }

    fn imported(&mut self, path: &Path, base: &Arc<Document>, result: Result<(ImportEdit, Report), OpenError>) {
        let (edit, report) = match result {
            Ok(done) => done,
            Err(error) => return self.tell_of_file(failed("file.not_imported", path, &error.to_string())),
        };
        if !Arc::ptr_eq(base, self.state.session.base()) {
            return self.tell_of_file(Notice::error(fill("file.changed_meanwhile", &[("name", &name_of(path))])));
        }
        let plays = edit.play.first().copied().filter(|(object, _)| edit.objects.iter().any(|(id, _)| id == object));
        let done = self.state.session.apply("history.import", &Edit::from(edit)).map(|_| ());
        crate::app::dispatch::told(self, done);
        self.offer_retarget(plays);
        self.tell_of_file(told(&report, "file.imported", path));
        self.state.frame_all = true;
    }

    fn saved(&mut self, path: &Path, document: &Arc<Document>, result: Result<(), String>, ctx: &egui::Context) {
        let after = self.state.after_save.take();
        match result {
            Ok(()) => {
                self.state.written += 1;
                self.state.session.mark_saved_as(document);
                self.state.file = OpenFile::opened(path, FileKind::Ron);
                self.state.keeper.saved(&self.state.file.name, path, document);
                self.state.settings.add_recent(path);
                self.state.save_settings();
                self.state.tell(Notice::info(fill("file.saved", &[("name", &name_of(path))])));
                if let Some(pending) = after {
                    self.guarded(pending, ctx);
                }
            }
            Err(error) => self.state.tell(failed("file.not_saved", path, &error)),
        }
    }

    /// Says what was mended or guessed in a file.
    pub(in crate::app) fn report(&mut self, report: &Report, done: &str, path: &Path) {
        self.state.tell(told(report, done, path));
    }

    /// The object an export is about when only one can be meant: the selected rig, else the only one.
    pub(in crate::app) fn rig_in_question(&self) -> Option<crate::model::ObjectId> {
        let (document, selection) = (self.state.session.document(), self.state.session.selection());
        subject::object(document, selection)
            .filter(|id| document.object(*id).is_some_and(|object| object.as_rig().is_some()))
    }
}

/// That something was done to a file, and what was mended or guessed in it.
fn told(report: &Report, done: &str, path: &Path) -> Notice {
    let text = fill(done, &[("name", &name_of(path))]);
    report.to_notice(&text).unwrap_or_else(|| Notice::info(text))
}

/// The name of a file, for messages.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// What failed, on which file; the reason in the details and at once.
pub(super) fn failed(key: &str, path: &Path, error: &str) -> Notice {
    let text = fill(key, &[("name", &name_of(path)), ("error", &error)]);
    Notice::error(text).with_details(path.display().to_string())
}

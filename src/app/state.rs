//! The state of the program: what the panels see, and what commands change.

use super::{
    files::DialogRequest,
    jobs::Jobs,
    open_file::OpenFile,
    playback::{Player, Playing},
    questions::Question,
    services::Services,
    settings::Settings,
};
use crate::{
    command::{Available, CommandQueue, Keymap, PanelId},
    edit::{ImportEdit, Session},
    eval::{EvaluatedFrame, Evaluator, at_rest::AtRest, stepped::Stepped},
    interact::view_state::ViewState,
    io::{
        open::{OpenError, Opened},
        report::Report,
    },
    model::Document,
    notice::Notice,
    ui::{
        notices::Notices, palette::Palette, settings_window::SettingsWindow, shortcut_sheet::ShortcutSheet,
        theme::Colours, tour::Tour,
    },
};
use std::{borrow::Cow, cell::RefCell, path::PathBuf, sync::Arc};

/// What work beside the window came to.
pub(super) enum JobResult {
    /// A file was read to be opened.
    Opened(PathBuf, Result<Opened, OpenError>),
    /// A file was read to be imported into this document.
    Imported(PathBuf, Arc<Document>, Result<(ImportEdit, Report), OpenError>),
    /// A file was read to be compared with.
    Compared(crate::app::actions::compare::Looked),
    /// The document as it was then was written.
    Saved(PathBuf, Arc<Document>, Result<(), String>),
    /// Files were written.
    Exported(Vec<(PathBuf, Result<Report, String>)>),
    /// What plays was drawn, to so many files.
    Filmed(PathBuf, Result<usize, crate::cli::film::FilmError>),
    /// The first or the second picture of the warp lab was read.
    WarpImage(bool, PathBuf, Result<crate::eval::image_morph::Raster, String>),
    /// Curves were simplified: what they were, and what they become; none where it was stopped.
    Simplified(Option<Vec<crate::app::actions::simplify::SimplifiedCurve>>),
    /// A file was read for its motion to be brought to a character.
    ReadForRetarget(PathBuf, Result<Opened, OpenError>),
    /// Motion was brought to an object.
    Retargeted(
        crate::model::ObjectId,
        Result<Box<crate::eval::retarget::Retargeted>, crate::eval::retarget::RetargetError>,
    ),
    /// A clip of an object was made of another, with the label of the step; no clip where there is none to make, nothing
    /// where it was stopped.
    RemadeClip(crate::model::ObjectId, &'static str, Option<Option<crate::model::Clip>>),
    /// Something was done with clips of the document as it was then.
    ClipsWorked(crate::app::actions::clips::Worked),
    /// Chains of the document as it was then were matched, or its constraints baked.
    Rigged(crate::app::actions::rigging::Rigged),
    /// The slide of feet was measured; nothing where it was stopped.
    Slid(Option<Box<crate::interact::blend_space::Slides>>),
    /// Fonts were looked for.
    Fonts(Vec<egui::epaint::text::FontInsert>),
    /// Work that can be recovered was looked for; whether the user asked for it.
    Lost(super::recovery::FoundDocuments, bool),
}

/// What waits for an answer: it would lose unsaved changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// A new document.
    New,
    /// A sample, by its name.
    Sample(&'static str),
    /// A file, asked for if none is named.
    Open(Option<PathBuf>),
    /// The file that was open last.
    OpenLast,
    /// Several files: the first is opened, the others are imported into it.
    OpenAll(Vec<PathBuf>),
    /// The document to be recovered.
    Recover,
    /// The end.
    Quit,
}

/// The state of the program.
pub(super) struct AppState {
    pub(super) services: Services,
    pub(super) session: Session,
    pub(super) evaluator: Evaluator,
    /// What plays in blocking.
    stepped: RefCell<(Stepped, Evaluator)>,
    /// Figures at rest, and what evaluates them.
    rest: RefCell<(AtRest, Evaluator)>,
    /// The two times that are flipped between.
    pub(super) flip: Option<(f64, f64)>,
    pub(super) view: ViewState,
    pub(super) settings: Settings,
    pub(super) colours: Colours,
    pub(super) keymap: Keymap,
    pub(super) commands: CommandQueue,
    pub(super) notices: Notices,
    pub(super) jobs: Jobs<JobResult>,
    pub(super) file: OpenFile,
    pub(super) footage: super::footage::Footage,
    /// What the reference images show in this frame.
    pub(super) backdrops: Vec<crate::scene::Backdrop>,
    pub(super) player: Player,
    pub(super) question: Option<Question>,
    /// Dropped files that are on their way in.
    pub(super) dropped: Option<super::actions::dropped::Dropped>,
    /// Done once the document is saved.
    pub(super) after_save: Option<Pending>,
    /// What is to be exported once a file was chosen.
    pub(super) export: Option<super::actions::export::ExportChoice>,
    /// The plot that is to be written once a file was chosen.
    pub(super) plot: Option<super::actions::plot::PlotChoice>,
    /// How glTF is to be exported once a file was chosen.
    pub(super) gltf_export: Option<crate::io::gltf::GltfExport>,
    pub(super) palette: Option<Palette>,
    /// Whether the cards of samples are shown.
    pub(super) start: bool,
    pub(super) tour: Option<Tour>,
    pub(super) sheet: Option<ShortcutSheet>,
    /// The panel that is explained.
    pub(super) about: Option<PanelId>,
    /// How often something was written to a file.
    pub(super) written: u32,
    pub(super) settings_window: Option<SettingsWindow>,
    /// What can be recovered, where that is being asked.
    pub(super) recovery: Option<super::recovery::RecoveryWindow>,
    /// The document to be recovered once the open one may go.
    pub(super) recovering: Option<super::recovery::Row>,
    /// Keeps the journal of the open document.
    pub(super) keeper: super::recovery::Keeper,
    /// The pose that was copied last.
    pub(super) copied_pose: Option<crate::model::Pose>,
    /// Whether what is being pasted in this frame is text that is no pose.
    pub(super) foreign_paste: bool,
    /// What a click would do.
    pub(super) hint: Cow<'static, str>,
    /// Whether the 3D view is to show everything once it has its place.
    pub(super) frame_all: bool,
    /// Whether a hint came in this frame.
    pub(super) hinted: bool,
    /// Whether the window is not there yet.
    pub(super) starting: bool,
    /// Whether the window may close now.
    pub(super) closing: bool,
    /// Whether a text field had the focus when the last frame ended.
    pub(super) text_had_focus: bool,
    /// The objects whose names were looked at for foreign scripts.
    pub(super) names_seen: Option<Arc<std::collections::BTreeMap<crate::model::ObjectId, Arc<crate::model::Object>>>>,
    /// Whether fonts were looked for.
    pub(super) fonts_sought: bool,
}

impl AppState {
    /// The state at the start, on the sample.
    pub(super) fn new(services: Services) -> Self {
        let (settings, fault) = Settings::load(&*services.storage);
        let jobs = Jobs::new(services.jobs);
        let mut view = settings.view.clone();
        let (eases, bad_eases) = super::actions::eases::kept(&*services.storage);
        view.eases = Arc::new(eases);
        let mut state = Self {
            session: Session::new(Document::default()),
            evaluator: Evaluator::new(),
            stepped: RefCell::new((Stepped::default(), Evaluator::beside())),
            rest: RefCell::new((AtRest::default(), Evaluator::beside())),
            flip: None,
            colours: Colours::of(view.theme),
            keymap: Keymap::new(view.profile, &settings.shortcuts),
            view,
            settings,
            commands: CommandQueue::default(),
            notices: Notices::default(),
            jobs,
            backdrops: Vec::new(),
            footage: super::footage::Footage::new(services.jobs),
            file: OpenFile::untitled(&crate::text::t("file.untitled")),
            player: Player::default(),
            question: None,
            dropped: None,
            after_save: None,
            export: None,
            plot: None,
            gltf_export: None,
            palette: None,
            start: false,
            tour: None,
            sheet: None,
            about: None,
            written: 0,
            settings_window: None,
            recovery: None,
            recovering: None,
            keeper: super::recovery::Keeper::new(services.recovery.clone()),
            copied_pose: None,
            foreign_paste: false,
            hint: Cow::Borrowed(""),
            frame_all: false,
            hinted: false,
            starting: true,
            closing: false,
            text_had_focus: false,
            names_seen: None,
            fonts_sought: !services.system_fonts,
            services,
        };
        if let Some(fault) = fault {
            let text = crate::text::t("settings.unreadable");
            state.tell(Notice::warn(text).with_details(fault));
        }
        if let Some(fault) = bad_eases {
            state.tell(Notice::warn(crate::text::t("presets.unreadable")).with_details(fault.to_string()));
        }
        state
    }

    /// Tells the user something.
    pub(super) fn tell(&mut self, notice: Notice) {
        let now = self.services.clock.now();
        self.notices.add(notice, now);
    }

    /// The document as shown at the time shown: in blocking each pose held, while playing on twos every other frame's.
    pub(super) fn frame(&self) -> Arc<EvaluatedFrame> {
        let document = self.session.document();
        let settings = &document.settings;
        let secs = self.view.shown_secs(settings.rate, settings.play_range);
        if self.view.rest.on {
            let (at_rest, evaluator) = &mut *self.rest.borrow_mut();
            return evaluator.frame(&at_rest.of(document), secs);
        }
        if !self.view.stepped {
            return self.evaluator.frame(document, secs);
        }
        let (stepped, evaluator) = &mut *self.stepped.borrow_mut();
        evaluator.frame(&stepped.of(document), secs)
    }

    /// The document that the 3D view shows: while the rest pose is edited one in which nothing moves a joint.
    pub(super) fn standing(&self) -> Arc<Document> {
        let document = self.session.document();
        if self.view.rest.on { self.rest.borrow_mut().0.of(document) } else { document.clone() }
    }

    /// What commands there is ground for.
    pub(super) fn available(&self) -> Available {
        let (document, selection) = (self.session.document(), self.session.selection());
        Available {
            undo: self.session.can_undo(),
            redo: self.session.can_redo(),
            selection: !selection.targets.is_empty(),
            rig: document.rigs().next().is_some(),
            object: !document.objects.is_empty(),
            keys: !selection.keys.is_empty(),
            unkeyed: document.clips.values().any(|clip| clip.unkeyed_at(self.view.secs).is_some()),
        }
    }

    /// What playing needs to know.
    pub(super) fn playing(&self) -> Playing {
        let settings = &self.session.document().settings;
        let (rate, range) = (settings.rate, settings.play_range);
        Playing { rate, range, seamless: self.view.is_playing() && self.is_seamless() }
    }

    /// Whether the play range's last frame shows what its first shows.
    fn is_seamless(&self) -> bool {
        let document = self.session.document();
        let (rate, range) = (document.settings.rate, document.settings.play_range);
        let at = |frame: i64| self.evaluator.frame(document, rate.secs(frame));
        let (first, last) = (at(range.first), at(range.last));
        range.last > range.first
            && first.objects.iter().all(|(id, object)| last.objects.get(id).is_some_and(|other| same(object, other)))
    }

    /// Asks the system for a file; the answer comes to `logic`.
    pub(super) fn ask(&mut self, request: DialogRequest, ctx: &egui::Context) {
        let ctx = ctx.clone();
        self.services.dialogs.ask(request, Box::new(move || ctx.request_repaint()));
    }

    /// Keeps the settings, with what is shown now.
    pub(super) fn save_settings(&mut self) {
        self.settings.view = self.view.clone();
        if let Err(fault) = self.settings.save(&mut *self.services.storage) {
            let text = crate::text::t("settings.not_kept");
            self.tell(Notice::warn(text).with_details(fault));
        }
    }
}

/// How far apart two places may be and count as one at the seam of a loop, metres.
const SEAM: f64 = 1e-6;

/// Whether two objects look the same.
fn same(a: &crate::eval::ObjectFrame, b: &crate::eval::ObjectFrame) -> bool {
    let near = |a: &crate::math::Affine, b: &crate::math::Affine| (a.translation - b.translation).norm() <= SEAM;
    let joints = |frame: &crate::eval::ObjectFrame| frame.rig.as_ref().map_or(0, |rig| rig.model.len());
    near(&a.world, &b.world)
        && joints(a) == joints(b)
        && match (&a.rig, &b.rig) {
            (Some(a), Some(b)) => a.model.iter().zip(&b.model).all(|(a, b)| near(a, b)),
            _ => true,
        }
}

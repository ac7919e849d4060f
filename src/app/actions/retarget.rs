//! Bringing motion to a character, mirroring clips and making them go round, beside the window.

use crate::{
    app::{
        actions::files::{failed, name_of},
        files::DialogKind,
        jobs::JobKind,
        state::JobResult,
        window::App,
    },
    command::{CommandId, PanelId},
    edit::{Edit, ImportEdit, SettingsEdit, clips::free_clip_name},
    eval::{
        cycle::{Travel, cycle},
        mirror::mirrored_clip,
        retarget::{FaultKind, RetargetError, Retargeted, Source, run},
    },
    interact::{
        retarget::{RetargetDesk, RetargetWish},
        view_state::ViewChange,
    },
    io::{
        bvh::ImportOptions,
        open::{OpenError, Opened, open},
    },
    model::{Clip, ClipId, ObjectId},
    notice::Notice,
    text::{fill, t},
    ui::widgets::drag_field::number_text,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl App {
    /// Asks for motion to bring to the character in question.
    pub(in crate::app) fn ask_retarget(&mut self, ctx: &egui::Context) {
        if self.rig_in_question().is_none() {
            return self.state.tell(Notice::warn(t("retarget.no_target")));
        }
        self.ask_for(DialogKind::Retarget, None, ctx);
    }

    /// Reads motion for the character in question.
    pub(in crate::app) fn read_for_retarget(&mut self, path: PathBuf, ctx: &egui::Context) {
        self.start(JobKind::Open, ctx, move |_| {
            let result = open(&path, ImportOptions::default());
            JobResult::ReadForRetarget(path, result)
        });
    }

    /// Lays motion that was read on the desk.
    pub(in crate::app) fn ready_to_retarget(&mut self, path: &Path, result: Result<Opened, OpenError>) {
        let opened = match result {
            Ok(opened) => opened,
            Err(error) => return self.state.tell(failed("retarget.not_read", path, &error.to_string())),
        };
        let document = &opened.document;
        let moved = document.rigs().find_map(|(object, ..)| {
            let plays = document.clip_of(object);
            let moves = |id: &ClipId| document.clip(*id).is_some_and(|clip| clip.moves(object));
            let clip = plays.filter(moves).or_else(|| document.clips.keys().copied().find(moves))?;
            Some((object, clip))
        });
        let Some((object, clip)) = moved else {
            return self.state.tell(Notice::warn(fill("retarget.no_motion", &[("file", &name_of(path))])));
        };
        match Source::new(document, object, clip) {
            Ok(source) => {
                let desk = RetargetDesk { source: Some(Arc::new(source)), result: None };
                self.state.view.apply(ViewChange::Retarget(desk));
                self.show_retarget();
            }
            Err(error) => self.state.tell(failed("retarget.not_read", path, &error.to_string())),
        }
    }

    /// Shows the panel.
    pub(in crate::app) fn show_retarget(&mut self) {
        self.dock.reveal(self.state.settings.workspace, PanelId::Retarget);
    }

    /// Lays the motion of a figure that came with a file ready for the character that was there, and says so.
    pub(in crate::app) fn offer_retarget(&mut self, plays: Option<(ObjectId, ClipId)>) {
        let document = self.state.session.base();
        let Some((object, clip)) = plays else { return };
        let Some(name) = document.rigs().find(|(id, ..)| *id != object).map(|(_, other, _)| other.name.clone()) else {
            return;
        };
        if let Ok(source) = Source::new(document, object, clip) {
            let desk = RetargetDesk { source: Some(Arc::new(source)), result: None };
            self.state.view.apply(ViewChange::Retarget(desk));
            self.state.tell(Notice::info(fill("retarget.offer", &[("name", &name)])));
        }
    }

    /// Starts bringing motion over.
    pub(in crate::app) fn retarget(&mut self, wish: RetargetWish, ctx: &egui::Context) {
        let document = self.state.session.base().clone();
        self.start(JobKind::Retarget, ctx, move |progress| {
            let target = (&*document, wish.target);
            let found = run(&wish.source, target, Some(&wish.map), &wish.options, progress);
            JobResult::Retargeted(wish.target, found.map(Box::new))
        });
    }

    /// Adds the clip that came, and has the character play it.
    pub(in crate::app) fn retargeted(&mut self, object: ObjectId, found: Result<Box<Retargeted>, RetargetError>) {
        let found = match found {
            Ok(found) => found,
            Err(RetargetError::Cancelled(_)) => return,
            Err(error) => return self.state.tell(Notice::warn(fill("retarget.refused", &[("error", &error)]))),
        };
        if !self.add_clip(object, found.clip.clone(), "history.retarget") {
            return;
        }
        let most = |of: &dyn Fn(&crate::eval::retarget::Contact) -> f64| {
            number_text(found.contacts.iter().map(of).fold(0.0, f64::max) * 100.0, 1)
        };
        let text = fill(
            "retarget.done",
            &[
                ("frames", &found.frames),
                ("joints", &found.map.len()),
                ("contacts", &found.contacts.len()),
                ("before", &most(&|contact| contact.slide_before)),
                ("after", &most(&|contact| contact.slide_after)),
                ("faults", &found.faults.len()),
            ],
        );
        let wrong = found.faults.iter().filter(|fault| fault.kind != FaultKind::Through).count();
        self.state.tell(if wrong == 0 { Notice::info(text) } else { Notice::warn(text) });
        // It may begin elsewhere than where the character stood.
        self.state.frame_all = true;
        let source = self.state.view.retarget.source.clone();
        let result = Some((object, Arc::from(found)));
        self.state.view.apply(ViewChange::Retarget(RetargetDesk { source, result }));
    }

    /// Mirrors the clip in question, or makes it go round, into a new clip.
    pub(in crate::app) fn remake_clip(&mut self, id: CommandId, ctx: &egui::Context) {
        let document = self.state.session.base().clone();
        let of = self.rig_in_question().and_then(|object| Some((object, document.clip_of(object)?)));
        let Some((object, clip)) = of else { return self.state.tell(Notice::warn(t("retarget.no_clip"))) };
        self.start(JobKind::Retarget, ctx, move |progress| {
            let (label, made) = match id {
                CommandId::MirrorClip => ("history.mirror_clip", mirrored_clip(&document, object, clip, progress)),
                other => {
                    let travel = if other == CommandId::CycleInPlace { Travel::InPlace } else { Travel::Kept };
                    let made = cycle(&document, (object, clip), travel, progress);
                    ("history.cycle_clip", made.map(|found| found.map(|found| found.clip)))
                }
            };
            JobResult::RemadeClip(object, label, made.ok())
        });
    }

    /// Adds a clip that was made of another; none where the work was stopped.
    pub(in crate::app) fn remade_clip(&mut self, object: ObjectId, label: &'static str, made: Option<Option<Clip>>) {
        match made {
            None => {}
            Some(None) => self.state.tell(Notice::warn(t("retarget.not_remade"))),
            Some(Some(mut clip)) => {
                let name = clip.name.clone();
                let key = if label == "history.mirror_clip" { "retarget.mirrored" } else { "retarget.round" };
                clip.name = fill(key, &[("name", &name)]);
                if self.add_clip(object, clip, label) {
                    self.state.tell(Notice::info(fill("retarget.remade", &[("name", &name)])));
                }
            }
        }
    }

    /// Adds a clip that an object is to play, over its own range, in one step; whether that was done.
    fn add_clip(&mut self, object: ObjectId, mut clip: Clip, label: &'static str) -> bool {
        let frames = clip.range;
        clip.name = free_clip_name(self.state.session.base(), &clip.name);
        let id = ClipId(self.state.session.base().next_id);
        let range = SettingsEdit::SetPlayRange(clip.range);
        let edit = ImportEdit { clips: vec![(id, Arc::new(clip))], play: vec![(object, id)], ..ImportEdit::default() };
        let both = Edit::Batch(vec![edit.into(), range.into()]);
        let done = self.state.session.apply(label, &both).map(|_| ());
        let worked = done.is_ok();
        crate::app::dispatch::told(self, done);
        if worked {
            // A time outside what plays now would show neither pose of the clip.
            let rate = self.state.session.document().settings.rate;
            let frame = rate.frame_f64(self.state.view.secs);
            if !(frames.first as f64..=frames.last as f64).contains(&frame) {
                self.state.view.apply(ViewChange::Time(rate.secs(frames.first)));
            }
            self.tell_what_acts(object);
        }
        worked
    }

    /// Tells of the constraints and drivers of an object's joints: they act on whatever clip it plays.
    fn tell_what_acts(&mut self, object: ObjectId) {
        let document = self.state.session.document().clone();
        let Some(found) = document.object(object) else { return };
        let of_joints = found.constraints.iter().filter(|constraint| constraint.joint.is_some() && !constraint.muted);
        let constraints = of_joints.count();
        let of_joints = found.drivers.iter().filter(|driver| driver.acts() && driver.driven.target.joint().is_some());
        let drivers = of_joints.count();
        if constraints + drivers > 0 {
            let numbers: [(&str, &dyn std::fmt::Display); 3] =
                [("name", &found.name), ("constraints", &constraints), ("drivers", &drivers)];
            self.state.tell(Notice::warn(fill("retarget.acted_on", &numbers)));
        }
    }
}

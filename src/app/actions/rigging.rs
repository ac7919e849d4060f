//! IK chains made, keyed and matched to the joints' keys; constraints baked.

use crate::{
    app::{dispatch::told, jobs::JobKind, state::JobResult, window::App},
    command::CommandId as Id,
    edit::{
        DriverEdit, Edit, EditError, Selection,
        chains::{self, ChainOf, ChainPart, LOOKS, Matched, When},
        channels::{channels_of, parts_with},
        drivers::set_driven_key,
        numbers::key_number,
    },
    eval::{EvaluatedFrame, limbs},
    model::{ChannelPath, Document, JointId, ObjectId, Property, Target},
    notice::Notice,
    progress::Progress,
    text::{fill, t},
    ui::{subject, widgets::drag_field::number_text},
};
use std::{fmt::Display, sync::Arc};

/// What was worked out about the chains or constraints of a document.
pub(in crate::app) struct Rigged {
    /// The document it is for.
    pub(super) base: Arc<Document>,
    pub(super) done: Result<Done, EditError>,
}

pub(super) struct Done {
    pub(super) label: &'static str,
    pub(super) edit: Edit,
    /// What the user is told.
    pub(super) told: String,
}

/// Another frame was looked at; whether to go on.
fn goes_on(progress: &Progress) -> bool {
    progress.advance(1);
    !progress.is_cancelled()
}

/// The chains matched one after the other.
fn matched(
    document: &Document,
    id: Id,
    chosen: &[ChainOf],
    when: When<'_>,
    go_on: chains::GoOn<'_>,
) -> Result<Done, EditError> {
    let to_fk = matches!(id, Id::MatchIkToFk | Id::MatchIkRange);
    let (mut edits, mut jump, mut turn) = (Vec::new(), 0.0_f64, 0.0_f64);
    let mut changed = document.clone();
    for of in chosen {
        let matched = match to_fk {
            true => chains::ik_to_fk(&changed, *of, when, go_on)?,
            false => chains::fk_to_ik(&changed, *of, when, go_on)?,
        };
        matched.edit.apply(&mut changed)?;
        (jump, turn) = (jump.max(matched.jump), turn.max(matched.turn));
        edits.push(matched.edit);
    }
    let frames = if let When::Over(times) = when { times.len() } else { 1 };
    let (mm, degrees) = (number_text(jump * 1e3, 3), number_text(turn.to_degrees(), 3));
    let numbers: [(&str, &dyn Display); 3] = [("frames", &frames), ("mm", &mm), ("degrees", &degrees)];
    let label = if to_fk { "history.match_ik" } else { "history.match_fk" };
    Ok(Done { label, edit: Edit::Batch(edits), told: fill("chains.matched", &numbers) })
}

fn baked(document: &Document, object: ObjectId, times: &[f64], go_on: chains::GoOn<'_>) -> Result<Done, EditError> {
    let baked = chains::bake(document, object, times, go_on)?;
    let (mm, degrees) = (number_text(baked.error * 1e3, 3), number_text(baked.turn.to_degrees(), 3));
    let (frames, targets) = (times.len(), baked.targets);
    let numbers: [(&str, &dyn Display); 4] =
        [("targets", &targets), ("frames", &frames), ("mm", &mm), ("degrees", &degrees)];
    Ok(Done { label: "history.bake_constraints", edit: baked.edit, told: fill("chains.baked", &numbers) })
}

impl App {
    /// Carries out a command about IK chains and constraints.
    pub(in crate::app) fn rigging(&mut self, id: Id, ctx: &egui::Context) {
        let document = self.state.session.document().clone();
        let frame = self.state.evaluator.frame(&document, self.state.view.secs);
        let done = match id {
            Id::MakeChain => self.make_chain(&document, &frame),
            Id::BakeConstraints => {
                self.bake_constraints(&document, ctx);
                Ok(())
            }
            Id::SetDrivenKey => self.set_driven_key(&document),
            Id::DeleteDrivers => self.delete_drivers(&document),
            _ => self.on_chains(id, &document, &frame, ctx),
        };
        told(self, done);
    }

    fn make_chain(&mut self, document: &Document, frame: &EvaluatedFrame) -> Result<(), EditError> {
        let Some((object, ends)) = ends(document, self.state.session.selection()) else {
            self.state.tell(Notice::info(t("chains.choose_ends").into_owned()));
            return Ok(());
        };
        let id = document.object(object).map(|object| object.fresh_constraint_id()).unwrap_or_default();
        let edit = chains::make(document, frame, object, ends)?;
        self.state.session.apply("history.chain_make", &edit)?;
        self.state.session.select(Selection::single(Target::Constraint(object, id)));
        Ok(())
    }

    /// What is done to each of the chains that are meant: over a range beside the window.
    fn on_chains(
        &mut self,
        id: Id,
        document: &Arc<Document>,
        frame: &EvaluatedFrame,
        ctx: &egui::Context,
    ) -> Result<(), EditError> {
        let chosen = chosen(document, frame, self.state.session.selection());
        if chosen.is_empty() {
            self.state.tell(Notice::info(t("chains.none_chosen").into_owned()));
            return Ok(());
        }
        let (secs, auto_key) = (self.state.view.secs, self.state.view.auto_key);
        let base = document.clone();
        if matches!(id, Id::MatchIkRange | Id::MatchFkRange) {
            let times = self.play_times(document);
            self.start(JobKind::Rigging, ctx, move |progress| {
                progress.start("", chosen.len() as u64 * times.len() as u64 * LOOKS);
                let done = matched(&base, id, &chosen, When::Over(&times), &|| goes_on(progress));
                JobResult::Rigged(Rigged { base, done })
            });
            return Ok(());
        }
        if id == Id::KeyChain {
            let mut edits = Vec::new();
            for of in &chosen {
                edits.push(key(document, *of, secs)?.edit);
            }
            self.state.session.apply("history.chain_key", &Edit::Batch(edits))?;
            return Ok(());
        }
        let done = matched(document, id, &chosen, When::At(secs, auto_key), &|| true);
        self.rigged(Rigged { base, done });
        Ok(())
    }

    /// Takes what matching or baking came to, unless the document is another by now.
    pub(in crate::app) fn rigged(&mut self, rigged: Rigged) {
        let done = match rigged.done {
            Err(EditError::Stopped) => return,
            Err(error) => return told(self, Err(error)),
            Ok(_) if !Arc::ptr_eq(&rigged.base, self.state.session.base()) => {
                return self.state.tell(Notice::warn(t("chains.changed_meanwhile").into_owned()));
            }
            Ok(done) => done,
        };
        match self.state.session.apply(done.label, &done.edit) {
            Ok(_) => self.state.tell(Notice::info(done.told)),
            Err(error) => told(self, Err(error)),
        }
    }

    fn bake_constraints(&mut self, document: &Arc<Document>, ctx: &egui::Context) {
        let object = subject::object(document, self.state.session.selection());
        let constrained = |object: &ObjectId| {
            let found = document.object(*object);
            found.is_some_and(|object| object.constraints.iter().any(|constraint| !constraint.muted))
        };
        let Some(object) = object.filter(constrained) else {
            return self.state.tell(Notice::info(t("chains.nothing_to_bake").into_owned()));
        };
        let (base, times) = (document.clone(), self.play_times(document));
        self.start(JobKind::Rigging, ctx, move |progress| {
            progress.start("", times.len() as u64 * 3);
            let done = baked(&base, object, &times, &|| goes_on(progress));
            JobResult::Rigged(Rigged { base, done })
        });
    }

    /// A point on the driver of the channel laid ready, of each selected thing that has such a channel, at what drives now.
    fn set_driven_key(&mut self, document: &Document) -> Result<(), EditError> {
        let (desk, selection) = (self.state.view.drive, self.state.session.selection().clone());
        let (Some(source), Some(driven)) = (desk.source, desk.driven) else {
            self.state.tell(Notice::info(t("drivers.choose_first").into_owned()));
            return Ok(());
        };
        let same = |target: &Target| ChannelPath { target: *target, ..driven };
        let others =
            selection.targets.iter().map(same).filter(|path| channels_of(document, path.target).contains(path));
        let mut all: Vec<ChannelPath> = others.filter(|path| path.target != source.target).collect();
        if !all.contains(&driven) {
            all.push(driven);
        }
        let edit = set_driven_key(document, source, &all, self.state.view.secs)?;
        self.state.session.apply("history.driven_key", &edit)?;
        Ok(())
    }

    /// Deletes the drivers of everything that is selected.
    fn delete_drivers(&mut self, document: &Document) -> Result<(), EditError> {
        let selection = self.state.session.selection();
        let parts: Vec<Target> = selection.targets.iter().flat_map(|target| parts_with(document, *target)).collect();
        let all = document.objects.values().flat_map(|object| &object.drivers);
        let driven: Vec<ChannelPath> =
            all.map(|driver| driver.driven).filter(|path| parts.contains(&path.target)).collect();
        if driven.is_empty() {
            self.state.tell(Notice::info(t("drivers.none").into_owned()));
            return Ok(());
        }
        self.state.session.apply("history.driver_delete", &DriverEdit::Delete { driven }.into())?;
        Ok(())
    }

    /// Shows drivers in the graph, or curves over time again.
    pub(in crate::app) fn show_drivers(&mut self) {
        let drive = &mut self.state.view.drive;
        drive.graph = !drive.graph;
        if drive.graph {
            self.dock.reveal(self.state.settings.workspace, crate::command::PanelId::Graph);
        }
    }

    /// The frames of the play range, seconds.
    fn play_times(&self, document: &Document) -> Vec<f64> {
        let range = document.settings.play_range;
        (range.first..=range.last).map(|frame| document.settings.rate.secs(frame)).collect()
    }
}

/// The keys of a chain as it is shown: target, pole and influence.
fn key(document: &Document, of: ChainOf, secs: f64) -> Result<Matched, EditError> {
    let (_, _, chain) = of.find(document)?;
    let mut edits = vec![chains::key_goal(document, ChainPart::Target.of(of), secs)?];
    let mut changed = document.clone();
    edits[0].apply(&mut changed)?;
    if chain.pole.is_some() {
        let pole = chains::key_goal(&changed, ChainPart::Pole.of(of), secs)?;
        pole.apply(&mut changed)?;
        edits.push(pole);
    }
    let path = ChannelPath::constraint(of.object, of.constraint, Property::Influence);
    let clip = changed.clip_of(of.object).and_then(|clip| changed.clip(clip));
    let shown = crate::eval::sample::Stage::Shown;
    let influence = crate::eval::sample::number(&changed, clip.map(|clip| &**clip), path, secs, shown);
    edits.push(key_number(&changed, path, &[(secs, influence.unwrap_or(1.0))])?);
    Ok(Matched { edit: Edit::Batch(edits), jump: 0.0, turn: 0.0 })
}

/// The joints between which a chain is to be made: of two selected the one that hangs on the other reaches, else the active
/// one; of one alone, at the end of a limb, the limb's root stays.
fn ends(document: &Document, selection: &Selection) -> Option<(ObjectId, (JointId, JointId))> {
    let object = subject::object(document, selection)?;
    let rig = document.object(object)?.as_rig()?;
    let skeleton = &rig.skeleton;
    let own = |target: &Target| match *target {
        Target::Joint(of, joint) if of == object => skeleton.index_of(joint),
        _ => None,
    };
    let joints: Vec<usize> = selection.targets.iter().filter_map(own).collect();
    let id = |index: usize| skeleton.joints().get(index).map(|joint| joint.id);
    let (base, end) = match joints.as_slice() {
        [only] => {
            let limbs = limbs::of_object(document, object, skeleton);
            (limbs.containing(*only).filter(|limb| limb.end() == *only)?.root(), *only)
        }
        [a, b] if skeleton.below(*a).contains(b) => (*a, *b),
        [a, b] if skeleton.below(*b).contains(a) => (*b, *a),
        [a, b] if selection.active.as_ref().and_then(own) == Some(*a) => (*b, *a),
        [a, b] => (*a, *b),
        _ => return None,
    };
    Some((object, (id(base)?, id(end)?)))
}

/// The chains that are meant: those selected by target or pole, those of selected joints, else all of the object.
fn chosen(document: &Document, frame: &EvaluatedFrame, selection: &Selection) -> Vec<ChainOf> {
    let Some(object) = subject::object(document, selection) else { return Vec::new() };
    let Some(found) = document.object(object) else { return Vec::new() };
    let all = || found.constraints.iter().filter(|constraint| constraint.as_chain().is_some());
    let of = |constraint| ChainOf { object, constraint };
    let picked =
        |id| selection.contains(Target::Constraint(object, id)) || selection.contains(Target::Pole(object, id));
    let named: Vec<ChainOf> = all().filter(|it| picked(it.id)).map(|it| of(it.id)).collect();
    if !named.is_empty() {
        return named;
    }
    let skeleton = found.as_rig().map(|rig| &rig.skeleton);
    let index = |joint: JointId| skeleton.and_then(|skeleton| skeleton.index_of(joint));
    let ends: Vec<usize> = selection.joints(object).filter_map(index).collect();
    let own = |end: usize, base: usize| ends.contains(&end) || ends.contains(&base);
    let reports = frame.chains.iter().filter(|report| report.object == object && own(report.end, report.base));
    let touched: Vec<ChainOf> = reports.map(|report| of(report.constraint)).collect();
    if touched.is_empty() { all().map(|it| of(it.id)).collect() } else { touched }
}

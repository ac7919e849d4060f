//! Motion of a file, or of another figure, to compare with: its curves become snapshots of the present clip. Between figures of
//! one build joints are matched by name; from one of another build the motion is brought over.

use crate::{
    app::{
        actions::files::{failed, name_of},
        files::DialogKind,
        jobs::JobKind,
        state::JobResult,
        window::App,
    },
    edit::{Edit, SnapshotEdit},
    eval::{
        counterparts::{Counterparts, Motion, counterparts},
        retarget::{Options, Source, run},
        size::skeleton_size,
    },
    interact::{
        reference::{Against, ReferenceView},
        view_state::ViewChange,
    },
    io::{
        bvh::ImportOptions,
        open::{OpenError, open},
    },
    model::{Clip, ClipId, Document, ObjectId, Snapshot, SnapshotId},
    notice::Notice,
    progress::Progress,
    text::{fill, t},
    ui::subject,
};
use std::{path::PathBuf, sync::Arc};

/// More clips than this of one file are not taken.
const MOST: usize = 16;

/// What a file, or a clip of another figure, gives to compare with.
#[derive(Debug)]
pub(in crate::app) struct Found {
    object: ObjectId,
    clip: ClipId,
    /// The name of each of its clips and the curves of it.
    motions: Vec<(String, Counterparts)>,
}

/// What was looked for motion to compare with.
#[derive(Debug)]
pub(in crate::app) enum Looked {
    /// A file.
    File(PathBuf, Result<Found, OpenError>),
    /// A clip of the document, by name.
    Clip(String, Found),
}

impl App {
    /// Asks for a file of motion to compare the present with.
    pub(in crate::app) fn ask_compare(&mut self, ctx: &egui::Context) {
        if self.compared_object().is_none() {
            return self.state.tell(Notice::warn(t("snapshots.no_clip")));
        }
        self.ask_for(DialogKind::Compare, None, ctx);
    }

    /// The object whose clip is compared, and that clip.
    fn compared_object(&self) -> Option<(ObjectId, ClipId)> {
        let (document, selection) = (self.state.session.base(), self.state.session.selection());
        let (clip, _) = subject::clip(document, selection)?;
        let object = subject::object(document, selection).or_else(|| document.rigs().next().map(|(id, ..)| id));
        Some((object?, clip))
    }

    /// Reads a file to compare with.
    pub(in crate::app) fn compare_with(&mut self, path: PathBuf, ctx: &egui::Context) {
        let Some((object, clip)) = self.compared_object() else {
            return self.state.tell(Notice::warn(t("snapshots.no_clip")));
        };
        let document = self.state.session.base().clone();
        let work = move |_: &crate::progress::Progress| {
            let found = open(&path, ImportOptions::default()).map(|opened| {
                let motions = motions(&opened.document, &document, object);
                Found { object, clip, motions }
            });
            JobResult::Compared(Looked::File(path, found))
        };
        self.start(JobKind::Open, ctx, work);
    }

    /// Brings a clip of another figure to the one in question, to compare with.
    pub(in crate::app) fn compare_with_clip(&mut self, other: ClipId, ctx: &egui::Context) {
        let Some((object, clip)) = self.compared_object() else {
            return self.state.tell(Notice::warn(t("snapshots.no_clip")));
        };
        let document = self.state.session.base().clone();
        let work = move |_: &crate::progress::Progress| {
            let name = crate::model::names::clip_name(&document, other).unwrap_or_default();
            let found = document.clip(other).and_then(|motion| of_clip(&document, (other, motion), &document, object));
            let motions = found.map(|found| (name.clone(), found)).into_iter().collect();
            JobResult::Compared(Looked::Clip(name, Found { object, clip, motions }))
        };
        self.start(JobKind::Retarget, ctx, work);
    }

    /// Keeps what was found as snapshots, and draws the one of the clip of the same name, else the first.
    pub(in crate::app) fn compared(&mut self, looked: Looked) {
        let (file, found) = match looked {
            Looked::File(path, Ok(found)) => (name_of(&path), found),
            Looked::File(path, Err(error)) => {
                return self.state.tell(failed("snapshots.not_read", &path, &error.to_string()));
            }
            Looked::Clip(name, found) => (name, found),
        };
        let document = self.state.session.base();
        let count = found.motions.len();
        let (mut missing, mut edits) = (Vec::new(), Vec::new());
        let mut next = document.next_id;
        let present = document.clip(found.clip).map(|clip| clip.name.clone()).unwrap_or_default();
        // The clip of the same name as the present one is drawn, else the first.
        let (mut drawn, mut by_name) = (SnapshotId(next), false);
        for (clip, of) in found.motions {
            missing.extend(of.missing);
            if of.channels.is_empty() {
                continue;
            }
            let name = if count == 1 { file.clone() } else { format!("{file}: {clip}") };
            let snapshot = Arc::new(Snapshot { name, clip: found.clip, channels: of.channels });
            if !by_name && clip == present {
                (drawn, by_name) = (SnapshotId(next), true);
            }
            edits.push(Edit::from(SnapshotEdit::Take { id: SnapshotId(next), snapshot }));
            next += 1;
        }
        missing.sort();
        missing.dedup();
        if edits.is_empty() {
            let name = document.object(found.object).map(|object| object.name.clone()).unwrap_or_default();
            let text = fill("snapshots.no_match", &[("file", &file), ("name", &name)]);
            return self.state.tell(Notice::warn(text).with_details(missing.join(", ")));
        }
        let done = self.state.session.apply("history.take_snapshot", &Edit::Batch(edits)).map(|_| ());
        let worked = done.is_ok();
        crate::app::dispatch::told(self, done);
        if !worked {
            return;
        }
        let against = Some(Against::Snapshot(drawn));
        self.state.view.apply(ViewChange::Reference(ReferenceView { against, ghost: true }));
        let told = if missing.is_empty() {
            Notice::info(fill("snapshots.read", &[("file", &file)]))
        } else {
            let text = fill("snapshots.read_part", &[("file", &file), ("count", &missing.len())]);
            Notice::warn(text).with_details(missing.join(", "))
        };
        self.state.tell(told);
    }
}

/// The motion of a figure of another build, carried over: its angles as they are would turn this one some other way. None
/// where the joints are the same, or it cannot be carried over.
fn brought(from: (&Document, ObjectId, ClipId), to: (&Document, ObjectId)) -> Option<Counterparts> {
    let rig = |document: &Document, object: ObjectId| document.object(object)?.as_rig().cloned();
    let (own, other) = (rig(to.0, to.1)?, rig(from.0, from.1)?);
    if own.skeleton.is_like(&other.skeleton, 1e-4 * skeleton_size(&own.skeleton)) {
        return None;
    }
    let source = Source::new(from.0, from.1, from.2).ok()?;
    // Snapshots hold curves, and no pins to hold feet by.
    let options = Options { lock_feet: false, ..Options::default() };
    let found = run(&source, to, None, &options, &Progress::new()).ok()?;
    Some(Counterparts { channels: found.clip.channels, ..Counterparts::default() })
}

/// The motions of a document for an object of another: each clip of the object in it with the most to give.
fn motions(from: &Document, document: &Document, object: ObjectId) -> Vec<(String, Counterparts)> {
    let named = |(id, clip): (&ClipId, &Arc<Clip>)| {
        let found = of_clip(from, (*id, clip), document, object)?;
        Some((crate::model::names::clip_name(from, *id).unwrap_or_default(), found))
    };
    from.clips.iter().filter_map(named).take(MOST).collect()
}

/// The motion of a clip for an object: of the object in it with the most to give; none where it moves none.
fn of_clip(
    from: &Document,
    (id, clip): (ClipId, &Arc<Clip>),
    document: &Document,
    object: ObjectId,
) -> Option<Counterparts> {
    let each = from.objects.keys().filter(|object| clip.moves(**object)).map(|from_object| {
        let by_name = counterparts(Motion { document: from, object: *from_object, clip }, document, object);
        brought((from, *from_object, id), (document, object)).unwrap_or(by_name)
    });
    each.max_by_key(|found| found.channels.len())
}

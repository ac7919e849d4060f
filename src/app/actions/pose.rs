//! Keys, rest poses, standing up, showing and hiding.

use crate::{
    app::{dispatch::told, window::App},
    command::CommandId as Id,
    edit::{AutoKey, Edit, EditError, ObjectEdit, UnkeyedEdit, merge, pose, rigs, set_key},
    eval::sample::{Stage, object_local},
    interact::view_state::ViewChange,
    math::Vec3,
    model::{ClipId, CorrectionId, ObjectId, Property, Target},
    notice::Notice,
    text::{fill, t},
    ui::subject,
};
use std::collections::BTreeSet;

impl App {
    pub(super) fn edit(&mut self, label: &'static str, edit: Result<Edit, EditError>) {
        let done = edit.and_then(|edit| self.state.session.apply(label, &edit)).map(|_| ());
        told(self, done);
    }

    /// The correction that is selected, where it is one of a clip that acts in a given clip.
    pub(super) fn correction(&self, clip: Option<ClipId>) -> Option<CorrectionId> {
        self.state.session.selection().correction.filter(|(of, _)| Some(*of) == clip).map(|(_, id)| id)
    }

    /// Sets and deletes keys.
    pub(in crate::app) fn keys(&mut self, id: Id) {
        let (document, selection, secs) =
            (self.state.session.document(), self.state.session.selection(), self.state.view.secs);
        let object = subject::object(document, selection);
        let targets = match id {
            Id::SetKeyWholePose => object.map(|object| set_key::whole_pose(document, object)).unwrap_or_default(),
            _ if selection.targets.is_empty() => {
                object.map(|object| set_key::whole_pose(document, object)).unwrap_or_default()
            }
            _ => with_joints(document, &selection.targets),
        };
        let clip = object.and_then(|object| document.clip_of(object));
        let correction = self.correction(clip);
        let waiting = || document.clips.iter().filter(|(_, clip)| clip.unkeyed_at(secs).is_some()).map(|(id, _)| *id);
        match id {
            Id::KeyWaiting => {
                let edits: Result<Vec<Edit>, EditError> = waiting()
                    .map(|clip| set_key::key_waiting(document, clip, secs, self.correction(Some(clip))))
                    .collect();
                self.edit("history.key_waiting", edits.map(Edit::Batch));
            }
            Id::DiscardWaiting => {
                let discard = |clip| UnkeyedEdit::Discard { clip, secs: Some(secs) }.into();
                let edits = waiting().map(discard).collect();
                self.edit("history.discard_waiting", Ok(Edit::Batch(edits)));
            }
            Id::DeleteKey => {
                let edit = set_key::delete_key(document, &targets, secs);
                self.edit("history.delete_keys", Ok(edit));
            }
            _ => {
                let edit = set_key::set_key(document, &self.state.evaluator, &targets, secs, correction);
                self.edit("history.set_key", edit);
            }
        }
    }

    /// Makes one correction of those that are selected.
    pub(in crate::app) fn merge_corrections(&mut self) {
        let (document, selection) = (self.state.session.document(), self.state.session.selection());
        let Some((clip, _)) = selection.corrections.last().copied().filter(|_| selection.corrections.len() > 1) else {
            return self.state.tell(Notice::info(t("corrections.none_chosen").into_owned()));
        };
        let own = selection.corrections.iter().filter(|(of, _)| *of == clip).map(|(_, id)| *id);
        let chosen: BTreeSet<CorrectionId> = own.collect();
        let id = document.clip(clip).map(|clip| clip.fresh_correction_id());
        let edit = merge::merge(document, clip, &chosen, &t("corrections.merged"));
        self.edit("history.correction_merge", edit);
        let mut selection = self.state.session.selection().clone();
        selection.correction = id.map(|id| (clip, id));
        self.state.session.select(selection);
    }

    /// Brings what is selected back to rest, or stands it up.
    pub(in crate::app) fn pose(&mut self, id: Id) {
        if id == Id::StandUp {
            self.stand_up();
            // It now stands where the view did not look.
            self.state.frame_all = true;
            return;
        }
        let properties: &[Property] = match id {
            Id::ClearTranslation => &[Property::Translation],
            Id::ClearRotation => &[Property::Rotation],
            Id::ClearScale => &[Property::Scale],
            _ => &Property::ALL,
        };
        let (document, selection) = (self.state.session.document(), self.state.session.selection());
        let (secs, auto_key) = (self.state.view.secs, self.state.view.auto_key);
        let targets = with_joints(document, &selection.targets);
        let objects: BTreeSet<ObjectId> = targets.iter().map(|target| target.object()).collect();
        let edits: Result<Vec<Edit>, EditError> = objects
            .into_iter()
            .map(|object| {
                if let Some(found) = document.object(object).filter(|object| object.as_rig().is_none()) {
                    return cleared(document, object, found, properties, (secs, auto_key));
                }
                let own = targets.iter().filter(|target| target.object() == object);
                let joints: Vec<_> = own.filter_map(|target| target.joint()).collect();
                pose::clear_to_rest(document, object, &joints, properties, secs, auto_key)
            })
            .collect();
        self.edit("history.clear", edits.map(Edit::Batch));
    }

    fn stand_up(&mut self) {
        let (document, selection) = (self.state.session.document(), self.state.session.selection());
        let Some(object) = subject::object(document, selection) else { return };
        let Some(now) = document.object(object).map(|object| object.transform.rotation) else { return };
        let edit = rigs::stand_up(document, object, rigs::stood_up(now));
        self.edit("history.stand_up", edit);
    }

    /// Hides, shows, isolates.
    pub(in crate::app) fn visibility(&mut self, id: Id) {
        let document = self.state.session.document();
        let selected = self.state.session.selection().objects();
        match id {
            Id::Hide => {
                let keys = self.state.keymap.text(Id::ShowAll);
                let edit = ObjectEdit::SetHidden { objects: selected.into_iter().collect(), hidden: true };
                self.edit("history.visibility", Ok(edit.into()));
                // With one character the view is empty now.
                self.state.tell(Notice::info(fill("pose.hidden", &[("keys", &keys)])));
            }
            Id::ShowAll => {
                let hidden = document.objects.iter().filter(|(_, object)| object.hidden).map(|(id, _)| *id).collect();
                self.edit("history.visibility", Ok(ObjectEdit::SetHidden { objects: hidden, hidden: false }.into()));
                self.state.view.apply(ViewChange::Isolate(None));
            }
            _ => {
                // Nothing selected isolates nothing: an empty view would help nobody.
                let whole = self.state.view.isolated.is_some() || selected.is_empty();
                let isolate = if whole { None } else { Some(selected) };
                self.state.view.apply(ViewChange::Isolate(isolate));
            }
        }
    }
}

/// The edit that brings an object without joints back to its parent's origin.
fn cleared(
    document: &crate::model::Document,
    object: ObjectId,
    found: &crate::model::Object,
    properties: &[Property],
    (secs, auto_key): (f64, AutoKey),
) -> Result<Edit, EditError> {
    let mut local = object_local(document, object, secs, Stage::Shown).unwrap_or(found.transform);
    for property in properties {
        match property {
            Property::Translation => local.translation = Vec3::zeros(),
            Property::Rotation => local.rotation = crate::math::Quat::identity(),
            Property::Scale => local.scale = Vec3::repeat(1.0),
            _ => {}
        }
    }
    pose::transform_edit(document, object, secs, &local, auto_key)
}

/// The joints that are meant: a selected rig object stands for all its joints.
fn with_joints(document: &crate::model::Document, targets: &BTreeSet<Target>) -> BTreeSet<Target> {
    let mut all = BTreeSet::new();
    for target in targets {
        match target {
            Target::Joint(..)
            | Target::Pin(..)
            | Target::Point(..)
            | Target::Constraint(..)
            | Target::Morph(..)
            | Target::Pole(..)
            | Target::Deformer(..)
            | Target::Layer(..)
            | Target::Sample(..) => {
                all.insert(*target);
            }
            Target::Object(object) => all.extend(set_key::whole_pose(document, *object)),
        }
    }
    all
}

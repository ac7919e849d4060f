//! Pins: made here or where motion stands still, parted, keyed, deleted.

use crate::{
    app::{dispatch::told, window::App},
    command::CommandId as Id,
    edit::{CurveRef, Edit, EditError, KeyEdit, PinEdit, pin_here},
    eval::pins,
    model::{ChannelPath, JointId, ObjectId, PinId, Target, Value, names},
    notice::Notice,
    text::{fill, t},
    ui::subject,
};
use std::collections::{BTreeMap, BTreeSet};

impl App {
    /// Carries out a command about pins.
    pub(in crate::app) fn pins(&mut self, id: Id) {
        let document = self.state.session.document().clone();
        let selection = self.state.session.selection();
        let secs = self.state.view.secs;
        let joint = |target: &Target| Some((target.object(), target.joint()?));
        let joints: Vec<(ObjectId, JointId)> = selection.targets.iter().filter_map(joint).collect();
        let object = subject::object(&document, selection);
        let only_hips = || joints.iter().all(|(object, joint)| pin_here::hips(&document, *object) == Some(*joint));
        if id == Id::PlantFeet || id == Id::PinHere && only_hips() {
            return self.plant(secs);
        }
        let feet = || -> Vec<(ObjectId, JointId)> {
            let of = |object| pin_here::feet(&document, object).into_iter().map(move |foot| (object, foot));
            object.into_iter().flat_map(of).collect()
        };
        if joints.is_empty() && id != Id::PinWhereStill {
            return self.state.tell(Notice::info(t("pins.none_chosen").into_owned()));
        }
        let (label, edit) = match id {
            Id::PinHere => ("history.pin_here", pin_here::pin_here(&document, &self.state.evaluator, &joints, secs)),
            Id::PinWhereStill => {
                let still = |joints: &[_]| pin_here::pin_where_still(&document, &self.state.evaluator, joints);
                // Where nothing selected stands still, the feet are meant.
                let edit = still(&joints).and_then(|edit| if edit.is_none() { still(&feet()) } else { Ok(edit) });
                if edit.as_ref().is_ok_and(Edit::is_none) {
                    self.state.tell(Notice::info(t("pins.none_still").into_owned()));
                }
                ("history.pin_where_still", edit)
            }
            Id::SplitPin => ("history.pin_split", Ok(self.split(&joints, secs))),
            Id::KeyPin => ("history.pin_key", Ok(self.key_influence(&joints, secs))),
            _ => ("history.unpin", Ok(pin_here::unpin(&document, &joints, secs))),
        };
        let done: Result<(), EditError> = edit.and_then(|edit| self.state.session.apply(label, &edit)).map(|_| ());
        told(self, done);
    }

    /// Pins the feet that stand of the rigs selected, or of the one in question, and says which.
    fn plant(&mut self, secs: f64) {
        let document = self.state.session.document().clone();
        let selection = self.state.session.selection();
        let is_rig = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_rig().is_some());
        let mut rigs: BTreeSet<ObjectId> =
            selection.targets.iter().map(|target| target.object()).filter(is_rig).collect();
        if rigs.is_empty() {
            let in_question = subject::object(&document, selection).filter(is_rig);
            rigs.extend(in_question.or_else(|| document.rigs().next().map(|(id, ..)| id)));
        }
        let rigs: Vec<ObjectId> = rigs.into_iter().collect();
        let standing = pin_here::standing(&document, &self.state.evaluator, &rigs, secs);
        let edit = pin_here::pin_here(&document, &self.state.evaluator, &standing.feet, secs);
        let told_as = match &edit {
            _ if standing.feet.is_empty() => "pins.no_feet",
            Ok(edit) if edit.is_none() => "pins.planted_already",
            _ if standing.in_air => "pins.planted_in_air",
            _ => "pins.planted",
        };
        let name = |(object, joint): &(ObjectId, JointId)| {
            let rig = document.object(*object)?.as_rig()?;
            names::joint_name(&rig.skeleton, *joint)
        };
        let feet: Vec<String> = standing.feet.iter().filter_map(name).collect();
        let done = edit.and_then(|edit| self.state.session.apply("history.plant_feet", &edit)).map(|_| ());
        if done.is_ok() {
            self.state.tell(Notice::info(fill(told_as, &[("feet", &feet.join(", "))])));
        }
        told(self, done);
    }

    fn split(&self, joints: &[(ObjectId, JointId)], secs: f64) -> Edit {
        let document = self.state.session.document();
        let mut edits = Vec::new();
        let mut next = BTreeMap::new();
        for &(object, joint) in joints {
            let Some((clip, found)) = document.clip_of(object).and_then(|id| Some((id, document.clip(id)?))) else {
                continue;
            };
            let here = |pin: &&std::sync::Arc<crate::model::Pin>| {
                (pin.object, pin.joint) == (object, joint) && pin.range.0 < secs && secs < pin.range.1
            };
            for pin in found.pins.iter().filter(here) {
                let second = next.entry(clip).or_insert(found.fresh_pin_id().0);
                edits.push(PinEdit::Split { clip, pin: pin.id, secs, gap: 0.0, second: PinId(*second) }.into());
                *second = second.saturating_add(1);
            }
        }
        Edit::Batch(edits)
    }

    fn key_influence(&self, joints: &[(ObjectId, JointId)], secs: f64) -> Edit {
        let document = self.state.session.document();
        let mut edits = Vec::new();
        for &(object, joint) in joints {
            let Some((clip, found)) = document.clip_of(object).and_then(|id| Some((id, document.clip(id)?))) else {
                continue;
            };
            for pin in found.pins.iter().filter(|pin| (pin.object, pin.joint) == (object, joint)) {
                let (start, end) = pin.reach();
                if (start..=end).contains(&secs) {
                    let curve = CurveRef { clip, path: ChannelPath::influence(object, pin.id) };
                    let value = Value::Scalar(pins::influence(found, pin, secs));
                    edits.push(KeyEdit::Set { curve, values: vec![(secs, value)] }.into());
                }
            }
        }
        Edit::Batch(edits)
    }
}

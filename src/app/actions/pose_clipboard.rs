//! Copying and pasting poses, mirroring, the pose library's new entries, selection sets.

use crate::{
    app::window::App,
    command::{CommandId as Id, PanelId},
    edit::{Ground, PoseEdit, PoseTarget, RigEdit, Selection, poses},
    eval::mirror::Mirror,
    model::{Document, JointId, ObjectId, Pose, PoseId, Skeleton, Target, names},
    notice::Notice,
    text::{fill, t},
    ui::subject,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

/// What a copied pose is on the system's clipboard: JSON, for another running program to paste.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PoseText {
    inbetween_pose: Pose,
}

/// A pose as text.
fn text_of(pose: &Pose) -> Option<String> {
    serde_json::to_string(&PoseText { inbetween_pose: pose.clone() }).ok()
}

/// The pose that a text is; none where it is anything else or its numbers are no pose.
fn pose_of(text: &str) -> Option<Pose> {
    let PoseText { inbetween_pose: pose } = serde_json::from_str(text).ok()?;
    Some(pose).filter(|pose| pose.joints.values().all(|joint| joint.is_sound()))
}

impl App {
    /// Takes a pose that another program copied, where the system reports a paste of one.
    pub(in crate::app) fn take_pasted_pose(&mut self, ctx: &egui::Context) {
        let pasted = ctx.input(|input| {
            input.events.iter().find_map(|event| match event {
                egui::Event::Paste(text) => Some(text.clone()),
                _ => None,
            })
        });
        self.state.foreign_paste = false;
        let Some(text) = pasted else { return };
        // What was copied here is kept as it is: text may round its numbers.
        let is_own = self.state.copied_pose.as_ref().and_then(text_of).is_some_and(|own| own == text);
        match pose_of(&text).filter(|_| !is_own) {
            Some(pose) => self.state.copied_pose = Some(pose),
            None => self.state.foreign_paste = !is_own,
        }
    }

    /// Copies, pastes and mirrors.
    pub(in crate::app) fn pose_clipboard(&mut self, id: Id, ctx: &egui::Context) {
        match id {
            Id::CopyPose => self.copy_pose(ctx),
            Id::MirrorSelection => self.mirror_selection(),
            Id::AddPose => self.add_pose(),
            Id::AddSelectionSet => self.add_selection_set(),
            _ => self.paste_pose(id),
        }
    }

    /// The rig in question, its skeleton and those of its joints that are meant: none for all of them.
    fn posed_rig(&self) -> Option<(ObjectId, Arc<crate::model::Rig>, BTreeSet<JointId>)> {
        let (document, selection) = (self.state.session.document(), self.state.session.selection());
        let object = subject::object(document, selection)?;
        let rig = document.object(object)?.as_rig()?.clone();
        // The object itself stands for all its joints.
        let is_whole = selection.contains(Target::Object(object));
        let joints = if is_whole { BTreeSet::new() } else { selection.joints(object).collect() };
        Some((object, rig, joints))
    }

    /// The pose shown of the joints that are meant.
    fn pose_taken(&self, name: &str) -> Option<Pose> {
        let (object, rig, mut joints) = self.posed_rig()?;
        if joints.is_empty() {
            joints = rig.skeleton.joints().iter().map(|joint| joint.id).collect();
        }
        let pose = Pose::taken(name, &rig.skeleton, &self.state.frame().rig(object)?.local, joints);
        Some(pose).filter(|pose| !pose.joints.is_empty())
    }

    fn copy_pose(&mut self, ctx: &egui::Context) {
        let Some(pose) = self.pose_taken("") else { return };
        let text = fill("poses.copied", &[("count", &pose.joints.len())]);
        // The system reports a paste only where its clipboard holds something.
        ctx.copy_text(text_of(&pose).unwrap_or_else(|| text.clone()));
        self.state.copied_pose = Some(pose);
        self.state.tell(Notice::info(text));
    }

    fn paste_pose(&mut self, id: Id) {
        let Some((object, rig, joints)) = self.posed_rig() else { return };
        let Some(frame) = self.state.frame().rig(object).cloned() else { return };
        let nobody = BTreeSet::new();
        let only = if matches!(id, Id::PastePosePart | Id::MirrorPose) { &joints } else { &nobody };
        let document = self.state.session.document().clone();
        let correction = self.correction(document.clip_of(object));
        let (secs, auto_key, present) = (self.state.view.secs, self.state.view.auto_key, &frame.local[..]);
        // What was copied is pasted with its place, to be held there; its mirror image would jump aside.
        let ground = if matches!(id, Id::PastePose | Id::PastePosePart) { Ground::Taken } else { Ground::Stays };
        let copied = self.state.copied_pose.clone();
        let label = match (id, &copied) {
            (Id::MirrorPose, _) => "history.mirror_pose",
            (_, None) if self.state.foreign_paste => return self.state.tell(Notice::warn(t("poses.no_pose_there"))),
            (_, None) => return self.state.tell(Notice::info(t("poses.nothing_copied"))),
            (_, Some(pose)) if pose.on(&rig.skeleton).is_empty() => {
                return self.state.tell(Notice::info(t("poses.no_such_joints")));
            }
            (Id::PastePoseMirrored, Some(_)) => "history.paste_pose_mirrored",
            (_, Some(_)) => "history.paste_pose",
        };
        let make = |document: &Document| {
            let target = PoseTarget { document, object, secs, present, only, auto_key, correction, ground };
            match (id, &copied) {
                (Id::PastePoseMirrored, Some(pose)) => target.mirrored(pose),
                (Id::PastePose | Id::PastePosePart, Some(pose)) => target.blend(pose, 1.0),
                _ => target.mirror_in_place(),
            }
        };
        self.edit(label, make(&document));
        let left = poses::left_locked((&document, object, secs), &make);
        if let Some(joints) = names::joints_text(&document, object, &left) {
            self.state.tell(Notice::warn(fill("edit.left", &[("joints", &joints)])));
        }
        if self.state.foreign_paste && id != Id::MirrorPose {
            self.state.tell(Notice::warn(t("poses.own_pasted")));
        }
    }

    fn mirror_selection(&mut self) {
        let (document, before) = (self.state.session.document(), self.state.session.selection());
        let mut selection = Selection { targets: BTreeSet::new(), active: None, ..before.clone() };
        for object in before.objects() {
            let Some((rig, mirror)) = document
                .object(object)
                .and_then(|found| found.as_rig())
                .and_then(|rig| Some((rig, Mirror::of_object(document, object)?)))
            else {
                continue;
            };
            let of = |joint: JointId| partner(&rig.skeleton, &mirror, joint).map(|joint| Target::Joint(object, joint));
            selection.targets.extend(before.joints(object).filter_map(of));
            if let Some(Target::Joint(at, joint)) = before.active
                && at == object
            {
                selection.active = of(joint);
            }
        }
        // What has no other side stays selected.
        let others = before.targets.iter().filter(|target| target.joint().is_none());
        selection.targets.extend(others);
        selection.active = selection.active.or(before.active).filter(|active| selection.targets.contains(active));
        self.state.session.select(selection);
    }

    fn add_pose(&mut self) {
        let document = self.state.session.document();
        let names = (document.poses.len() + 1..).map(|number| fill("poses.new_pose", &[("number", &number)]));
        let is_free = |name: &String| document.poses.values().all(|pose| pose.name != *name);
        let Some(name) = names.into_iter().find(is_free) else { return };
        let id = PoseId(document.next_id);
        let Some(pose) = self.pose_taken(&name) else { return };
        self.edit("history.add_pose", Ok(PoseEdit::Add { id, pose: Arc::new(pose) }.into()));
        self.dock.reveal(self.state.settings.workspace, PanelId::Poses);
    }

    fn add_selection_set(&mut self) {
        let Some((object, rig, joints)) = self.posed_rig() else { return };
        if joints.is_empty() {
            return self.state.tell(Notice::info(t("poses.select_joints")));
        }
        let names = (rig.sets.len() + 1..).map(|number| fill("poses.new_set", &[("number", &number)]));
        let Some(name) = names.into_iter().find(|name| !rig.sets.contains_key(name)) else { return };
        self.edit("history.add_set", Ok(RigEdit::SetJoints { object, name, joints }.into()));
    }
}

fn partner(skeleton: &Skeleton, mirror: &Mirror, joint: JointId) -> Option<JointId> {
    poses::other_side(skeleton, mirror, &BTreeSet::from([joint])).pop_first()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{math::Quat, model::JointPose};

    #[test]
    fn a_pose_comes_back_from_its_text_and_other_text_is_none() {
        let joint = JointPose { rotation: Quat::from_euler_angles(0.5, 0.25, -1.0), translation: None, scale: None };
        let pose = Pose { name: "reach".to_owned(), joints: [("hand.l".to_owned(), joint)].into() };
        let text = text_of(&pose).unwrap();
        let back = pose_of(&text).unwrap();
        assert_eq!((&back.name, back.joints.len()), (&pose.name, 1));
        assert!(back.joints["hand.l"].rotation.angle_to(&joint.rotation) < 1e-12);
        for other in ["", "24 joints", "{}", &text[1..], &text.replace("0.", "1e999")] {
            assert_eq!(pose_of(other), None, "{other}");
        }
    }
}

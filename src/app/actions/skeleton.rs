//! Joints added, split, hung elsewhere, mirrored and deleted, the rest pose taken from the pose shown, and new characters.

use crate::{
    app::{dispatch::told, window::App},
    command::CommandId as Id,
    edit::{
        Edit, Selection, SkeletonEdit,
        skeleton::{Animation, Carry, Children, Counterparts, JointRest, free_name, lost},
    },
    math::Vec3,
    model::{Document, JointId, ObjectId, Skeleton, Target},
    notice::Notice,
    text::{fill, t},
    ui::subject,
};
use std::{collections::BTreeSet, sync::Arc};

/// What is selected of one rig.
struct Chosen {
    object: ObjectId,
    skeleton: Arc<Skeleton>,
    joints: BTreeSet<JointId>,
    active: Option<JointId>,
}

impl App {
    /// Carries out a command about joints.
    pub(in crate::app) fn skeleton(&mut self, id: Id) {
        let document = self.state.session.document().clone();
        let Some(chosen) = chosen(&document, self.state.session.selection()) else {
            return self.state.tell(Notice::info(t("skeleton.none_selected").into_owned()));
        };
        if let (Id::RestFromPose | Id::RestFromPoseStays, Some(edit)) = (id, self.rest_from_pose(id, &chosen)) {
            let done = self.state.session.apply("history.rest_pose", &edit).map(|_| ());
            return told(self, done);
        }
        let Some((label, edit)) = edit_of(id, &chosen) else {
            return self.state.tell(Notice::info(t("skeleton.needs_joints").into_owned()));
        };
        let gone = match &edit {
            SkeletonEdit::Delete { object, joints, children } => Some(lost(&document, *object, joints, *children)),
            _ => None,
        };
        let fresh = chosen.skeleton.fresh_id();
        let done = self.state.session.apply(label, &edit.clone().into()).map(|_| ());
        if done.is_ok() {
            match (gone, &edit) {
                (Some(gone), _) => {
                    let counts: [(&str, &dyn std::fmt::Display); 5] = [
                        ("joints", &gone.joints),
                        ("curves", &gone.curves),
                        ("pins", &gone.pins),
                        ("constraints", &gone.constraints),
                        ("drivers", &gone.drivers),
                    ];
                    self.state.tell(Notice::info(fill("skeleton.deleted", &counts)));
                }
                (None, SkeletonEdit::AddRoot { .. } | SkeletonEdit::Extrude { .. } | SkeletonEdit::Split { .. }) => {
                    self.state.session.select(Selection::single(Target::Joint(chosen.object, fresh)));
                }
                _ => {}
            }
        }
        told(self, done);
    }

    /// The edit that makes the pose shown of the chosen joints, of all where none is chosen, their rest pose.
    fn rest_from_pose(&self, id: Id, chosen: &Chosen) -> Option<Edit> {
        let frame = self.state.evaluator.frame(self.state.session.document(), self.state.view.secs);
        let locals = &frame.rig(chosen.object)?.local;
        let joints = chosen.skeleton.joints().iter().zip(locals.iter());
        let posed = joints.filter(|(joint, local)| {
            (chosen.joints.is_empty() || chosen.joints.contains(&joint.id)) && joint.rest != **local
        });
        let rests: Vec<JointRest> = posed.map(|(joint, local)| JointRest { joint: joint.id, rest: *local }).collect();
        let animation = if id == Id::RestFromPose { Animation::Follows } else { Animation::Stays };
        let edit = SkeletonEdit::SetRest { object: chosen.object, rests, children: Carry::Along, animation };
        Some(edit.into())
    }
}

fn chosen(document: &Document, selection: &Selection) -> Option<Chosen> {
    let object = subject::object(document, selection)?;
    let skeleton = Arc::clone(&document.object(object)?.as_rig()?.skeleton);
    let own = |target: &Target| match *target {
        Target::Joint(of, joint) if of == object && skeleton.index_of(joint).is_some() => Some(joint),
        _ => None,
    };
    let joints = selection.targets.iter().filter_map(own).collect();
    let active = selection.active.as_ref().and_then(own);
    Some(Chosen { object, joints, active, skeleton })
}

fn edit_of(id: Id, chosen: &Chosen) -> Option<(&'static str, SkeletonEdit)> {
    let Chosen { object, skeleton, joints, active } = chosen;
    let (object, joints) = (*object, joints.clone());
    if id == Id::AddRootJoint {
        let name = t("skeleton.new_root").into_owned();
        return Some(("history.add_joint", SkeletonEdit::AddRoot { object, name, place: Vec3::zeros() }));
    }
    let joint = (*active)?;
    let child_name = || free_name(skeleton, joint);
    let animation = if id == Id::ReparentJointsStay { Animation::Stays } else { Animation::Follows };
    Some(match id {
        Id::ExtrudeJoint => {
            let found = skeleton.joint(joint)?;
            let along = found.rest.rotation.inverse() * found.rest.translation;
            let offset = if found.parent.is_some() && along.norm() > 1e-9 { along } else { Vec3::y() * 0.2 };
            ("history.extrude", SkeletonEdit::Extrude { object, parent: joint, name: child_name(), offset })
        }
        Id::SplitBone => ("history.split_bone", SkeletonEdit::Split { object, joint, at: 0.5, name: child_name() }),
        Id::ReparentJoints | Id::ReparentJointsStay => {
            let mut joints = joints;
            joints.remove(&joint);
            if joints.is_empty() {
                return None;
            }
            ("history.reparent", SkeletonEdit::Reparent { object, joints, parent: Some(joint), animation })
        }
        Id::UnparentJoints => ("history.reparent", SkeletonEdit::Reparent { object, joints, parent: None, animation }),
        Id::MirrorJoints => (
            "history.mirror_joints",
            SkeletonEdit::Mirror { object, joints, make: true, by: Counterparts::Found, animation },
        ),
        Id::DeleteJoints => {
            ("history.delete_joints", SkeletonEdit::Delete { object, joints, children: Children::Kept })
        }
        Id::DeleteJointBranch => {
            ("history.delete_joints", SkeletonEdit::Delete { object, joints, children: Children::Deleted })
        }
        _ => return None,
    })
}

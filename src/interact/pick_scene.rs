//! What can be picked, gathered from a document at one time.

use super::picking::{BoneShape, JointShape, PartShape, PickScene};
use crate::{
    eval::{EvaluatedFrame, RigFrame},
    math::Affine,
    model::{Document, Joint, ObjectId, Rig, Skeleton},
};

impl PickScene {
    /// The joints and bones of the rigs that are shown, and the mannequin's parts.
    #[must_use]
    pub fn gather(
        document: &Document,
        frame: &EvaluatedFrame,
        is_shown: impl Fn(ObjectId) -> bool,
        parts: Vec<PartShape>,
    ) -> Self {
        let mut scene = Self { parts, ..Self::default() };
        for (id, _, rig) in document.rigs().filter(|(id, object, _)| !object.hidden && is_shown(*id)) {
            if let Some((world, pose)) = frame.objects.get(&id).and_then(|at| Some((at.world, at.rig.as_ref()?))) {
                scene.add_rig(id, rig, &world, pose);
            }
        }
        scene
    }

    fn add_rig(&mut self, object: ObjectId, rig: &Rig, world: &Affine, pose: &RigFrame) {
        let skeleton = &rig.skeleton;
        let joints = skeleton.joints();
        let mut only_child: Vec<Children> = vec![Children::None; joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            let (Some(model), parent) = (pose.model.get(index), skeleton.parents()[index]) else { continue };
            let at = world.point(&model.translation);
            let selects = if joint.is_end() { joint.parent.unwrap_or(joint.id) } else { joint.id };
            self.joints.push(JointShape { object, joint: joint.id, selects, at });
            let Some(parent) = parent else { continue };
            if !joint.is_end() {
                only_child[parent] = only_child[parent].with(index);
            }
            let (from, owner) = (world.point(&pose.model[parent].translation), joints[parent].id);
            self.bones.push(BoneShape { object, joint: owner, dragged: owner, from, to: at });
        }
        let first = self.bones.len() - joints.iter().filter(|joint| joint.parent.is_some()).count();
        for bone in &mut self.bones[first..] {
            bone.dragged = skeleton.index_of(bone.joint).map_or(bone.joint, |at| far_end(skeleton, &only_child, at).id);
        }
    }
}

/// How many children that are joints.
#[derive(Clone, Copy)]
enum Children {
    None,
    One(usize),
    Many,
}

impl Children {
    const fn with(self, child: usize) -> Self {
        match self {
            Self::None => Self::One(child),
            Self::One(_) | Self::Many => Self::Many,
        }
    }
}

/// The joint that is dragged when the bone from joint `at` is grabbed: the one at its far end, so that the bone goes with
/// the pointer; the joint itself where it is a root, branches, or has only a tip.
fn far_end<'a>(skeleton: &'a Skeleton, only_child: &[Children], at: usize) -> &'a Joint {
    let joints = skeleton.joints();
    match only_child[at] {
        Children::One(child) if skeleton.parents()[at].is_some() => &joints[child],
        _ => &joints[at],
    }
}

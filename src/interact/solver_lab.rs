//! The solver lab and the document: the chain it takes from what is selected, and the edit that keeps a result.

use crate::{
    edit::{AutoKey, Edit, EditError, Selection, pose},
    eval::{
        EvaluatedFrame,
        limbs::of_object,
        pins::PinChain,
        solver_lab::limb::{Figure, Start},
    },
    math::{Affine, Quat, Transform, Vec3},
    model::{Document, JointId, ObjectId, Skeleton, Target},
};
use std::sync::Arc;

/// The chain of a selected joint, as it is shown now.
#[derive(Clone, Debug, PartialEq)]
pub struct LimbChain {
    /// The character.
    pub object: ObjectId,
    /// The joints, root first; the last is the one selected.
    pub joints: Vec<JointId>,
    /// Where a joint that bends alone is in `joints`; none where the limb has none.
    pub middle: Option<usize>,
    path: Vec<usize>,
    skeleton: Arc<Skeleton>,
    locals: Vec<Transform>,
    rest: Vec<Transform>,
    root: Affine,
}

impl LimbChain {
    /// The chain of the active joint, else of the first selected that has one: the limb it ends or is part of, or the chain
    /// it was given. None where nothing that is selected hangs from a joint that may turn.
    #[must_use]
    pub fn of(document: &Document, frame: &EvaluatedFrame, selection: &Selection) -> Option<Self> {
        let mut wanted = selection.active.into_iter().chain(selection.targets.iter().copied());
        wanted.find_map(|target| Self::of_target(document, frame, target))
    }

    fn of_target(document: &Document, frame: &EvaluatedFrame, target: Target) -> Option<Self> {
        let Target::Joint(object, joint) = target else { return None };
        let rig = document.object(object)?.as_rig()?;
        let placed = frame.objects.get(&object)?;
        let locals = placed.rig.as_ref()?.local.clone();
        let skeleton = rig.skeleton.clone();
        let limbs = of_object(document, object, &skeleton);
        let last = skeleton.index_of(joint)?;
        let path = PinChain::of(rig, &limbs, last).path;
        if path.len() < 2 {
            return None;
        }
        let limb = limbs.containing(last).and_then(|limb| limb.middle);
        let middle = path.iter().position(|joint| Some(*joint) == limb).filter(|at| *at > 0 && *at + 1 < path.len());
        let joints = path.iter().filter_map(|index| Some(skeleton.joints().get(*index)?.id)).collect();
        let rest = limbs.stance(&skeleton);
        Some(Self { object, joints, middle, path, skeleton, locals, rest, root: placed.world })
    }

    fn figure(&self) -> Figure<'_> {
        Figure { tree: self.skeleton.tree(), locals: &self.locals, rest: &self.rest, root: self.root }
    }

    /// World positions and rotations at a start.
    #[must_use]
    pub fn chain(&self, start: Start) -> (Vec<Vec3>, Vec<Quat>) {
        self.figure().chain(&self.path, start)
    }

    /// The name of a joint of the chain.
    #[must_use]
    pub fn name(&self, at: usize) -> String {
        let joint = self.joints.get(at).and_then(|id| self.skeleton.joint(*id));
        joint.map(|joint| joint.name.clone()).unwrap_or_default()
    }

    fn changes(&self, rotations: &[Quat]) -> Vec<(JointId, Transform)> {
        let joints = self.skeleton.joints();
        let locals = self.figure().locals(&self.path, rotations).into_iter();
        locals.filter_map(|(index, local)| Some((joints.get(index)?.id, local))).collect()
    }

    /// The names of the joints that keeping these rotations leaves as they are, locked or driven; none where there are none.
    #[must_use]
    pub fn left(&self, document: &Document, secs: f64, rotations: &[Quat]) -> Option<String> {
        let left = pose::left_behind(document, self.object, secs, &self.changes(rotations));
        crate::model::names::joints_text(document, self.object, &left)
    }

    /// The edit that keys the chain with these world rotations at a time, whatever auto-key says; captured motion is
    /// corrected.
    ///
    /// # Errors
    /// Those of [`pose::pose_edit_into`].
    pub fn keep(
        &self,
        document: &Document,
        selection: &Selection,
        secs: f64,
        rotations: &[Quat],
    ) -> Result<Edit, EditError> {
        let changes = self.changes(rotations);
        let clip = document.clip_of(self.object);
        let correction = selection.correction.filter(|(of, _)| Some(*of) == clip).map(|(_, id)| id);
        pose::pose_edit_into(document, self.object, secs, &changes, AutoKey::On, correction)
    }
}

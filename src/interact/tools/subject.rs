//! What moves and turns: the selected targets with the transforms they had when it began.

use crate::{
    eval::{
        EvaluatedFrame,
        sample::{Stage, clip_local, object_local},
    },
    interact::{tool::ToolContext, view_state::TransformSpace},
    math::{
        Affine, Mat3, Quat, Transform, Vec3,
        rotation::{from_axis_angle, nearest_rotation},
    },
    model::{Document, Parent, Target},
};

/// A target that moves or turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Which.
    pub target: Target,
    /// Its local transform.
    pub local: Transform,
    /// From its parent's space to the world: what its place is in.
    pub parent: Affine,
    /// What its rotation and its scale act in, in the world: the parent's linear part, or that without the parent's scale.
    pub above: Mat3,
}

/// About which axis a subject turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TurnAxis {
    /// One of its own axes (0, 1, 2).
    Own(usize),
    /// One of its parent's axes.
    Parent(usize),
    /// An axis of the world, unit.
    World(Vec3),
}

impl Subject {
    /// A target as it is in a frame; none where it does not exist or is only the tip of a bone.
    #[must_use]
    pub fn new(document: &Document, frame: &EvaluatedFrame, target: Target) -> Option<Self> {
        Self::of(document, frame, target, false)
    }

    /// The same; where the rest pose is edited the tips of bones move too.
    #[must_use]
    pub fn in_hand(ctx: &ToolContext<'_>, target: Target) -> Option<Self> {
        Self::of(ctx.document, ctx.frame, target, ctx.rest.is_some())
    }

    fn of(document: &Document, frame: &EvaluatedFrame, target: Target, tips: bool) -> Option<Self> {
        match target {
            Target::Pin(..) | Target::Morph(..) | Target::Deformer(..) | Target::Layer(..) | Target::Sample(..) => None,
            Target::Constraint(object, id) | Target::Pole(object, id) => {
                let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
                let local = clip_local(document, clip.map(|clip| &**clip), target, frame.secs, Stage::Shown)?;
                let report = frame.chains.iter().find(|chain| (chain.object, chain.constraint) == (object, id))?;
                let parent = if matches!(target, Target::Pole(..)) { report.pole?.0 } else { report.space };
                Some(Self::under(target, local, parent))
            }
            Target::Point(object, point) => {
                let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
                let local = clip_local(document, clip.map(|clip| &**clip), target, frame.secs, Stage::Shown)?;
                let mut above = frame.objects.get(&object)?.world;
                let found = document.object(object)?;
                if found.deforms() {
                    // Its translation is the offset from rest.
                    above.translation = above.point(&found.carrying_point(point)?);
                }
                Some(Self::under(target, local, above))
            }
            Target::Object(object) => {
                let parent = match document.object(object)?.parent {
                    None => Affine::IDENTITY,
                    Some(Parent::Object(parent)) => frame.objects.get(&parent)?.world,
                    Some(Parent::Joint(rig, joint)) => {
                        frame.joint_world(rig, document.object(rig)?.as_rig()?.skeleton.index_of(joint)?)?
                    }
                };
                Some(Self::under(target, object_local(document, object, frame.secs, Stage::Shown)?, parent))
            }
            Target::Joint(object, joint) => {
                let skeleton = &document.object(object)?.as_rig()?.skeleton;
                let index = skeleton.index_of(joint).filter(|index| tips || !skeleton.joints()[*index].is_end())?;
                let placed = frame.objects.get(&object)?;
                let pose = placed.rig.as_ref()?;
                let parent = match skeleton.parents()[index] {
                    Some(parent) => placed.world * *pose.model.get(parent)?,
                    None => placed.world,
                };
                let above = frame.joint_above(object, skeleton, index)?;
                Some(Self { target, local: *pose.local.get(index)?, parent, above })
            }
        }
    }

    fn under(target: Target, local: Transform, parent: Affine) -> Self {
        Self { target, local, parent, above: parent.linear }
    }

    /// The selected targets, the active one first; those that cannot move left out.
    #[must_use]
    pub fn selected(ctx: &ToolContext<'_>) -> Vec<Self> {
        let active = ctx.selection.active;
        let others = ctx.selection.targets.iter().copied().filter(|target| Some(*target) != active);
        active.into_iter().chain(others).filter_map(|target| Self::in_hand(ctx, target)).collect()
    }

    /// From its own space to the world.
    #[must_use]
    pub fn world(&self) -> Affine {
        Affine {
            linear: self.above * self.local.to_affine().linear,
            translation: self.parent.point(&self.local.translation),
        }
    }

    /// The axes of a space, world, as columns, unit.
    #[must_use]
    pub fn axes(&self, space: TransformSpace) -> Mat3 {
        let rotation = match space {
            TransformSpace::Local => nearest_rotation(&self.above) * self.local.rotation,
            TransformSpace::Parent => nearest_rotation(&self.above),
            TransformSpace::World => Quat::identity(),
        };
        *rotation.to_rotation_matrix().matrix()
    }

    /// Its local transform after a movement in the world, metres. A parent that is flattened to nothing holds it.
    #[must_use]
    pub fn moved(&self, by: &Vec3) -> Transform {
        let by = self.parent.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse.vector(by));
        Transform { translation: self.local.translation + by, ..self.local }
    }

    /// Its local transform after a turn, radians by the right hand.
    #[must_use]
    pub fn turned(&self, axis: TurnAxis, angle: f64) -> Transform {
        let unit = |axis: usize| Vec3::ith(axis.min(2), 1.0);
        let rotation = match axis {
            TurnAxis::Own(axis) => self.local.rotation * from_axis_angle(&unit(axis), angle),
            TurnAxis::Parent(axis) => from_axis_angle(&unit(axis), angle) * self.local.rotation,
            TurnAxis::World(axis) => {
                let in_parent = nearest_rotation(&self.above).inverse() * axis;
                from_axis_angle(&in_parent, angle) * self.local.rotation
            }
        };
        Transform { rotation, ..self.local }
    }

    /// Whether another target carries this one: an ancestor in the same rig, or the rig object itself.
    #[must_use]
    pub fn is_carried_by(&self, document: &Document, other: Target) -> bool {
        let object = self.target.object();
        if self.target != Target::Object(object) && other == Target::Object(object) {
            return true;
        }
        let Target::Joint(_, joint) = self.target else { return false };
        let Some(skeleton) = document.object(object).and_then(|object| object.as_rig()).map(|rig| &rig.skeleton) else {
            return false;
        };
        let mut at = skeleton.index_of(joint).and_then(|index| skeleton.parents()[index]);
        while let Some(index) = at {
            if other == Target::Joint(object, skeleton.joints()[index].id) {
                return true;
            }
            at = skeleton.parents()[index];
        }
        false
    }
}

//! A grabbed joint and the limb that follows it, between the drag's meaning ([`crate::eval::drag`]) and the tools.

use super::{pinned::Pinned, pose_write::write_joints};
use crate::{
    edit::{Edit, EditError},
    eval::{
        drag::{Drag, DragInput, DragOptions},
        ik::{SoftReach, SolverSpec, solver},
        limbs::{Limbs, of_object},
    },
    interact::{
        overlay::{Ink, Mark, Overlay},
        projection::View,
        tool::ToolContext,
    },
    math::{Affine, Transform, Vec3},
    model::{JointId, ObjectId, Skeleton, SolverKind, Target},
};
use std::sync::Arc;

/// A joint as it was grabbed: all that a drag needs of the press.
#[derive(Clone, Debug)]
pub(super) struct LimbGrab {
    object: ObjectId,
    skeleton: Arc<Skeleton>,
    limbs: Limbs,
    rest: Vec<Transform>,
    pressed: Vec<Transform>,
    root: Affine,
    joint: usize,
    options: DragOptions,
    start: Vec3,
    reach: Option<(Vec3, f64)>,
    pinned: Pinned,
}

impl LimbGrab {
    /// Grabs a joint or a tip; none where it does not exist or the pose is not finite.
    pub(super) fn new(ctx: &ToolContext<'_>, target: Target) -> Option<Self> {
        let Target::Joint(object, joint) = target else { return None };
        let rig = ctx.document.object(object)?.as_rig()?;
        let skeleton = rig.skeleton.clone();
        let placed = ctx.frame.objects.get(&object)?;
        let pressed = placed.rig.as_ref()?.local.clone();
        let mut grab = Self {
            object,
            limbs: of_object(ctx.document, object, &skeleton),
            rest: skeleton.joints().iter().map(|joint| joint.rest).collect(),
            pressed,
            root: placed.world,
            joint: skeleton.index_of(joint)?,
            options: DragOptions::default(),
            start: Vec3::zeros(),
            reach: None,
            pinned: Pinned::new(ctx, object, skeleton.index_of(joint)?),
            skeleton,
        };
        if let Some(hint) = rig.hints.get(&joint) {
            grab.options.chain_root = hint.root.and_then(|root| grab.skeleton.index_of(root));
            grab.options.solver = hint.solver.and_then(solver_of);
            grab.options.pole = hint.pole.map(|pole| placed.world.point(&pole));
        }
        let drag = grab.drag(grab.options)?;
        let (start, reach) = (drag.start(), drag.reach());
        Some(Self { start, reach, ..grab })
    }

    fn drag(&self, options: DragOptions) -> Option<Drag<'_>> {
        Drag::new(DragInput {
            parents: self.skeleton.parents(),
            limbs: &self.limbs,
            rest: &self.rest,
            pressed: &self.pressed,
            root: self.root,
            joint: self.joint,
            options,
        })
    }

    /// The rig object.
    pub(super) const fn object(&self) -> ObjectId {
        self.object
    }

    /// The joint whose axes are those of what is grabbed: itself, or for a tip the joint it belongs to.
    pub(super) fn axes_of(&self) -> JointId {
        let joint = &self.skeleton.joints()[self.joint];
        if joint.is_end() { joint.parent.unwrap_or(joint.id) } else { joint.id }
    }

    /// Where it was grabbed, world.
    pub(super) const fn start(&self) -> Vec3 {
        self.start
    }

    /// The pose for a target, world. A target that was typed is met exactly; a dragged one eases in near full stretch.
    pub(super) fn solve(&self, target: &Vec3, typed: bool) -> LimbPose {
        let soft = if typed { SoftReach::OFF } else { self.options.soft };
        let mut pose = LimbPose {
            changes: Vec::new(),
            target: *target,
            end: self.start,
            gap: 0.0,
            reach: self.reach,
            pole: self.options.pole,
        };
        // Not moved at all is not changed at all, whatever the solvers would round to.
        if let Some(drag) = self.drag(DragOptions { soft, ..self.options }).filter(|_| *target != self.start) {
            let mut result = drag.to(target);
            self.pinned.hold(&self.limbs, self.root, &self.pressed, &mut result.changed);
            let joints = self.skeleton.joints();
            let changed = result.changed.iter().filter_map(|(index, local)| Some((joints.get(*index)?, *local)));
            pose.changes =
                changed.filter(|(joint, _)| !joint.is_end()).map(|(joint, local)| (joint.id, local)).collect();
            pose.gap = result.gap;
            pose.end = self.pinned.end(&self.pressed, self.root, &result.changed);
        }
        pose
    }

    /// The edit that makes a pose so. A pinned joint takes its pin along, over all its bar; with `parts` from here on only.
    pub(super) fn edit(&self, pose: &LimbPose, ctx: &ToolContext<'_>, parts: bool) -> Result<Edit, EditError> {
        match self.pinned.moved(ctx, &pose.end, parts) {
            Some(edit) => Ok(edit),
            None => write_joints(ctx, self.object, &pose.changes),
        }
    }
}

/// What the program offers under a kind of solver.
fn solver_of(kind: SolverKind) -> Option<&'static SolverSpec> {
    solver(match kind {
        SolverKind::TwoBone => "two_bone",
        SolverKind::Ccd => "ccd",
        SolverKind::Fabrik => "fabrik",
        SolverKind::DampedLeastSquares => "damped_least_squares",
    })
}

/// Where a drag has brought the body.
#[derive(Clone, Debug)]
pub(super) struct LimbPose {
    changes: Vec<(JointId, Transform)>,
    target: Vec3,
    /// Where the grabbed joint has come, world.
    end: Vec3,
    gap: f64,
    reach: Option<(Vec3, f64)>,
    pole: Option<Vec3>,
}

impl LimbPose {
    /// How far the limb reaches, what it bends towards, and the gap to a target beyond its reach.
    pub(super) fn draw(&self, overlay: &mut Overlay, view: &View) {
        let Some((hangs_from, reach)) = self.reach else { return };
        let (Some(middle), Some(target)) = (view.project(&hangs_from), view.project(&self.target)) else { return };
        let Some(scale) = view.points_per_metre(&hangs_from) else { return };
        let is_far = self.gap > 0.02 * reach;
        overlay.marks.push(Mark::Circle { at: middle, radius: reach * scale, ink: Ink::Guide });
        if let Some(pole) = self.pole.and_then(|pole| view.project(&pole)) {
            overlay.dashed(middle, pole, Ink::Guide);
            overlay.marks.push(Mark::Dot { at: pole, radius: 4.0, ink: Ink::Guide });
        }
        if is_far {
            overlay.dashed(middle, target, Ink::Warning);
            overlay.marks.push(Mark::Dot { at: target, radius: 3.0, ink: Ink::Warning });
        }
    }
}

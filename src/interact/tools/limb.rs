//! A grabbed joint and the limb that follows it, between the drag's meaning ([`crate::eval::drag`]) and the tools.

use super::{pinned::Pinned, pose_write::write_joints};
use crate::{
    edit::{Edit, EditError},
    eval::{
        drag::{Balance, BodyHelp, Drag, DragInput, DragOptions, Feet, Hands, Head, Hold, Orientation},
        ik::{JointLimit, SoftReach, solver},
        limbs::{Limbs, Role, limits, of_object},
    },
    interact::{
        overlay::{Ink, Mark, Overlay},
        projection::View,
        tool::ToolContext,
        view_state::DragPrefs,
    },
    math::{Affine, Transform, Vec3},
    model::{JointId, ObjectId, Skeleton, Target},
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
    holds: Vec<Hold>,
    /// Limits of all joints; empty where drags do not keep to them.
    limits: Vec<Option<JointLimit>>,
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
        let limbs = of_object(ctx.document, object, &skeleton);
        let mut grab = Self {
            object,
            rest: limbs.stance(&skeleton),
            limbs,
            pressed,
            root: placed.world,
            joint: skeleton.index_of(joint)?,
            options: options_of(ctx.drag),
            holds: Vec::new(),
            limits: Vec::new(),
            start: Vec3::zeros(),
            reach: None,
            pinned: Pinned::new(ctx, object, skeleton.index_of(joint)?),
            skeleton,
        };
        if let Some(hint) = rig.hints.get(&joint) {
            grab.options.chain_root = hint.root.and_then(|root| grab.skeleton.index_of(root));
            grab.options.solver = hint.solver.and_then(|kind| solver(kind.id()));
            grab.options.pole = hint.pole.map(|pole| placed.world.point(&pole));
        }
        if ctx.drag.limits {
            grab.limits = limits(rig, &grab.limbs);
        }
        if ctx.drag.hands_in_world && grab.limbs.of_role(Role::Arm).any(|arm| arm.end() == grab.joint) {
            grab.options.orientation = Orientation::World;
        }
        grab.holds = grab.pinned.holds();
        for (_, held) in ctx.drag.held.iter().filter(|(of, _)| *of == object) {
            grab.holds.extend(grab.skeleton.index_of(*held).map(|joint| Hold { joint, place: None }));
        }
        let drag = grab.drag(grab.options)?;
        let (start, reach) = (drag.start(), drag.reach());
        Some(Self { start, reach, ..grab })
    }

    fn drag(&self, options: DragOptions) -> Option<Drag<'_>> {
        let input = DragInput {
            tree: self.skeleton.tree(),
            limbs: &self.limbs,
            rest: &self.rest,
            pressed: &self.pressed,
            root: self.root,
            joint: self.joint,
            options,
        };
        Drag::holding(input, &self.holds)
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

    /// The pose for a target, world. A target that was typed is met exactly; a dragged one eases in near full stretch. With
    /// `whole` the body helps from the beginning.
    pub(super) fn solve(&self, target: &Vec3, typed: bool, whole: bool) -> LimbPose {
        let soft = if typed { SoftReach::OFF } else { self.options.soft };
        // Alt on a joint with a pin of its own parts the pin.
        let help = if whole && !self.pinned.has_own() { BodyHelp::AtOnce } else { self.options.help };
        let mut pose = LimbPose {
            changes: Vec::new(),
            target: *target,
            end: self.start,
            reach: self.reach,
            corners: None,
            balance: None,
            pole: self.options.pole,
        };
        let Some(drag) = self.drag(DragOptions { soft, help, ..self.options }) else { return pose };
        // What is typed is met exactly.
        let drag = if typed { drag } else { drag.with_limits(&self.limits) };
        let mut result = drag.to(if *target == self.start { &self.start } else { target });
        (pose.corners, pose.balance) = (result.corners, result.balance);
        // Not moved at all is not changed at all, whatever the solvers would round to.
        if *target != self.start {
            self.pinned.hold(&self.limbs, self.root, &self.pressed, &mut result.changed);
            // Nor is what moves by no more than rounding: a step of the history that shows nothing would be one too many.
            if !result.changed.iter().any(|(joint, local)| is_other(&self.pressed[*joint], local)) {
                result.changed.clear();
            }
            let joints = self.skeleton.joints();
            let changed = result.changed.iter().filter_map(|(index, local)| Some((joints.get(*index)?, *local)));
            pose.changes =
                changed.filter(|(joint, _)| !joint.is_end()).map(|(joint, local)| (joint.id, local)).collect();
            pose.end = self.pinned.end(&self.pressed, self.root, &result.changed);
        }
        pose
    }

    /// The edit that makes a pose so. A pinned joint takes its pin along, over all its bar; with `parts` from here on only.
    pub(super) fn edit(
        &self,
        pose: &LimbPose,
        ctx: &ToolContext<'_>,
        parts: bool,
        live: bool,
    ) -> Result<Edit, EditError> {
        match self.pinned.moved(ctx, &pose.end, parts) {
            Some(edit) => Ok(edit),
            None => write_joints(ctx, self.object, &pose.changes, live),
        }
    }
}

/// A joint that turns by less, radians, or moves by less, as a share of its bone, has not moved.
const STILL: f64 = 1e-9;

fn is_other(before: &Transform, now: &Transform) -> bool {
    let moved = (now.translation - before.translation).norm();
    before.rotation.angle_to(&now.rotation) > STILL || moved > STILL * (1e-3 + before.translation.norm())
}

/// How a body is dragged, as the user has set it.
fn options_of(prefs: &DragPrefs) -> DragOptions {
    DragOptions {
        help: if prefs.help { BodyHelp::OutOfReach } else { BodyHelp::Never },
        hands: if prefs.hold_hands { Hands::Stay } else { Hands::Follow },
        feet: if prefs.hold_feet { Feet::Stay } else { Feet::Follow },
        head: if prefs.head_looks { Head::Looks } else { Head::Follows },
        balance: prefs.balance,
        ground: prefs.ground.then_some(0.0),
        soft: if prefs.soft { SoftReach::default() } else { SoftReach::OFF },
        ..DragOptions::default()
    }
}

/// Where a drag has brought the body.
#[derive(Clone, Debug)]
pub(super) struct LimbPose {
    changes: Vec<(JointId, Transform)>,
    target: Vec3,
    /// Where the grabbed joint has come, world.
    end: Vec3,
    reach: Option<(Vec3, f64)>,
    corners: Option<[Vec3; 3]>,
    balance: Option<Balance>,
    pole: Option<Vec3>,
}

/// A target nearer to the joint than this on the screen is where the joint is, points.
const APART_PT: f64 = 3.0;
/// Radius of the mark of the centre of mass, points.
const MASS_PT: f64 = 6.0;

impl LimbPose {
    /// How far the limb reaches, the plane it bends in, what it bends towards, the centre of mass over the feet, and the
    /// target where the joint stays behind it.
    pub(super) fn draw(&self, overlay: &mut Overlay, view: &View) {
        self.draw_balance(overlay, view);
        let hangs_from = self.corners.map(|[root, ..]| root).or(self.reach.map(|(root, _)| root));
        if let (Some(root), Some((_, reach))) = (hangs_from, self.reach)
            && let (Some(middle), Some(scale)) = (view.project(&root), view.points_per_metre(&root))
        {
            overlay.marks.push(Mark::Circle { at: middle, radius: reach * scale, ink: Ink::Guide });
            if let Some(pole) = self.pole.and_then(|pole| view.project(&pole)) {
                overlay.dashed(middle, pole, Ink::Guide);
                overlay.marks.push(Mark::Dot { at: pole, radius: 4.0, ink: Ink::Guide });
            }
        }
        if let Some(corners) = &self.corners {
            draw_plane(corners, overlay, view);
        }
        if let (Some(end), Some(target)) = (view.project(&self.end), view.project(&self.target))
            && (target[0] - end[0]).hypot(target[1] - end[1]) > APART_PT
        {
            overlay.dashed(end, target, Ink::Warning);
            overlay.marks.push(Mark::Circle { at: target, radius: 5.0, ink: Ink::Warning });
        }
    }

    /// The centre of mass, plumb over the ground, and the support the feet give.
    fn draw_balance(&self, overlay: &mut Overlay, view: &View) {
        let Some(balance) = &self.balance else { return };
        let ink = if balance.stands { Ink::Mark } else { Ink::Warning };
        for (from, to) in balance.support.iter().zip(balance.support.iter().cycle().skip(1)) {
            if let Some([from, to]) = view.project_segment(from, to) {
                overlay.line(from, to, ink);
            }
        }
        let ground = balance.support.first().map_or(0.0, |corner| corner.y);
        let below = Vec3::new(balance.centre.x, ground, balance.centre.z);
        let (Some(centre), Some(foot)) = (view.project(&balance.centre), view.project(&below)) else { return };
        overlay.dashed(centre, foot, ink);
        overlay.marks.push(Mark::Circle { at: centre, radius: MASS_PT, ink });
        overlay.marks.push(Mark::Dot { at: centre, radius: 2.0, ink });
        overlay.marks.push(Mark::Dot { at: foot, radius: 3.0, ink });
    }
}

/// The plane in which a limb bends: a frame about its root and end, open to the side it bulges to.
fn draw_plane(&[root, middle, end]: &[Vec3; 3], overlay: &mut Overlay, view: &View) {
    let chord = end - root;
    let along = chord / chord.norm_squared().max(1e-300);
    let side = (middle - root) - chord * along.dot(&(middle - root));
    let size = (middle - root).norm() + (end - middle).norm();
    // A straight limb has no plane to be seen.
    if side.norm() < 1e-3 * size {
        return;
    }
    let out = side * (1.25 + 0.02 * size / side.norm());
    for (from, to) in [(root, root + out), (root + out, end + out), (end + out, end), (root, end)] {
        if let Some([from, to]) = view.project_segment(&from, &to) {
            overlay.dashed(from, to, Ink::Guide);
        }
    }
}

//! What dragging a joint means: the pose that follows the pointer, from the limbs that were found.
//!
//! A [`Drag`] is made at the press from the pose then shown; [`Drag::to`] gives, for a target position, the local
//! transforms of the joints that change. It is a pure function of the pose at the press, the options and the target: a
//! joint dragged out and back is where it was, and small moves of the pointer make small moves of the body.
//!
//! | grabbed | what moves |
//! |---|---|
//! | hand, foot | the limb, analytically, in its own bend plane |
//! | elbow, knee | the limb swings about the line from its root to its end, which stays |
//! | hips | the body; feet stay, hands stay or follow |
//! | chest, spine, neck, head | the trunk bends from the hips up |
//! | finger, toe, tail, tentacle | the chain from its branch |
//! | root of anything else | the whole is moved |

pub(in crate::eval) mod anatomy;
mod bend;
pub(in crate::eval) mod limb;
mod limits;
mod plan;
pub(in crate::eval) mod pose;
mod trunk;

pub use plan::DragKind;

use crate::eval::ik::{JointLimit, Settings, SoftReach, SolveReport, SolverSpec};
use crate::eval::limbs::{Limbs, Role};
use crate::math::{Affine, Transform, Vec3};
use bend::Bend;
use plan::Plan;
use pose::Pose;

/// What becomes of the rotation of the grabbed joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Feet as [`Orientation::World`], all else as [`Orientation::Local`].
    #[default]
    Auto,
    /// It keeps its rotation in the world.
    World,
    /// It keeps its rotation relative to its parent.
    Local,
}

/// What hands do while the body is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hands {
    /// They go with the body.
    #[default]
    Follow,
    /// They stay where they are, rotation included.
    Stay,
}

/// How a drag is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DragOptions {
    /// The rotation of the grabbed joint.
    pub orientation: Orientation,
    /// Hands while hips, spine or head are dragged.
    pub hands: Hands,
    /// Easing near full stretch; [`SoftReach::OFF`] for targets that are typed.
    pub soft: SoftReach,
    /// The joint whose chain is solved; none for what the limbs say. Ignored where it is not above the grabbed joint.
    pub chain_root: Option<usize>,
    /// The solver; none for the one that fits the limb.
    pub solver: Option<&'static SolverSpec>,
    /// A position, in the world, towards which the limb bends; none keeps the bend of the pose at the press. It draws the
    /// limb towards itself as the drag goes on, and never flips it while the target passes the line to it.
    pub pole: Option<Vec3>,
    /// Tolerance and passes of iterative solvers.
    pub settings: Settings,
}

/// The pose at the press and what was grabbed.
#[derive(Clone, Copy, Debug)]
pub struct DragInput<'a> {
    /// The parent of each joint, an earlier index.
    pub parents: &'a [Option<usize>],
    /// The limbs of the skeleton.
    pub limbs: &'a Limbs,
    /// Local transforms of the rest pose.
    pub rest: &'a [Transform],
    /// Local transforms of the pose shown at the press.
    pub pressed: &'a [Transform],
    /// From the skeleton's space to the world.
    pub root: Affine,
    /// The grabbed joint.
    pub joint: usize,
    /// How it is solved.
    pub options: DragOptions,
}

/// Where a drag has brought the body.
#[derive(Clone, Debug, PartialEq)]
pub struct DragResult {
    /// The new local transforms of the joints that changed, by joint index, ascending.
    pub changed: Vec<(usize, Transform)>,
    /// What the solvers say, the worst of them; of the softened target where the reach is soft.
    pub report: SolveReport,
    /// Distance between the grabbed joint and the target asked for, world units.
    pub gap: f64,
}

/// A drag from press to release.
#[derive(Clone, Debug)]
pub struct Drag<'a> {
    input: DragInput<'a>,
    pressed: Pose<'a>,
    plan: Plan,
    bends: Vec<Option<Bend>>,
    limits: &'a [Option<JointLimit>],
}

impl<'a> Drag<'a> {
    /// A drag of a joint; none where there is no such joint, or the slices are not of one skeleton.
    #[must_use]
    pub fn new(input: DragInput<'a>) -> Option<Self> {
        let count = input.parents.len();
        let fits = input.pressed.len() == count && input.rest.len() == count && input.joint < count;
        let limbs_fit = input.limbs.limbs.iter().flat_map(|l| &l.joints).all(|j| *j < count);
        if !(fits && limbs_fit) {
            return None;
        }
        let pressed = Pose::new(input.parents, input.pressed, &input.root);
        let finite = (0..count).all(|j| pressed.position(j).iter().all(|v| v.is_finite()));
        let plan = Plan::of(&input, &pressed);
        let bends = limb::bends(&input, &pressed);
        finite.then_some(Self { input, pressed, plan, bends, limits: &[] })
    }

    /// What is being dragged.
    #[must_use]
    pub fn kind(&self) -> DragKind {
        self.plan.kind()
    }

    /// Where the grabbed joint was at the press, world.
    #[must_use]
    pub fn start(&self) -> Vec3 {
        self.pressed.position(self.input.joint)
    }

    /// The point that the dragged limb or chain hangs from, and how far its end reaches; none where the body is moved.
    #[must_use]
    pub fn reach(&self) -> Option<(Vec3, f64)> {
        let path = self.plan.path(self.input.limbs)?;
        let positions: Vec<Vec3> = path.iter().map(|j| self.pressed.position(*j)).collect();
        let reach = positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        Some((*positions.first()?, reach))
    }

    /// The pose for a target of the grabbed joint, in the world. A target that is not finite changes nothing.
    #[must_use]
    pub fn to(&self, target: &Vec3) -> DragResult {
        let mut pose = self.pressed.clone();
        let report = if target.iter().all(|v| v.is_finite()) {
            let report = self.solve(&mut pose, target);
            limits::settle(self, &mut pose);
            report
        } else {
            SolveReport::closed_form(crate::eval::ik::SolveStatus::Unusable, 0.0)
        };
        let gap = (pose.position(self.input.joint) - target).norm();
        DragResult { changed: pose.changes_from(self.input.pressed), report, gap }
    }

    fn solve(&self, pose: &mut Pose<'a>, target: &Vec3) -> SolveReport {
        match &self.plan {
            Plan::Limb { limb } => limb::drag_end(self, pose, *limb, target),
            Plan::Swing { limb } => limb::swing_middle(self, pose, *limb, target),
            Plan::Body { joint } => trunk::move_body(self, pose, *joint, target),
            Plan::Trunk { path, weights } => trunk::bend(self, pose, path, weights, target),
            Plan::Chain { path } => limb::drag_chain(self, pose, path, target),
        }
    }

    /// Whether the grabbed joint keeps its world rotation.
    fn keeps_world(&self, role: Option<Role>) -> bool {
        match self.input.options.orientation {
            Orientation::World => true,
            Orientation::Local => false,
            Orientation::Auto => role == Some(Role::Leg),
        }
    }
}

#[cfg(test)]
mod tests;

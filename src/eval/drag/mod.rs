//! What dragging a joint means: the pose that follows the pointer, from the limbs that were found.
//!
//! A [`Drag`] is made at the press from the pose then shown; [`Drag::to`] gives, for a target position, the local
//! transforms of the joints that change. It is a pure function of the pose at the press, the options and the target: a
//! joint dragged out and back is where it was, and small moves of the pointer make small moves of the body.
//!
//! | grabbed | what moves |
//! |---|---|
//! | hand, foot | the limb, analytically, in its own bend plane; where asked to, the body helps ([`BodyHelp`]) |
//! | elbow, knee | the limb swings about the line from its root to its end, which stays |
//! | hips | the body; feet stay, hands stay or follow |
//! | chest, spine, neck | the trunk bends from the hips up; where asked to, the hips help |
//! | head | the same, and it looks to where it is drawn, neck and spine turning with it ([`Head`]) |
//! | finger, toe, tail, tentacle | the chain from its branch |
//! | root of anything else | the whole is moved |
//!
//! What is held ([`Hold`], feet, hands where asked for) keeps place and rotation, exactly, by closed forms after all else.
//! Where a held limb would have to be longer than it is, the hips stay behind the pointer: a hold is stronger than the
//! pull. How much of a move the body takes is a smooth function of the target; nothing jumps where it begins.

pub(in crate::eval) mod anatomy;
mod balance;
mod bend;
mod floor;
mod follow;
mod help;
pub(in crate::eval) mod hold;
pub(in crate::eval) mod limb;
mod limits;
mod look;
mod options;
mod plan;
pub(in crate::eval) mod pose;
mod swing;
mod trunk;

pub use balance::{Balance, Masses};
pub use hold::Hold;
pub use options::{BodyHelp, DragOptions, Feet, Hands, Head, Orientation};
pub use plan::DragKind;

use crate::eval::ik::{JointLimit, SolveReport};
use crate::eval::limbs::{Limbs, Role};
use crate::math::{Affine, Transform, Vec3};
use crate::model::JointTree;
use bend::Bend;
use hold::Held;
use plan::Plan;
use pose::Pose;

/// The pose at the press and what was grabbed.
#[derive(Clone, Copy, Debug)]
pub struct DragInput<'a> {
    /// How the joints hang on each other.
    pub tree: JointTree<'a>,
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
    /// Where the grabbed joint has come, world.
    pub end: Vec3,
    /// Root, middle and end of the arm or leg that is dragged, world.
    pub corners: Option<[Vec3; 3]>,
    /// The centre of mass over the feet that stand; none where none stands.
    pub balance: Option<Balance>,
}

/// A drag from press to release.
#[derive(Clone, Debug)]
pub struct Drag<'a> {
    input: DragInput<'a>,
    pressed: Pose<'a>,
    plan: Plan,
    bends: Vec<Option<Bend>>,
    limits: &'a [Option<JointLimit>],
    held: Vec<Held>,
    support: Option<balance::Support>,
    soles: Vec<floor::Sole>,
}

impl<'a> Drag<'a> {
    /// A drag of a joint; none where there is no such joint, or the slices are not of one skeleton.
    #[must_use]
    pub fn new(input: DragInput<'a>) -> Option<Self> {
        Self::holding(input, &[])
    }

    /// [`Drag::new`] with joints that are held besides those that the options hold. Holds of joints that do not exist, or
    /// that are grabbed themselves, are left out.
    #[must_use]
    pub fn holding(input: DragInput<'a>, holds: &[Hold]) -> Option<Self> {
        let count = input.tree.parents.len();
        let fits = input.pressed.len() == count && input.rest.len() == count && input.joint < count;
        let limbs_fit = input.limbs.limbs.iter().flat_map(|l| &l.joints).all(|j| *j < count);
        if !(fits && limbs_fit) {
            return None;
        }
        let pressed = Pose::new(input.tree, input.pressed, &input.root);
        let finite = (0..count).all(|j| pressed.position(j).iter().all(|v| v.is_finite()));
        if !finite {
            return None;
        }
        let plan = Plan::of(&input, &pressed);
        let bends = limb::bends(&input, &pressed);
        let held = hold::held(&input, &pressed, &plan, holds);
        let soles = floor::soles(&input, &pressed);
        let support = balance::Support::new(&input, &pressed, &plan, &held, &soles);
        Some(Self { input, pressed, plan, bends, limits: &[], held, support, soles })
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
        let length = match &self.plan {
            Plan::Limb { limb } => self.limb_length(*limb),
            _ => self.pressed.length(path),
        };
        Some((self.pressed.position(*path.first()?), length))
    }

    /// How far the end of a limb is from its root at full stretch: what lies between its three corners is rigid.
    fn limb_length(&self, limb: usize) -> f64 {
        let by_path = || self.input.limbs.limbs.get(limb).map_or(0.0, |limb| self.pressed.length(&limb.joints));
        self.bends.get(limb).and_then(Option::as_ref).map_or_else(by_path, Bend::length)
    }

    /// The pose for a target of the grabbed joint, in the world. A target that is not finite changes nothing.
    #[must_use]
    pub fn to(&self, target: &Vec3) -> DragResult {
        let mut pose = self.pressed.clone();
        let report = if target.iter().all(|v| v.is_finite()) {
            self.balanced(&mut pose, target)
        } else {
            SolveReport::closed_form(crate::eval::ik::SolveStatus::Unusable, 0.0)
        };
        let end = pose.position(self.input.joint);
        DragResult {
            changed: pose.changes_from(self.input.pressed),
            report,
            gap: (end - target).norm(),
            end,
            corners: self.corners(&pose),
            balance: self.support.as_ref().map(|support| support.balance(self, &pose)),
        }
    }

    /// The pose for a target, the hips shifted until the centre of mass is over the feet where that is asked for.
    fn balanced(&self, pose: &mut Pose<'a>, target: &Vec3) -> SolveReport {
        let report = self.solve(pose, target, &Vec3::zeros());
        let Some(support) = self.support.as_ref().filter(|_| self.input.options.balance) else { return report };
        support.balanced(self, pose, report, |pose, sway| self.solve(pose, target, sway))
    }

    /// The pose for a target, the hips shifted by `sway` besides.
    fn solve(&self, pose: &mut Pose<'a>, target: &Vec3, sway: &Vec3) -> SolveReport {
        if !matches!(self.plan, Plan::Body { .. }) {
            hold::shift_hips(self, pose, sway);
        }
        let mut soft = self.input.options.soft;
        let report = match &self.plan {
            Plan::Body { joint } => trunk::move_body(self, pose, *joint, &(target + sway)),
            Plan::Limb { limb } => {
                soft = help::lead_to(self, pose, *limb, target);
                limb::drag_end(self, pose, *limb, target, soft)
            }
            Plan::Swing { limb } => swing::swing_middle(self, pose, *limb, target),
            Plan::Trunk { path, weights } => help::bend(self, pose, path, weights, target),
            Plan::Chain { path } => limb::drag_chain(self, pose, path, target),
        };
        let report = hold::close(self, pose, report);
        limits::settle(self, pose, target, sway, soft);
        floor::lift(self, pose);
        report
    }

    fn corners(&self, pose: &Pose<'_>) -> Option<[Vec3; 3]> {
        let (Plan::Limb { limb } | Plan::Swing { limb }) = &self.plan else { return None };
        let limb = self.input.limbs.limbs.get(*limb)?;
        Some([limb.root(), limb.middle?, limb.end()].map(|joint| pose.position(joint)))
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

//! The pins of one rig on one pose.

use super::{PinChain, PinReport, bend, order::order};
use crate::{
    eval::{
        drag::{
            limb::{solve_path, untwist},
            pose::Pose,
        },
        ik::{ChainSolver as _, Goal as IkGoal, Settings, SolverSpec, default_solver, two_bone::TwoBone},
        limbs::Limbs,
    },
    math::{Affine, Quat, Transform, Vec3, rotation::slerp},
    model::{ObjectId, PinId, Rig},
};

/// Tolerance of iterative solvers as a share of the chain: far below what the eye or an export sees.
const TOLERANCE: f64 = 1e-9;

/// A pin at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The pin.
    pub pin: PinId,
    /// The joint, by index.
    pub joint: usize,
    /// What it is at rest in.
    pub space: Space,
    /// Where the joint is held, in `space`.
    pub place: Vec3,
    /// The joint's rotation in `space`.
    pub orientation: Option<Quat>,
    /// How much of it acts, 0..1.
    pub weight: f64,
}

/// The space of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Space {
    /// From the space to the world.
    Fixed(Affine),
    /// A joint of the same rig, by index, as the pose then has it.
    Own(usize),
}

/// The rig that is pinned.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The object.
    pub object: ObjectId,
    /// Its rig.
    pub rig: &'a Rig,
    /// Its limbs.
    pub limbs: &'a Limbs,
    /// From its space to the world.
    pub root: Affine,
}

/// Solves the pins in the pose; what has become of each, as listed. Goals of joints that do not exist are passed over.
pub fn solve(body: &Body<'_>, locals: &mut Vec<Transform>, goals: &[Goal]) -> Vec<PinReport> {
    solve_some(body, None, locals, goals)
}

/// [`solve`] where only some joints are asked: those of [`super::Asked`], in order.
pub(in crate::eval) fn solve_some(
    body: &Body<'_>,
    only: Option<&[usize]>,
    locals: &mut Vec<Transform>,
    goals: &[Goal],
) -> Vec<PinReport> {
    let parents = body.rig.skeleton.parents();
    let count = parents.len();
    let goals: Vec<Goal> = goals.iter().copied().filter(|goal| goal.joint < count && locals.len() == count).collect();
    if goals.is_empty() {
        return Vec::new();
    }
    let rest: Vec<Transform> = body.rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let tree = body.rig.skeleton.tree();
    let rest = Pose::of_some(tree, only, &rest, &body.root);
    let chains: Vec<PinChain> = goals.iter().map(|goal| PinChain::of(body.rig, body.limbs, goal.joint)).collect();
    let mut pose = Pose::of_some(tree, only, locals, &body.root);
    let mut reports: Vec<PinReport> = goals.iter().map(|goal| report(body, &pose, goal)).collect();
    let (solved, left) = order(parents, &goals, &chains);
    for at in solved {
        reports[at] = hold(body, &rest, &mut pose, &goals[at], &chains[at]);
    }
    for at in left {
        reports[at].waits_for_itself = true;
    }
    *locals = pose.into_locals();
    reports
}

/// Where a goal is in the world: place and rotation.
fn wanted(pose: &Pose<'_>, goal: &Goal) -> (Vec3, Option<Quat>) {
    let (space, rotation) = match goal.space {
        Space::Fixed(space) => (space, space.rotation()),
        Space::Own(joint) => (pose.world(joint), pose.rotation(joint)),
    };
    (space.point(&goal.place), goal.orientation.map(|orientation| rotation * orientation))
}

fn report(body: &Body<'_>, pose: &Pose<'_>, goal: &Goal) -> PinReport {
    let (place, _) = wanted(pose, goal);
    PinReport {
        pin: goal.pin,
        object: body.object,
        joint: goal.joint,
        weight: goal.weight,
        place,
        gap: (pose.position(goal.joint) - place).norm(),
        waits_for_itself: false,
    }
}

fn hold(body: &Body<'_>, rest: &Pose<'_>, pose: &mut Pose<'_>, goal: &Goal, chain: &PinChain) -> PinReport {
    let (place, orientation) = wanted(pose, goal);
    let before: Vec<Quat> = chain.path.iter().map(|joint| pose.local_rotation(*joint)).collect();
    let kept = chain.keeps_rotation.then(|| pose.rotation(goal.joint));
    if chain.path.len() > 1 && place.iter().all(|number| number.is_finite()) {
        reach(body, rest, pose, chain, place);
    }
    if let Some(rotation) = orientation.or(kept) {
        pose.set_rotation(goal.joint, &rotation);
    }
    let report = report(body, pose, goal);
    if goal.weight < 1.0 {
        let after: Vec<Quat> = chain.path.iter().map(|joint| pose.local_rotation(*joint)).collect();
        let blended = before.iter().zip(&after).map(|(before, after)| slerp(before, after, goal.weight));
        let blended: Vec<Quat> = blended.collect();
        pose.set_local_rotations(&chain.path, &blended);
    }
    PinReport { place, ..report }
}

/// Turns the chain so that its last joint comes to a place in the world.
fn reach(body: &Body<'_>, rest: &Pose<'_>, pose: &mut Pose<'_>, chain: &PinChain, place: Vec3) {
    let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
    let pole = chain.pole.map(|pole| body.root.point(&pole));
    if let Some(limb) = chain.limb.and_then(|limb| body.limbs.limbs.get(limb)) {
        let root = pose.position(limb.root());
        let by_pose = if pole.is_none() { bend::bulge(pose, rest, body.limbs, limb, &place) } else { None };
        let pole = pole.or_else(|| by_pose.map(|bulge| root + bulge.direction));
        let target = by_pose.map_or(place, |bulge| bulge.target(pose, limb, &place));
        let goal = IkGoal { target, pole, bulge: None, middle: limb.middle_place() };
        solve_path(pose, &chain.path, |chain, scratch| TwoBone.solve(chain, &goal, &settings, scratch));
        untwist(pose, limb, by_pose.map_or(0.0, |bulge| bulge.swung));
        return;
    }
    let middle = body.limbs.containing(chain.last()).and_then(|limb| limb.middle);
    let middle = middle.and_then(|middle| chain.path.iter().position(|joint| *joint == middle));
    let goal = IkGoal { target: place, pole, bulge: None, middle };
    let solver = chain.solver.map_or(default_solver(), |spec: &SolverSpec| spec.solver);
    solve_path(pose, &chain.path, |chain, scratch| solver.solve(chain, &goal, &settings, scratch));
}

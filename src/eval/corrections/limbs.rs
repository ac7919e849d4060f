//! The ends of limbs brought to places in a pose, exactly where they are there already.

use crate::{
    eval::{
        drag::{
            hold::eased,
            limb::{solve_path, untwist},
            pose::Pose,
        },
        ik::{ChainSolver as _, Goal, Settings, default_solver, two_bone::TwoBone},
        limbs::{Limb, Role},
        pins::{Body, bend},
    },
    math::{Quat, Transform, Vec3},
};

/// Tolerance of iterative solvers as a share of the chain: far below what the eye sees.
const TOLERANCE: f64 = 1e-9;
/// The width before full stretch, as a share of the limb, in which a place farther off than the end is now is eased in:
/// narrower than for a dragged pointer, since the place itself runs smoothly.
const ZONE: f64 = 0.01;
/// A place nearer to the end than this share of the limb is where the end is.
const THERE: f64 = 1e-13;

/// Where the end of a limb is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// The limb, by its place in the body's limbs.
    pub limb: usize,
    /// The place of its last joint, world.
    pub place: Vec3,
    /// The rotation of its last joint, world; none where it keeps the one in its parent's space.
    pub rotation: Option<Quat>,
}

/// Brings the ends of limbs of a pose to places: arms and legs in closed form in the pose's own bend plane, other limbs by the
/// default chain solver from the pose as it is. A place out of reach is eased in to the nearest point. Where an end is at its
/// place already, nothing moves; the result runs as smoothly as pose and places do. Goals of limbs that do not exist are
/// passed over.
#[must_use]
pub fn close(body: &Body<'_>, locals: &[Transform], goals: &[LimbGoal]) -> Vec<Transform> {
    let tree = body.rig.skeleton.tree();
    if locals.len() != tree.parents.len() {
        return locals.to_vec();
    }
    let rest: Vec<Transform> = body.rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let rest = Pose::new(tree, &rest, &body.root);
    let mut pose = Pose::new(tree, locals, &body.root);
    for goal in goals {
        if let Some(limb) = body.limbs.limbs.get(goal.limb)
            && goal.place.iter().all(|number| number.is_finite())
        {
            let kept = pose.local_rotation(limb.end());
            reach(body, &rest, &mut pose, limb, &goal.place);
            match goal.rotation {
                Some(rotation) => pose.set_rotation(limb.end(), &rotation),
                None => pose.set_local_rotations(&[limb.end()], &[kept]),
            }
        }
    }
    pose.into_locals()
}

fn reach(body: &Body<'_>, rest: &Pose<'_>, pose: &mut Pose<'_>, limb: &Limb, place: &Vec3) {
    let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
    let (root, end) = (pose.position(limb.root()), pose.position(limb.end()));
    let bends = limb.middle.filter(|_| matches!(limb.role, Role::Arm | Role::Leg));
    let length = match bends {
        Some(middle) => (pose.position(middle) - root).norm() + (end - pose.position(middle)).norm(),
        None => pose.length(&limb.joints),
    };
    let (distance, now) = ((place - root).norm(), (end - root).norm());
    let eased = eased(distance, length, now, ZONE * length);
    let target = if eased < distance { root + (place - root) * (eased / distance) } else { *place };
    if (target - end).norm() <= THERE * (1.0 + length + target.norm()) {
        return;
    }
    let middle = limb.middle_place();
    if bends.is_some() {
        let bulge = bend::bulge(pose, rest, body.limbs, limb, &target);
        let pole = bulge.map(|bulge| root + bulge.direction * length);
        let target = bulge.map_or(target, |bulge| bulge.target(pose, limb, &target));
        let goal = Goal { target, pole, bulge: None, middle };
        solve_path(pose, &limb.joints, |chain, scratch| TwoBone.solve(chain, &goal, &settings, scratch));
        untwist(pose, limb, bulge.map_or(0.0, |bulge| bulge.swung));
    } else {
        let goal = Goal { middle, ..Goal::at(target) };
        solve_path(pose, &limb.joints, |chain, scratch| default_solver().solve(chain, &goal, &settings, scratch));
    }
}

//! The ends of limbs brought to places in a pose, exactly where they are there already.

use crate::{
    eval::{
        drag::{
            hold::eased,
            limb::{solve_path, untwist},
            pose::Pose,
        },
        ik::{
            ChainSolver as _, Goal, Settings,
            bend::{across, unit},
            default_solver,
            two_bone::TwoBone,
        },
        limbs::{Limb, Role},
        pins::{Body, bend},
    },
    math::{Quat, Transform, Vec3, rotation::from_axis_angle},
};

/// Tolerance of iterative solvers as a share of the chain: far below what the eye sees.
const TOLERANCE: f64 = 1e-9;
/// The width before full stretch, as a share of the limb, in which a place farther off than the end is now is eased in:
/// narrower than for a dragged pointer, since the place itself runs smoothly.
const ZONE: f64 = 0.01;
/// A place nearer to the end than this share of the limb is where the end is.
const THERE: f64 = 1e-13;
/// A limb whose middle is less high over the line from root to end than this share of its length has no bend plane.
const NO_PLANE: f64 = 1e-3;

/// Where the end of a limb is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// The limb, by its place in the body's limbs.
    pub limb: usize,
    /// The place of its last joint, world.
    pub place: Vec3,
    /// The rotation of its last joint, world; none where it keeps the one in its parent's space.
    pub rotation: Option<Quat>,
    /// By how much an arm or a leg swings about the line to its end, radians, from the plane it bends in without the
    /// correction.
    pub swivel: f64,
}

/// Brings the ends of limbs of a pose to places: arms and legs in closed form, other limbs by the default chain solver from the
/// pose as it is. Arms and legs bend in the plane of the pose `own`, without the correction, carried along with the line from
/// root to end and turned by their swivel: a change that fades can pass through straight and come out on the other side, which
/// the motion itself does not. A place out of reach is eased in to the nearest point. Where other limbs are at their place
/// already, nothing moves; the result runs as smoothly as poses and places do. Goals of limbs that do not exist are passed
/// over.
#[must_use]
pub fn close(body: &Body<'_>, own: &[Transform], locals: &[Transform], goals: &[LimbGoal]) -> Vec<Transform> {
    let tree = body.rig.skeleton.tree();
    if locals.len() != tree.parents.len() || own.len() != locals.len() {
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
            reach(body, &rest, own, &mut pose, limb, goal);
            match goal.rotation {
                Some(rotation) => pose.set_rotation(limb.end(), &rotation),
                None => pose.set_local_rotations(&[limb.end()], &[kept]),
            }
        }
    }
    pose.into_locals()
}

/// By how much a limb of a pose swings about the line to its end, radians, from the plane that [`close`] would have it bend in
/// without a swivel. 0 for a straight one, and for limbs that have no plane.
#[must_use]
pub fn swivel(body: &Body<'_>, own: &[Transform], locals: &[Transform], limb: usize) -> f64 {
    let tree = body.rig.skeleton.tree();
    let Some(limb) = body.limbs.limbs.get(limb).filter(|limb| bends(limb).is_some()) else { return 0.0 };
    if locals.len() != tree.parents.len() || own.len() != locals.len() {
        return 0.0;
    }
    let rest: Vec<Transform> = body.rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let (rest, pose) = (Pose::new(tree, &rest, &body.root), Pose::new(tree, locals, &body.root));
    let end = pose.position(limb.end());
    let Some(bulge) = own_bulge(body, &rest, own, &pose, limb, &end) else { return 0.0 };
    let Some(turn) = from_side(&pose, limb, &end, &bulge.direction) else { return 0.0 };
    -turn
}

/// The middle joint of a limb that bends in a plane.
fn bends(limb: &Limb) -> Option<usize> {
    limb.middle.filter(|_| matches!(limb.role, Role::Arm | Role::Leg))
}

/// Where a limb bulges to with its end at a place, if it were bent as in the pose `own`, on the body as it stands.
fn own_bulge(
    body: &Body<'_>,
    rest: &Pose<'_>,
    own: &[Transform],
    pose: &Pose<'_>,
    limb: &Limb,
    place: &Vec3,
) -> Option<bend::Bulge> {
    let mut as_own = pose.clone();
    let rotations: Vec<Quat> = limb.joints.iter().map(|joint| own[*joint].rotation).collect();
    as_own.set_local_rotations(&limb.joints, &rotations);
    bend::bulge(&as_own, rest, body.limbs, limb, place)
}

/// The angle about the line from root to `place`, from the side to which a limb is bent, carried along with that line, to a
/// direction; radians. None where the limb is straight.
fn from_side(pose: &Pose<'_>, limb: &Limb, place: &Vec3, direction: &Vec3) -> Option<f64> {
    let [root, middle, end] = [limb.root(), limb.middle?, limb.end()].map(|joint| pose.position(joint));
    let size = (middle - root).norm() + (end - middle).norm();
    let (chord, to) = (unit(&(end - root), 1e-9 * size)?, unit(&(place - root), 1e-9 * size)?);
    let side = unit(&across(&(middle - root), &chord), NO_PLANE * size)?;
    let side =
        Quat::rotation_between(&chord, &to).unwrap_or_else(|| from_axis_angle(&side, std::f64::consts::PI)) * side;
    let wanted = unit(&across(direction, &to), 1e-9)?;
    Some(to.dot(&side.cross(&wanted)).atan2(side.dot(&wanted)))
}

fn reach(body: &Body<'_>, rest: &Pose<'_>, own: &[Transform], pose: &mut Pose<'_>, limb: &Limb, goal: &LimbGoal) {
    let place = &goal.place;
    let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
    let (root, end) = (pose.position(limb.root()), pose.position(limb.end()));
    let bends = bends(limb);
    let length = match bends {
        Some(middle) => (pose.position(middle) - root).norm() + (end - pose.position(middle)).norm(),
        None => pose.length(&limb.joints),
    };
    let (distance, now) = ((place - root).norm(), (end - root).norm());
    let eased = eased(distance, length, now, ZONE * length);
    let target = if eased < distance { root + (place - root) * (eased / distance) } else { *place };
    let middle = limb.middle_place();
    if bends.is_some() {
        let bulge = own_bulge(body, rest, own, pose, limb, &target);
        let direction = bulge.map(|bulge| {
            let chord = unit(&(target - root), 1e-9 * length);
            chord.map_or(bulge.direction, |chord| from_axis_angle(&chord, goal.swivel) * bulge.direction)
        });
        let swung = direction.and_then(|direction| from_side(pose, limb, &target, &direction)).unwrap_or(0.0);
        let pole = direction.map(|direction| root + direction * length);
        let target = bulge.map_or(target, |bulge| bulge.target(pose, limb, &target));
        let goal = Goal { target, pole, bulge: None, middle };
        solve_path(pose, &limb.joints, |chain, scratch| TwoBone.solve(chain, &goal, &settings, scratch));
        untwist(pose, limb, swung);
    } else if (target - end).norm() > THERE * (1.0 + length + target.norm()) {
        let goal = Goal { middle, ..Goal::at(target) };
        solve_path(pose, &limb.joints, |chain, scratch| default_solver().solve(chain, &goal, &settings, scratch));
    }
}

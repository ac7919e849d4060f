//! IK chains on a pose: target and pole in their spaces, the solver, the blend with what there was.

use super::{limited::Limited, numbers};
use crate::{
    eval::{
        EvaluatedFrame,
        drag::pose::Pose,
        ik::{
            Chain, ChainSolver, Goal, JointLimit, Scratch, Settings, SolveStatus,
            bend::{across, any_perpendicular, unit},
            default_solver, solver,
            two_bone::TwoBone,
        },
        limbs::of_object,
        pins::bend::bulge,
        sample::{Stage, clip_local},
    },
    math::{Affine, Quat, Transform, Vec3, rotation::slerp},
    model::{ChainPath, ChainStart, Constraint, ConstraintId, Document, IkChain, ObjectId, PinSpace, Skeleton, Target},
};

/// What has become of an IK chain at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainReport {
    /// The object.
    pub object: ObjectId,
    /// The chain among its constraints.
    pub constraint: ConstraintId,
    /// The joint that stays, by index.
    pub base: usize,
    /// The joint that reaches, by index.
    pub end: usize,
    /// How much of it acts, 0..1.
    pub weight: f64,
    /// From what the target's coordinates are in to the world.
    pub space: Affine,
    /// The target, world.
    pub target: Vec3,
    /// From the pole's space to the world, and the pole, world.
    pub pole: Option<(Affine, Vec3)>,
    /// How the solver ended at full weight; none where the chain has no weight.
    pub status: Option<SolveStatus>,
    /// How far the end stays from the target at full weight, metres; where the chain has no weight, how far it is.
    pub gap: f64,
}

/// From coordinates of which each is held in a space of its own to the world: row by row the map of its space. None where one
/// of them is not there.
#[must_use]
pub fn axis_space(spaces: &[PinSpace; 3], find: &dyn Fn(PinSpace) -> Option<Affine>) -> Option<Affine> {
    let mut mixed = find(spaces[0])?;
    if spaces[1] == spaces[0] && spaces[2] == spaces[0] {
        return Some(mixed);
    }
    for (axis, space) in spaces.iter().enumerate().skip(1) {
        let other = find(*space)?;
        mixed.linear.set_row(axis, &other.linear.row(axis));
        mixed.translation[axis] = other.translation[axis];
    }
    Some(mixed)
}

/// What a chain reaches for at a time. None where a space of it is not there.
struct Wanted {
    space: Affine,
    target: Vec3,
    pole: Option<(Affine, Vec3)>,
}

impl Wanted {
    fn new(
        document: &Document,
        (id, constraint, chain): (ObjectId, ConstraintId, &IkChain),
        secs: f64,
        find: &dyn Fn(PinSpace) -> Option<Affine>,
    ) -> Option<Self> {
        let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
        let place = |target, fixed: Vec3| {
            let local = clip_local(document, clip.map(|clip| &**clip), target, secs, Stage::Shown);
            local.map_or(fixed, |local| local.translation)
        };
        let space = axis_space(&chain.spaces, find)?;
        let target = space.point(&place(Target::Constraint(id, constraint), chain.target));
        let pole = match chain.pole {
            Some(pole) => {
                let space = find(pole.space)?;
                Some((space, space.point(&place(Target::Pole(id, constraint), pole.place))))
            }
            None => None,
        };
        Some(Self { space, target, pole })
    }
}

/// Solves one chain of a rig in the pose. None where a space of it is not there: then nothing moves.
pub(super) fn reach(
    document: &Document,
    ((id, constraint, skeleton), path, limits): ((ObjectId, &Constraint, &Skeleton), &ChainPath, &[Option<JointLimit>]),
    secs: f64,
    pose: &mut Pose<'_>,
    find: &dyn Fn(&Pose<'_>, PinSpace) -> Option<Affine>,
) -> Option<ChainReport> {
    let chain = constraint.as_chain()?;
    let (weight, _) = numbers(document, id, constraint, secs);
    let wanted = Wanted::new(document, (id, constraint.id, chain), secs, &|space| find(pose, space))?;
    let (base, end) = (path.base(), path.end());
    let Wanted { space, target, pole } = wanted;
    let mut report = ChainReport {
        object: id,
        constraint: constraint.id,
        base,
        end,
        weight,
        space,
        target,
        pole,
        status: None,
        gap: distance(&pose.position(end), &target),
    };
    if weight <= 0.0 {
        return Some(report);
    }
    let turned = turned_joints(path, chain);
    let before: Vec<Quat> = turned.iter().map(|joint| pose.local_rotation(*joint)).collect();
    let (place, kept) = (pose.position(base), [pose.rotation(base), pose.rotation(end)]);
    if chain.start == ChainStart::Rest {
        let bones = path.bodies.iter().copied().filter(|joint| path.turns(*joint));
        let rest = |joint: usize| Some((joint, skeleton.joints().get(joint)?.rest.rotation));
        let (joints, rest): (Vec<usize>, Vec<Quat>) = bones.filter_map(rest).unzip();
        pose.set_locals(&joints, &rest);
        settle(pose, path, &place);
    }
    let goal = Goal { pole: pole.map(|(_, at)| at), ..Goal::at(target) };
    let run = |pose: &mut Pose<'_>| {
        let status = solve(pose, path, chain, &goal);
        if path.carrier.is_some() {
            pose.set_rotation(base, &kept[0]);
        }
        if chain.keeps_rotation && !path.turns(end) {
            pose.set_rotation(end, &kept[1]);
        }
        status
    };
    let mut status = run(pose);
    settle(pose, path, &place);
    if chain.limits && status != SolveStatus::Unusable {
        let limited = Limited { path, chain, turned: &turned, limits, target, place };
        status = limited.keep(pose, status, &run);
    }
    report.status = Some(status);
    report.gap = distance(&pose.position(end), &target);
    if weight < 1.0 {
        let after = turned.iter().map(|joint| pose.local_rotation(*joint));
        let blended: Vec<Quat> =
            before.iter().zip(after).map(|(before, after)| slerp(before, &after, weight)).collect();
        pose.set_locals(&turned, &blended);
        settle(pose, path, &place);
    }
    Some(report)
}

/// How far two places lie apart, the greatest number where that is not finite.
pub(super) fn distance(a: &Vec3, b: &Vec3) -> f64 {
    let apart = (a - b).norm();
    if apart.is_finite() { apart } else { f64::MAX }
}

/// The joints whose rotation a chain may change, parents first.
fn turned_joints(path: &ChainPath, chain: &IkChain) -> Vec<usize> {
    let mut turned: Vec<usize> = path.bodies.iter().copied().filter(|joint| path.turns(*joint)).collect();
    if path.carrier.is_some() {
        turned.push(path.base());
    }
    // Where the end is the joint that carries the last bone it cannot keep its rotation.
    if chain.keeps_rotation {
        turned.push(path.end());
    }
    turned.sort_unstable();
    turned.dedup();
    turned
}

/// Brings the base back to its place by moving what carries the figure.
pub(super) fn settle(pose: &mut Pose<'_>, path: &ChainPath, place: &Vec3) {
    if let Some(carrier) = path.carrier {
        let back = place - pose.position(path.base());
        pose.shift(carrier, &back);
    }
}

/// The solver on the chain's points; the pose is left as it is where they are no chain.
fn solve(pose: &mut Pose<'_>, path: &ChainPath, chain: &IkChain, goal: &Goal) -> SolveStatus {
    let mut positions: Vec<Vec3> = path.points.iter().map(|joint| pose.position(*joint)).collect();
    let mut rotations: Vec<Quat> = path.bodies.iter().map(|joint| pose.rotation(*joint)).collect();
    let settings = Settings { tolerance: chain.tolerance, max_iterations: chain.iterations, ..Settings::default() };
    let solver: &dyn ChainSolver = match chain.solver {
        Some(kind) => solver(kind.id()).map_or(default_solver(), |spec| spec.solver),
        None if positions.len() == 3 => &TwoBone,
        None => default_solver(),
    };
    let Ok(mut points) = Chain::new(&mut positions, &mut rotations) else { return SolveStatus::Unusable };
    let report = solver.solve(&mut points, goal, &settings, &mut Scratch::default());
    if report.status == SolveStatus::Unusable {
        return report.status;
    }
    // The end goes with its bone: its own rotation in its parent's space stays.
    let bones = path.bodies.iter().zip(&rotations).filter(|(body, _)| path.turns(**body));
    let mut turned: Vec<(usize, Quat)> = bones.map(|(body, rotation)| (*body, *rotation)).collect();
    turned.sort_unstable_by_key(|(joint, _)| *joint);
    turned.dedup_by_key(|(joint, _)| *joint);
    pose.set_world_rotations(&turned);
    report.status
}

/// How far from the line between base and end a pole is put, as a part of the chain's length.
const POLE_AWAY: f64 = 0.6;

/// A place in the world towards which a chain bends in a frame: across from the line between base and end, on the side of its
/// middle; where it is straight on the side to which the limb bends, else on that of an axis of its base. None for a chain of
/// a single bone, or of none that has a length.
#[must_use]
pub fn bend_place(document: &Document, frame: &EvaluatedFrame, id: ObjectId, path: &ChainPath) -> Option<Vec3> {
    let rig = document.object(id)?.as_rig()?;
    let placed = frame.objects.get(&id)?;
    let pose = Pose::new(rig.skeleton.tree(), &placed.rig.as_ref()?.local, &placed.world);
    let points: Vec<Vec3> = path.points.iter().map(|joint| pose.position(*joint)).collect();
    let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let (first, last) = (points.first()?, points.last()?);
    if points.len() < 3 || length <= 0.0 {
        return None;
    }
    let chord = unit(&(last - first), 1e-9 * length).or_else(|| unit(&(points[1] - first), 0.0))?;
    // The sides of all joints between together: of one that goes round more than half a turn the greater part decides.
    let side: Vec3 = points.iter().map(|point| across(&(point - first), &chord)).sum();
    let limb = || {
        let limbs = of_object(document, id, &rig.skeleton);
        let limb = limbs.containing(path.end()).filter(|limb| limb.end() == path.end())?;
        let rest: Vec<Transform> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
        let rest = Pose::new(rig.skeleton.tree(), &rest, &placed.world);
        let bulge = bulge(&pose, &rest, &limbs, limb, last)?;
        unit(&across(&bulge.direction, &chord), 1e-6)
    };
    let way = unit(&side, STRAIGHT * length)
        .or_else(limb)
        .or_else(|| unit(&side, 0.0))
        .unwrap_or_else(|| any_perpendicular(&chord, &pose.rotation(path.bodies.first().copied().unwrap_or_default())));
    Some((first + last) * 0.5 + way * (POLE_AWAY * length))
}

/// Below this part of its length a chain's side says little about the way it bends.
const STRAIGHT: f64 = 1e-4;

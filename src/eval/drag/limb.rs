//! Hands, feet, elbows, knees, and chains of any kind.

use super::bend::{Bend, pole_pull};
use super::{Drag, DragInput, anatomy, pose::Pose};
use crate::eval::ik::bend::{across, unit};
use crate::eval::ik::two_bone::TwoBone;
use crate::eval::ik::{Chain, ChainSolver as _, Goal, Scratch, SoftReach, SolveReport, SolveStatus, default_solver};
use crate::eval::limbs::{Limb, Role};
use crate::math::rotation::from_axis_angle;
use crate::math::{Quat, Vec3};

/// The end of an arm or a leg goes to the target.
pub(super) fn drag_end(
    drag: &Drag<'_>,
    pose: &mut Pose<'_>,
    limb: usize,
    target: &Vec3,
    soft: SoftReach,
) -> SolveReport {
    let Some(found) = drag.input.limbs.limbs.get(limb) else { return nothing() };
    let kept = drag.keeps_world(Some(found.role)).then(|| drag.pressed.rotation(found.end()));
    solve_limb(drag, pose, limb, target, soft, kept)
}

/// The end of a limb comes to a target, with the rotation it is to have in the world.
pub(super) fn solve_limb(
    drag: &Drag<'_>,
    pose: &mut Pose<'_>,
    limb: usize,
    target: &Vec3,
    soft: SoftReach,
    kept: Option<Quat>,
) -> SolveReport {
    let Some(found) = drag.input.limbs.limbs.get(limb) else { return nothing() };
    let settings = &drag.input.options.settings;
    let report = if let Some(bend) = drag.bends.get(limb).and_then(Option::as_ref) {
        let root = pose.position(found.root());
        let target = soft.target(&root, target, &drag.pressed.position(found.end()), bend.length());
        let pole = root + bend.at(&root, &target) * bend.length();
        let goal = Goal { target, pole: Some(pole), bulge: None, middle: found.middle_place() };
        let report = solve_path(pose, &found.joints, |chain, scratch| TwoBone.solve(chain, &goal, settings, scratch));
        untwist(pose, found, bend.untwisted(&root, &target));
        report
    } else {
        let goal = Goal::at(*target);
        solve_path(pose, &found.joints, |chain, scratch| default_solver().solve(chain, &goal, settings, scratch))
    };
    if let Some(rotation) = kept {
        pose.set_rotation(found.end(), &rotation);
    }
    report
}

/// Turns the two parts of a limb back about themselves, by an angle by which the limb has swung about the line from its root
/// to its end. All three corners stay.
pub(in crate::eval) fn untwist(pose: &mut Pose<'_>, limb: &Limb, angle: f64) {
    let Some(middle) = limb.middle.filter(|_| angle != 0.0) else { return };
    for (from, to) in [(limb.root(), middle), (middle, limb.end())] {
        if let Some(bone) = unit(&(pose.position(to) - pose.position(from)), 0.0) {
            // What hangs from the middle has been turned with the upper part, about another line.
            let lower = (from == limb.root()).then(|| pose.rotation(middle));
            pose.set_rotation(from, &(from_axis_angle(&bone, -angle) * pose.rotation(from)));
            if let Some(lower) = lower {
                pose.set_rotation(middle, &lower);
            }
        }
    }
}

/// The bend planes of all arms and legs that have a middle joint, by limb.
pub(super) fn bends(input: &DragInput<'_>, pressed: &Pose<'_>) -> Vec<Option<Bend>> {
    let rest = Pose::new(input.tree, input.rest, &input.root);
    let bend = |limb: &Limb| {
        let middle = limb.middle.filter(|_| matches!(limb.role, Role::Arm | Role::Leg))?;
        let corners = [limb.root(), middle, limb.end()].map(|j| pressed.position(j));
        let chord = unit(&(corners[2] - corners[0]), 0.0).unwrap_or_else(Vec3::y);
        let at_rest = anatomy::bulge_at_rest(&rest, pressed, input.limbs, limb, middle);
        let comfort = anatomy::comfort(pressed, input.limbs, limb, &chord);
        let pole = input.options.pole.filter(|_| limb.end() == input.joint);
        Some(Bend::new(corners, comfort, at_rest, &pressed.rotation(limb.root()), pole))
    };
    input.limbs.limbs.iter().map(bend).collect()
}

/// Any chain: its last joint goes to the target, by the solver asked for or the default one.
pub(super) fn drag_chain(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize], target: &Vec3) -> SolveReport {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return nothing() };
    let options = &drag.input.options;
    let role = drag.input.limbs.containing(*last).filter(|l| l.end() == *last).map(|l| l.role);
    let kept = drag.keeps_world(role).then(|| pose.rotation(*last));
    let length: f64 = path.windows(2).map(|pair| (pose.position(pair[1]) - pose.position(pair[0])).norm()).sum();
    let soft = if path.len() > 2 { options.soft } else { SoftReach::OFF };
    let target = soft.target(&pose.position(*first), target, &pose.position(*last), length);
    let middle = drag.input.limbs.containing(*last).and_then(|limb| path.iter().position(|j| Some(*j) == limb.middle));
    let goal = Goal { middle, ..Goal::at(target) };
    let moved = (target - pose.position(*last)).norm();
    let solver = options.solver.map_or(default_solver(), |spec| spec.solver);
    let report = solve_path(pose, path, |chain, scratch| solver.solve(chain, &goal, &options.settings, scratch));
    if let Some(pole) = &options.pole {
        pull_to_pole(pose, path, pole, moved, length);
    }
    if let Some(rotation) = kept {
        pose.set_rotation(*last, &rotation);
    }
    report
}

/// Turns a chain about the line from its root to its end towards a pole, as far as the pole pulls.
fn pull_to_pole(pose: &mut Pose<'_>, path: &[usize], pole: &Vec3, moved: f64, length: f64) {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return };
    let root = pose.position(*first);
    let Some(direction) = unit(&(pose.position(*last) - root), 1e-9 * length) else { return };
    let bulge: Vec3 = path.iter().map(|j| across(&(pose.position(*j) - root), &direction)).sum();
    if bulge.norm() > 1e-6 * length {
        let angle = pole_pull(pole, &root, &direction, &bulge, moved, length);
        pose.set_rotation(*first, &(from_axis_angle(&direction, angle) * pose.rotation(*first)));
    }
}

/// Solves the chain of these joints and writes their rotations back.
pub(in crate::eval) fn solve_path(
    pose: &mut Pose<'_>,
    path: &[usize],
    solve: impl FnOnce(&mut Chain<'_>, &mut Scratch) -> SolveReport,
) -> SolveReport {
    let mut positions: Vec<Vec3> = path.iter().map(|j| pose.position(*j)).collect();
    let mut rotations: Vec<Quat> = path.iter().map(|j| pose.rotation(*j)).collect();
    let Ok(mut chain) = Chain::new(&mut positions, &mut rotations) else { return nothing() };
    let report = solve(&mut chain, &mut Scratch::default());
    pose.set_rotations(path, &rotations);
    report
}

/// The report of a drag that has nothing to solve.
pub(super) fn nothing() -> SolveReport {
    SolveReport::closed_form(SolveStatus::Unusable, 0.0)
}

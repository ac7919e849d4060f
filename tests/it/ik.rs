//! Chain solvers as a whole: they arrive, keep bone lengths, carry rotations, and survive what is degenerate.

use inbetween::eval::ik::two_bone::{TwoBoneProblem, solve_two_bone};
use inbetween::eval::ik::{
    Body, BodyScratch, BodySettings, BodyTarget, Chain, ChainSolver, Goal, JointLimit, SOLVERS, Scratch, Settings,
    SolveReport, SolveStatus, solve_body,
};
use inbetween::math::{Quat, Vec3};
use inbetween::text::has;

/// A small generator with a fixed sequence, so that failures repeat (SplitMix64).
struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..1.0).contains(&v.norm_squared()) {
                return v / v.norm();
            }
        }
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_scaled_axis(self.direction() * self.between(0.0, 3.0))
    }
}

fn chain_of(lengths: &[f64], bend: f64, random: &mut Seeded) -> (Vec<Vec3>, Vec<Quat>) {
    let mut positions = vec![Vec3::new(0.3, -0.2, 0.1)];
    let mut direction = Vec3::y();
    for length in lengths {
        direction = Quat::from_scaled_axis(random.direction() * bend) * direction;
        positions.push(positions[positions.len() - 1] + direction * *length);
    }
    let rotations = positions.iter().map(|_| random.rotation()).collect();
    (positions, rotations)
}

struct Solved {
    before: (Vec<Vec3>, Vec<Quat>),
    after: (Vec<Vec3>, Vec<Quat>),
    report: SolveReport,
}

fn solve(solver: &dyn ChainSolver, start: &(Vec<Vec3>, Vec<Quat>), goal: &Goal, settings: &Settings) -> Solved {
    let (mut positions, mut rotations) = start.clone();
    let mut chain = Chain::new(&mut positions, &mut rotations).unwrap();
    let report = solver.solve(&mut chain, goal, settings, &mut Scratch::default());
    Solved { before: start.clone(), after: (positions, rotations), report }
}

/// Independent of the solver: bone lengths kept, every bone carried rigidly by its joint's rotation, the last joint's
/// rotation kept relative to its parent, the residual true.
fn assert_sound(what: &str, solved: &Solved, goal: &Goal) {
    let (old, new) = (&solved.before, &solved.after);
    let end = new.0[new.0.len() - 1];
    assert_eq!(old.0[0], new.0[0], "{what}: the root moved");
    let residual = (end - goal.target).norm();
    assert!((residual - solved.report.residual).abs() < 1e-9, "{what}: residual {residual}, {:?}", solved.report);
    for bone in 0..old.0.len() - 1 {
        let (from, to) = (old.0[bone + 1] - old.0[bone], new.0[bone + 1] - new.0[bone]);
        let carried = new.1[bone] * (old.1[bone].inverse() * from);
        assert!((carried - to).norm() < 1e-9, "{what}: bone {bone} is not carried: {carried} {to}");
    }
    let last = old.0.len() - 1;
    let local = |q: &[Quat]| q[last - 1].inverse() * q[last];
    assert!(local(&old.1).angle_to(&local(&new.1)) < 1e-7, "{what}: the end turned on its bone");
}

#[test]
fn ik_default_solver_always_arrives() {
    let mut random = Seeded(7);
    let solver = inbetween::eval::ik::default_solver();
    let settings = Settings { tolerance: 1e-4, ..Settings::default() };
    for bend in [0.0, 0.3, 1.5] {
        for (low, high, count) in [(0.5, 9.5, 1000), (0.01, 0.5, 200), (9.9, 9.999, 200), (11.0, 15.0, 200)] {
            for case in 0..count {
                let start = chain_of(&[1.0; 10], bend, &mut random);
                let goal = Goal::at(start.0[0] + random.direction() * random.between(low, high));
                let solved = solve(solver, &start, &goal, &settings);
                let what = format!("bend {bend}, {low} to {high}, case {case}");
                assert_sound(&what, &solved, &goal);
                assert!(solved.report.iterations <= 32, "{what}: {:?}", solved.report);
                let nearest = ((goal.target - start.0[0]).norm() - 10.0).max(0.0);
                assert!(solved.report.residual - nearest < 1e-7, "{what}: {:?}", solved.report);
                assert_eq!(solved.report.reached(), nearest == 0.0, "{what}: {:?}", solved.report);
            }
        }
    }
}

#[test]
fn ik_default_solver_is_continuous_in_the_target() {
    let mut random = Seeded(21);
    let solver = inbetween::eval::ik::default_solver();
    for _ in 0..40 {
        let start = chain_of(&[0.4, 1.0, 0.7, 0.2, 1.1, 0.6], 0.5, &mut random);
        let from = start.0[0] + random.direction() * random.between(1.0, 5.0);
        let step = random.direction() * 1e-4;
        let mut last = solve(solver, &start, &Goal::at(from), &Settings::default()).after.0;
        for i in 1..200 {
            let next = solve(solver, &start, &Goal::at(from + step * f64::from(i)), &Settings::default()).after.0;
            let jump = next.iter().zip(&last).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            // The rim of the reach has a square-root edge: a step of 1e-4 may straighten the chain by about a hundredth.
            assert!(jump < 0.05, "a joint jumped by {jump}");
            last = next;
        }
    }
}

#[test]
fn ik_every_solver_gives_a_sound_pose() {
    let mut random = Seeded(3);
    for spec in SOLVERS {
        for case in 0..120 {
            let lengths: Vec<f64> = (0..1 + case % 6).map(|_| random.between(0.1, 2.0)).collect();
            let start = chain_of(&lengths, 0.8, &mut random);
            let total: f64 = lengths.iter().sum();
            let target = start.0[0] + random.direction() * total * random.between(0.0, 1.5);
            let pole = (case % 2 == 0).then(|| start.0[0] + random.direction() * total);
            let goal = Goal { pole, ..Goal::at(target) };
            let solved = solve(spec.solver, &start, &goal, &Settings::default());
            let longest = lengths.iter().copied().fold(0.0, f64::max);
            let distance = (target - start.0[0]).norm();
            let nearest = (distance - total).max(2.0 * longest - total - distance).max(0.0);
            let what = format!("{} case {case}", spec.id);
            assert_sound(&what, &solved, &goal);
            match solved.report.status {
                SolveStatus::Reached => assert!(solved.report.residual <= 1e-4 * total, "{what}"),
                SolveStatus::TooFar | SolveStatus::TooNear if spec.id != "two_bone" => {
                    assert!((solved.report.residual - nearest).abs() < 1e-9, "{what}: {:?}", solved.report);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn ik_degenerate_inputs_end_in_a_finite_pose_and_a_report() {
    let straight: Vec<Vec3> = (0..4).map(|i| Vec3::new(f64::from(i), 0.0, 0.0)).collect();
    let folded = vec![Vec3::zeros(), Vec3::x(), Vec3::zeros(), Vec3::x()];
    let point = vec![Vec3::zeros(); 4];
    let with_gap = vec![Vec3::zeros(), Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0];
    for spec in SOLVERS {
        for positions in [&straight, &folded, &point, &with_gap] {
            for target in [
                Vec3::zeros(),
                Vec3::new(0.8, 0.0, 0.0),
                Vec3::new(2.5, 0.0, 0.0),
                Vec3::new(-0.8, 0.0, 0.0),
                Vec3::new(3.0, 0.0, 0.0),
                Vec3::new(1.0, 1e-13, 0.0),
                Vec3::new(0.0, 1e9, 0.0),
                Vec3::new(f64::NAN, 0.0, 0.0),
                Vec3::new(f64::INFINITY, 0.0, 0.0),
            ] {
                for pole in [None, Some(Vec3::new(5.0, 0.0, 0.0)), Some(Vec3::zeros()), Some(Vec3::y())] {
                    let start = (positions.clone(), vec![Quat::identity(); 4]);
                    let goal = Goal { pole, ..Goal::at(target) };
                    let settings = Settings { max_iterations: 200, ..Settings::default() };
                    let solved = solve(spec.solver, &start, &goal, &settings);
                    let what = format!("{} on {positions:?} to {target:?}, pole {pole:?}", spec.id);
                    assert!(solved.after.0.iter().all(|p| p.iter().all(|v| v.is_finite())), "{what}");
                    assert!(solved.after.1.iter().all(|q| q.coords.iter().all(|v| v.is_finite())), "{what}");
                    assert!(solved.report.residual.is_finite(), "{what}");
                    let length = |p: &[Vec3]| (p[1] - p[0]).norm();
                    let kept = positions.windows(2).zip(solved.after.0.windows(2));
                    assert!(
                        kept.map(|(a, b)| (length(a) - length(b)).abs()).all(|d| d < 1e-9),
                        "{what}: {:?}",
                        solved.after.0
                    );
                    if positions == &straight && target.x.is_finite() && target.norm() <= 2.6 && spec.id != "two_bone" {
                        let slow = spec.id == "jacobian_transpose";
                        let reached = solved.report.reached() || (slow && solved.report.residual < 0.1);
                        assert!(reached, "{what}: {:?}", solved.report);
                    }
                }
            }
        }
    }
}

#[test]
fn ik_chains_that_are_none_are_refused() {
    let mut one = [Vec3::zeros()];
    let mut two = [Vec3::zeros(), Vec3::new(0.0, f64::NAN, 0.0)];
    assert!(Chain::new(&mut one, &mut [Quat::identity()]).is_err());
    assert!(Chain::new(&mut two, &mut [Quat::identity()]).is_err());
    assert!(Chain::new(&mut two, &mut [Quat::identity(); 2]).is_err());
}

/// Case B20: the pole swept through the line from root to target.
#[test]
fn ik_two_bone_pole_through_the_line() {
    let pose = |pole: Vec3, bulge: Vec3| {
        solve_two_bone(&TwoBoneProblem {
            root: Vec3::zeros(),
            upper_length: 1.0,
            lower_length: 1.0,
            target: Vec3::new(0.0, -1.5, 0.0),
            pole: Some(pole),
            bulge,
            forward: -Vec3::y(),
        })
    };
    for angle in [0.2_f64, 0.02, 0.002, 0.0, -0.002, -0.02, -0.2] {
        let solved = pose(Vec3::new(angle.sin(), -angle.cos(), 0.0), Vec3::z());
        assert!((solved.end - Vec3::new(0.0, -1.5, 0.0)).norm() < 1e-4);
        let off = Vec3::new(solved.middle.x, 0.0, solved.middle.z);
        assert!((off.norm() - 0.661_438).abs() < 1e-6 && (solved.middle.y + 0.75).abs() < 1e-9);
        if angle == 0.0 {
            assert!((off.normalize() - Vec3::z()).norm() < 1e-9, "the bend plane of the pose is kept");
        } else {
            assert!(solved.middle.x * angle > 0.0, "the middle is on the pole's side");
        }
    }
}

#[test]
fn ik_two_bone_chain_turns_its_middle_as_a_hinge() {
    let mut random = Seeded(11);
    let spec = inbetween::eval::ik::solver("two_bone").unwrap();
    for _ in 0..200 {
        let start = chain_of(&[random.between(0.3, 1.0), random.between(0.3, 1.0)], 0.9, &mut random);
        let (root, middle, end) = (start.0[0], start.0[1], start.0[2]);
        let goal = Goal::at(root + random.direction() * random.between(0.2, 1.5));
        let solved = solve(spec.solver, &start, &goal, &Settings::default());
        assert_sound("two_bone", &solved, &goal);
        // In the frame of the upper bone the lower one may turn about the normal of the bend only.
        let normal = start.1[0].inverse() * (middle - root).cross(&(end - middle));
        let relative = |q: &[Quat]| q[0].inverse() * q[1];
        let turn = relative(&solved.after.1) * relative(&start.1).inverse();
        let axis = turn.scaled_axis();
        assert!(axis.cross(&normal).norm() < 1e-6 * normal.norm().max(1e-3), "turned about {axis}, normal {normal}");
    }
}

#[test]
fn ik_two_bone_keeps_helper_joints_rigid() {
    // Upper arm with a twist joint, forearm with one: bends at the joint named, nowhere else.
    let positions: Vec<Vec3> = [0.0, 0.5, 1.0, 1.4, 1.8].iter().map(|x| Vec3::new(*x, 0.0, 0.0)).collect();
    let start = (positions, vec![Quat::identity(); 5]);
    let goal =
        Goal { target: Vec3::new(0.4, 0.9, 0.2), pole: Some(Vec3::new(0.5, 0.2, -3.0)), bulge: None, middle: Some(2) };
    let spec = inbetween::eval::ik::solver("two_bone").unwrap();
    let solved = solve(spec.solver, &start, &goal, &Settings::default());
    assert_sound("helpers", &solved, &goal);
    assert!(solved.report.reached());
    assert_eq!(solved.after.1[0], solved.after.1[1]);
    assert_eq!(solved.after.1[2], solved.after.1[3]);
}

#[test]
fn ik_solver_table_is_complete() {
    let mut ids: Vec<_> = SOLVERS.iter().map(|spec| spec.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), SOLVERS.len());
    assert!(SOLVERS.iter().all(|spec| has(&format!("solver.{}", spec.id)) && has(&format!("solver.{}_hint", spec.id))));
}

/// A body of a root, a trunk of six, two arms and two legs of four and a crown of fingers: 71 joints.
struct Puppet {
    parents: Vec<Option<usize>>,
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    /// Left hand, right hand, left foot, right foot.
    ends: [usize; 4],
}

fn puppet() -> Puppet {
    let (mut parents, mut positions) = (vec![None], vec![Vec3::y()]);
    let mut chain = |parent: usize, offsets: &[[f64; 3]]| {
        offsets.iter().fold(parent, |at, offset| {
            parents.push(Some(at));
            positions.push(positions[at] + Vec3::from(*offset));
            positions.len() - 1
        })
    };
    let chest = chain(0, &[[0.0, 0.09, 0.01], [0.0, 0.09, 0.0], [0.0, 0.09, 0.0], [0.0, 0.09, -0.01]]);
    chain(chest, &[[0.0, 0.15, 0.0], [0.0, 0.1, 0.0]]);
    let mut ends = [0; 4];
    for (i, s) in [1.0, -1.0].into_iter().enumerate() {
        let arm = [[0.04 * s, 0.1, 0.0], [0.14 * s, 0.0, 0.0], [0.2 * s, -0.2, -0.02], [0.18 * s, -0.18, 0.1]];
        ends[i] = chain(chest, &arm);
        for finger in 0..5 {
            chain(
                ends[i],
                &[
                    [0.08 * s, -0.02, 0.04 - 0.02 * f64::from(finger)],
                    [0.03 * s, 0.0, 0.0],
                    [0.02 * s, 0.0, 0.0],
                    [0.02 * s, 0.0, 0.0],
                ],
            );
        }
        ends[2 + i] = chain(0, &[[0.1 * s, -0.05, 0.0], [0.0, -0.43, 0.05], [0.0, -0.43, -0.05]]);
        chain(ends[2 + i], &[[0.0, -0.07, 0.14], [0.0, 0.0, 0.06]]);
    }
    let mut random = Seeded(5);
    let rotations = positions.iter().map(|_| random.rotation()).collect();
    Puppet { parents, positions, rotations, ends }
}

struct Pulled {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    report: SolveReport,
    residuals: Vec<f64>,
}

/// Pulls the left hand while feet and right hand are held, position and orientation.
fn pull(puppet: &Puppet, target: &Vec3, settings: &BodySettings<'_>) -> Pulled {
    let (mut positions, mut rotations) = (puppet.positions.clone(), puppet.rotations.clone());
    let hold = |joint: usize| BodyTarget {
        joint,
        position: Some((puppet.positions[joint], 25.0)),
        orientation: Some((puppet.rotations[joint], 25.0)),
    };
    let wish = BodyTarget { joint: puppet.ends[0], position: Some((*target, 1.0)), orientation: None };
    let targets = [wish, hold(puppet.ends[1]), hold(puppet.ends[2]), hold(puppet.ends[3])];
    let mut body = Body { parents: &puppet.parents, positions: &mut positions, rotations: &mut rotations };
    let mut residuals = Vec::new();
    let report = solve_body(&mut body, &targets, settings, &mut BodyScratch::default(), &mut residuals);
    Pulled { positions, rotations, report, residuals }
}

#[test]
fn ik_full_body_meets_four_targets_and_keeps_bones() {
    let puppet = puppet();
    let settings = BodySettings { moving: Some((0, 0.3)), tolerance: 1e-4, ..BodySettings::default() };
    let start = puppet.positions[puppet.ends[0]];
    for offset in [[0.0, 0.3, 0.2], [0.3, 0.2, 0.3], [-0.3, 0.1, 0.4], [0.2, -0.5, 0.4]] {
        let pulled = pull(&puppet, &(start + Vec3::from(offset)), &settings);
        assert!(pulled.report.reached(), "{offset:?}: {:?} {:?}", pulled.report, pulled.residuals);
        for (joint, parent) in puppet.parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let length = |p: &[Vec3]| (p[joint] - p[parent]).norm();
            assert!((length(&pulled.positions) - length(&puppet.positions)).abs() < 1e-9, "bone {joint}");
            // Every bone is carried by the rotation of the joint it hangs from.
            let bone = puppet.rotations[parent].inverse() * (puppet.positions[joint] - puppet.positions[parent]);
            let carried = pulled.rotations[parent] * bone;
            assert!((carried - pulled.positions[joint] + pulled.positions[parent]).norm() < 1e-9, "bone {joint}");
        }
        for held in &puppet.ends[1..] {
            assert!(pulled.rotations[*held].angle_to(&puppet.rotations[*held]) < 2e-3, "held {held}");
        }
    }
}

#[test]
fn ik_full_body_is_still_at_rest_continuous_and_calm_out_of_reach() {
    let puppet = puppet();
    let settings = BodySettings { moving: Some((0, 0.3)), ..BodySettings::default() };
    let start = puppet.positions[puppet.ends[0]];
    let still = pull(&puppet, &start, &settings);
    assert_eq!((still.report.iterations, &still.positions), (0, &puppet.positions));
    let mut last = still.positions;
    for step in 1..=150 {
        let pulled = pull(&puppet, &(start + Vec3::new(0.6, 0.8, 0.2) * (f64::from(step) * 0.01)), &settings);
        let jump = pulled.positions.iter().zip(&last).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(jump < 0.05, "step {step}: a joint jumped {jump}");
        // Out of reach the holds still hold, to a seventh of the gap (weights 25 to 1).
        let gap = pulled.residuals[0];
        assert!(pulled.residuals[1..].iter().all(|r| *r < 1e-3 + 0.15 * gap), "step {step}: {:?}", pulled.residuals);
        last = pulled.positions;
    }
}

#[test]
fn ik_full_body_respects_limits_and_odd_input() {
    let puppet = puppet();
    let elbow = puppet.ends[0] - 1;
    let local = |q: &[Quat], joint: usize| q[puppet.parents[joint].unwrap()].inverse() * q[joint];
    let mut limits = vec![None; puppet.parents.len()];
    let pressed = local(&puppet.rotations, elbow);
    limits[elbow] = Some(JointLimit::cone(pressed, &Vec3::y(), 0.2, 0.1).at_press(&pressed));
    let settings = BodySettings { limits: &limits, ..BodySettings::default() };
    let target = puppet.positions[puppet.ends[0]] + Vec3::new(-0.2, 0.4, 0.1);
    let pulled = pull(&puppet, &target, &settings);
    let turned = local(&puppet.rotations, elbow).angle_to(&local(&pulled.rotations, elbow));
    assert!(turned < 0.2 + 0.1 + 1e-6 && turned > 0.05, "the elbow turned {turned}");
    let lost = pull(&puppet, &Vec3::new(f64::NAN, 0.0, 0.0), &settings);
    assert_eq!((lost.report.status, &lost.positions), (SolveStatus::Unusable, &puppet.positions));
}

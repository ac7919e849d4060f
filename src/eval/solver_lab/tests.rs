use super::{
    differences::{Difference, finite, geometric, greatest_error},
    planar::{angles, chain, contours, elbows, squared_error},
    *,
};
use crate::eval::ik::SolveReport;

fn planar(lengths: &[f64], turns: &[f64], target: [f64; 2]) -> Problem {
    let (positions, rotations) = chain(lengths, turns);
    let target = Vec3::new(target[0], target[1], 0.0);
    let goal = Goal { bulge: Some(Vec3::y()), ..Goal::at(target) };
    Problem { positions, rotations, goal, settings: Settings::default() }
}

fn solve(spec: &SolverSpec, problem: &Problem) -> (Vec<Vec3>, Vec<Quat>, SolveReport) {
    let (mut positions, mut rotations) = (problem.positions.clone(), problem.rotations.clone());
    let mut chain = Chain::new(&mut positions, &mut rotations).unwrap();
    let report = spec.solver.solve(&mut chain, &problem.goal, &problem.settings, &mut Scratch::default());
    (positions, rotations, report)
}

fn wrong(id: &str, problem: &Problem) -> Trace {
    Racer::Wrong(FORMS.iter().find(|form| form.id == id).unwrap()).trace(problem)
}

#[test]
fn a_trace_ends_where_the_solver_does() {
    let poses = [[0.4, 0.7, -0.2, 0.5], [0.0; 4], [0.0, 3.0, -3.0, 0.1]];
    let targets = [[1.0, 2.2], [0.0, 0.0], [3.4, 0.0], [-0.6, 0.0], [9.0, 1.0]];
    for spec in SOLVERS {
        for (pose, target) in poses.iter().flat_map(|pose| targets.map(|target| (pose, target))) {
            for pole in [None, Some(Vec3::new(0.3, 4.0, 1.0))] {
                let mut problem = planar(&[1.0, 0.8, 0.9, 0.7], pose, target);
                problem.goal.pole = pole;
                let (positions, rotations, report) = solve(spec, &problem);
                let trace = Racer::Solver(spec).trace(&problem);
                let end = trace.end();
                let what = format!("{} {pose:?} {target:?} {pole:?}", spec.id);
                assert_eq!((&end.positions, &end.rotations), (&positions, &rotations), "{what}");
                assert_eq!((trace.status, trace.iterations), (report.status, report.iterations), "{what}");
                assert!((end.residual - report.residual).abs() < 1e-12, "{what}");
                assert!(trace.steps.windows(2).all(|pair| pair[0].iteration <= pair[1].iteration), "{what}");
                // Every step but the halves of an iteration that move the root keeps the bones.
                for step in trace.steps.iter().filter(|step| step.kind != Some(StepKind::Forward)) {
                    for (bone, pair) in step.positions.windows(2).enumerate() {
                        let length = [1.0, 0.8, 0.9, 0.7][bone];
                        assert!(((pair[1] - pair[0]).norm() - length).abs() < 1e-9, "{what}: {:?}", step.kind);
                    }
                }
            }
        }
    }
}

#[test]
fn steps_are_joint_by_joint_pass_by_pass_and_iteration_by_iteration() {
    let problem = planar(&[1.0, 0.8, 0.9], &[0.4, 0.7, -0.2], [1.0, 1.6]);
    let kinds = |id: &str| {
        let spec = crate::eval::ik::solver(id).unwrap();
        let trace = Racer::Solver(spec).trace(&problem);
        trace.steps.iter().skip(1).take(3).map(|step| step.kind.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("ccd"), [StepKind::Joint(2), StepKind::Joint(1), StepKind::Joint(0)]);
    assert_eq!(kinds("fabrik"), [StepKind::Forward, StepKind::Backward, StepKind::Forward]);
    for id in ["damped_least_squares", "jacobian_transpose", "pseudo_inverse", "full_body"] {
        assert!(kinds(id).iter().all(|kind| *kind == StepKind::Linear), "{id}");
    }
    assert_eq!(kinds("two_bone"), [StepKind::Joint(0), StepKind::Joint(1)]);
}

#[test]
fn chains_of_the_plane_stay_in_it() {
    for pose in [[0.0; 3], [0.3, -0.9, 0.4]] {
        for target in [[0.5, 0.0], [-0.5, 0.0], [0.0, 0.0], [0.4, 1.9], [7.0, -2.0]] {
            let problem = planar(&[1.0, 0.7, 0.9], &pose, target);
            for racer in Racer::all().filter(|racer| !racer.is_wrong()) {
                let end = racer.trace(&problem);
                assert!(angles(&end.end().positions).is_some(), "{} {pose:?} {target:?}", racer.id());
            }
        }
    }
}

#[test]
fn the_change_is_the_sum_of_the_joints_turns() {
    let problem = planar(&[1.0, 1.0], &[0.2, 0.5], [1.2, 0.3]);
    let trace = Racer::Solver(crate::eval::ik::solver("two_bone").unwrap()).trace(&problem);
    let after = angles(&trace.end().positions).unwrap();
    let expected = (after[0] - 0.2).abs() + (after[1] - 0.5).abs();
    assert!((trace.end().change - expected).abs() < 1e-9, "{} {expected}", trace.end().change);
}

#[test]
fn acos_of_antiparallel_bones_is_not_a_number_and_a_straight_chain_stands_still() {
    // E-IK-1 (a): three bones straight along x, the target inside: the second joint has end and target opposite.
    let inside = planar(&[1.0; 3], &[0.0; 3], [0.8, 0.0]);
    let trace = wrong("ccd_acos", &inside);
    assert!(!trace.is_finite());
    assert!(trace.convergence(usize::MAX).iter().all(|(_, residual)| residual.is_finite()));
    assert!(trace.steps.iter().any(|step| step.residual.is_nan()));
    // (e): a target beyond the last joint on the same line: no angle, no progress, for ever.
    let beyond = planar(&[1.0; 3], &[0.0; 3], [2.5, 0.0]);
    let trace = wrong("ccd_acos", &beyond);
    assert_eq!((trace.steps.len(), trace.end().residual), (1, 0.5));
    assert_eq!(trace.status, SolveStatus::IterationLimit);
    for problem in [&inside, &beyond] {
        let right = Racer::Solver(crate::eval::ik::solver("ccd").unwrap()).trace(problem);
        assert_eq!(right.status, SolveStatus::Reached);
    }
}

#[test]
fn a_world_axis_used_as_a_local_one_goes_astray() {
    let (positions, mut rotations) = chain(&[1.0; 3], &[0.3, 0.4, 0.2]);
    rotations.iter_mut().for_each(|q| *q = Quat::from_scaled_axis(Vec3::new(1.1, 0.4, 0.0)) * *q);
    let goal = Goal::at(Vec3::new(0.8, 1.4, 0.5));
    let problem = Problem { positions, rotations, goal, settings: Settings::default() };
    let first = |id: &str| wrong(id, &problem).at(3).residual;
    assert!(first("ccd_acos") < first("ccd_local"), "{} {}", first("ccd_acos"), first("ccd_local"));
}

#[test]
fn fabrik_without_a_way_off_the_line_is_stuck() {
    // E-IK-3 (a) and (b), with the figures of the specification.
    for (lengths, target, stuck) in [
        (vec![1.0, 1.0], 0.5, 0.5),
        (vec![1.0, 1.0], 1.5, 0.5),
        (vec![1.0; 3], 0.8, 0.2),
        (vec![3.0, 0.54], 0.51, 1.95),
    ] {
        let problem = planar(&lengths, &vec![0.0; lengths.len()], [target, 0.0]);
        let trace = wrong("fabrik_plain", &problem);
        assert!((trace.end().residual - stuck).abs() < 1e-9, "{lengths:?} {target}: {}", trace.end().residual);
        assert_eq!(trace.status, SolveStatus::IterationLimit);
    }
    // (c): the target on the elbow.
    let coincident = planar(&[1.0, 1.0], &[0.0, std::f64::consts::PI], [1.0, 0.0]);
    assert!(!wrong("fabrik_plain", &coincident).is_finite());
}

#[test]
fn two_bones_bent_by_plus_the_outer_angle_miss() {
    // E-IK-5: the wrist at (-0.336, 1.152), 1.92 from the target.
    let mut problem = planar(&[1.0, 1.0], &[0.5, 0.5], [1.2, 0.0]);
    problem.goal.pole = Some(Vec3::y());
    let trace = wrong("two_bone_plus", &problem);
    let end = trace.end().positions[2];
    assert!((end - Vec3::new(-0.336, 1.152, 0.0)).norm() < 5e-4, "{end}");
    assert!((trace.end().residual - 1.92).abs() < 5e-3);
    assert!(wrong("two_bone_cases", &problem).end().residual < 1e-12);
}

#[test]
fn two_bones_without_their_cases_say_reached_whatever_comes() {
    // E-IK-6: folded, the nearest pose is right but not said; at the root and with the pole in line nothing is a number.
    let near = planar(&[0.5, 1.5], &[0.3, 0.4], [0.6, 0.0]);
    let trace = wrong("two_bone_cases", &near);
    assert!((trace.end().residual - 0.4).abs() < 1e-9 && trace.status == SolveStatus::Reached);
    let far = planar(&[1.0, 1.0], &[0.9, 0.4], [3.0, 0.0]);
    let trace = wrong("two_bone_cases", &far);
    assert!(trace.end().residual > 1.01, "the root did not turn: {}", trace.end().residual);
    assert!(!wrong("two_bone_cases", &planar(&[1.0, 1.0], &[0.3, 0.4], [0.0, 0.0])).is_finite());
    let mut in_line = planar(&[1.0, 1.0], &[0.3, 0.4], [1.2, 0.0]);
    in_line.goal.pole = Some(Vec3::x() * 3.0);
    assert!(!wrong("two_bone_cases", &in_line).is_finite());
}

#[test]
fn unusable_problems_have_a_start_and_no_more() {
    let mut problem = planar(&[1.0, 1.0], &[0.3, 0.4], [f64::NAN, 0.0]);
    for racer in Racer::all() {
        let trace = racer.trace(&problem);
        assert_eq!((trace.steps.len(), trace.status), (1, SolveStatus::Unusable), "{}", racer.id());
    }
    problem.positions.truncate(1);
    problem.rotations.truncate(1);
    for racer in Racer::all() {
        assert_eq!(racer.trace(&problem).status, SolveStatus::Unusable, "{}", racer.id());
    }
}

#[test]
fn contours_are_where_the_error_is_their_level() {
    let (lengths, target) = ([1.0, 0.8], [0.9, 0.7]);
    let levels = [0.05, 0.5, 1.5];
    let mut worst = Vec::new();
    for steps in [48, 96] {
        let pieces = contours(lengths, target, &levels, steps);
        let mut most: f64 = 0.0;
        for (pieces, level) in pieces.iter().zip(levels) {
            assert!(pieces.len() > 8);
            for place in pieces.iter().flatten() {
                most = most.max((squared_error(lengths, target, *place) - level).abs());
            }
        }
        worst.push(most);
    }
    // Straight interpolation: half the step, a quarter of the error; at most an eighth of the squared step times the second
    // derivative, which 2 (reach^2 + farthest * reach) bounds.
    let step = 2.0 * std::f64::consts::PI / 96.0;
    let second = 2.0 * (1.8 * 1.8 + (1.8 + 0.9_f64.hypot(0.7)) * 1.8);
    assert!(worst[1] < 0.3 * worst[0] && worst[1] < step * step / 8.0 * second, "{worst:?}");
}

#[test]
fn elbows_are_where_the_circles_meet() {
    let target = [0.9, 0.7];
    let both = elbows(1.0, 0.8, target);
    assert_eq!(both.len(), 2);
    for [x, y] in both {
        assert!((x.hypot(y) - 1.0).abs() < 1e-12 && ((x - target[0]).hypot(y - target[1]) - 0.8).abs() < 1e-12);
    }
    assert_eq!(elbows(1.0, 1.0, [2.0, 0.0]), [[1.0, 0.0]]);
    for none in [[2.1, 0.0], [0.0, 0.0], [f64::NAN, 0.0]] {
        assert!(elbows(1.0, 1.0, none).is_empty(), "{none:?}");
    }
    assert!(elbows(0.5, 1.5, [0.6, 0.0]).is_empty());
}

#[test]
fn differences_converge_to_the_geometric_columns() {
    let (positions, _) = chain(&[1.0, 0.8, 0.6], &[0.3, 0.9, -0.4]);
    let axis = Vec3::z();
    let exact = geometric(&positions, &axis);
    // The column of the root of a planar arm: the end's place, turned by a right angle.
    assert!((exact[0] - Vec3::new(-positions[3].y, positions[3].x, 0.0)).norm() < 1e-15);
    for (difference, order) in [(Difference::Forward, 10.0), (Difference::Central, 100.0)] {
        let [coarse, fine] = [1e-2, 1e-3].map(|h| greatest_error(&positions, &axis, h, difference));
        assert!((coarse / fine / order - 1.0).abs() < 0.02, "{difference:?} {coarse} {fine}");
    }
    // Below that, rounding grows with 1 / h.
    let rounding = greatest_error(&positions, &axis, 1e-13, Difference::Forward);
    assert!(rounding > greatest_error(&positions, &axis, 1e-8, Difference::Forward));
    assert!(finite(&[], &axis, 1e-3, Difference::Forward).is_empty());
}

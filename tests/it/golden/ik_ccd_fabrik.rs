//! Single steps, sweeps and passes of CCD and FABRIK, a target too far, and the collinear deadlock.

use super::case::{Case, Outcome};
use inbetween::eval::ik::{Chain, ChainSolver, Goal, Scratch, Settings, ccd, fabrik};
use inbetween::math::{Quat, Vec3};

pub(super) fn run(case: &Case) -> Outcome {
    let method: String = case.input("method")?;
    let start: Vec<Vec3> = case.input("positions")?;
    let target: Vec3 = case.input("target")?;
    let most: usize = case.optional("max_iterations")?.unwrap_or(32);
    let lengths: Vec<f64> = start.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    let rest = vec![Quat::identity(); start.len()];
    let swept = |count: usize| {
        let (mut positions, mut rotations) = (start.clone(), rest.clone());
        (0..count).for_each(|_| ccd::sweep(&mut positions, &mut rotations, &target));
        positions
    };
    let passed = |count: usize| {
        let mut positions = start.clone();
        for _ in 0..count {
            fabrik::forward_pass(&mut positions, &lengths, &target);
            fabrik::backward_pass(&mut positions, &lengths, &start[0]);
        }
        positions
    };
    let solved = |solver: &dyn ChainSolver| {
        let (mut positions, mut rotations) = (start.clone(), rest.clone());
        let settings = Settings { max_iterations: u32::try_from(most).unwrap_or(u32::MAX), ..Settings::default() };
        let mut chain = Chain::new(&mut positions, &mut rotations).map_err(|e| e.to_string())?;
        let report = solver.solve(&mut chain, &Goal::at(target), &settings, &mut Scratch::default());
        Ok::<_, String>((positions, report))
    };
    let error = |positions: &[Vec3]| (positions[positions.len() - 1] - target).norm();
    case.judge(|field| match field {
        "after_first_joint" => {
            let (mut positions, mut rotations) = (start.clone(), rest.clone());
            ccd::joint_step(&mut positions, &mut rotations, start.len() - 2, &target);
            case.vectors(field, &positions)
        }
        "after_sweep" => case.vectors(field, &swept(1)),
        "end_error" => case.number(field, error(&swept(1))),
        "after_forward_pass" => {
            let mut positions = start.clone();
            fabrik::forward_pass(&mut positions, &lengths, &target);
            case.vectors(field, &positions)
        }
        "after_1_iteration" => case.vectors(field, &passed(1)),
        "after_3_iterations" => case.vectors(field, &passed(3)),
        "end_error_3" => case.number(field, error(&passed(3))),
        "positions" => case.vectors(field, &solved(&fabrik::Fabrik)?.0),
        "status" => case.word(field, solved(&fabrik::Fabrik)?.1.status.id()),
        "property" => {
            case.hold(method == "ccd and fabrik", field, || format!("unknown method {method}"));
            for (name, solver) in [("ccd", &ccd::Ccd as &dyn ChainSolver), ("fabrik", &fabrik::Fabrik)] {
                let (positions, report) = solved(solver)?;
                let off = error(&positions);
                case.hold(off < 1e-3 && report.bent, field, || format!("{name}: error {off}, {report:?}"));
                let kept = positions.windows(2).zip(&lengths).all(|(p, l)| ((p[1] - p[0]).norm() - l).abs() < 1e-6);
                case.hold(kept, field, || format!("{name}: bone lengths changed"));
            }
            Ok(())
        }
        _ => case.unknown(field),
    })
}

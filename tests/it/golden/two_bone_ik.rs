//! Two bones with a pole position, in and out of reach, and the degenerate cases.

use super::case::{Case, Outcome};
use inbetween::eval::ik::two_bone::{TwoBonePose, TwoBoneProblem, solve_two_bone};
use inbetween::math::Vec3;

pub(super) fn run(case: &Case) -> Outcome {
    let problem = TwoBoneProblem {
        root: case.input("root")?,
        upper_length: case.input("upper_length")?,
        lower_length: case.input("lower_length")?,
        target: case.input("target")?,
        pole: Some(case.input("pole_position")?),
        bulge: Vec3::x(),
        forward: Vec3::y(),
    };
    let pose = solve_two_bone(&problem);
    case.judge(|field| match field {
        "status" => case.word(field, pose.report.status.id()),
        "mid" => case.vector(field, &pose.middle),
        "end" => case.vector(field, &pose.end),
        "interior_angle_at_mid" => case.numbers_within(field, &[pose.angle_at_middle], "abs_angle"),
        "interior_angle_at_root" => case.numbers_within(field, &[pose.angle_at_root], "abs_angle"),
        "property" => property(case, &problem, &pose),
        _ => case.unknown(field),
    })
}

/// Finite, lengths kept, and the end on a target within reach.
fn property(case: &Case, problem: &TwoBoneProblem, pose: &TwoBonePose) -> Outcome {
    let abs = case.tolerance("abs");
    let upper = (pose.middle - problem.root).norm();
    let lower = (pose.end - pose.middle).norm();
    let kept = (upper - problem.upper_length).abs() <= abs && (lower - problem.lower_length).abs() <= abs;
    case.hold(kept, "property", || format!("lengths {upper} and {lower}"));
    let distance = (problem.target - problem.root).norm();
    let reachable = (problem.upper_length - problem.lower_length).abs() <= distance
        && distance <= problem.upper_length + problem.lower_length;
    let error = (pose.end - problem.target).norm();
    case.hold(!reachable || error <= abs, "property", || format!("the end is {error} off a reachable target"));
    Ok(())
}

//! Bending with thickness, twisting, tapering, squash and stretch.

use super::case::{Case, Outcome};
use inbetween::eval::deform::functions::{across, along_x, bounce, stretched, tapered, turned};
use inbetween::math::Vec3;

pub(super) fn run(case: &Case) -> Outcome {
    let op: String = case.input("op")?;
    let points = || case.input::<Vec<Vec3>>("points");
    match op.as_str() {
        "bend" => {
            let (length, angle) = (case.input("length")?, case.input("angle")?);
            moved(case, points()?, |at| along_x(length, angle, at))
        }
        "twist" => {
            let rate: f64 = case.input("rate_rad_per_unit")?;
            moved(case, points()?, |at| turned(rate * at.y, at))
        }
        "taper" => {
            let (ends, length) = ((case.input("s0")?, case.input("s1")?), case.input("length")?);
            moved(case, points()?, |at| tapered(ends, length, at))
        }
        "squash" | "squash2d" => squash(case, if op == "squash" { 2 } else { 1 }),
        "s_y(t)" => {
            let [amplitude, frequency, damping]: [f64; 3] =
                [case.input("A")?, case.input("f")?, case.input("lambda_")?];
            let times: Vec<f64> = case.input("times")?;
            let values: Vec<f64> = times.iter().map(|secs| bounce(amplitude, frequency, damping, *secs)).collect();
            case.judge(|field| if field == "s_y" { case.numbers(field, &values) } else { case.unknown(field) })
        }
        other => Err(format!("unknown op {other}")),
    }
}

fn moved(case: &Case, points: Vec<Vec3>, by: impl Fn(&Vec3) -> Vec3) -> Outcome {
    let out: Vec<Vec3> = points.iter().map(by).collect();
    case.judge(|field| if field == "points" { case.vectors(field, &out) } else { case.unknown(field) })
}

fn squash(case: &Case, sides: i32) -> Outcome {
    let factor: f64 = case.input("s_y")?;
    let centre: Option<Vec3> = case.optional("center")?;
    let points: Option<Vec<Vec3>> = case.optional("points")?;
    case.judge(|field| match field {
        "s_x" | "s_z" => case.number(field, across(factor, sides)),
        "points" => {
            let centre = centre.unwrap_or_default();
            let out = points.iter().flatten().map(|at| stretched(factor, &centre, at)).collect::<Vec<_>>();
            case.vectors(field, &out)
        }
        _ => case.unknown(field),
    })
}

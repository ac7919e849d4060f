//! Speeds and accelerations integrated to distances, and a path followed by distance.

use super::case::{Case, Outcome};
use inbetween::math::Vec3;
use inbetween::math::path::{Cubic3, MeasuredPath};
use inbetween::math::piecewise::Piecewise;

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("bezier_points") {
        follow(case)
    } else if case.has("accelerations") {
        by_acceleration(case)
    } else {
        by_speed(case)
    }
}

fn at_times(function: &Piecewise, times: &[f64]) -> Vec<f64> {
    times.iter().map(|time| function.value(*time)).collect()
}

fn by_speed(case: &Case) -> Outcome {
    let key_times: Vec<f64> = case.input("times")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let speed = match case.optional::<String>("interpolation")?.as_deref() {
        Some("step") => Piecewise::steps(&key_times, &case.input::<Vec<f64>>("speeds_step")?),
        Some("linear") | None => Piecewise::linear(&key_times, &case.input::<Vec<f64>>("speeds")?),
        Some(other) => return Err(format!("no interpolation is called {other}")),
    };
    let start: f64 = case.input("s0")?;
    let distance = speed.and_then(|speed| speed.integral(start)).ok_or("no distance")?;
    case.judge(|field| match field {
        "distance" => case.numbers(field, &at_times(&distance, &times)),
        "total_distance" => case.number(field, distance.end_value() - start),
        _ => case.unknown(field),
    })
}

fn by_acceleration(case: &Case) -> Outcome {
    let key_times: Vec<f64> = case.input("times")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let acceleration = Piecewise::linear(&key_times, &case.input::<Vec<f64>>("accelerations")?);
    let speed = acceleration.and_then(|a| Some(a.integral(case.input("v0").ok()?))).flatten().ok_or("no speed")?;
    let distance = speed.integral(case.input("s0")?).ok_or("no distance")?;
    case.judge(|field| match field {
        "velocity" => case.numbers(field, &at_times(&speed, &times)),
        "distance" => case.numbers(field, &at_times(&distance, &times)),
        _ => case.unknown(field),
    })
}

fn follow(case: &Case) -> Outcome {
    let points: [Vec3; 4] = case.input("bezier_points")?;
    let path = MeasuredPath::new(vec![Cubic3::from_bezier(points)], 1e-10);
    let times: Vec<f64> = case.input("sample_times")?;
    let speed = Piecewise::linear(&case.input::<Vec<f64>>("times")?, &case.input::<Vec<f64>>("speeds")?);
    let distance = speed.and_then(|speed| speed.integral(0.0)).ok_or("no distance")?;
    let whole = if case.input("normalise")? { distance.end_value() } else { path.length() };
    let parts: Vec<f64> = at_times(&distance, &times).iter().map(|d| d / whole).collect();
    let place = |part: &f64| path.parameter_at(part * path.length());
    let parameters: Vec<f64> = parts.iter().map(place).collect::<Option<_>>().ok_or("no path")?;
    let points: Vec<Vec3> = parameters.iter().map(|u| path.point(*u)).collect::<Option<_>>().ok_or("no path")?;
    case.judge(|field| match field {
        "path_length" => case.number(field, path.length()),
        "distance_fraction" => case.numbers(field, &parts),
        "u" => case.numbers(field, &parameters),
        "position" => case.vectors(field, &points),
        _ => case.unknown(field),
    })
}

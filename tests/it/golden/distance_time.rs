//! Speeds and accelerations integrated to distances, and a path followed by distance: the numbers, and a follower of a
//! document that its speed or acceleration drives.

use super::case::{Case, Outcome};
use super::played::{Played, bezier_path};
use inbetween::math::Vec3;
use inbetween::math::path::{Cubic3, MeasuredPath};
use inbetween::math::piecewise::Piecewise;
use inbetween::model::{Drive, Follow, Interpolation, Key, KeyedCurve, ObjectId, Path, Property};

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

/// Keys at times with values, all of one interpolation.
fn keys(times: &[f64], values: &[f64], interpolation: Interpolation) -> KeyedCurve {
    let keys = times.iter().zip(values).map(|(time, value)| Key { interpolation, ..Key::new(*time, *value) });
    KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
}

/// How far a follower of a long straight path is at the times; its place, where it is on the path, must say the same.
fn followed(
    case: &Case,
    follow: impl FnOnce(ObjectId) -> Follow,
    drive: (Property, KeyedCurve),
    times: &[f64],
) -> Result<Vec<f64>, String> {
    let straight = Path::through(&[Vec3::zeros(), Vec3::x() * 64.0]);
    let played = Played::follower(straight, follow, Some(drive))?;
    let distances: Vec<f64> = times.iter().map(|secs| played.distance(*secs)).collect();
    for (secs, distance) in times.iter().zip(&distances) {
        let off = (played.place(*secs).x - distance.clamp(0.0, 64.0)).abs();
        case.hold(off < 1e-9, "place", || format!("{off} from its distance at {secs}"));
    }
    Ok(distances)
}

fn by_speed(case: &Case) -> Outcome {
    let key_times: Vec<f64> = case.input("times")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let (field, interpolation) = match case.optional::<String>("interpolation")?.as_deref() {
        Some("step") => ("speeds_step", Interpolation::Step),
        Some("linear") | None => ("speeds", Interpolation::Linear),
        Some(other) => return Err(format!("no interpolation is called {other}")),
    };
    let speeds: Vec<f64> = case.input(field)?;
    let start: f64 = case.input("s0")?;
    let speed = match interpolation {
        Interpolation::Step => Piecewise::steps(&key_times, &speeds),
        _ => Piecewise::linear(&key_times, &speeds),
    };
    let distance = speed.and_then(|speed| speed.integral(start)).ok_or("no distance")?;
    let follow = |road| Follow { drive: Drive::Speed, distance: start, ..Follow::new(road) };
    let curve = keys(&key_times, &speeds, interpolation);
    let last = [key_times.last().copied().unwrap_or(0.0)];
    let played = followed(case, follow, (Property::Speed, curve.clone()), &times)?;
    let whole = followed(case, follow, (Property::Speed, curve), &last)?;
    case.judge(|field| match field {
        "distance" => {
            case.numbers(field, &at_times(&distance, &times))?;
            case.numbers(field, &played)
        }
        "total_distance" => {
            case.number(field, distance.end_value() - start)?;
            case.number(field, whole[0] - start)
        }
        _ => case.unknown(field),
    })
}

fn by_acceleration(case: &Case) -> Outcome {
    let key_times: Vec<f64> = case.input("times")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let accelerations: Vec<f64> = case.input("accelerations")?;
    let (start_speed, start): (f64, f64) = (case.input("v0")?, case.input("s0")?);
    let speed =
        Piecewise::linear(&key_times, &accelerations).and_then(|a| a.integral(start_speed)).ok_or("no speed")?;
    let distance = speed.integral(start).ok_or("no distance")?;
    let follow = |road| Follow { drive: Drive::Acceleration, speed: start_speed, distance: start, ..Follow::new(road) };
    let curve = keys(&key_times, &accelerations, Interpolation::Linear);
    let played = followed(case, follow, (Property::Acceleration, curve), &times)?;
    case.judge(|field| match field {
        "velocity" => case.numbers(field, &at_times(&speed, &times)),
        "distance" => {
            case.numbers(field, &at_times(&distance, &times))?;
            case.numbers(field, &played)
        }
        _ => case.unknown(field),
    })
}

fn follow(case: &Case) -> Outcome {
    let points: [Vec3; 4] = case.input("bezier_points")?;
    let path = MeasuredPath::new(vec![Cubic3::from_bezier(points)], 1e-10);
    let times: Vec<f64> = case.input("sample_times")?;
    let (key_times, speeds): (Vec<f64>, Vec<f64>) = (case.input("times")?, case.input("speeds")?);
    let speed = Piecewise::linear(&key_times, &speeds);
    let distance = speed.and_then(|speed| speed.integral(0.0)).ok_or("no distance")?;
    let tied = case.input("normalise")?;
    let whole = if tied { distance.end_value() } else { path.length() };
    let follow = |road| Follow { drive: Drive::Speed, tied, ..Follow::new(road) };
    let curve = keys(&key_times, &speeds, Interpolation::Linear);
    let played = Played::follower(bezier_path(&points), follow, Some((Property::Speed, curve)))?;
    let road = played.road()?;
    let parts: Vec<f64> = at_times(&distance, &times).iter().map(|d| d / whole).collect();
    let place = |part: &f64| path.parameter_at(part * path.length());
    let parameters: Vec<f64> = parts.iter().map(place).collect::<Option<_>>().ok_or("no path")?;
    let points: Vec<Vec3> = parameters.iter().map(|u| path.point(*u)).collect::<Option<_>>().ok_or("no path")?;
    let gone: Vec<f64> = times.iter().map(|secs| played.distance(*secs)).collect();
    let places: Vec<Vec3> = times.iter().map(|secs| played.place(*secs)).collect();
    case.judge(|field| match field {
        "path_length" => {
            case.number(field, path.length())?;
            case.number(field, road.length())
        }
        "distance_fraction" => {
            case.numbers(field, &parts)?;
            case.numbers(field, &gone.iter().map(|gone| gone / road.length()).collect::<Vec<_>>())
        }
        "u" => {
            case.numbers(field, &parameters)?;
            let played: Option<Vec<f64>> = gone.iter().map(|gone| road.parameter_at(*gone)).collect();
            case.numbers(field, &played.ok_or("no path")?)
        }
        "position" => {
            case.vectors(field, &points)?;
            case.vectors(field, &places)
        }
        _ => case.unknown(field),
    })
}

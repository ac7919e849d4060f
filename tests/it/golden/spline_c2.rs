//! Cubic splines with a continuous second derivative: the numbers, and the scheme of a document's curve.

use super::case::{Case, Outcome};
use super::curves::{keyed, slopes, values};
use inbetween::eval::curve::{Shape, segment};
use inbetween::math::spline::{C2Ends, HermiteSpline, c2_slopes};
use inbetween::model::{KeyedCurve, Scheme};

pub(super) fn run(case: &Case) -> Outcome {
    let times: Vec<f64> = case.input("times")?;
    let given: Vec<f64> = case.input("values")?;
    let at: Vec<f64> = case.input("sample_times")?;
    let (ends, scheme) = match case.input::<String>("boundary")?.as_str() {
        "natural" => (C2Ends::Natural, Scheme::Natural),
        "not-a-knot" => (C2Ends::NotAKnot, Scheme::NotAKnot),
        "periodic" => (C2Ends::Periodic, Scheme::Periodic),
        "clamped" => {
            let [start, end] = case.input("end_slopes")?;
            (C2Ends::Clamped { start, end }, Scheme::Clamped(start, end))
        }
        other => return Err(format!("no boundary is called {other}")),
    };
    let found = c2_slopes(&times, &given, ends).ok_or("no spline")?;
    let spline = HermiteSpline::new(&times, &given, &found).ok_or("no spline")?;
    let curve = KeyedCurve { scheme, ..keyed(case, |_, key| key)? };
    let each = |times: &[f64], f: fn(&HermiteSpline, f64) -> f64| -> Vec<f64> {
        times.iter().map(|time| f(&spline, *time)).collect()
    };
    case.judge(|field| match field {
        "values" => {
            case.numbers(field, &each(&at, HermiteSpline::value))?;
            values(case, field, &curve, &at)
        }
        "derivatives" => {
            case.numbers(field, &each(&at, HermiteSpline::derivative))?;
            slopes(case, field, &curve, &at)
        }
        "second_derivatives" => {
            case.numbers(field, &each(&at, HermiteSpline::second_derivative))?;
            case.numbers(field, &bends(&curve, &at)?)
        }
        "key_second_derivatives" => {
            case.numbers(field, &each(&times, HermiteSpline::second_derivative))?;
            case.numbers(field, &bends(&curve, &times)?)
        }
        _ => case.unknown(field),
    })
}

/// The second derivatives of a curve of cubics at times within it, from the segment that starts there (at the last key the
/// one that ends there).
fn bends(curve: &KeyedCurve, times: &[f64]) -> Result<Vec<f64>, String> {
    let bend = |time: &f64| {
        let index = curve.keys.count_at_or_before(*time).saturating_sub(1).min(curve.keys.len().saturating_sub(2));
        let segment = segment(curve, index)?;
        let secs = segment.end() - segment.start();
        match segment.shape() {
            Shape::Cubic(cubic) => Some(cubic.second_derivative((time - segment.start()) / secs) / (secs * secs)),
            _ => None,
        }
    };
    times.iter().map(bend).collect::<Option<_>>().ok_or_else(|| "a segment is no cubic".to_owned())
}

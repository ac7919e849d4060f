//! Cubic splines with a continuous second derivative.

use super::case::{Case, Outcome};
use inbetween::math::spline::{C2Ends, HermiteSpline, c2_slopes};

pub(super) fn run(case: &Case) -> Outcome {
    let times: Vec<f64> = case.input("times")?;
    let values: Vec<f64> = case.input("values")?;
    let at: Vec<f64> = case.input("sample_times")?;
    let ends = match case.input::<String>("boundary")?.as_str() {
        "natural" => C2Ends::Natural,
        "not-a-knot" => C2Ends::NotAKnot,
        "periodic" => C2Ends::Periodic,
        "clamped" => {
            let [start, end] = case.input("end_slopes")?;
            C2Ends::Clamped { start, end }
        }
        other => return Err(format!("no boundary is called {other}")),
    };
    let slopes = c2_slopes(&times, &values, ends).ok_or("no spline")?;
    let spline = HermiteSpline::new(&times, &values, &slopes).ok_or("no spline")?;
    let each = |times: &[f64], f: fn(&HermiteSpline, f64) -> f64| -> Vec<f64> {
        times.iter().map(|time| f(&spline, *time)).collect()
    };
    case.judge(|field| match field {
        "values" => case.numbers(field, &each(&at, HermiteSpline::value)),
        "derivatives" => case.numbers(field, &each(&at, HermiteSpline::derivative)),
        "second_derivatives" => case.numbers(field, &each(&at, HermiteSpline::second_derivative)),
        "key_second_derivatives" => case.numbers(field, &each(&times, HermiteSpline::second_derivative)),
        _ => case.unknown(field),
    })
}

//! Bezier keys with free handles.

use super::case::{Case, Outcome};
use super::curves::{keyed, values};
use inbetween::eval::curve::segment;
use inbetween::model::{Handle, Interpolation, Key};

pub(super) fn run(case: &Case) -> Outcome {
    let out: Vec<[f64; 2]> = case.input("handle_out")?;
    let into: Vec<[f64; 2]> = case.input("handle_in")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let free = |[dt, dv]: [f64; 2]| Handle::Free(dt, dv);
    let curve = keyed(case, |i, key| Key {
        interpolation: Interpolation::Bezier,
        handle_out: free(out[i]),
        handle_in: free(into[i]),
        ..key
    })?;
    let parameter = |time: &f64| {
        let index = curve.keys.count_at_or_before(*time).saturating_sub(1).min(curve.keys.len().saturating_sub(2));
        segment(&curve, index).map(|s| s.parameter(*time))
    };
    case.judge(|field| match field {
        "values" => values(case, field, &curve, &times),
        "u" => {
            let got: Option<Vec<f64>> = times.iter().map(parameter).collect();
            case.numbers_within(field, &got.ok_or("no segment")?, "abs_u")
        }
        _ => case.unknown(field),
    })
}

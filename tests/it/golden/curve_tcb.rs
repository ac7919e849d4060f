//! TCB keys: Kochanek-Bartels with the correction for uneven times.

use super::case::{Case, Outcome};
use super::curves::{key_slopes, keyed, values};
use inbetween::model::{Interpolation, Key};

pub(super) fn run(case: &Case) -> Outcome {
    let tension: Vec<f64> = case.input("tension")?;
    let continuity: Vec<f64> = case.input("continuity")?;
    let bias: Vec<f64> = case.input("bias")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let curve = keyed(case, |i, key| Key {
        interpolation: Interpolation::Tcb,
        tension: tension[i],
        continuity: continuity[i],
        bias: bias[i],
        ..key
    })?;
    let (into, out) = key_slopes(&curve);
    case.judge(|field| match field {
        "values" => values(case, field, &curve, &times),
        "tangent_in" => case.numbers(field, &into),
        "tangent_out" => case.numbers(field, &out),
        _ => case.unknown(field),
    })
}

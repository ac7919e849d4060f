//! Linear and step keys.

use super::case::{Case, Outcome};
use super::curves::{keyed, values};
use inbetween::model::{Interpolation, Key};

pub(super) fn run(case: &Case) -> Outcome {
    let times: Vec<f64> = case.input("sample_times")?;
    let curve = |interpolation| keyed(case, |_, key| Key { interpolation, ..key });
    let (linear, step) = (curve(Interpolation::Linear)?, curve(Interpolation::Step)?);
    case.judge(|field| match field {
        "linear" => values(case, field, &linear, &times),
        "step" => values(case, field, &step, &times),
        _ => case.unknown(field),
    })
}

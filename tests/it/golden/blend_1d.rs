//! Weights along one axis.

use super::case::{Case, Outcome};
use inbetween::eval::blend::space::{PreparedSpace, SchemeOptions};
use inbetween::model::BlendScheme;

pub(super) fn run(case: &Case) -> Outcome {
    let thresholds: Vec<f64> = case.input("thresholds")?;
    let parameter: f64 = case.input("parameter")?;
    let points: Vec<[f64; 2]> = thresholds.iter().map(|x| [*x, 0.0]).collect();
    let space = PreparedSpace::new(BlendScheme::Linear, &points, &SchemeOptions::default());
    case.judge(|field| match field {
        "weights" => case.numbers(field, &space.weights_at([parameter, 0.0])),
        _ => case.unknown(field),
    })
}

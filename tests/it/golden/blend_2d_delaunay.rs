//! Barycentric weights over a Delaunay triangulation.

use super::case::{Case, Outcome};
use inbetween::eval::blend::space::{PreparedSpace, SchemeOptions};
use inbetween::model::BlendScheme;

pub(super) fn run(case: &Case) -> Outcome {
    let points: Vec<[f64; 2]> = case.input("samples")?;
    let at: [f64; 2] = case.input("parameter")?;
    let space = PreparedSpace::new(BlendScheme::Delaunay, &points, &SchemeOptions::default());
    let mut weights = vec![0.0; points.len()];
    let landing = space.weights(at, &mut weights);
    case.judge(|field| match field {
        "weights" => case.numbers(field, &weights),
        "projected_parameter" => case.numbers(field, &landing.at),
        "inside" => case.flag(field, landing.inside),
        _ => case.unknown(field),
    })
}

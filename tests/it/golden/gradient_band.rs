//! Gradient bands, in the plane and polar.

use super::case::{Case, Outcome};
use inbetween::eval::blend::space::{PreparedSpace, SchemeOptions};
use inbetween::model::BlendScheme;

pub(super) fn run(case: &Case) -> Outcome {
    let mode: String = case.input("mode")?;
    let points: Vec<[f64; 2]> = case.input("samples")?;
    let at: [f64; 2] = case.input("parameter")?;
    let told: Option<f64> = case.optional("alpha")?;
    let scheme = match mode.as_str() {
        "cartesian" => BlendScheme::BandCartesian,
        "polar" => BlendScheme::BandPolar,
        _ => return Err(format!("mode {mode} is not known")),
    };
    let with =
        |angle_weight| PreparedSpace::new(scheme, &points, &SchemeOptions { angle_weight, ..Default::default() });
    let space = with(told.unwrap_or(inbetween::eval::blend::space::ANGLE_WEIGHT));
    let influences = space.influences(at);
    let of = |point: &[f64; 2]| space.sites().iter().position(|site| site == point).map_or(0.0, |i| influences[i]);
    case.judge(|field| match field {
        "influences" => case.numbers(field, &points.iter().map(of).collect::<Vec<_>>()),
        "weights" => case.numbers(field, &space.weights_at(at)),
        "weights_if_alpha_1" => case.numbers(field, &with(1.0).weights_at(at)),
        _ => case.unknown(field),
    })
}
